//! Bytes as text.

use std::char::{DecodeUtf16Error, decode_utf16};

use thiserror::Error;

/// The reason why bytes are not text.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum NotText {
    #[error("it is compressed by gzip: unpack it first, for example with `gzip -dc`")]
    Gzip,
    #[error("not UTF-8: the byte at offset {0} begins no character")]
    Utf8(usize),
    #[error("not UTF-16: {0}")]
    Utf16(DecodeUtf16Error),
    #[error("not UTF-16: the number of bytes is odd")]
    OddLength,
}

/// Text in UTF-8 or UTF-16, with or without a byte order mark. Without one, a zero byte in its first character
/// means UTF-16: YAML and JSON begin with an ASCII character.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    match *bytes.as_slice() {
        [0x1f, 0x8b, ..] => Err(NotText::Gzip),
        [0xef, 0xbb, 0xbf, ref text @ ..] => utf8(text.to_vec()),
        [0xfe, 0xff, ref units @ ..] => utf16(units, u16::from_be_bytes),
        [0xff, 0xfe, ref units @ ..] => utf16(units, u16::from_le_bytes),
        [0, 1..=0xff, ..] => utf16(&bytes, u16::from_be_bytes),
        [1..=0xff, 0, ..] => utf16(&bytes, u16::from_le_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, NotText> {
    String::from_utf8(bytes).map_err(|error| NotText::Utf8(error.utf8_error().valid_up_to()))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, NotText> {
    let (units, []) = bytes.as_chunks() else {
        return Err(NotText::OddLength);
    };
    let units = units.iter().map(|bytes| unit(*bytes));
    decode_utf16(units).collect::<Result<String, _>>().map_err(NotText::Utf16)
}

#[cfg(test)]
mod tests {
    use super::decode;

    const TEXT: &str = "{\"a\": \"é😀\"}";

    fn utf16(unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        TEXT.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf_8_and_utf_16_are_read() {
        let little = utf16(u16::to_le_bytes);
        let big = utf16(u16::to_be_bytes);
        let table = [
            TEXT.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", TEXT.as_bytes()].concat(),
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
}
