//! Rules, and the part of a text that breaks them.

use std::fmt;

/// A rule that a text breaks.
///
/// As text it is a sentence: `the part after `/` must not be empty`. [`about`](Self::about) adds the name of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SyntaxViolation {
    /// The part of the text that breaks the rule.
    pub part: TextPart,
    /// The rule that the text breaks.
    pub rule: SyntaxRule,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextPart {
    /// The whole text; also a qualified name without a `/`.
    Whole,
    /// The part before the `/`.
    Prefix,
    /// The part after the `/`.
    Name,
}

/// A rule of the syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the message describes the rule")]
#[non_exhaustive]
pub enum SyntaxRule {
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

impl fmt::Display for SyntaxRule {
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

impl std::error::Error for SyntaxRule {}

impl SyntaxViolation {
    /// The violation as a sentence about `subject`, such as `a label key`.
    ///
    /// ```
    /// let broken = k8s_versioned_core::syntax::qualified_name("/x");
    /// assert_eq!(broken[0].about("a label key"), "the part before `/` in a label key must not be empty");
    /// ```
    pub fn about(&self, subject: &str) -> String {
        let rule = self.rule;
        match self.part {
            TextPart::Whole => format!("{subject} {rule}"),
            TextPart::Prefix => format!("the part before `/` in {subject} {rule}"),
            TextPart::Name => format!("the part after `/` in {subject} {rule}"),
        }
    }
}

impl fmt::Display for SyntaxViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.part {
            TextPart::Whole => "it ",
            TextPart::Prefix => "the part before `/` ",
            TextPart::Name => "the part after `/` ",
        })?;
        self.rule.fmt(f)
    }
}

/// The rules whose condition holds, as violations by a part.
pub(super) fn broken<const N: usize>(
    part: TextPart,
    rules: [(bool, SyntaxRule); N],
) -> Vec<SyntaxViolation> {
    let broken = rules.into_iter().filter(|(broken, _)| *broken);
    broken.map(|(_, rule)| SyntaxViolation { part, rule }).collect()
}
