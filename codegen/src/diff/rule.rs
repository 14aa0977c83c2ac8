//! Kinds of changes.

use super::Class::{self, NoEffect};

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
        let gravest = classes.first().copied().unwrap_or(NoEffect);
        let told = |class: &Class| class.breaks() || *class == gravest;
        classes.retain(told);
        if classes.is_empty() {
            classes.push(NoEffect);
        }
        classes
    }
}
