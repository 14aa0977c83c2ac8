//! The types of the invented API, right ones and a wrong one.

use k8s_versioned::{KindEntry, MicroTime};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The kinds as they should be.
pub(crate) const KINDS: &[KindEntry] = &[
    KindEntry::of::<Widget>("example.com", "v1", "Widget").with_plural("widgets"),
    KindEntry::of::<Status>("", "v1", "Status"),
];

/// The kinds with a widget that grows whenever it is read.
pub(crate) const GROWING_KINDS: &[KindEntry] =
    &[KindEntry::of::<GrowingWidget>("example.com", "v1", "Widget").with_plural("widgets")];

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Widget {
    api_version: String,
    kind: String,
    metadata: Map<String, Value>,
    spec: Spec,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec {
    size: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made_at: Option<MicroTime>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GrowingWidget {
    api_version: String,
    kind: String,
    metadata: Map<String, Value>,
    spec: GrowingSpec,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GrowingSpec {
    #[serde(deserialize_with = "one_more")]
    size: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made_at: Option<MicroTime>,
}

fn one_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    i32::deserialize(deserializer).map(|size| size + 1)
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    api_version: String,
    kind: String,
    metadata: Map<String, Value>,
    #[serde(rename = "status")]
    outcome: String,
    reason: String,
    code: u16,
}
