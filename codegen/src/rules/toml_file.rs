//! TOML text to rules that know their place.

use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::problem::{Cause, Place};
use crate::{Files, Problems};

/// A string and the bytes of the file that it stands in.
pub type Text = Spanned<String>;

/// Reads the TOML text of `file`.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse_toml<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, Problems> {
    let mut problems = Problems::new();
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let span = Some(error.valid_up_to()..error.valid_up_to());
            problems.push(Place { span, ..Place::file(file) }, Cause::NotUtf8);
            return Err(problems);
        }
    };
    toml::from_str(text).map_err(|error| {
        let message = error.message().to_owned();
        problems.push(Place { span: error.span(), ..Place::file(file) }, Cause::Toml(message));
        problems
    })
}

/// Reads a rule file that need not be there.
pub(super) fn optional<T: DeserializeOwned + Default>(
    specs: &Files,
    file: &str,
) -> Result<T, Problems> {
    specs.get(file).map_or_else(|| Ok(T::default()), |bytes| parse_toml(file, bytes))
}

/// The place of a rule.
pub(super) fn place(file: &str, text: &Text) -> Place {
    place_of(file, text.span())
}

/// The place of some bytes of a rule file.
pub(super) fn place_of(file: &str, span: Range<usize>) -> Place {
    Place { span: Some(span), ..Place::file(Arc::<str>::from(file)) }
}
