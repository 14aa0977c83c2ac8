//! A row of the table of keywords, and when it applies.

use k8s_versioned_core::Release;

use crate::definition::check_defaults::Limits;
use crate::definition::part::Part;
use crate::schema::Schema;

/// The effect of a keyword on servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum KeywordEffect {
    /// Servers accept the keyword and apply it.
    Fine,
    /// Servers accept the definition, but ignore the keyword, or no value fits it.
    Meaningless,
    /// Servers refuse the definition. They still serve it if an older server stored it.
    Refused,
}

/// A row of [`KEYWORDS`](super::KEYWORDS).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Keyword {
    /// The keyword; `*` is any keyword that schemas do not have.
    pub name: &'static str,
    /// When the row applies; empty if always.
    pub when: &'static str,
    /// The effect.
    pub effect: KeywordEffect,
    /// Why, or what happens instead.
    pub why: &'static str,
    /// A schema of a field for which the row applies, as JSON.
    pub example: &'static str,
    /// Whether the row applies to schemas that lack the keyword, not to those that have it.
    pub(super) is_of_absent: bool,
    /// Whether the row is about schemas without a type that servers know.
    pub(super) is_of_unknown_type: bool,
    pub(super) applies: Applies,
}

/// When a row applies to a schema that has the keyword.
#[derive(Clone, Copy, Debug)]
pub(super) enum Applies {
    Always,
    Never,
    /// The type is another one than these.
    OtherType(&'static [&'static str]),
    When(fn(&Node<'_>) -> bool),
}

/// A schema and its place.
pub(super) struct Node<'a> {
    pub(super) schema: Part<'a>,
    pub(super) release: Release,
    /// The schema of a version.
    pub(super) root: bool,
    /// In `allOf`, `anyOf`, `oneOf` or `not`.
    pub(super) nested: bool,
    /// One of the two alternatives of an integer or a text.
    pub(super) int_or_string: bool,
    /// The type, also of the schema that the alternatives are for; empty if it is not known.
    pub(super) of_type: &'a str,
    /// The schema compiled, if it or one around it has a default.
    pub(super) compiled: Option<&'a Schema>,
    /// What the defaults of the definition may take together.
    pub(super) limits: &'a Limits,
}

impl Node<'_> {
    pub(super) fn is_type(&self, names: &[&str]) -> bool {
        self.of_type.is_empty()
            || self.schema.is("x-kubernetes-int-or-string")
            || names.contains(&self.of_type)
    }

    pub(super) fn is_for(&self, row: &Keyword) -> bool {
        match row.applies {
            Applies::Always => true,
            Applies::Never => false,
            Applies::OtherType(types) => !self.is_type(types),
            Applies::When(applies) => applies(self),
        }
    }

    /// Returns `true` if the second limit is less than the first, or negative.
    pub(super) fn has_no_room(&self, least: &str, most: &str) -> bool {
        self.schema.number(most).is_some_and(|most| most < 0.0) || self.above(least, most)
    }

    pub(super) fn above(&self, least: &str, most: &str) -> bool {
        let (least, most) = (self.schema.number(least), self.schema.number(most));
        least.zip(most).is_some_and(|(least, most)| least > most)
    }
}
