//! Guesses of drafts: rules that a person may mean for fields that some versions lack, or whose words differ.
//!
//! A guess rests on names, types and checks, never on descriptions. Where two fields are equally good, none is chosen. Fields are only
//! compared with those that an index of their names finds, so the work grows with the number of fields.

mod below;
mod common_fields;
mod elsewhere;
mod embedded;
mod enum_words;
mod guess;
mod kept;
mod likeness;
mod name_words;
mod nests;
mod pairs;
mod references;
mod relation;

use below::nested_below;
pub(super) use guess::{Guess, Guessed, Names, ToState};
use kept::{Beside, Kept, Renamed};
pub(super) use kept::{Guesser, PathsByRules};
use nests::{Nested, best_nested};
pub(super) use references::{is_of_reference, kind_of_reference};

impl<'a> Guesser<'a> {
    /// Guesses about fields that are kept aside so far, the best ones first. `renamed` are the fields that other rules are about.
    pub(super) fn about_kept(&self, kept: &[Names], renamed: &[Names]) -> Vec<Guess> {
        let renamed = Renamed::new(renamed);
        let fields = kept.iter().filter_map(|names| self.kept(names, &renamed));
        let fields: Vec<Kept<'_, 'a>> = fields.collect();
        let beside = Beside::new(&fields);
        let nested: Vec<Nested> =
            fields.iter().filter_map(|field| self.nest(field, &beside)).collect();
        let best = best_nested(&nested);
        let nested = nested.into_iter().zip(best).filter(|(_, is_best)| *is_best);
        let nested: Vec<Guess> = nested.map(|(nested, _)| nested.guess).collect();
        let below = fields.iter().filter_map(|field| Some((field, self.below(field, &beside)?)));
        let versions: Vec<&String> = self.objects.keys().collect();
        let below: Vec<Guess> = below
            .flat_map(|(field, guess)| [nested_below(&guess, &field.around, &versions), guess])
            .collect();
        let outside = fields.iter().filter_map(|field| self.outside(field));
        let references = fields.iter().filter_map(|field| self.reference(field, &renamed));
        let all = nested.into_iter().chain(outside).chain(below).chain(self.pairs(&fields));
        let all = all.chain(references).chain(self.elsewhere(&fields, &renamed));
        all.chain(self.embedded(&renamed)).collect()
    }
}
