//! Every version of the Kubernetes coordination API with the client `kube`.
//!
//! | module | kinds | releases |
//! |---|---|---|
//! | [`v1`] | `Lease` | all |
//! | [`v1alpha1`] | `LeaseCandidate` with a list of preferred strategies | 1.31 |
//! | [`v1alpha2`] | `LeaseCandidate` with one strategy | 1.32 and later |
//! | [`v1beta1`] | the same | 1.33 and later |
//!
//! The kinds work wherever the types of `k8s-openapi` do: with `Api`, `watcher`, `reflector`, `Controller`,
//! finalizers and server-side apply.
//!
//! ```
//! # #[cfg(feature = "client")]
//! # mod program {
//! use k8s_coordination_kube::v1beta1::{LeaseCandidate, LeaseCandidateSpec};
//! use kube::api::PostParams;
//! use kube::{Api, Client, ResourceExt};
//!
//! async fn run(client: Client) -> Result<(), kube::Error> {
//!     let candidates: Api<LeaseCandidate> = Api::namespaced(client, "kube-system");
//!     let spec = LeaseCandidateSpec::new("scheduler", "1.36.0", "OldestEmulationVersion");
//!     candidates.create(&PostParams::default(), &LeaseCandidate::new("node-1", spec)).await?;
//!
//!     for candidate in candidates.list(&Default::default()).await? {
//!         println!("{} is a candidate for {}", candidate.name_any(), candidate.spec.lease_name);
//!     }
//!     Ok(())
//! }
//! # }
//! ```
//!
//! An [`Object`] has the metadata of `k8s-openapi` and the spec of [`k8s_coordination`]. It converts [to and
//! from](Object#to-and-from-plain-objects) the plain objects of that crate, to and from the types of `k8s-openapi`,
//! and [between the versions of the API](Object#between-versions-of-the-api).
//!
//! # Features
//!
//! By default the crate depends on `k8s-openapi` and not on `kube`. It chooses no release of Kubernetes: a program
//! enables one of the features of `k8s-openapi`, such as `latest`.
//!
//! | feature | items | by default |
//! |---|---|---|
//! | none | the kinds of every version | yes |
//! | `client` | [`client`]: requests over `kube::Client`, the version that a cluster serves, a client for candidates of any version | no |
//! | `lead` | [`lead`], which leads by a `Lease`, with `tokio`; it enables `client` | no |
//!
//! # Two traits called `Resource`
//!
//! The prelude of [`k8s_coordination`] and the crate `kube` both have a trait of this name. A program that uses both imports
//! that of `kube` as `_`: its methods are in scope, and the name is that of the prelude.
//!
//! ```
//! # #[cfg(feature = "client")]
//! # fn program() -> Result<(), k8s_coordination_kube::FieldError> {
//! use k8s_coordination::prelude::*;
//! use k8s_coordination_kube::v1::{Lease, LeaseSpec};
//! use kube::Resource as _;
//!
//! let lease = Lease::new("scheduler", LeaseSpec::default());
//! assert_eq!(lease.meta().name.as_deref(), Some("scheduler"));
//! let plain = lease.into_plain()?;
//! assert_eq!(plain.metadata().name.as_deref(), Some("scheduler"));
//! # Ok(())
//! # }
//! # #[cfg(feature = "client")]
//! # program().unwrap();
//! ```

#[cfg(feature = "client")]
pub mod client;
mod field_error;
#[cfg(feature = "lead")]
pub mod lead;
mod object;
mod openapi;

pub use field_error::FieldError;
pub use k8s_coordination;
pub use object::Object;

/// The version that every release serves, for `Lease`.
pub mod v1 {
    pub use k8s_coordination::v1::{LeaseApply, LeaseSpec, LeaseSpecApply};

    /// A lock with an expiry, by which clients elect one of them.
    pub type Lease = crate::Object<k8s_coordination::v1::Lease>;
}

/// `LeaseCandidate` as Kubernetes 1.31 serves it.
pub mod v1alpha1 {
    pub use k8s_coordination::v1alpha1::{
        LeaseCandidateApply, LeaseCandidateSpec, LeaseCandidateSpecApply,
    };

    /// A candidate for a `Lease` in a coordinated leader election.
    pub type LeaseCandidate = crate::Object<k8s_coordination::v1alpha1::LeaseCandidate>;
}

/// `LeaseCandidate` as Kubernetes 1.32 and later serve it.
pub mod v1alpha2 {
    pub use k8s_coordination::v1alpha2::{
        LeaseCandidateApply, LeaseCandidateSpec, LeaseCandidateSpecApply,
    };

    /// A candidate for a `Lease` in a coordinated leader election.
    pub type LeaseCandidate = crate::Object<k8s_coordination::v1alpha2::LeaseCandidate>;
}

/// `LeaseCandidate` as Kubernetes 1.33 and later serve it.
pub mod v1beta1 {
    pub use k8s_coordination::v1beta1::{
        LeaseCandidateApply, LeaseCandidateSpec, LeaseCandidateSpecApply,
    };

    /// A candidate for a `Lease` in a coordinated leader election.
    pub type LeaseCandidate = crate::Object<k8s_coordination::v1beta1::LeaseCandidate>;
}

/// Runs the examples of the README as tests.
#[cfg(all(doctest, feature = "client"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
