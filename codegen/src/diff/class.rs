//! The kinds of changes, and their effects on programs.

use serde::Serialize;
use strum::{Display, VariantArray};

/// The effect of a change on programs, the gravest first. It displays as a phrase.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Display, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A program that reads responses can fail or misread them.
    #[strum(to_string = "breaking for readers")]
    BreaksReaders,
    /// A request that was accepted can be refused, or has another effect.
    #[strum(to_string = "breaking for writers")]
    BreaksWriters,
    /// A server-side apply can be refused, or gets other owners of fields.
    #[strum(to_string = "breaking for server-side apply")]
    BreaksApply,
    /// The documents do not state the effect.
    #[strum(to_string = "of unknown effect")]
    Unknown,
    /// Something is new, and every program still works.
    #[strum(to_string = "compatible")]
    Compatible,
    /// Nothing changes in requests and responses.
    #[strum(to_string = "without effect")]
    NoEffect,
}

impl Class {
    /// Returns `true` if a program can stop working.
    pub fn breaks(self) -> bool {
        matches!(self, Self::BreaksReaders | Self::BreaksWriters | Self::BreaksApply)
    }
}

/// A kind of change: its identifier and its effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Rule {
    /// The identifier, which never changes its meaning.
    pub id: &'static str,
    /// The effects if requests hold the changed thing.
    #[serde(skip)]
    pub in_requests: &'static [Class],
    /// The effects if responses hold the changed thing.
    #[serde(skip)]
    pub in_responses: &'static [Class],
    /// The reason.
    pub reason: &'static str,
}

impl Rule {
    /// All kinds of changes.
    pub fn all() -> &'static [Self] {
        super::catalogue::ALL
    }

    /// The classes of a change that requests, responses or both can hold.
    pub fn classes(&self, in_requests: bool, in_responses: bool) -> Vec<Class> {
        let sides = [(in_requests, self.in_requests), (in_responses, self.in_responses)];
        let mut classes: Vec<Class> = sides
            .into_iter()
            .filter(|(holds, _)| *holds)
            .flat_map(|(_, classes)| classes.iter().copied())
            .collect();
        classes.sort_unstable();
        classes.dedup();
        // A change that breaks one side is not compatible because of the other.
        let gravest = classes.first().copied().unwrap_or(Class::NoEffect);
        let told = |class: &Class| class.breaks() || *class == gravest;
        classes.retain(told);
        if classes.is_empty() {
            classes.push(Class::NoEffect);
        }
        classes
    }
}
