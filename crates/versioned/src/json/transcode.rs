//! Compact text, serialized in the data model of any format.

use std::any::type_name;
use std::cell::Cell;

use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::value::RawValue;

use super::compact::RAW;
use super::reader::{Malformed, Reader};
use super::sorted::canonical;

/// The most levels that are taken apart. Deeper values are handed over as text, which only JSON can hold.
const MAX_RECURSION: usize = 400;

/// Serializes the value of a compact text.
///
/// JSON text without white space takes it as it is, for the row *encode*. Everything else, also JSON text from another
/// serializer, gets the canonical form part by part.
pub(crate) fn transcode<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if type_name::<S>() == type_name::<&mut serde_json::Serializer<&mut Vec<u8>>>() {
        let mut raw = serializer.serialize_struct(RAW, 1)?;
        raw.serialize_field(RAW, text)?;
        return raw.end();
    }
    Transcode::new(&canonical(text)).serialize(serializer)
}

/// Serializes the value at the start of a text.
struct Transcode<'a> {
    text: &'a str,
    depth: usize,
    /// The text after the value, once it has been serialized. The value around it goes on there, so that
    /// a text is read once, however deep it nests.
    after: Cell<Option<&'a str>>,
}

impl<'a> Transcode<'a> {
    fn new(text: &'a str) -> Self {
        Self::at(text, 0)
    }

    fn at(text: &'a str, depth: usize) -> Self {
        Self { text, depth, after: Cell::new(None) }
    }

    fn after(&self) -> Result<&'a str, Malformed> {
        if let Some(after) = self.after.get() {
            return Ok(after);
        }
        // A serializer need not look at each value that it is given.
        let mut reader = Reader::new(self.text);
        reader.value()?;
        Ok(reader.rest)
    }

    fn write<S: Serializer>(
        &self,
        reader: &mut Reader<'a>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if self.depth >= MAX_RECURSION {
            reader.value().map_err(Error::custom)?;
            let length = self.text.len().saturating_sub(reader.rest.len());
            let text = self.text.get(..length).unwrap_or_default();
            let raw: &RawValue = serde_json::from_str(text).map_err(Error::custom)?;
            return raw.serialize(serializer);
        }
        if reader.take(b'{') {
            return self.object(reader, serializer);
        }
        if reader.take(b'[') {
            return self.list(reader, serializer);
        }
        if self.text.starts_with('"') {
            let string = reader.string().map_err(Error::custom)?;
            return serializer.serialize_str(&string);
        }
        match reader.word() {
            // Not a unit: some formats write that as an empty list.
            "null" => serializer.serialize_none(),
            "true" => serializer.serialize_bool(true),
            "false" => serializer.serialize_bool(false),
            number => serialize_number(number, serializer),
        }
    }

    fn object<S: Serializer>(
        &self,
        reader: &mut Reader<'a>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        while !reader.take(b'}') {
            reader.take(b',');
            let key = reader.key().map_err(Error::custom)?;
            let value = Transcode::at(reader.rest, self.depth + 1);
            object.serialize_entry(&key, &value)?;
            reader.rest = value.after().map_err(Error::custom)?;
        }
        object.end()
    }

    fn list<S: Serializer>(
        &self,
        reader: &mut Reader<'a>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        while !reader.take(b']') {
            reader.take(b',');
            let item = Transcode::at(reader.rest, self.depth + 1);
            list.serialize_element(&item)?;
            reader.rest = item.after().map_err(Error::custom)?;
        }
        list.end()
    }
}

/// Serializes a number as the type that `serde_json` would read: the first that fits.
fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(number) = text.parse::<u64>() {
        serializer.serialize_u64(number)
    } else if let Ok(number) = text.parse::<i64>() {
        serializer.serialize_i64(number)
    } else if let Ok(number) = text.parse::<f64>() {
        serializer.serialize_f64(number)
    } else {
        Err(Error::custom(Malformed))
    }
}

impl Serialize for Transcode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut reader = Reader::new(self.text);
        let written = self.write(&mut reader, serializer)?;
        self.after.set(Some(reader.rest));
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::Transcode;

    #[test]
    fn what_follows_is_known_without_serializing() {
        let value = Transcode::new(r#"{"a":[1]},"b":2}"#);
        assert_eq!(value.after().unwrap(), r#","b":2}"#);
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"a":[1]}"#);
        assert_eq!(value.after().unwrap(), r#","b":2}"#);
    }

    #[test]
    fn malformed_text_is_an_error_and_ends() {
        for text in ["", "{", "[", "[1", "[1 2]", "{\"a\"}", "{\"a\":1", "\"a", "nul", "]"] {
            assert!(serde_json::to_string(&Transcode::new(text)).is_err(), "{text}");
        }
    }
}
