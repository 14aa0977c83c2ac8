//! The order in which a server answers a request: receive the object, prepare it, check it.

use std::collections::HashSet;

use serde_json::Value;

use super::check::{Candidate, Checker};
use super::receive::{Object, Received, Receiver, Refusal};
use super::{Action, WriteRequest, conflict, prepare};
use crate::answer::{Checked, NotJudged, RefusedObject, ServerAnswer, ServerWarning};
use crate::definition::{Definition, Version};
use crate::go::parse_uint;
use crate::metadata::{self, Metadata, text};
use crate::values::{fill_defaults, too_many_defaults};

/// A request that is being answered.
struct Admission<'a> {
    definition: &'a Definition,
    version: &'a Version,
    request: &'a WriteRequest<'a>,
    warnings: Vec<ServerWarning>,
    not_judged: Vec<NotJudged>,
}

impl Definition {
    /// Answers a request as a server with this definition does.
    pub fn admit(&self, request: &WriteRequest<'_>) -> ServerAnswer {
        let version = self.version(request.version).filter(|version| {
            version.has_status || !matches!(request.action, Action::UpdateStatus { .. })
        });
        let Some(version) = version else {
            let message = "the server could not find the requested resource";
            return ServerAnswer::refused(404, message);
        };
        let mut admission = Admission {
            definition: self,
            version,
            request,
            warnings: Vec::new(),
            not_judged: version.not_judged.clone(),
        };
        if let Some(warning) = &version.deprecation {
            admission.warn("apiVersion", warning.clone());
        }
        let mut answer = admission.answer().unwrap_or_else(|refusal| *refusal);
        answer.warnings = limited(&admission.warnings);
        answer.whole_warnings = admission.warnings;
        answer.not_judged = admission.not_judged;
        answer
    }
}

impl<'a> Admission<'a> {
    fn answer(&mut self) -> Result<ServerAnswer, Refusal> {
        let receiver = self.receiver();
        let Received { object, mut warnings, left_out } = receiver.receive()?;
        self.warnings.append(&mut warnings);
        self.not_judged.extend(left_out.iter().map(|rule| NotJudged::whole(rule)));
        match self.request.action {
            Action::Create { namespace } => self.create(object, namespace),
            Action::Recreate => self.recreate(object),
            Action::Update { stored } => self.update(object, stored, false),
            Action::UpdateStatus { stored } => self.update(object, stored, true),
        }
    }

    fn warn(&mut self, field: &str, text: String) {
        self.warnings.push(ServerWarning::of_field(field, text));
    }

    /// Warns of the finalizers of an object that is stored.
    fn warn_of_finalizers(&mut self, metadata: &Metadata, old: Option<&Metadata>) {
        for text in metadata::finalizer_warnings(metadata, old, self.definition.facts) {
            self.warn("metadata.finalizers", text);
        }
    }

    fn receiver(&self) -> Receiver<'a> {
        let Self { definition, version, request, .. } = *self;
        Receiver { definition, version, request }
    }

    fn create(&mut self, mut object: Object, namespace: &str) -> Result<ServerAnswer, Refusal> {
        let namespace = if self.definition.is_namespaced { namespace } else { "" };
        prepare::set_namespace(&mut object.metadata, namespace)?;
        let has_more = metadata::has_more(&object.metadata);
        if has_more {
            self.drop_duplicate_owners(&mut object.metadata);
            prepare::drop_own_fields(&mut object.metadata);
        }
        prepare::create(&mut object, self.version.has_status);
        let (candidate, checked) = self.checker().check_created(object);
        let mut candidate = self.accept(candidate, checked)?;
        if has_more {
            self.accept_more(candidate.metadata())?;
            candidate.drop_managed_fields();
        }
        Ok(self.stored(candidate, 201))
    }

    /// Judges a stored object as if it were created unchanged.
    fn recreate(&mut self, mut object: Object) -> Result<ServerAnswer, Refusal> {
        let metadata = &mut object.metadata;
        if self.definition.is_namespaced {
            prepare::set_stored_namespace(metadata);
        } else {
            prepare::set_namespace(metadata, "")?;
        }
        self.drop_duplicate_owners(metadata);
        metadata::remove_unreadable_managers(metadata);
        let (candidate, checked) = self.checker().check_created(object);
        let candidate = self.accept(candidate, checked)?;
        self.warn_of_finalizers(candidate.metadata(), None);
        Ok(self.stored(candidate, 201))
    }

    /// Judges the metadata of a new object whose values break no rule.
    fn accept_more(&mut self, metadata: &Metadata) -> Result<(), Refusal> {
        self.warn_of_finalizers(metadata, None);
        if parse_uint(text(metadata, "resourceVersion")).is_ok_and(|version| version != 0) {
            let message = "resourceVersion should not be set on objects to be created";
            return Err(Box::new(ServerAnswer::refused(500, message)));
        }
        Ok(())
    }

    fn update(
        &mut self,
        mut object: Object,
        stored: &Value,
        is_status: bool,
    ) -> Result<ServerAnswer, Refusal> {
        let (mut old, left_out) = self.receiver().read_stored(stored);
        self.not_judged.extend(left_out.iter().map(|rule| NotJudged::whole(rule)));
        let is_from_files = self.request.is_from_files;
        if is_from_files && self.definition.is_namespaced {
            prepare::set_stored_namespace(&mut old.metadata);
        }
        prepare::set_namespace(&mut object.metadata, text(&old.metadata, "namespace"))?;
        conflict::compare_with_url(&object.metadata, &old.metadata)?;
        self.drop_duplicate_owners(&mut object.metadata);
        let has_no_version = is_from_files
            && metadata::fill_resource_version(&mut object.metadata, &mut old.metadata);
        conflict::check(self.definition, &object.metadata, &old.metadata)?;
        old.metadata.remove("managedFields");
        if is_status {
            object = prepare::update_status(object, &old);
        } else {
            prepare::update(&mut object, &old, self.version.has_status);
        }
        let (candidate, old) = (Candidate::new(object), Candidate::new(old));
        let checked = self.checker().check_updated(&candidate, &old, is_status);
        let mut candidate = self.accept(candidate, checked)?;
        if !is_status {
            self.warn_of_finalizers(candidate.metadata(), Some(old.metadata()));
        }
        candidate.drop_managed_fields();
        if has_no_version {
            candidate.drop_from_metadata("resourceVersion");
        }
        Ok(self.stored(candidate, 200))
    }

    fn checker(&self) -> Checker<'a> {
        Checker { definition: self.definition, version: self.version }
    }

    /// Adds the results of the checks. An object that breaks a rule is refused.
    fn accept(&mut self, candidate: Candidate, checked: Checked) -> Result<Candidate, Refusal> {
        let Checked { causes, mut warnings, mut not_judged } = checked;
        self.warnings.append(&mut warnings);
        self.not_judged.append(&mut not_judged);
        if causes.is_empty() {
            return Ok(candidate);
        }
        let subject = RefusedObject {
            name: text(candidate.metadata(), "name").to_owned(),
            group: self.definition.group.clone(),
            kind: candidate.kind().to_owned(),
        };
        Err(Box::new(ServerAnswer::invalid(subject, causes)))
    }

    fn drop_duplicate_owners(&mut self, metadata: &mut Metadata) {
        let removed = metadata::remove_duplicate_owners(metadata);
        if !removed.is_empty() {
            let text = format!(
                ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, \
                 and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: \
                 {}",
                removed.join(", ")
            );
            self.warn("metadata.ownerReferences", text);
        }
    }

    /// The answer to a request whose object is stored.
    fn stored(&mut self, candidate: Candidate, status: u16) -> ServerAnswer {
        let Candidate { mut value, has_floats, .. } = candidate;
        if self.version.has_status_defaults {
            // A server answers with the object as it reads it again: a dropped status has its defaults.
            if !fill_defaults(&mut value, &self.version.schema) {
                self.not_judged.push(NotJudged::whole(&too_many_defaults("the stored object")));
            }
        }
        if has_floats || self.version.schema.below.float_defaults {
            // The largest float that is written without an exponent, and so is read again as an integer.
            k8s_versioned_core::json::make_whole(&mut value, 9.2e18);
        }
        ServerAnswer { status, object: Some(value), ..ServerAnswer::default() }
    }
}

/// The warnings that a server sends: each once, and if they are long together, each cut.
fn limited(warnings: &[ServerWarning]) -> Vec<String> {
    const ALL: usize = 4 * 1024;
    const ONE: usize = 256;
    let mut seen = HashSet::new();
    let mut warnings: Vec<String> = warnings.iter().map(ServerWarning::to_string).collect();
    warnings.retain(|warning| !warning.is_empty() && seen.insert(warning.clone()));
    let characters = |warning: &String| warning.chars().count();
    if warnings.iter().map(characters).sum::<usize>() <= ALL {
        return warnings;
    }
    let cut = warnings.into_iter().map(|warning| warning.chars().take(ONE).collect::<String>());
    let mut written = 0;
    cut.take_while(|warning| {
        let fits = written < ALL;
        written += warning.chars().count();
        fits
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use crate::{Definition, ServerAnswer, ServerWarning, WriteRequest};

    fn admit(names: impl Iterator<Item = String>) -> ServerAnswer {
        let schema = json!({"type": "object", "properties": {"spec": {"type": "object"}}});
        let version = json!({"name": "v1", "served": true, "schema": {"openAPIV3Schema": schema}});
        let names_of_kind = json!({"kind": "Widget", "plural": "widgets"});
        let spec = json!({
            "group": "example.com", "scope": "Cluster", "names": names_of_kind, "versions": [version],
        });
        let definition = Definition::compile(&json!({"spec": spec})).unwrap();
        let spec: Map<String, Value> = names.map(|name| (name, 1.into())).collect();
        let metadata = json!({"name": "a"});
        let object = json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec});
        definition.admit(&WriteRequest::create("v1", "", object.to_string().as_bytes()))
    }

    /// Servers cut what they send; what it was about is whole.
    #[test]
    fn warnings_are_cut_and_what_they_are_about_is_not() {
        let name = "x".repeat(5_000);
        let answer = admit([name.clone()].into_iter());
        assert_eq!(answer.warnings[0].len(), 256);
        assert_eq!(answer.whole_warnings, [ServerWarning::UnknownField(format!("spec.{name}"))]);
        let answer = admit((0..300).map(|at| format!("unknown{at:03}")));
        assert!(answer.warnings.len() < 300);
        assert_eq!(answer.whole_warnings.len(), 300);
    }

    #[test]
    fn a_version_is_a_number_as_go_reads_it() {
        use crate::go::parse_uint;
        assert_eq!(parse_uint("7"), Ok(7));
        for (text, what) in [
            ("+7", "invalid syntax"),
            ("", "invalid syntax"),
            ("1_0", "invalid syntax"),
            ("99999999999999999999x", "value out of range"),
        ] {
            let error = format!("strconv.ParseUint: parsing \"{text}\": {what}");
            assert_eq!(parse_uint(text), Err(error));
        }
    }
}
