//! Enums over the versions of a kind.

use std::fmt::{self, Debug};

use serde::de::DeserializeOwned;
use serde::{Deserializer, Serialize};
use serde_json::Value;

use super::json::{self, JsonError};
use super::{ConversionError, ConversionReport, ConvertObject, Options};
use crate::{Resource, Scope, ServesAll};

/// Implements the functions and traits of three enums: the versions of a kind, its objects of any version, and these
/// borrowed.
///
/// `From` exists for targets of the types that the rules declare to be the same, and for no others.
#[doc(hidden)]
#[macro_export]
macro_rules! any_version {
    (
        $any:ident, $reference:ident, $version:ident, $policies:ty; NEWEST = $newest:ident, $newest_object:ty;
        GROUP = $group:literal; KIND = $kind:literal; LIST_KIND = $list_kind:literal;
        ANNOTATION_KEY = $annotation_key:expr; HAS_SPEC = $has_spec:literal;
        FROM = [$($target:ty,)*];
        $($variant:ident = $name:literal, $object:ty $(, [$([$($member:literal),+],)+])?;)+
    ) => {
        impl $version {
            /// All versions, lowest first.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The highest version, in the order of Kubernetes: `v1beta1` is below `v1`.
            pub const NEWEST: Self = Self::$newest;

            /// The text of the version: the part of `apiVersion` after the group.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The `apiVersion` of objects of this version.
            pub const fn api_version(self) -> &'static str {
                match self {
                    $(Self::$variant => ::core::concat!($group, "/", $name),)+
                }
            }
        }

        impl ::core::fmt::Display for $version {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        /// From the version alone or the whole `apiVersion`.
        impl ::core::str::FromStr for $version {
            type Err = $crate::ParseError;

            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::ParseError> {
                let named = |it: &&Self| it.as_str() == text || it.api_version() == text;
                Self::ALL.iter().find(named).copied().ok_or_else(|| {
                    let known = [$($name),+].join(" or ");
                    let expected = ::core::concat!("a version of `", $kind, "`");
                    $crate::ParseError::new(text, expected, ::std::format!("expected {known}"))
                })
            }
        }

        impl $any {
            /// The object as this enum; `None` if it is of another kind.
            pub fn from_object(object: &dyn $crate::Object) -> Option<Self> {
                let object = object.as_any();
                $(
                    if let Some(object) = object.downcast_ref::<$object>() {
                        return Some(Self::$variant(object.clone()));
                    }
                )+
                None
            }

            /// Borrows the object.
            pub const fn by_ref(&self) -> $reference<'_> {
                match self {
                    $(Self::$variant(object) => $reference::$variant(object),)+
                }
            }

            /// The object's metadata.
            pub const fn metadata(&self) -> &$crate::meta::v1::ObjectMeta {
                self.by_ref().metadata()
            }

            /// The object's metadata, to change.
            pub const fn metadata_mut(&mut self) -> &mut $crate::meta::v1::ObjectMeta {
                match self {
                    $(Self::$variant(object) => &mut object.metadata,)+
                }
            }
        }

        impl<'a> $reference<'a> {
            /// The version of the object.
            pub const fn version(self) -> $version {
                match self {
                    $(Self::$variant(_) => $version::$variant,)+
                }
            }

            /// The object's metadata.
            pub const fn metadata(self) -> &'a $crate::meta::v1::ObjectMeta {
                match self {
                    $(Self::$variant(object) => &object.metadata,)+
                }
            }
        }

        impl<'a> ::core::convert::From<&'a $any> for $reference<'a> {
            fn from(object: &'a $any) -> Self {
                object.by_ref()
            }
        }

        $(
            impl ::core::convert::From<$object> for $any {
                fn from(object: $object) -> Self {
                    Self::$variant(object)
                }
            }

            impl<'a> ::core::convert::From<&'a $object> for $reference<'a> {
                fn from(object: &'a $object) -> Self {
                    Self::$variant(object)
                }
            }

            /// The object stays as it is.
            impl $crate::conversion::ConvertObject<$any> for $object {
                type Policies = $policies;

                fn convert_reporting(
                    self,
                    _: &$crate::conversion::Options<$policies>,
                    _: &mut $crate::conversion::ConversionReport,
                ) -> $any {
                    self.into()
                }
            }
        )+

        impl $crate::conversion::AnyVersion for $any {
            type Version = $version;
            type Policies = $policies;
            type Scope = <$newest_object as $crate::Resource>::Scope;
            type Newest = $newest_object;
            const GROUP: &'static str = $group;
            const KIND: &'static str = $kind;
            const LIST_KIND: &'static str = $list_kind;
            const ANNOTATION_KEY: ::core::option::Option<&'static str> = $annotation_key;
            const HAS_SPEC: bool = $has_spec;
            const VERSIONS: &'static [$version] = $version::ALL;

            fn api_version(version: $version) -> &'static str {
                version.api_version()
            }

            fn version(&self) -> $version {
                self.by_ref().version()
            }

            fn visit<V: $crate::conversion::VersionVisitor<Self>>(version: $version, visitor: V) -> V::Output {
                match version {
                    $($version::$variant => visitor.visit::<$object>(),)+
                }
            }

            fn decode(
                version: $version,
                value: &$crate::conversion::Value,
                report: &mut $crate::conversion::ConversionReport,
            ) -> ::core::result::Result<Self, $crate::conversion::JsonError> {
                use $crate::conversion::steps::decode;
                match version {
                    $($version::$variant => {
                        $($crate::conversion::steps::report_absent(value, &[$(&[$($member),+]),+], report);)?
                        decode(value, report).map(Self::$variant)
                    })+
                }
            }

            fn deserialize_version<'de, D: $crate::wire::serde::Deserializer<'de>>(
                version: $version,
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                use $crate::wire::serde::Deserialize;
                match version {
                    $($version::$variant => <$object>::deserialize(deserializer).map(Self::$variant),)+
                }
            }

            fn convert_to_reporting(
                self,
                version: $version,
                options: &$crate::conversion::Options<$policies>,
                report: &mut $crate::conversion::ConversionReport,
            ) -> Self {
                use $crate::conversion::ConvertObject;
                match version {
                    $($version::$variant => Self::$variant(self.convert_reporting(options, report)),)+
                }
            }
        }

        /// Into any version of the kind, also into the one that the object has.
        impl<T> $crate::conversion::ConvertObject<T> for $any
        where
            $($object: $crate::conversion::ConvertObject<T, Policies = $policies>,)+
        {
            type Policies = $policies;

            fn convert_reporting(
                self,
                options: &$crate::conversion::Options<$policies>,
                report: &mut $crate::conversion::ConversionReport,
            ) -> T {
                match self {
                    $(Self::$variant(object) => object.convert_reporting(options, report),)+
                }
            }
        }

        $(
            impl<S> ::core::convert::From<S> for $target
            where
                Self: $crate::conversion::LosslessFrom<S>,
            {
                fn from(source: S) -> Self {
                    $crate::conversion::LosslessFrom::lossless_from(source)
                }
            }
        )*

        impl<'de> $crate::wire::serde::Deserialize<'de> for $any {
            fn deserialize<D: $crate::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::conversion::steps::deserialize(deserializer)
            }
        }
    };
}

/// Implements the traits of protobuf for an enum over the objects of any version.
#[cfg(feature = "protobuf")]
#[doc(hidden)]
#[macro_export]
macro_rules! any_message {
    ($any:ident, $version:ident; $($variant:ident = $object:ty;)+) => {
        /// Decodes into the version that the `apiVersion` names, which must be there.
        impl $crate::protobuf::Body for $any {
            fn from_envelope(
                envelope: &$crate::protobuf::Envelope<'_>,
            ) -> ::core::result::Result<Self, $crate::protobuf::Error> {
                let named = |it: &&$version| it.api_version() == envelope.api_version;
                match $version::ALL.iter().find(named) {
                    $(::core::option::Option::Some($version::$variant) => {
                        <$object as $crate::protobuf::Body>::from_envelope(envelope)
                            .map(Self::$variant)
                    })+
                    ::core::option::Option::None => {
                        let expected = ::std::format!("`{}` of any version", <Self as $crate::conversion::AnyVersion>::KIND);
                        ::core::result::Result::Err(envelope.other_kind(expected))
                    }
                }
            }
        }

        impl $crate::conversion::AnyMessage for $any {
            fn visit_message<V: $crate::conversion::MessageVisitor<Self>>(version: $version, visitor: V) -> V::Output {
                match version {
                    $($version::$variant => visitor.visit::<$object>(),)+
                }
            }
        }
    };
}

// Objects of any version of a kind.

/// An object of any version of a kind. The generated enums over versions implement it.
pub trait AnyVersion: Clone + Serialize {
    /// The versions of the kind.
    type Version: Copy + Eq + fmt::Display + 'static;
    /// The choices about absent fields.
    type Policies: Default;
    /// The scope of the objects.
    type Scope: Scope;
    /// The kind in its newest version. A later release of the crate can have a newer one.
    type Newest: VersionOf<Self>;
    /// The API group.
    const GROUP: &'static str;
    /// The kind of the objects.
    const KIND: &'static str;
    /// The kind of lists of them.
    const LIST_KIND: &'static str;
    /// The default key of the annotation that keeps the values that a version cannot hold; `None` if all versions hold
    /// the same values.
    const ANNOTATION_KEY: Option<&'static str>;
    /// Whether objects have a `spec`.
    #[doc(hidden)]
    const HAS_SPEC: bool;
    /// All versions, lowest first.
    const VERSIONS: &'static [Self::Version];

    /// The `apiVersion` of objects of a version.
    fn api_version(version: Self::Version) -> &'static str;

    /// The version of this object.
    fn version(&self) -> Self::Version;

    /// Calls generic code with the type of a version.
    fn visit<V: VersionVisitor<Self>>(version: Self::Version, visitor: V) -> V::Output;

    /// Decodes an object of a version, and reports the fields that it does not know.
    ///
    /// # Errors
    /// The value is not such an object.
    #[doc(hidden)]
    fn decode(
        version: Self::Version,
        value: &Value,
        report: &mut ConversionReport,
    ) -> Result<Self, JsonError>;

    /// Reads an object of a version.
    ///
    /// # Errors
    /// The input is not such an object.
    #[doc(hidden)]
    fn deserialize_version<'de, D: Deserializer<'de>>(
        version: Self::Version,
        deserializer: D,
    ) -> Result<Self, D::Error>;

    /// Converts into a version, and adds the findings to `report`.
    #[must_use]
    fn convert_to_reporting(
        self,
        version: Self::Version,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> Self;

    /// Decodes an object, of the version that its `apiVersion` names.
    ///
    /// # Errors
    /// The value is not an object of the kind, or lacks `apiVersion` or `kind`.
    fn from_value(value: &Value, report: &mut ConversionReport) -> Result<Self, JsonError> {
        json::from_value(value, report)
    }

    /// Converts into a version with the default options.
    fn convert_to(self, version: Self::Version) -> (Self, ConversionReport) {
        let mut report = ConversionReport::new();
        let converted = self.convert_to_reporting(version, &Options::default(), &mut report);
        (converted, report)
    }

    /// Converts into a version with these options.
    ///
    /// # Errors
    /// The report has findings that the options do not accept.
    fn convert_to_with(
        self,
        version: Self::Version,
        options: &Options<Self::Policies>,
    ) -> Result<(Self, ConversionReport), ConversionError> {
        let mut report = ConversionReport::new();
        let converted = self.convert_to_reporting(version, options, &mut report);
        Ok((converted, options.accept(report)?))
    }

    /// Converts a JSON value: an object, a list, or a `v1` `List` of objects of any versions.
    ///
    /// `apiVersion` and `kind` name the version and kind of each object. The rest of a list stays as it is. Times are read into
    /// their types, which cut digits beyond whole seconds or microseconds without a finding. A value of another type than its version
    /// declares is passed on unchanged, or kept in the annotation if the target has no field at its place: the report has it, and a
    /// strict conversion refuses the object.
    ///
    /// # Errors
    /// It is not an object of the kind or a list of these, or the report has findings that the options do not accept.
    fn convert_value(
        value: &Value,
        to: Self::Version,
        options: &Options<Self::Policies>,
    ) -> Result<(Value, ConversionReport), JsonError> {
        json::convert::<Self>(value, to, options)
    }
}

/// A form of the objects of the kind `A` that a program uses: the type of one version, or `A` itself.
pub trait FromAny<A: AnyVersion>: Into<A> {
    /// Converts from any version, and adds the findings to `report`.
    fn from_any(any: A, options: &Options<A::Policies>, report: &mut ConversionReport) -> Self;
}

impl<A, K> FromAny<A> for K
where
    A: AnyVersion + ConvertObject<K, Policies = <A as AnyVersion>::Policies>,
    K: Into<A>,
{
    fn from_any(
        any: A,
        options: &Options<<A as AnyVersion>::Policies>,
        report: &mut ConversionReport,
    ) -> Self {
        any.convert_reporting(options, report)
    }
}

/// The type of one version of a kind. Each version of the kind `A` is one, for generic code that
/// [`AnyVersion::visit`] calls.
pub trait VersionOf<A: AnyVersion>:
    FromAny<A> + Resource<Scope = <A as AnyVersion>::Scope, Apply: DeserializeOwned> + ServesAll
{
}

impl<A, K> VersionOf<A> for K
where
    A: AnyVersion,
    K: FromAny<A> + Resource<Scope = <A as AnyVersion>::Scope, Apply: DeserializeOwned> + ServesAll,
{
}

/// All kinds of a crate whose objects convert between versions, for generic code that needs their types.
pub trait Convertibles {
    /// Calls the visitor with each kind.
    fn visit(visitor: &mut impl ConvertibleVisitor);
}

/// Visits every kind whose objects convert.
pub trait ConvertibleVisitor {
    /// Called with the type of objects of any version of the kind.
    fn kind<A>(&mut self)
    where
        A: AnyVersion<Policies: Send + Sync + 'static> + Clone + PartialEq + Debug + 'static;
}

/// Generic code over the versions of the kind `A`: see [`AnyVersion::visit`].
pub trait VersionVisitor<A: AnyVersion> {
    /// The result for the version that is found.
    type Output;

    /// The code, with the type of a version.
    fn visit<K: VersionOf<A>>(self) -> Self::Output;
}

/// An object of any version of a kind that can be protobuf. The generated enums over versions implement it, and
/// [`Body`](crate::protobuf::Body).
#[cfg(feature = "protobuf")]
pub trait AnyMessage: AnyVersion + crate::protobuf::Body {
    /// Calls generic code with the type of a version, as [`AnyVersion::visit`] does.
    fn visit_message<V: MessageVisitor<Self>>(version: Self::Version, visitor: V) -> V::Output;
}

/// Generic code over the versions of the kind `A`, with their protobuf: see [`AnyMessage::visit_message`].
#[cfg(feature = "protobuf")]
pub trait MessageVisitor<A: AnyVersion> {
    /// The result for the version that is found.
    type Output;

    /// The code, with the type of a version.
    fn visit<K: VersionOf<A> + crate::protobuf::Message>(self) -> Self::Output;
}

/// A field that is a list in some versions, and its first item in others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOrFirst<'a, T> {
    /// All items of the list.
    List(&'a [T]),
    /// The first item alone.
    First(&'a T),
}

impl<'a, T> ListOrFirst<'a, T> {
    /// The items: the list, or only the first item.
    pub const fn as_slice(self) -> &'a [T] {
        match self {
            Self::List(items) => items,
            Self::First(item) => std::slice::from_ref(item),
        }
    }
}
