//! The traits of `k8s-openapi`. `kube` implements its own for every type that has these.

use k8s_coordination::prelude::{HasSpec, Namespaced};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::{ListableResource, Metadata, NamespaceResourceScope, Resource};

use super::Object;

impl<K: HasSpec<Scope = Namespaced>> Resource for Object<K> {
    const API_VERSION: &'static str = K::API_VERSION;
    const GROUP: &'static str = K::GROUP;
    const KIND: &'static str = K::KIND;
    const VERSION: &'static str = K::VERSION;
    const URL_PATH_SEGMENT: &'static str = K::PLURAL;
    type Scope = NamespaceResourceScope;
}

impl<K: HasSpec<Scope = Namespaced>> ListableResource for Object<K> {
    const LIST_KIND: &'static str = K::LIST_KIND;
}

impl<K: HasSpec<Scope = Namespaced>> Metadata for Object<K> {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[cfg(feature = "client")]
impl<K: HasSpec> kube::core::object::HasSpec for Object<K> {
    type Spec = K::Spec;

    fn spec(&self) -> &K::Spec {
        &self.spec
    }

    fn spec_mut(&mut self) -> &mut K::Spec {
        &mut self.spec
    }
}
