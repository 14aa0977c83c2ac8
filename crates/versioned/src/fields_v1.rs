//! JSON that nobody reads.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::json::{canonical, compact, transcode};

/// The fields that a manager owns, as JSON that is passed on and rarely looked at.
///
/// It is kept as one text: what came, if that has no white space. The text is valid by construction.
///
/// Two values are equal when their JSON is, whatever the order of their keys. Equal values have one
/// [`canonical`](Self::canonical) text: keys sorted, none twice (the last one counts).
///
/// JSON text may nest 10,000 levels deep, as for servers: nothing here walks into it by recursion. It is also
/// read from and written to every other serde format that describes itself, and values, up to 400 levels.
///
/// ```
/// use k8s_versioned::FieldsV1;
///
/// let fields = FieldsV1::from_json(r#"{"f:spec":{"f:b":{},"f:a":{}}}"#)?;
/// assert_eq!(fields.as_json(), r#"{"f:spec":{"f:b":{},"f:a":{}}}"#);
/// assert_eq!(fields.canonical(), r#"{"f:spec":{"f:a":{},"f:b":{}}}"#);
/// assert_eq!(fields, FieldsV1::from_json(&fields.canonical())?);
/// assert_eq!(FieldsV1::default().as_json(), "{}");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FieldsV1(Box<str>);

impl FieldsV1 {
    /// Reads JSON text.
    ///
    /// # Errors
    ///
    /// The text is not JSON, or nests too deep.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// A text that this crate has made.
    pub(crate) fn from_compact(text: String) -> Self {
        Self(text.into_boxed_str())
    }

    /// The text, without white space.
    pub fn as_json(&self) -> &str {
        &self.0
    }

    /// The one text that all equal values have.
    pub fn canonical(&self) -> String {
        canonical(&self.0)
    }

    /// The JSON as a value.
    ///
    /// # Errors
    ///
    /// It nests deeper than 500 levels.
    pub fn to_value(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

impl PartialEq for FieldsV1 {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.canonical() == other.canonical()
    }
}

impl Eq for FieldsV1 {}

impl Hash for FieldsV1 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl Default for FieldsV1 {
    /// The empty object.
    fn default() -> Self {
        Self("{}".into())
    }
}

impl fmt::Display for FieldsV1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for FieldsV1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        transcode(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for FieldsV1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        compact(deserializer).map(Self::from_compact)
    }
}

#[cfg(test)]
mod tests {
    use super::FieldsV1;

    #[test]
    fn what_is_no_json_is_an_error() {
        for text in ["", "{", "{]", "{} {}", "{1:2}", "nul", "1e999", r#"{"a"}"#] {
            assert!(FieldsV1::from_json(text).is_err(), "{text}");
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        // Every object is out of order.
        let objects = |depth: usize| {
            let inner = r#"{"b":0,"a":"#.repeat(depth);
            format!("{inner}1{}", "}".repeat(depth))
        };
        for depth in [100, 400, 1_000, 10_000] {
            let fields = FieldsV1::from_json(&lists(depth)).unwrap();
            assert_eq!(fields.as_json(), lists(depth));
            assert_eq!(serde_json::to_string(&fields).unwrap(), lists(depth));
            assert_eq!(fields.to_value().is_ok(), depth <= 400);
            let fields = FieldsV1::from_json(&objects(depth)).unwrap();
            let ordered = format!("{}1{}", r#"{"a":"#.repeat(depth), r#","b":0}"#.repeat(depth));
            assert_eq!(fields.canonical(), ordered);
        }
        let error = FieldsV1::from_json(&lists(10_001)).unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with("lists and objects nest deeper than 10000 levels"),
            "{message}"
        );
        // Siblings are not levels.
        let wide = format!("[{}]", vec!["[{}]"; 20_000].join(","));
        assert_eq!(FieldsV1::from_json(&wide).unwrap().as_json(), wide);
    }

    #[test]
    fn text_stays_but_for_white_space_escapes_and_numbers() {
        let table = [
            (r#"{"b":{},"a":{}}"#, r#"{"b":{},"a":{}}"#),
            (
                r#"{"a":[null,true,"1"],"a":{"k:{\"x\":\"\\\"}":{}}}"#,
                r#"{"a":[null,true,"1"],"a":{"k:{\"x\":\"\\\"}":{}}}"#,
            ),
            (r#"{"b":0,"a":1.50}"#, r#"{"b":0,"a":1.5}"#),
            (r#"{"b":{}, "a":{}}"#, r#"{"b":{},"a":{}}"#),
            (r#"{"b":"\/","a":{}}"#, r#"{"b":"/","a":{}}"#),
        ];
        for (json, expected) in table {
            assert_eq!(FieldsV1::from_json(json).unwrap().as_json(), expected);
        }
    }
}
