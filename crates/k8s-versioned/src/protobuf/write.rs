//! Bytes, written from the last to the first: so the length of a message is known when it is written.

use std::collections::BTreeMap;

use super::{Value, WireType};
use crate::wire::ZeroValue;

/// Where a message is written, from its last field to its first.
///
/// Generated code calls the functions for fields. Each is for one way in which a Go type holds values.
pub trait Sink: Sized {
    /// Puts bytes before those that are there.
    fn prepend(&mut self, bytes: &[u8]);

    /// Puts a number before the bytes that are there.
    fn varint(&mut self, number: u64);

    /// The number of bytes that are there.
    fn written(&self) -> usize;

    /// Puts the length of the bytes that were written since there were `before`.
    #[inline]
    fn length_since(&mut self, before: usize) {
        self.varint((self.written() - before) as u64);
    }

    /// Writes bytes and their length.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.prepend(bytes);
        self.varint(bytes.len() as u64);
    }

    /// Writes the number of a field and its wire type.
    #[inline]
    fn tag(&mut self, number: u32, wire: WireType) {
        self.varint(u64::from(number) << 3 | wire as u64);
    }

    /// Writes a value that is not a pointer in Go: always.
    #[inline]
    fn value<T: Value>(&mut self, number: u32, value: &T) {
        value.write(self);
        self.tag(number, T::WIRE);
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
        for item in items.iter().rev() {
            self.value(number, item);
        }
    }

    /// Writes a map: a message of the key, 1, and the value, 2, for each entry, in the order of the keys.
    #[inline]
    fn map<T: Value>(&mut self, number: u32, entries: &BTreeMap<String, T>) {
        for (key, value) in entries.iter().rev() {
            let before = self.written();
            self.value(2, value);
            self.value(1, key);
            self.length_since(before);
            self.tag(number, WireType::Bytes);
        }
    }

    /// Writes a list that is a type of its own in Go, unless it is empty.
    fn list_message<T: Value + ZeroValue>(&mut self, number: u32, items: &Vec<T>) {
        if !items.is_empty() {
            self.value(number, items);
        }
    }
}

/// The number of bytes, without the bytes.
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline]
    fn prepend(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }

    #[inline]
    fn varint(&mut self, number: u64) {
        self.0 += (70 - (number | 1).leading_zeros() as usize) / 7;
    }

    #[inline]
    fn written(&self) -> usize {
        self.0
    }
}

/// A buffer of the counted size.
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// The number of bytes at the front that are not written yet.
    free: usize,
}

impl Buffer {
    pub(super) fn new(size: usize) -> Self {
        Self { bytes: vec![0; size], free: size }
    }

    /// The bytes. All are written, because the same calls have counted them.
    pub(super) fn finish(self) -> Vec<u8> {
        debug_assert_eq!(self.free, 0);
        self.bytes
    }
}

impl Sink for Buffer {
    #[inline]
    fn prepend(&mut self, bytes: &[u8]) {
        let end = self.free;
        self.free = end.saturating_sub(bytes.len());
        if let Some(slot) = self.bytes.get_mut(self.free..end)
            && slot.len() == bytes.len()
        {
            slot.copy_from_slice(bytes);
        }
    }

    #[inline]
    fn varint(&mut self, mut number: u64) {
        if let Ok(byte @ ..=0x7f) = u8::try_from(number) {
            return self.prepend(&[byte]);
        }
        let mut bytes = [0; 10];
        let mut size = 0;
        for byte in &mut bytes {
            size += 1;
            *byte = (number & 0x7f) as u8;
            number >>= 7;
            if number == 0 {
                break;
            }
            *byte |= 0x80;
        }
        self.prepend(bytes.get(..size).unwrap_or_default());
    }

    #[inline]
    fn written(&self) -> usize {
        self.bytes.len() - self.free
    }
}
