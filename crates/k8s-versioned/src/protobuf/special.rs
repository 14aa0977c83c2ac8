//! Hand-written types as messages: times, and the fields of a manager.

use super::field::{Field, WireType};
use super::{Cause, Error, Sink, Value};
use crate::wire::ZeroValue;
use crate::{FieldsV1, MicroTime, Time};

/// The microseconds of a second.
const MICROS: i64 = 1_000_000;

/// Reads the seconds and nanoseconds of a time; `None` for an empty message, the zero time of Go. As in Go, a time that
/// occurs twice is not merged.
fn read_time(field: Field<'_, '_>) -> Result<Option<(i64, i32)>, Error> {
    let mut fields = field.message()?;
    if fields.is_empty() {
        return Ok(None);
    }
    let (mut seconds, mut nanos) = (0, 0);
    while let Some(field) = fields.next()? {
        match field.number() {
            1 => field.value(&mut seconds).map_err(|error| error.inside("seconds"))?,
            2 => field.value(&mut nanos).map_err(|error| error.inside("nanos"))?,
            _ => field.skip()?,
        }
    }
    Ok(Some((seconds, nanos)))
}

/// Writes a time; the zero time is an empty message.
fn write_time(seconds: i64, nanos: i32, is_zero: bool, to: &mut impl Sink) {
    let before = to.written();
    if !is_zero {
        to.value(2, &nanos);
        to.value(1, &seconds);
    }
    to.length_since(before);
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

/// The JSON text in the fields of a manager, if it is there.
fn read_raw<'a>(field: Field<'_, 'a>) -> Result<Option<&'a str>, Error> {
    let (mut text, mut fields) = (None, field.message()?);
    while let Some(field) = fields.next()? {
        match field.number() {
            1 => text = Some(field.text().map_err(|error| error.inside("Raw"))?),
            _ => field.skip()?,
        }
    }
    Ok(text)
}

/// A message with the JSON text as field 1, which is not there if the text is empty.
impl Value for FieldsV1 {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        Ok(Self::unchecked(read_raw(field)?.unwrap_or_default()))
    }

    fn merge(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        if let Some(text) = read_raw(field)? {
            *self = Self::unchecked(text);
        }
        Ok(())
    }

    fn write(&self, to: &mut impl Sink) {
        let before = to.written();
        if !self.as_json().is_empty() {
            to.bytes(self.as_json().as_bytes());
            to.tag(1, WireType::Bytes);
        }
        to.length_since(before);
    }
}
