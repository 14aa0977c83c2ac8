//! The ways in which server-side apply and patches merge values.

use serde::Serialize;
use strum::{Display, EnumString, VariantNames};

/// The way in which server-side apply and strategic merge patches treat a list or map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Merge {
    /// `x-kubernetes-list-type`
    #[serde(rename = "x-kubernetes-list-type", skip_serializing_if = "Option::is_none")]
    pub list_type: Option<ListType>,
    /// `x-kubernetes-list-map-keys`
    #[serde(rename = "x-kubernetes-list-map-keys", skip_serializing_if = "Vec::is_empty")]
    pub list_map_keys: Vec<String>,
    /// `x-kubernetes-map-type`
    #[serde(rename = "x-kubernetes-map-type", skip_serializing_if = "Option::is_none")]
    pub map_type: Option<MapType>,
    /// `x-kubernetes-patch-strategy`
    #[serde(rename = "x-kubernetes-patch-strategy", skip_serializing_if = "Option::is_none")]
    pub patch_strategy: Option<String>,
    /// `x-kubernetes-patch-merge-key`
    #[serde(rename = "x-kubernetes-patch-merge-key", skip_serializing_if = "Option::is_none")]
    pub patch_merge_key: Option<String>,
}

impl Merge {
    /// Its fields as texts, in their order.
    pub fn facts(&self) -> [Option<String>; 5] {
        let keys = self.list_map_keys.join(", ");
        [
            self.list_type.map(|it| it.to_string()),
            (!keys.is_empty()).then_some(keys),
            self.map_type.map(|it| it.to_string()),
            self.patch_strategy.clone(),
            self.patch_merge_key.clone(),
        ]
    }
}

/// The way in which the items of a list are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ListType {
    /// They are not distinguished: the list has one owner.
    Atomic,
    /// By their keys.
    Map,
    /// By their values.
    Set,
}

/// The owners of the fields of a map or struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum MapType {
    /// All fields have one owner.
    Atomic,
    /// Each field has owners.
    Granular,
}
