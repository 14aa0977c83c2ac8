//! The rules for the update of a definition, in addition to those for every definition.

use k8s_versioned_core::Release;
use serde_json::Value;

use super::judged::Judged;
use super::part::Part;
use super::{decode, shape};
use crate::answer::{Causes, RefusalCause};
use crate::facts::Facts;
use crate::metadata::{self, Metadata};
use crate::path::{Path, UnknownFields};

/// A definition that a server has stored.
pub(super) struct Stored {
    value: Value,
    metadata: Metadata,
}

impl Stored {
    /// Reads a stored definition. A definition that no server could have stored stays unchanged.
    pub(super) fn read(definition: &Value) -> Self {
        let decoded = decode::decode(definition, &shape::DEFINITION);
        let value = decoded.map_or_else(|_| definition.clone(), |decoded| decoded.value);
        let metadata = definition.get("metadata").cloned().unwrap_or_default();
        let path = Path::Root.field("metadata");
        let metadata =
            metadata::decode(metadata, &path, &mut UnknownFields::Ignored).unwrap_or_default();
        Self { value, metadata }
    }

    /// The definition.
    pub(super) fn part(&self) -> Option<Part<'_>> {
        Part::from_value(&self.value)
    }

    pub(super) const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub(super) fn spec(&self) -> Option<Part<'_>> {
        self.part()?.part("spec")
    }

    fn status(&self) -> Option<Part<'_>> {
        self.part()?.part("status")
    }

    /// Whether the names are in use. The names of a definition without conditions, as in files, count as in use.
    fn is_established(&self) -> bool {
        let conditions = self.status().map_or(&[][..], |status| status.list("conditions"));
        let conditions = conditions.iter().filter_map(Part::from_value);
        let mut established =
            conditions.filter(|condition| condition.text("type") == "Established");
        established.next().is_none_or(|condition| condition.text("status") == "True")
    }

    /// The versions in which objects may be stored; without a status the storage version.
    pub(super) fn stored_versions(&self) -> Vec<String> {
        let noted = self.status().into_iter().flat_map(|status| status.texts("storedVersions"));
        let mut versions: Vec<String> = noted.map(str::to_owned).collect();
        if versions.is_empty() {
            let stated = self.spec().into_iter().flat_map(|spec| spec.parts("versions"));
            let stored = stated.into_iter().filter(|version| version.is("storage"));
            versions.extend(stored.map(|version| version.text("name").to_owned()).next());
        }
        versions
    }

    /// Whether servers do not prune objects of the definition.
    pub(super) fn preserves_unknown_fields(&self) -> bool {
        self.spec().is_some_and(|spec| spec.is("preserveUnknownFields"))
    }

    /// The metadata of an update as a server completes it: what only servers set is that of the stored definition, which a file
    /// may lack.
    pub(super) fn complete(&self, metadata: &mut Metadata) {
        const OF_SERVERS: [&str; 5] = [
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "resourceVersion",
            "uid",
        ];
        metadata.retain(|field, _| !OF_SERVERS.contains(&field.as_str()));
        metadata::fill_resource_version(metadata, &mut self.metadata.clone());
        metadata::keep_own_fields(metadata, &self.metadata);
    }

    /// Checks the metadata of an update.
    pub(super) fn check_metadata(&self, metadata: &Metadata, judged: &mut Judged) {
        let path = Path::Root.field("metadata");
        let (names, scope) = (metadata::Names::PathSegment, metadata::Scope::Cluster);
        let mut causes = Causes::new(Facts::at(judged.release));
        metadata::check(metadata, names, scope, &path, &mut causes);
        // Servers check it twice.
        for _ in 0..2 {
            metadata::check_update(metadata, &self.metadata, &path, &mut causes);
        }
        judged.causes.append(&mut causes.all);
    }

    /// Checks the fields that never change.
    pub(super) fn check_immutable(&self, spec: Part<'_>, causes: &mut Vec<RefusalCause>) {
        let Some(old) = self.spec() else { return };
        let path = Path::Root.field("spec");
        let names = path.field("names");
        let name = |spec: Part<'_>, field| {
            spec.part("names").map_or_else(String::new, |names| names.text(field).to_owned())
        };
        let mut check = |path: Path<'_>, new: &str, old: &str| {
            if new != old {
                causes.push(RefusalCause::invalid(path, new, "field is immutable"));
            }
        };
        if self.is_established() {
            check(path.field("scope"), spec.text("scope"), old.text("scope"));
            check(names.field("kind"), &name(spec, "kind"), &name(old, "kind"));
        }
        check(path.field("group"), spec.text("group"), old.text("group"));
        check(names.field("plural"), &name(spec, "plural"), &name(old, "plural"));
    }
}

/// The message about a stored version that the definition lacks.
pub(super) fn missing(version: &str, release: Release) -> String {
    use crate::facts::ServerFact;
    if !Facts::at(release).hold(ServerFact::StoredVersionsExplained) {
        return "must appear in spec.versions".to_owned();
    }
    format!(
        "missing from spec.versions; {version} was previously a storage version, and must remain in spec.versions until a \
         storage migration ensures no data remains persisted in {version} and removes {version} from \
         status.storedVersions"
    )
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;
    use serde_json::{Value, json};

    use super::super::judge_update;
    use super::super::tests::{with_field, with_schema};
    use k8s_cel::NEWEST;

    fn definition() -> Value {
        with_field(&json!({"type": "string"}))
    }

    /// The status and the causes of an update of a definition.
    fn updated(old: &Value, new: &Value) -> (u16, Vec<String>) {
        let answer = judge_update(new, old, NEWEST).answer;
        (answer.status, answer.causes.iter().map(ToString::to_string).collect())
    }

    fn changed(definition: &Value, change: impl FnOnce(&mut Value)) -> Value {
        let mut definition = definition.clone();
        change(&mut definition);
        definition
    }

    fn second_version(definition: &Value) -> Value {
        changed(definition, |definition| {
            let mut version = definition["spec"]["versions"][0].clone();
            version["name"] = json!("v2");
            definition["spec"]["versions"][0]["storage"] = json!(false);
            definition["spec"]["versions"].as_array_mut().unwrap().push(version);
        })
    }

    #[test]
    fn an_update_of_nothing_is_accepted() {
        let definition = definition();
        assert_eq!(updated(&definition, &definition), (200, Vec::new()));
        // A dump of a cluster, and the file of a chart.
        let stored = changed(&definition, |definition| {
            definition["metadata"]["resourceVersion"] = json!("7");
            definition["metadata"]["uid"] = json!("u");
            definition["metadata"]["generation"] = json!(3);
            definition["metadata"]["creationTimestamp"] = json!("2026-01-02T03:04:05Z");
            definition["status"] = json!({"storedVersions": ["v1"]});
        });
        assert_eq!(updated(&stored, &definition), (200, Vec::new()));
        assert_eq!(updated(&definition, &stored), (200, Vec::new()));
    }

    #[test]
    fn names_and_scope_never_change() {
        let old = definition();
        let other_scope =
            changed(&old, |definition| definition["spec"]["scope"] = json!("Cluster"));
        let scope = "spec.scope: Invalid value: \"Cluster\": field is immutable".to_owned();
        assert_eq!(updated(&old, &other_scope), (422, vec![scope]));
        let pending = changed(&old, |definition| {
            definition["status"] =
                json!({"conditions": [{"type": "Established", "status": "False"}]});
        });
        assert_eq!(updated(&pending, &other_scope), (200, Vec::new()));
        let other_names = changed(&old, |definition| {
            definition["spec"]["names"]["kind"] = json!("Other");
            definition["spec"]["names"]["plural"] = json!("others");
            definition["spec"]["group"] = json!("other.org");
        });
        let causes = [("names.kind", "Other"), ("group", "other.org"), ("names.plural", "others")]
            .map(|(field, value)| {
                format!("spec.{field}: Invalid value: \"{value}\": field is immutable")
            });
        assert_eq!(updated(&old, &other_names), (422, causes.to_vec()));
        let other = changed(&old, |definition| {
            definition["metadata"]["name"] = json!("others.example.org");
        });
        let answer = judge_update(&other, &old, NEWEST).answer;
        assert_eq!(answer.status, 400);
        assert!(answer.message.starts_with("the name of the object (others.example.org) does not"));
    }

    #[test]
    fn stored_versions_stay() {
        let new = definition();
        let both = second_version(&new);
        let renamed =
            changed(&new, |definition| definition["spec"]["versions"][0]["name"] = json!("v2"));
        let missing = "status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was previously a \
                       storage version, and must remain in spec.versions until a storage migration ensures no data remains \
                       persisted in v1 and removes v1 from status.storedVersions";
        assert_eq!(updated(&new, &both), (200, Vec::new()));
        assert_eq!(updated(&new, &renamed), (422, vec![missing.to_owned()]));
        let stored = |versions: Value| {
            changed(&both, |definition| definition["status"] = json!({"storedVersions": versions}))
        };
        assert_eq!(
            updated(&stored(json!(["v1", "v2"])), &renamed),
            (422, vec![missing.to_owned()])
        );
        assert_eq!(updated(&stored(json!(["v2"])), &renamed), (200, Vec::new()));
        let old_server = judge_update(&renamed, &new, Release::new(1, 32)).answer;
        assert_eq!(
            old_server.causes[0].to_string(),
            "status.storedVersions[0]: Invalid value: \"v1\": must appear in spec.versions"
        );
    }

    /// The rules that servers do not apply again to a definition that broke them before.
    #[test]
    fn some_rules_may_stay_broken() {
        let field = |field: Value| with_field(&field);
        let set =
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}});
        let map = json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"],
            "items": {"type": "object", "properties": {"a": {"type": "string"}}},
        });
        let unpruned = json!({
            "type": "object", "properties": {"a": {"type": "string"}}, "default": {"b": 1},
        });
        let annotation = |approval: &str| {
            changed(&definition(), |definition| {
                definition["spec"]["group"] = json!("x.k8s.io");
                definition["metadata"] = json!({
                    "name": "things.x.k8s.io",
                    "annotations": {"api-approved.kubernetes.io": approval},
                });
            })
        };
        let review = changed(&definition(), |definition| {
            let client = json!({"service": {"namespace": "a", "name": "b"}});
            definition["spec"]["conversion"] = json!({
                "strategy": "Webhook",
                "webhook": {"clientConfig": client, "conversionReviewVersions": ["v9"]},
            });
        });
        for broken in [field(set), field(map), field(unpruned), annotation("yes"), review] {
            assert_eq!(updated(&broken, &broken), (200, Vec::new()));
            let created = super::super::judge(&broken, NEWEST).answer;
            assert_eq!((created.status, created.causes.len()), (422, 1), "{}", created.message);
            let mended = changed(&definition(), |definition| {
                definition["metadata"] = broken["metadata"].clone();
                definition["metadata"]["annotations"] = Value::Null;
                definition["spec"]["group"] = broken["spec"]["group"].clone();
            });
            assert_eq!(updated(&mended, &broken).0, 422);
        }
        // Every definition that prunes must be structural.
        let unstructured = with_schema(&json!({"properties": {"a": {"type": "string"}}}));
        assert_eq!(updated(&unstructured, &unstructured).0, 422);
    }

    /// A definition whose rules cost too much by the current estimate, and which an older server may have stored.
    #[test]
    fn rules_of_a_stored_schema_may_cost_what_they_do() {
        let expensive = |message: &str| {
            with_field(&json!({
                "type": "array",
                "items": {"type": "string"},
                "x-kubernetes-validations": [
                    {"rule": "self.all(x, self.all(y, x == y))", "message": message},
                ],
            }))
        };
        let (old, new) = (expensive("a"), expensive("b"));
        let (status, created) = updated(&old, &new);
        assert!(status == 422 && created[0].contains("exceeds budget"), "{created:?}");
        let (_, kept) = updated(&old, &old);
        // The cost of all rules of a schema together is checked again.
        let of_schema = created.iter().filter(|cause| cause.contains("entire OpenAPIv3 schema"));
        assert_eq!(kept, of_schema.cloned().collect::<Vec<_>>());
        assert!(kept.len() < created.len());
    }

    #[test]
    fn the_command_of_the_field_report_is_answered() {
        let old = changed(&second_version(&definition()), |definition| {
            definition["spec"]["versions"][0]["name"] = json!("v1alpha1");
            definition["status"] = json!({"storedVersions": ["v1alpha1", "v2"]});
        });
        let new = changed(&old, |definition| {
            definition["spec"]["versions"].as_array_mut().unwrap().remove(0);
            definition["status"] = Value::Null;
        });
        let (status, causes) = updated(&old, &new);
        assert_eq!((status, causes.len()), (422, 1));
        assert!(causes[0].contains("\"v1alpha1\": missing from spec.versions"), "{causes:?}");
    }
}
