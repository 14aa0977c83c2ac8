//! `move`: a field that has another name, or is in another part of the object.
//!
//! A field of another name is a step like one without a rule. A field in another part is taken out of the source and put into
//! the target by the innermost struct around both: an assignment in the generated code, without a function of the runtime.

use crate::conversion::pair::PairPlanner;
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::conversion::structs::Side;
use crate::problem::StepName;
use crate::rules::paths;

impl<'a> PairPlanner<'a, '_> {
    /// The fields that move between parts of this struct: it is the innermost one around both places.
    pub(in crate::conversion) fn moves(
        &self,
        from: &Side<'a, '_>,
        to: &Side<'a, '_>,
    ) -> Vec<(FieldRef, FieldRef)> {
        let rules = self.rules.iter().filter(|rule| rule.stated.rule.value == StepName::Move);
        let of_here = |rule: &Rule<'a>| {
            let (source, target) = (rule.in_version(self.from)?, rule.in_version(self.to)?);
            // Objects with other names, of which one becomes the other, move what is in them.
            if !can_move(rule, source, target) {
                return None;
            }
            let [inner, other] = [(source, from), (target, to)]
                .map(|(field, side)| paths::inside(&field.path, &side.path()));
            let (inner, other) = (inner?, other?);
            let first = |path: &str| match paths::segments(path).as_slice() {
                [first, _, ..] => Some((*first).to_owned()),
                _ => None,
            };
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
        let Some(to) = rule.in_version(self.to) else {
            return false;
        };
        if can_move(rule, from, to) {
            if let Some(object) = self.kept_around(from, to) {
                let why = format!(
                    "`{object}` is kept aside as a whole, so no field moves into it or out of it: give it the rule `nest` \
                     instead, beside this `move`"
                );
                rule.does_not_fit(why, self.problems);
            }
            rule.has_effect();
            return true;
        }
        // The pair of the other direction has the same reason.
        let (one, other) = (from.path.as_str().min(&to.path), from.path.as_str().max(&to.path));
        let why = format!("`{one}` and `{other}` are in different parts of the object");
        rule.does_not_fit(why, self.problems);
        false
    }

    /// An object around one of these fields that the other version does not have, because a rule keeps it aside.
    fn kept_around(&self, from: &FieldRef, to: &FieldRef) -> Option<&str> {
        let keeps = |rule: &&Rule<'a>| rule.stated.rule.value == StepName::KeepAside;
        let sides = [(self.from, from, self.to), (self.to, to, self.from)];
        self.rules.iter().filter(keeps).find_map(|rule| {
            sides.iter().find_map(|(version, field, other)| {
                let object = rule.in_version(version)?;
                let is_alone = rule.in_version(other).is_none();
                let is_around = field.path != object.path && is_inside(&field.path, &object.path);
                (is_alone && is_around).then_some(object.path.as_str())
            })
        })
    }

    /// Returns `true` if a field of the source moves to this field of the target.
    pub(in crate::conversion) fn is_moved(&self, rule: &Rule<'a>, to: &FieldRef) -> bool {
        rule.in_version(self.from).is_some_and(|from| can_move(rule, from, to))
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

fn is_inside(path: &str, object: &str) -> bool {
    paths::inside(path, object).is_some()
}

/// The field, with the names that lead to it from the struct.
fn below(field: &FieldRef, side: &Side<'_, '_>) -> FieldRef {
    let idents = field.idents.iter().skip(side.prefix.len()).cloned().collect();
    FieldRef { idents, ..field.clone() }
}
