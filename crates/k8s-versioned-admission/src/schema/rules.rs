//! Judges the rules of CEL in a schema for a value.

use serde_json::{Map, Value};

use super::old_values::{Compared, OldItems};
use super::{Additional, ListType, Schema};
use crate::answer::{Causes, Checked, MOST_CAUSES, NotJudged, RefusalCause, ServerWarning};
use crate::path::Path;
use k8s_cel::{Budget, RuleOutcome, RuleViolation};

/// The old values of a part.
#[derive(Clone, Copy, Default)]
pub(crate) struct Old<'a> {
    /// The value of `oldSelf`.
    value: Option<&'a Value>,
    /// The part, if it has an old value with which it can be equal.
    part: Option<&'a Compared<'a>>,
    /// The nearest part around this part that has such an old value.
    around: Option<&'a Compared<'a>>,
}

impl<'a> Old<'a> {
    /// An old value that only `oldSelf` reads.
    pub(crate) const fn value(value: &'a Value) -> Self {
        Self { value: Some(value), part: None, around: None }
    }

    pub(crate) const fn whole(object: &'a Compared<'a>) -> Self {
        Self { value: Some(object.values.old), part: Some(object), around: None }
    }

    /// Returns `true` if a failed rule that does not use the old value is only a warning.
    fn is_unchanged(self) -> bool {
        self.part.or(self.around).is_some_and(Compared::is_equal)
    }

    /// A member that has an old value with which it can be equal.
    fn member(self, name: &str) -> Option<Compared<'a>> {
        self.part?.values.member(name).filter(|_| !self.is_type(name)).map(Compared::new)
    }

    /// `apiVersion` and `kind` of the object have no old value: both objects have the version of the request.
    fn is_type(self, name: &str) -> bool {
        self.around.is_none() && ["apiVersion", "kind"].contains(&name)
    }

    /// The old values of a member.
    fn inside<'b>(
        self,
        name: &str,
        value: Option<&'b Value>,
        member: Option<&'b Compared<'b>>,
    ) -> Old<'b>
    where
        'a: 'b,
    {
        match self.part {
            None => Old { value, ..self },
            Some(_) if self.is_type(name) => Old { value, part: None, around: None },
            Some(part) => Old { value, part: member, around: Some(part) },
        }
    }
}

/// Judges rules. The causes and warnings are in the order of servers.
pub(crate) struct RuleJudge {
    causes: Causes,
    warnings: Causes,
    not_judged: Vec<NotJudged>,
    budget: Budget,
}

impl RuleJudge {
    /// A judge that adds its causes to others.
    pub(crate) fn new(causes: Causes) -> Self {
        let warnings = Causes::new(causes.facts);
        Self { causes, warnings, not_judged: Vec::new(), budget: Budget::default() }
    }

    /// The units of cost that the rules have spent.
    pub(crate) fn cost(&self) -> u64 {
        let [all, left] = [Budget::default(), self.budget.clone()].map(|it| it.cost_left());
        all.unwrap_or_default() - left.unwrap_or_default()
    }

    pub(crate) fn into_checked(self) -> Checked {
        let mut checked = Checked::from(self.causes);
        let warning =
            |cause: &RefusalCause| ServerWarning::of_field(&cause.field, cause.to_string());
        checked.warnings.extend(self.warnings.all.iter().map(warning));
        checked.not_judged.extend(self.not_judged);
        checked
    }

    pub(crate) fn judge<'a>(
        &mut self,
        schema: &'a Schema,
        value: &'a Value,
        path: &Path<'_>,
        old: Old<'a>,
    ) {
        self.judge_part((schema, schema), value, path, old);
    }

    /// Judges the rules of a schema for a part. The second schema has the types: it is the schema itself, or the one around its `allOf`.
    fn judge_part<'a>(
        &mut self,
        (schema, types): (&Schema, &'a Schema),
        value: &'a Value,
        path: &Path<'_>,
        old: Old<'a>,
    ) {
        if !schema.below.rules {
            return;
        }
        // A server that has stopped evaluates no further rule of the object.
        if value.is_null() || self.causes.is_cut || self.budget.cost_left().is_none() {
            return;
        }
        // The rule that spent the last steps is not judged, so the answer is not complete.
        if !self.budget.has_work_left() || self.not_judged.len() >= MOST_CAUSES {
            return;
        }
        if let Some(rules) = &schema.rules {
            for outcome in rules.judge_within(value, old.value, &mut self.budget) {
                self.take(outcome, path, old);
            }
        }
        for branch in schema.all_of() {
            // Servers do not compare such a part with its own old value.
            let old = Old { part: None, ..old };
            self.judge_part((branch, types), value, path, old);
        }
        match value {
            Value::Array(items) => self.judge_items((schema, types), items, path, old),
            Value::Object(members) => self.judge_members((schema, types), members, path, old),
            _ => {}
        }
    }

    fn judge_items<'a>(
        &mut self,
        (schema, types): (&Schema, &'a Schema),
        items: &'a [Value],
        path: &Path<'_>,
        old: Old<'a>,
    ) {
        let Some(inner) = schema.items.as_deref().zip(types.items.as_deref()) else { return };
        if !inner.0.below.rules {
            return;
        }
        let old_items =
            old.value.and_then(Value::as_array).filter(|_| types.list_type == ListType::Map);
        let old_items = old_items.map(|items| OldItems::new(types, items));
        let parts = old.part.map(|part| part.values.items());
        for (at, item) in items.iter().enumerate() {
            let value = old_items.as_ref().and_then(|old| old.get(item));
            let part = parts.as_ref().and_then(|parts| parts.item(at)).map(Compared::new);
            let old = match old.part {
                Some(around) => Old { value, part: part.as_ref(), around: Some(around) },
                None => Old { value, ..old },
            };
            self.judge_part(inner, item, &path.index(at), old);
        }
    }

    fn judge_members<'a>(
        &mut self,
        (schema, types): (&Schema, &'a Schema),
        members: &'a Map<String, Value>,
        path: &Path<'_>,
        old: Old<'a>,
    ) {
        let old_members = old.value.and_then(Value::as_object).filter(|_| !types.atomic_map);
        let mut judge = |inner, name: &str, member, path: &Path<'_>| {
            let part = old.member(name);
            let value = old_members.and_then(|old| old.get(name));
            self.judge_part(inner, member, path, old.inside(name, value, part.as_ref()));
        };
        if let (Additional::Schema(schema), Additional::Schema(types)) =
            (&schema.additional, &types.additional)
            && schema.below.rules
        {
            for (name, member) in members {
                judge((schema, types), name, member, &path.key(name));
            }
        }
        for (name, schema) in schema.properties.iter().filter(|(_, schema)| schema.below.rules) {
            if let (Some(member), Some(types)) = (members.get(name), types.properties.get(name)) {
                judge((schema, types), name, member, &path.field(name));
            }
        }
    }

    fn take(&mut self, outcome: RuleOutcome, path: &Path<'_>, old: Old<'_>) {
        let violation = match outcome {
            RuleOutcome::Violated(violation) => violation,
            RuleOutcome::NotJudged { rule, reason } => {
                let rule = format!("x-kubernetes-validations[{rule}]: {reason}");
                self.not_judged.push(NotJudged { field: path.to_string(), rule });
                return;
            }
        };
        let is_warning = violation.can_ratchet && old.is_unchanged();
        let causes = if is_warning { &mut self.warnings } else { &mut self.causes };
        if !causes.leaves_out() {
            causes.push(cause(violation, path));
        }
    }
}

fn cause(violation: RuleViolation, path: &Path<'_>) -> RefusalCause {
    let RuleViolation { reason, field_path, message, .. } = violation;
    let field = match field_path {
        Some(below) if path.is_root() => below,
        Some(below) => format!("{path}.{below}"),
        None if path.is_root() => "<nil>".to_owned(),
        None => path.to_string(),
    };
    RefusalCause { reason, field, message }
}
