//! Any serde input, written as canonical text while it is read.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::Number;

use super::reader::Malformed;
use super::sorted::sorted;
use super::string;

/// How deep lists and objects of a text may nest, as for servers.
const MAX_DEPTH: usize = 10_000;

/// How deep those of other input may nest, into which this walks by recursion.
const MAX_RECURSION: usize = 400;

/// The name by which `serde_json` is asked for the text of a value, and the only key of the map as which it
/// hands that over. Other formats take it for the name of some type.
const RAW: &str = "$serde_json::private::RawValue";

/// The only key of the map as which `serde_json` hands over a number when its feature
/// `arbitrary_precision` is on. Any crate of a build can switch that on.
pub(super) const NUMBER: &str = "$serde_json::private::Number";

pub(super) fn arbitrary_precision() -> bool {
    serde_json::from_str::<Number>("1e999").is_ok()
}

/// Reads a value and returns its canonical text.
pub(crate) fn canonical<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut writer = Writer::default();
    deserializer.deserialize_newtype_struct(RAW, &mut writer)?;
    if writer.ascending {
        Ok(writer.text)
    } else {
        sorted(&writer.text).map_err(de::Error::custom)
    }
}

/// Writes members in the order in which they arrive, and notes whether that is the right one. Servers send
/// them in order.
struct Writer {
    text: String,
    depth: usize,
    /// Whether each key so far was greater than the one before it in its object.
    ascending: bool,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            text: String::new(),
            depth: 0,
            ascending: true,
        }
    }
}

/// An object that is being written.
struct Object {
    /// Where its opening brace is.
    start: usize,
    /// The last key.
    key: Option<String>,
    /// Whether it stands for a number, see [`NUMBER`].
    number: bool,
    /// Whether it stands for a text, see [`RAW`].
    raw: bool,
}

impl Writer {
    fn open<E: de::Error>(&mut self, bracket: char) -> Result<(), E> {
        self.depth += 1;
        if self.depth > MAX_RECURSION {
            return Err(too_deep(MAX_RECURSION));
        }
        self.text.push(bracket);
        Ok(())
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        self.text.push(bracket);
    }

    fn open_object<E: de::Error>(&mut self) -> Result<Object, E> {
        let object = self.object();
        self.open('{')?;
        Ok(object)
    }

    /// An object that starts here.
    fn object(&self) -> Object {
        Object {
            start: self.text.len(),
            key: None,
            number: false,
            raw: false,
        }
    }

    fn write_key(&mut self, object: &mut Object, key: &str) {
        match &mut object.key {
            None => {
                object.key = Some(key.to_owned());
                object.number = key == NUMBER && arbitrary_precision();
                object.raw = key == RAW && self.depth == 1;
            }
            Some(last) => {
                self.ascending &= last.as_str() < key;
                key.clone_into(last);
                self.text.push(',');
            }
        }
        string::write(&mut self.text, key);
        self.text.push(':');
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
        self.write_digits(text)
    }

    /// Writes a number as the first type that holds it.
    fn write_digits<E: de::Error>(&mut self, text: &str) -> Result<(), E> {
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

/// Writing a JSON text, without recursion.
impl Writer {
    fn write_json<E: de::Error>(&mut self, json: &str) -> Result<(), E> {
        let malformed = || E::custom(Malformed);
        // The last key of each open object; none for a list.
        let mut open: Vec<Option<Object>> = Vec::new();
        let mut rest = json;
        loop {
            rest = rest.trim_ascii_start();
            let (token, after) = token(rest).ok_or_else(malformed)?;
            rest = after;
            match token.as_bytes().first() {
                None => return Ok(()),
                Some(b'{' | b'[') => {
                    if open.len() >= MAX_DEPTH {
                        return Err(too_deep(MAX_DEPTH));
                    }
                    open.push((token == "{").then_some(self.object()));
                    self.text.push_str(token);
                }
                Some(b'}' | b']') => {
                    open.pop().ok_or_else(malformed)?;
                    self.text.push_str(token);
                }
                Some(b',') if matches!(open.last(), Some(Some(_))) => {}
                Some(b'"') => {
                    let string: String = serde_json::from_str(token).map_err(E::custom)?;
                    let after = rest.trim_ascii_start().strip_prefix(':');
                    match (open.last_mut(), after) {
                        (Some(Some(object)), Some(after)) => {
                            self.write_key(object, &string);
                            rest = after;
                        }
                        _ => string::write(&mut self.text, &string),
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.write_digits(token)?,
                _ => self.text.push_str(token),
            }
        }
    }
}

fn too_deep<E: de::Error>(levels: usize) -> E {
    E::custom(format_args!(
        "lists and objects nest deeper than {levels} levels"
    ))
}

/// Splits off a bracket, a comma, a string or a word; the empty text at the end.
fn token(text: &str) -> Option<(&str, &str)> {
    let length = match text.as_bytes().first() {
        None => 0,
        Some(b'"') => string::end(text)?,
        Some(b'{' | b'}' | b'[' | b']' | b',') => 1,
        Some(_) => {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b",]}".contains(byte);
            text.as_bytes().iter().position(ends).unwrap_or(text.len())
        }
    };
    text.split_at_checked(length)
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
            if object.raw {
                let text: String = members.next_value()?;
                self.text.clear();
                return self.write_json(&text);
            }
            members.next_value_seed(&mut *self)?;
        }
        self.close('}');
        Ok(())
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
