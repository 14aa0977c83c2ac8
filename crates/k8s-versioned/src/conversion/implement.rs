//! The macros by which generated code implements the traits of enums over versions.

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

        /// Reads the version or the whole `apiVersion`.
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
            pub fn from_object(object: &dyn $crate::DecodedObject) -> Option<Self> {
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

            fn visit<V: $crate::conversion::generic::VersionVisitor<Self>>(version: $version, visitor: V) -> V::Output {
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

            fn convert_value(
                value: &$crate::conversion::Value,
                to: $version,
                options: &$crate::conversion::Options<$policies>,
            ) -> ::core::result::Result<
                ($crate::conversion::Value, $crate::conversion::ConversionReport),
                $crate::conversion::JsonError,
            > {
                $crate::conversion::steps::convert_value::<Self>(value, to, options)
            }
        }

        /// Into any version of the kind, also into the version of the object.
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
        impl $crate::protobuf::FromEnvelope for $any {
            fn from_envelope(
                envelope: &$crate::protobuf::Envelope<'_>,
            ) -> ::core::result::Result<Self, $crate::protobuf::Error> {
                let named = |it: &&$version| it.api_version() == envelope.api_version;
                match $version::ALL.iter().find(named) {
                    $(::core::option::Option::Some($version::$variant) => {
                        <$object as $crate::protobuf::FromEnvelope>::from_envelope(envelope)
                            .map(Self::$variant)
                    })+
                    ::core::option::Option::None => {
                        let expected = ::std::format!("`{}` of any version", <Self as $crate::conversion::AnyVersion>::KIND);
                        ::core::result::Result::Err(envelope.other_kind(expected))
                    }
                }
            }
        }

        impl $crate::conversion::generic::AnyMessage for $any {
            fn visit_message<V: $crate::conversion::generic::MessageVisitor<Self>>(version: $version, visitor: V) -> V::Output {
                match version {
                    $($version::$variant => visitor.visit::<$object>(),)+
                }
            }
        }
    };
}
