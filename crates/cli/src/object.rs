//! Objects whose kind is known at run time only.

use k8s_coordination::validation::{FieldErrors, Prepare, Validate};
use k8s_coordination::{Kinds, v1, v1alpha1, v1alpha2, v1beta1};
use k8s_versioned::{Object, Registry, Role};
use serde_json::Value;

/// What validation says.
type Verdict = Result<(), FieldErrors>;

/// Decodes an object of one of the group's resources.
///
/// # Errors
///
/// What is wrong, for people.
pub(crate) fn decode(value: &Value) -> Result<Box<dyn Object>, String> {
    let member = |name: &str| {
        let member = value.get(name).and_then(Value::as_str);
        member.ok_or_else(|| format!("no object: it has no `{name}`"))
    };
    let (api_version, kind) = (member("apiVersion")?, member("kind")?);
    let entry = Kinds
        .find(api_version, kind)
        .filter(|entry| matches!(entry.role(), Role::Resource { .. }));
    let entry = entry.ok_or_else(|| format!("unknown kind: {kind} of {api_version}"))?;
    entry.decode_value(value).map_err(|error| error.to_string())
}

/// What validation says about an object that is to be created; `None` if no rules are known for its kind.
pub(crate) fn verdict_on_creation(object: &dyn Object, namespace: &str) -> Option<Verdict> {
    created::<v1::Lease>(object, namespace)
        .or_else(|| created::<v1alpha1::LeaseCandidate>(object, namespace))
        .or_else(|| created::<v1alpha2::LeaseCandidate>(object, namespace))
        .or_else(|| created::<v1beta1::LeaseCandidate>(object, namespace))
}

fn created<T: Validate + Prepare + 'static>(
    object: &dyn Object,
    namespace: &str,
) -> Option<Verdict> {
    let object = object.as_any().downcast_ref::<T>()?;
    Some(object.as_created_in(namespace).validate())
}

/// What validation says about an object that is to replace another of its kind.
pub(crate) fn verdict_on_update(object: &dyn Object, before: &dyn Object) -> Option<Verdict> {
    updated::<v1::Lease>(object, before)
        .or_else(|| updated::<v1alpha1::LeaseCandidate>(object, before))
        .or_else(|| updated::<v1alpha2::LeaseCandidate>(object, before))
        .or_else(|| updated::<v1beta1::LeaseCandidate>(object, before))
}

fn updated<T: Validate + Prepare + 'static>(
    object: &dyn Object,
    before: &dyn Object,
) -> Option<Verdict> {
    let object = object.as_any().downcast_ref::<T>()?;
    let before = before.as_any().downcast_ref::<T>()?;
    Some(object.as_update_of(before).validate_update(before))
}
