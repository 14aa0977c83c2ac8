//! Every version of the Kubernetes coordination API for the client `kube`.
//!
//! An [`Object`] of any kind and version of [`k8s_coordination`] works wherever the types of `k8s-openapi` do: with `Api`,
//! `watcher`, `reflector`, `Controller`, finalizers and server-side apply.
//!
//! ```
//! # #[cfg(feature = "client")]
//! # mod program {
//! use k8s_coordination_kube::Object;
//! use k8s_coordination_kube::k8s_coordination::v1beta1::{LeaseCandidate, LeaseCandidateSpec};
//! use kube::api::PostParams;
//! use kube::{Api, Client, ResourceExt};
//!
//! async fn run(client: Client) -> Result<(), kube::Error> {
//!     let candidates: Api<Object<LeaseCandidate>> = Api::namespaced(client, "kube-system");
//!     let spec = LeaseCandidateSpec::new("scheduler", "1.36.0", "OldestEmulationVersion");
//!     candidates.create(&PostParams::default(), &Object::named("node-1", spec)).await?;
//!
//!     for candidate in candidates.list(&Default::default()).await? {
//!         println!("{} is a candidate for {}", candidate.name_any(), candidate.spec.lease_name);
//!     }
//!     Ok(())
//! }
//! # }
//! ```
//!
//! `Object` comes from `k8s-versioned-kube` and wraps any generated kind: it has the metadata of `k8s-openapi` and the
//! other fields of the plain kind. Election, validation and the rest of [`k8s_coordination`] take plain objects:
//!
//! ```
//! use k8s_coordination_kube::Object;
//! use k8s_coordination_kube::k8s_coordination::v1::{Lease, LeaseSpec};
//!
//! let spec = LeaseSpec::default().with_holder_identity("node-1").with_lease_duration_seconds(15);
//! let lease = Object::<Lease>::named("scheduler", spec).within("kube-system");
//! let plain: Lease = lease.clone().into_plain();
//! assert_eq!(plain.metadata.name.as_deref(), Some("scheduler"));
//! assert_eq!(Object::from_plain(plain)?, lease);
//! # Ok::<(), k8s_coordination_kube::MetadataError>(())
//! ```
//!
//! Objects convert between API versions as plain objects do. An annotation keeps what the other version cannot hold for the
//! conversion back:
//!
//! ```
//! use k8s_coordination_kube::Object;
//! use k8s_coordination_kube::k8s_coordination::conversion::ConvertObject;
//! use k8s_coordination_kube::k8s_coordination::{v1alpha1, v1beta1};
//!
//! let strategies = ["OldestEmulationVersion", "example.com/by-load"];
//! let spec = v1alpha1::LeaseCandidateSpec::new("scheduler", strategies).with_binary_version("1.31.0");
//! let old: Object<v1alpha1::LeaseCandidate> = Object::named("node-1", spec);
//!
//! let (new, report): (Object<v1beta1::LeaseCandidate>, _) = old.clone().convert();
//! assert_eq!(new.spec.strategy.as_str(), "OldestEmulationVersion");
//! assert_eq!(report.len(), 1);
//! let (back, _): (Object<v1alpha1::LeaseCandidate>, _) = new.convert();
//! assert_eq!(back, old);
//! ```
//!
//! # Features
//!
//! By default the crate depends on `k8s-openapi` and not on `kube`. It does not choose a Kubernetes release: your program
//! enables a feature of `k8s-openapi`, such as `latest`.
//!
//! | feature | items | by default |
//! |---|---|---|
//! | none | [`Object`] of every kind and version | yes |
//! | `client` | [`client`]: requests over `kube::Client`, the version that a cluster serves, a client for candidates of any version | no |
//! | `lead` | [`lead`]: leader election with a `Lease`, on `tokio`; it enables `client` | no |

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "lead")]
pub mod lead;

pub use k8s_coordination;
pub use k8s_versioned_kube::{MetadataError, Object};

/// Runs the examples of the README as tests.
#[cfg(all(doctest, feature = "client"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Runs the examples of the pages as tests.
#[cfg(all(doctest, feature = "lead"))]
#[doc = include_str!("../../../docs/guides/controller.md")]
#[doc = include_str!("../../../docs/guides/kube.md")]
#[doc = include_str!("../../../docs/explanations/leader-election.md")]
#[doc = include_str!("../../../docs/guides/cookbook.md")]
#[doc = include_str!("../../../docs/guides/requests.md")]
struct Pages;
