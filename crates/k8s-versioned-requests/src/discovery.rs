//! Requests for the versions and resources that servers serve.

use http::Method;

use super::place::root;
use super::{Answer, Request};
use k8s_versioned::meta::v1::{APIGroup, APIResourceList};
use k8s_versioned::{GroupVersionKind, Kind};

impl Request<APIGroup> {
    /// Reads the versions of a group that the server serves, and the version that it prefers.
    pub fn api_group(group: &str) -> Self {
        discovery(group, "")
    }
}

impl Request<APIResourceList> {
    /// Reads the resources that the server serves in a version of a group.
    pub fn api_resource_list(group: &str, version: &str) -> Self {
        discovery(group, version)
    }
}

/// Documents end these paths in a slash.
fn discovery<K: Kind + Answer>(group: &str, version: &str) -> Request<K> {
    let about = GroupVersionKind::new(group.to_owned(), version.to_owned(), K::KIND);
    Request::new(about, Method::GET, format!("{}/", root(group, version)))
}
