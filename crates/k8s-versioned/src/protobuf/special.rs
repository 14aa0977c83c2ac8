//! Hand-written types as messages: times, the fields of a manager, quantities and other values.

use jiff::SignedDuration;

use super::field::{Field, WireType};
use super::write::size_of_varint;
use super::{Cause, Error, Sink, Value};
use crate::wire::ZeroValue;
use crate::{Bytes, Duration, FieldsV1, IntOrString, MicroTime, Quantity, RawExtension, Time};

/// The microseconds of a second.
const MICROS: i64 = 1_000_000;

/// Reads the seconds and nanoseconds of a time; `None` for an empty message, the zero time of Go. As in Go, a time that
/// occurs twice is not merged.
fn read_time(field: Field<'_, '_>) -> Result<Option<(i64, i32)>, Error> {
    let mut fields = field.message()?;
    if fields.is_empty() {
        return Ok(None);
    }
    let in_seconds = |error: Error| error.inside("seconds");
    let in_nanos = |error: Error| error.inside("nanos");
    // Go writes both, in this order.
    let mut seconds = fields.varint_of(1).map_err(in_seconds)?;
    let mut nanos = fields.varint_of(2).map_err(in_nanos)?;
    while let Some(field) = fields.next()? {
        match field.number() {
            1 => seconds = field.varint().map_err(in_seconds)?,
            2 => nanos = field.varint().map_err(in_nanos)?,
            _ => field.skip()?,
        }
    }
    #[allow(clippy::cast_possible_truncation, reason = "as Go, this keeps the low 32 bits")]
    let nanos = nanos as u32;
    Ok(Some((seconds.cast_signed(), nanos.cast_signed())))
}

/// Writes a time; the zero time is an empty message.
fn write_time(seconds: i64, nanos: i32, is_zero: bool, to: &mut impl Sink) {
    if is_zero {
        return to.varint(0);
    }
    let numbers = [seconds, i64::from(nanos)];
    let sizes = numbers.map(|number| 1 + size_of_varint(number.cast_unsigned()));
    to.varint(sizes.iter().sum::<usize>() as u64);
    to.value(1, &seconds);
    to.value(2, &nanos);
}

/// Digits after the microseconds are cut, as Go cuts them.
impl Value for MicroTime {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        Ok(match read_time(field)? {
            None => Self::zero_value(),
            Some((seconds, nanos)) => {
                let micros = i64::from(nanos / 1_000);
                let (more, micros) = (micros.div_euclid(MICROS), micros.rem_euclid(MICROS));
                let time = seconds.checked_add(more).zip(u32::try_from(micros).ok());
                let time = time.and_then(|(seconds, micros)| Self::from_unix(seconds, micros));
                time.ok_or(Cause::TimeOutOfRange)?
            }
        })
    }

    fn write(&self, to: &mut impl Sink) {
        let nanos = i32::try_from(self.subsec_microseconds() * 1_000).unwrap_or_default();
        write_time(self.unix_seconds(), nanos, *self == Self::zero_value(), to);
    }
}

/// The nanoseconds are written as 0 and ignored on reading, as in Go.
impl Value for Time {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        Ok(match read_time(field)? {
            None => Self::zero_value(),
            Some((seconds, _)) => Self::from_unix(seconds).ok_or(Cause::TimeOutOfRange)?,
        })
    }

    fn write(&self, to: &mut impl Sink) {
        write_time(self.unix_seconds(), 0, *self == Self::zero_value(), to);
    }
}

/// The text of a message that has only a text, as field 1.
fn read_raw<'a>(field: Field<'_, 'a>) -> Result<Option<&'a str>, Error> {
    let (mut text, mut fields) = (None, field.message()?);
    while let Some(field) = fields.next()? {
        match field.number() {
            1 => text = Some(field.text()?),
            _ => field.skip()?,
        }
    }
    Ok(text)
}

/// Writes a message that has only a text, as field 1.
fn write_raw(text: &str, to: &mut impl Sink) {
    to.varint((1 + size_of_varint(text.len() as u64) + text.len()) as u64);
    to.tag(1, WireType::Bytes);
    to.bytes(text.as_bytes());
}

/// A message with the JSON text as field 1, which is not there if the text is empty.
impl Value for FieldsV1 {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let text = read_raw(field).map_err(|error| error.inside("Raw"))?;
        Ok(Self::unchecked(text.unwrap_or_default()))
    }

    fn merge(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        if let Some(text) = read_raw(field).map_err(|error| error.inside("Raw"))? {
            *self = Self::unchecked(text);
        }
        Ok(())
    }

    fn write(&self, to: &mut impl Sink) {
        match self.as_json() {
            "" => to.varint(0),
            text => write_raw(text, to),
        }
    }
}

/// A message with the text as field 1. Go writes the canonical text; one that is not a quantity is written as it is.
impl Value for Quantity {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let text = read_raw(field)?.filter(|text| !text.is_empty());
        Ok(text.map_or_else(Self::default, Self::from))
    }

    fn write(&self, to: &mut impl Sink) {
        match self.parse() {
            Ok(amount) => write_raw(&amount.to_string(), to),
            Err(_) => write_raw(self.as_str(), to),
        }
    }
}

/// A message of the type, 1, the number, 2, and the text, 3. Numbers have 32 bits.
impl Value for IntOrString {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let (mut of_type, mut number, mut text) = (0_i64, 0_i32, String::new());
        let mut fields = field.message()?;
        while let Some(field) = fields.next()? {
            match field.number() {
                1 => field.value(&mut of_type)?,
                2 => field.value(&mut number)?,
                3 => field.value(&mut text)?,
                _ => field.skip()?,
            }
        }
        Ok(if of_type == 0 { number.into() } else { text.into() })
    }

    fn write(&self, to: &mut impl Sink) {
        let text = self.as_str();
        to.message(|to| {
            to.value(1, &text.is_some());
            to.value(2, &self.as_int().unwrap_or_default());
            to.tag(3, WireType::Bytes);
            to.bytes(text.unwrap_or_default().as_bytes());
        });
    }
}

/// A message of the nanoseconds, 1. A text that is not a duration is written as zero.
impl Value for Duration {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let (mut nanos, mut fields) = (0_i64, field.message()?);
        while let Some(field) = fields.next()? {
            match field.number() {
                1 => field.value(&mut nanos)?,
                _ => field.skip()?,
            }
        }
        Ok(SignedDuration::from_nanos(nanos).into())
    }

    fn write(&self, to: &mut impl Sink) {
        let nanos = self.parse().ok().and_then(|it| i64::try_from(it.as_nanos()).ok());
        to.message(|to| to.value(1, &nanos.unwrap_or_default()));
    }
}

/// A message of the JSON text, 1. A text that was read is written as it came. The text of any other value has no white space,
/// and sorted keys; for `null` there is none.
impl Value for RawExtension {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let text = read_raw(field)?.filter(|text| !text.is_empty());
        let value = text.map(Self::of_protobuf).transpose();
        Ok(value.map_err(|_| Cause::NotJson)?.unwrap_or_default())
    }

    fn write(&self, to: &mut impl Sink) {
        match self.to_protobuf() {
            None => to.varint(0),
            Some(text) => write_raw(&text, to),
        }
    }
}

impl Value for Bytes {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        Ok(field.bytes()?.into())
    }

    fn write(&self, to: &mut impl Sink) {
        to.bytes(self.as_ref());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::super::field::{Field, Fields};
    use super::super::write::write;
    use super::*;

    /// The value as field 7 of a message.
    fn written(value: &impl Value) -> Vec<u8> {
        write(|count| count.value(7, value), |buffer| buffer.value(7, value))
    }

    fn read<T: Value>(bytes: &[u8]) -> Result<T, Error> {
        let mut fields = Fields::new(bytes);
        let field: Field<'_, '_> = fields.next()?.unwrap();
        T::read(field)
    }

    fn there_and_back<T: Value + PartialEq + std::fmt::Debug>(value: &T, bytes: &[u8]) {
        assert_eq!(written(value), bytes, "{value:?}");
        assert_eq!(read::<T>(bytes).as_ref(), Ok(value));
    }

    /// Go's types have the same bytes.
    #[test]
    fn values_have_the_bytes_of_go() {
        there_and_back(&Quantity::from("500m"), b"\x3a\x06\x0a\x04500m");
        assert_eq!(written(&Quantity::from("0.5")), b"\x3a\x06\x0a\x04500m");
        there_and_back(&IntOrString::from(80), b"\x3a\x06\x08\x00\x10\x50\x1a\x00");
        there_and_back(&IntOrString::from("25%"), b"\x3a\x09\x08\x01\x10\x00\x1a\x0325%");
        there_and_back(&Duration::from("1m30s"), b"\x3a\x07\x08\x80\x88\xac\xa3\xcf\x02");
        there_and_back(&Bytes::from("\0a"), b"\x3a\x02\0a");
        there_and_back(
            &RawExtension::from(serde_json::json!({"a": 1})),
            b"\x3a\x09\x0a\x07{\"a\":1}",
        );
        there_and_back(&RawExtension::default(), b"\x3a\x00");
        // Order of keys, white space, equal keys and digits stay.
        for text in [r#"{"b":1,"a":2}"#, "{\"a\": 1}", r#"{"a":0,"a":1.50}"#, "[1e2]", "null"] {
            let length = u8::try_from(text.len()).unwrap();
            let body = [&[0x3a, length + 2, 0x0a, length], text.as_bytes()].concat();
            let extension: RawExtension = read(&body).unwrap();
            assert_eq!(written(&extension), body, "{text}");
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(extension, RawExtension::from(value));
            let fields: FieldsV1 = read(&body).unwrap();
            assert_eq!(written(&fields), body, "{text}");
        }
        let error = read::<RawExtension>(b"\x3a\x03\x0a\x01{").unwrap_err();
        assert_eq!(error.to_string(), "a text that should be JSON is not");
        assert_eq!(read::<Quantity>(b"\x3a\x00"), Ok(Quantity::default()));
    }
}
