//! Schemas that a value is tried against (`allOf`, `anyOf`, `oneOf`, `not`): silently first.
//!
//! If the steps run out, the result of a trial says nothing about the value.

use serde_json::Value;

use super::check::Judge;
use super::fault::{Fault, ValuePlace};
use super::findings::{Silent, Sink};
use super::tree::{Alternatives, Schema};
use crate::meter::Meter;
use crate::path::Path;

/// An alternative that a value does not fit.
#[derive(Clone, Copy)]
struct Tried<'a> {
    schema: &'a Schema,
    /// The checks that passed.
    matches: usize,
    faults: usize,
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
            && self.quietly(not, value, place.path, sink.meter()).1 == 0
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

    /// Returns the number of passed checks and of faults.
    fn quietly(
        self,
        schema: &Schema,
        value: &Value,
        path: &Path<'_>,
        meter: &Meter,
    ) -> (usize, usize) {
        let mut silent = Silent::new(meter);
        let outcome = self.check_value(schema, value, path, None, &mut silent);
        (outcome.matches, silent.faults)
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
            let (matches, faults) = self.quietly(schema, value, place.path, sink.meter());
            if faults == 0 || sink.meter().is_spent() {
                return matches;
            }
            if best.is_none_or(|best| matches > best.matches) {
                best = Some(Tried { schema, matches, faults });
            }
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
            let (matches, faults) = self.quietly(schema, value, place.path, sink.meter());
            if faults == 0 {
                first = if valid == 0 { matches } else { first };
                (valid, best) = (valid + 1, None);
            } else if valid == 0 && best.is_none_or(|best| matches > best.matches) {
                best = Some(Tried { schema, matches, faults });
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
            let (passed, faults) = self.quietly(schema, value, place.path, sink.meter());
            if sink.meter().is_spent() {
                return matches;
            }
            matches += passed;
            valid += usize::from(faults == 0);
            if faults > 0 {
                self.report(place, Tried { schema, matches: passed, faults }, value, sink);
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
