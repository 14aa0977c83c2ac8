//! What servers offer for a resource: its verbs and its subresources.

use crate::Resource;
use crate::meta::v1::DeleteOptions;

/// Marks a resource or subresource for which servers support the verb `V`. The generator implements it from the documents.
///
/// The functions that build requests ask for it, so that a request that no server answers does not compile:
///
/// ```compile_fail,E0277
/// # use k8s_versioned::{Serves, verbs};
/// # struct TokenReview;
/// impl Serves<verbs::Create> for TokenReview {}
///
/// fn list<R: Serves<verbs::List>>() {}
/// list::<TokenReview>(); // Servers do not store reviews.
/// ```
#[diagnostic::on_unimplemented(
    message = "servers do not have the verb `{V}` for `{Self}`",
    label = "no document of the API has this operation",
    note = "the docs of a kind have a table of its requests"
)]
pub trait Serves<V> {}

/// A resource with the verbs of most resources, for generic code that uses several of them.
pub trait ServesAll:
    Resource
    + Serves<verbs::Get>
    + Serves<verbs::List>
    + Serves<verbs::Create>
    + Serves<verbs::Replace>
    + Serves<verbs::Patch>
    + Serves<verbs::Delete>
    + Serves<verbs::DeleteCollection>
{
}

impl<R> ServesAll for R where
    R: Resource
        + Serves<verbs::Get>
        + Serves<verbs::List>
        + Serves<verbs::Create>
        + Serves<verbs::Replace>
        + Serves<verbs::Patch>
        + Serves<verbs::Delete>
        + Serves<verbs::DeleteCollection>
{
}

/// Implements [`Serves`] for the verbs of a resource.
#[doc(hidden)]
#[macro_export]
macro_rules! serves {
    ($of:ty, $($verb:ident),* $(,)?) => {
        $(impl $crate::Serves<$crate::verbs::$verb> for $of {})*
    };
}

/// A resource whose objects have the subresource `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no subresource `{S}`",
    label = "no document of the API has this path",
    note = "the docs of a kind have a table of its requests"
)]
pub trait HasSubresource<S: Subresource>: Resource {
    /// The type of the subresource's objects: mostly the type of the resource, and `()` if it has none.
    type Body;
}

/// A subresource: a part or an action of an object that has its own path.
pub trait Subresource {
    /// The name of the subresource in paths, such as `status`.
    const NAME: &'static str;

    /// The answer to a creation, where `B` is the type of the subresource's objects: mostly `B`. Servers answer an order,
    /// such as an eviction, with a [`Status`](crate::meta::v1::Status).
    type Created<B>;
}

/// The verbs, for [`Serves`].
pub mod verbs {
    macro_rules! verbs {
        ($($(#[$doc:meta])* $verb:ident;)*) => {$(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $verb {}
        )*};
    }

    verbs! {
        /// Reads an object.
        Get;
        /// Lists and watches objects.
        List;
        /// Creates an object.
        Create;
        /// Replaces an object.
        Replace;
        /// Changes an object with a patch or an apply.
        Patch;
        /// Deletes an object.
        Delete;
        /// Deletes the objects that are selected.
        DeleteCollection;
        /// Reads a log.
        Log;
        /// Connects to something behind the server.
        Connect;
    }
}

/// The subresources, for [`HasSubresource`].
pub mod subresource {
    use super::{Serves, Subresource, verbs};

    macro_rules! define {
        ($(
            $(#[$doc:meta])*
            $rust_name:ident, $name:literal $(-> $answer:ident)?: $($verb:ident $row:ident),*;
        )*) => {$(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $rust_name {}

            impl Subresource for $rust_name {
                const NAME: &'static str = $name;
                type Created<B> = define!(@created B $($answer)?);
            }

            $(impl Serves<verbs::$verb> for $rust_name {})*
        )*};
        (@created $body:ident) => { $body };
        (@created $body:ident $answer:ident) => { crate::meta::v1::$answer };
    }

    k8s_versioned_core::subresources!(define);
}

// The short forms of `DeleteOptions`.

/// No options.
impl From<()> for DeleteOptions {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl From<&Self> for DeleteOptions {
    fn from(options: &Self) -> Self {
        options.clone()
    }
}
