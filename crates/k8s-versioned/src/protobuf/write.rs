//! Messages, written twice: first their bytes are counted, so that the length of each message is known when it is written.

use super::Sink;

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
            // Lengths of messages. Hot path, row `encode as protobuf` of the benches.
            return self.append(&bytes_of_varint::<2>(number));
        }
        while number > 0x7f {
            self.bytes.push(low_byte(number) | 0x80);
            number >>= 7;
        }
        self.bytes.push(low_byte(number));
    }
}
