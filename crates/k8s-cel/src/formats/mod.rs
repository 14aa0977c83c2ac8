//! The values of `format` that API servers check.
//!
//! A server checks a text with the functions of kube-openapi (`strfmt`), which are often laxer or odder than the standard
//! that the name suggests: `duration` accepts `P1D`, `2 days` and `1_000s`, `hostname` refuses `a.b`. All other formats are
//! ignored. Numbers are checked by [`NumberFormat`].

mod addresses;
mod codes;
mod email;
mod hostname;
mod times;

use std::ops::Range;

use k8s_versioned_core::{Release, syntax};
use serde_json::Number;

use crate::facts::Fact;
use crate::since::Behaviour as _;
use crate::values::lenient_duration;
use crate::values::url;
pub use codes::BASE64;

/// A format of texts that servers check.
///
/// ```
/// use k8s_cel::formats::Format;
///
/// let format = Format::named("date-time").expect("a format");
/// assert!(format.check("2026-01-02T03:04:05Z"));
/// assert!(!format.check("2026-01-02"));
/// assert_eq!(Format::named("binary"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// 24 hexadecimal digits.
    BsonObjectId,
    /// Base64 with padding; not empty.
    Byte,
    /// An IP address, `/`, and the length of a prefix.
    Cidr,
    /// The number of a credit card.
    CreditCard,
    /// `2026-01-02`.
    Date,
    /// A date and time of RFC 3339, but not second 60.
    DateTime,
    /// A duration of Go, or a text with at least one number and a unit.
    Duration,
    /// An address of a mail, also with a name.
    Email,
    /// `#fff` or `ffffff`.
    HexColor,
    /// A name of a host. Of names with one label, only few can have a hyphen; the last of several needs two characters.
    Hostname,
    /// An IPv4 address, also with leading zeros, and an IPv6 address that ends in one.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// An ISBN with 10 or 13 digits.
    Isbn,
    /// An ISBN with 10 digits.
    Isbn10,
    /// An ISBN with 13 digits.
    Isbn13,
    /// A subdomain of DNS with lower case letters.
    LongName,
    /// An address of 6, 8 or 20 bytes.
    Mac,
    /// Any text.
    Password,
    /// `rgb(1,2,3)`.
    RgbColor,
    /// A label of DNS with lower case letters.
    ShortName,
    /// A number of the U.S. social security.
    Ssn,
    /// An absolute URI or an absolute path.
    Uri,
    /// A UUID, also without hyphens.
    Uuid,
    /// A UUID of version 3.
    Uuid3,
    /// A UUID of version 4.
    Uuid4,
    /// A UUID of version 5.
    Uuid5,
}

/// The formats by their names without hyphens, with the fact that they are checked, if not all releases check them.
const FORMATS: [(&str, Format, Option<Fact>); 26] = [
    ("bsonobjectid", Format::BsonObjectId, None),
    ("byte", Format::Byte, None),
    ("cidr", Format::Cidr, None),
    ("creditcard", Format::CreditCard, None),
    ("date", Format::Date, None),
    ("datetime", Format::DateTime, None),
    ("duration", Format::Duration, None),
    ("email", Format::Email, None),
    ("hexcolor", Format::HexColor, None),
    ("hostname", Format::Hostname, None),
    ("ipv4", Format::Ipv4, None),
    ("ipv6", Format::Ipv6, None),
    ("isbn", Format::Isbn, None),
    ("isbn10", Format::Isbn10, None),
    ("isbn13", Format::Isbn13, None),
    ("k8slongname", Format::LongName, Some(Fact::KubernetesNames)),
    ("k8sshortname", Format::ShortName, Some(Fact::KubernetesNames)),
    ("mac", Format::Mac, None),
    ("password", Format::Password, None),
    ("rgbcolor", Format::RgbColor, None),
    ("ssn", Format::Ssn, None),
    ("uri", Format::Uri, None),
    ("uuid", Format::Uuid, None),
    ("uuid3", Format::Uuid3, None),
    ("uuid4", Format::Uuid4, None),
    ("uuid5", Format::Uuid5, None),
];

impl Format {
    /// The names of the formats, without hyphens.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|(name, ..)| *name)
    }

    /// The format of this name that the newest release checks. Hyphens in the name do not count; case does.
    pub fn named(name: &str) -> Option<Self> {
        let plain = name.replace('-', "");
        FORMATS.iter().find(|(name, ..)| *name == plain).map(|(_, format, _)| *format)
    }

    /// The format of this name that this release checks.
    pub fn named_in(name: &str, release: Release) -> Option<Self> {
        Self::named(name).filter(|format| format.since().is_none_or(|since| release >= since))
    }

    /// The first release that checks the format, or `None` if 1.31 and earlier ones do.
    pub fn since(self) -> Option<Release> {
        FORMATS.iter().find(|(_, format, _)| *format == self)?.2.map(Fact::first)
    }

    /// Returns `true` if a server accepts the text.
    pub fn check(self, text: &str) -> bool {
        match self {
            Self::BsonObjectId => codes::bson_object_id(text),
            Self::Byte => codes::base64(text),
            Self::Cidr => addresses::cidr(text),
            Self::CreditCard => codes::credit_card(text),
            Self::Date => times::date(text),
            Self::DateTime => times::date_time(text),
            Self::Duration => lenient_duration::read(text).is_some(),
            Self::Email => email::address(text),
            Self::HexColor => codes::hex_color(text),
            Self::Hostname => hostname::hostname(text),
            Self::Ipv4 => addresses::ipv4(text),
            Self::Ipv6 => addresses::ipv6(text),
            Self::Isbn => codes::isbn10(text) || codes::isbn13(text),
            Self::Isbn10 => codes::isbn10(text),
            Self::Isbn13 => codes::isbn13(text),
            Self::LongName => syntax::dns1123_subdomain(text).is_empty(),
            Self::Mac => addresses::mac(text),
            Self::Password => true,
            Self::RgbColor => codes::rgb_color(text),
            Self::ShortName => syntax::dns1123_label(text).is_empty(),
            Self::Ssn => codes::ssn(text),
            Self::Uri => url::parse_request(text).is_ok(),
            Self::Uuid => codes::uuid(text, None),
            Self::Uuid3 => codes::uuid(text, Some('3')),
            Self::Uuid4 => codes::uuid(text, Some('4')),
            Self::Uuid5 => codes::uuid(text, Some('5')),
        }
    }
}

/// A format of numbers that servers check since 1.36. Up to 1.35 they ignore it (recordings of 1.31, 1.34, 1.35 and 1.36).
///
/// ```
/// use k8s_cel::formats::NumberFormat;
/// use serde_json::Number;
///
/// let int32 = NumberFormat::named("integer", "int32").expect("a format");
/// assert!(int32.check(&Number::from(2_147_483_647)));
/// assert!(!int32.check(&Number::from(2_147_483_648_u64)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberFormat {
    /// `int32` of an integer.
    Int32,
    /// `int64` of an integer.
    Int64,
    /// `float` of a number.
    Float,
    /// `double` of a number.
    Double,
}

impl NumberFormat {
    /// The format of this name that the newest release checks in a schema of this type.
    pub fn named(schema_type: &str, name: &str) -> Option<Self> {
        match (schema_type, name) {
            ("integer", "int32") => Some(Self::Int32),
            ("integer", "int64") => Some(Self::Int64),
            ("number", "float") => Some(Self::Float),
            ("number", "double") => Some(Self::Double),
            _ => None,
        }
    }

    /// The format of this name that this release checks in a schema of this type.
    pub fn named_in(schema_type: &str, name: &str, release: Release) -> Option<Self> {
        Self::named(schema_type, name).filter(|_| release >= Fact::NumberFormats.first())
    }

    /// Returns `true` if the number is in the range of the format, and an integer if the format is for integers.
    pub fn check(self, number: &Number) -> bool {
        match number.as_i64() {
            Some(integer) => self.holds_integer(integer),
            None => number.as_f64().is_some_and(|float| self.holds_float(float)),
        }
    }

    /// Returns `true` if an integer is in the range.
    pub fn holds_integer(self, number: i64) -> bool {
        self != Self::Int32 || i32::try_from(number).is_ok()
    }

    /// Returns `true` if a float is in the range, also if it is an integer that is written as `1.0` or `1e2`.
    pub fn holds_float(self, number: f64) -> bool {
        let is_whole_in = |range: Range<f64>| number.fract() == 0.0 && range.contains(&number);
        match self {
            Self::Int32 => is_whole_in(-2_147_483_648.0..2_147_483_648.0),
            // 2^63 is the first number beyond; -2^63 is within.
            Self::Int64 => is_whole_in(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0),
            Self::Float => number.abs() < FLOAT_LIMIT,
            Self::Double => number.is_finite(),
        }
    }
}

/// The smallest number that rounds to an infinite `f32`: halfway from the largest finite one to 2^128.
const FLOAT_LIMIT: f64 = 3.402_823_567_797_336_6e38;

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value};

    use super::*;

    #[test]
    fn every_format_does_what_the_server_does() {
        let table: Map<String, Value> =
            serde_json::from_str(include_str!("../../fixtures/formats.json")).unwrap();
        for (name, entry) in &table {
            let format = Format::named(name);
            assert_eq!(format.is_some(), entry["known"].as_bool().unwrap(), "{name}");
            let Some(format) = format else { continue };
            for (list, valid) in [("valid", true), ("invalid", false)] {
                for text in entry[list].as_array().unwrap() {
                    assert_eq!(format.check(text.as_str().unwrap()), valid, "{name} on {text}");
                }
            }
        }
    }

    /// Sums over their characters would not fit into an integer.
    #[test]
    fn long_texts_are_judged() {
        for (name, format, _) in FORMATS {
            for part in ["9", "a", "a.", "1:", "9-"] {
                format.check(&part.repeat(20_000));
            }
            let any = format.check(&"~".repeat(20_000));
            assert_eq!(any, format == Format::Password, "{name}");
        }
    }

    #[test]
    fn names_of_kubernetes_are_checked_since_1_35() {
        assert_eq!(Format::named_in("k8s-short-name", Release::new(1, 34)), None);
        assert_eq!(
            Format::named_in("k8s-short-name", Release::new(1, 35)),
            Some(Format::ShortName)
        );
        assert_eq!(Format::named_in("uuid", Release::new(1, 31)), Some(Format::Uuid));
        assert_eq!(Format::named("UUID"), None);
    }

    #[test]
    fn numbers_are_checked_by_their_range() {
        let check =
            |format: NumberFormat, json: &str| format.check(&serde_json::from_str(json).unwrap());
        for (format, accepted, refused) in [
            (
                NumberFormat::Int32,
                "-2147483648 2147483647 1e2 3.0",
                "2147483648 -2147483649 1.5 1e10",
            ),
            (
                NumberFormat::Int64,
                "9223372036854775807 -9223372036854775808",
                "9223372036854775808 1e19 0.5",
            ),
            (
                NumberFormat::Float,
                "3.4028235e38 -3.4028235e38 0.1 1e-300",
                "1e39 -1e39 3.4028236e38",
            ),
            (NumberFormat::Double, "1e308 5 0.1", ""),
        ] {
            accepted
                .split_whitespace()
                .for_each(|json| assert!(check(format, json), "{format:?} {json}"));
            refused
                .split_whitespace()
                .for_each(|json| assert!(!check(format, json), "{format:?} {json}"));
        }
    }
}
