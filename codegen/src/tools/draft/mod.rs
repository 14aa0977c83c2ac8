//! Drafts of rules: for kinds that have several versions and no rules yet, and for what problems ask for (`proposals`).

mod draft_rules;
mod guesses;
mod kind_draft;
mod proposals;
mod question;
mod replaced;
mod rule;
mod shared;
mod to_state;
mod written;

use std::cell::Cell;
use std::fmt;

use draft_rules::Draft;
use guesses::Guesser;

use crate::conversion::{self, KindConversion, Structs, Unconverted};
use crate::{Plans, Problems};

pub use proposals::proposals;

/// Drafts the rules for the kinds of a project that have several versions and no rules.
pub struct Drafter<'a> {
    kinds: Vec<Unconverted>,
    structs: Structs<'a>,
    /// The conversions of the kinds that have rules.
    conversions: &'a [KindConversion],
    /// Whether rules name the group of a kind.
    names_groups: bool,
    /// The number of plans that were made, and of fields that were compared: what a draft costs.
    work: Cell<usize>,
}

impl<'a> Drafter<'a> {
    /// For the kinds of these plans.
    pub fn new(plans: &'a Plans) -> Self {
        let Plans { items, rules, conversions, .. } = plans;
        let (kinds, structs) = (conversion::unconverted(items, rules), Structs::new(items));
        let names_groups = rules.group.groups.len() != 1;
        Self { kinds, structs, conversions, names_groups, work: Cell::new(0) }
    }

    /// Rules for each kind, and those that several kinds share, as TOML. With `explain`, comments show the types of each field.
    ///
    /// # Errors
    /// A draft itself cannot be read, which is a bug.
    pub fn drafts(&self, explain: bool) -> Result<Vec<String>, Problems> {
        let guesser = |kind: &Unconverted| Guesser::new(&kind.group, &kind.kind, &self.structs);
        let guessers: Vec<Guesser<'_>> = self.kinds.iter().map(guesser).collect();
        let drafts = self.kinds.iter().zip(&guessers);
        let drafts = drafts.map(|(kind, guesser)| self.draft(kind, guesser));
        let mut drafts = drafts.collect::<Result<Vec<_>, _>>()?;
        self.take_back_embedded(&mut drafts)?;
        let shared = shared::take(&mut drafts);
        let of_kinds = drafts.iter().zip(&guessers);
        let of_kinds =
            of_kinds.map(|(draft, guesser)| draft.written(explain.then_some(guesser)).text);
        let explains = explain.then_some(&*guessers);
        let shared = shared.iter().map(|shared| shared.written(&drafts, explains));
        Ok(of_kinds.chain(shared).collect())
    }

    /// Rules for a kind without conversions, as TOML. Each problem is answered by a rule that loses no value.
    ///
    /// Where exactly one other rule fits, it is guessed, with the reason as a comment; a person has to check it. Guesses lose no
    /// value.
    fn draft<'d>(
        &'d self,
        kind: &'d Unconverted,
        guesser: &Guesser<'_>,
    ) -> Result<Draft<'d>, Problems> {
        let group = self.names_groups.then_some(kind.group.as_str());
        let mut draft = Draft::new(kind, group, &self.structs, &self.work);
        let planned = draft.complete()?;
        draft.guess(guesser, planned)?;
        self.work.set(self.work.get() + guesser.compared());
        Ok(draft)
    }

    /// Takes back the guesses that a value is an object of another kind, if the rules of that kind do not
    /// convert the object on its own, or leave it as it is.
    fn take_back_embedded(&self, drafts: &mut [Draft<'_>]) -> Result<(), Problems> {
        if !drafts.iter().any(Draft::has_embedded) {
            return Ok(());
        }
        let mut planned = self.conversions.to_vec();
        for draft in &*drafts {
            planned.extend(draft.clone().complete()?);
        }
        for (kind, embedded) in conversion::unused_embedded(&planned) {
            let of_kind = |draft: &&mut Draft<'_>| {
                (&draft.kind.group, &draft.kind.kind) == (&kind.group, &kind.kind)
            };
            if let Some(draft) = drafts.iter_mut().find(of_kind) {
                draft.take_back(embedded)?;
            }
        }
        Ok(())
    }

    /// The work so far: the steps of all plans that were tried, and the comparisons of two fields.
    pub fn work(&self) -> usize {
        self.work.get()
    }
}

impl fmt::Debug for Drafter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drafter").field("work", &self.work).finish_non_exhaustive()
    }
}
