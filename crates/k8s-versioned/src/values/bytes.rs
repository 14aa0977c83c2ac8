//! Bytes, which JSON holds as Base64.

use std::fmt;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// The form of servers: the standard alphabet with padding. They ignore the last bits of an incomplete byte.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Bytes, which are Base64 in JSON: the content of a `Secret`, a certificate.
///
/// `Debug` shows only their number, as they are often secret.
///
/// ```
/// use k8s_versioned::Bytes;
///
/// let bytes: Bytes = serde_json::from_str(r#""aGVsbG8=""#)?;
/// assert_eq!(bytes, Bytes(b"hello".to_vec()));
/// assert_eq!(serde_json::to_string(&bytes)?, r#""aGVsbG8=""#);
/// assert_eq!(format!("{bytes:?}"), "Bytes(5 bytes)");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub Vec<u8>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_owned())
    }
}

/// The bytes of a text.
impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({} bytes)", self.0.len())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text)
    }
}

struct Text;

impl Visitor<'_> for Text {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string in Base64")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        // Servers skip line breaks. Such a text is rare.
        let decoded = if text.contains(['\r', '\n']) {
            BASE64.decode(text.replace(['\r', '\n'], ""))
        } else {
            BASE64.decode(text)
        };
        // The text itself is often secret.
        decoded.map(Bytes).map_err(|error| E::custom(format_args!("not Base64: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Bytes;

    #[test]
    fn texts_are_read_as_servers_read_them() {
        let table = [
            (r#""""#, Some("")),
            (r#""YQ==""#, Some("a")),
            (r#""YR==""#, Some("a")),
            (r#""aGVs\nbG8=\r\n""#, Some("hello")),
            (r#""YQ""#, None),
            (r#""YQ=""#, None),
            (r#""YQ== ""#, None),
            (r#""_-==""#, None),
            ("null", None),
            ("[97]", None),
        ];
        for (json, expected) in table {
            let found = serde_json::from_str::<Bytes>(json).ok();
            assert_eq!(found, expected.map(Bytes::from), "{json}");
        }
    }

    #[test]
    fn errors_and_debug_hold_no_content() {
        let error = serde_json::from_str::<Bytes>(r#""hunter2!""#).unwrap_err().to_string();
        assert!(!error.contains("hunter2"), "{error}");
        assert_eq!(format!("{:?}", Bytes::from("hunter2")), "Bytes(7 bytes)");
    }

    proptest! {
        #[test]
        fn bytes_survive(bytes in any::<Vec<u8>>()) {
            let bytes = Bytes(bytes);
            let json = serde_json::to_string(&bytes).unwrap();
            prop_assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), bytes);
        }
    }
}
