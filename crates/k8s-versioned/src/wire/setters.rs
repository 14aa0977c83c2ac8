//! Setters of generated structs, and the values that they make from their arguments.

use std::collections::BTreeMap;

/// Implements setters: functions that take the struct, set a field, and return it.
///
/// There is a line for each: its name, its argument, which has the name of the field, and the value of the field.
///
/// ```
/// use k8s_versioned::wire;
///
/// #[derive(Debug, Default)]
/// pub struct Spec {
///     pub replicas: Option<i32>,
///     pub finalizers: Vec<String>,
/// }
///
/// k8s_versioned::setters!(Spec {
///     with_replicas(replicas: i32) = Some(replicas);
///     with_finalizers(finalizers: impl IntoIterator<Item = impl Into<String>>) = wire::list(finalizers);
/// });
///
/// let spec = Spec::default().with_replicas(2).with_finalizers(["a"]);
/// assert_eq!((spec.replicas, spec.finalizers), (Some(2), vec!["a".to_owned()]));
/// ```
#[macro_export]
macro_rules! setters {
    ($name:ident {
        $($(#[$attribute:meta])* $setter:ident($field:ident: $argument:ty) = $value:expr;)*
    }) => {
        impl $name {
            $(
                // No link: rustdoc finds no field such as `r#type`.
                #[doc = ::core::concat!("Sets `", ::core::stringify!($field), "`.")]
                $(#[$attribute])*
                #[must_use]
                // A library with hundreds of structs has no code for it until a program calls it. The other small
                // functions of generated types also have the attribute.
                #[inline]
                pub fn $setter(mut self, $field: $argument) -> Self {
                    self.$field = $value;
                    self
                }
            )*
        }
    };
}

/// Makes a struct of the fields that a constructor takes, with their names: two arguments of one type can be exchanged by
/// mistake, two fields cannot.
///
/// The struct has the name of the struct that it becomes, which is in the module around.
///
/// ```
/// #[derive(Debug, PartialEq)]
/// pub struct Mount {
///     pub name: String,
///     pub path: String,
/// }
///
/// impl Mount {
///     pub fn new(name: impl Into<String>, path: impl Into<String>) -> Self {
///         Self { name: name.into(), path: path.into() }
///     }
/// }
///
/// pub mod required {
///     k8s_versioned::required!(Mount { name: String, path: String });
/// }
///
/// # fn main() {
/// let mount = Mount::from(required::Mount { path: "/tmp".into(), name: "scratch".into() });
/// assert_eq!(mount, Mount::new("scratch", "/tmp"));
/// # }
/// ```
#[macro_export]
macro_rules! required {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[doc = ::core::concat!(
            "The required fields of [`", ::core::stringify!($name), "`](super::", ::core::stringify!($name), "), by their names."
        )]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(
                #[doc = ::core::concat!(
                    "The field `", ::core::stringify!($field), "` of [`", ::core::stringify!($name), "`](super::",
                    ::core::stringify!($name), ")."
                )]
                pub $field: $type,
            )*
        }

        impl ::core::convert::From<$name> for super::$name {
            #[inline]
            fn from($name { $($field),* }: $name) -> Self {
                Self::new($($field),*)
            }
        }
    };
}

/// A list of these items.
pub fn list<T>(items: impl IntoIterator<Item = impl Into<T>>) -> Vec<T> {
    items.into_iter().map(Into::into).collect()
}

/// A map of these members.
pub fn map<T>(
    members: impl IntoIterator<Item = (impl Into<String>, impl Into<T>)>,
) -> BTreeMap<String, T> {
    members.into_iter().map(|(key, value)| (key.into(), value.into())).collect()
}
