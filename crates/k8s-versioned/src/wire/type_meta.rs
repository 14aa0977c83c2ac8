//! `apiVersion` and `kind`, which are constants of a type and which the items of a list lack.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::de::{self, DeserializeSeed as _, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fields::{Fields, write_untyped};
use super::place::{Fill, Nullable};
use crate::{Kind, Resource};

/// The `apiVersion` of a `K` as a field without size. It is written as the constant, and checked when it is read.
///
/// All values are equal, so a type with the field can derive the same traits as without it.
///
/// As for API servers, `null` and the empty string count as absent.
pub struct ApiVersion<K>(PhantomData<fn() -> K>);

/// The `kind` of a `K` as a field without size. It is written as the constant, and checked when it is read.
///
/// As for API servers, `null` and the empty string count as absent.
pub struct KindName<K>(PhantomData<fn() -> K>);

// Not derived: a derive would need the same trait for `K`.
macro_rules! constant {
    ($name:ident, $constant:ident) => {
        impl<K> Default for $name<K> {
            fn default() -> Self {
                Self(PhantomData)
            }
        }

        impl<K> Clone for $name<K> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<K> Copy for $name<K> {}

        impl<K> PartialEq for $name<K> {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }

        impl<K> Eq for $name<K> {}

        impl<K> Hash for $name<K> {
            fn hash<H: Hasher>(&self, _: &mut H) {}
        }

        impl<K: Kind> fmt::Debug for $name<K> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(K::$constant)
            }
        }

        impl<K: Kind> Serialize for $name<K> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(K::$constant)
            }
        }
    };
}

constant!(ApiVersion, API_VERSION);
constant!(KindName, KIND);

impl<'de, K: Kind> Deserialize<'de> for ApiVersion<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (field, accepted) = ("apiVersion", K::ACCEPTED_API_VERSIONS);
        Nullable(Constant { field, accepted }).deserialize(deserializer)?;
        Ok(Self::default())
    }
}

impl<'de, K: Kind> Deserialize<'de> for KindName<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nullable(Constant { field: "kind", accepted: K::KIND }).deserialize(deserializer)?;
        Ok(Self::default())
    }
}

/// Returns `true` if `text` is one of the words in `accepted`.
pub(crate) fn is_among(accepted: &str, text: &str) -> bool {
    !text.is_empty() && accepted.split(' ').any(|word| word == text)
}

/// Accepts an absent value or one of a few words.
struct Constant {
    field: &'static str,
    accepted: &'static str,
}

impl<'de> Fill<'de> for Constant {
    fn fill<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Constant {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accepted = self.accepted.replace(' ', "` or `");
        write!(f, "{} `{accepted}`", self.field)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        if text.is_empty() || is_among(self.accepted, text) {
            Ok(())
        } else {
            Err(E::invalid_value(Unexpected::Str(text), &self))
        }
    }
}

/// Writes the items of a list as servers do: without `apiVersion` and `kind`, unless they are custom resources.
pub(crate) struct Items<'a, T>(pub(crate) &'a [T]);

impl<T: Resource> Serialize for Items<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if T::TYPED_ITEMS {
            return serializer.collect_seq(self.0);
        }
        serializer.collect_seq(self.0.iter().map(Item))
    }
}

struct Item<'a, T>(&'a T);

impl<T: Fields> Serialize for Item<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_untyped(self.0, serializer)
    }
}
