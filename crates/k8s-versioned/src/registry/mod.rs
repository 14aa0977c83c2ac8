//! The kinds of a crate, for programs that choose among them at run time.

mod kind_entry;
mod object;
mod receive;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{HasSubresource, Kind, Resource, Subresource};

pub use kind_entry::{DecodeError, KindEntry};
pub use object::DecodedObject;

#[doc(hidden)]
pub use receive::{Body, Received};

/// A set of kinds, for programs that choose among them at run time.
///
/// ```
/// use k8s_versioned::{Kind, KindEntry, Registry};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Status {
///     code: i32,
/// }
///
/// impl Kind for Status {
///     const GROUP: &'static str = "";
///     const VERSION: &'static str = "v1";
///     const KIND: &'static str = "Status";
///     const API_VERSION: &'static str = "v1";
/// }
///
/// const KINDS: &[KindEntry] = &[KindEntry::object::<Status>()];
///
/// let entry = KINDS.find("v1", "Status").ok_or("unknown kind")?;
/// let object = entry.decode(br#"{"code": 404}"#)?;
/// assert_eq!(object.as_any().downcast_ref(), Some(&Status { code: 404 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Registry {
    /// The kinds, in a stable order.
    fn kinds(&self) -> &[KindEntry];

    /// The first kind that reads objects with exactly this `apiVersion` and `kind`.
    fn find(&self, api_version: &str, kind: &str) -> Option<&KindEntry> {
        self.kinds().iter().find(|entry| entry.reads(api_version, kind))
    }
}

/// All resources of a crate, for generic code that needs their types. A [`Registry`] has all kinds as values.
pub trait Resources {
    /// Calls the visitor with the type of each resource, and of each of its subresources that has a body.
    fn visit(visitor: &mut impl ResourceVisitor);
}

/// What generic code does with the type of each resource.
pub trait ResourceVisitor {
    /// Called with each resource.
    fn resource<R: Resource<Apply: DeserializeOwned>>(&mut self);

    /// Called instead with each resource that has protobuf.
    #[cfg(feature = "protobuf")]
    fn message<R: Resource<Apply: DeserializeOwned> + crate::protobuf::Message>(&mut self) {
        self.resource::<R>();
    }

    /// Called with each subresource of a resource.
    fn subresource<R, S>(&mut self)
    where
        R: HasSubresource<S, Body: Kind + Serialize + DeserializeOwned>,
        S: Subresource;
}

/// A slice of entries is a registry.
impl Registry for &[KindEntry] {
    fn kinds(&self) -> &[KindEntry] {
        self
    }
}
