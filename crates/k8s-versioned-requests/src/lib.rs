//! Requests to API servers as plain data, and decoded responses. The program sends them with its HTTP client.
//!
//! The trait [`Verbs`] gives every resource a function for each of its verbs. It builds a [`Request`], which knows the
//! type of a successful answer. With any HTTP client there are three steps: build, send, decode.
//!
//! ```
//! use k8s_versioned_requests::{ListParameters, Verbs, http};
//! # use k8s_versioned::{Kind, Namespaced, Resource, meta::v1::ObjectMeta};
//! # #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
//! # struct Beat { metadata: ObjectMeta }
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
//! # fn send(_: http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
//! #     http::Response::new(br#"{"metadata": {"name": "first"}}"#.to_vec())
//! # }
//!
//! let request = Beat::get("default", "first")?;
//! let response = send(request.to_http_at("https://10.0.0.1:6443")?); // `send` stands for the HTTP client.
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
//! // Parameters that servers refuse for any objects are an error.
//! let error = Beat::list("default", ListParameters::default().with_resource_version_match("Exact")).unwrap_err();
//! assert_eq!(error.to_string(), "servers refuse `resourceVersionMatch` without `resourceVersion`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A call of a verb that the resource does not have does not compile (`cargo build` says so, `cargo check` does not):
//!
//! ```compile_fail,E0080
//! # use k8s_versioned::{Kind, Namespaced, Resource, meta::v1::ObjectMeta, verb::Verb};
//! # #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
//! # struct AccessReview { metadata: ObjectMeta }
//! # impl Kind for AccessReview {
//! #     const GROUP: &'static str = "example.com";
//! #     const VERSION: &'static str = "v1";
//! #     const KIND: &'static str = "AccessReview";
//! #     const API_VERSION: &'static str = "example.com/v1";
//! # }
//! # impl Resource for AccessReview {
//! #     type Scope = Namespaced;
//! #     const PLURAL: &'static str = "accessreviews";
//! #     const LIST_KIND: &'static str = "AccessReviewList";
//! #     const VERBS: &'static [Verb] = &[Verb::CREATE];
//! #     type Apply = Self;
//! #     fn metadata(&self) -> &ObjectMeta { &self.metadata }
//! #     fn metadata_mut(&mut self) -> &mut ObjectMeta { &mut self.metadata }
//! # }
//! # use k8s_versioned_requests::Verbs;
//! // Servers take reviews and do not store them.
//! let _ = AccessReview::get("default", "first");
//! ```
//!
//! - [`Request::accept`] asks for another media type, whose body is not decoded; [`Request::tolerant`] reads a list
//!   with bad items; [`Request::of_status`] is for the status of an object; [`Request::at_deprecated_path`] has the
//!   deprecated paths for watches.
//! - [`Watch`] reads events from the bytes of a watch; [`Pages`] gives the requests for a list that comes in pages.
//! - [`ApiError`] and the [`ResponseError`] that holds it tell conflicts, expired lists and other refusals apart.
//! - [`RequestError::Refused`] lists the combinations of parameters that servers refuse.

mod accept;
mod answer;
mod api_error;
mod body_error;
mod deletion;
mod discovery;
mod error;
mod object_error;
mod pages;
mod parameters;
mod patch;
mod percent;
mod place;
#[cfg(feature = "protobuf")]
mod protobuf;
mod query;
mod refusal;
mod request;
mod response;
mod response_error;
mod tolerant;
mod verbs;
mod warning;
mod watch;

pub use answer::{Answer, RawBody};
pub use api_error::ApiError;
pub use body_error::BodyError;
pub use deletion::Deletion;
pub use error::RequestError;
pub use http;
pub use object_error::ObjectError;
pub use pages::Pages;
pub use parameters::{ListParameters, WriteParameters};
pub use patch::{JsonPatch, Patch};
#[cfg(feature = "protobuf")]
pub use protobuf::ProtobufAnswer;
#[doc(hidden)]
pub use query::Query;
pub use request::Request;
pub use response::Response;
pub use response_error::ResponseError;
pub use tolerant::TolerantList;
pub use verbs::{Namespace, Verbs};
pub use warning::Warning;
pub use watch::{Event, Watch};
