//! One kind of a registry.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::DecodedObject;
use crate::field::PathRef;
use crate::json::{self, LocatedError, Noted};
use crate::wire::is_among;
use crate::{GroupVersion, Kind, Lifecycle, List, Release, Resource, TypeMeta};

/// A kind of a registry: its name, the name of its resource, the releases that serve it, and its decoder.
#[derive(Clone, Copy)]
pub struct KindEntry {
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    accepted: &'static str,
    plural: Option<&'static str>,
    lifecycle: Option<Lifecycle>,
    from_json: fn(&[u8]) -> Decoded,
    from_value: fn(&Value, &mut Noted) -> Decoded,
    #[cfg(feature = "protobuf")]
    protobuf: Option<crate::protobuf::Codec>,
}

pub(super) type Decoded = Result<Box<dyn DecodedObject>, serde_json::Error>;

impl KindEntry {
    /// The entry of a resource.
    pub const fn resource<T: Resource>() -> Self {
        Self::object::<T>().with_plural(T::PLURAL)
    }

    /// The entry of the lists of a resource.
    pub const fn list<T: Resource>() -> Self {
        Self::object::<List<T>>()
    }

    /// The entry of a kind that is not a resource.
    pub const fn object<T>() -> Self
    where
        T: Kind + DecodedObject + DeserializeOwned,
    {
        Self {
            accepted: T::ACCEPTED_API_VERSIONS,
            lifecycle: T::LIFECYCLE,
            ..Self::of::<T>(T::GROUP, T::VERSION, T::KIND)
        }
    }

    /// The entry of a type that does not implement [`Kind`], such as one of another crate.
    pub const fn of<T>(group: &'static str, version: &'static str, kind: &'static str) -> Self
    where
        T: DecodedObject + DeserializeOwned,
    {
        Self {
            group,
            version,
            kind,
            accepted: "",
            plural: None,
            lifecycle: None,
            from_json: |json| Ok(Box::new(json::read::<T>(json)?)),
            from_value: |value, noted| Ok(Box::new(noted.read::<T>(value, PathRef::Root)?)),
            #[cfg(feature = "protobuf")]
            protobuf: None,
        }
    }

    /// Adds the functions that read and write the kind as protobuf. `T` is the type of the entry.
    #[cfg(feature = "protobuf")]
    #[must_use]
    pub const fn with_protobuf<T: Kind + crate::protobuf::Message + DecodedObject>(self) -> Self {
        Self { protobuf: Some(crate::protobuf::Codec::of::<T>()), ..self }
    }

    /// The functions that read and write the kind as protobuf; `None` for a kind without field numbers.
    #[cfg(feature = "protobuf")]
    pub const fn protobuf(&self) -> Option<&crate::protobuf::Codec> {
        self.protobuf.as_ref()
    }

    /// Sets the name of the resource in URLs.
    #[must_use]
    pub const fn with_plural(self, plural: &'static str) -> Self {
        Self { plural: Some(plural), ..self }
    }

    /// The API group; empty for the core group.
    pub const fn group(&self) -> &'static str {
        self.group
    }

    /// The version of the group.
    pub const fn version(&self) -> &'static str {
        self.version
    }

    /// The name of the kind.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// The name of the resource in URLs: the plural, in lower case; `None` for a kind that is not a resource.
    pub const fn plural(&self) -> Option<&'static str> {
        self.plural
    }

    /// The releases that serve the kind; `None` if no limit is known.
    pub const fn lifecycle(&self) -> Option<Lifecycle> {
        self.lifecycle
    }

    /// Returns `true` if `release` can serve the kind. A kind without a lifecycle is served by every release.
    pub fn is_served_in(&self, release: Release) -> bool {
        self.lifecycle.is_none_or(|lifecycle| lifecycle.is_served_in(release))
    }

    /// The text of the header `Warning` in answers of a server of `release` to requests for the kind; `None` if the
    /// server does not warn.
    pub fn deprecation_warning(&self, release: Release) -> Option<String> {
        let lifecycle = self.lifecycle.filter(|lifecycle| lifecycle.is_deprecated_in(release))?;
        let deprecated = lifecycle.deprecated_in()?;
        let unavailable =
            lifecycle.removed_in().map(|removed| format!(", unavailable in {removed}+"));
        let (of, kind) = (self.group_version(), self.kind);
        let unavailable = unavailable.unwrap_or_default();
        Some(format!("{of} {kind} is deprecated in {deprecated}+{unavailable}"))
    }

    /// The group and the version.
    #[doc(hidden)]
    pub const fn group_version(&self) -> GroupVersion<'static> {
        GroupVersion { group: self.group, version: self.version }
    }

    /// The `apiVersion` of objects of the kind.
    pub fn api_version(&self) -> Cow<'static, str> {
        if self.group.is_empty() {
            Cow::Borrowed(self.version)
        } else {
            Cow::Owned(self.group_version().to_string())
        }
    }

    /// The `apiVersion` and the kind of objects.
    pub fn type_meta(&self) -> TypeMeta<'static> {
        TypeMeta { api_version: self.api_version(), kind: Cow::Borrowed(self.kind) }
    }

    /// Returns `true` if the kind reads objects with this `apiVersion` and `kind`.
    pub fn reads(&self, api_version: &str, kind: &str) -> bool {
        self.kind == kind
            && (is_among(self.accepted, api_version)
                || GroupVersion::parse(api_version) == Ok(self.group_version()))
    }

    /// Decodes an object of the kind.
    ///
    /// # Errors
    ///
    /// The text is not JSON, or not an object of the kind.
    pub fn decode(&self, json: &[u8]) -> Result<Box<dyn DecodedObject>, DecodeError> {
        (self.from_json)(json).map_err(|reason| {
            let again = |value: &Value, noted: &mut Noted| self.try_decode(value, noted).err();
            self.error(json::located_by(json, reason, again))
        })
    }

    /// Decodes an object of the kind from a value.
    ///
    /// # Errors
    ///
    /// The value is not an object of the kind.
    pub fn decode_value(&self, value: &Value) -> Result<Box<dyn DecodedObject>, DecodeError> {
        let mut noted = Noted::default();
        self.try_decode(value, &mut noted).map_err(|reason| self.error(noted.located(reason)))
    }

    pub(super) fn try_decode(&self, value: &Value, noted: &mut Noted) -> Decoded {
        (self.from_value)(value, noted)
    }

    pub(super) fn error(&self, error: LocatedError) -> DecodeError {
        DecodeError { type_meta: self.type_meta(), error }
    }
}

impl fmt::Debug for KindEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindEntry")
            .field("group", &self.group)
            .field("version", &self.version)
            .field("kind", &self.kind)
            .field("plural", &self.plural)
            .field("lifecycle", &self.lifecycle)
            .finish_non_exhaustive()
    }
}

/// A text or a value that does not decode as an object of its kind.
#[derive(Debug)]
pub struct DecodeError {
    type_meta: TypeMeta<'static>,
    error: LocatedError,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot decode {}: {}", self.type_meta, self.error)
    }
}

impl std::error::Error for DecodeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error.reason)
    }
}

impl DecodeError {
    /// The type that was expected.
    pub fn type_meta(&self) -> &TypeMeta<'static> {
        &self.type_meta
    }

    /// The field that does not decode, such as `spec.ports[0].name`. It is empty for the whole object, and for a text that
    /// is not JSON or has a field twice: then the reason has the line.
    pub fn path(&self) -> &str {
        &self.error.path
    }

    /// The reason. It is part of the message.
    pub fn reason(&self) -> &serde_json::Error {
        &self.error.reason
    }
}
