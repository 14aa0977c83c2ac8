//! The check of the answers to requests for custom resources.

use k8s_versioned_conformance::{Documents, Recordings, Suite, SuiteReport};
use serde_json::{Value, json};

use crate::folder::with;
use crate::widget::KINDS;

const DEFINITION: &str = "\
kind: CustomResourceDefinition
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, format: int32, minimum: 1, default: 1}
              names: {type: array, maxItems: 1, items: {type: string}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
";

const COLLECTION: &str = "/apis/example.com/v1/namespaces/default/widgets";

fn widget(spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "namespace": "default"}, "spec": spec})
}

/// A creation that a server accepted.
fn created() -> Value {
    let mut stored = widget(&json!({"size": 1}));
    stored["metadata"]["generation"] = 1.into();
    stored["metadata"]["uid"] = "5".into();
    json!({
        "name": "create",
        "request": {
            "method": "POST", "path": COLLECTION, "query": {"fieldValidation": "Warn"}, "headers": {},
            "json": widget(&json!({"colour": 1})),
        },
        "response": {
            "status": 201,
            "headers": {"warning": "299 - \"unknown field \\\"spec.colour\\\"\""},
            "json": stored,
        },
    })
}

/// A creation that a server refused, for two reasons.
fn refused() -> Value {
    let causes = [
        ("FieldValueTooMany", "Too many: 2: must have at most 1 item", "spec.names"),
        (
            "FieldValueInvalid",
            "Invalid value: 0: spec.size in body should be greater than or equal to 1",
            "spec.size",
        ),
    ];
    let shown = causes.map(|(_, message, field)| format!("{field}: {message}")).join(", ");
    let causes = causes.map(
        |(reason, message, field)| json!({"reason": reason, "message": message, "field": field}),
    );
    json!({
        "name": "refused",
        "request": {
            "method": "POST", "path": COLLECTION, "headers": {},
            "json": widget(&json!({"size": 0, "names": ["a", "b"]})),
        },
        "response": {"status": 422, "headers": {}, "json": {
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "reason": "Invalid", "code": 422,
            "message": format!("Widget.example.com \"a\" is invalid: [{shown}]"),
            "details": {"name": "a", "group": "example.com", "kind": "Widget", "causes": causes},
        }},
    })
}

/// The report on a recording of a release.
fn judge(release: &str, recording: &Value) -> SuiteReport {
    let file = format!("{release}/example.com/v1/widgets/1.json");
    let folder = with(&[(&file, recording.to_string().as_bytes())]);
    let definitions = with(&[("widgets.yaml", DEFINITION.as_bytes())]);
    let documents = Documents::load(definitions.path()).unwrap();
    let suite = Suite::general(&KINDS, &documents).only(&["admit"]).unwrap();
    suite.run(&Recordings::load(folder.path()).unwrap())
}

fn edited(mut recording: Value, pointer: &str, value: Value) -> Value {
    *recording.pointer_mut(pointer).unwrap() = value;
    recording
}

#[test]
fn answers_of_servers_are_predicted() {
    let mut reordered = refused();
    reordered["response"]["json"]["details"]["causes"].as_array_mut().unwrap().reverse();
    for recording in [created(), refused(), reordered] {
        let report = judge("v1.36", &recording);
        assert!(report.is_success() && report.total("admit").passed == 1, "{report}");
    }
}

/// Servers accept numbers beyond `int32` up to 1.35. A product's release says nothing about the server.
#[test]
fn the_release_of_the_folder_is_the_release_of_the_server() {
    let mut large =
        edited(created(), "/request/json/spec", json!({"colour": 1, "size": 3_000_000_000_u32}));
    large["response"]["json"]["spec"]["size"] = 3_000_000_000_u32.into();
    let is_predicted = |release| judge(release, &large).is_success();
    assert_eq!(["v1.35", "v1.36", "1.0.0"].map(is_predicted), [true, false, false]);
}

#[test]
fn other_answers_are_mismatches() {
    for (recording, pointer, value) in [
        (created(), "/response/status", json!(422)),
        (created(), "/response/headers/warning", json!("299 - \"another\"")),
        (created(), "/response/json/spec/size", json!(2)),
        (created(), "/response/json/metadata/name", json!("b")),
        (created(), "/response/json/spec/size", json!(null)),
        (refused(), "/response/status", json!(201)),
        (refused(), "/response/json/details/causes/0/field", json!("spec")),
        (refused(), "/response/json/details/causes/1/message", json!("too small")),
        (refused(), "/response/json/message", json!("invalid")),
    ] {
        let edited = edited(recording, pointer, value);
        let report = judge("v1.36", &edited);
        let place = report.findings.first().map(|finding| finding.at.as_str());
        let is_there =
            place.is_some_and(|place| place.starts_with(pointer) || pointer.starts_with(place));
        assert!(!report.is_success() && is_there, "{pointer}: {report}");
    }
}

#[test]
fn what_does_not_follow_from_the_object_is_not_judged() {
    let method = |name: &str| edited(created(), "/request/method", name.into());
    let at = |path: &str| edited(created(), "/request/path", path.into());
    for (recording, reason) in [
        (method("PATCH"), "not a request that creates or replaces an object"),
        (method("PUT"), "no stored object before the request"),
        (at("/apis/example.com/v1/namespaces/default/gadgets"), "no definition of the resource"),
        (
            at("/apis/example.com/v1/namespaces/default/widgets/a/scale"),
            "a subresource other than status",
        ),
        (
            edited(created(), "/request/headers", json!({"content-type": "application/yaml"})),
            "a body that is not JSON",
        ),
        (
            edited(created(), "/response/status", 403.into()),
            "an answer that does not follow from the definition and the object",
        ),
    ] {
        let report = judge("v1.36", &recording);
        let reasons: Vec<_> =
            report.not_applicable().map(|not_applicable| not_applicable.reason).collect();
        assert_eq!(reasons, [reason], "{report}");
    }
}
