//! The findings of a comparison.

use serde::Serialize;
use serde_json::Value;

use super::{Class, Rule};
use crate::Place;

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The kind of change.
    #[serde(flatten)]
    pub rule: Rule,
    /// The changed thing, such as `v1beta1 LeaseCandidate.spec`.
    pub subject: String,
    /// The old value, if one is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value, if one is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The effects on programs, the gravest first; never empty.
    pub classes: Vec<Class>,
    /// The operations that it reaches.
    pub reaches: Vec<Tree>,
    /// An object that shows the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// The place in the new document; in the old one for a thing that was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl Finding {
    pub(super) fn new(rule: Rule, subject: impl Into<String>, classes: Vec<Class>) -> Self {
        Self {
            rule,
            subject: subject.into(),
            old: None,
            new: None,
            classes,
            reaches: Vec::new(),
            witness: None,
            place: None,
        }
    }

    pub(super) fn with_values(
        mut self,
        old: impl Into<Option<String>>,
        new: impl Into<Option<String>>,
    ) -> Self {
        (self.old, self.new) = (old.into(), new.into());
        self
    }

    pub(super) fn at(mut self, place: &Place) -> Self {
        self.place = Some(place.clone());
        self
    }

    /// The key of the finding among the findings of a comparison: the rule's identifier and the subject.
    pub fn key(&self) -> String {
        format!("{} {}", self.rule.id, self.subject)
    }

    /// The change in one line.
    pub fn headline(&self) -> String {
        let Self { subject, old, new, .. } = self;
        match (old, new) {
            (None, None) => subject.clone(),
            (Some(old), None) => format!("{subject}: was {old}"),
            (None, Some(new)) => format!("{subject}: {new}"),
            (Some(old), Some(new)) => format!("{subject}: {old} \u{2192} {new}"),
        }
    }
}

/// A line of text, with lines below it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Tree {
    /// The line.
    pub text: String,
    /// The lines below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Tree>,
}

impl Tree {
    /// A line with none below it.
    pub fn leaf(text: impl Into<String>) -> Self {
        let (text, children) = (text.into(), Vec::new());
        Self { text, children }
    }
}

/// An object that shows a change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Witness {
    /// The object, as a request would hold it.
    pub object: Value,
    /// The verdict of the old document.
    pub old: &'static str,
    /// The verdict of the new document.
    pub new: &'static str,
}
