//! What a draft cannot know: values that only a person can state, and words without a counterpart.

use std::fmt::Write as _;

use toml::Value;

use super::draft_rules::Draft;
use super::guesses::{Guesser, Names, ToState, is_of_reference, kind_of_reference};
use super::question::{FALLBACK, Question};
use crate::Problems;
use crate::conversion::{KindConversion, RuleKind, names};
use crate::plan::code;
use crate::problem::{Cause, ConversionCause, StatedBy};
use crate::text::join;

const FILL: &str = "fill";
const REST: &str = "rest";

impl Draft<'_> {
    /// Gives each field that every object of a version has, and others lack, a value that servers accept; `false` if there are none.
    /// A reference gets no value but a kind that its name says.
    pub(super) fn fill(&mut self, warnings: &Problems) -> bool {
        let (mut is_new, positions) = (false, self.positions());
        for problem in warnings.iter() {
            let (field, value) = match &problem.cause {
                Cause::Conversion(ConversionCause::EveryObjectRejected {
                    field, value, ..
                }) => (field, Value::try_from(value).ok()),
                Cause::Conversion(ConversionCause::RequiredWithoutFill { field, .. }) => {
                    (field, None)
                }
                _ => continue,
            };
            let of_kind = kind_of_reference(field).map(Value::from);
            let why = if of_kind.is_some() {
                "the name of the reference says this kind"
            } else {
                "every object needs a value, and servers accept this one"
            };
            let Some(value) = of_kind.or(value.filter(|_| !is_of_reference(field))) else {
                continue;
            };
            let rule = positions.get(field).and_then(|index| self.rules.get_mut(*index));
            let open = rule.filter(|rule| rule.kind == names::KEEP_ASIDE && rule.keys.is_empty());
            if let Some(rule) = open {
                rule.keys.push((FILL, value));
                rule.to_state.push(ToState { key: FILL, why: why.to_owned() });
                is_new = true;
            }
        }
        is_new
    }

    /// Notes the values that a person has to state, by the warnings about the conversions.
    pub(super) fn note_values(&mut self, planned: &KindConversion, guesser: &Guesser<'_>) {
        let (rules, positions) = (self.names(), self.positions());
        let at = |field: &str| positions.get(field).copied();
        let paths = guesser.paths(&rules);
        for problem in planned.warnings.iter() {
            let Cause::Conversion(cause) = &problem.cause else { continue };
            match cause {
                ConversionCause::EveryObjectRejected { field, others, .. }
                | ConversionCause::RequiredWithoutFill { field, others, .. } => {
                    let others = join(others, " and ");
                    let why = format!("servers require it, and objects of {others} have none");
                    self.note_value(at(field), &[FILL], &why);
                }
                ConversionCause::MadeUpRejected { field, value, check, stated_by, .. } => {
                    let mut why =
                        format!("where no value fits, it is {value}, which breaks {check}");
                    if *stated_by == StatedBy::EmptyFill {
                        let _ = write!(why, "; as a `fill` it says that the field may be empty");
                    }
                    self.note_value(at(field), &[FILL, FALLBACK], &why);
                }
                ConversionCause::WithoutRest { field, .. } => {
                    let why = "without it, a text ends with the separator where none is kept";
                    self.note_value(at(field), &[REST], why);
                }
                ConversionCause::WordsRejected { field, words, others, .. } => {
                    let names = self.names_of(field, &positions, &paths);
                    self.note_words((field, at(field), names), words, others);
                }
                _ => {}
            }
        }
    }

    /// Notes the first of these keys that a rule can have.
    fn note_value(&mut self, at: Option<usize>, keys: &[&'static str], why: &str) {
        let Some(rule) = at.and_then(|index| self.rules.get_mut(index)) else {
            return;
        };
        let kind = RuleKind::named(rule.kind);
        let takes = |key: &&&'static str| {
            kind.is_some_and(|kind| kind.keys.iter().any(|known| known.name == **key))
        };
        if let Some(key) = keys.iter().find(takes) {
            let to_state = ToState { key, why: why.to_owned() };
            if !rule.to_state.contains(&to_state) {
                rule.to_state.push(to_state);
            }
        }
    }

    /// Notes words that versions do not know: at the rule `words` of the field, or as a question.
    fn note_words(
        &mut self,
        (field, at, names): (&str, Option<usize>, Names),
        words: &[String],
        versions: &[String],
    ) {
        let words = join(words.iter().map(|word| code(word)), " and ");
        let unknown = join(versions, " and ");
        let why = format!("servers of {unknown} refuse {words} of {}", code(field));
        let rule = at.and_then(|index| self.rules.get(index));
        if rule.is_some_and(|rule| rule.kind == names::WORDS) {
            self.note_value(at, &[FALLBACK], &why);
            return;
        }
        match self.questions.iter_mut().find(|question| question.names == names) {
            Some(known) => {
                known.versions.extend(versions.iter().cloned());
                known.why = format!("{}; {why}", known.why);
            }
            None => self.questions.push(Question { names, versions: versions.to_vec(), why }),
        }
    }
}
