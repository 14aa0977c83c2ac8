//! The fields of a message, as they stand in its bytes.
//!
//! **Invariant.** Nothing is allocated for a length that the bytes do not have.

use std::collections::BTreeMap;

use super::{Cause, Error, Value};
use crate::wire::ZeroValue;

/// The deepest level of nested messages.
const DEEPEST: u8 = 100;

/// The form of a value on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireType {
    /// A number of 1 to 10 bytes.
    Varint = 0,
    /// 8 bytes.
    Fixed64 = 1,
    /// A length, and that many bytes: a text, bytes, a message.
    Bytes = 2,
}

impl WireType {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Varint => "a number",
            Self::Fixed64 => "8 bytes",
            Self::Bytes => "a length and bytes",
        }
    }
}

/// The value of a field in the bytes.
#[derive(Clone, Copy)]
enum Raw<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Fixed32,
    Group,
}

impl Raw<'_> {
    const fn name(self) -> &'static str {
        match self {
            Self::Varint(_) => WireType::Varint.name(),
            Self::Fixed64(_) => WireType::Fixed64.name(),
            Self::Bytes(_) => WireType::Bytes.name(),
            Self::Fixed32 => "4 bytes",
            Self::Group => "a group",
        }
    }
}

/// One field of a message: its number, and its value in the bytes.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    number: u32,
    raw: Raw<'a>,
    /// The fields after it.
    rest: &'a [u8],
    depth: u8,
}

/// The fields of a message.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    depth: u8,
}

impl<'a> Fields<'a> {
    /// The fields of a message that no other holds.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, depth: 0 }
    }

    /// The next field, if there is one.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Field<'a>>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        // As Go: the number is 32 bits of the tag.
        #[allow(clippy::cast_possible_truncation, reason = "see above")]
        let number = (tag >> 3) as u32;
        if tag & 7 == 4 {
            return Err(Cause::EndOfGroup.into());
        }
        if number == 0 || number > i32::MAX.cast_unsigned() {
            return Err(Cause::FieldNumber.into());
        }
        let raw = self.raw(tag)?;
        Ok(Some(Field { number, raw, rest: self.rest, depth: self.depth }))
    }

    /// The value after a tag.
    #[inline]
    fn raw(&mut self, tag: u64) -> Result<Raw<'a>, Cause> {
        Ok(match tag & 7 {
            0 => Raw::Varint(self.varint()?),
            1 => Raw::Fixed64(self.array()?),
            2 => {
                let length = self.varint()?;
                Raw::Bytes(self.bytes(length)?)
            }
            3 => self.group().map(|()| Raw::Group)?,
            5 => self.array::<4>().map(|_| Raw::Fixed32)?,
            other => return Err(Cause::UnknownWireType(u8::try_from(other).unwrap_or_default())),
        })
    }

    /// Skips a group: the fields up to its end. Groups in it need no recursion.
    fn group(&mut self) -> Result<(), Cause> {
        let mut open = 1_u64;
        while open > 0 {
            match self.varint()? {
                tag if tag & 7 == 3 => open += 1,
                tag if tag & 7 == 4 => open -= 1,
                tag => drop(self.raw(tag)?),
            }
        }
        Ok(())
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, Cause> {
        match self.rest {
            [byte @ ..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(*byte))
            }
            [first, second @ ..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(first & 0x7f) | u64::from(*second) << 7)
            }
            _ => self.long_varint(),
        }
    }

    /// A number of more than two bytes. As Go, this takes any number with up to 10 bytes, and drops the bits above 64.
    fn long_varint(&mut self) -> Result<u64, Cause> {
        let mut value = 0;
        for (index, byte) in self.rest.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            if *byte < 0x80 {
                self.rest = self.rest.get(index + 1..).unwrap_or_default();
                return Ok(value);
            }
        }
        Err(if self.rest.len() < 10 { Cause::Truncated } else { Cause::LongNumber })
    }

    #[inline]
    fn bytes(&mut self, length: u64) -> Result<&'a [u8], Cause> {
        let length = usize::try_from(length).ok();
        let split = length.and_then(|length| self.rest.split_at_checked(length));
        let (bytes, rest) = split.ok_or(Cause::Truncated)?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Cause> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Cause::Truncated)?;
        self.rest = rest;
        Ok(*bytes)
    }

    /// The next value of a list of numbers that has one length for all.
    fn packed(&mut self, wire: WireType) -> Result<Option<Field<'a>>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let raw = self.raw(wire as u64)?;
        Ok(Some(Field { number: 0, raw, rest: self.rest, depth: self.depth }))
    }
}

/// How generated code reads a field. Each function is for one way in which a Go type holds values.
impl<'a> Field<'a> {
    /// The number.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline]
    pub fn value<T: Value>(self, into: &mut T) -> Result<(), Error> {
        into.merge(self)
    }

    /// Reads what is a pointer in Go: an empty or zero value is a value.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline]
    pub fn pointer<T: Value + ZeroValue>(self, into: &mut Option<T>) -> Result<(), Error> {
        into.get_or_insert_with(T::zero_value).merge(self)
    }

    /// Reads what is not a pointer in Go, and is an `Option` here: an empty or zero value is absent.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline]
    pub fn unless_zero<T>(self, into: &mut Option<T>) -> Result<(), Error>
    where
        T: Value + ZeroValue + PartialEq,
    {
        let mut value = into.take().unwrap_or_else(T::zero_value);
        value.merge(self)?;
        if value != T::zero_value() {
            *into = Some(value);
        }
        Ok(())
    }

    /// Reads an item of a list.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    #[inline]
    pub fn list<T: Value + ZeroValue>(self, into: &mut Vec<T>) -> Result<(), Error> {
        match (T::WIRE, self.raw) {
            (WireType::Bytes, _) | (_, Raw::Varint(_) | Raw::Fixed64(_)) => self.item(into),
            // Proto3 packs numbers, and Go reads them, although it writes one field for each.
            (wire, Raw::Bytes(bytes)) => {
                let mut numbers = Fields { rest: bytes, depth: self.depth };
                while let Some(number) = numbers.packed(wire)? {
                    number.item(into)?;
                }
                Ok(())
            }
            (wire, _) => Err(self.unlike(wire)),
        }
    }

    #[inline]
    fn item<T: Value + ZeroValue>(self, into: &mut Vec<T>) -> Result<(), Error> {
        if into.is_empty() {
            // Most lists stand in one piece: their memory is as large as they are.
            into.reserve_exact(1 + self.following());
        }
        into.push(T::zero_value());
        let index = into.len() - 1;
        let Some(item) = into.last_mut() else { return Ok(()) };
        item.merge(self).map_err(|error| error.at(index))
    }

    /// The number of fields that follow with the same number.
    fn following(self) -> usize {
        let mut fields = Fields { rest: self.rest, depth: self.depth };
        let mut count = 0;
        while let Ok(Some(Field { number, .. })) = fields.next() {
            if number != self.number {
                break;
            }
            count += 1;
        }
        count
    }

    /// Reads an entry of a map: a message of a key, 1, and a value, 2. Of equal keys, the last one counts.
    ///
    /// # Errors
    ///
    /// The key is not a text, or the value is not a `T`.
    pub fn map<T: Value + ZeroValue>(self, into: &mut BTreeMap<String, T>) -> Result<(), Error> {
        let (mut key, mut value) = (String::new(), T::zero_value());
        let mut fields = self.message()?;
        while let Some(field) = fields.next()? {
            match field.number {
                1 => field.value(&mut key)?,
                2 => field.value(&mut value)?,
                _ => {}
            }
        }
        into.insert(key, value);
        Ok(())
    }

    /// The fields of the message that is the value.
    #[inline]
    pub(super) fn message(self) -> Result<Fields<'a>, Error> {
        let rest = self.bytes()?;
        if self.depth >= DEEPEST {
            return Err(Cause::TooDeep { limit: DEEPEST }.into());
        }
        Ok(Fields { rest, depth: self.depth + 1 })
    }

    /// The value as a number.
    ///
    /// # Errors
    ///
    /// It is not a number.
    #[inline]
    pub fn varint(self) -> Result<u64, Error> {
        match self.raw {
            Raw::Varint(number) => Ok(number),
            _ => Err(self.unlike(WireType::Varint)),
        }
    }

    /// The value as 8 bytes.
    ///
    /// # Errors
    ///
    /// It has another length.
    #[inline]
    pub fn fixed64(self) -> Result<[u8; 8], Error> {
        match self.raw {
            Raw::Fixed64(bytes) => Ok(bytes),
            _ => Err(self.unlike(WireType::Fixed64)),
        }
    }

    /// The value as bytes.
    ///
    /// # Errors
    ///
    /// It has no length.
    #[inline]
    pub fn bytes(self) -> Result<&'a [u8], Error> {
        match self.raw {
            Raw::Bytes(bytes) => Ok(bytes),
            _ => Err(self.unlike(WireType::Bytes)),
        }
    }

    /// The value as text.
    ///
    /// # Errors
    ///
    /// It is not UTF-8.
    #[inline]
    pub fn text(self) -> Result<&'a str, Error> {
        str::from_utf8(self.bytes()?).map_err(|_| Cause::NotUtf8.into())
    }

    #[cold]
    fn unlike(self, expected: WireType) -> Error {
        Cause::WireType { expected: expected.name(), found: self.raw.name() }.into()
    }
}
