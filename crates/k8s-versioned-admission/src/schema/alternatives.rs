//! Schemas that a value is tried against (`allOf`, `anyOf`, `oneOf`, `not`): silently first.
//!
//! If the steps run out, the result of a trial says nothing about the value.

use serde_json::Value;

use super::check::Judge;
use super::fault::{Fault, ValuePlace};
use super::findings::{Silent, Sink};
use super::tree::{Alternatives, Schema};

/// An alternative that a value does not fit.
#[derive(Clone, Copy)]
struct Tried<'a> {
    schema: &'a Schema,
    /// The checks that passed.
    matches: usize,
    faults: usize,
}

impl Tried<'_> {
    /// This one, unless more checks passed before.
    fn or_better(self, best: Option<Self>) -> Self {
        best.filter(|best| best.matches >= self.matches).unwrap_or(self)
    }
}

impl Judge {
    /// Checks `anyOf`, `oneOf`, `allOf` and `not`. Returns the checks that passed in the alternatives that count.
    pub(super) fn check_alternatives<S: Sink>(
        self,
        place: &ValuePlace<'_>,
        alternatives: &Alternatives,
        value: &Value,
        sink: &mut S,
    ) -> usize {
        let Alternatives { all_of, any_of, one_of, not } = alternatives;
        let mut matches = 0;
        if !any_of.is_empty() {
            matches += self.check_any(place, any_of, value, sink);
        }
        if !one_of.is_empty() {
            matches += self.check_one(place, one_of, value, sink);
        }
        if !all_of.is_empty() {
            matches += self.check_all(place, all_of, value, sink);
        }
        if let Some(not) = not
            && self.tried(place, not, value, sink).faults == 0
            && !sink.meter().is_spent()
        {
            sink.add(|| {
                Fault::plain(
                    place,
                    format!("\"{:#}\" must not validate the schema (not)", place.path),
                )
            });
        }
        matches
    }

    /// Checks an alternative without a report.
    fn tried<'s, S: Sink>(
        self,
        place: &ValuePlace<'_>,
        schema: &'s Schema,
        value: &Value,
        sink: &S,
    ) -> Tried<'s> {
        let mut silent = Silent::new(sink.meter());
        let outcome = self.check_value(schema, value, place.path, None, &mut silent);
        Tried { schema, matches: outcome.matches, faults: silent.faults }
    }

    fn check_any<S: Sink>(
        self,
        place: &ValuePlace<'_>,
        schemas: &[Schema],
        value: &Value,
        sink: &mut S,
    ) -> usize {
        let mut best: Option<Tried<'_>> = None;
        for schema in schemas {
            let tried = self.tried(place, schema, value, sink);
            if tried.faults == 0 || sink.meter().is_spent() {
                return tried.matches;
            }
            best = Some(tried.or_better(best));
        }
        sink.add(|| {
            Fault::plain(
                place,
                format!("\"{:#}\" must validate at least one schema (anyOf)", place.path),
            )
        });
        self.report_best(place, best, value, sink)
    }

    /// Reports the faults of the alternative that fits best. Returns how much of the value fits it.
    fn report_best<S: Sink>(
        self,
        place: &ValuePlace<'_>,
        best: Option<Tried<'_>>,
        value: &Value,
        sink: &mut S,
    ) -> usize {
        let Some(best) = best else { return 0 };
        self.report(place, best, value, sink);
        best.matches
    }

    /// Reports the faults of an alternative. Where they are only counted, they are not looked for again: alternatives in
    /// alternatives would take twice as long with each level.
    fn report<S: Sink>(
        self,
        place: &ValuePlace<'_>,
        tried: Tried<'_>,
        value: &Value,
        sink: &mut S,
    ) {
        if !sink.add_counted(tried.faults) {
            self.check_value(tried.schema, value, place.path, None, sink);
        }
    }

    fn check_one<S: Sink>(
        self,
        place: &ValuePlace<'_>,
        schemas: &[Schema],
        value: &Value,
        sink: &mut S,
    ) -> usize {
        let mut best: Option<Tried<'_>> = None;
        let (mut valid, mut first) = (0, 0);
        for schema in schemas {
            let tried = self.tried(place, schema, value, sink);
            if tried.faults == 0 {
                first = if valid == 0 { tried.matches } else { first };
                (valid, best) = (valid + 1, None);
            } else if valid == 0 {
                best = Some(tried.or_better(best));
            }
        }
        if valid == 1 || sink.meter().is_spent() {
            return first;
        }
        sink.add(|| {
            let valid = match valid {
                0 => "Found none valid".to_owned(),
                valid => format!("Found {valid} valid alternatives"),
            };
            let text = "must validate one and only one schema (oneOf)";
            Fault::plain(place, format!("\"{:#}\" {text}. {valid}", place.path))
        });
        self.report_best(place, best, value, sink)
    }

    fn check_all<S: Sink>(
        self,
        place: &ValuePlace<'_>,
        schemas: &[Schema],
        value: &Value,
        sink: &mut S,
    ) -> usize {
        let (mut matches, mut valid) = (0, 0);
        for schema in schemas {
            let tried = self.tried(place, schema, value, sink);
            if sink.meter().is_spent() {
                return matches;
            }
            matches += tried.matches;
            valid += usize::from(tried.faults == 0);
            if tried.faults > 0 {
                self.report(place, tried, value, sink);
            }
        }
        if valid < schemas.len() {
            sink.add(|| {
                let none = if valid == 0 { ". None validated" } else { "" };
                let text = "must validate all the schemas (allOf)";
                Fault::plain(place, format!("\"{:#}\" {text}{none}", place.path))
            });
        }
        matches
    }
}
