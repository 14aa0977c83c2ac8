//! Any serde input, written as canonical text while it is read.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::Number;

use super::reader::{Malformed, Reader};
use super::string;

/// How deep lists and objects may nest.
///
/// The limit keeps the recursion shallow for input of every format. It is below the one of
/// `serde_json` (128), so that the text can be read again inside of an object.
const MAX_DEPTH: usize = 100;

/// The only key of the map as which `serde_json` hands over a number when its feature
/// `arbitrary_precision` is on. Any crate of a build can switch that on.
pub(super) const NUMBER: &str = "$serde_json::private::Number";

pub(super) fn arbitrary_precision() -> bool {
    serde_json::from_str::<Number>("1e999").is_ok()
}

/// Reads a value and returns its canonical text.
pub(crate) fn canonical<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut writer = Writer::default();
    deserializer.deserialize_any(&mut writer)?;
    Ok(writer.text)
}

/// Writes members in the order in which they arrive, and sorts an object at its end where they
/// were out of order. Servers send them in order.
#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
}

/// An object that is being written.
struct Object {
    /// Where its opening brace is.
    start: usize,
    /// The last key.
    key: Option<String>,
    /// Whether each key so far was greater than the one before.
    ascending: bool,
    /// Whether it stands for a number, see [`NUMBER`].
    number: bool,
}

impl Writer {
    fn open<E: de::Error>(&mut self, bracket: char) -> Result<(), E> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format_args!("lists and objects nest deeper than {MAX_DEPTH} levels");
            return Err(E::custom(message));
        }
        self.text.push(bracket);
        Ok(())
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        self.text.push(bracket);
    }

    fn open_object<E: de::Error>(&mut self) -> Result<Object, E> {
        let start = self.text.len();
        self.open('{')?;
        Ok(Object {
            start,
            key: None,
            ascending: true,
            number: false,
        })
    }

    fn write_key(&mut self, object: &mut Object, key: &str) {
        match &mut object.key {
            None => {
                object.key = Some(key.to_owned());
                object.number = key == NUMBER && arbitrary_precision();
            }
            Some(last) => {
                object.ascending &= last.as_str() < key;
                key.clone_into(last);
                self.text.push(',');
            }
        }
        string::write(&mut self.text, key);
        self.text.push(':');
    }

    fn close_object<E: de::Error>(&mut self, object: &Object) -> Result<(), E> {
        if !object.ascending {
            self.sort(object).map_err(E::custom)?;
        }
        self.close('}');
        Ok(())
    }

    /// Sorts the members of an object; of those with the same key, the last one stays.
    fn sort(&mut self, object: &Object) -> Result<(), Malformed> {
        let members = self.text.split_off(object.start + 1);
        let mut sorted = BTreeMap::new();
        let mut reader = Reader::new(&members);
        while !reader.rest.is_empty() {
            let start = reader.rest;
            let key = reader.key()?;
            reader.value()?;
            let length = start.len().saturating_sub(reader.rest.len());
            sorted.insert(key, start.get(..length).ok_or(Malformed)?);
            reader.take(b',');
        }
        for (position, member) in sorted.values().enumerate() {
            if position > 0 {
                self.text.push(',');
            }
            self.text.push_str(member);
        }
        Ok(())
    }

    fn write_number(&mut self, number: impl Into<Number>) {
        self.text.push_str(&number.into().to_string());
    }

    fn write_float<E: de::Error>(&mut self, number: f64) -> Result<(), E> {
        let number = Number::from_f64(number)
            .ok_or_else(|| E::invalid_value(Unexpected::Float(number), &"a finite number"))?;
        self.write_number(number);
        Ok(())
    }

    /// Writes a number that arrived as an object, as the type that it has without that feature.
    fn replace_by_number<E: de::Error>(&mut self, object: &Object, text: &str) -> Result<(), E> {
        self.text.truncate(object.start);
        self.depth -= 1;
        if let Ok(number) = text.parse::<u64>() {
            self.write_number(number);
        } else if let Ok(number) = text.parse::<i64>() {
            self.write_number(number);
        } else {
            self.write_float(text.parse().map_err(E::custom)?)?;
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Writer {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Writer {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON can hold")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.text.push_str("null");
        Ok(())
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.write_number(value);
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.write_number(value);
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.write_float(value)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        string::write(&mut self.text, value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.open('[')?;
        let start = self.text.len();
        while items.next_element_seed(&mut *self)?.is_some() {
            self.text.push(',');
        }
        if self.text.len() > start {
            self.text.pop();
        }
        self.close(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut object = self.open_object()?;
        while let Some(()) = members.next_key_seed(Key(self, &mut object))? {
            if object.number {
                let number: String = members.next_value()?;
                return self.replace_by_number(&object, &number);
            }
            members.next_value_seed(&mut *self)?;
        }
        self.close_object(&object)
    }
}

/// Writes a key.
struct Key<'a>(&'a mut Writer, &'a mut Object);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text as key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<(), E> {
        let Key(writer, object) = self;
        writer.write_key(object, key);
        Ok(())
    }
}
