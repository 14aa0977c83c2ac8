//! `move`: a field that has another name, or is in another part of the object.
//!
//! A field of another name is a step like one without a rule. A field in another part is taken out of the source and put into
//! the target by the innermost struct around both: an assignment in the generated code, without a function of the runtime.

use crate::conversion::pair::PairPlanner;
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::conversion::structs::Side;
use crate::rules::StepName;

impl<'a> PairPlanner<'a, '_> {
    /// The fields that move between parts of this struct: it is the innermost one around both places.
    pub(in crate::conversion) fn moves(
        &self,
        from: &Side<'a, '_>,
        to: &Side<'a, '_>,
    ) -> Vec<(FieldRef, FieldRef)> {
        let rules = self.rules.iter().filter(|rule| rule.stated.rule.value == StepName::Move);
        let of_here = |rule: &Rule<'a>| {
            let (source, target) = (in_version(rule, self.from)?, in_version(rule, self.to)?);
            let [inner, other] = [(source, from), (target, to)].map(|(field, side)| {
                let path = side.path();
                match path.as_str() {
                    "" => Some(field.path.as_str()),
                    path => field.path.strip_prefix(path)?.strip_prefix('.'),
                }
            });
            let (inner, other) = (inner?, other?);
            let first = |path: &str| path.split_once('.').map(|(first, _)| first.to_owned());
            // Another part is around both, or the struct itself has both.
            let elsewhere = match (first(inner), first(other)) {
                (Some(one), Some(two)) => one == two,
                (None, None) => true,
                _ => false,
            };
            (!elsewhere).then(|| (below(source, from), below(target, to)))
        };
        rules.filter_map(of_here).collect()
    }

    /// Checks that a field can move into another part.
    pub(in crate::conversion) fn check_move(&mut self, rule: &Rule<'a>, from: &FieldRef) -> bool {
        let Some(to) = in_version(rule, self.to) else {
            return false;
        };
        if can_move(rule, from, to) {
            rule.has_effect();
            return true;
        }
        let why = format!("`{}` and `{}` are in different parts of the object", from.path, to.path);
        rule.does_not_fit(why, self.problems);
        false
    }

    /// Returns `true` if a field of the source moves to this field of the target.
    pub(in crate::conversion) fn is_moved(&self, rule: &Rule<'a>, to: &FieldRef) -> bool {
        in_version(rule, self.from).is_some_and(|from| can_move(rule, from, to))
    }
}

/// Returns `true` if a field can move into another part: both are in plain structs inside the same items, and of one
/// type.
fn can_move(rule: &Rule<'_>, from: &FieldRef, to: &FieldRef) -> bool {
    let items = |path: &str| path.rsplit_once("[]").map(|(items, _)| items.to_owned());
    rule.stated.rule.value == StepName::Move
        && from.rust_type == to.rust_type
        && items(&from.path) == items(&to.path)
        && !from.optional
        && !to.optional
}

fn in_version<'r>(rule: &'r Rule<'_>, version: &str) -> Option<&'r FieldRef> {
    let found = rule.found.iter().find(|(of, _)| *of == version);
    found.map(|(_, field)| field)
}

/// The field, with the names that lead to it from the struct.
fn below(field: &FieldRef, side: &Side<'_, '_>) -> FieldRef {
    let idents = field.idents.iter().skip(side.prefix.len()).cloned().collect();
    FieldRef { idents, ..field.clone() }
}
