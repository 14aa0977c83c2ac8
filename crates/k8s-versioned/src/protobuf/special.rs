//! Hand-written types as messages: times, the fields of a manager, quantities and other values.

use jiff::SignedDuration;

use super::field::{Field, Fields, WireType, seven_bits};
use super::write::{bytes_of_varint, size_of_varint};
use super::{Error, ProtobufCause, Sink, Value};
use crate::wire::ZeroValue;
use crate::{Bytes, Duration, FieldsV1, IntOrString, MicroTime, Quantity, RawExtension, Time};

/// The microseconds of a second.
const MICROS: i64 = 1_000_000;

/// The zero time of Go, in seconds since 1970: the first instant of year 1.
const ZERO_TIME: i64 = -62_135_596_800;

/// Reads the seconds and nanoseconds of a time; an empty message is the zero time of Go. As in Go, a time that occurs twice
/// is not merged.
fn read_time(field: Field<'_, '_>) -> Result<(i64, i32), Error> {
    let fields = field.message()?;
    let numbers = match as_written(fields.rest()) {
        Some(numbers) => numbers,
        None if fields.is_empty() => return Ok((ZERO_TIME, 0)),
        None => read_numbers(fields)?,
    };
    #[allow(clippy::cast_possible_truncation, reason = "as Go, this keeps the low 32 bits")]
    let nanos = numbers.1 as u32;
    Ok((numbers.0.cast_signed(), nanos.cast_signed()))
}

/// The two numbers of a time in the form of Go: both, in this order, seconds in five bytes as from 1978 to 3058. Hot path, row
/// `decode as protobuf` of the benches.
#[allow(clippy::many_single_char_names, reason = "each is a byte of a number")]
fn as_written(time: &[u8]) -> Option<(u64, u64)> {
    let (seconds, nanos) = match *time {
        [8, a, b, c, d, e @ ..=0x7f, 0x10, ref nanos @ ..] if a & b & c & d > 0x7f => {
            (seven_bits([a, b, c, d, e]), nanos)
        }
        _ => return None,
    };
    let nanos = match *nanos {
        [nanos @ ..=0x7f] => nanos.into(),
        [a, b, c, d @ ..=0x7f] if a & b & c > 0x7f => seven_bits([a, b, c, d]),
        [a, b, c, d, e @ ..=0x7f] if a & b & c & d > 0x7f => seven_bits([a, b, c, d, e]),
        _ => return None,
    };
    Some((seconds, nanos))
}

/// The two numbers of a time in any form.
#[cold]
fn read_numbers(mut fields: Fields<'_>) -> Result<(u64, u64), Error> {
    let (mut seconds, mut nanos) = (0, 0);
    while let Some(field) = fields.next()? {
        match field.number() {
            1 => seconds = field.varint().map_err(|error| error.inside("seconds"))?,
            2 => nanos = field.varint().map_err(|error| error.inside("nanos"))?,
            _ => field.skip()?,
        }
    }
    Ok((seconds, nanos))
}

/// Writes a time; the zero time is an empty message.
#[allow(clippy::many_single_char_names, reason = "each is a byte of a number")]
fn write_time(seconds: i64, nanos: i32, is_zero: bool, to: &mut impl Sink) {
    if is_zero {
        return to.varint(0);
    }
    let (seconds, nanos) = (seconds.cast_unsigned(), i64::from(nanos).cast_unsigned());
    to.varint((2 + size_of_varint(seconds) + size_of_varint(nanos)) as u64);
    if size_of_varint(seconds) == 5 {
        // The times from 1978 to 3058 have this form. Hot path, row `encode as protobuf` of the benches.
        let [a, b, c, d, e] = bytes_of_varint(seconds);
        to.append(&[0x08, a, b, c, d, e, 0x10]);
    } else {
        to.tag(1, WireType::Varint);
        to.varint(seconds);
        to.tag(2, WireType::Varint);
    }
    to.varint(nanos);
}

/// The time of seconds and microseconds that are a second or more, or negative.
#[cold]
fn far(seconds: i64, micros: i32) -> Option<MicroTime> {
    let micros = i64::from(micros);
    let (more, micros) = (micros.div_euclid(MICROS), micros.rem_euclid(MICROS));
    MicroTime::from_unix(seconds.checked_add(more)?, u32::try_from(micros).ok()?)
}

/// Digits after the microseconds are cut, as Go cuts them.
impl Value for MicroTime {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let (seconds, nanos) = read_time(field)?;
        // Negative nanoseconds are rare. Hot path, row `decode as protobuf` of the benches.
        let time = match u32::try_from(nanos / 1_000) {
            Ok(micros) if micros < 1_000_000 => Self::from_unix(seconds, micros),
            _ => far(seconds, nanos / 1_000),
        };
        time.ok_or_else(|| ProtobufCause::TimeOutOfRange.into())
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
        let (seconds, _) = read_time(field)?;
        Self::from_unix(seconds).ok_or_else(|| ProtobufCause::TimeOutOfRange.into())
    }

    fn write(&self, to: &mut impl Sink) {
        write_time(self.unix_seconds(), 0, *self == Self::zero_value(), to);
    }
}

/// The text, or the bytes, of a message whose only field is field 1.
fn read_raw<'a, T>(
    field: Field<'_, 'a>,
    read: impl Fn(Field<'_, 'a>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let (mut text, mut fields) = (None, field.message()?);
    while let Some(field) = fields.next()? {
        match field.number() {
            1 => text = Some(read(field)?),
            _ => field.skip()?,
        }
    }
    Ok(text)
}

/// As [`Field::text`], for a field of any reader.
fn text<'a>(field: Field<'_, 'a>) -> Result<&'a str, Error> {
    field.text()
}

/// As [`Field::bytes`], for a field of any reader.
fn bytes<'a>(field: Field<'_, 'a>) -> Result<&'a [u8], Error> {
    field.bytes()
}

/// Writes a message that has only bytes, as field 1.
fn write_raw(bytes: &[u8], to: &mut impl Sink) {
    to.varint((1 + size_of_varint(bytes.len() as u64) + bytes.len()) as u64);
    to.tag(1, WireType::Bytes);
    to.bytes(bytes);
}

/// The text of [`FieldsV1`]. One that was read before needs no check.
fn unchecked(field: Field<'_, '_>) -> Result<FieldsV1, Error> {
    FieldsV1::unchecked(field.bytes()?).map_err(|_| ProtobufCause::NotUtf8.into())
}

/// A message with the JSON text as field 1, which is not there if the text is empty.
impl Value for FieldsV1 {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let fields = read_raw(field, unchecked).map_err(|error| error.inside("Raw"))?;
        fields.map_or_else(|| Self::unchecked(&[]).map_err(|_| ProtobufCause::NotUtf8.into()), Ok)
    }

    fn merge(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        if let Some(fields) = read_raw(field, unchecked).map_err(|error| error.inside("Raw"))? {
            *self = fields;
        }
        Ok(())
    }

    fn write(&self, to: &mut impl Sink) {
        match self.as_json() {
            "" => to.varint(0),
            text => write_raw(text.as_bytes(), to),
        }
    }
}

/// A message with the text as field 1. Go writes the canonical text. A text that is not a quantity is written as it is.
impl Value for Quantity {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let text = read_raw(field, text)?.filter(|text| !text.is_empty());
        Ok(text.map_or_else(Self::default, Self::from))
    }

    fn write(&self, to: &mut impl Sink) {
        match self.parse() {
            Ok(amount) => write_raw(amount.to_string().as_bytes(), to),
            Err(_) => write_raw(self.as_str().as_bytes(), to),
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
        let nanos = self.parse().ok().and_then(|duration| i64::try_from(duration.as_nanos()).ok());
        to.message(|to| to.value(1, &nanos.unwrap_or_default()));
    }
}

/// A message with the JSON text as field 1, or other bytes. What was read is written as it came. The text of any other value has no white
/// space, and sorted keys; for `null` there is none.
impl Value for RawExtension {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let bytes = read_raw(field, bytes)?;
        Ok(bytes.map(Self::of_protobuf).unwrap_or_default())
    }

    fn write(&self, to: &mut impl Sink) {
        match self.to_protobuf() {
            None => to.varint(0),
            Some(bytes) => write_raw(&bytes, to),
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

    fn varint(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number > 0x7f {
            bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
            number >>= 7;
        }
        bytes.push(u8::try_from(number).unwrap());
        bytes
    }

    /// Times with numbers of any length, as Go writes them and in other forms, are the same.
    #[test]
    fn times_have_several_forms() {
        let seconds = [0, 127, (1 << 28) - 1, 1 << 28, 1_780_000_000, (1 << 35) - 1, 1 << 35, -1];
        for (seconds, micros) in seconds.into_iter().flat_map(|seconds| {
            [0, 1, 200, 3_000, 200_000, 300_000, 999_999].map(|micros| (seconds, micros))
        }) {
            let time = MicroTime::from_unix(seconds, micros).unwrap();
            let first = [vec![8], varint(seconds.cast_unsigned())].concat();
            let second = [vec![0x10], varint(u64::from(micros) * 1_000)].concat();
            let field =
                |message: &[u8]| [&[0x3a, u8::try_from(message.len()).unwrap()], message].concat();
            there_and_back(&time, &field(&[&*first, &second].concat()));
            let whole = Time::from_unix(seconds).unwrap();
            there_and_back(&whole, &field(&[&*first, &[0x10, 0]].concat()));
            // The same number with a byte more.
            let (last, start) = second.split_last().unwrap();
            let longer = [start, &[last | 0x80, 0]].concat();
            for other in [
                [&*second, &first].concat(),
                [&*first, &longer].concat(),
                [&*first, &second, b"\x1a\x01a"].concat(),
                [b"\x1a\x01a", &*first, &second].concat(),
                [&first, &*first, &second].concat(),
            ] {
                assert_eq!(read(&field(&other)), Ok(time), "{other:?}");
                assert_eq!(read(&field(&other)), Ok(whole), "{other:?}");
            }
            assert_eq!(read(&field(&first)), Ok(whole));
            assert_eq!(read(&field(&second)), Ok(MicroTime::from_unix(0, micros).unwrap()));
        }
        // Negative nanoseconds, and a second or more of them.
        let first = [vec![8], varint(1_780_000_000)].concat();
        for (nanos, expected) in
            [(-1_000, (1_779_999_999, 999_999)), (2_000_001_000, (1_780_000_002, 1))]
        {
            let message = [&*first, &[0x10], &varint(i64::cast_unsigned(nanos))].concat();
            let body = [&[0x3a, u8::try_from(message.len()).unwrap()], &*message].concat();
            assert_eq!(read(&body), Ok(MicroTime::from_unix(expected.0, expected.1).unwrap()));
        }
        let error =
            read::<MicroTime>(b"\x3a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x10").unwrap_err();
        assert_eq!(error.to_string(), "nanos: the bytes end inside of a value");
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
        assert_eq!(read::<Quantity>(b"\x3a\x00"), Ok(Quantity::default()));
    }

    /// Clients and servers in Go copy such bytes, and fail when they encode them as JSON.
    #[test]
    fn bytes_that_are_not_json_are_kept() {
        for bytes in [
            b"k8s\0\x0a\x00",
            b"".as_slice(),
            b"{",
            b"\xd9\xd9\xf7\xa0",
            b"\"\xff\"",
            b"\"\\ud800\"",
        ] {
            let length = u8::try_from(bytes.len()).unwrap();
            let body = [&[0x3a, length + 2, 0x0a, length], bytes].concat();
            let extension: RawExtension = read(&body).unwrap();
            assert_eq!(extension.not_json(), Some(bytes));
            there_and_back(&extension, &body);
            assert_ne!(extension, RawExtension::default());
            let message =
                format!("a value came from a protobuf body as {length} bytes that are not JSON");
            assert_eq!(serde_json::to_value(&extension).unwrap_err().to_string(), message);
            assert_eq!(extension.decode::<()>().unwrap_err().to_string(), message);
        }
    }
}
