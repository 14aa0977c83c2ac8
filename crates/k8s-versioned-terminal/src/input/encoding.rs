//! Bytes as text.

use std::char::{DecodeUtf16Error, decode_utf16};

use thiserror::Error;

/// The reason why bytes are not text.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum NotText {
    /// A compressed file.
    #[error("it is compressed by {0}: unpack it first, for example with `{1}`")]
    Compressed(&'static str, &'static str),
    /// An object that an API server encrypted.
    #[error("encrypted, as an API server stores it: read the object from the server")]
    Encrypted,
    /// Another binary file, such as a picture or a program.
    #[error("it is a binary file, not text: the byte at offset {0} is 0")]
    Binary(usize),
    /// Bytes that are not UTF-8.
    #[error("not UTF-8: the byte at offset {0} begins no character")]
    Utf8(usize),
    /// Units that are not UTF-16.
    #[error("not UTF-16: {0}")]
    Utf16(DecodeUtf16Error),
    /// Half a unit of UTF-16 at the end.
    #[error("not UTF-16: the number of bytes is odd")]
    OddLength,
}

/// The first bytes of a file that is compressed by gzip.
pub(super) const GZIP: &[u8] = b"\x1f\x8b";

/// The first bytes of compressed files, the programs that write them, and commands that unpack them.
const COMPRESSED: [(&[u8], &str, &str); 5] = [
    // What is packed once is unpacked.
    (GZIP, "gzip", "gzip -dc"),
    (b"PK\x03\x04", "zip", "unzip -p"),
    (b"\xfd7zXZ\0", "xz", "xz -dc"),
    (b"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"),
    (b"BZh", "bzip2", "bzip2 -dc"),
];

/// How the bytes of a file are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    /// UTF-16, little-endian, after a mark of this many bytes.
    Utf16Little(usize),
    /// UTF-16 with the higher byte first, after so many bytes of a mark.
    Utf16Big(usize),
}

impl Encoding {
    /// The encoding of a text with this beginning. Without a byte order mark, a zero byte in its first character means UTF-16: YAML
    /// and JSON begin with an ASCII character.
    ///
    /// # Errors
    /// It is the beginning of a file that is not text.
    pub(super) fn detect(head: &[u8]) -> Result<Self, NotText> {
        if let Some((_, by, unpack)) = COMPRESSED.iter().find(|format| head.starts_with(format.0)) {
            return Err(NotText::Compressed(by, unpack));
        }
        if head.starts_with(b"k8s:enc:") {
            return Err(NotText::Encrypted);
        }
        let encoding = match *head {
            [0xfe, 0xff, ..] => Self::Utf16Big(2),
            [0xff, 0xfe, ..] => Self::Utf16Little(2),
            [0, 1..=0x7f, 0, ..] | [0, 1..=0x7f] => Self::Utf16Big(0),
            [1..=0x7f, 0, 1..=0x7f, ..] | [1..=0x7f, 0] => Self::Utf16Little(0),
            _ => Self::Utf8,
        };
        let zero = head.iter().position(|byte| *byte == 0);
        match zero.filter(|_| encoding == Self::Utf8) {
            Some(offset) => Err(NotText::Binary(offset)),
            None => Ok(encoding),
        }
    }

    /// The text of bytes in this encoding.
    ///
    /// # Errors
    /// They are not in this encoding.
    pub(super) fn decode(self, bytes: Vec<u8>) -> Result<String, NotText> {
        let (unit, mark): (fn([u8; 2]) -> u16, _) = match self {
            Self::Utf8 => return utf8(bytes, 0),
            Self::Utf16Little(mark) => (u16::from_le_bytes, mark),
            Self::Utf16Big(mark) => (u16::from_be_bytes, mark),
        };
        let (units, []) = bytes.get(mark..).unwrap_or_default().as_chunks() else {
            return Err(NotText::OddLength);
        };
        let units = units.iter().map(|bytes| unit(*bytes));
        decode_utf16(units).collect::<Result<String, _>>().map_err(NotText::Utf16)
    }
}

/// A part of a text in UTF-8, which begins at this offset of the file.
pub(super) fn utf8(bytes: Vec<u8>, offset: usize) -> Result<String, NotText> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let zero = error.as_bytes().iter().position(|byte| *byte == 0);
        zero.map_or(NotText::Utf8(offset + at), |zero| NotText::Binary(offset + zero))
    })
}

#[cfg(test)]
mod tests {
    use super::{Encoding, NotText};

    const TEXT: &str = "{\"a\": \"é😀\"}";

    fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
        Encoding::detect(&bytes)?.decode(bytes)
    }

    fn utf16(unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        TEXT.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf_8_and_utf_16_are_read() {
        let (little, big) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
        let table = [
            TEXT.as_bytes().to_vec(),
            [b"\xff\xfe", little.as_slice()].concat(),
            [b"\xfe\xff", big.as_slice()].concat(),
            little,
            big,
        ];
        for bytes in table {
            assert_eq!(decode(bytes.clone()).as_deref(), Ok(TEXT), "{bytes:x?}");
        }
        assert_eq!(decode(Vec::new()).as_deref(), Ok(""));
    }

    #[test]
    fn a_binary_file_is_called_one() {
        for bytes in
            [&b"\x7fELF\x02\x01\x01\0\0"[..], b"\x89PNG\r\n\x1a\n\0\0", b"\0\0\0\0", b"a: \xff\0"]
        {
            let error = decode(bytes.to_vec()).unwrap_err();
            assert!(matches!(error, NotText::Binary(_)), "{bytes:?}: {error}");
        }
        assert_eq!(decode(b"a: \xff".to_vec()), Err(NotText::Utf8(3)));
    }
}
