//! Whether a request may replace the stored object: the name in the URL, the `uid` and the `resourceVersion`.

use super::receive::Refusal;
use crate::answer::{Reason, RefusalCause, RefusedObject, ServerAnswer, Shown};
use crate::definition::Definition;
use crate::facts::ServerFact;
use crate::go::{GoQuoted, parse_uint};
use crate::metadata::{self, Metadata, text};

/// Compares the name with the name in the URL, which the stored object has.
pub(crate) fn compare_with_url(new: &Metadata, old: &Metadata) -> Result<(), Refusal> {
    metadata::compare_names(new, old)
        .map_err(|message| Box::new(ServerAnswer::bad_request(message)))
}

/// Compares the `uid` and the `resourceVersion` with the values in the stored object.
pub(crate) fn check(
    definition: &Definition,
    new: &Metadata,
    old: &Metadata,
) -> Result<(), Refusal> {
    let (uid, stored) = (text(new, "uid"), text(old, "uid"));
    if !uid.is_empty() && !stored.is_empty() && uid != stored {
        return Err(conflict(definition, old, &of_uid(definition, old, uid)));
    }
    let (version, stored) = (text(new, "resourceVersion"), text(old, "resourceVersion"));
    match if version.is_empty() { Ok(0) } else { parse_uint(version) } {
        Err(message) => Err(Box::new(ServerAnswer::refused(500, message))),
        Ok(0) => {
            let (field, detail) = ("metadata.resourceVersion", "must be specified for an update");
            let facts = definition.facts;
            // Before, servers showed this number in the syntax of Go.
            let shown = Shown::Json(if facts.hold(ServerFact::ValuesAsJson) { "0" } else { "0x0" });
            let cause = RefusalCause::new(facts, Reason::Invalid, field, shown, detail);
            Err(Box::new(ServerAnswer::invalid(subject(definition, old), vec![cause])))
        }
        Ok(_) if version != stored && !stored.is_empty() => {
            let error = "the object has been modified; please apply your changes to the latest version and try again";
            Err(conflict(definition, old, error))
        }
        Ok(_) => Ok(()),
    }
}

/// The stored object, with the resource instead of the kind.
fn subject(definition: &Definition, old: &Metadata) -> RefusedObject {
    RefusedObject {
        name: text(old, "name").to_owned(),
        group: definition.group.clone(),
        kind: definition.plural.clone(),
    }
}

fn conflict(definition: &Definition, old: &Metadata, error: &str) -> Refusal {
    let subject = subject(definition, old);
    let (of, name) = (subject.qualified_kind(), GoQuoted(&subject.name));
    let message = format!("Operation cannot be fulfilled on {of} {name}: {error}");
    let answer = ServerAnswer::refused(409, message);
    Box::new(ServerAnswer { subject: Some(subject), ..answer })
}

fn of_uid(definition: &Definition, old: &Metadata, uid: &str) -> String {
    let Definition { group, plural, .. } = definition;
    let (namespace, name) = (text(old, "namespace"), text(old, "name"));
    let slash = if namespace.is_empty() { "" } else { "/" };
    let stored = text(old, "uid");
    format!(
        "StorageError: invalid object, Code: 4, Key: /registry/{group}/{plural}/{namespace}{slash}{name}, \
         ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: {uid}, UID in object meta: \
         {stored}"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Definition, FieldValidation, WriteRequest};

    fn definition() -> Definition {
        let schema = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
        let schema = json!({"openAPIV3Schema": schema});
        let version =
            json!({"name": "v1", "served": true, "schema": schema, "subresources": {"status": {}}});
        let names = json!({"kind": "Widget", "plural": "widgets"});
        let spec = json!({"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]});
        Definition::compile(&json!({"spec": spec})).unwrap()
    }

    fn widget(metadata: &Value) -> Value {
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata})
    }

    /// The metadata of an update, and the status and the start of the message of the answer.
    #[test]
    fn an_update_names_the_stored_object_and_its_version() {
        let stored = widget(
            &json!({"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "7", "generation": 3}),
        );
        let modified = "Operation cannot be fulfilled on widgets.example.com \"a\": the object has been modified";
        let absent = "widgets.example.com \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified";
        let table = [
            (json!({"name": "a", "resourceVersion": "7"}), 200, ""),
            (json!({"name": "a", "resourceVersion": "6"}), 409, modified),
            (json!({"name": "a"}), 422, absent),
            (
                json!({"name": "a", "resourceVersion": "x"}),
                500,
                "strconv.ParseUint: parsing \"x\": invalid syntax",
            ),
            (
                json!({"name": "a", "resourceVersion": "+7"}),
                500,
                "strconv.ParseUint: parsing \"+7\": invalid syntax",
            ),
            (
                json!({"name": "a", "resourceVersion": "18446744073709551616"}),
                500,
                "strconv.ParseUint: parsing \"18446744073709551616\": value out of range",
            ),
            (
                json!({"name": "b", "resourceVersion": "7"}),
                400,
                "the name of the object (b) does not match",
            ),
            (json!({}), 400, "the name of the object (a based on URL) was undeterminable"),
            (
                json!({"name": "a", "namespace": "x"}),
                400,
                "the namespace of the provided object does not match",
            ),
            (
                json!({"name": "a", "uid": "v", "resourceVersion": "7"}),
                409,
                "Operation cannot be fulfilled on widgets.example.com \"a\": StorageError: invalid object, Code: 4, Key: \
                 /registry/example.com/widgets/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID \
                 in precondition: v, UID in object meta: u",
            ),
        ];
        for (metadata, status, message) in table {
            let body = widget(&metadata).to_string();
            let answer = definition().admit(&WriteRequest::update("v1", &stored, body.as_bytes()));
            assert_eq!(answer.status, status, "{metadata}: {}", answer.message);
            assert!(answer.message.starts_with(message), "{metadata}: {}", answer.message);
            assert_eq!(
                answer.body()["code"],
                if status == 200 { Value::Null } else { status.into() }
            );
        }
        let body = widget(&json!({"name": "a"})).to_string();
        let request = WriteRequest::update("v1", &stored, body.as_bytes()).from_files();
        let object = definition().admit(&request).object.unwrap();
        assert_eq!(object["metadata"]["generation"], 3);
    }

    #[test]
    fn the_last_generation_has_no_successor() {
        let stored = widget(
            &json!({"name": "a", "namespace": "default", "resourceVersion": "7", "generation": i64::MAX}),
        );
        let mut changed = stored.clone();
        changed["size"] = 2.into();
        let body = changed.to_string();
        let answer = definition().admit(&WriteRequest::update("v1", &stored, body.as_bytes()));
        let cause = answer.causes.first().map(ToString::to_string).unwrap_or_default();
        let refused = "metadata.generation: Invalid value: -9223372036854775808: must be greater than or equal to 0";
        assert_eq!((answer.status, cause.as_str()), (422, refused));
    }

    /// A body, and the message of the answer.
    #[test]
    fn a_body_has_to_be_an_object_of_the_kind() {
        let unrecognized = "the object provided is unrecognized (must be of type Widget):";
        let table = [
            ("", format!("{unrecognized} couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)")),
            ("{}", format!("{unrecognized} Object 'Kind' is missing in '{{}}' ({{}})")),
            (
                r#"{"kind":1}"#,
                format!(
                    "{unrecognized} couldn't get version/kind; json parse error: json: cannot unmarshal number into Go \
                     struct field .kind of type string ({{\"kind\":1}})"
                ),
            ),
            (
                r#"{"apiVersion":"example.com/v2","kind":"Widget"}"#,
                "the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)"
                    .to_owned(),
            ),
            (
                r#"{"apiVersion":"example.com/v1","kind":"Widget","spec":{"a":1e999}}"#,
                "Widget in version \"v1\" cannot be handled as a Widget: json: cannot unmarshal number 1e999 into Go value \
                 of type float64"
                    .to_owned(),
            ),
            (
                r#"{"apiVersion":"example.com/v1","kind":"Widget","kind":"Widget","metadata":{"name":"a","x":1}}"#,
                "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: duplicate field \"kind\", \
                 unknown field \"metadata.x\""
                    .to_owned(),
            ),
        ];
        for (body, message) in table {
            let request = WriteRequest::create("v1", "default", body.as_bytes());
            let answer =
                definition().admit(&request.with_field_validation(&FieldValidation::Strict));
            assert_eq!((answer.status, answer.message), (400, message), "{body}");
        }
    }
}
