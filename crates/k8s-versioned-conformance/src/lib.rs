//! Checks Kubernetes API types against exchanges recorded from API servers.
//!
//! A [`Suite`] runs checks of the kinds in a [`Registry`] over a folder of [`recordings`] and returns a [`SuiteReport`]. The kit
//! knows no API group: you bring the types and the recordings.
//!
//! | check | asks that |
//! |---|---|
//! | [`decode`](check::decode) | bodies decode into the types of their kinds, unless the server could not decode them either |
//! | [`round-trip`](check::round_trip) | bodies of servers are equal after a round trip, and bodies of clients change at most once |
//! | [`schema`](check::schema) | responses are valid against the schemas of their release (with the feature `jsonschema`) |
//! | [`response`](check::response) | the status code is documented for the operation, or the body is a `Status` |
//! | [`twin`](check::twin) | YAML and protobuf bodies decode to the same value as their JSON twins |
//! | [`admit`](check::admit) | the answer to a custom resource is predicted from its definition: the status, the causes, the warnings and the stored object |
//! | [`request`](check::request) | a request that is built from the same input has the same method, path, query, headers and body |
//! | [`answer`](check::answer) | a response decodes into the answer of the operation, or into a refusal with its `Status` |
//! | [`convert`](check::convert) | an object is equal after conversion to every version and back, and converts as on servers |
//!
//! The last three need the types' [`operation`]s or conversions, so [`Suite::general`] does not have them. [`Suite::with`]
//! adds them and other [`Check`]s.
//!
//! A check that does not apply says why, and reports count these reasons. A file of [`KnownFailures`] lists expected
//! failures, each with its reason. An entry that no longer fails is an error.
//!
//! Without the default feature `checks`, this package is only the format of the recordings, for programs that write them or
//! that look something up in them: it then depends on no generated code.
//!
//! [`walks`] converts random objects, made from the schemas, from version to version.
//!
//! # Example
//!
//! A crate with recordings in `tests/widgets` needs one test:
//!
//! ```
//! use k8s_versioned::{KindEntry, MicroTime};
//! use k8s_versioned_conformance::{Documents, Recordings, Suite};
//! use serde::{Deserialize, Serialize};
//! use serde_json::{Map, Value};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! #[serde(rename_all = "camelCase")]
//! struct Widget {
//!     api_version: String,
//!     kind: String,
//!     metadata: Map<String, Value>,
//!     spec: WidgetSpec,
//! }
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! #[serde(rename_all = "camelCase")]
//! struct WidgetSpec {
//!     size: i32,
//!     #[serde(default, skip_serializing_if = "Option::is_none")]
//!     made_at: Option<MicroTime>,
//! }
//!
//! const KINDS: &[KindEntry] =
//!     &[KindEntry::of::<Widget>("example.com", "v1", "Widget").with_plural("widgets")];
//!
//! #[test]
//! # fn in_your_crate() {}
//! fn the_types_survive_the_recordings() {
//!     // `Documents::load` reads the OpenAPI documents for the checks that need them.
//!     let documents = Documents::default();
//!     let recordings = Recordings::load("tests/widgets").expect("recordings");
//!     let report = Suite::general(&KINDS, &documents).run(&recordings);
//!     assert!(report.is_success(), "{report}");
//! #   assert_eq!(report.recordings, 6);
//! #   assert!(report.total("round-trip").passed >= 5);
//! }
//! # the_types_survive_the_recordings();
//! ```
//!
//! [`Registry`]: k8s_versioned::Registry

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![expect(clippy::test_attr_in_doctest, reason = "the example shows a test of another crate")]

#[cfg(feature = "checks")]
pub mod check;
#[cfg(feature = "checks")]
mod compare_servers;
#[cfg(feature = "checks")]
#[doc(hidden)]
pub mod convert_files;
#[cfg(feature = "checks")]
mod differences;
#[cfg(feature = "checks")]
mod documents;
#[cfg(feature = "checks")]
mod examination;
#[cfg(feature = "checks")]
mod kinds;
#[cfg(feature = "checks")]
mod known_failures;
#[cfg(feature = "checks")]
pub mod operation;
pub mod recordings;
#[cfg(feature = "checks")]
mod suite;
#[cfg(feature = "checks")]
pub mod suite_report;
#[cfg(feature = "checks")]
pub mod walks;

pub use recordings::{LoadError, Recording, Recordings};

#[cfg(feature = "checks")]
pub use {
    check::Check,
    compare_servers::{RecordedSide, compare},
    differences::differences,
    documents::{DocumentError, Documents},
    examination::{Examination, Examined, Inapplicable, Mismatch, NothingToCompare},
    k8s_versioned_core::findings::{Finding, Severity},
    kinds::{json_of, kind_of, readable_kind_of, refused, subjects, value},
    known_failures::{KnownFailure, KnownFailures, KnownFailuresError},
    suite::{Suite, UnknownCheck},
    suite_report::SuiteReport,
};
