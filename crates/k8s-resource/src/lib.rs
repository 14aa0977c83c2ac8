#![doc = include_str!("../README.md")]
// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
#[allow(clippy::too_many_lines, missing_docs, reason = "as long as the documents are, which have no descriptions here")]
mod generated;

/// Brings the traits of kinds and the functions of verbs into scope.
pub mod prelude {
    #[cfg(feature = "requests")]
    #[doc(no_inline)]
    pub use k8s_versioned::requests::Verbs;
    #[doc(no_inline)]
    pub use k8s_versioned::{
        ClusterScoped, HasSpec, HasSubresource, Kind, Namespaced, Resource, Serves, verbs,
    };
}

pub use generated::*;
#[cfg(feature = "protobuf")]
#[doc(no_inline)]
pub use k8s_versioned::protobuf;
#[cfg(feature = "requests")]
#[doc(no_inline)]
pub use k8s_versioned::requests;
#[doc(no_inline)]
pub use k8s_versioned::{
    DecodeError, DecodedObject, KindEntry, Lifecycle, List, ParseError, Quantity, RawExtension,
    Registry, Release, Time, TypeMeta, Version, from_json, subresource,
};
