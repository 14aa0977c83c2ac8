//! Objects around moved fields: whether they are there is decided after the moves.

use super::plan::{FieldRef, Mapping, Step};
use super::structs::Side;

/// The sub-objects of `nest` around objects of which the moves decide whether they are there, inner ones first. They are marked among
/// the steps.
pub(super) fn decided_last(steps: &mut [Step], objects: &[Step], to: &Side<'_, '_>) -> Vec<Step> {
    let mut nested = Vec::new();
    for step in steps {
        let target = step.to.clone();
        match &mut step.how {
            Mapping::Part { pair, rule: None, .. } => {
                nested.extend(decided_last(&mut pair.steps, objects, to));
            }
            Mapping::Nest(by_rule, inner) => {
                nested.extend(decided_last(&mut inner.steps, objects, to));
                let (Some(by_rule), Some(target)) = (by_rule, target) else {
                    continue;
                };
                let is_around = |object: &Step| {
                    let object = object.to.as_ref();
                    object.is_some_and(|object| object.path.inside(&target.path).is_some())
                };
                if objects.iter().any(is_around) {
                    let (how, places) = (Mapping::Rule(by_rule.clone()), step.places.clone());
                    let to = Some(below(&target, to));
                    nested.push(Step { to, how, places, ..Step::default() });
                    step.is_decided_last = true;
                }
            }
            Mapping::Flatten(_, inner) => {
                nested.extend(decided_last(&mut inner.steps, objects, to));
            }
            _ => {}
        }
    }
    nested
}

/// The field, with the names that lead to it from the struct.
pub(super) fn below(field: &FieldRef, side: &Side<'_, '_>) -> FieldRef {
    let depth = side.prefix.len();
    let idents = field.idents.iter().skip(depth).cloned().collect();
    let options = field.options.iter().skip(depth).copied().collect();
    FieldRef { idents, options, ..field.clone() }
}

/// The step with the names that lead to its fields from the structs.
pub(super) fn inside(step: Step, (from, to): (&Side<'_, '_>, &Side<'_, '_>)) -> Step {
    Step {
        from: step.from.as_ref().map(|field| below(field, from)),
        to: step.to.as_ref().map(|field| below(field, to)),
        ..step
    }
}
