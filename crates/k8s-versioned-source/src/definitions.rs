//! The CustomResourceDefinitions of a document, of both versions that servers have had.

use std::borrow::Cow;
use std::ops::Range;

use crate::DocumentObject;
use crate::tree::{Member, NodeId, Room, Tree, TreeValue, ValueKind};

/// The kind of the objects.
const KIND: &str = "CustomResourceDefinition";

/// The version of definitions that servers have.
const V1: &str = "apiextensions.k8s.io/v1";

/// The version that servers had until 1.21. Old charts still have such definitions.
const V1_BETA1: &str = "apiextensions.k8s.io/v1beta1";

/// The members of the `spec` that `v1` has in each version: the name in `v1beta1`, and in `v1`.
const OF_ALL_VERSIONS: [(&str, &str); 3] = [
    ("validation", "schema"),
    ("subresources", "subresources"),
    ("additionalPrinterColumns", "additionalPrinterColumns"),
];

/// The members of `conversion` that `v1` has in `webhook`: the name in `v1beta1`, and in `v1`.
const OF_WEBHOOK: [(&str, &str); 2] = [
    ("webhookClientConfig", "clientConfig"),
    ("conversionReviewVersions", "conversionReviewVersions"),
];

/// The most values of the schemas that versions share, each of which gets a copy. Schemas nest less deeply than any document.
const ROOM: Room = Room { values: 1_000_000, bytes: usize::MAX, depth: 1_000 };

impl Tree<'_> {
    /// The CustomResourceDefinitions among the [`objects`](Self::objects) of the document. One of `v1beta1` becomes what a
    /// server makes of it in `v1`, and each part keeps its place.
    ///
    /// In `v1beta1`, absent `preserveUnknownFields` means `true`. It is added, because it means `false` in `v1`.
    pub fn definitions(&mut self) -> Vec<DocumentObject> {
        let mut objects = self.objects();
        objects.retain(|object| self.text_at(object.node, "kind") == Some(KIND));
        for object in &objects {
            if self.text_at(object.node, "apiVersion") == Some(V1_BETA1) {
                self.convert(object.node);
            }
        }
        objects
    }

    fn text_at(&self, object: NodeId, key: &str) -> Option<&str> {
        self.value(object).get(key).and_then(TreeValue::string)
    }

    fn node_at(&self, object: NodeId, key: &str) -> Option<NodeId> {
        self.value(object).get(key).filter(|value| !value.is_null()).map(TreeValue::id)
    }

    /// The place of what is added to a value.
    fn start_of(&self, id: NodeId) -> Range<usize> {
        let start = self.value(id).span().start;
        start..start
    }

    fn convert(&mut self, definition: NodeId) {
        let api_version = self.add_string(&self.start_of(definition), V1);
        self.set_member(definition, "apiVersion", api_version);
        let Some(spec) = self.node_at(definition, "spec") else { return };
        if self.value(spec).kind() != ValueKind::Object {
            return;
        }
        self.name_versions(spec);
        self.set_scope(spec);
        self.set_preserved(spec);
        self.nest_webhook(spec);
        let versions = self.node_at(spec, "versions");
        let versions = versions.into_iter().flat_map(|versions| self.members_of(versions).to_vec());
        let versions: Vec<NodeId> = versions.map(|version| version.node).collect();
        let mut room = ROOM;
        for version in versions {
            for (old, new) in OF_ALL_VERSIONS {
                let is_missing = self.value(version).kind() == ValueKind::Object
                    && self.node_at(version, new).is_none();
                let shared = self.node_at(spec, old).filter(|_| is_missing);
                // If there is no room for a definition, the version has no schema, and the generator warns of it.
                if let Some(Ok(copy)) = shared.map(|shared| self.add_copy(shared, &mut room)) {
                    self.set_member(version, new, copy);
                }
            }
            self.rename_paths(version);
        }
        self.retain_members(spec, |key, _| {
            key != "version" && OF_ALL_VERSIONS.iter().all(|(old, _)| key != *old)
        });
    }

    /// Makes a list of versions of the only version, which has just a name.
    fn name_versions(&mut self, spec: NodeId) {
        let is_listed = self
            .node_at(spec, "versions")
            .is_some_and(|node_at| !self.members_of(node_at).is_empty());
        let Some(name) = self.node_at(spec, "version").filter(|_| !is_listed) else { return };
        let span = self.value(name).span();
        let (served, storage) = (self.add_bool(&span, true), self.add_bool(&span, true));
        let members = [("name", name), ("served", served), ("storage", storage)];
        let key_start = u32::try_from(span.start).unwrap_or(u32::MAX);
        let members =
            members.map(|(key, node)| Member { key: Cow::Borrowed(key), key_start, node });
        let version = self.add_object(&span, members);
        let versions = self.add_array(&span, [version]);
        self.set_member(spec, "versions", versions);
    }

    /// In `v1beta1`, objects are in namespaces unless the definition says otherwise. Old generators wrote `scope: ""`.
    fn set_scope(&mut self, spec: NodeId) {
        if self.node_at(spec, "scope").is_none() || self.text_at(spec, "scope") == Some("") {
            let scope = self.add_string(&self.start_of(spec), "Namespaced");
            self.set_member(spec, "scope", scope);
        }
    }

    /// In `v1beta1`, objects keep unknown fields unless the definition says otherwise.
    fn set_preserved(&mut self, spec: NodeId) {
        if self.node_at(spec, "preserveUnknownFields").is_none() {
            let preserved = self.add_bool(&self.start_of(spec), true);
            self.set_member(spec, "preserveUnknownFields", preserved);
        }
    }

    /// In `v1` the facts about the webhook are an object of their own.
    fn nest_webhook(&mut self, spec: NodeId) {
        let conversion = self.node_at(spec, "conversion");
        let Some(conversion) =
            conversion.filter(|conversion| self.value(*conversion).kind() == ValueKind::Object)
        else {
            return;
        };
        let mut inside = Vec::new();
        for (old, new) in OF_WEBHOOK {
            let member = self.members_of(conversion).iter().find(|member| member.key == old);
            inside
                .extend(member.cloned().map(|member| Member { key: Cow::Borrowed(new), ..member }));
        }
        if !inside.is_empty() {
            let webhook = self.add_object(&self.value(conversion).span(), inside);
            self.set_member(conversion, "webhook", webhook);
            self.retain_members(conversion, |key, _| OF_WEBHOOK.iter().all(|(old, _)| key != *old));
        }
    }

    /// The path of a column is called `jsonPath` in `v1`.
    fn rename_paths(&mut self, version: NodeId) {
        let columns = self.node_at(version, "additionalPrinterColumns");
        let columns = columns.into_iter().flat_map(|columns| self.members_of(columns).to_vec());
        for column in columns.map(|column| column.node).collect::<Vec<_>>() {
            let mut members = self.members_of(column).to_vec();
            let path = members.iter_mut().find(|member| member.key == "JSONPath");
            if let Some(path) = path.filter(|_| self.value(column).kind() == ValueKind::Object) {
                path.key = Cow::Borrowed("jsonPath");
                self.set_members(column, members);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{ReadLimits, documents};

    fn definitions(text: &str) -> Vec<Value> {
        let trees =
            documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS).map(Result::unwrap);
        trees
            .flat_map(|mut tree| {
                let objects = tree.definitions();
                objects
                    .into_iter()
                    .map(|object| tree.value(object.node).to_json())
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn a_definition_of_v1beta1_is_one_of_v1() {
        let old = "
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  group: example.dev
  version: v1
  names: {kind: Widget, plural: widgets}
  validation: {openAPIV3Schema: {type: object}}
  subresources: {status: {}}
  additionalPrinterColumns: [{name: Size, type: string, JSONPath: .spec.size}]
---
kind: ConfigMap
";
        let expected = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "spec": {
                "group": "example.dev",
                "scope": "Namespaced",
                "preserveUnknownFields": true,
                "names": {"kind": "Widget", "plural": "widgets"},
                "versions": [{
                    "name": "v1", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": [{"name": "Size", "type": "string", "jsonPath": ".spec.size"}],
                }],
            },
        });
        let empty = old.replace("  version:", "  scope: \"\"\n  version:");
        assert_eq!([definitions(old), definitions(&empty)].concat(), [expected.clone(), expected]);
    }

    #[test]
    fn unknown_fields_are_kept_unless_the_definition_says_otherwise() {
        for (member, expected) in [
            ("", true),
            ("preserveUnknownFields: null, ", true),
            ("preserveUnknownFields: true, ", true),
            ("preserveUnknownFields: false, ", false),
        ] {
            let text = format!(
                "{{apiVersion: apiextensions.k8s.io/v1beta1, kind: CustomResourceDefinition, spec: {{{member}version: v1}}}}"
            );
            let found = definitions(&text).remove(0);
            assert_eq!(found["spec"]["preserveUnknownFields"], expected, "{member}");
        }
    }

    #[test]
    fn a_version_keeps_what_it_states() {
        let old = "
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  version: v2
  scope: Cluster
  validation: {openAPIV3Schema: {type: object}}
  versions:
  - {name: v2, served: true, storage: true}
  - {name: v1, served: false, storage: false, schema: {openAPIV3Schema: {type: object, title: own}}}
";
        let found = definitions(old).remove(0);
        assert_eq!(found["spec"]["scope"], "Cluster");
        let schema = |index: usize| &found["spec"]["versions"][index]["schema"]["openAPIV3Schema"];
        assert_eq!(schema(0), &json!({"type": "object"}));
        assert_eq!(schema(1), &json!({"type": "object", "title": "own"}));
    }

    #[test]
    fn the_webhook_is_nested() {
        let old = "
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  version: v1
  conversion: {strategy: Webhook, conversionReviewVersions: [v1], webhookClientConfig: {url: a}}
";
        let found = definitions(old).remove(0);
        let webhook = json!({"clientConfig": {"url": "a"}, "conversionReviewVersions": ["v1"]});
        assert_eq!(found["spec"]["conversion"], json!({"strategy": "Webhook", "webhook": webhook}));
    }

    #[test]
    fn what_is_not_a_definition_stays_as_it_is() {
        for spec in [
            "1",
            "{versions: 1, version: {}}",
            "{versions: [1], validation: [2]}",
            "{conversion: [1]}",
        ] {
            let text = format!(
                "{{apiVersion: apiextensions.k8s.io/v1beta1, kind: CustomResourceDefinition, spec: {spec}}}"
            );
            assert_eq!(definitions(&text).len(), 1, "{spec}");
        }
        assert!(definitions("kind: ConfigMap").is_empty());
    }
}
