//! Open enums: known words, and any other text.

use std::fmt;
use std::marker::PhantomData;

/// Implements the functions and traits of an open enum, which holds known words and any other text.
///
/// ```
/// /// How high the water is.
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// #[non_exhaustive]
/// pub enum Tide {
///     /// Sail.
///     High,
///     /// Any other text.
///     Other(k8s_versioned::Other<Self>),
/// }
///
/// k8s_versioned::open_enum! { Tide, "How high the water is."; High = "High"; }
///
/// assert_eq!(Tide::from("High"), Tide::High);
/// assert_eq!(serde_json::from_str::<Tide>(r#""Low""#)?.as_str(), "Low");
/// // True also if a later release knows `Low`.
/// assert!(Tide::from("Low") == "Low");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum {
    ($name:ident, $about:literal; $($variant:ident = $word:literal;)*) => {
        impl $name {
            /// The word as objects have it.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Other(other) => other.as_str(),
                }
            }

            /// Returns `true` if the text is empty, as for an absent field.
            pub fn is_empty(&self) -> bool {
                self.as_str().is_empty()
            }
        }

        impl ::core::convert::From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($word => Self::$variant,)*
                    other => Self::Other($crate::Other::unknown(other)),
                }
            }
        }

        impl ::core::convert::From<::std::string::String> for $name {
            /// Keeps a text that is not a known word without a copy.
            fn from(text: ::std::string::String) -> Self {
                match text.as_str() {
                    $($word => Self::$variant,)*
                    _ => Self::Other($crate::Other::unknown(text)),
                }
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = ::core::convert::Infallible;

            fn from_str(text: &str) -> ::core::result::Result<Self, ::core::convert::Infallible> {
                ::core::result::Result::Ok(text.into())
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::core::convert::AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl ::core::cmp::PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                self.as_str() == text
            }
        }

        impl ::core::cmp::PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                self.as_str() == *text
            }
        }

        /// Compares the texts, so that the order stays when a later release knows a word.
        impl ::core::cmp::Ord for $name {
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                self.as_str().cmp(other.as_str())
            }
        }

        impl ::core::cmp::PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(self.cmp(other))
            }
        }

        impl $crate::wire::ZeroValue for $name {
            fn zero_value() -> Self {
                Self::from("")
            }
        }

        impl $crate::wire::serde::Serialize for $name {
            fn serialize<S: $crate::wire::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::wire::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::wire::word(deserializer)
            }
        }

        $crate::open_enum_schema!($name, $about);
        $crate::open_enum_protobuf!($name; $($variant = $word;)*);
    };
}

/// The JSON Schema of an open enum: any text.
#[cfg(feature = "schemars")]
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum_schema {
    ($name:ident, $about:literal) => {
        impl $crate::schema::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut $crate::schema::SchemaGenerator) -> $crate::schema::Schema {
                $crate::schema::text($about)
            }
        }
    };
}

/// Expands to nothing without the feature `schemars`.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum_schema {
    ($name:ident, $about:literal) => {};
}

/// Expands to nothing without the feature `protobuf`.
#[cfg(not(feature = "protobuf"))]
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum_protobuf {
    ($name:ident; $($variant:ident = $word:literal;)*) => {};
}

// Texts of open enums that are not known words.

/// A text that is not a known word of the open enum `E`; it may be empty.
///
/// A later release can know the word. Compare it as text, with `==` or `as_str` of the enum. Only the enum can make
/// one, so it never holds a known word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Other<E> {
    text: Box<str>,
    of: PhantomData<E>,
}

impl<E> Other<E> {
    /// For [`open_enum!`](crate::open_enum), which has compared the text with the known words.
    #[doc(hidden)]
    pub fn unknown(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into(), of: PhantomData }
    }

    /// The word, which no variant has.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl<E> fmt::Debug for Other<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}
