//! Every version of the Kubernetes coordination API, side by side.
//!
//! | module | what | releases |
//! |---|---|---|
//! | [`v1`] | `Lease` | all |
//! | [`v1alpha1`] | `LeaseCandidate` with a list of preferred strategies | 1.31 |
//! | [`v1alpha2`] | `LeaseCandidate` with one strategy | 1.32 and later |
//! | [`v1beta1`] | the same | 1.33 and later |
//! | [`meta::v1`] | what they share: `ObjectMeta`, `Status`, … | all |
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
//! # The API must be switched on
//!
//! `LeaseCandidate` is off by default in every release of Kubernetes, and with the feature gate
//! `CoordinatedLeaderElection` off a server silently drops `strategy` and `preferredHolder` from a `Lease`. The
//! modules say how to switch each version on.

#[rustfmt::skip]
mod generated;

pub use generated::*;
pub use k8s_versioned;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
