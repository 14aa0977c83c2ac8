//! Semantic versions, read as Kubernetes reads them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::ParseError;

/// A [semantic version], such as `1.31.0` or `1.32.0-rc.1+build.5`.
///
/// Kubernetes reads versions in two ways, both with the Go library `blang/semver`. Validation is strict, as
/// [`FromStr`] is here. Elections are tolerant, as [`parse_tolerant`](Self::parse_tolerant) is. In both, each number,
/// also in a pre-release, is at most [`u64::MAX`].
///
/// ```
/// use std::cmp::Ordering;
/// use k8s_versioned::SemanticVersion;
///
/// let candidate: SemanticVersion = "1.31.0-rc.1".parse()?;
/// let release: SemanticVersion = "1.31.0".parse()?;
/// assert_eq!(candidate.cmp_precedence(&release), Ordering::Less);
///
/// assert!("v1.31".parse::<SemanticVersion>().is_err());
/// assert_eq!(SemanticVersion::parse_tolerant(" v1.31")?, release);
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
///
/// [semantic version]: https://semver.org/spec/v2.0.0.html
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemanticVersion(Form);

/// Each version has one form. Nearly all have three small numbers, which are compared as one. Rows: elect, validate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// Three numbers of [`BITS`] bits, without pre-release and build metadata.
    Numbers(u64),
    /// Any other version.
    Other(Box<semver::Version>),
}

/// The bits of a number: those of six digits.
const BITS: u32 = 20;

impl SemanticVersion {
    fn new(version: semver::Version) -> Self {
        let numbers = [version.major, version.minor, version.patch];
        let is_plain = version.pre.is_empty() && version.build.is_empty();
        if is_plain && numbers.iter().all(|number| number >> BITS == 0) {
            return Self::of_numbers(numbers);
        }
        Self(Form::Other(Box::new(version)))
    }

    const fn of_numbers([major, minor, patch]: [u64; 3]) -> Self {
        Self(Form::Numbers((major << (2 * BITS)) | (minor << BITS) | patch))
    }

    fn version(&self) -> Cow<'_, semver::Version> {
        match &self.0 {
            Form::Other(version) => Cow::Borrowed(version),
            Form::Numbers(numbers) => {
                let number = |place: u32| (numbers >> (place * BITS)) & ((1 << BITS) - 1);
                Cow::Owned(semver::Version::new(number(2), number(1), number(0)))
            }
        }
    }

    /// Returns `true` if it is equal to `0.0.0`, which Kubernetes takes for "not specified". Build metadata does
    /// not count, a pre-release does.
    pub fn is_zero(&self) -> bool {
        self.cmp_precedence(&Self::default()).is_eq()
    }

    /// Compares two versions by precedence.
    ///
    /// A pre-release is earlier than its release, and build metadata does not count. So two versions
    /// can be equal in this order and different by `==`, and there is no `Ord`.
    #[inline]
    pub fn cmp_precedence(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Numbers(own), Form::Numbers(others)) => own.cmp(others),
            _ => self.version().cmp_precedence(&other.version()),
        }
    }

    /// Reads a version in the tolerant form.
    ///
    /// White space around it, one leading `v` and leading zeros of the three numbers are ignored; a
    /// missing second or third number is 0. A pre-release or build metadata needs all three numbers.
    ///
    /// # Errors
    ///
    /// The text is not a version in this form either.
    #[inline]
    pub fn parse_tolerant(text: &str) -> Result<Self, ParseError> {
        if let Some(version) = three_numbers(text) {
            return Ok(version);
        }
        Self::parse_odd(text)
    }

    /// Reads a version that is not three plain numbers.
    fn parse_odd(text: &str) -> Result<Self, ParseError> {
        let bare = text.trim();
        let bare = bare.strip_prefix('v').unwrap_or(bare);
        if let Ok(version) = read(bare) {
            return Ok(version);
        }
        let mut parts: Vec<_> = bare.splitn(3, '.').map(without_leading_zeros).collect();
        let read = if parts.len() < 3 && bare.contains(['+', '-']) {
            Err("with a pre-release or build metadata it needs three numbers".to_owned())
        } else {
            parts.resize(3, "0".to_owned());
            read(&parts.join("."))
        };
        read.map_err(|reason| ParseError::new(text, EXPECTED, reason))
    }
}

/// Completes "… is not" in a [`ParseError`].
const EXPECTED: &str = "a semantic version";

/// Strips leading zeros as the Go library does: a part of several bytes that then has no leading digit gets a zero.
pub fn without_leading_zeros(part: &str) -> String {
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

/// Reads a strict version of three short numbers, as nearly all are.
#[inline]
fn three_numbers(text: &str) -> Option<SemanticVersion> {
    let (major, rest) = short_number(text.as_bytes())?;
    let (minor, rest) = short_number(rest.strip_prefix(b".")?)?;
    let (patch, rest) = short_number(rest.strip_prefix(b".")?)?;
    rest.is_empty().then(|| SemanticVersion::of_numbers([major, minor, patch]))
}

/// Reads a number of one or two digits, without leading zeros, that a digit does not follow. Also returns the rest.
#[inline]
fn short_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digit = |byte: &u8| u64::from(*byte).wrapping_sub(u64::from(b'0'));
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let (first, rest) = text.split_first().filter(|(first, _)| is_digit(first))?;
    let Some((second, after)) = rest.split_first().filter(|(second, _)| is_digit(second)) else {
        return Some((digit(first), rest));
    };
    let is_short = *first != b'0' && !after.first().is_some_and(is_digit);
    is_short.then(|| (digit(first) * 10 + digit(second), after))
}

/// Reads a version in the strict form. The error is the reason.
fn read(text: &str) -> Result<SemanticVersion, String> {
    if let Some(version) = three_numbers(text) {
        return Ok(version);
    }
    if text.matches('.').count() < 2 {
        return Err("it needs three numbers".to_owned());
    }
    let version = semver::Version::parse(text).map_err(|error| error.to_string())?;
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers = version.pre.split('.').filter(|part| is_number(part));
    // Kubernetes refuses larger numbers; `semver` reads them.
    if numbers.any(|number| !number.is_empty() && number.parse::<u64>().is_err()) {
        return Err("value of pre-release identifier exceeds u64::MAX".to_owned());
    }
    Ok(SemanticVersion::new(version))
}

/// `0.0.0`.
impl Default for SemanticVersion {
    fn default() -> Self {
        Self::of_numbers([0; 3])
    }
}

impl FromStr for SemanticVersion {
    type Err = ParseError;

    /// Reads a version in the strict form.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text).map_err(|reason| ParseError::new(text, EXPECTED, reason))
    }
}

impl fmt::Display for SemanticVersion {
    /// Writes the version in the strict form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.version().fmt(f)
    }
}

k8s_versioned_core::text_serde!(SemanticVersion, "a semantic version such as `1.31.0`");

#[cfg(test)]
mod tests {
    use super::SemanticVersion;

    /// The versions that the strict and the tolerant way read.
    fn both(text: &str) -> [Option<String>; 2] {
        let versions = [text.parse().ok(), SemanticVersion::parse_tolerant(text).ok()];
        versions.map(|version: Option<SemanticVersion>| Some(version?.to_string()))
    }

    #[test]
    fn both_forms_include_the_strict_one() {
        let largest = "18446744073709551615.0.0-18446744073709551615";
        let texts = "1.31.0 0.0.0 1.2.3-rc.1 1.2.3+a.01 1.2.3-a+b-c.d 1.2.3-- 1.2.3-a-b 1.2.3-0a";
        for text in texts.split(' ').chain([largest]) {
            assert_eq!(both(text), [Some(text.to_owned()), Some(text.to_owned())]);
        }
    }

    #[test]
    fn the_tolerant_form_is_wider() {
        for (text, expected) in [
            ("1.30", "1.30.0"),
            ("1", "1.0.0"),
            ("v1.31.0", "1.31.0"),
            ("\t\u{a0}v1.31 \n", "1.31.0"),
            (" 1.2.3 ", "1.2.3"),
            ("1.031.0", "1.31.0"),
            ("00.00.000", "0.0.0"),
            ("01.2.003-rc", "1.2.3-rc"),
            ("1.2.-rc", "1.2.0-rc"),
            ("1.2.+build", "1.2.0+build"),
        ] {
            assert_eq!(both(text), [None, Some(expected.to_owned())], "{text:?}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let texts = "|v|V1.2.3|vv1.2.3|v 1.2.3|1.30.1.6|1.2-rc|1+b|1..2|1.2.|.1.2|1.2.3-|1.2.3+|1.2.3-a..b|1.2.3+a..b|\
            1.2.3-01|1.2.3-a_b|1.2.3+a+b|-1.2.3|+1.2.3|1.x.3|1.2.\u{663}|18446744073709551616.0.0|\
            1.0.0-18446744073709551616|1.0.0-a.18446744073709551616|thirty| ";
        for text in texts.split('|') {
            assert_eq!(both(text), [None, None], "{text:?}");
        }
    }

    #[test]
    fn errors_have_a_reason() {
        let message = |text: &str| text.parse::<SemanticVersion>().unwrap_err().to_string();
        assert_eq!(
            message("v1.31.0"),
            "`v1.31.0` is not a semantic version: unexpected character 'v' while parsing major version number"
        );
        assert_eq!(
            message("1.0.0-18446744073709551616"),
            "`1.0.0-18446744073709551616` is not a semantic version: value of pre-release identifier exceeds u64::MAX"
        );
        let error = SemanticVersion::parse_tolerant("v1.30-rc").unwrap_err();
        assert_eq!(error.found(), "v1.30-rc");
        assert_eq!(error.reason(), "with a pre-release or build metadata it needs three numbers");
    }

    /// Each line is earlier than the next; the versions in a line are equal.
    const ORDER: &str = "\
0.0.0-rc
0.0.0 0.0.0+meta
0.9.9
0.9.10
0.9.100
0.9.1048575 0.9.1048575+meta
0.9.1048576
0.9.18446744073709551615
0.10.0
1.0.0-0
1.0.0-2
1.0.0-10
1.0.0--
1.0.0-Z
1.0.0-alpha
1.0.0-alpha.1
1.0.0-alpha.1.0
1.0.0-alpha.beta
1.0.0-beta 1.0.0-beta+x
1.0.0 1.0.0+a 1.0.0+b.1
1.1.2
1.1.10
1.2.0
10.0.0";

    #[test]
    fn order() {
        let lines = ORDER.lines().enumerate();
        let versions = lines.flat_map(|(row, line)| {
            let versions = line.split(' ').map(|text| text.parse().unwrap());
            versions.map(move |version: SemanticVersion| (row, version))
        });
        let versions: Vec<_> = versions.collect();
        for (a_row, a) in &versions {
            for (b_row, b) in &versions {
                assert_eq!(a.cmp_precedence(b), a_row.cmp(b_row), "{a} {b}");
            }
            // Zero is a release: the second line.
            assert_eq!(a.is_zero(), *a_row == 1, "{a}");
        }
        assert_ne!("0.0.0".parse(), "0.0.0+meta".parse::<SemanticVersion>());
    }
}
