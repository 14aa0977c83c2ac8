//! Objects whose kind is known at run time only.

use k8s_coordination::Kinds;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::v1::Lease;
use k8s_coordination::validation::{FieldErrors, FieldPath, Prepare, Validate};
use k8s_versioned::{Object, Quoted, Registry, Role};
use serde_json::Value;

/// What validation says.
type Verdict = Result<(), FieldErrors>;

/// An object, and the fields that its kind does not know.
pub(crate) type Decoded = (Box<dyn Object>, Vec<FieldPath>);

/// Decodes an object of one of the group's resources.
///
/// # Errors
///
/// What is wrong, for people.
pub(crate) fn decode(value: &Value) -> Result<Decoded, String> {
    let members = value.as_object().ok_or("not an object")?;
    let text = |name: &str| match members.get(name) {
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(_) => Err(format!("`{name}` is not a string")),
        None => Err(format!("it has no `{name}`")),
    };
    let (api_version, kind) = (text("apiVersion")?, text("kind")?);
    let entry = Kinds
        .find(api_version, kind)
        .filter(|entry| matches!(entry.role(), Role::Resource { .. }));
    let entry = entry
        .ok_or_else(|| format!("unknown kind: {} of {}", Quoted(kind), Quoted(api_version)))?;
    let decoded = entry.decode_value_and_unknown(value);
    decoded.map_err(|error| error.to_string())
}

/// What validation says about an object that is to be created; `None` if no rules are known for its kind.
pub(crate) fn verdict_on_creation(object: &dyn Object, namespace: &str) -> Option<Verdict> {
    if let Some(lease) = object.as_any().downcast_ref::<Lease>() {
        return Some(lease.to_created_in(namespace).validate());
    }
    let candidate = AnyLeaseCandidate::from_object(object)?;
    Some(candidate.to_created_in(namespace).validate())
}

/// What validation says about an object that is to replace another of its kind.
pub(crate) fn verdict_on_update(object: &dyn Object, before: &dyn Object) -> Option<Verdict> {
    if let Some(lease) = object.as_any().downcast_ref::<Lease>() {
        let before = before.as_any().downcast_ref()?;
        return Some(lease.to_update_of(before).validate_update(before));
    }
    let candidate = AnyLeaseCandidate::from_object(object)?;
    let before = AnyLeaseCandidate::from_object(before)?;
    Some(candidate.to_update_of(&before).validate_update(&before))
}
