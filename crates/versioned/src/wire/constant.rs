//! Reading `apiVersion` and `kind`, which are constants of a type.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::Kind;

/// The `apiVersion` of a `K`: holds nothing, and decodes from a value that names it.
///
/// As for API servers, `null` and the empty string count as absent.
pub struct ApiVersion<K>(PhantomData<fn() -> K>);

/// The `kind` of a `K`: holds nothing, and decodes from a value that names it.
///
/// As for API servers, `null` and the empty string count as absent.
pub struct KindName<K>(PhantomData<fn() -> K>);

// Written out, because derives would ask the same of `K`.
impl<K> Default for ApiVersion<K> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<K> Default for KindName<K> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<K: Kind> fmt::Debug for ApiVersion<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(K::API_VERSION)
    }
}

impl<K: Kind> fmt::Debug for KindName<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(K::KIND)
    }
}

impl<'de, K: Kind> Deserialize<'de> for ApiVersion<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(Constant {
            field: "apiVersion",
            accepted: K::ACCEPTED_API_VERSIONS,
        })?;
        Ok(Self::default())
    }
}

impl<'de, K: Kind> Deserialize<'de> for KindName<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(Constant {
            field: "kind",
            accepted: &[K::KIND],
        })?;
        Ok(Self::default())
    }
}

/// Accepts an absent value or one of a few texts.
struct Constant {
    field: &'static str,
    accepted: &'static [&'static str],
}

impl<'de> Visitor<'de> for Constant {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.field)?;
        for (position, text) in self.accepted.iter().enumerate() {
            let separator = if position == 0 { "" } else { " or " };
            write!(f, "{separator}`{text}`")?;
        }
        Ok(())
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        if text.is_empty() || self.accepted.contains(&text) {
            Ok(())
        } else {
            Err(E::invalid_value(Unexpected::Str(text), &self))
        }
    }
}
