//! Messages, written twice: first their bytes are counted, so that the length of each message is known when it is written.

use std::collections::BTreeMap;

use super::{Value, WireType};
use crate::wire::ZeroValue;

/// Where a message is written, in the order of the numbers of its fields.
///
/// Generated code calls the functions for fields. Each is for one way in which a Go type holds values.
pub trait Sink: Sized {
    /// Writes bytes.
    fn append(&mut self, bytes: &[u8]);

    /// Writes a number.
    fn varint(&mut self, number: u64);

    /// Writes the length of a message, and the fields that the function writes.
    fn message(&mut self, fields: impl FnOnce(&mut Self));

    /// Writes the length of bytes, and the bytes.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.append(bytes);
    }

    /// Writes the number of a field and its wire type.
    #[inline]
    fn tag(&mut self, number: u32, wire: WireType) {
        self.varint(u64::from(number) << 3 | wire as u64);
    }

    /// Writes a value that is not a pointer in Go: always.
    #[inline]
    fn value<T: Value>(&mut self, number: u32, value: &T) {
        self.tag(number, T::WIRE);
        value.write(self);
    }

    /// Writes what is a pointer in Go: if there is a value.
    #[inline]
    fn pointer<T: Value>(&mut self, number: u32, value: &Option<T>) {
        if let Some(value) = value {
            self.value(number, value);
        }
    }

    /// Writes what is not a pointer in Go, and is an `Option` here: always.
    #[inline]
    fn or_zero<T: Value + ZeroValue>(&mut self, number: u32, value: &Option<T>) {
        match value {
            Some(value) => self.value(number, value),
            None => self.value(number, &T::zero_value()),
        }
    }

    /// Writes a list: a field for each item.
    #[inline]
    fn list<T: Value>(&mut self, number: u32, items: &[T]) {
        for item in items {
            self.value(number, item);
        }
    }

    /// Writes a map: a message of the key, 1, and the value, 2, for each entry, in the order of the keys.
    #[inline]
    fn map<T: Value>(&mut self, number: u32, entries: &BTreeMap<String, T>) {
        for (key, value) in entries {
            self.tag(number, WireType::Bytes);
            self.message(|to| {
                to.value(1, key);
                to.value(2, value);
            });
        }
    }

    /// Writes the fields of a struct that Go embeds in another: always, also without fields.
    #[inline]
    fn embedded(&mut self, number: u32, fields: impl FnOnce(&mut Self)) {
        self.tag(number, WireType::Bytes);
        self.message(fields);
    }

    /// Writes a list that is a type of its own in Go, unless it is empty.
    fn list_message<T: Value + ZeroValue>(&mut self, number: u32, items: &Vec<T>) {
        if !items.is_empty() {
            self.value(number, items);
        }
    }
}

/// The bytes that a function writes.
pub(super) fn write(count: impl FnOnce(&mut Count), write: impl FnOnce(&mut Buffer)) -> Vec<u8> {
    let mut counted = Count::default();
    count(&mut counted);
    let bytes = Vec::with_capacity(counted.size);
    let mut buffer = Buffer { bytes, lengths: counted.lengths.into_iter() };
    write(&mut buffer);
    debug_assert_eq!(buffer.bytes.len(), counted.size);
    buffer.bytes
}

/// The number of bytes of a number.
#[inline]
pub(super) const fn size_of_varint(number: u64) -> usize {
    (70 - (number | 1).leading_zeros() as usize) / 7
}

/// The bytes of a number that has this number of bytes.
#[inline]
pub(super) fn bytes_of_varint<const SIZE: usize>(number: u64) -> [u8; SIZE] {
    std::array::from_fn(|index| {
        let more = if index + 1 < SIZE { 0x80 } else { 0 };
        low_byte(number >> (7 * index)) & 0x7f | more
    })
}

const fn low_byte(number: u64) -> u8 {
    number.to_le_bytes()[0]
}

/// The number of bytes, without the bytes.
#[derive(Default)]
pub(super) struct Count {
    size: usize,
    /// The lengths of the messages, each before those inside of it.
    lengths: Vec<usize>,
}

impl Sink for Count {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.size += bytes.len();
    }

    #[inline]
    fn varint(&mut self, number: u64) {
        self.size += size_of_varint(number);
    }

    #[inline]
    fn message(&mut self, fields: impl FnOnce(&mut Self)) {
        let (index, before) = (self.lengths.len(), self.size);
        self.lengths.push(0);
        fields(self);
        let length = self.size - before;
        if let Some(slot) = self.lengths.get_mut(index) {
            *slot = length;
        }
        self.varint(length as u64);
    }
}

/// A buffer of the counted size.
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// The lengths of the messages that are not written yet.
    lengths: std::vec::IntoIter<usize>,
}

impl Sink for Buffer {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    #[inline]
    fn varint(&mut self, number: u64) {
        if number < 0x80 {
            self.bytes.push(low_byte(number));
        } else {
            self.long_varint(number);
        }
    }

    #[inline]
    fn message(&mut self, fields: impl FnOnce(&mut Self)) {
        let length = self.lengths.next().unwrap_or_default();
        self.varint(length as u64);
        fields(self);
    }
}

impl Buffer {
    #[inline(never)]
    fn long_varint(&mut self, mut number: u64) {
        if number < 0x4000 {
            // Lengths of messages. Row: encode as protobuf.
            return self.append(&bytes_of_varint::<2>(number));
        }
        while number > 0x7f {
            self.bytes.push(low_byte(number) | 0x80);
            number >>= 7;
        }
        self.bytes.push(low_byte(number));
    }
}
