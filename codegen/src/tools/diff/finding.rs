//! The findings of a comparison.

use std::fmt;

use k8s_versioned_core::quoted::OneLine;
use litemap::LiteMap;
use serde::Serialize;

use crate::Place;
use crate::text::join;

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiffFinding {
    /// The kind of change.
    #[serde(flatten)]
    pub rule: ChangeKind,
    /// What changed, such as `v1beta1 LeaseCandidate.spec`.
    pub subject: String,
    /// The old value, if one is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value, if one is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The effects on programs, the gravest first; never empty.
    pub classes: Vec<Class>,
    /// The fields of kinds that hold what changed, such as `v1 Pod.spec`, or the operations of a kind. A change of a kind itself
    /// reaches all of its operations, and has none here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reaches: Vec<String>,
    /// The place in the new document; in the old one for something that was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl DiffFinding {
    /// Returns `true` for the same change in another operation, or in the documents of another group.
    pub fn is_same(&self, other: &Self) -> bool {
        let Self { rule, subject, old, new, .. } = self;
        (rule.id, subject, old, new) == (other.rule.id, &other.subject, &other.old, &other.new)
    }

    /// A change of something that these bodies can hold.
    pub(super) fn new(rule: ChangeKind, subject: String, bodies: Bodies) -> Self {
        Self {
            rule,
            subject,
            old: None,
            new: None,
            classes: rule.classes(bodies.requests, bodies.responses),
            reaches: Vec::new(),
            place: None,
        }
    }

    pub(super) fn with_reach(mut self, reaches: Vec<String>) -> Self {
        self.reaches = reaches;
        self
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

    /// The effects in words, and why the change has them.
    pub fn effects(&self) -> String {
        format!("{}: {}", Class::phrase(&self.classes), self.rule.reason)
    }

    /// The key of the finding among the findings of a comparison: the rule's identifier and the change. A field can have two changes
    /// of one kind, such as limits.
    pub fn key(&self) -> String {
        self.key_in(str::to_owned)
    }

    /// The key, with texts of documents as `shown` writes them.
    pub(super) fn key_in(&self, shown: Shown) -> String {
        format!("{} {}", self.rule.id, self.headline_in(shown))
    }

    /// The change in one line.
    pub fn headline(&self) -> String {
        self.headline_in(str::to_owned)
    }

    /// The change in one line, with texts of documents as `shown` writes them.
    pub(super) fn headline_in(&self, shown: Shown) -> String {
        let subject = &shown(&self.subject);
        let [old, new] = [&self.old, &self.new].map(|value| value.as_deref().map(shown));
        let text = match (&old, &new) {
            (None, None) => subject,
            (Some(old), None) => &format!("{subject}: was {old}"),
            (None, Some(new)) => &format!("{subject}: {new}"),
            (Some(old), Some(new)) => &format!("{subject}: {old} \u{2192} {new}"),
        };
        OneLine(text).to_string()
    }
}

/// How a report writes a text of a document.
pub(super) type Shown = fn(&str) -> String;

/// The bodies that can hold what changed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bodies {
    pub(super) requests: bool,
    pub(super) responses: bool,
}

impl Bodies {
    pub(super) const ALL: Self = Self { requests: true, responses: true };
    pub(super) const REQUESTS: Self = Self { requests: true, responses: false };
    pub(super) const RESPONSES: Self = Self { requests: false, responses: true };
}

// The kinds of changes, and their effects on programs.

/// The effect of a change on programs, the gravest first. It displays as a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A request that was accepted can be refused, or has another effect.
    BreaksWriters,
    /// A program that reads responses can fail or misread them.
    BreaksReaders,
    /// A server-side apply can be refused, or gets other owners of fields.
    BreaksApply,
    /// A program with the generated package can fail to compile.
    BreaksPrograms,
    /// The documents do not state the effect.
    Unknown,
    /// All that was valid stays valid, and a response may have more.
    Wider,
    /// Something is new, and every program still works.
    Compatible,
    /// Nothing changes in requests and responses.
    NoEffect,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            Words::BreakingFor(party) => write!(f, "breaking for {party}"),
            Words::Phrase(phrase) => f.write_str(phrase),
        }
    }
}

/// A class in words.
enum Words {
    /// Whom the change breaks.
    BreakingFor(&'static str),
    Phrase(&'static str),
}

impl Class {
    /// All effects.
    pub const ALL: [Self; 8] = [
        Self::BreaksWriters,
        Self::BreaksReaders,
        Self::BreaksApply,
        Self::BreaksPrograms,
        Self::Unknown,
        Self::Wider,
        Self::Compatible,
        Self::NoEffect,
    ];

    fn words(self) -> Words {
        match self {
            Self::BreaksWriters => Words::BreakingFor("writers"),
            Self::BreaksReaders => Words::BreakingFor("readers"),
            Self::BreaksApply => Words::BreakingFor("server-side apply"),
            Self::BreaksPrograms => Words::BreakingFor("programs with the package"),
            Self::Unknown => Words::Phrase("of unknown effect"),
            Self::Wider => Words::Phrase("wider for readers"),
            Self::Compatible => Words::Phrase("compatible"),
            Self::NoEffect => Words::Phrase("without effect"),
        }
    }

    /// Whom the change breaks.
    fn party(self) -> Option<&'static str> {
        match self.words() {
            Words::BreakingFor(party) => Some(party),
            Words::Phrase(_) => None,
        }
    }

    /// Several effects as one phrase: `breaking for writers, readers`.
    pub(super) fn phrase(classes: &[Self]) -> String {
        let parties = join(classes.iter().filter_map(|class| class.party()), ", ");
        if parties.is_empty() { join(classes, ", ") } else { format!("breaking for {parties}") }
    }

    /// Returns `true` if a program can stop working.
    pub fn breaks(self) -> bool {
        self <= Self::BreaksPrograms
    }
}

/// A kind of change: its identifier and its effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ChangeKind {
    /// The identifier, which never changes its meaning.
    pub id: &'static str,
    /// The effects if requests hold what changed.
    #[serde(skip)]
    pub in_requests: &'static [Class],
    /// The effects if responses hold what changed.
    #[serde(skip)]
    pub in_responses: &'static [Class],
    /// Why the change has these effects.
    pub reason: &'static str,
}

impl ChangeKind {
    /// The classes of a change that requests, responses or both can hold.
    pub(super) fn classes(&self, in_requests: bool, in_responses: bool) -> Vec<Class> {
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
        classes.retain(|class| class.breaks() || *class == gravest);
        if classes.is_empty() {
            classes.push(Class::NoEffect);
        }
        classes
    }
}

/// The values of each key on the old and the new side: first the keys of the old side, then the keys that only the new side has.
pub(super) fn pairs<'a, K: Ord, V>(
    old: &'a LiteMap<K, V>,
    new: &'a LiteMap<K, V>,
) -> Vec<(&'a K, Option<&'a V>, Option<&'a V>)> {
    let mut pairs = Vec::new();
    for (key, was) in old {
        pairs.push((key, Some(was), new.get(key)));
    }
    for (key, is) in new.iter().filter(|(key, _)| !old.contains_key(key)) {
        pairs.push((key, None, Some(is)));
    }
    pairs
}
