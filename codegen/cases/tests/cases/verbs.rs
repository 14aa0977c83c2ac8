//! The verbs of a generated resource that is cluster-scoped.

use k8s_versioned::meta::v1::{DeleteOptions, Preconditions};
use k8s_versioned::requests::{Patch, Request, RequestError, Verbs, WriteParameters};
use k8s_versioned::subresource::Status;
use serde_json::json;

use crate::emitted::operations::v1::{Harbour, apply};

#[test]
fn verbs_without_a_namespace() {
    let harbour = harbour();
    let patch = Patch::Merge(json!({}));
    let manager = WriteParameters::default().with_field_manager("me");
    let unchanged = Preconditions::default().with_uid("u");
    let requests = [
        shown(Harbour::get((), "a")),
        shown(Harbour::list((), ())),
        shown(Harbour::watch((), ())),
        shown(Harbour::create((), &harbour, ())),
        shown(Harbour::replace((), "a", &harbour, ())),
        shown(Harbour::patch((), "a", &patch, ())),
        shown(Harbour::apply((), "a", &apply::Harbour::new("a"), manager)),
        shown(Harbour::delete((), "a", ())),
        shown(Harbour::delete((), "a", DeleteOptions::default().with_preconditions(unchanged))),
        shown(Harbour::delete_collection((), (), ())),
    ];
    let expected = [
        "GET harbours/a",
        "GET harbours",
        "GET harbours?watch=true",
        "POST harbours application/json",
        "PUT harbours/a application/json",
        "PATCH harbours/a application/merge-patch+json",
        "PATCH harbours/a?fieldManager=me application/apply-patch+yaml",
        "DELETE harbours/a",
        "DELETE harbours/a application/json",
        "DELETE harbours",
    ];
    assert_eq!(requests, expected);
}

#[test]
fn requests_for_the_status() {
    let harbour = harbour();
    let patch = Patch::Merge(json!({"status": {}}));
    let requests = [
        shown(Harbour::get_subresource::<Status>((), "a")),
        shown(Harbour::replace_subresource::<Status>((), "a", &harbour, ())),
        shown(Harbour::patch_subresource::<Status>((), "a", &patch, ())),
    ];
    let expected = [
        "GET harbours/a/status",
        "PUT harbours/a/status application/json",
        "PATCH harbours/a/status application/merge-patch+json",
    ];
    assert_eq!(requests, expected);
}

/// A request in one line, without the prefix of all paths.
fn shown<A>(built: Result<Request<A>, RequestError>) -> String {
    let request = match built {
        Ok(request) => request,
        Err(error) => return error.to_string(),
    };
    let target = request.target();
    let target = target.strip_prefix("/apis/ferry.example.com/v1/").unwrap();
    let headers = request.headers().filter(|(name, _)| name == "content-type");
    let headers: Vec<&str> = headers.map(|(_, value)| value).collect();
    let line = format!("{} {target} {}", request.method(), headers.concat());
    line.trim_end().to_owned()
}

fn harbour() -> Harbour {
    serde_json::from_value(json!({"metadata": {"name": "a"}})).unwrap()
}
