//! The rules of CEL in a schema, and which of them are judged for a value.

use std::collections::BTreeMap;

use k8s_versioned_core::Release;
use serde_json::Value;

use super::old_values::{Compared, OldItems};
use super::{Additional, ListType, Schema};
use crate::answer::{Causes, Checked, MOST_CAUSES, NotJudged, RefusalCause, ServerWarning};
use crate::path::Path;
use k8s_cel::{Budget, RuleOutcome, RuleScope, RuleViolation, Rules};

/// The rules of a schema and of the parts below it. A part without rules is not in the tree, so the walk of a value visits only what has
/// rules. In [`Schema`], it would ask each property. A branch of `allOf` is a part of its own here, with the types of the schema around it.
#[derive(Debug, Default)]
pub(crate) struct RuleTree {
    rules: Option<Rules>,
    all_of: Vec<RuleTree>,
    properties: BTreeMap<String, RuleTree>,
    additional: Option<Box<RuleTree>>,
    items: Option<Box<RuleTree>>,
}

impl RuleTree {
    /// Compiles the rules of the schema of a kind, if it has some.
    pub(crate) fn compile(schema: &Value, release: Release) -> Option<Self> {
        Self::compile_part(schema, release, true)
    }

    /// Compiles the rules of a part of a schema, if it has some.
    pub(crate) fn compile_part(schema: &Value, release: Release, is_root: bool) -> Option<Self> {
        Self::read(schema, schema, RuleScope { release, is_root })
    }

    /// The rules of the items.
    pub(crate) fn items(&self) -> Option<&Self> {
        self.items.as_deref()
    }

    /// The rules of the values of a map.
    pub(crate) fn additional(&self) -> Option<&Self> {
        self.additional.as_deref()
    }

    /// The rules of a property.
    pub(crate) fn property(&self, name: &str) -> Option<&Self> {
        self.properties.get(name)
    }

    /// Compiles the rules of a schema. The node has the types: it is the schema itself, or the one around its `allOf`.
    fn read(schema: &Value, node: &Value, scope: RuleScope) -> Option<Self> {
        let inner = RuleScope { is_root: false, ..scope };
        let part = |name: &str| {
            let [schema, node] = [schema, node].map(|it| it.get(name).filter(|it| it.is_object()));
            Self::read(schema?, node?, inner).map(Box::new)
        };
        let [properties, nodes] = [schema, node].map(|it| it.get("properties")?.as_object());
        let property = |(name, schema): (&String, &Value)| {
            let tree = Self::read(schema, nodes?.get(name)?, inner)?;
            Some((name.clone(), tree))
        };
        let all_of = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        let mut tree = Self {
            rules: own_rules(schema, node, scope),
            all_of: all_of.filter_map(|branch| Self::read(branch, node, scope)).collect(),
            properties: BTreeMap::new(),
            additional: part("additionalProperties"),
            items: part("items"),
        };
        tree.properties.extend(properties.into_iter().flatten().filter_map(property));
        let is_empty = tree.rules.is_none()
            && tree.all_of.is_empty()
            && tree.properties.is_empty()
            && tree.additional.is_none()
            && tree.items.is_none();
        (!is_empty).then_some(tree)
    }
}

#[cfg(test)]
thread_local! {
    /// How many nodes with rules this thread has compiled.
    pub(crate) static COMPILED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The rules of a schema with the types of a node.
fn own_rules(schema: &Value, node: &Value, scope: RuleScope) -> Option<Rules> {
    const RULES: &str = "x-kubernetes-validations";
    let own = schema.get(RULES).filter(|rules| rules.is_array())?;
    #[cfg(test)]
    COMPILED.set(COMPILED.get() + 1);
    if std::ptr::eq(schema, node) {
        return Some(Rules::compile_stored(node, scope));
    }
    let mut node = node.clone();
    node.as_object_mut()?.insert(RULES.to_owned(), own.clone());
    Some(Rules::compile_stored(&node, scope))
}

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
        tree: &RuleTree,
        schema: &'a Schema,
        value: &'a Value,
        path: &Path<'_>,
        old: Old<'a>,
    ) {
        // A server that has stopped evaluates no further rule of the object.
        if value.is_null() || self.causes.is_cut || self.budget.cost_left().is_none() {
            return;
        }
        // The rule that spent the last steps is not judged, so the answer is not complete.
        if !self.budget.has_work_left() || self.not_judged.len() >= MOST_CAUSES {
            return;
        }
        if let Some(rules) = &tree.rules {
            for outcome in rules.judge_within(value, old.value, &mut self.budget) {
                self.take(outcome, path, old);
            }
        }
        for branch in &tree.all_of {
            // Servers do not compare such a part with its own old value.
            let old = Old { part: None, ..old };
            self.judge(branch, schema, value, path, old);
        }
        match value {
            Value::Array(items) => self.judge_items(tree, schema, items, path, old),
            Value::Object(_) => self.judge_members(tree, schema, value, path, old),
            _ => {}
        }
    }

    fn judge_items<'a>(
        &mut self,
        tree: &RuleTree,
        schema: &'a Schema,
        items: &'a [Value],
        path: &Path<'_>,
        old: Old<'a>,
    ) {
        let (Some(tree), Some(inner)) = (tree.items.as_deref(), schema.items.as_deref()) else {
            return;
        };
        let old_items =
            old.value.and_then(Value::as_array).filter(|_| schema.list_type == ListType::Map);
        let old_items = old_items.map(|items| OldItems::new(schema, items));
        let parts = old.part.map(|part| part.values.items());
        for (at, item) in items.iter().enumerate() {
            let value = old_items.as_ref().and_then(|old| old.get(item));
            let part = parts.as_ref().and_then(|parts| parts.item(at)).map(Compared::new);
            let old = match old.part {
                Some(around) => Old { value, part: part.as_ref(), around: Some(around) },
                None => Old { value, ..old },
            };
            self.judge(tree, inner, item, &path.index(at), old);
        }
    }

    fn judge_members<'a>(
        &mut self,
        tree: &RuleTree,
        schema: &'a Schema,
        object: &'a Value,
        path: &Path<'_>,
        old: Old<'a>,
    ) {
        let Value::Object(members) = object else { return };
        let old_members = old.value.and_then(Value::as_object).filter(|_| !schema.atomic_map);
        let old_value = |name: &str| old_members.and_then(|old| old.get(name));
        if let (Some(tree), Additional::Schema(inner)) =
            (tree.additional.as_deref(), &schema.additional)
        {
            for (name, member) in members {
                let part = old.member(name);
                let old = old.inside(name, old_value(name), part.as_ref());
                self.judge(tree, inner, member, &path.key(name), old);
            }
        }
        for (name, tree) in &tree.properties {
            if let (Some(member), Some(inner)) = (members.get(name), schema.properties.get(name)) {
                let part = old.member(name);
                let old = old.inside(name, old_value(name), part.as_ref());
                self.judge(tree, inner, member, &path.field(name), old);
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
