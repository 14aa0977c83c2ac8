//! Rules, and which part of a text breaks them.

use std::fmt;

/// A rule that a text breaks.
///
/// As text it is a sentence: `the part after `/` must not be empty`. [`about`](Self::about) says what the
/// text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// The part of the text that breaks the rule.
    pub part: Part,
    /// The rule.
    pub rule: Rule,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// All of it; a qualified name without a `/`, too.
    Whole,
    /// The part before the `/`.
    Prefix,
    /// The part after the `/`.
    Name,
}

/// A rule for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// It must not be empty.
    NotEmpty,
    /// It must have no more bytes.
    Length {
        /// The most bytes that are allowed.
        most: usize,
    },
    /// It must have a certain form.
    Form(Form),
    /// It must not have more than one `/`.
    OneSlash,
    /// It must not be `.` or `..`, which in a URL are the folder itself and the one above it.
    NotDots,
    /// It must not start with `..`.
    NoDotsInFront,
    /// It must not contain the character.
    Without(char),
}

/// The characters that a text may have, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// A DNS-1123 label.
    Dns1123Label,
    /// A DNS-1123 subdomain.
    Dns1123Subdomain,
    /// The name in a qualified name.
    QualifiedName,
    /// The value of a label.
    LabelValue,
    /// The key of a config map.
    ConfigMapKey,
}

impl Form {
    /// The form in words.
    const fn words(self) -> &'static str {
        match self {
            Self::Dns1123Label => {
                "must consist of lower-case letters, digits and `-`, with a letter or digit at both ends, \
                 such as `node-1`"
            }
            Self::Dns1123Subdomain => {
                "must consist of words of lower-case letters, digits and `-`, joined by `.`, each with a \
                 letter or digit at both ends, such as `example.com`"
            }
            Self::QualifiedName => {
                "must consist of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends, \
                 such as `MyName`"
            }
            Self::LabelValue => {
                "must be empty or consist of letters, digits, `-`, `_` and `.`, with a letter or digit at \
                 both ends, such as `MyValue`"
            }
            Self::ConfigMapKey => {
                "must consist of letters, digits, `-`, `_` and `.`, such as `key.name`"
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEmpty => f.write_str("must not be empty"),
            Self::Length { most } => write!(f, "must have {most} bytes at most"),
            Self::Form(form) => f.write_str(form.words()),
            Self::OneSlash => {
                f.write_str("must have one `/` at most, such as `example.com/MyName`")
            }
            Self::NotDots => f.write_str("must not be `.` or `..`"),
            Self::NoDotsInFront => f.write_str("must not start with `..`"),
            Self::Without(character) => write!(f, "must not contain `{character}`"),
        }
    }
}

impl Violation {
    /// The violation as a sentence about something, such as `a label key`.
    ///
    /// ```
    /// let broken = k8s_versioned::names::qualified_name("/x");
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
