//! Requests for the versions and resources that servers serve.

use http::Method;

use super::Request;
use super::place::root;
use crate::meta::v1::{APIGroup, APIResourceList};
use crate::{GroupVersionKind, Kind};

impl Request<APIGroup> {
    /// Reads which versions of a group the server serves, and which one it suggests.
    pub fn api_group(group: &str) -> Self {
        discovery(group, "")
    }
}

impl Request<APIResourceList> {
    /// Reads which resources of a version of a group the server serves.
    pub fn api_resource_list(group: &str, version: &str) -> Self {
        discovery(group, version)
    }
}

/// Documents end these paths in a slash.
fn discovery<K: Kind>(group: &str, version: &str) -> Request<K> {
    let about = GroupVersionKind::new(group.to_owned(), version.to_owned(), K::KIND);
    Request::new(about, Method::GET, format!("{}/", root(group, version)))
}
