//! `apiVersion` and `kind`, which are constants of a type and which the items of a list lack.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::de::{self, DeserializeSeed as _, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fields::{Fields, write_untyped};
use super::place::{Fill, Nullable};
use crate::{Kind, Resource};

/// The `apiVersion` or the `kind` of a `K` as a field without size. It is written as the constant, and checked when it is
/// read.
///
/// All values are equal, so a type with the field can derive the same traits as without it.
///
/// As for API servers, `null` and the empty string count as absent.
pub struct TypeConstant<K, const IS_KIND: bool>(PhantomData<fn() -> K>);

/// The `apiVersion` of a `K`.
pub type ApiVersion<K> = TypeConstant<K, false>;

/// The `kind` of a `K`.
pub type KindName<K> = TypeConstant<K, true>;

impl<K: Kind, const IS_KIND: bool> TypeConstant<K, IS_KIND> {
    const TEXT: &'static str = if IS_KIND { K::KIND } else { K::API_VERSION };
}

// Not derived: a derive would need the same trait for `K`.
impl<K, const IS_KIND: bool> Default for TypeConstant<K, IS_KIND> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<K, const IS_KIND: bool> Clone for TypeConstant<K, IS_KIND> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, const IS_KIND: bool> Copy for TypeConstant<K, IS_KIND> {}

impl<K, const IS_KIND: bool> PartialEq for TypeConstant<K, IS_KIND> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<K, const IS_KIND: bool> Eq for TypeConstant<K, IS_KIND> {}

impl<K, const IS_KIND: bool> Hash for TypeConstant<K, IS_KIND> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<K: Kind, const IS_KIND: bool> fmt::Debug for TypeConstant<K, IS_KIND> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::TEXT)
    }
}

impl<K: Kind, const IS_KIND: bool> Serialize for TypeConstant<K, IS_KIND> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Self::TEXT)
    }
}

impl<'de, K: Kind, const IS_KIND: bool> Deserialize<'de> for TypeConstant<K, IS_KIND> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (field, accepted) =
            if IS_KIND { ("kind", K::KIND) } else { ("apiVersion", K::ACCEPTED_API_VERSIONS) };
        Nullable(Constant { field, accepted }).deserialize(deserializer)?;
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
pub(crate) struct ItemsAsServers<'a, T>(pub(crate) &'a [T]);

impl<T: Resource> Serialize for ItemsAsServers<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if T::TYPED_ITEMS {
            return serializer.collect_seq(self.0);
        }
        serializer.collect_seq(self.0.iter().map(Untyped))
    }
}

struct Untyped<'a, T>(&'a T);

impl<T: Fields> Serialize for Untyped<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_untyped(self.0, serializer)
    }
}
