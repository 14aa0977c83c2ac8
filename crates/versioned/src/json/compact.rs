//! Any serde input, written as JSON text without white space while it is read.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::Number;

use super::reader::Malformed;
use super::string;

/// The most levels of lists and objects in a text, as for servers.
const MAX_DEPTH: usize = 10_000;

/// The most levels of other input, which is read by recursion.
const MAX_RECURSION: usize = 400;

/// The name by which `serde_json` is asked for the text of a value, and the only key of the map as which it
/// hands that over. Other formats take it for the name of some type.
pub(super) const RAW: &str = "$serde_json::private::RawValue";

/// The only key of the map as which `serde_json` hands over a number when its feature
/// `arbitrary_precision` is on. Any crate of a build can switch that on.
pub(super) const NUMBER: &str = "$serde_json::private::Number";

pub(super) fn arbitrary_precision() -> bool {
    serde_json::from_str::<Number>("1e999").is_ok()
}

/// Reads a value and returns its text: without white space, with strings and numbers written in one way.
pub(crate) fn compact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut writer = Writer::default();
    deserializer.deserialize_newtype_struct(RAW, &mut writer)?;
    Ok(writer.text)
}

/// The compact form of a JSON text.
fn of_json<E: de::Error>(json: &str) -> Result<String, E> {
    if is_compact(json.as_bytes()) {
        return Ok(json.to_owned());
    }
    let mut writer = Writer::default();
    writer.write_json(json)?;
    Ok(writer.text)
}

/// True if the text of an object is surely compact. It is what servers send: no white space, no numbers, and no escapes
/// but those of quotes and backslashes.
#[allow(
    clippy::needless_bitwise_bool,
    reason = "bytes are looked at without branches, for the row decode"
)]
fn is_compact(json: &[u8]) -> bool {
    let next = json.get(1..).unwrap_or_default();
    let odd = json.iter().zip(next).fold(false, |odd, (&byte, &next)| {
        let number = ((byte == b':') | (byte == b',') | (byte == b'['))
            & ((next == b'-') | (next.wrapping_sub(b'0') < 10));
        let escape = (byte == b'\\') & (next != b'"') & (next != b'\\');
        odd | (byte <= b' ') | number | escape
    });
    // No text of so few bytes is too deep.
    !odd && json.starts_with(b"{") && json.len() <= MAX_DEPTH
}

/// Writes members in the order in which they arrive.
#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
}

/// An object that is being written.
struct Object {
    /// True if no key has come.
    empty: bool,
    /// True if it stands for a number, see [`NUMBER`].
    number: bool,
    /// `true` if it stands for a text, see [`RAW`].
    raw: bool,
}

impl Writer {
    fn descend<E: de::Error>(&mut self) -> Result<(), E> {
        self.depth += 1;
        if self.depth > MAX_RECURSION {
            return Err(too_deep(MAX_RECURSION));
        }
        Ok(())
    }

    fn write_key(&mut self, object: &mut Object, key: &str) {
        if std::mem::take(&mut object.empty) {
            object.number = key == NUMBER && arbitrary_precision();
            object.raw = key == RAW && self.depth == 1;
            if object.raw || object.number {
                return;
            }
            self.text.push('{');
        } else {
            self.text.push(',');
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
        let mut depth = 0_usize;
        let mut rest = json;
        loop {
            let (token, after) = token(rest.trim_ascii_start()).ok_or_else(malformed)?;
            rest = after;
            match token.as_bytes().first() {
                None => return Ok(()),
                Some(b'"') => {
                    let string: String = serde_json::from_str(token).map_err(E::custom)?;
                    string::write(&mut self.text, &string);
                    continue;
                }
                Some(b'-' | b'0'..=b'9') => {
                    self.write_digits(token)?;
                    continue;
                }
                Some(b'{' | b'[') if depth >= MAX_DEPTH => return Err(too_deep(MAX_DEPTH)),
                Some(b'{' | b'[') => depth += 1,
                Some(b'}' | b']') => depth = depth.checked_sub(1).ok_or_else(malformed)?,
                Some(_) => {}
            }
            self.text.push_str(token);
        }
    }
}

fn too_deep<E: de::Error>(levels: usize) -> E {
    E::custom(format_args!("lists and objects nest deeper than {levels} levels"))
}

/// Splits off a bracket, a comma, a colon, a string or a word; the empty text at the end.
fn token(text: &str) -> Option<(&str, &str)> {
    let length = match text.as_bytes().first() {
        None => 0,
        Some(b'"') => string::end(text)?,
        Some(b'{' | b'}' | b'[' | b']' | b',' | b':') => 1,
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
        self.descend()?;
        self.text.push('[');
        let start = self.text.len();
        while items.next_element_seed(&mut *self)?.is_some() {
            self.text.push(',');
        }
        if self.text.len() > start {
            self.text.pop();
        }
        self.text.push(']');
        self.depth -= 1;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        self.descend()?;
        let mut object = Object { empty: true, number: false, raw: false };
        while let Some(()) = members.next_key_seed(Key(self, &mut object))? {
            if object.raw {
                self.text = members.next_value_seed(Raw)?;
                return Ok(());
            }
            if object.number {
                self.depth -= 1;
                let number: String = members.next_value()?;
                return self.write_digits(&number);
            }
            members.next_value_seed(&mut *self)?;
        }
        self.text.push_str(if object.empty { "{}" } else { "}" });
        self.depth -= 1;
        Ok(())
    }
}

/// Reads the text of a value.
struct Raw;

impl<'de> DeserializeSeed<'de> for Raw {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Raw {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON text")
    }

    fn visit_str<E: de::Error>(self, json: &str) -> Result<String, E> {
        of_json(json)
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
