use serde_json::{Value, json};

use super::keywords::{KEYWORDS, KeywordEffect, find};
use super::*;
use crate::answer::RefusalCause;

/// Definitions with a server's answer: the name of the case, the status, the message, the causes (reason, field, message),
/// and the definition. The number in a type's name that the server made up is left out.
type Table = Vec<(String, u16, String, Vec<(String, String, String)>, Value)>;

const NEWEST: Release = Release::new(1, 36);

fn table() -> Table {
    serde_json::from_str(include_str!("../../fixtures/definitions.json")).unwrap()
}

fn triples(causes: &[RefusalCause]) -> Vec<(String, String, String)> {
    causes
        .iter()
        .map(|cause| (cause.reason.to_string(), cause.field.clone(), cause.message.clone()))
        .collect()
}

#[test]
fn every_definition_gets_the_answer_of_the_server() {
    for (name, status, message, causes, definition) in table() {
        let answer = judge(&definition, NEWEST).answer;
        assert_eq!(answer.status, status, "{name}: {}", answer.message);
        assert_eq!(answer.message, message, "{name}");
        if !causes.is_empty() {
            assert_eq!(triples(&answer.causes), causes, "{name}");
        }
    }
}

/// A definition whose only version has this schema.
/// A server accepts what it has stored.
#[test]
fn every_accepted_definition_replaces_itself() {
    for (name, status, _, _, definition) in table() {
        let answer = judge_update(&definition, &definition, NEWEST).answer;
        let expected = if status == 201 { 200 } else { status };
        let is_ratcheted = status == 422 && answer.status == 200;
        assert!(answer.status == expected || is_ratcheted, "{name}: {}", answer.message);
    }
}

pub(crate) fn with_schema(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.org"},
        "spec": {
            "group": "example.org",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

pub(crate) fn with_field(field: &Value) -> Value {
    with_schema(
        &json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"f": field}}}}),
    )
}

#[test]
fn the_table_of_keywords_is_what_the_judge_says() {
    for row in KEYWORDS.iter().filter(|row| !row.example.is_empty()) {
        let field: Value = serde_json::from_str(row.example).unwrap();
        let verdict = judge(&with_field(&field), NEWEST);
        let case = format!("{} {}: {}", row.name, row.when, verdict.answer.message);
        assert_eq!(verdict.answer.status >= 400, row.effect == KeywordEffect::Refused, "{case}");
        let is_named = verdict
            .keywords
            .iter()
            .any(|keyword| keyword.why == row.why && keyword.effect == row.effect);
        assert_eq!(is_named, row.effect != KeywordEffect::Fine, "{case} {:?}", verdict.keywords);
        if row.effect != KeywordEffect::Refused {
            assert!(
                verdict.keywords.iter().all(|keyword| keyword.effect != KeywordEffect::Refused),
                "{case}"
            );
        }
    }
}

/// What the table calls refused is refused, also in the definitions with an answer of a server.
#[test]
fn no_accepted_definition_has_a_refused_keyword() {
    for (name, status, _, _, definition) in table() {
        let refused = find(&definition, NEWEST)
            .into_iter()
            .find(|found| found.effect == KeywordEffect::Refused);
        assert!(status != 201 || refused.is_none(), "{name}: {refused:?}");
    }
}

#[test]
fn findings_have_places() {
    let schema = json!({"type": "object", "nullable": true, "properties": {"a/b": {"type": "array", "items": {"type": "string", "minimum": 1}}}});
    let places: Vec<_> =
        find(&with_schema(&schema), NEWEST).into_iter().map(|keyword| keyword.pointer).collect();
    let schema = "/spec/versions/0/schema/openAPIV3Schema";
    assert_eq!(
        places,
        [format!("{schema}/nullable"), format!("{schema}/properties/a~1b/items/minimum")]
    );
}

/// The causes of a definition, as texts.
fn causes_of(definition: &Value) -> Vec<String> {
    judge(definition, NEWEST).answer.causes.iter().map(ToString::to_string).collect()
}

/// Changes a definition that is fine.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut definition = with_field(&json!({"type": "string"}));
    assert_eq!(causes_of(&definition), [""; 0]);
    change(&mut definition);
    causes_of(&definition)
}

#[test]
fn names_are_checked() {
    assert_eq!(
        changed(|definition| definition["spec"]["group"] = json!("org")),
        [
            "metadata.name: Invalid value: \"things.example.org\": must be spec.names.plural+\".\"+spec.group",
            "spec.group: Invalid value: \"org\": should be a domain with at least one dot",
        ]
    );
    let causes = changed(|definition| definition["spec"]["names"]["listKind"] = json!("Thing"));
    assert_eq!(
        causes,
        ["spec.names.listKind: Invalid value: \"Thing\": kind and listKind may not be the same"]
    );
    let causes =
        changed(|definition| definition["spec"]["names"]["shortNames"] = json!(["t", "T"]));
    assert!(causes[0].starts_with(
        "spec.names.shortNames[1]: Invalid value: \"T\": a DNS-1035 label must consist of"
    ));
    let causes = changed(|definition| definition["spec"]["names"] = json!({"plural": "things"}));
    let required =
        ["singular", "kind", "listKind"].map(|name| format!("spec.names.{name}: Required value"));
    assert_eq!(causes, required);
    assert_eq!(
        changed(|definition| definition["metadata"]["namespace"] = json!("a")),
        ["metadata.namespace: Forbidden: not allowed on this type"]
    );
}

#[test]
fn groups_of_the_community_need_an_approval() {
    let with = |annotation: &str| {
        changed(|definition| {
            definition["spec"]["group"] = json!("x.k8s.io");
            definition["metadata"] =
                json!({"name": "things.x.k8s.io", "annotations": {check::APPROVAL: annotation}});
        })
    };
    assert!(with("")[0].starts_with(
        "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups"
    ));
    assert!(with("yes")[0].starts_with(
        "metadata.annotations[api-approved.kubernetes.io]: Invalid value: \"yes\": protected"
    ));
    assert_eq!(with("unapproved, for tests"), [""; 0]);
    assert_eq!(with("https://github.com/kubernetes/enhancements/pull/1"), [""; 0]);
}

#[test]
fn parts_of_versions_are_checked() {
    let version = |change: Value| {
        changed(|definition| {
            let version = definition["spec"]["versions"][0].as_object_mut().unwrap();
            version.extend(change.as_object().unwrap().clone());
        })
    };
    for (change, cause) in [
        (
            json!({"deprecationWarning": "x"}),
            "spec.versions[0].deprecationWarning: Invalid value: \"x\": can only be set for deprecated versions",
        ),
        (
            json!({"subresources": {"scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".spec.b"}}}),
            "spec.subresources.scale.statusReplicasPath: Invalid value: \".spec.b\": should be a json path under .status",
        ),
        (
            json!({"additionalPrinterColumns": [{"name": "a", "type": "text", "jsonPath": ".spec.f"}]}),
            "spec.additionalPrinterColumns[0].type: Invalid value: \"text\": must be one of boolean,date,integer,number,string",
        ),
        (
            json!({"additionalPrinterColumns": [{"name": "a", "type": "string", "jsonPath": "spec.f"}]}),
            "spec.additionalPrinterColumns[0].JSONPath: Invalid value: \"spec.f\": must be a simple json path starting with .",
        ),
        (
            json!({"selectableFields": [{"jsonPath": ".spec.f"}, {"jsonPath": ".spec.g"}]}),
            "spec.selectableFields[1].jsonPath: Invalid value: \".spec.g\": is an invalid path: does not refer to a valid field",
        ),
        (
            json!({"selectableFields": [{"jsonPath": ".spec.f"}, {"jsonPath": ".spec.f"}]}),
            "spec.selectableFields[1].jsonPath: Duplicate value: \".spec.f\"",
        ),
    ] {
        assert_eq!(version(change), [cause]);
    }
}

#[test]
fn conversions_are_checked() {
    let conversion =
        |conversion: Value| changed(|definition| definition["spec"]["conversion"] = conversion);
    let client = json!({"service": {"namespace": "a", "name": "b", "port": 0}});
    assert_eq!(
        conversion(
            json!({"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v2", "v2"]}})
        ),
        [
            "spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
            "spec.conversion.conversionReviewVersions[1]: Invalid value: \"v2\": duplicate version",
            "spec.conversion.conversionReviewVersions: Invalid value: [\"v2\",\"v2\"]: must include at least one of v1, v1beta1",
        ]
    );
    let client = json!({"url": "http://u@h/p?q"});
    assert_eq!(conversion(json!({"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1"]}})).len(), 3);
    let forbidden =
        conversion(json!({"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}}));
    assert_eq!(
        forbidden,
        [
            "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook"
        ]
    );
}

/// Surprising answers of a server 1.36, about the service of a webhook and about the stored versions.
#[test]
fn odd_answers_are_those_of_servers() {
    let service = |service: Value| {
        let client = json!({"service": service});
        let webhook = json!({"clientConfig": client, "conversionReviewVersions": ["v1"]});
        changed(|definition| {
            definition["spec"]["conversion"] = json!({"strategy": "Webhook", "webhook": webhook});
        })
    };
    let at = |field: &str| format!("spec.conversion.webhookClientConfig.service.{field}");
    assert_eq!(service(json!({"namespace": "a"})), [at("namespace: Required value")]);
    assert_eq!(service(json!({"name": "a"})), [at("name: Required value")]);
    assert_eq!(
        service(json!({"namespace": "a", "name": "b", "path": "/a//b"})),
        [at("path: Invalid value: \"/a//b\": segment[1] may not be empty")]
    );

    let versions = |change: fn(&mut Vec<Value>)| {
        changed(|definition| change(definition["spec"]["versions"].as_array_mut().unwrap()))
    };
    let none = versions(Vec::clear);
    let exactly = "must have exactly one version marked as storage version";
    assert!(none.contains(&format!("spec.versions: Invalid value: []: {exactly}")), "{none:?}");
    let twice = versions(|all| all.push(all[0].clone()));
    let noted = "status.storedVersions: Invalid value: [\"v1\"]: must have the storage version v1";
    assert!(twice.contains(&noted.to_owned()), "{twice:?}");

    let metadata = |schema: Value| {
        let schema = json!({"type": "object", "properties": {"metadata": schema}});
        causes_of(&with_schema(&schema)).len()
    };
    assert_eq!(metadata(json!({"type": "object", "externalDocs": {"url": "a"}})), 0);
    assert_eq!(metadata(json!({"type": "object", "example": 0})), 1);
    assert_eq!(metadata(json!({"type": "object", "x-kubernetes-list-map-keys": []})), 1);
}

/// `ValidateDefaults` of apiextensions: rules are judged for defaults, and the root is an object with a type and metadata.
#[test]
fn defaults_are_checked() {
    let of_field = |field: Value| causes_of(&with_field(&field));
    let f = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let rules = |rule: &str| json!([{"rule": rule, "message": "no"}]);
    let text = |rule: &str| json!({"type": "string", "maxLength": 9, "default": "b", "x-kubernetes-validations": rules(rule)});
    assert_eq!(of_field(text("self != 'a'")), [""; 0]);
    let broken = format!("{f}.default: Invalid value: \"b\": no");
    assert_eq!(of_field(text("self == 'a'")), std::slice::from_ref(&broken));
    assert_eq!(of_field(text("self == oldSelf")), [""; 0]);
    assert_eq!(of_field(text("self != oldSelf")), [broken]);
    let inner = json!({"type": "object", "default": {"a": 1}, "properties": {"a": {
        "type": "integer", "x-kubernetes-validations": rules("self > 1"),
    }}});
    assert_eq!(of_field(inner), [format!("{f}.default.a: Invalid value: 1: no")]);
    // A default is judged only by the structure: without the types of an int-or-string, and with unknown formats.
    for (field, expected) in [
        (json!({"x-kubernetes-int-or-string": true, "default": [1.5]}), None),
        (
            json!({"type": "integer", "x-kubernetes-int-or-string": true, "default": "a"}),
            Some(("integer", "string")),
        ),
        (json!({"type": "object", "format": "x", "default": "a"}), None),
        (json!({"type": "object", "format": "x", "default": true}), Some(("x", ""))),
        (json!({"type": "object", "default": "a"}), Some(("object", "string"))),
    ] {
        let message = |(expected, actual)| {
            format!(
                "{f}.default: Invalid value: \"{actual}\":  in body must be of type {expected}: \"{actual}\""
            )
        };
        assert_eq!(of_field(field), Vec::from_iter(expected.map(message)));
    }
    let root = "spec.validation.openAPIV3Schema.default";
    assert_eq!(
        causes_of(&with_schema(&json!({"type": "object", "default": {}}))),
        ["apiVersion", "kind"].map(|name| format!("{root}.{name}: Required value"))
    );
}

/// A default in the metadata of an embedded object is judged in an object without other members.
#[test]
fn defaults_in_metadata_are_checked() {
    let f = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let of_metadata = |metadata: Value| {
        causes_of(&with_field(&json!({
            "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
            "properties": {"kind": {"type": "string", "default": "Kind"}, "metadata": metadata},
        })))
    };
    let field = |name: &str, schema: Value| json!({"type": "object", "properties": {name: schema}});
    let text = |default: &str| json!({"type": "string", "default": default});
    for (metadata, place, shown, fault) in [
        (field("name", text("a-b")), "", "", ""),
        (
            field("name", text("a/b")),
            "[name].default",
            "\"a/b\"",
            "metadata.name: Invalid value: \"a/b\": may not contain '/'",
        ),
        (
            field(
                "labels",
                json!({"type": "object", "additionalProperties": {"type": "string"}, "default": {"a": "-"}}),
            ),
            "[labels].default",
            "{\"a\":\"-\"}",
            "metadata.labels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        ),
        (
            field(
                "finalizers",
                json!({"type": "array", "items": {"type": "string"}, "default": ["a"]}),
            ),
            "",
            "",
            "",
        ),
        (
            field("generation", json!({"type": "integer", "default": -1})),
            "[generation].default",
            "-1",
            "metadata.generation: Invalid value: -1: must be greater than or equal to 0",
        ),
    ] {
        let expected = if fault.is_empty() {
            Vec::new()
        } else {
            vec![format!(
                "{f}.properties[metadata].properties{place}: Invalid value: {shown}: must result in valid metadata: {fault}"
            )]
        };
        assert_eq!(of_metadata(metadata), expected);
    }
}

/// The type and the metadata of an embedded object that a default makes are those of an object.
#[test]
fn defaults_of_embedded_objects_are_checked() {
    let f = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let embedded = |mut schema: Value| {
        schema["type"] = json!("object");
        schema["x-kubernetes-embedded-resource"] = json!(true);
        causes_of(&with_field(&schema))
    };
    let invalid = "must result in valid metadata:";
    let kind = json!({"kind": {"type": "string", "default": "%"}});
    let causes = embedded(json!({"properties": kind}));
    let start = format!(
        "{f}.properties[kind].default: Invalid value: \"%\": {invalid} kind: Invalid value: \"%\": may have mixed case"
    );
    assert!(causes[0].starts_with(&start) && causes.len() == 1, "{causes:?}");
    let version = json!({"apiVersion": {"type": "string", "default": 42}});
    assert_eq!(
        embedded(json!({"properties": version})),
        [format!(
            "{f}.properties[apiVersion].default: Invalid value: 42: {invalid} apiVersion: Invalid value: 42: must be a string"
        )]
    );
    let default = json!({
        "apiVersion": "v1", "kind": "A", "metadata": {"name": "a", "unknown": 1}, "spec": 1,
    });
    let shown = r#"{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":1}"#;
    assert_eq!(
        embedded(json!({"default": default, "properties": {"a": {"type": "string"}}})),
        [format!("{f}.default: Invalid value: {shown}: must not have unknown fields")]
    );
}

/// Servers compare no values below an object whose `x-kubernetes-map-type` they do not know.
#[test]
fn old_values_below_an_unknown_map_type_are_unknown() {
    let f = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let rules = json!([{"rule": "self == oldSelf"}]);
    let a = json!({"type": "string", "maxLength": 9, "x-kubernetes-validations": rules});
    let with = |map_type: &str| {
        let schema =
            json!({"type": "object", "properties": {"a": a}, "x-kubernetes-map-type": map_type});
        causes_of(&with_field(&schema))
    };
    assert_eq!(with("atomic"), [""; 0]);
    assert_eq!(with("granular"), [""; 0]);
    assert_eq!(
        with("future"),
        [
            format!(
                "{f}.x-kubernetes-map-type: Unsupported value: \"future\": supported values: \"atomic\", \"granular\""
            ),
            format!(
                "{f}.properties[a].x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\": oldSelf cannot be used on the uncorrelatable portion of the schema within {f}"
            ),
        ]
    );
}

/// The path of a rule is followed in a structural schema (`pathValid` of apiextensions).
#[test]
fn field_paths_lead_to_fields() {
    let f = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let path = format!(
        "{f}.x-kubernetes-validations[0].fieldPath: Invalid value: \".b\": must be a valid path"
    );
    for (keyword, value, is_followed) in [
        ("maxProperties", json!(1), true),
        ("id", json!("a"), false),
        ("additionalItems", json!(false), false),
        ("not", json!({"properties": {"a": {"definitions": {"a": {}}}}}), false),
    ] {
        let field = json!({
            "type": "object", "properties": {"a": {"type": "integer"}}, keyword: value,
            "x-kubernetes-validations": [{"rule": "true", "fieldPath": ".b"}],
        });
        let causes = causes_of(&with_field(&field));
        assert_eq!(causes.contains(&path), is_followed, "{causes:?}");
        assert!(is_followed || !causes.is_empty());
    }
}

/// Values without a type in CEL cannot have rules (`ValidateCustomResourceDefinitionOpenAPISchema` of apiextensions).
/// What servers report about the texts of a rule, even if the schema has other faults.
#[test]
fn a_blank_message_expression_is_none() {
    let f = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let blank = format!(
        "{f}.x-kubernetes-validations[0].messageExpression: Required value: messageExpression must be non-empty if specified"
    );
    let rules = json!([{"rule": "true", "messageExpression": " "}]);
    let causes = |schema: Value| {
        let mut schema = schema;
        schema["x-kubernetes-validations"] = rules.clone();
        causes_of(&with_field(&schema))
    };
    assert_eq!(causes(json!({"type": "string"})), std::slice::from_ref(&blank));
    let unsound = causes(json!({"type": "string", "default": 1}));
    assert!(unsound.contains(&blank) && unsound.len() == 2, "{unsound:?}");
}

#[test]
fn rules_need_a_type() {
    let field = json!({"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [{"rule": "true"}]});
    let f = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let cause = "Internal error: internal error: failed to retrieve type information for x-kubernetes-validations";
    assert_eq!(causes_of(&with_field(&field)), [format!("{f}.x-kubernetes-validations: {cause}")]);
}

#[test]
fn certificates_are_base64() {
    let mut definition = with_field(&json!({"type": "string"}));
    for (text, status) in [("YWJj", 201), ("YW\nJj", 201), ("YWK=", 201), ("!!", 400)] {
        let client = json!({"url": "https://a.b", "caBundle": text});
        definition["spec"]["conversion"] = json!({
            "strategy": "Webhook",
            "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1"]},
        });
        assert_eq!(judge(&definition, NEWEST).answer.status, status, "{text:?}");
    }
}

#[test]
fn what_cannot_be_decoded_has_its_path() {
    let schema = "/spec/versions/0/schema/openAPIV3Schema/properties";
    for (pointer, value, path) in [
        (schema, json!({"a.b": {"maxLength": "x"}}), "properties[a.b].maxLength"),
        (schema, json!({"a": {"items": {"allOf": [{}, 1]}}}), "properties[a].items.allOf[1]"),
        ("/metadata", json!({"labels": {"a": "b", "c.d": 1}}), "metadata.labels[c.d]"),
        ("/metadata", json!({"finalizers": ["a", 1]}), "metadata.finalizers[1]"),
        ("/metadata", json!({"ownerReferences": [{"uid": 1}]}), "metadata.ownerReferences[0].uid"),
        ("/metadata", json!({"creationTimestamp": 1}), "metadata.creationTimestamp"),
        ("/metadata", json!(1), "metadata"),
        ("/spec/group", json!(1), "spec.group"),
    ] {
        let mut definition = with_field(&json!({"type": "string"}));
        *definition.pointer_mut(pointer).unwrap() = value;
        let answer = judge(&definition, NEWEST).answer;
        let found = answer.undecodable.unwrap_or_else(|| panic!("{}", answer.message));
        let own = "spec.versions[0].schema.openAPIV3Schema.";
        assert_eq!((answer.status, found.strip_prefix(own).unwrap_or(&found)), (400, path));
    }
}

#[test]
fn other_objects_are_refused() {
    let old =
        json!({"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition"});
    assert_eq!(judge(&old, NEWEST).answer.status, 400);
    for other in [
        json!(null),
        json!([]),
        json!({}),
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "Pod"}),
    ] {
        assert_eq!(judge(&other, NEWEST).answer.status, 400, "{other}");
    }
}

#[test]
fn unknown_fields_are_warned_of() {
    let mut definition = with_field(
        &json!({"type": "array", "items": {"type": "string", "const": "a"}, "const": []}),
    );
    definition["spec"]["strange"] = json!(1);
    let field = "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.f.const";
    let expected =
        ["unknown field \"spec.strange\"".to_owned(), format!("unknown field \"{field}\"")];
    assert_eq!(judge(&definition, NEWEST).answer.warnings, expected);
}

/// Changes definitions in one to four places: nothing panics, and every verdict is one of the three.
#[test]
fn mutated_definitions_get_a_verdict() {
    let definitions: Vec<Value> = table().into_iter().map(|row| row.4).collect();
    let mutants =
        std::env::var("MUTANTS").ok().and_then(|number| number.parse().ok()).unwrap_or(300);
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..mutants {
        let mut definition = random.choice(&definitions).unwrap().clone();
        for _ in 0..random.usize(1..5) {
            let donor = any_part(random.choice(&definitions).unwrap(), &mut random).clone();
            let names: Vec<&str> =
                super::shape::JSON_SCHEMA.fields.iter().map(|field| field.name).collect();
            match any_part_mut(&mut definition, &mut random) {
                Value::Object(members) if random.bool() => {
                    members.insert((*random.choice(&names).unwrap()).to_owned(), donor);
                }
                place => *place = donor,
            }
        }
        let answer = judge(&definition, NEWEST).answer;
        assert!(matches!(answer.status, 201 | 400 | 422), "{definition}");
        assert_eq!(answer.status == 422, !answer.causes.is_empty());
    }
}

fn any_part<'a>(value: &'a Value, random: &mut fastrand::Rng) -> &'a Value {
    let children: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    match random.choice(children) {
        Some(child) if random.u8(..) > 40 => any_part(child, random),
        _ => value,
    }
}

fn any_part_mut<'a>(value: &'a mut Value, random: &mut fastrand::Rng) -> &'a mut Value {
    let count = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    if count == 0 || random.u8(..) < 40 {
        return value;
    }
    let at = random.usize(..count);
    let child = match value {
        Value::Array(items) => items.get_mut(at),
        Value::Object(members) => members.values_mut().nth(at),
        _ => None,
    };
    any_part_mut(child.unwrap(), random)
}

/// Servers accepted these: `DEFINITIONS=FOLDER RELEASE=v1.31 cargo test -p k8s-versioned-admission accepted -- --ignored`.
#[test]
#[ignore = "needs a folder of definitions"]
fn accepted_definitions_are_accepted() {
    let folder = std::env::var_os("DEFINITIONS").expect("DEFINITIONS names a folder");
    let release = std::env::var("RELEASE").map_or(NEWEST, |release| release.parse().unwrap());
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let definition: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let definition = definition.get("definition").unwrap_or(&definition);
        let answer = judge(definition, release).answer;
        assert_eq!(answer.status, 201, "{}: {}", path.display(), answer.message);
        count += 1;
    }
    println!("{count} definitions");
}

/// A default of each object around many fields is no reason to compile the rules of the fields again.
#[test]
fn nested_defaults_are_compiled_once() {
    const FIELDS: usize = 20;
    let compiled = |depth: usize| {
        let fields: Map<String, Value> = (0..FIELDS)
            .map(|at| {
                let rule = json!([{"rule": "self.size() < 9"}]);
                let field =
                    json!({"type": "string", "maxLength": 9, "x-kubernetes-validations": rule});
                (format!("f{at}"), field)
            })
            .collect();
        let inner = json!({"type": "object", "default": {}, "properties": fields});
        let spec = (0..depth).fold(
            inner,
            |inner, _| json!({"type": "object", "default": {}, "properties": {"a": inner}}),
        );
        let definition = with_schema(&json!({"type": "object", "properties": {"spec": spec}}));
        let before = crate::schema::COMPILED.get();
        let verdict = judge(&definition, NEWEST);
        assert_eq!(verdict.answer.status, 201, "{}", verdict.answer.message);
        assert!(verdict.keywords.is_empty(), "{:?}", verdict.keywords);
        crate::schema::COMPILED.get() - before
    };
    assert_eq!(compiled(1), 2 * FIELDS);
    assert_eq!(compiled(20), 2 * FIELDS);
}

/// The rules of a part are those of the whole: a refused default is found at any depth, and where a part around it cannot be
/// compiled.
#[test]
fn a_refused_default_is_found_at_any_depth() {
    let refused = json!({"type": "integer", "default": 3, "x-kubernetes-validations": [{"rule": "self < 3"}]});
    let list = json!({"type": "array", "default": [], "items": {"type": "object", "properties": {"c": refused}}});
    let map = json!({"type": "object", "additionalProperties": {"type": "object", "default": {}, "properties": {"d": list}}});
    let spec = json!({"type": "object", "default": {}, "properties": {"a": {"type": "object", "properties": {"b": map}}}});
    let definition = with_schema(&json!({"type": "object", "properties": {"spec": spec}}));
    let found = find(&definition, NEWEST);
    let pointers: Vec<&str> = found.iter().map(|found| found.pointer.as_str()).collect();
    let place = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/properties/b/additionalProperties\
                 /properties/d/items/properties/c/default";
    assert_eq!(pointers, [place]);
}

/// The URL of a webhook, and what servers say of it.
#[test]
fn urls_of_webhooks_are_read_as_by_go() {
    let required = |error: &str| {
        format!(
            "Required value: url must be a valid URL: parse {error}; desired format: https://host[/path]"
        )
    };
    for (url, message) in [
        ("https://a b/", required(r#""https://a b/": invalid character " " in host name"#)),
        ("https://h:port/", required(r#""https://h:port/": invalid port ":port" after host"#)),
        ("https://h/%zz", required(r#""https://h/%zz": invalid URL escape "%zz""#)),
        ("https://[::1", required(r#""https://[::1": missing ']' in host"#)),
        (
            "https://u@h/",
            "Invalid value: \"u\": user information is not permitted in the URL".to_owned(),
        ),
        (
            "https://h/#%20",
            "Invalid value: \" \": fragments are not permitted in the URL".to_owned(),
        ),
    ] {
        let causes = changed(|definition| {
            definition["spec"]["conversion"] = json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": url}, "conversionReviewVersions": ["v1"],
            }});
        });
        assert_eq!(causes, [format!("spec.conversion.webhookClientConfig.url: {message}")]);
    }
    for (approval, is_given) in
        [("https://a b/", false), ("https://h/%zz", false), ("https://h/x", true)]
    {
        let causes = changed(|definition| {
            definition["spec"]["group"] = "example.k8s.io".into();
            definition["metadata"]["name"] = "things.example.k8s.io".into();
            definition["metadata"]["annotations"] = json!({"api-approved.kubernetes.io": approval});
        });
        assert_eq!(causes.is_empty(), is_given, "{approval}: {causes:?}");
    }
}
