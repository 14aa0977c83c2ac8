//! The scopes of resources.

/// The scope of a resource: [`Namespaced`] or [`ClusterScoped`].
pub trait Scope: sealed::Sealed + 'static {
    /// What a request says beside the name of an object: a namespace, or `()`.
    type Namespace<'a>: Copy;

    /// `true` if the objects live in namespaces.
    #[doc(hidden)]
    const IS_NAMESPACED: bool;

    /// The namespace as a part of a path.
    #[doc(hidden)]
    fn namespace(namespace: Self::Namespace<'_>) -> Option<&str>;
}

/// The scope of resources whose objects live in namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespaced {}

/// The scope of resources whose objects live outside all namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClusterScoped {}

impl Scope for Namespaced {
    type Namespace<'a> = &'a str;
    const IS_NAMESPACED: bool = true;

    fn namespace(namespace: Self::Namespace<'_>) -> Option<&str> {
        Some(namespace)
    }
}

impl Scope for ClusterScoped {
    type Namespace<'a> = ();
    const IS_NAMESPACED: bool = false;

    fn namespace((): Self::Namespace<'_>) -> Option<&str> {
        None
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Namespaced {}
    impl Sealed for super::ClusterScoped {}
}
