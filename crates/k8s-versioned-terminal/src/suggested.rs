//! Values that completions know, of arguments that take others, too.

use std::error::Error as StdError;
use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// Reads any text that is a value, and gives completions these ones.
pub fn suggested<T>(values: impl IntoIterator<Item = String>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Into<Box<dyn StdError + Send + Sync>>> + Clone + Send + Sync + 'static,
{
    let values = values.into_iter().map(PossibleValue::new).collect();
    Suggested { values, parser: StringValueParser::new().try_map(|text| text.parse::<T>()) }
}

#[derive(Clone)]
struct Suggested<P> {
    values: Vec<PossibleValue>,
    parser: P,
}

impl<P: TypedValueParser> TypedValueParser for Suggested<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().cloned()))
    }
}
