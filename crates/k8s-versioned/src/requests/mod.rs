//! Requests to API servers as plain data, and decoded responses. The program sends the requests with its HTTP client.
//!
//! The trait [`Verbs`] gives every resource a function for each of its verbs. The function builds a [`Request`], which
//! knows the type of a successful response. With any HTTP client there are three steps: build, send, decode.
//!
//! ```
//! use k8s_versioned::requests::{ListParameters, Verbs, http};
//! # use k8s_versioned::{Kind, Namespaced, Resource, meta::v1::ObjectMeta};
//! # #[derive(Clone, Debug, Default, PartialEq)]
//! # struct Beat { metadata: ObjectMeta }
//! # k8s_versioned::fields!(Beat { 0 "metadata" => metadata: value, value; });
//! # impl Kind for Beat {
//! #     const GROUP: &'static str = "example.com";
//! #     const VERSION: &'static str = "v1";
//! #     const KIND: &'static str = "Beat";
//! #     const API_VERSION: &'static str = "example.com/v1";
//! # }
//! # impl Resource for Beat {
//! #     type Scope = Namespaced;
//! #     const PLURAL: &'static str = "beats";
//! #     const LIST_KIND: &'static str = "BeatList";
//! #     type Apply = Self;
//! #     fn metadata(&self) -> &ObjectMeta { &self.metadata }
//! #     fn metadata_mut(&mut self) -> &mut ObjectMeta { &mut self.metadata }
//! # }
//! # k8s_versioned::serves!(Beat, Get, List);
//! # fn send(_: http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
//! #     http::Response::new(br#"{"metadata": {"name": "first"}}"#.to_vec())
//! # }
//!
//! let request = Beat::get("default", "first")?;
//! let response = send(request.to_http_at("https://10.0.0.1:6443")?); // `send` is your HTTP client.
//! let beat = request.decode(&response)?.body;
//! assert_eq!(beat.metadata.name.as_deref(), Some("first"));
//!
//! // Parameters are `()` where there are none.
//! let request = Beat::list("default", ListParameters::default().with_limit(500))?;
//! assert_eq!(request.target(), "/apis/example.com/v1/namespaces/default/beats?limit=500");
//!
//! // A name is always one segment of a path.
//! let request = Beat::get("default", "a?b")?;
//! assert_eq!(request.target(), "/apis/example.com/v1/namespaces/default/beats/a%3Fb");
//! assert!(Beat::get("default", "../secrets").is_err());
//!
//! // Parameters that servers always refuse are an error.
//! let error = Beat::list("default", ListParameters::default().with_resource_version_match("Exact")).unwrap_err();
//! assert_eq!(error.to_string(), "servers reject `resourceVersionMatch` without `resourceVersion`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each function requires that servers [have the verb](crate::Serves) for the resource, so a call of another verb
//! does not compile. A subresource is chosen by its type, such as [`Status`](crate::subresource::Status):
//!
//! ```
//! # use k8s_versioned::{HasSubresource, Kind, Namespaced, Resource, meta::v1::ObjectMeta};
//! # #[derive(Clone, Debug, Default, PartialEq)]
//! # struct Beat { metadata: ObjectMeta }
//! # k8s_versioned::fields!(Beat { 0 "metadata" => metadata: value, value; });
//! # impl Kind for Beat {
//! #     const GROUP: &'static str = "example.com";
//! #     const VERSION: &'static str = "v1";
//! #     const KIND: &'static str = "Beat";
//! #     const API_VERSION: &'static str = "example.com/v1";
//! # }
//! # impl Resource for Beat {
//! #     type Scope = Namespaced;
//! #     const PLURAL: &'static str = "beats";
//! #     const LIST_KIND: &'static str = "BeatList";
//! #     type Apply = Self;
//! #     fn metadata(&self) -> &ObjectMeta { &self.metadata }
//! #     fn metadata_mut(&mut self) -> &mut ObjectMeta { &mut self.metadata }
//! # }
//! # impl HasSubresource<Status> for Beat { type Body = Self; }
//! # let beat = Beat::default();
//! use k8s_versioned::subresource::Status;
//! use k8s_versioned::requests::Verbs;
//!
//! let request = Beat::replace_subresource::<Status>("default", "first", &beat, ())?;
//! assert_eq!(request.path(), "/apis/example.com/v1/namespaces/default/beats/first/status");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate builds neither WebSocket messages (see [`Upgrade`]), nor proxied requests beyond their URL (see
//! [`Verbs::proxy`]): both belong to the program's client.
//!
//! - [`Request::accept`] asks for another media type, whose body is not decoded; [`Request::tolerant`] reads a list
//!   with bad items.
//! - [`Watch`] reads events from the bytes of a watch; [`Pages`] builds the requests for a paginated list.
//! - [`ApiError`] and the [`ResponseError`] that holds it tell conflicts, expired lists and other refusals apart.
//! - [`RequestError::Refused`] lists the combinations of parameters that servers reject.

mod answer;
mod api_error;
mod content;
mod error;
#[cfg(feature = "protobuf")]
mod identity;
mod parameters;
mod patch;
#[cfg(feature = "protobuf")]
mod protobuf;
mod query;
mod request;
mod verbs;
mod warning;
mod watch;

pub use answer::{Answer, Deletion, RawBody, Response, TolerantList};
pub use api_error::ApiError;
pub use error::{BodyError, ObjectError, RequestError, ResponseError};
pub use http;
pub use parameters::{ExecParameters, ListParameters, LogParameters, WriteParameters};
pub use patch::{JsonPatch, Patch};
pub use request::{Request, Upgrade};
pub use verbs::{Namespace, Pages, Verbs};
pub use warning::Warning;
pub use watch::{Event, Watch};

#[cfg(feature = "protobuf")]
pub use protobuf::{BodyForm, ProtobufAnswer};
#[doc(hidden)]
pub use query::Query;
#[doc(hidden)]
pub use request::Parts;
