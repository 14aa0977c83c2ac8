//! The query of a URL.

use std::fmt::{self, Display};

use serde::Serialize;
use serde_json::Value;

use super::percent::encode;

/// The parameters of a request as the query of its URL: names and values, each name at most once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Sets a parameter, or replaces its value.
    pub(super) fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(found, _)| *found == name) {
            Some((_, found)) => *found = value,
            None => self.0.push((name, value)),
        }
    }

    /// Sets a parameter for each field of a struct, under its name in JSON.
    pub(super) fn extend(&mut self, parameters: &impl Serialize) -> Result<(), serde_json::Error> {
        let Value::Object(fields) = serde_json::to_value(parameters)? else {
            return Ok(());
        };
        for (name, value) in fields {
            match value {
                Value::Null => {}
                Value::String(value) => self.set(name, value),
                value => self.set(name, value.to_string()),
            }
        }
        Ok(())
    }

    /// Removes a parameter.
    pub(super) fn remove(&mut self, name: &str) {
        self.0.retain(|(found, _)| found != name);
    }

    /// The names and values, not encoded.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The encoded text.
impl Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, value) in self.iter() {
            write!(f, "{separator}{}={}", encode(name), encode(value))?;
            separator = "&";
        }
        Ok(())
    }
}
