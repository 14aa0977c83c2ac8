//! Requests over a `kube::Client`, and a client for candidates of any version.
//!
//! [`send`] takes any [`Request`](k8s_coordination::requests::Request) of `k8s_coordination`:
//!
//! ```
//! use k8s_coordination::{prelude::*, v1::Lease};
//! use k8s_coordination_kube::client::{Error, send};
//!
//! async fn holders(client: &kube::Client) -> Result<(), Error> {
//!     let request = Lease::list("kube-system", ())?;
//!     for lease in send(client, &request).await?.body.items {
//!         println!("{:?} is held by {:?}", lease.metadata.name, lease.spec.holder_identity);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Clusters serve `LeaseCandidate` only if it is enabled, and its version depends on their release. [`served`] asks the
//! cluster, [`Served::choose`] takes the newest version, and [`Candidates`] lets a program use one version with any
//! cluster:
//!
//! ```
//! use k8s_coordination::v1beta1::LeaseCandidate;
//! use k8s_coordination_kube::client::{Candidates, Error, served};
//!
//! async fn names(client: kube::Client) -> Result<(), Error> {
//!     let version = served(&client).await?.choose()?;
//!     let candidates = Candidates::<LeaseCandidate>::new(client, version);
//!     let reply = candidates.list_all_namespaces(&Default::default()).await?;
//!     for candidate in &reply.body.items {
//!         println!("{:?}: {}", candidate.metadata.name, candidate.spec.strategy.as_str());
//!     }
//!     println!("{}", reply.received); // The findings of the conversion.
//!     Ok(())
//! }
//! ```

mod candidates;
mod gate;
mod served;

pub use candidates::{Candidates, Listed, Reply};
pub use gate::is_coordinated;
pub use k8s_versioned_kube::client::{
    Error, EventStream, exchange, in_form, send, send_pages, send_watch, with_causes,
};
pub use served::{NotServed, Served, served};
