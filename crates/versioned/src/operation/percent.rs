//! Percent-encoding (RFC 3986).

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, PercentEncode, percent_decode_str, utf8_percent_encode,
};

/// All but what RFC 3986 calls unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The text as a segment of a path, or as a name or value of a query, whatever it holds.
pub(super) fn encode(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, RESERVED)
}

/// The text that `encoded` stands for. Nothing if a `%` is not followed by two digits, or if the bytes are not
/// UTF-8.
pub(super) fn decode(encoded: &str) -> Option<String> {
    // The library takes a `%` without digits for itself.
    let is_byte = |rest: &str| match rest.as_bytes() {
        [high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        _ => false,
    };
    if !encoded.split('%').skip(1).all(is_byte) {
        return None;
    }
    let decoded = percent_decode_str(encoded).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{decode, encode};

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
            assert_eq!(encode(text).to_string(), expected, "{text:?}");
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
            let encoded = encode(&text).to_string();
            prop_assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
            prop_assert_eq!(decode(&encoded), Some(text));
        }
    }
}
