//! The version part of an `apiVersion`.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use crate::ParseError;

/// The most bytes of a version, as of every label of DNS.
const LENGTH: usize = 63;

/// The maturity of an API version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stability {
    /// Not known from the name: `stable`, `v1api20220801`.
    Unknown,
    /// May change or vanish in any release: `v1alpha1`.
    Alpha,
    /// May change, with notice: `v1beta1`.
    Beta,
    /// Generally available: `v1`.
    Stable,
}

/// The version of an API group: `v1`, `v1beta1`, `v1alpha2`, or any other label that begins with a letter, such as
/// `stable`.
///
/// Servers take lower-case letters, digits and `-`, a letter first and no `-` last, up to 63 bytes.
///
/// # Order
///
/// The order is Kubernetes' [version priority] of custom resources, the lowest first: stability counts before the
/// numbers, then the major number, then the number after `alpha` or `beta`. So `v2alpha1` is less
/// than `v1beta1`, which is less than `v1`. All other names are less, and among them the first of the alphabet is the
/// greatest. Clients prefer the greatest version.
///
/// ```
/// use k8s_versioned_core::Version;
///
/// let mut versions: Vec<Version> = ["v2", "v1", "foo1", "v11beta2", "v10beta3", "foo10", "v1alpha1"]
///     .iter()
///     .map(|text| text.parse())
///     .collect::<Result<_, _>>()?;
/// versions.sort();
/// let sorted: Vec<String> = versions.iter().map(Version::to_string).collect();
/// assert_eq!(sorted, ["foo10", "foo1", "v1alpha1", "v10beta3", "v11beta2", "v1", "v2"]);
/// # Ok::<(), k8s_versioned_core::ParseError>(())
/// ```
///
/// [version priority]: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
// The order of the fields is the order of comparison. `v1` and `v01` have the same numbers, so that the text decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    stability: Stability,
    major: i64,
    minor: i64,
    /// The text, filled up with zeros. Zeros are less than any letter, so arrays compare like texts.
    name: Reverse<[u8; LENGTH]>,
}

impl Version {
    /// Returns `true` for a version that is generally available: `v1`, unlike `v1beta1` and `stable`.
    pub const fn is_stable(self) -> bool {
        matches!(self.stability, Stability::Stable)
    }

    /// Returns `true` if the name has numbers by which it compares with others: `v1` and `v1beta1`, unlike `stable`.
    pub const fn is_numbered(self) -> bool {
        !matches!(self.stability, Stability::Unknown)
    }
}

/// The stability and the numbers that a name has. Kubernetes takes leading zeros, and no numbers above 63 bits.
fn numbers(text: &str) -> Option<(Stability, i64, i64)> {
    let numbers = text.strip_prefix('v')?;
    if let Some((major, minor)) = numbers.split_once("alpha") {
        Some((Stability::Alpha, number(major)?, number(minor)?))
    } else if let Some((major, minor)) = numbers.split_once("beta") {
        Some((Stability::Beta, number(major)?, number(minor)?))
    } else {
        Some((Stability::Stable, number(numbers)?, 0))
    }
}

/// Reads digits only. The standard library also takes a sign.
fn number(text: &str) -> Option<i64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The reason why servers reject a name.
fn refusal(text: &str) -> Option<&'static str> {
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
    if !begins || text.ends_with('-') || !text.bytes().all(known) {
        return Some(
            "servers take lower-case letters, digits and `-`, with a letter first and no `-` last, such as `v1beta1`",
        );
    }
    (text.len() > LENGTH).then_some("servers take at most 63 characters")
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reverse(name) = &self.name;
        let text = str::from_utf8(name).map_err(|_| fmt::Error)?;
        f.write_str(text.trim_end_matches('\0'))
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Version({self})")
    }
}

impl FromStr for Version {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if let Some(reason) = refusal(text) {
            return Err(ParseError::new(text, "an API version", reason));
        }
        let (stability, major, minor) = numbers(text).unwrap_or((Stability::Unknown, 0, 0));
        let mut name = [0; LENGTH];
        name.iter_mut().zip(text.bytes()).for_each(|(to, byte)| *to = byte);
        Ok(Self { stability, major, minor, name: Reverse(name) })
    }
}

crate::text_serde!(Version, "an API version such as `v1beta1`");

#[cfg(test)]
mod tests {
    use super::Version;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn names_are_kept() {
        let longest = "a".repeat(63);
        let table = [
            ("v1", true, true),
            ("v12", true, true),
            ("v0", true, true),
            ("v01", true, true),
            ("v9223372036854775807", true, true),
            ("v1beta1", false, true),
            ("v2alpha10", false, true),
            ("v1alpha08", false, true),
            ("v1beta0", false, true),
            ("v9223372036854775808", false, false),
            ("v", false, false),
            ("v1alpha", false, false),
            ("valpha1", false, false),
            ("v1gamma1", false, false),
            ("v1alpha1beta1", false, false),
            ("v1-1", false, false),
            ("v1api20220801", false, false),
            ("v1api20220801storage", false, false),
            ("stable", false, false),
            ("a-b", false, false),
            (&longest, false, false),
        ];
        for (text, stable, numbered) in table {
            let version = version(text);
            assert_eq!((version.is_stable(), version.is_numbered()), (stable, numbered), "{text}");
            assert_eq!(version.to_string(), text);
            assert_eq!(serde_json::to_value(version).unwrap(), text);
        }
        assert_ne!(version("v1"), version("v01"));
    }

    #[test]
    fn names_that_servers_refuse_are_rejected() {
        let letters = "servers take lower-case letters, digits and `-`, with a letter first and no `-` last, such as `v1beta1`";
        let long = "a".repeat(64);
        let table = [
            ("", letters),
            ("1", letters),
            ("2026-01", letters),
            ("V1", letters),
            ("v1.2", letters),
            ("v1Beta1", letters),
            ("v1 ", letters),
            ("v1-", letters),
            ("-v1", letters),
            ("v1_1", letters),
            ("v\u{661}", letters),
            ("v1\0", letters),
            ("coordination.k8s.io/v1", letters),
            (&long, "servers take at most 63 characters"),
        ];
        for (text, reason) in table {
            let error = text.parse::<Version>().unwrap_err();
            assert_eq!((error.found(), error.reason()), (text, reason));
        }
    }

    /// The list is the example of Kubernetes' documentation, from its end, and names that it does not have.
    #[test]
    fn order_is_the_priority() {
        let ascending = [
            "v9223372036854775808",
            "v1api20220801storage",
            "v1api20220801",
            "v1api20220701",
            "stable",
            "foo10",
            "foo1",
            "a-b",
            "v1alpha1",
            "v1alpha08",
            "v11alpha2",
            "v12alpha1",
            "v1beta0",
            "v3beta1",
            "v10beta3",
            "v11beta2",
            "v0",
            "v1",
            "v01",
            "v2",
            "v10",
        ];
        for pair in ascending.windows(2) {
            assert!(version(pair[0]) < version(pair[1]), "{pair:?}");
        }
    }
}
