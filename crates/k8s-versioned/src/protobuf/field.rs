//! The fields of a message, as its bytes have them.
//!
//! **Invariant.** Nothing is allocated for a length that the bytes do not have.

use std::fmt;

use super::{Error, ProtobufCause};

/// The deepest level of nested messages.
const DEEPEST: u8 = 100;

/// The wire types that no Go type has, and that are skipped.
const GROUP: u64 = 3;
const END_OF_GROUP: u64 = 4;
const FIXED32: u64 = 5;

/// The bits that are clear in the usual first byte of a field: only numbers above 15, and wire types other than numbers and
/// bytes, set them. Hot path, row `decode as protobuf` of the benches.
const NOT_USUAL: u8 = 0x85;

const fn name(wire_type: u64) -> &'static str {
    match wire_type {
        0 => "a number",
        1 => "8 bytes",
        2 => "a length and bytes",
        GROUP => "a group",
        FIXED32 => "4 bytes",
        _ => "an unknown wire type",
    }
}

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
    const fn name(self) -> &'static str {
        name(self as u64)
    }
}

/// The fields of a message.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) rest: &'a [u8],
    pub(super) depth: u8,
}

/// One field of a message. Its number was read; its value must be read, or skipped.
pub struct Field<'r, 'a> {
    pub(super) tag: u64,
    pub(super) fields: &'r mut Fields<'a>,
}

impl fmt::Debug for Field<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut field = f.debug_struct("Field");
        field
            .field("number", &self.number())
            .field("wire", &name(self.tag & 7))
            .finish_non_exhaustive()
    }
}

impl<'a> Fields<'a> {
    /// The fields of a message that no other holds.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, depth: 0 }
    }

    /// The bytes of the fields that are not read yet.
    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next field, if there is one.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Field<'_, 'a>>, Error> {
        let tag = match self.rest {
            [] => return Ok(None),
            [tag, rest @ ..] if tag & NOT_USUAL == 0 => {
                self.rest = rest;
                u64::from(*tag)
            }
            _ => self.other_tag()?,
        };
        Ok(Some(Field { tag, fields: self }))
    }

    fn other_tag(&mut self) -> Result<u64, Error> {
        let tag = self.varint()?;
        if tag & 7 == END_OF_GROUP {
            return Err(ProtobufCause::EndOfGroup.into());
        }
        if number(tag).cast_signed() <= 0 {
            return Err(ProtobufCause::FieldNumber.into());
        }
        Ok(tag)
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64, Error> {
        match self.rest {
            [byte @ ..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(*byte))
            }
            [first, second @ ..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok(seven_bits([*first, *second]))
            }
            _ => self.long_varint(),
        }
    }

    /// A number of more than two bytes. As Go, this takes any number with up to 10 bytes, and drops the bits above 64.
    #[cold]
    fn long_varint(&mut self) -> Result<u64, Error> {
        let mut value = 0;
        for (index, byte) in self.rest.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            if *byte < 0x80 {
                self.rest = self.rest.get(index + 1..).unwrap_or_default();
                return Ok(value);
            }
        }
        Err(if self.rest.len() < 10 { ProtobufCause::Truncated } else { ProtobufCause::LongNumber }
            .into())
    }

    /// A length, and that many bytes.
    #[inline]
    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Error> {
        // Most texts are shorter than 128 bytes. Hot path, row `decode as protobuf` of the benches.
        if let [length @ ..=0x7f, rest @ ..] = self.rest
            && let Some((bytes, rest)) = rest.split_at_checked(usize::from(*length))
        {
            self.rest = rest;
            return Ok(bytes);
        }
        self.many_bytes()
    }

    /// A length of any size, and that many bytes.
    #[inline(never)]
    fn many_bytes(&mut self) -> Result<&'a [u8], Error> {
        let length = usize::try_from(self.varint()?).ok();
        let split = length.and_then(|length| self.rest.split_at_checked(length));
        let (bytes, rest) = split.ok_or(ProtobufCause::Truncated)?;
        self.rest = rest;
        Ok(bytes)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or_else(truncated)?;
        self.rest = rest;
        Ok(*bytes)
    }

    /// Skips the value after a tag. Groups in groups need no recursion.
    pub(super) fn skip(&mut self, mut tag: u64) -> Result<(), Error> {
        // No message knows the number 0, so it is enough to look for it here.
        if number(tag) == 0 {
            return Err(ProtobufCause::FieldNumber.into());
        }
        let mut open = 0_u64;
        loop {
            match tag & 7 {
                0 => drop(self.varint()?),
                1 => drop(self.array::<8>()?),
                2 => drop(self.bytes()?),
                GROUP => open += 1,
                END_OF_GROUP => open -= 1,
                FIXED32 => drop(self.array::<4>()?),
                other => {
                    let other = u8::try_from(other).unwrap_or_default();
                    return Err(ProtobufCause::UnknownWireType(other).into());
                }
            }
            if open == 0 {
                return Ok(());
            }
            tag = self.varint()?;
        }
    }
}

// Functions of their own, so that their callers are small enough to be inlined.

#[cold]
fn truncated() -> Error {
    ProtobufCause::Truncated.into()
}

#[cold]
fn too_deep() -> Error {
    ProtobufCause::TooDeep { limit: DEEPEST }.into()
}

#[cold]
fn unlike(tag: u64, expected: WireType) -> Error {
    ProtobufCause::WireType { expected: expected.name(), found: name(tag & 7) }.into()
}

/// The number of the field with a tag. As in Go, it is 32 bits of the tag.
#[allow(clippy::cast_possible_truncation, reason = "see above")]
const fn number(tag: u64) -> u32 {
    (tag >> 3) as u32
}

/// The number whose bits are in these bytes, seven in each, the lowest first.
#[inline]
pub(super) fn seven_bits<const COUNT: usize>(bytes: [u8; COUNT]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f))
}

impl<'r, 'a> Field<'r, 'a> {
    /// The number of the field in its message.
    #[inline]
    pub const fn number(&self) -> u32 {
        number(self.tag)
    }

    /// Skips the field.
    ///
    /// # Errors
    ///
    /// The bytes end inside of the value, or it has no known wire type.
    pub fn skip(self) -> Result<(), Error> {
        self.fields.skip(self.tag)
    }

    /// The fields of the message that is the value.
    #[inline]
    pub(super) fn message(self) -> Result<Fields<'a>, Error> {
        let depth = self.fields.depth + 1;
        let rest = self.bytes()?;
        if depth > DEEPEST { Err(too_deep()) } else { Ok(Fields { rest, depth }) }
    }

    /// The value as a number.
    ///
    /// # Errors
    ///
    /// It is not a number.
    #[inline]
    pub fn varint(self) -> Result<u64, Error> {
        self.expect(WireType::Varint)?.varint()
    }

    /// The value as 8 bytes.
    ///
    /// # Errors
    ///
    /// It has another length.
    #[inline]
    pub fn fixed64(self) -> Result<[u8; 8], Error> {
        self.expect(WireType::Fixed64)?.array()
    }

    /// The value as bytes.
    ///
    /// # Errors
    ///
    /// It has no length.
    #[inline]
    pub fn bytes(self) -> Result<&'a [u8], Error> {
        self.expect(WireType::Bytes)?.bytes()
    }

    /// The bytes that are there of a value with more bytes than that.
    #[cold]
    pub(super) fn cut_bytes(self) -> Option<&'a [u8]> {
        let fields = self.expect(WireType::Bytes).ok()?;
        let length = usize::try_from(fields.varint().ok()?).unwrap_or(usize::MAX);
        (length > fields.rest.len()).then_some(fields.rest)
    }

    /// The value as text.
    ///
    /// # Errors
    ///
    /// It is not UTF-8.
    #[inline]
    pub fn text(self) -> Result<&'a str, Error> {
        str::from_utf8(self.bytes()?).map_err(|_| ProtobufCause::NotUtf8.into())
    }

    /// The bytes from the value on, if the value has this form.
    #[inline]
    fn expect(self, expected: WireType) -> Result<&'r mut Fields<'a>, Error> {
        if self.tag & 7 == expected as u64 {
            Ok(self.fields)
        } else {
            Err(unlike(self.tag, expected))
        }
    }
}
