//! Every version of the Kubernetes coordination API, side by side.
//!
//! | module | what | releases |
//! |---|---|---|
//! | [`v1`] | `Lease` | all |
//! | [`v1alpha1`] | `LeaseCandidate` with a list of preferred strategies | 1.31 |
//! | [`v1alpha2`] | `LeaseCandidate` with one strategy | 1.32 and later |
//! | [`v1beta1`] | the same | 1.33 and later |
//! | [`meta::v1`] | what they share: `ObjectMeta`, `Status`, … | all |
//! | [`conversion`] | from each version to each other, and objects of whichever version | all |
//! | [`migration`] | what else it takes to re-create an object elsewhere | all |
//! | [`validation`] | what a server would reject, and what to write instead | all |
//! | [`election`] | who leads, and why | all |
//!
//! The types are plain data that decode as API servers do and encode as they do; no client is needed to use
//! them, and no choice of a Kubernetes release.
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
//! Kubernetes itself never converted `v1alpha1`, so how its list of strategies becomes one strategy is this
//! project's own specification: the first one counts, and the list is kept in an annotation for the way back.
//! What becomes of each field is in the docs of the implementations of
//! [`Convert`](k8s_versioned::conversion::Convert).
//!
//! ```
//! use k8s_coordination::k8s_versioned::conversion::Convert;
//! use k8s_coordination::{v1alpha1, v1beta1};
//!
//! let strategies = ["OldestEmulationVersion", "example.com/by-load"];
//! let spec = v1alpha1::LeaseCandidateSpec::new("scheduler", strategies).with_binary_version("1.31.0");
//! let old = v1alpha1::LeaseCandidate::new(spec);
//!
//! let (new, report): (v1beta1::LeaseCandidate, _) = old.clone().convert();
//! assert_eq!(new.spec.strategy.as_str(), "OldestEmulationVersion");
//! assert_eq!(
//!     report.to_string(),
//!     r#"spec.preferredStrategies: kept in an annotation: ["OldestEmulationVersion","example.com/by-load"]"#
//! );
//! let (back, _): (v1alpha1::LeaseCandidate, _) = new.convert();
//! assert_eq!(back, old);
//! ```
//!
//! A spec has no annotations. Specs of equal shape have `From`; there is no silent way from the others:
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
//! use k8s_coordination::k8s_versioned::conversion::ConvertLossy;
//! use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};
//!
//! fn across(spec: v1alpha2::LeaseCandidateSpec) -> v1beta1::LeaseCandidateSpec {
//!     spec.into()
//! }
//!
//! let spec = v1alpha1::LeaseCandidateSpec::new("scheduler", ["example.com/a", "example.com/b"]);
//! let refused = v1beta1::LeaseCandidateSpec::try_from(spec.clone()).unwrap_err();
//! assert_eq!(refused.reasons().entries().len(), 2);
//! let (new, report): (v1beta1::LeaseCandidateSpec, _) = spec.convert_lossy();
//! assert_eq!(new.strategy.as_str(), "example.com/a");
//! assert_eq!(
//!     report.to_string(),
//!     "spec.preferredStrategies: lost: [\"example.com/a\",\"example.com/b\"]\n\
//!      spec.binaryVersion: empty, but servers of the target version require it"
//! );
//! ```
//!
//! # The API must be switched on
//!
//! `LeaseCandidate` is off by default in every release of Kubernetes, and with the feature gate
//! `CoordinatedLeaderElection` off a server silently drops `strategy` and `preferredHolder` from a `Lease`. The
//! modules say how to switch each version on.

mod any_candidate;
mod candidate_spec;
pub mod election;
#[rustfmt::skip]
#[allow(clippy::too_many_lines, reason = "as long as the documents are")]
mod generated;
pub mod migration;
pub mod validation;

pub use generated::*;
pub use k8s_versioned;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
