//! The rules for names, keys and values that API servers apply to every kind.
//!
//! [`AnnotationKey`] is the key of an annotation that a program writes.
//!
//! Each function but the last returns all rules that a text breaks, none if it is valid. Servers report one error for
//! each rule, so their number matters.
//!
//! | function | texts |
//! |---|---|
//! | `dns1123_label` | namespaces |
//! | `dns1123_subdomain` | names of most kinds |
//! | `dns1123_subdomain_prefix` | `generateName` of these kinds |
//! | `config_map_key` | names and `generateName` of some kinds |
//! | `path_segment` | names of all kinds, which stand in URLs |
//! | `path_segment_prefix` | `generateName` of all kinds |
//! | `qualified_name` | finalizers and label keys |
//! | `annotation_key`, `label_value` | annotations and labels |
//! | `first_unprintable` | field managers |
//!
//! [`Owner`] and [`ManagedFields`] have the rules for these parts of metadata.
//!
//! Lengths are counted in bytes, letters and digits are ASCII.
//!
//! ```
//! use k8s_versioned_names::rules;
//!
//! assert_eq!(rules::qualified_name("example.com/by-load"), []);
//!
//! let broken: Vec<String> = rules::qualified_name("Example.com/")
//!     .iter()
//!     .map(ToString::to_string)
//!     .collect();
//! assert_eq!(
//!     broken,
//!     [
//!         "the part before `/` must consist of words of lower-case letters, digits and `-`, \
//!          joined by `.`, each with a letter or digit at both ends, such as `example.com`",
//!         "the part after `/` must not be empty",
//!         "the part after `/` must consist of letters, digits, `-`, `_` and `.`, \
//!          with a letter or digit at both ends, such as `MyName`",
//!     ]
//! );
//! ```

mod metadata;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use metadata::{
    ANNOTATIONS_LIMIT, ManagedFields, ManagedFieldsFault, Owner, OwnerFault, generated_name,
    group_version,
};

use crate::ParseError;
pub use crate::printable::{first_unprintable, is_display_control};

const LABEL_LENGTH: usize = 63;
const SUBDOMAIN_LENGTH: usize = 253;

/// Checks a DNS-1123 label: lower-case letters, digits and `-`, a letter or digit at both ends, up to
/// 63 bytes.
pub fn dns1123_label(text: &str) -> Vec<Violation> {
    broken(
        Part::Whole,
        [
            (text.len() > LABEL_LENGTH, Rule::Length(LABEL_LENGTH)),
            (!is_label(text.as_bytes()), Rule::Dns1123Label),
        ],
    )
}

/// Checks a DNS-1123 subdomain: labels joined by `.`, up to 253 bytes.
///
/// The labels can be of any length: only the whole is limited.
pub fn dns1123_subdomain(text: &str) -> Vec<Violation> {
    subdomain(Part::Whole, text.as_bytes())
}

/// Checks a `generateName`, the start of a name that must be a DNS-1123 subdomain.
///
/// A `-` at the end is allowed: servers check the text with `a` instead of the last two bytes. So any byte can
/// stand before the `-`.
pub fn dns1123_subdomain_prefix(text: &str) -> Vec<Violation> {
    match text.as_bytes() {
        [start @ .., _, b'-'] => subdomain(Part::Whole, &[start, b"a"].concat()),
        other => subdomain(Part::Whole, other),
    }
}

fn subdomain(part: Part, text: &[u8]) -> Vec<Violation> {
    let well_formed = text.split(|&byte| byte == b'.').all(is_label);
    broken(
        part,
        [
            (text.len() > SUBDOMAIN_LENGTH, Rule::Length(SUBDOMAIN_LENGTH)),
            (!well_formed, Rule::Dns1123Subdomain),
        ],
    )
}

fn is_label(text: &[u8]) -> bool {
    let letter_or_digit = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = [text.first(), text.last()];
    ends.into_iter().all(|end| end.is_some_and(letter_or_digit))
        && text.iter().all(|byte| letter_or_digit(byte) || *byte == b'-')
}

const NAME_LENGTH: usize = 63;

/// Checks a qualified name: a name of up to 63 bytes, or a DNS-1123 subdomain, `/` and such a name.
///
/// The name consists of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends. An
/// empty one breaks two rules. With more than one `/` nothing else is checked.
pub fn qualified_name(text: &str) -> Vec<Violation> {
    match text.split_once('/') {
        None => name(Part::Whole, text),
        Some((_, rest)) if rest.contains('/') => broken(Part::Whole, [(true, Rule::OneSlash)]),
        Some((before, after)) => {
            let mut violations = prefix(before);
            violations.extend(name(Part::Name, after));
            violations
        }
    }
}

fn prefix(text: &str) -> Vec<Violation> {
    if text.is_empty() {
        broken(Part::Prefix, [(true, Rule::NotEmpty)])
    } else {
        subdomain(Part::Prefix, text.as_bytes())
    }
}

fn name(part: Part, text: &str) -> Vec<Violation> {
    broken(
        part,
        [
            (text.is_empty(), Rule::NotEmpty),
            (text.len() > NAME_LENGTH, Rule::Length(NAME_LENGTH)),
            (!is_name(text), Rule::QualifiedName),
        ],
    )
}

/// Letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.
fn is_name(text: &str) -> bool {
    let text = text.as_bytes();
    let ends = [text.first(), text.last()];
    ends.into_iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

const CONFIG_MAP_KEY_LENGTH: usize = 253;

/// Checks the key of a config map: letters, digits, `-`, `_` and `.`, up to 253 bytes; not `.`, and not
/// starting with `..`.
pub fn config_map_key(text: &str) -> Vec<Violation> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let well_formed = !text.is_empty() && text.bytes().all(allowed);
    let dots = text == "." || text == "..";
    broken(
        Part::Whole,
        [
            (text.len() > CONFIG_MAP_KEY_LENGTH, Rule::Length(CONFIG_MAP_KEY_LENGTH)),
            (!well_formed, Rule::ConfigMapKey),
            (dots, Rule::NotDots),
            (!dots && text.starts_with(".."), Rule::NoDotsInFront),
        ],
    )
}

/// Checks a name as a segment of a path: not `.` or `..`, no `/` and no `%`.
pub fn path_segment(text: &str) -> Vec<Violation> {
    if text == "." || text == ".." {
        return broken(Part::Whole, [(true, Rule::NotDots)]);
    }
    path_segment_prefix(text)
}

/// Checks the start of such a name, which may be `.` or `..`.
pub fn path_segment_prefix(text: &str) -> Vec<Violation> {
    let without = |character| (text.contains(character), Rule::Without(character));
    broken(Part::Whole, [without('/'), without('%')])
}

const LABEL_VALUE_LENGTH: usize = 63;

/// Checks the value of a label: empty, or letters, digits, `-`, `_` and `.`, with a letter or digit at
/// both ends, up to 63 bytes.
pub fn label_value(text: &str) -> Vec<Violation> {
    let well_formed = text.is_empty() || is_name(text);
    broken(
        Part::Whole,
        [
            (text.len() > LABEL_VALUE_LENGTH, Rule::Length(LABEL_VALUE_LENGTH)),
            (!well_formed, Rule::LabelValue),
        ],
    )
}

/// Checks the key of an annotation: a qualified name, in which upper-case letters count as lower-case.
pub fn annotation_key(text: &str) -> Vec<Violation> {
    // Most keys are in lower case already. Row: validate.
    if !text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        return qualified_name(text);
    }
    let lower: String = text.chars().flat_map(lower_case).collect();
    qualified_name(&lower)
}

/// The lower case of a character as in Go: a single character.
///
/// Rust differs for one character, whose full mapping is longer. Its simple mapping is an ASCII letter, which is valid.
fn lower_case(character: char) -> impl Iterator<Item = char> {
    let plain = if character == '\u{130}' { 'i' } else { character };
    plain.to_lowercase()
}

// The key of the annotation of conversions.

/// The domains whose annotations are those of the components of Kubernetes. Those below them belong to the owners of API groups.
const RESERVED: [&str; 2] = ["k8s.io", "kubernetes.io"];

/// The key of the annotations that keep the values that a version cannot hold: a domain, `/`, and a name of at most 46 bytes.
///
/// The domain should belong to the publisher of the objects. It cannot be `k8s.io` or `kubernetes.io`, whose annotations are those of
/// the components of Kubernetes.
///
/// ```
/// use k8s_versioned_names::rules::AnnotationKey;
///
/// "conversion.cluster.x-k8s.io/machine".parse::<AnnotationKey>()?;
/// let error = "k8s.io/kept".parse::<AnnotationKey>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`k8s.io/kept` is not a custom annotation key: `k8s.io` belongs to Kubernetes",
/// );
/// # Ok::<(), k8s_versioned_names::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnnotationKey(String);

impl AnnotationKey {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AnnotationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for AnnotationKey {
    type Err = ParseError;

    fn from_str(key: &str) -> Result<Self, ParseError> {
        let violations = qualified_name(key);
        let mut reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
        match key.split_once('/') {
            None => reasons.push("it must begin with a domain and `/`".to_owned()),
            Some((domain, name)) => {
                reasons.extend(reserved(domain));
                if name.len() > MOST_OF_NAME {
                    let why = format!(
                        "the name has {} bytes, and at most {MOST_OF_NAME} leave room for the names of kept fields",
                        name.len()
                    );
                    reasons.push(why);
                }
            }
        }
        if reasons.is_empty() {
            Ok(Self(key.to_owned()))
        } else {
            Err(ParseError::new(key, "a custom annotation key", reasons.join("; ")))
        }
    }
}

/// The most bytes of the name of such a key: annotations have it with `.` and a digest of 16 digits behind it.
const MOST_OF_NAME: usize = 46;

fn reserved(domain: &str) -> Option<String> {
    RESERVED.contains(&domain).then(|| format!("`{domain}` belongs to Kubernetes"))
}

// Rules, and the part of a text that breaks them.

/// A rule that a text breaks.
///
/// As text it is a sentence: `the part after `/` must not be empty`. [`about`](Self::about) adds the name of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Violation {
    /// The part of the text that breaks the rule.
    pub part: Part,
    /// The rule that the text breaks.
    pub rule: Rule,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The whole text; also a qualified name without a `/`.
    Whole,
    /// The part before the `/`.
    Prefix,
    /// The part after the `/`.
    Name,
}

/// A rule for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the message describes the rule")]
#[non_exhaustive]
pub enum Rule {
    NotEmpty,
    Length(usize),
    Dns1123Label,
    Dns1123Subdomain,
    QualifiedName,
    LabelValue,
    ConfigMapKey,
    OneSlash,
    /// In a URL they are the current folder and its parent.
    NotDots,
    NoDotsInFront,
    Without(char),
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotEmpty => "must not be empty",
            Self::Length(most) => return write!(f, "must have {most} bytes at most"),
            Self::Dns1123Label => {
                "must consist of lower-case letters, digits and `-`, with a letter or digit at both ends, such as \
                 `node-1`"
            }
            Self::Dns1123Subdomain => {
                "must consist of words of lower-case letters, digits and `-`, joined by `.`, each with a letter or \
                 digit at both ends, such as `example.com`"
            }
            Self::QualifiedName => {
                "must consist of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends, such as \
                 `MyName`"
            }
            Self::LabelValue => {
                "must be empty or consist of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends, \
                 such as `MyValue`"
            }
            Self::ConfigMapKey => {
                "must consist of letters, digits, `-`, `_` and `.`, such as `key.name`"
            }
            Self::OneSlash => "must have one `/` at most, such as `example.com/MyName`",
            Self::NotDots => "must not be `.` or `..`",
            Self::NoDotsInFront => "must not start with `..`",
            Self::Without(char) => return write!(f, "must not contain `{char}`"),
        })
    }
}

impl std::error::Error for Rule {}

impl Violation {
    /// The violation as a sentence about `subject`, such as `a label key`.
    ///
    /// ```
    /// let broken = k8s_versioned_names::rules::qualified_name("/x");
    /// assert_eq!(broken[0].about("a label key"), "the part before `/` in a label key must not be empty");
    /// ```
    pub fn about(&self, subject: &str) -> String {
        let rule = self.rule;
        match self.part {
            Part::Whole => format!("{subject} {rule}"),
            Part::Prefix => format!("the part before `/` in {subject} {rule}"),
            Part::Name => format!("the part after `/` in {subject} {rule}"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.part {
            Part::Whole => "it ",
            Part::Prefix => "the part before `/` ",
            Part::Name => "the part after `/` ",
        })?;
        self.rule.fmt(f)
    }
}

/// The rules whose condition holds, as violations by a part.
fn broken<const N: usize>(part: Part, rules: [(bool, Rule); N]) -> Vec<Violation> {
    let broken = rules.into_iter().filter(|(broken, _)| *broken);
    broken.map(|(_, rule)| Violation { part, rule }).collect()
}

#[cfg(test)]
mod key_tests {
    use super::AnnotationKey;

    #[test]
    fn keys() {
        let table = [
            ("conversion.example.internal/thing", true),
            ("notk8s.io/thing", true),
            ("k8s.io.example.com/thing", true),
            ("k8s.io/thing", false),
            ("kubernetes.io/thing", false),
            ("conversion.fruit.k8s.io/thing", true),
            ("a.kubernetes.io/thing", true),
            ("cluster.x-k8s.io/conversion-data", true),
            ("thing", false),
            ("example.com/forty-six-bytes-are-room-for-names-behind-them", true),
            ("example.com/forty-seven-bytes-are-too-many-for-names-behind", false),
            ("", false),
            ("example.com/", false),
            ("/thing", false),
            ("Example.com/thing", false),
            ("example.com/a/b", false),
        ];
        for (key, expected) in table {
            assert_eq!(key.parse::<AnnotationKey>().is_ok(), expected, "{key}");
        }
    }
}
