//! An object with the metadata of `k8s-openapi`.

mod metadata;
mod plain;
mod resource;
mod versions;

use k8s_coordination::prelude::HasSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_versioned::wire;
use serde::{Deserialize, Serialize};

/// An object of kind `K` with the metadata of `k8s-openapi`, which `kube` needs.
///
/// `K` is a kind of [`k8s_coordination`], such as [`v1::Lease`](k8s_coordination::v1::Lease); programs mostly use an
/// alias, such as [`v1::Lease`](crate::v1::Lease).
///
/// `apiVersion` and `kind` are constants of the type: encoding writes them, and decoding those of another kind is an
/// error.
///
/// ```
/// use k8s_coordination_kube::v1::{Lease, LeaseSpec};
///
/// let spec = LeaseSpec::default().with_holder_identity("node-1").with_lease_duration_seconds(15);
/// let lease = Lease::new("scheduler", spec).within("kube-system");
/// let json = serde_json::to_string(&lease)?;
/// assert_eq!(
///     json,
///     r#"{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"scheduler","namespace":"kube-system"},"spec":{"holderIdentity":"node-1","leaseDurationSeconds":15}}"#
/// );
/// assert_eq!(serde_json::from_str::<Lease>(&json)?, lease);
///
/// let error = serde_json::from_str::<Lease>(&json.replace("Lease", "LeaseCandidate")).unwrap_err();
/// assert!(error.to_string().starts_with("invalid value: string \"LeaseCandidate\", expected kind `Lease`"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "K: HasSpec", expecting = "an object")]
#[non_exhaustive]
pub struct Object<K: HasSpec> {
    #[serde(default)]
    api_version: wire::ApiVersion<K>,
    #[serde(default)]
    kind: wire::KindName<K>,
    /// Name, namespace and the rest of the object's metadata.
    #[serde(default, deserialize_with = "wire::null_is_zero")]
    pub metadata: ObjectMeta,
    /// The expected object.
    #[serde(default = "no_spec::<K>", deserialize_with = "null_is_no_spec::<K, _>")]
    pub spec: K::Spec,
}

impl<K: HasSpec> Object<K> {
    /// An object with this name.
    pub fn new(name: impl Into<String>, spec: K::Spec) -> Self {
        let metadata = ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() };
        Self::from_parts(metadata, spec)
    }

    /// An object with this metadata and spec.
    pub fn from_parts(metadata: ObjectMeta, spec: K::Spec) -> Self {
        Self {
            api_version: wire::ApiVersion::default(),
            kind: wire::KindName::default(),
            metadata,
            spec,
        }
    }

    /// Sets the namespace.
    #[must_use]
    pub fn within(mut self, namespace: impl Into<String>) -> Self {
        self.metadata.namespace = Some(namespace.into());
        self
    }
}

/// The spec of an object without one. Servers read it in the same way.
fn no_spec<K: HasSpec>() -> K::Spec {
    wire::zero::<K>().spec().clone()
}

fn null_is_no_spec<'de, K: HasSpec, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<K::Spec, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_else(no_spec::<K>))
}
