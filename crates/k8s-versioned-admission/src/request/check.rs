//! The checks of an object, in the order of a server.

use serde_json::Value;

use super::receive::Object;
use crate::answer::{Causes, Checked, Reason, RefusalCause, Shown, blocks_rules};
use crate::definition::{Definition, Version};
use crate::metadata::{self, Metadata, Names, Scope};
use crate::path::Path;
use crate::schema::{Compared, Correlated, Findings, Judge, Old, RuleJudge};
use crate::values::{embedded, lists};

const METADATA: Path<'_> = Path::Field(&Path::Root, "metadata");

/// An object that is about to be stored.
pub(crate) struct Candidate {
    pub(crate) value: Value,
    pub(crate) has_floats: bool,
    no_metadata: Metadata,
}

impl Candidate {
    pub(crate) fn new(object: Object) -> Self {
        let has_floats = object.has_floats;
        Self { value: object.into_value(), has_floats, no_metadata: Metadata::new() }
    }

    pub(crate) fn metadata(&self) -> &Metadata {
        let metadata = self.value.as_object().and_then(|members| members.get("metadata"));
        metadata.and_then(Value::as_object).unwrap_or(&self.no_metadata)
    }

    /// Drops the managed fields: the server writes its own.
    pub(crate) fn drop_managed_fields(&mut self) {
        self.drop_from_metadata("managedFields");
    }

    pub(crate) fn drop_from_metadata(&mut self, field: &str) {
        if let Some(Value::Object(metadata)) = self.value.get_mut("metadata") {
            metadata.remove(field);
        }
    }

    pub(crate) fn kind(&self) -> &str {
        self.value.get("kind").and_then(Value::as_str).unwrap_or_default()
    }
}

/// Checks the objects of a version.
#[derive(Clone, Copy)]
pub(crate) struct Checker<'a> {
    pub(crate) definition: &'a Definition,
    pub(crate) version: &'a Version,
}

impl Checker<'_> {
    /// Checks a new object.
    pub(crate) fn check_created(self, object: Object) -> (Candidate, Checked) {
        let mut causes = Causes::new(self.definition.facts);
        let has_own_kind = self.check_kind(object.kind(), &mut causes);
        if has_own_kind {
            self.check_metadata(&object.metadata, Names::Subdomain, &mut causes);
        }
        let object = Candidate::new(object);
        let value = &object.value;
        if has_own_kind {
            let mut findings = Findings::default();
            self.judge("").check(&self.version.schema, value, None, &mut findings);
            findings.add_to(&mut causes);
            self.check_scale(value, false, &mut causes);
        }
        embedded::check(value, &self.version.schema, &Path::Root, &mut causes);
        self.check_lists(value, None, &mut causes);
        // Servers check last that a URL can hold the name. It can, if it is a subdomain.
        let checked = self.check_rules(value, None, causes);
        (object, checked)
    }

    /// Checks an object that replaces another, or only its status.
    pub(crate) fn check_updated(
        self,
        new: &Candidate,
        old: &Candidate,
        is_status: bool,
    ) -> Checked {
        let mut causes = Causes::new(self.definition.facts);
        let schema = &self.version.schema;
        let correlated = Correlated { schema, new: &new.value, old: &old.value };
        self.check_metadata(new.metadata(), Names::PathSegment, &mut causes);
        let (metadata, old_metadata) = (new.metadata(), old.metadata());
        metadata::check_update(metadata, old_metadata, &METADATA, &mut causes);
        if self.check_kind(new.kind(), &mut causes) {
            // Servers check it twice.
            metadata::check_update(metadata, old_metadata, &METADATA, &mut causes);
            let mut findings = Findings::default();
            if is_status {
                self.check_status(correlated, &mut findings);
            } else {
                self.judge("").check(schema, &new.value, Some(correlated), &mut findings);
            }
            findings.add_to(&mut causes);
            self.check_scale(&new.value, is_status, &mut causes);
        }
        if !is_status {
            embedded::check(&new.value, schema, &Path::Root, &mut causes);
        }
        self.check_lists(&new.value, Some(&old.value), &mut causes);
        self.check_rules(&new.value, Some(correlated), causes)
    }

    const fn judge(self, base: &'static str) -> Judge {
        Judge { facts: self.definition.facts, base }
    }

    fn check_metadata(self, metadata: &Metadata, names: Names, causes: &mut Causes) {
        let scope = if self.definition.is_namespaced { Scope::Namespaced } else { Scope::Cluster };
        metadata::check(metadata, names, scope, &METADATA, causes);
    }

    /// Returns `true` if the kind is the kind of the definition.
    fn check_kind(self, kind: &str, causes: &mut Causes) -> bool {
        let expected = &self.definition.kind;
        if kind != expected {
            causes.push(RefusalCause::invalid("kind", kind, format!("must be {expected}")));
        }
        kind == expected
    }

    fn check_status(self, object: Correlated<'_>, findings: &mut Findings) {
        let (status, schema) = (object.new.get("status"), object.schema.properties.get("status"));
        if let (Some(status), Some(schema)) = (status, schema) {
            self.judge("status").check(schema, status, object.member("status"), findings);
        }
    }

    fn check_scale(self, object: &Value, is_status: bool, causes: &mut Causes) {
        let Some(scale) = &self.version.scale else { return };
        if !is_status {
            scale.check_spec(object, &mut causes.all);
        }
        scale.check_status(object, &mut causes.all);
    }

    /// Checks lists, unless those of the old object also break the rules.
    fn check_lists(self, object: &Value, old: Option<&Value>, causes: &mut Causes) {
        let broken = |object| {
            let mut causes = Causes::new(self.definition.facts);
            lists::check(object, &self.version.schema, &Path::Root, &mut causes);
            causes
        };
        let own = broken(object);
        let of_old = old.filter(|_| !own.all.is_empty()).map(broken);
        causes.is_stopped |= own.is_stopped || of_old.as_ref().is_some_and(|old| old.is_stopped);
        if of_old.is_none_or(|old| old.all.is_empty()) {
            causes.append(own);
        }
    }

    /// Judges the rules, unless an earlier cause prevents that.
    fn check_rules<'v>(
        self,
        object: &'v Value,
        old: Option<Correlated<'v>>,
        mut causes: Causes,
    ) -> Checked
    where
        Self: 'v,
    {
        // Servers judge no rules of an object that does not fit its schema.
        let schema = &self.version.schema;
        if !schema.below.rules || causes.is_stopped {
            return causes.into();
        }
        if causes.all.iter().any(|cause| blocks_rules(cause.reason)) {
            let detail = "some validation rules were not checked because the object was invalid; correct the existing \
                          errors to complete validation";
            causes.add(Reason::Invalid, "", Shown::Nil, detail);
            return causes.into();
        }
        let mut judge = RuleJudge::new(causes);
        let old = old.map(Compared::new);
        let old = old.as_ref().map_or_else(Old::default, Old::whole);
        judge.judge(schema, object, &Path::Root, old);
        judge.into_checked()
    }
}
