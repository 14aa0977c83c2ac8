//! Semantic versions, read as Kubernetes reads them.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::{Quoted, text};

/// A [semantic version], such as `1.31.0` or `1.32.0-rc.1+build.5`.
///
/// Kubernetes reads versions in two ways, both with the Go library `blang/semver`. Where it checks an
/// object it is strict: that is [`FromStr`]. Where it works with one that is stored it often is not: that
/// is [`parse_tolerant`](Self::parse_tolerant). Both follow that library where it differs from the specification: numbers, also those of a
/// pre-release, are at most [`u64::MAX`].
///
/// ```
/// use std::cmp::Ordering;
/// use k8s_versioned::semantic_version::SemanticVersion;
///
/// let candidate: SemanticVersion = "1.31.0-rc.1".parse()?;
/// let release: SemanticVersion = "1.31.0".parse()?;
/// assert_eq!(candidate.cmp_precedence(&release), Ordering::Less);
///
/// assert!("v1.31".parse::<SemanticVersion>().is_err());
/// assert_eq!(SemanticVersion::parse_tolerant(" v1.31")?, release);
/// # Ok::<(), k8s_versioned::semantic_version::ParseSemanticVersionError>(())
/// ```
///
/// [semantic version]: https://semver.org/spec/v2.0.0.html
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemanticVersion {
    major: u64,
    minor: u64,
    patch: u64,
    pre_release: Vec<Identifier>,
    build: Vec<String>,
}

/// One part of a pre-release.
// The order of the variants is the order of comparison: numbers come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identifier {
    /// Only digits, compared by value.
    Number(u64),
    /// Anything else, compared by ASCII order.
    Text(String),
}

impl SemanticVersion {
    /// A release, without pre-release and build metadata.
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self {
            major,
            minor,
            patch,
            pre_release: Vec::new(),
            build: Vec::new(),
        }
    }

    /// The first number.
    pub const fn major(&self) -> u64 {
        self.major
    }

    /// The second number.
    pub const fn minor(&self) -> u64 {
        self.minor
    }

    /// The third number.
    pub const fn patch(&self) -> u64 {
        self.patch
    }

    /// What follows `-`, split at the dots; empty for a release.
    pub fn pre_release(&self) -> &[Identifier] {
        &self.pre_release
    }

    /// What follows `+`, split at the dots.
    pub fn build(&self) -> &[String] {
        &self.build
    }

    /// Whether it is equal to `0.0.0`, which Kubernetes takes for "not specified". Build metadata does
    /// not count, a pre-release does.
    pub fn is_zero(&self) -> bool {
        self.cmp_precedence(&Self::new(0, 0, 0)) == Ordering::Equal
    }

    /// Which of two versions is later.
    ///
    /// A pre-release is earlier than its release, and build metadata does not count. So two versions
    /// can be equal in this order and different by `==`, and there is no `Ord`.
    pub fn cmp_precedence(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| [version.major, version.minor, version.patch];
        let released = |version: &Self| version.pre_release.is_empty();
        numbers(self)
            .cmp(&numbers(other))
            .then_with(|| released(self).cmp(&released(other)))
            .then_with(|| self.pre_release.cmp(&other.pre_release))
    }

    /// Reads a version that need not be written strictly.
    ///
    /// White space around it, one leading `v` and leading zeros of the three numbers are ignored; a
    /// missing second or third number is 0. A pre-release or build metadata needs all three numbers.
    ///
    /// # Errors
    ///
    /// The text is not a version when read like this either.
    pub fn parse_tolerant(text: &str) -> Result<Self, ParseSemanticVersionError> {
        let bare = text.trim();
        let bare = bare.strip_prefix('v').unwrap_or(bare);
        let mut parts: Vec<_> = bare.splitn(3, '.').map(without_leading_zeros).collect();
        let short = parts.len() < 3;
        if short && parts.last().is_some_and(|part| part.contains(['+', '-'])) {
            return Err(ParseSemanticVersionError::new(
                text,
                Problem::ShortWithSuffix,
            ));
        }
        parts.resize(3, "0".to_owned());
        read(&parts.join(".")).map_err(|problem| ParseSemanticVersionError::new(text, problem))
    }
}

/// Strips the zeros in front, but leaves one if no digit would follow.
fn without_leading_zeros(part: &str) -> String {
    if part.len() < 2 {
        return part.to_owned();
    }
    let stripped = part.trim_start_matches('0');
    if stripped.starts_with(|first: char| first.is_ascii_digit()) {
        stripped.to_owned()
    } else {
        format!("0{stripped}")
    }
}

impl FromStr for SemanticVersion {
    type Err = ParseSemanticVersionError;

    /// Reads a version that is written strictly.
    fn from_str(text: &str) -> Result<Self, ParseSemanticVersionError> {
        read(text).map_err(|problem| ParseSemanticVersionError::new(text, problem))
    }
}

fn read(text: &str) -> Result<SemanticVersion, Problem> {
    let mut parts = text.splitn(3, '.');
    let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(Problem::NotThreeNumbers);
    };
    // Build metadata may contain `-`, so it is split off first.
    let (rest, build) = split_suffix(rest, '+');
    let (patch, pre_release) = split_suffix(rest, '-');
    Ok(SemanticVersion {
        major: number(major)?,
        minor: number(minor)?,
        patch: number(patch)?,
        pre_release: identifiers(pre_release, pre_release_identifier)?,
        build: identifiers(build, build_identifier)?,
    })
}

fn split_suffix(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((text, suffix)) => (text, Some(suffix)),
        None => (text, None),
    }
}

fn number(text: &str) -> Result<u64, Problem> {
    text::number(text).ok_or_else(|| {
        let found = text.to_owned();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            Problem::NotANumber { found }
        } else if text.starts_with('0') {
            Problem::LeadingZero { found }
        } else {
            Problem::TooLarge { found }
        }
    })
}

fn identifiers<T>(
    suffix: Option<&str>,
    read: fn(&str) -> Result<T, Problem>,
) -> Result<Vec<T>, Problem> {
    let parts = suffix.into_iter().flat_map(|suffix| suffix.split('.'));
    parts.map(read).collect()
}

fn pre_release_identifier(text: &str) -> Result<Identifier, Problem> {
    let text = build_identifier(text)?;
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        number(&text).map(Identifier::Number)
    } else {
        Ok(Identifier::Text(text))
    }
}

fn build_identifier(text: &str) -> Result<String, Problem> {
    let allowed = |character: char| character.is_ascii_alphanumeric() || character == '-';
    if text.is_empty() {
        Err(Problem::EmptyIdentifier)
    } else if let Some(found) = text.chars().find(|&character| !allowed(character)) {
        Err(Problem::Character { found })
    } else {
        Ok(text.to_owned())
    }
}

impl fmt::Display for SemanticVersion {
    /// Writes the version strictly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        write_suffix(f, '-', &self.pre_release)?;
        write_suffix(f, '+', &self.build)
    }
}

fn write_suffix(
    f: &mut fmt::Formatter<'_>,
    start: char,
    parts: &[impl fmt::Display],
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        write!(f, "{}{part}", if index == 0 { start } else { '.' })?;
    }
    Ok(())
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

impl Serialize for SemanticVersion {
    /// Writes the version strictly.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SemanticVersion {
    /// Reads a version that is written strictly.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text::deserialize(deserializer, "a semantic version such as `1.31.0`")
    }
}

/// A text that is not a semantic version, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} is not a semantic version: {problem}", Quoted(found))]
pub struct ParseSemanticVersionError {
    found: String,
    problem: Problem,
}

impl ParseSemanticVersionError {
    fn new(found: &str, problem: Problem) -> Self {
        Self {
            found: found.to_owned(),
            problem,
        }
    }

    /// The text.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What is wrong with it.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

/// What is wrong with a text that is not a semantic version.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// There are fewer than three parts.
    #[error("it needs three numbers")]
    NotThreeNumbers,
    /// A part has to be a number.
    #[error("{} is not a number", Quoted(found))]
    NotANumber {
        /// The part.
        found: String,
    },
    /// A number starts with 0.
    #[error("{} must not start with 0", Quoted(found))]
    LeadingZero {
        /// The number.
        found: String,
    },
    /// A number is larger than [`u64::MAX`].
    #[error("{} is too large", Quoted(found))]
    TooLarge {
        /// The number.
        found: String,
    },
    /// Nothing is between two dots, or at an end, of the pre-release or build metadata.
    #[error("a part of its pre-release or build metadata is empty")]
    EmptyIdentifier,
    /// The pre-release or build metadata has another character than letters, digits and `-`.
    #[error("{found:?} is not allowed in its pre-release or build metadata")]
    Character {
        /// The character.
        found: char,
    },
    /// A version of fewer than three numbers has a pre-release or build metadata.
    #[error("with a pre-release or build metadata it needs three numbers")]
    ShortWithSuffix,
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::SemanticVersion;
    use crate::Quoted;

    #[test]
    fn strict_and_tolerant() {
        // Text, what the strict way reads, what the tolerant way reads.
        let table = [
            ("1.31.0", Some("1.31.0"), Some("1.31.0")),
            ("0.0.0", Some("0.0.0"), Some("0.0.0")),
            ("1.2.3-rc.1", Some("1.2.3-rc.1"), Some("1.2.3-rc.1")),
            ("1.2.3+a.01", Some("1.2.3+a.01"), Some("1.2.3+a.01")),
            (
                "1.2.3-a+b-c.d",
                Some("1.2.3-a+b-c.d"),
                Some("1.2.3-a+b-c.d"),
            ),
            ("1.2.3--", Some("1.2.3--"), Some("1.2.3--")),
            ("1.2.3-a-b", Some("1.2.3-a-b"), Some("1.2.3-a-b")),
            ("1.2.3-0a", Some("1.2.3-0a"), Some("1.2.3-0a")),
            (
                "18446744073709551615.0.0-18446744073709551615",
                Some("18446744073709551615.0.0-18446744073709551615"),
                Some("18446744073709551615.0.0-18446744073709551615"),
            ),
            // What only the tolerant way reads.
            ("1.30", None, Some("1.30.0")),
            ("1", None, Some("1.0.0")),
            ("v1.31.0", None, Some("1.31.0")),
            ("\t\u{a0}v1.31 \n", None, Some("1.31.0")),
            (" 1.2.3 ", None, Some("1.2.3")),
            ("1.031.0", None, Some("1.31.0")),
            ("00.00.000", None, Some("0.0.0")),
            ("01.2.003-rc", None, Some("1.2.3-rc")),
            ("1.2.-rc", None, Some("1.2.0-rc")),
            ("1.2.+build", None, Some("1.2.0+build")),
            // What neither reads.
            ("", None, None),
            (" ", None, None),
            ("v", None, None),
            ("V1.2.3", None, None),
            ("vv1.2.3", None, None),
            ("v 1.2.3", None, None),
            ("1.30.1.6", None, None),
            ("1.2-rc", None, None),
            ("1+b", None, None),
            ("1..2", None, None),
            ("1.2.", None, None),
            (".1.2", None, None),
            ("1.2.3-", None, None),
            ("1.2.3+", None, None),
            ("1.2.3-a..b", None, None),
            ("1.2.3+a..b", None, None),
            ("1.2.3-01", None, None),
            ("1.2.3-a_b", None, None),
            ("1.2.3+a+b", None, None),
            ("-1.2.3", None, None),
            ("+1.2.3", None, None),
            ("1.x.3", None, None),
            ("1.2.\u{663}", None, None),
            ("18446744073709551616.0.0", None, None),
            ("1.0.0-18446744073709551616", None, None),
            ("thirty", None, None),
        ];
        for (text, strict, tolerant) in table {
            let read = |version: Result<SemanticVersion, _>| version.ok().map(|v| v.to_string());
            assert_eq!(read(text.parse()).as_deref(), strict, "{text:?} strictly");
            let found = read(SemanticVersion::parse_tolerant(text));
            assert_eq!(found.as_deref(), tolerant, "{text:?} tolerantly");
        }
    }

    #[test]
    fn as_json_it_is_a_string() {
        let version: SemanticVersion = "1.33.0-rc.1+b".parse().unwrap();
        let json = serde_json::to_string(&version).unwrap();
        assert_eq!(json, r#""1.33.0-rc.1+b""#);
        assert_eq!(
            serde_json::from_str::<SemanticVersion>(&json).unwrap(),
            version
        );
        assert!(serde_json::from_str::<SemanticVersion>(r#""v1""#).is_err());
        assert!(serde_json::from_str::<SemanticVersion>("1.33").is_err());
    }

    #[test]
    fn why_a_text_is_not_a_version() {
        let table = [
            ("1.30", "it needs three numbers"),
            ("v1.31.0", "`v1` is not a number"),
            ("1..0", "\"\" is not a number"),
            ("1.031.0", "`031` must not start with 0"),
            (
                "1.0.99999999999999999999",
                "`99999999999999999999` is too large",
            ),
            (
                "1.0.0-rc..1",
                "a part of its pre-release or build metadata is empty",
            ),
            (
                "1.0.0-rc 1",
                "' ' is not allowed in its pre-release or build metadata",
            ),
        ];
        for (text, problem) in table {
            let error = text.parse::<SemanticVersion>().unwrap_err();
            assert_eq!(error.found(), text);
            assert_eq!(
                error.to_string(),
                format!("{} is not a semantic version: {problem}", Quoted(text))
            );
        }
        let error = SemanticVersion::parse_tolerant("v1.30-rc").unwrap_err();
        assert_eq!(
            error.problem().to_string(),
            "with a pre-release or build metadata it needs three numbers"
        );
    }

    #[test]
    fn order() {
        // Each is earlier than the next; what is in one line is equal.
        let lines = [
            "0.0.0-rc",
            "0.0.0 0.0.0+meta",
            "0.9.9",
            "1.0.0-0",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0--",
            "1.0.0-Z",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.1.0",
            "1.0.0-alpha.beta",
            "1.0.0-beta 1.0.0-beta+x",
            "1.0.0 1.0.0+a 1.0.0+b.1",
            "1.1.2",
            "1.1.10",
            "1.2.0",
            "10.0.0",
        ];
        let parse = |text: &str| text.parse::<SemanticVersion>().unwrap();
        for (row, left) in lines.iter().enumerate() {
            for (column, right) in lines.iter().enumerate() {
                for (a, b) in left
                    .split(' ')
                    .flat_map(|a| right.split(' ').map(move |b| (a, b)))
                {
                    let found = parse(a).cmp_precedence(&parse(b));
                    assert_eq!(found, row.cmp(&column), "{a} {b}");
                    assert_eq!(
                        found.reverse(),
                        parse(b).cmp_precedence(&parse(a)),
                        "{b} {a}"
                    );
                }
            }
        }
    }

    #[test]
    fn zero_is_a_release() {
        for (text, zero) in [
            ("0.0.0", true),
            ("0.0.0+meta", true),
            ("0.0.0-rc", false),
            ("0.0.1", false),
        ] {
            assert_eq!(text.parse::<SemanticVersion>().unwrap().is_zero(), zero);
        }
        assert_ne!("0.0.0".parse(), "0.0.0+meta".parse::<SemanticVersion>());
        assert_eq!(
            Ordering::Equal,
            SemanticVersion::default().cmp_precedence(&SemanticVersion::new(0, 0, 0))
        );
    }
}
