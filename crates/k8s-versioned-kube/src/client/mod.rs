//! Requests over a `kube::Client`.
//!
//! [`send`] takes any [`Request`](k8s_versioned::requests::Request):
//!
//! ```
//! use k8s_versioned::{Namespaced, Resource, Serves, verbs};
//! use k8s_versioned_kube::client::{Error, send};
//! use k8s_versioned::requests::Verbs;
//!
//! async fn count<K>(client: &kube::Client) -> Result<usize, Error>
//! where
//!     K: Resource<Scope = Namespaced> + Serves<verbs::List>,
//! {
//!     let request = K::list_all_namespaces(())?;
//!     Ok(send(client, &request).await?.body.items.len())
//! }
//! ```

mod error;
mod pages;
mod send;

pub use error::{Error, with_causes};
pub use pages::send_pages;
pub use send::{EventStream, exchange, in_form, send, send_watch};
