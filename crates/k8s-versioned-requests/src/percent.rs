//! Percent-encoding (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// All but what RFC 3986 calls unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Any text as a segment of a path, or as a name or value of a query.
pub(super) fn encode(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, RESERVED)
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn characters_with_a_meaning_in_urls_are_encoded() {
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
}
