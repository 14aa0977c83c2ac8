//! Lists of objects of mixed versions. [`List`] holds objects of one version, so it cannot read these.

use serde::de::Error as _;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::JsonError;
use super::decode::{decode_at, from_value, kind_of, object, of_version};
use super::type_meta::{LIST, LIST_VERSION, kind, list_version, version};
use crate::whole::objects;
use crate::{AnyVersion, ConversionError, ConversionReport, ConvertObject, Finding, Options};
use k8s_versioned::field::PathRef;
use k8s_versioned::meta::v1::ListMeta;
use k8s_versioned::{List, Resource, StrictValue};

/// A list as JSON, whose items are not decoded yet.
pub(super) struct ListDocument<'a, A: AnyVersion> {
    pub(super) metadata: ListMeta,
    /// The version of all items; `None` if each item names its version.
    version: Option<A::Version>,
    items: &'a [Value],
}

impl<'a, A: AnyVersion> ListDocument<'a, A> {
    /// Reads everything but the items.
    pub(super) fn open(
        kind: &str,
        members: &'a Map<String, Value>,
        report: &mut ConversionReport,
    ) -> Result<Self, JsonError> {
        let version = if kind == LIST {
            list_version(members)?;
            None
        } else {
            Some(version::<A>(members, "")?)
        };
        report_unknown(members, report);
        Ok(Self {
            metadata: match members.get("metadata") {
                None | Some(Value::Null) => ListMeta::default(),
                Some(metadata) => decode_at(metadata, PathRef::Root.child("metadata"), report)?,
            },
            version,
            items: items_of(members)?,
        })
    }

    /// Returns `true` if each item names its version.
    pub(super) fn is_mixed(&self) -> bool {
        self.version.is_none()
    }

    /// Calls `work` with each item and its path.
    ///
    /// # Errors
    /// Those of all items.
    pub(super) fn each<T>(
        &self,
        report: &mut ConversionReport,
        mut work: impl FnMut(&Value, &str, &mut ConversionReport) -> Result<T, JsonError>,
    ) -> Result<Vec<T>, JsonError> {
        let (mut done, mut errors) = (Vec::new(), Vec::new());
        for (index, item) in self.items.iter().enumerate() {
            let path = format!("items[{index}]");
            match report.of_item(index, |report| work(item, &path, report)) {
                Ok(item) => done.push(item),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(done) } else { Err(JsonError::Items(errors)) }
    }

    /// Decodes an item.
    pub(super) fn item(
        &self,
        item: &Value,
        path: &str,
        report: &mut ConversionReport,
    ) -> Result<A, JsonError> {
        match self.version {
            Some(version) => of_version(version, item, path, report),
            None => from_value(item, path, report),
        }
    }
}

/// The items of a list; an absent list is an empty one.
fn items_of(members: &Map<String, Value>) -> Result<&[Value], JsonError> {
    match members.get("items") {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(JsonError::WrongType {
            path: "items".to_owned(),
            expected: "a list",
            found: kind_of(other),
        }),
    }
}

fn report_unknown(members: &Map<String, Value>, report: &mut ConversionReport) {
    let known = ["apiVersion", "items", "kind", "metadata"];
    for (key, value) in members {
        if !known.contains(&key.as_str()) {
            let path = PathRef::Root.child(key).to_string();
            let value = value.clone();
            report.add(path, Finding::UnknownField { value });
        }
    }
}

/// A list of objects of one kind, each of any version.
///
/// It is written as a `v1` `List`, whose items have `apiVersion` and `kind`, as `kubectl get -o yaml` does. It is read
/// from such a list, and from the list kind of each version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnyList<A: AnyVersion> {
    /// The list's own metadata.
    pub metadata: ListMeta,
    /// The objects.
    pub items: Vec<A>,
}

impl<A: AnyVersion> AnyList<A> {
    /// Decodes a list, and reports the fields that it and its items do not know.
    ///
    /// # Errors
    /// The value is not such a list, or items are not objects of the kind.
    pub fn from_value(value: &Value, report: &mut ConversionReport) -> Result<Self, JsonError> {
        let members = object(value, "")?;
        let kind = kind(members, "", &[A::LIST_KIND, LIST])?;
        let list = ListDocument::<A>::open(kind, members, report)?;
        let items = list.each(report, |item, path, report| list.item(item, path, report))?;
        let metadata = list.metadata;
        Ok(Self { metadata, items })
    }

    /// Converts all items into a version with the default options.
    pub fn convert_to(self, version: A::Version) -> (Self, ConversionReport) {
        let mut report = ConversionReport::new();
        let converted = self.convert_to_reporting(version, &Options::default(), &mut report);
        (converted, report)
    }

    /// Converts all items into a version with these options.
    ///
    /// # Errors
    /// The report has findings that the options do not accept.
    pub fn convert_to_with(
        self,
        version: A::Version,
        options: &Options<A::Policies>,
    ) -> Result<(Self, ConversionReport), ConversionError> {
        let mut report = ConversionReport::new();
        let converted = self.convert_to_reporting(version, options, &mut report);
        Ok((converted, options.accept(report)?))
    }

    /// Converts all items into a version, and adds the findings to `report`.
    #[must_use]
    pub fn convert_to_reporting(
        self,
        version: A::Version,
        options: &Options<A::Policies>,
        report: &mut ConversionReport,
    ) -> Self {
        let convert = |(index, item): (usize, A)| {
            report.of_item(index, |report| item.convert_to_reporting(version, options, report))
        };
        let items = self.items.into_iter().enumerate().map(convert).collect();
        let metadata = self.metadata;
        Self { metadata, items }
    }
}

/// Converts each item from its version into one version.
impl<A, T> ConvertObject<List<T>> for AnyList<A>
where
    A: AnyVersion + ConvertObject<T, Policies = <A as AnyVersion>::Policies>,
    T: Resource,
{
    type Policies = <A as AnyVersion>::Policies;

    fn convert_reporting(
        self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> List<T> {
        List::new(objects(self.items, options, report)).with_metadata(self.metadata)
    }
}

/// Converts each item of the list of one version into another.
impl<A: Resource + ConvertObject<B>, B: Resource> ConvertObject<List<B>> for List<A> {
    type Policies = A::Policies;

    fn convert_reporting(
        self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> List<B> {
        List::new(objects(self.items, options, report)).with_metadata(self.metadata)
    }
}

impl<A: AnyVersion> Serialize for AnyList<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_struct(LIST, 4)?;
        list.serialize_field("apiVersion", LIST_VERSION)?;
        list.serialize_field("kind", LIST)?;
        list.serialize_field("metadata", &self.metadata)?;
        list.serialize_field("items", &self.items)?;
        list.end()
    }
}

impl<'de, A: AnyVersion> Deserialize<'de> for AnyList<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = StrictValue::deserialize(deserializer)?.into_inner();
        Self::from_value(&value, &mut ConversionReport::new()).map_err(D::Error::custom)
    }
}
