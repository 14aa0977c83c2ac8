//! What servers accept without a warning, and what surprises people later.

use std::fmt;

use k8s_versioned_core::syntax::ANNOTATIONS_LIMIT;
use serde_json::Value;

use super::part::Part;
use crate::go;
use crate::path::Path;

/// The annotation of `kubectl apply` with the file as it was sent.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What servers accept without a warning, although few people want it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// A version has other fields than the stored one, and no webhook converts between them. Servers change the `apiVersion` of
    /// objects and drop the fields that a version lacks.
    NoConversion {
        /// The version.
        version: String,
        /// The stored version.
        stored: String,
        /// The path of the first field that differs.
        field: String,
    },
    /// A list is a set, and its items are not scalars. Neither server-side apply nor rules in CEL support it; servers warn of
    /// it since 1.37.
    SetOfObjects {
        /// The version.
        version: String,
        /// The path of the list.
        field: String,
    },
    /// `kubectl apply` keeps the definition in an annotation, and it is too large for that.
    TooLargeToApply {
        /// The bytes of all annotations.
        bytes: usize,
    },
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoConversion { version, stored, field } => write!(
                f,
                "{version} and the stored version {stored} differ at `{field}`, and the definition has no conversion webhook: \
                 servers only change the apiVersion of objects, and drop the fields that a version lacks"
            ),
            Self::SetOfObjects { version, field } => write!(
                f,
                "`{field}` of {version} is a set of items that are not scalars: neither server-side apply nor rules in CEL \
                 support it, and servers warn of it since 1.37"
            ),
            Self::TooLargeToApply { bytes } => write!(
                f,
                "`kubectl apply` would keep the definition in an annotation; all annotations together would have {bytes} bytes, \
                 and servers reject more than {ANNOTATIONS_LIMIT}: use `kubectl apply --server-side`"
            ),
        }
    }
}

/// The advice about a definition.
pub(super) fn of_definition(definition: &Value) -> Vec<Advice> {
    let spec = Part::from_value(definition).and_then(|definition| definition.part("spec"));
    let mut advice = spec.map_or_else(Vec::new, without_conversion);
    for version in spec.into_iter().flat_map(|spec| spec.parts("versions")) {
        if let Some(schema) = schema_of(version) {
            sets_of_objects(schema, version.text("name"), &Path::Root, &mut advice);
        }
    }
    // Few are large.
    if 2 * most_bytes(definition) > ANNOTATIONS_LIMIT {
        let bytes = applied_annotations(definition);
        advice.extend((bytes > ANNOTATIONS_LIMIT).then_some(Advice::TooLargeToApply { bytes }));
    }
    advice
}

/// The versions whose fields differ from those of the stored version, if no webhook converts between them.
fn without_conversion(spec: Part<'_>) -> Vec<Advice> {
    if spec.part("conversion").is_some_and(|conversion| conversion.text("strategy") == "Webhook") {
        return Vec::new();
    }
    let Some(stored) = spec.parts("versions").find(|version| version.is("storage")) else {
        return Vec::new();
    };
    let Some(schema_of_stored) = schema_of(stored) else { return Vec::new() };
    let differing = spec.parts("versions").filter_map(|version| {
        let field = difference(schema_of(version)?, schema_of_stored, &Path::Root)?;
        let [version, stored] = [version, stored].map(|version| version.text("name").to_owned());
        Some(Advice::NoConversion { version, stored, field })
    });
    differing.collect()
}

/// The sets below a schema whose items are objects or lists.
fn sets_of_objects(schema: Part<'_>, version: &str, path: &Path<'_>, advice: &mut Vec<Advice>) {
    if let Some(items) = schema.part("items") {
        let is_set = schema.text("x-kubernetes-list-type") == "set";
        if is_set && matches!(items.text("type"), "object" | "array") {
            let (version, field) = (version.to_owned(), path.to_string());
            advice.push(Advice::SetOfObjects { version, field });
        }
        sets_of_objects(items, version, path, advice);
    }
    if let Some(values) = schema.part("additionalProperties") {
        sets_of_objects(values, version, path, advice);
    }
    for (name, property) in schema.map("properties") {
        sets_of_objects(property, version, &path.field(name), advice);
    }
}

fn schema_of(version: Part<'_>) -> Option<Part<'_>> {
    version.part("schema")?.part("openAPIV3Schema")
}

/// The path of the first field that only one of two schemas has, or that has another type.
fn difference(one: Part<'_>, other: Part<'_>, path: &Path<'_>) -> Option<String> {
    const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
    const ADDITIONAL: &str = "additionalProperties";
    if one.text("type") != other.text("type") || one.is(INT_OR_STRING) != other.is(INT_OR_STRING) {
        return Some(path.to_string());
    }
    if let (Some(one), Some(other)) = (one.part("items"), other.part("items"))
        && let Some(found) = difference(one, other, path)
    {
        return Some(found);
    }
    if let (Some(one), Some(other)) = (one.part(ADDITIONAL), other.part(ADDITIONAL))
        && let Some(found) = difference(one, other, path)
    {
        return Some(found);
    }
    missing(one, other, path).or_else(|| missing(other, one, path)).or_else(|| {
        one.map("properties").find_map(|(name, property)| {
            difference(property, other.member("properties", name)?, &path.field(name))
        })
    })
}

/// The path of the first field of a schema that another schema would drop.
fn missing(one: Part<'_>, other: Part<'_>, path: &Path<'_>) -> Option<String> {
    if other.is("x-kubernetes-preserve-unknown-fields") || other.has("additionalProperties") {
        return None;
    }
    let is_meta = |name: &str| path.is_root() && matches!(name, "apiVersion" | "kind" | "metadata");
    let mut names = one.map("properties").map(|(name, _)| name);
    let lacks = |name: &&str| !is_meta(name) && other.member("properties", name).is_none();
    names.find(lacks).map(|name| path.field(name).to_string())
}

/// The most signs with which Go writes a number that is written with an exponent here.
const MOST_DIGITS: usize = 32;

/// An upper bound of the bytes of a value as JSON.
fn most_bytes(value: &Value) -> usize {
    // A sign is escaped with five signs more.
    let is_escaped = |byte: &u8| *byte < b' ' || *byte == 0xe2 || b"\"\\<>&".contains(byte);
    let of_text = |text: &str| text.len() + 5 * text.bytes().filter(is_escaped).count() + 4;
    match value {
        Value::Null | Value::Bool(_) => 6,
        Value::Number(number) => number.to_string().len() + MOST_DIGITS,
        Value::String(text) => of_text(text),
        Value::Array(items) => items.iter().map(most_bytes).sum::<usize>() + 3,
        Value::Object(members) => {
            members.iter().map(|(name, value)| of_text(name) + most_bytes(value)).sum::<usize>() + 3
        }
    }
}

/// The bytes of all annotations after `kubectl apply`.
fn applied_annotations(definition: &Value) -> usize {
    let mut applied = definition.clone();
    let annotations = applied.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut);
    let others = annotations.map_or(0, |annotations| {
        annotations.remove(LAST_APPLIED);
        let bytes =
            |(name, value): (&String, &Value)| name.len() + value.as_str().map_or(0, str::len);
        annotations.iter().map(bytes).sum()
    });
    // `kubectl` ends the text with a line break.
    others + LAST_APPLIED.len() + go::json(&applied).len() + 1
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::judge;
    use super::super::tests::with_schema;
    use super::{ANNOTATIONS_LIMIT, Advice, LAST_APPLIED};
    use k8s_cel::NEWEST;

    fn advice(definition: &Value) -> Vec<Advice> {
        judge(definition, NEWEST).advice
    }

    /// A definition of two versions whose `spec` has these schemas.
    fn two_versions(stored: &Value, other: &Value) -> Value {
        let schema = |spec: &Value| json!({"type": "object", "properties": {"spec": spec}});
        let mut definition = with_schema(&schema(stored));
        let mut version = definition["spec"]["versions"][0].clone();
        version["name"] = json!("v1beta1");
        version["storage"] = json!(false);
        version["schema"]["openAPIV3Schema"] = schema(other);
        definition["spec"]["versions"].as_array_mut().unwrap().push(version);
        definition
    }

    #[test]
    fn versions_that_differ_need_a_webhook() {
        let object = |properties: Value| json!({"type": "object", "properties": properties});
        let text = || json!({"type": "string", "description": "A."});
        let table = [
            (
                object(json!({"a": text()})),
                object(json!({"a": {"type": "string", "maxLength": 9}})),
                None,
            ),
            (
                object(json!({"a": text()})),
                object(json!({"a": {"type": "integer"}})),
                Some("spec.a"),
            ),
            (
                object(json!({"a": text()})),
                object(json!({"a": text(), "b": text()})),
                Some("spec.b"),
            ),
            (
                object(json!({"a": text(), "b": text()})),
                object(json!({"a": text()})),
                Some("spec.b"),
            ),
            (
                json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
                json!({"type": "object", "properties": {"a": text()}, "x-kubernetes-preserve-unknown-fields": true}),
                None,
            ),
            (
                json!({"type": "array", "items": object(json!({"a": text()}))}),
                json!({"type": "array", "items": object(json!({"b": text()}))}),
                Some("spec.b"),
            ),
        ];
        for (stored, other, field) in table {
            let mut definition = two_versions(&stored, &other);
            let expected = field.map(|field| Advice::NoConversion {
                version: "v1beta1".to_owned(),
                stored: "v1".to_owned(),
                field: field.to_owned(),
            });
            assert_eq!(advice(&definition), Vec::from_iter(expected), "{stored} {other}");
            let client = json!({"service": {"namespace": "a", "name": "b"}});
            definition["spec"]["conversion"] = json!({
                "strategy": "Webhook",
                "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1"]},
            });
            assert_eq!(advice(&definition), []);
        }
    }

    #[test]
    fn sets_have_scalars() {
        let set = |items: Value| json!({"type": "array", "x-kubernetes-list-type": "set", "items": items});
        let object = json!({"type": "object", "x-kubernetes-map-type": "atomic", "properties": {}});
        let list = json!({"type": "array", "x-kubernetes-list-type": "atomic", "items": {"type": "string"}});
        for (items, is_found) in [(json!({"type": "string"}), false), (object, true), (list, true)]
        {
            let spec = json!({"type": "object", "properties": {"a": set(items)}});
            let schema = json!({"type": "object", "properties": {"spec": spec}});
            let (version, field) = ("v1".to_owned(), "spec.a".to_owned());
            let expected = is_found.then_some(Advice::SetOfObjects { version, field });
            assert_eq!(advice(&with_schema(&schema)), Vec::from_iter(expected));
        }
    }

    /// The last size that `kubectl apply` can keep, and the first that it cannot.
    #[test]
    fn an_applied_definition_fits_into_its_annotations() {
        let with = |description: usize| {
            let mut definition =
                with_schema(&json!({"type": "object", "description": "x".repeat(description)}));
            definition["metadata"]["annotations"] =
                json!({"a": "b", LAST_APPLIED: "of the last time"});
            definition
        };
        let mut applied = with(1);
        applied["metadata"]["annotations"].as_object_mut().unwrap().remove(LAST_APPLIED);
        let rest = applied.to_string().len() + LAST_APPLIED.len() + "ab".len();
        let most = ANNOTATIONS_LIMIT - rest;
        assert_eq!(advice(&with(most)), []);
        let bytes = ANNOTATIONS_LIMIT + 1;
        assert_eq!(advice(&with(most + 1)), [Advice::TooLargeToApply { bytes }]);
    }
}
