//! Any generated Kubernetes kind for the client `kube`.
//!
//! The types that `k8s-versioned` generates are plain data. An [`Object`] of such a kind works wherever the types of
//! `k8s-openapi` do: with `Api`, `watcher`, `reflector`, `Controller`, finalizers and server-side apply. It has all fields
//! of the kind, which can be built-in or custom, namespaced or cluster-scoped.
//!
//! ```
//! # #[cfg(feature = "client")]
//! # mod program {
//! # use codegen_cases::operations::v1;
//! use k8s_versioned_kube::Object;
//! use kube::api::{Patch, PatchParams};
//! use kube::{Api, Client, ResourceExt};
//!
//! /// `v1` is a module of a generated package.
//! type Harbour = Object<v1::Harbour>;
//!
//! async fn run(client: Client) -> Result<(), kube::Error> {
//!     let harbours: Api<Harbour> = Api::all(client);
//!     for harbour in harbours.list(&Default::default()).await? {
//!         println!("{}: {:?}", harbour.name_any(), harbour.status);
//!     }
//!     Ok(())
//! }
//! # }
//! ```
//!
//! # Conversions from and to other types
//!
//! | other type | from | to |
//! |---|---|---|
//! | the plain kind | [`Object::from_plain`] | [`Object::into_plain`] |
//! | another version of the kind | [`ConvertObject`](k8s_versioned::conversion::ConvertObject) | the same |
//! | a type of `k8s-openapi`, a `DynamicObject` | as JSON: `from_value(to_value(&other)?)` | the same |
//!
//! [`Object::definition`] is the definition of a custom kind, if its package has the manifest and so implements
//! [`CustomResource`](k8s_versioned::CustomResource):
//!
//! ```
//! use codegen_cases::custom::v1;
//! use k8s_versioned_kube::Object;
//!
//! let definition = Object::<v1::Widget>::definition()?;
//! assert_eq!(definition.metadata.name.as_deref(), Some("widgets.example.dev"));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Features
//!
//! By default the crate depends on `k8s-openapi` and not on `kube`. It does not choose a Kubernetes release: your program
//! enables a feature of `k8s-openapi`, such as `latest`.
//!
//! | feature | items | by default |
//! |---|---|---|
//! | `client` | [`client`]: requests over `kube::Client` | no |
//!
//! # Two traits called `Resource`
//!
//! `k8s_versioned` and `kube` both have a trait of this name. A program that uses both writes `use kube::Resource as _`:
//! the methods are then in scope, and the name belongs to `k8s_versioned`.

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "client")]
pub mod client;
mod metadata;
mod object;

pub use metadata::MetadataError;
pub use object::{Object, OpenapiScope};
