//! Splits bytes that come in pieces into frames.

use crate::frame;
use crate::requests::BodyError;

/// The most bytes that the buffer keeps for frames to come.
const KEPT: usize = 256 << 10;

/// The bytes that have come, as frames. A frame that is too long is skipped, and never kept.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    buffer: Vec<u8>,
    /// The beginning of the next frame.
    start: usize,
    /// The bytes of a frame to skip that have not come yet.
    skipping: usize,
    limit: usize,
}

impl Frames {
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, skipping: 0, limit }
    }

    /// Adds bytes. As for lines, the waiting bytes move only when they are no more than the bytes before them.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let skipped = self.skipping.min(bytes.len());
        self.skipping -= skipped;
        if self.start > 0 && self.start >= self.buffer.len() - self.start {
            if self.buffer.capacity() > KEPT {
                self.buffer = self.rest().to_owned();
            } else {
                self.buffer.drain(..self.start);
            }
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes.get(skipped..).unwrap_or_default());
    }

    /// The next frame; `None` until more bytes have come.
    pub(super) fn next_frame(&mut self) -> Option<Result<&[u8], BodyError>> {
        let (length, rest) = self.rest().split_first_chunk()?;
        let (length, come) = (u32::from_be_bytes(*length), rest.len());
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let begin = self.start + 4;
        if length > self.limit {
            self.skipping = length.saturating_sub(come);
            self.start = begin + length.min(come);
            return Some(Err(BodyError::TooLong(self.limit)));
        }
        if length > come {
            return None;
        }
        self.start = begin + length;
        self.buffer.get(begin..self.start).map(Ok)
    }

    /// The bytes after the last frame.
    pub(super) fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Returns `true` if the bytes end with a frame. Frames that were not taken count.
    pub(super) fn is_between_frames(&self) -> bool {
        let mut rest = self.rest();
        while let Some((_, more)) = frame::split(rest) {
            rest = more;
        }
        rest.is_empty() && self.skipping == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Frames;

    /// The frames out of pieces of a size, `!` for one that is too long, and how it ends.
    fn all(bytes: &[u8], size: usize) -> String {
        let mut frames = Frames::new(4);
        let mut found = Vec::new();
        for piece in bytes.chunks(size.max(1)) {
            frames.push(piece);
            while let Some(frame) = frames.next_frame() {
                let text = frame.map(|frame| String::from_utf8_lossy(frame).into_owned());
                found.push(text.unwrap_or_else(|_| "!".to_owned()));
            }
        }
        found.push(if frames.is_between_frames() { "end" } else { "cut" }.to_owned());
        found.join(" ")
    }

    #[test]
    fn pieces_of_any_size() {
        let table: [(&[u8], &str); 7] = [
            (b"", "end"),
            (b"\0\0\0\x01a\0\0\0\x02bc", "a bc end"),
            (b"\0\0\0\0\0\0\0\x01a", " a end"),
            (b"\0\0\0\x05abcde\0\0\0\x01f", "! f end"),
            (b"\xff\xff\xff\xffabc", "! cut"),
            (b"\0\0\0\x02a", "cut"),
            (b"\0\0\0", "cut"),
        ];
        for (bytes, expected) in table {
            for size in 1..=bytes.len() + 1 {
                assert_eq!(all(bytes, size), expected, "{bytes:?} in pieces of {size}");
            }
        }
    }
}
