//! The query of a URL.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::RequestError;
use crate::resource_path::encode;

/// The parameters of a request as the query of its URL, not encoded. A name can occur more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// The first value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Sets a parameter, or replaces its values.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let first = self.0.iter().position(|(found, _)| found == name);
        self.remove(name);
        let place = first.unwrap_or(self.0.len());
        self.0.insert(place, (name.to_owned(), value.into()));
    }

    pub(crate) fn push(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.to_owned(), value.into()));
    }

    /// Removes a parameter.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(found, _)| found != name);
    }

    /// The names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a parameter for each field of a struct, under its name in JSON; a list gives one for each item.
    pub(super) fn extend(&mut self, parameters: &impl Serialize) -> Result<(), RequestError> {
        let fields = serde_json::to_value(parameters).map_err(RequestError::Parameters)?;
        let Value::Object(fields) = fields else {
            return Ok(());
        };
        for (name, value) in fields {
            let values = match value {
                Value::Array(values) => values,
                Value::Null => Vec::new(),
                value => vec![value],
            };
            for value in values {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.push(&name, text);
            }
        }
        Ok(())
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, value) in self.iter() {
            write!(f, "{separator}{}={}", encode(name), encode(value))?;
            separator = "&";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn a_parameter_replaces_all_of_its_name() {
        let mut query = Query::default();
        for (name, value) in [("command", "a"), ("tty", "true"), ("command", "b")] {
            query.push(name, value);
        }
        query.set("command", "ls");
        query.set("stdin", "true");
        assert_eq!(query.to_string(), "command=ls&tty=true&stdin=true");
    }
}
