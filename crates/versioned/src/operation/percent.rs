//! Percent-encoding (RFC 3986).

use std::fmt::{self, Write};

/// A text of which only what RFC 3986 calls unreserved stands for itself. So it can be a segment of a path, or
/// a name or value of a query, whatever it holds.
pub(super) struct Encoded<'a>(pub(super) &'a str);

impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
                f.write_char(char::from(byte))?;
            } else {
                write!(f, "%{byte:02X}")?;
            }
        }
        Ok(())
    }
}

/// The text that `encoded` stands for. Nothing if a `%` is not followed by two digits, or if the bytes are not
/// UTF-8.
pub(super) fn decode(encoded: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            decoded.push(high * 16 + low);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Encoded, decode};

    #[test]
    fn what_has_a_meaning_in_urls_is_encoded() {
        let table = [
            ("", ""),
            ("lease-1.a_b~", "lease-1.a_b~"),
            ("a/b?c#d%e", "a%2Fb%3Fc%23d%25e"),
            ("a b+c", "a%20b%2Bc"),
            ("k=v,k!=v&x", "k%3Dv%2Ck%21%3Dv%26x"),
            ("ä", "%C3%A4"),
            ("\r\n\0", "%0D%0A%00"),
        ];
        for (text, expected) in table {
            assert_eq!(Encoded(text).to_string(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_encoded_text_is_noticed() {
        for text in ["%", "%4", "%4g", "%+1", "a%", "%FF", "%C3"] {
            assert_eq!(decode(text), None, "{text}");
        }
        assert_eq!(decode("%c3%A4"), Some("ä".to_owned()));
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(text: String) {
            let encoded = Encoded(&text).to_string();
            prop_assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
            prop_assert_eq!(decode(&encoded), Some(text));
        }
    }
}
