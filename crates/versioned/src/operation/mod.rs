//! Operations: requests as plain data, responses decoded. Nothing here sends anything.
//!
//! The functions that build requests are generated, one for each operation of a kind; this is what they stand
//! on. A [`Request`] knows what a successful answer holds, so that sending it takes three steps, whatever the
//! HTTP client:
//!
//! ```
//! use k8s_versioned::operation::{Method, Request, http};
//! # use k8s_versioned::Kind;
//! # #[derive(Debug, PartialEq, serde::Deserialize)]
//! # struct Beat { sender: String }
//! # impl Kind for Beat {
//! #     const GROUP: &'static str = "example.com";
//! #     const VERSION: &'static str = "v1";
//! #     const KIND: &'static str = "Beat";
//! #     const API_VERSION: &'static str = "example.com/v1";
//! # }
//! # fn send(_: http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
//! #     http::Response::new(br#"{"sender": "a"}"#.to_vec())
//! # }
//!
//! let path = "/apis/example.com/v1/beats/{name}";
//! let request = Request::<Beat>::new(Method::GET, path, &[("name", "first")], &())?;
//! let response = send(request.to_http()?);
//! let beat = request.decode(&response)?.body;
//! assert_eq!(beat.sender, "a");
//!
//! // A name is one segment of a path, whatever it holds.
//! let request = Request::<Beat>::new(Method::GET, path, &[("name", "a?b")], &())?;
//! assert_eq!(request.target(), "/apis/example.com/v1/beats/a%3Fb");
//! assert!(Request::<Beat>::new(Method::GET, path, &[("name", "../secrets")], &()).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Request::accept`] asks for another form, which stays as it comes; [`Request::tolerant`] keeps one bad
//!   item from spoiling a list.
//! - [`Watch`] makes events of the bytes of a watch, [`Pages`] gives one request after the other for a list that
//!   comes in pages.
//! - [`ApiError`] answers what programs ask about a refusal.
//! - [`OperationEntry`] is for programs that choose an operation at run time.

mod accept;
mod answer;
mod api_error;
mod deletion;
mod entry;
mod error;
mod failure;
mod identity;
mod pages;
mod patch;
mod path;
mod percent;
mod query;
mod request;
mod response;
mod response_error;
mod tolerant;
mod warning;
mod watch;

pub use accept::{Accept, Raw};
pub use answer::{Answer, BodyError};
pub use api_error::ApiError;
pub use deletion::Deletion;
pub use entry::{AnyRequest, Input, InputError, OperationEntry};
pub use error::RequestError;
pub use failure::{Failure, FailureCause, FailureDetails};
pub use http::{self, Method};
pub use identity::Identity;
pub use pages::{Page, Pages, Received};
pub use patch::{JsonPatch, Patch};
pub use query::{Parameters, Query, QueryError};
pub use request::Request;
pub use response::{Response, Success};
pub use response_error::ResponseError;
pub use tolerant::{ItemError, Tolerant};
pub use warning::Warning;
pub use watch::{Bookmark, Event, Watch, WatchError};
