//! Every version of the Kubernetes coordination API, side by side.
//!
//! | module | contents | releases |
//! |---|---|---|
//! | [`v1`] | `Lease` | all |
//! | [`v1alpha1`] | `LeaseCandidate` with a list of preferred strategies | 1.31 |
//! | [`v1alpha2`] | `LeaseCandidate` with one strategy | 1.32 and later |
//! | [`v1beta1`] | the same | 1.33 and later |
//! | [`meta::v1`] | the types that all groups share: `ObjectMeta`, `Status`, … | all |
//!
//! # What to use
//!
//! | to | use |
//! |---|---|
//! | read and write objects | the types of the modules above |
//! | set some fields by server-side apply | the types of the same names in [`v1::apply`], [`v1beta1::apply`], … |
//! | state required fields by their names, not by position | [`v1beta1::required`], [`v1alpha2::required`] |
//! | convert objects between versions | [`ConvertObject`](conversion::ConvertObject), or for a part [`ConvertPart`](conversion::ConvertPart) |
//! | handle objects whose version is known only at run time | [`AnyLeaseCandidate`](conversion::AnyLeaseCandidate), or [`Kinds`] for any kind |
//! | recreate an object on another cluster | [`migration`] |
//! | know which objects a server would reject | [`validation`] |
//! | know which candidate is elected, and why | [`election`] |
//! | send requests with any HTTP client | the verbs in [`prelude`] |
//! | work with a cluster through the client `kube` | the crate `k8s-coordination-kube` |
//! | elect a leader with a `Lease` | `k8s-coordination-kube` with the feature `lead`; with another client, `k8s-lease-elector` |
//!
//! # Features
//!
//! | feature | contents | by default |
//! |---|---|---|
//! | none | the types, their registry and their lifecycles | yes |
//! | `conversion` | [`conversion`] and [`migration`] | yes |
//! | `validation` | [`validation`]; it needs `conversion` | yes |
//! | `election` | [`election`]; it needs `validation` | yes |
//! | `requests` | requests and responses: [`requests`] and the verbs in [`prelude`] | yes |
//! | `protobuf` | objects, requests and responses as protobuf | no |
//! | `schemars` | a JSON Schema of every type | no |
//!
//! The types are plain data that decode and encode as API servers do. They need no client, and you need not choose a
//! Kubernetes release.
//!
//! ```
//! use k8s_coordination::{CoordinatedLeaseStrategy, meta::v1::ObjectMeta, v1alpha1, v1beta1};
//!
//! let old: v1alpha1::LeaseCandidate = serde_json::from_str(
//!     r#"{"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate",
//!         "metadata": {"name": "a", "namespace": "kube-system"},
//!         "spec": {"leaseName": "scheduler", "preferredStrategies": ["OldestEmulationVersion"]}}"#,
//! )?;
//! let strategy = CoordinatedLeaseStrategy::OldestEmulationVersion;
//! assert_eq!(old.spec.preferred_strategies, [strategy.clone()]);
//!
//! let spec = v1beta1::LeaseCandidateSpec::new("scheduler", "1.36.0", strategy).with_emulation_version("1.35.0");
//! let new = v1beta1::LeaseCandidate::new(spec)
//!     .with_metadata(ObjectMeta::default().with_name("a").with_namespace("kube-system"));
//! assert!(serde_json::to_string(&new)?.starts_with(r#"{"apiVersion":"coordination.k8s.io/v1beta1""#));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Conversion
//!
//! Kubernetes itself never converted `v1alpha1`, so this project specifies how its list of strategies becomes one strategy:
//! the first one counts, and an annotation keeps the list for the conversion back. The docs of the implementations of
//! [`ConvertObject`](conversion::ConvertObject) say how each field is converted.
//!
//! ```
//! use k8s_coordination::conversion::ConvertTo;
//! use k8s_coordination::{v1alpha1, v1beta1};
//!
//! let strategies = ["OldestEmulationVersion", "example.com/by-load"];
//! let spec = v1alpha1::LeaseCandidateSpec::new("scheduler", strategies).with_binary_version("1.31.0");
//! let old = v1alpha1::LeaseCandidate::new(spec);
//!
//! let (new, report) = old.clone().convert_to::<v1beta1::LeaseCandidate>();
//! assert_eq!(new.spec.strategy.as_str(), "OldestEmulationVersion");
//! assert_eq!(
//!     report.to_string(),
//!     r#"spec.preferredStrategies: kept in an annotation: ["OldestEmulationVersion","example.com/by-load"]"#
//! );
//! let (back, _) = new.convert_to::<v1alpha1::LeaseCandidate>();
//! assert_eq!(back, old);
//! ```
//!
//! A spec has no annotations. `From` exists only between specs of equal shape:
//!
//! ```compile_fail,E0277
//! # use k8s_coordination::{v1alpha1, v1beta1};
//! fn up(spec: v1alpha1::LeaseCandidateSpec) -> v1beta1::LeaseCandidateSpec {
//!     spec.into()
//! }
//! ```
//!
//! ```compile_fail,E0277
//! # use k8s_coordination::{v1alpha1, v1alpha2};
//! fn down(spec: v1alpha2::LeaseCandidateSpec) -> v1alpha1::LeaseCandidateSpec {
//!     spec.into()
//! }
//! ```
//!
//! ```
//! use k8s_coordination::conversion::ConvertPart;
//! use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};
//!
//! fn across(spec: v1alpha2::LeaseCandidateSpec) -> v1beta1::LeaseCandidateSpec {
//!     spec.into()
//! }
//!
//! let spec = v1alpha1::LeaseCandidateSpec::new("scheduler", ["example.com/a", "example.com/b"]);
//! let refused = v1beta1::LeaseCandidateSpec::try_from(spec.clone()).unwrap_err();
//! assert_eq!(refused.reasons().len(), 2);
//! let (new, report): (v1beta1::LeaseCandidateSpec, _) = spec.convert_lossy();
//! assert_eq!(new.strategy.as_str(), "example.com/a");
//! assert_eq!(
//!     report.to_string(),
//!     "spec.preferredStrategies: lost: [\"example.com/a\",\"example.com/b\"]\n\
//!      spec.binaryVersion: empty, but servers of the target version require it"
//! );
//! ```
//!
//! # Requests
//!
//! Each verb of a kind is a function that builds a [`Request`](requests::Request); the [`prelude`] imports these functions.
//! A request is plain data and not tied to an HTTP client. [`to_http`](requests::Request::to_http) returns the HTTP request
//! without credentials or server address; [`to_http_at`](requests::Request::to_http_at) adds the address.
//! [`decode`](requests::Request::decode) reads the response.
//!
//! ```
//! # use k8s_coordination::requests::http;
//! # fn send(_: http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
//! #     http::Response::new(br#"{"items": [{"metadata": {"name": "scheduler"}}]}"#.to_vec())
//! # }
//! use k8s_coordination::requests::ListParameters;
//! use k8s_coordination::{prelude::*, v1::Lease};
//!
//! let request = Lease::list("kube-system", ListParameters::default().with_label_selector("team=a"))?;
//! assert_eq!(
//!     request.target(),
//!     "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?labelSelector=team%3Da"
//! );
//!
//! let response = request.decode(&send(request.to_http()?))?; // `send` is your HTTP client.
//! for warning in &response.warnings {
//!     eprintln!("warning: {warning}");
//! }
//! let names: Vec<_> = response.body.items.iter().map(|lease| lease.metadata.name.as_deref()).collect();
//! assert_eq!(names, [Some("scheduler")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A list with a `limit` comes in pages. [`Pages`](requests::Pages) returns one request after the other. The traits of the
//! prelude let one function work for any kind:
//!
//! ```
//! # fn send(request: http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
//! #     let token = if request.uri().query().is_some_and(|query| query.contains("continue")) { "" } else { "t" };
//! #     let body = format!(r#"{{"metadata": {{"continue": "{token}"}}, "items": [{{}}]}}"#);
//! #     http::Response::new(body.into_bytes())
//! # }
//! use k8s_coordination::requests::{ListParameters, Pages, http};
//! use k8s_coordination::{prelude::*, v1, v1beta1};
//!
//! /// Counts the objects of all namespaces, 500 at a time.
//! fn count<R: Resource<Scope = Namespaced> + Serves<verbs::List>>() -> Result<usize, Box<dyn std::error::Error>> {
//!     let mut pages = Pages::new(R::list_all_namespaces(ListParameters::default().with_limit(500))?);
//!     let mut count = 0;
//!     while let Some(request) = pages.request() {
//!         let response = send(request.to_http()?);
//!         match pages.receive(&response) {
//!             Ok(page) => count += page.body.items.len(),
//!             // The server has forgotten the state that the pages show.
//!             Err(error) if error.is_expired() => {
//!                 count = 0;
//!                 pages.restart();
//!             }
//!             Err(error) => return Err(error.into()),
//!         }
//!     }
//!     Ok(count)
//! }
//!
//! assert_eq!(count::<v1::Lease>()?, 2);
//! assert_eq!(count::<v1beta1::LeaseCandidate>()?, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A server-side apply sends only the fields that the program manages. The apply types hold only the fields that were set:
//!
//! ```
//! # use k8s_coordination::requests::http;
//! # fn send(_: http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
//! #     let body = r#"{"kind": "Status", "reason": "Conflict", "message": "conflict with \"b\"", "code": 409}"#;
//! #     http::Response::builder().status(409).body(body.into()).unwrap()
//! # }
//! use k8s_coordination::requests::{WriteParameters, http::StatusCode};
//! use k8s_coordination::prelude::*;
//! use k8s_coordination::v1::{Lease, apply};
//!
//! let spec = apply::LeaseSpec::default().with_holder_identity("a").with_lease_duration_seconds(15);
//! let lease = apply::Lease::new("scheduler").with_spec(spec);
//! let parameters = WriteParameters::default().with_field_manager("my-elector");
//! let request = Lease::apply("kube-system", "scheduler", &lease, parameters)?;
//!
//! match request.decode(&send(request.to_http()?)) {
//!     Ok(response) if response.code == StatusCode::CREATED => println!("created"),
//!     Ok(response) => println!("updated: {:?}", response.body.spec),
//!     Err(error) if error.is_conflict() => println!("others own a field: {error}"),
//!     Err(error) => return Err(error.into()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The response to a watch has no end. Decode its head, then feed the bytes of the body as they arrive. If the server
//! refuses the watch, decode the whole body, which says why:
//!
//! ```
//! # use k8s_coordination::requests::http;
//! # let (head, ()) = http::Response::new(()).into_parts();
//! # let body = [
//! #     r#"{"type": "MODIFIED", "object": {"metadata": {"resourceVersion": "8"}}}"#,
//! #     "\n{\"type\": \"BOOKMARK\", \"object\": {\"metadata\": {\"resourceVersion\"",
//! #     ": \"9\"}}}\n",
//! # ];
//! use k8s_coordination::requests::{Event, ListParameters};
//! use k8s_coordination::{prelude::*, v1::Lease};
//!
//! let parameters = ListParameters::default().with_resource_version("7").with_allow_watch_bookmarks(true);
//! let request = Lease::watch("kube-system", parameters)?;
//! let mut watch = request.decode_parts(&head, b"")?.body;
//! let mut resource_version = None;
//! for bytes in body {
//!     watch.push(bytes.as_bytes());
//!     while let Some(event) = watch.next_event() {
//!         match event? {
//!             Event::Added(lease) | Event::Modified(lease) | Event::Deleted(lease) => {
//!                 resource_version = lease.metadata.resource_version;
//!             }
//!             Event::Bookmark { resource_version: reached, .. } => resource_version = Some(reached),
//!             Event::Error(error) if error.is_expired() => resource_version = None, // List again.
//!             Event::Error(error) => return Err(error.into()),
//!             _ => {} // A later release of this crate may know more events.
//!         }
//!     }
//! }
//! watch.finish()?;
//! // The next watch continues from here.
//! assert_eq!(resource_version.as_deref(), Some("9"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Switching the API on
//!
//! `LeaseCandidate` is off by default in every release of Kubernetes. With the feature gate `CoordinatedLeaderElection`
//! off, a server silently drops `strategy` and `preferredHolder` from a `Lease`. The docs of each module say how to switch
//! its version on.

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "election")]
pub mod election;
#[rustfmt::skip]
#[allow(clippy::too_many_lines, reason = "as long as the documents are")]
mod generated;
#[cfg(feature = "conversion")]
pub mod migration;
#[cfg(feature = "validation")]
pub mod validation;

/// The traits of objects: `use k8s_coordination::prelude::*` imports the functions of their verbs.
pub mod prelude {
    #[cfg(feature = "requests")]
    #[doc(no_inline)]
    pub use k8s_versioned::requests::Verbs;
    #[doc(no_inline)]
    pub use k8s_versioned::{
        ClusterScoped, HasSpec, HasSubresource, Kind, Namespaced, Resource, Serves, verbs,
    };
}

pub use generated::*;
#[doc(no_inline)]
pub use jiff;
#[doc(hidden)]
pub use k8s_versioned::Quoted;
#[cfg(feature = "protobuf")]
#[doc(no_inline)]
pub use k8s_versioned::protobuf;
#[cfg(feature = "requests")]
#[doc(no_inline)]
pub use k8s_versioned::requests;
#[doc(no_inline)]
pub use k8s_versioned::{
    DecodeError, DecodedObject, KindEntry, Lifecycle, List, Other, ParseError, Registry, Release,
    TypeMeta, Version, for_each_object, from_json,
};

/// The examples of the guide are tests.
#[cfg(all(doctest, feature = "conversion"))]
#[doc = include_str!("../../../docs/guides/from-v1alpha1.md")]
struct Guide;

/// The example of the page is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/explanations/design.md")]
struct Design;

/// The examples of the page are tests.
#[cfg(all(doctest, feature = "protobuf", feature = "requests"))]
#[doc = include_str!("../../../docs/reference/protobuf.md")]
struct Protobuf;
