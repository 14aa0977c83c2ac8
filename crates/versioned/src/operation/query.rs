//! The query of a URL, and the parameters that become one.

use std::collections::HashSet;
use std::fmt::{self, Display};

use serde::Serialize;
use serde_json::Value;

use super::percent::{decode, encode};
use crate::ParseError;

/// A [`ParseError`] names the text so.
const EXPECTED: &str = "a part of a query";

/// The parameters of a request as the query of its URL: names and values, each name at most once.
///
/// ```
/// use k8s_versioned::operation::Query;
///
/// let mut query = Query::default();
/// query.set("labelSelector", "team in (a, b)");
/// query.set("limit", 100.to_string());
/// assert_eq!(query.to_string(), "labelSelector=team%20in%20%28a%2C%20b%29&limit=100");
/// assert_eq!(Query::parse(&query.to_string())?, query);
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the encoded text, which is what follows the `?` of a URL. As for servers, `+` is a space.
    ///
    /// # Errors
    ///
    /// A name is given twice, or the encoding is broken.
    pub fn parse(encoded: &str) -> Result<Self, ParseError> {
        let mut query = Self::default();
        let mut names = HashSet::new();
        for part in encoded.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let decode = |text: &str| decode(&text.replace('+', " "));
            let decoded = decode(name).zip(decode(value));
            let (name, value) = decoded.ok_or_else(|| {
                ParseError::new(part, EXPECTED, "it is not percent-encoded UTF-8")
            })?;
            if !names.insert(name.clone()) {
                return Err(ParseError::new(part, EXPECTED, "the parameter is given twice"));
            }
            query.0.push((name, value));
        }
        Ok(query)
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Sets a parameter, instead of the value that it may have.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(found, _)| *found == name) {
            Some((_, found)) => *found = value,
            None => self.0.push((name, value)),
        }
    }

    /// Sets what the fields of a struct say, each under its name in JSON.
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
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(found, _)| found != name);
    }

    /// True if there is no parameter.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names and values, not encoded.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Of two values for one name, the later one counts.
impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Query {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut query = Self::default();
        for (name, value) in pairs {
            query.set(name, value);
        }
        query
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{EXPECTED, Query};
    use crate::ParseError;

    #[test]
    fn broken_queries() {
        let (encoding, twice) = ("it is not percent-encoded UTF-8", "the parameter is given twice");
        let table = [
            ("a=%", "a=%", encoding),
            ("%ff=1", "%ff=1", encoding),
            ("a=1&b=2&a=1", "a=1", twice),
            ("a=1&%61=1", "%61=1", twice),
        ];
        for (text, part, reason) in table {
            let expected = ParseError::new(part, EXPECTED, reason);
            assert_eq!(Query::parse(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn odd_queries() {
        let table =
            [("", ""), ("&&", ""), ("a", "a="), ("a==", "a=%3D"), ("a+b=c+%2B", "a%20b=c%20%2B")];
        for (text, expected) in table {
            assert_eq!(Query::parse(text).unwrap().to_string(), expected, "{text}");
        }
    }

    /// With a search through all names for each name, this takes minutes.
    #[test]
    fn many_names_are_read_in_time() {
        let parts = (0..200_000).map(|number| format!("{number}=1"));
        let text = parts.collect::<Vec<_>>().join("&");
        assert_eq!(Query::parse(&text).unwrap().iter().count(), 200_000);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(pairs: Vec<(String, String)>) {
            let query: Query = pairs.into_iter().collect();
            let text = query.to_string();
            prop_assert!(text.is_ascii() && !text.contains(['/', '?', '#', ' ']));
            prop_assert_eq!(Query::parse(&text), Ok(query));
        }
    }
}
