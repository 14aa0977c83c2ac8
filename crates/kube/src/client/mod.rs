//! Requests over a `kube::Client`, and candidates of whichever version the cluster serves.
//!
//! [`send`] takes any [`Request`](k8s_coordination::operation::Request) of `k8s_coordination`:
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
//! `LeaseCandidate` is off by default, and which of its versions a cluster has depends on its release. [`served`]
//! asks the cluster, [`Served::choose`] takes the newest version that both sides know, and [`Candidates`] lets a
//! program use one version whichever the cluster has:
//!
//! ```
//! use k8s_coordination::v1beta1::LeaseCandidate;
//! use k8s_coordination_kube::client::{Candidates, served};
//!
//! async fn names(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
//!     let version = served(&client).await?.choose()?;
//!     let candidates = Candidates::<LeaseCandidate>::new(client, version);
//!     let reply = candidates.list_all_namespaces(&Default::default()).await?;
//!     for candidate in &reply.body.items {
//!         println!("{:?}: {}", candidate.metadata.name, candidate.spec.strategy.as_str());
//!     }
//!     println!("{}", reply.received); // What the conversion has to tell.
//!     Ok(())
//! }
//! ```

mod candidates;
mod error;
mod gate;
mod send;
mod served;

pub use candidates::{CandidateKind, Candidates, Listed, Reply};
pub use error::Error;
pub use gate::is_coordinated;
#[cfg(feature = "lead")]
pub(crate) use send::exchange;
pub use send::{EventStream, send, send_pages, send_watch};
pub use served::{NotServed, Served, served};
