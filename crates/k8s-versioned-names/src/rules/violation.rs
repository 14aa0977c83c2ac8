//! Rules, and the part of a text that breaks them.

use std::fmt;

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
    /// They are the current folder and its parent in a URL.
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
pub(super) fn broken<const N: usize>(part: Part, rules: [(bool, Rule); N]) -> Vec<Violation> {
    let broken = rules.into_iter().filter(|(broken, _)| *broken);
    broken.map(|(_, rule)| Violation { part, rule }).collect()
}
