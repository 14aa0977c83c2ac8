//! Lists of objects of mixed versions.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::document::{LIST, api_versions, decode_version, from_value, items, version};
use super::{JsonError, TypeMeta, decode, object};
use crate::List;
use crate::conversion::{AnyVersion, Convert, Report, items as convert_items};

/// A list of objects of one kind, each in a version of its own.
///
/// It is written as a `v1` `List`, whose items say what they are, as `kubectl get -o yaml` does. It is read
/// from that, and from the list kind of each version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnyList<A, M> {
    /// The list's own metadata.
    pub metadata: M,
    /// The objects.
    pub items: Vec<A>,
}

impl<A: AnyVersion, M: DeserializeOwned + Default> AnyList<A, M> {
    /// Decodes a list, and reports the fields that its items do not know.
    ///
    /// # Errors
    /// The value is no such list, or an item is no object of the kind.
    pub fn from_value(value: &Value, report: &mut Report) -> Result<Self, JsonError> {
        let members = object(value, "")?;
        let found = TypeMeta::read(members, "", &[A::LIST_KIND, LIST.1], &api_versions::<A>())?;
        let version = match (found.api_version, found.kind) {
            LIST => None,
            (_, kind) if kind == LIST.1 => {
                return Err(found.unknown_version(vec![LIST.0.to_owned()]));
            }
            _ => Some(version::<A>(&found)?),
        };
        let mut list = Self {
            metadata: match members.get("metadata") {
                None | Some(Value::Null) => M::default(),
                Some(metadata) => decode(metadata, report)?,
            },
            items: Vec::new(),
        };
        for (index, item) in items(members)?.iter().enumerate() {
            let prefix = format!("items[{index}].");
            let item = report.of_item(index, |report| match version {
                Some(version) => decode_version(version, item, &prefix, report),
                None => from_value(item, &prefix, report),
            });
            list.items.push(item?);
        }
        Ok(list)
    }
}

/// Into the list of one version; each item is converted from its own.
impl<A, T> Convert<T> for AnyList<A, T::Metadata>
where
    A: AnyVersion + Convert<T::Item, Policies = <A as AnyVersion>::Policies>,
    T: List + Default,
{
    type Policies = <A as AnyVersion>::Policies;

    fn convert_reporting(self, policies: &Self::Policies, report: &mut Report) -> T {
        let mut list = T::default();
        *list.metadata_mut() = self.metadata;
        *list.items_mut() = convert_items(self.items, policies, report);
        list
    }
}

impl<A: AnyVersion, M: Serialize> Serialize for AnyList<A, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (api_version, kind) = LIST;
        let mut list = serializer.serialize_struct(kind, 4)?;
        list.serialize_field("apiVersion", api_version)?;
        list.serialize_field("kind", kind)?;
        list.serialize_field("metadata", &self.metadata)?;
        list.serialize_field("items", &self.items)?;
        list.end()
    }
}

impl<'de, A: AnyVersion, M: DeserializeOwned + Default> Deserialize<'de> for AnyList<A, M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value, &mut Report::new()).map_err(D::Error::custom)
    }
}
