//! An object with the metadata of `k8s-openapi`, and its conversions.

use std::mem;
use std::ops::Deref;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::{
    ClusterResourceScope, ListableResource, Metadata, NamespaceResourceScope, Resource,
    ResourceScope,
};
use k8s_versioned::conversion::{ConversionReport, ConvertObject, Options};
use k8s_versioned::meta::v1 as plain;
use k8s_versioned::{
    ClusterScoped, CustomResource, HasSpec, Namespaced, Resource as PlainResource, Scope, wire,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::metadata::{self, MetadataError};

/// An object of the generated kind `K` with the metadata of `k8s-openapi`, which `kube` needs.
///
/// It has all fields of `K` (it dereferences to `K`), apart from `metadata`, which is the field of this type. It is encoded and
/// decoded as `K` is. [`spec_mut`](Self::spec_mut) gives the spec to change, and [`edit`](Self::edit) the whole object.
///
/// ```compile_fail,E0596
/// # use codegen_cases::operations::v1::{Harbour, HarbourSpec};
/// # use k8s_versioned::Resource;
/// fn label<K: Resource>(object: &mut K) {
///     object.metadata_mut().labels.insert("team".to_owned(), "a".to_owned());
/// }
/// let mut harbour = k8s_versioned_kube::Object::<Harbour>::named("a", HarbourSpec::new("Low"));
/// label(&mut *harbour); // `harbour.edit(label)?`
/// ```
///
/// Functions for plain objects take the result of [`into_plain`](Self::into_plain) or [`to_plain`](Self::to_plain). The `K` to which an
/// object dereferences has empty metadata, so that it would be judged without its name. The judgements of this project's packages
/// therefore do not compile:
///
/// ```compile_fail,E0277
/// # use codegen_cases::operations::v1::{Harbour, HarbourSpec};
/// # trait Validate { fn validate(&self) -> Result<(), String>; }
/// # impl Validate for Harbour { fn validate(&self) -> Result<(), String> { Ok(()) } }
/// let harbour = k8s_versioned_kube::Object::<Harbour>::named("a", HarbourSpec::new("Low"));
/// harbour.validate(); // `harbour.to_plain().validate()`
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Object<K> {
    /// Name, namespace and the rest of the object's metadata.
    pub metadata: ObjectMeta,
    /// The object with empty metadata.
    body: K,
}

/// `k8s-openapi` derives no `Eq`, but metadata has only parts that are equal to themselves.
impl<K: Eq> Eq for Object<K> {}

impl<K: PlainResource> Object<K> {
    /// An object with this metadata and the other fields of `body`.
    pub fn from_parts(metadata: ObjectMeta, mut body: K) -> Self {
        *body.metadata_mut() = plain::ObjectMeta::default();
        Self { metadata, body }
    }

    /// Sets the namespace.
    #[must_use]
    pub fn within(mut self, namespace: impl Into<String>) -> Self {
        self.metadata.namespace = Some(namespace.into());
        self
    }

    /// The metadata, like the method of the same name of a plain object.
    pub fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    /// The metadata, mutable.
    pub fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }

    /// Converts to a plain object. Every field is kept.
    #[must_use]
    pub fn into_plain(mut self) -> K {
        *self.body.metadata_mut() = metadata::to_plain(self.metadata);
        self.body
    }

    /// Changes the object as a plain one, with its metadata.
    ///
    /// ```
    /// # use codegen_cases::operations::v1::{Harbour, HarbourSpec};
    /// let mut harbour = k8s_versioned_kube::Object::<Harbour>::named("a", HarbourSpec::new("Low"));
    /// harbour.edit(|plain| {
    ///     plain.metadata.labels.insert("team".to_owned(), "a".to_owned());
    ///     plain.status.moored = Some(3);
    /// })?;
    /// assert_eq!(harbour.metadata.labels.unwrap()["team"], "a");
    /// # Ok::<(), k8s_versioned_kube::MetadataError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The changed metadata is refused by [`from_plain`](Self::from_plain): the object stays as it was.
    pub fn edit<T>(&mut self, edit: impl FnOnce(&mut K) -> T) -> Result<T, MetadataError> {
        let mut plain = self.to_plain();
        let result = edit(&mut plain);
        *self = Self::from_plain(plain)?;
        Ok(result)
    }

    /// The same as a plain object, for functions that judge it.
    #[must_use]
    pub fn to_plain(&self) -> K {
        self.clone().into_plain()
    }

    /// Converts from a plain object. Every field is kept.
    ///
    /// # Errors
    ///
    /// A time of the metadata is outside of the range of `jiff`, which ends with the year 9999, or the `fieldsV1` of a
    /// manager nest deeper than `serde_json` reads.
    pub fn from_plain(mut plain: K) -> Result<Self, MetadataError> {
        let metadata = metadata::from_plain(mem::take(plain.metadata_mut()))?;
        Ok(Self { metadata, body: plain })
    }
}

/// An object whose metadata is that of the kind: no [`Object`] is one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an `Object` would be judged without its metadata",
    label = "the kind that it dereferences to has no name",
    note = "judge the plain object: `object.to_plain()`"
)]
pub trait HasPlainMetadata {}

/// Methods of the traits that judge or complete plain objects (`Validate`, `Prepare`, `Admit`) would find the kind by dereferencing.
/// These are found first, and cannot be called.
macro_rules! judged_as_plain_objects {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {
        impl<K> Object<K> {
            $(
                #[doc(hidden)]
                pub fn $method(&self $(, $argument: $type)*)
                where
                    Self: HasPlainMetadata,
                {
                }
            )*
        }
    };
}

judged_as_plain_objects! {
    validate()
    validate_update(_old: &Self)
    to_created_in(_namespace: &str)
    to_update_of(_stored: &Self)
    admit()
    admit_update(_stored: &Self)
    admit_status(_stored: &Self)
}

impl<K: HasSpec> Object<K> {
    /// An object with this name and spec.
    pub fn named(name: impl Into<String>, spec: K::Spec) -> Self {
        let metadata = ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() };
        Self { metadata, body: K::from_parts(plain::ObjectMeta::default(), spec) }
    }

    /// The spec, to change.
    pub fn spec_mut(&mut self) -> &mut K::Spec {
        self.body.spec_mut()
    }
}

impl<K: CustomResource> Object<K> {
    /// The definition of the kind, to install it in a cluster.
    ///
    /// # Errors
    ///
    /// The JSON of the package is not a definition.
    pub fn definition() -> Result<CustomResourceDefinition, serde_json::Error> {
        serde_json::from_str(K::DEFINITION)
    }
}

impl<K> Deref for Object<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.body
    }
}

impl<K: PlainResource> Serialize for Object<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        wire::write_with_metadata(&self.body, &self.metadata, serializer)
    }
}

impl<'de, K: PlainResource> Deserialize<'de> for Object<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_plain(K::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// A scope as `k8s-openapi` has it.
pub trait OpenapiScope: Scope {
    /// The type of `k8s-openapi`.
    type Openapi: ResourceScope;
}

impl OpenapiScope for Namespaced {
    type Openapi = NamespaceResourceScope;
}

impl OpenapiScope for ClusterScoped {
    type Openapi = ClusterResourceScope;
}

// `kube` implements its own traits for every type that has these.
impl<K: PlainResource<Scope: OpenapiScope>> Resource for Object<K> {
    const API_VERSION: &'static str = K::API_VERSION;
    const GROUP: &'static str = K::GROUP;
    const KIND: &'static str = K::KIND;
    const VERSION: &'static str = K::VERSION;
    const URL_PATH_SEGMENT: &'static str = K::PLURAL;
    type Scope = <K::Scope as OpenapiScope>::Openapi;
}

impl<K: PlainResource<Scope: OpenapiScope>> ListableResource for Object<K> {
    const LIST_KIND: &'static str = K::LIST_KIND;
}

impl<K: PlainResource<Scope: OpenapiScope>> Metadata for Object<K> {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// Objects convert between versions as plain objects do. An annotation keeps what the other version cannot hold.
impl<K, T> ConvertObject<Object<T>> for Object<K>
where
    K: PlainResource + ConvertObject<T>,
    T: PlainResource,
{
    type Policies = K::Policies;

    fn convert_reporting(
        mut self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> Object<T> {
        // A conversion reads and writes only the annotations of the metadata.
        self.body.metadata_mut().annotations =
            mem::take(&mut self.metadata.annotations).unwrap_or_default();
        let mut body = self.body.convert_reporting(options, report);
        let annotations = mem::take(&mut body.metadata_mut().annotations);
        self.metadata.annotations = Some(annotations).filter(|all| !all.is_empty());
        Object { metadata: self.metadata, body }
    }
}
