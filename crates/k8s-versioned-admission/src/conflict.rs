//! Whether a request may replace the stored object: the name in the URL, the `uid` and the `resourceVersion`.

use crate::answer::{Answer, Subject};
use crate::cause::{Cause, Reason, Shown};
use crate::go::Quoted;
use crate::metadata::{Metadata, text};
use crate::receive::Refusal;
use crate::served::Definition;

/// Compares the name with the name in the URL, which is that of the stored object.
pub(crate) fn compare_with_url(new: &Metadata, old: &Metadata) -> Result<(), Refusal> {
    let (found, expected) = (text(new, "name"), text(old, "name"));
    if found == expected {
        return Ok(());
    }
    let message = if found.is_empty() {
        format!(
            "the name of the object ({expected} based on URL) was undeterminable: name must be provided"
        )
    } else {
        format!("the name of the object ({found}) does not match the name on the URL ({expected})")
    };
    Err(Box::new(Answer::bad_request(message)))
}

/// Compares the `uid` and the `resourceVersion` with those of the stored object.
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
    match if version.is_empty() { Ok(0) } else { version.parse::<u64>() } {
        Err(_) => {
            let message = format!("strconv.ParseUint: parsing {}: invalid syntax", Quoted(version));
            Err(Box::new(Answer::refused(500, "", message)))
        }
        Ok(0) => {
            let (field, detail) = ("metadata.resourceVersion", "must be specified for an update");
            let facts = definition.facts;
            let cause = Cause::new(facts, Reason::Invalid, field, Shown::Count(0), detail);
            Err(Box::new(Answer::invalid(subject(definition, old), vec![cause])))
        }
        Ok(_) if version != stored && !stored.is_empty() => {
            let error = "the object has been modified; please apply your changes to the latest version and try again";
            Err(conflict(definition, old, error))
        }
        Ok(_) => Ok(()),
    }
}

/// The stored object, with the resource instead of the kind.
fn subject(definition: &Definition, old: &Metadata) -> Subject {
    Subject {
        name: text(old, "name").to_owned(),
        group: definition.group.clone(),
        kind: definition.plural.clone(),
    }
}

fn conflict(definition: &Definition, old: &Metadata, error: &str) -> Refusal {
    let subject = subject(definition, old);
    let (of, name) = (subject.qualified_kind(), Quoted(&subject.name));
    let message = format!("Operation cannot be fulfilled on {of} {name}: {error}");
    let answer = Answer::refused(409, "Conflict", message);
    Box::new(Answer { subject: Some(subject), ..answer })
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
