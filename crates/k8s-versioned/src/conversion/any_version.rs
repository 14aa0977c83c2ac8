//! Enums over the versions of a kind.

use std::fmt::{self, Debug};

use serde::de::DeserializeOwned;
use serde::{Deserializer, Serialize};
use serde_json::Value;

use super::decode::JsonError;
use super::{ConversionError, ConversionFinding, ConversionReport, ConvertObject, Options};
use crate::{Resource, Scope, ServesAll, TypeMeta};

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

    /// Decodes an object of a version, and reports the fields that the version does not have.
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
        let version = TypeMeta::among(value, types::<Self>(Self::KIND))?;
        if Self::HAS_SPEC && value.get("spec").is_none_or(Value::is_null) {
            report.add("spec", ConversionFinding::Missing);
        }
        Self::decode(version, value, report)
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
    ) -> Result<(Value, ConversionReport), JsonError>;
}

/// The types of a kind, each with its version.
pub(super) fn types<A: AnyVersion>(
    kind: &'static str,
) -> impl Iterator<Item = (TypeMeta<'static>, A::Version)> + Clone {
    let versions = A::VERSIONS.iter().copied();
    versions.map(move |version| (TypeMeta::new(A::api_version(version), kind), version))
}

/// The version that an `apiVersion` names.
pub(super) fn version<A: AnyVersion>(api_version: &str) -> Option<A::Version> {
    A::VERSIONS.iter().copied().find(|version| A::api_version(*version) == api_version)
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
/// [`FromEnvelope`](crate::protobuf::FromEnvelope).
#[cfg(feature = "protobuf")]
pub trait AnyMessage: AnyVersion + crate::protobuf::FromEnvelope {
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
    /// The first item, without the rest of the list.
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
