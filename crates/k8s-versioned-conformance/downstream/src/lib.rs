//! The types of an API: the kind `Widget` of `example.com/v1`.

use k8s_versioned::KindEntry;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Something with a size.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Widget {
    /// The group and the version.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The name and the rest.
    pub metadata: Map<String, Value>,
    /// The desired state.
    pub spec: WidgetSpec,
}

/// The desired state of a `Widget`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct WidgetSpec {
    /// The size, in metres.
    pub size: i32,
}

/// The kinds of this crate.
pub const KINDS: &[KindEntry] =
    &[KindEntry::of::<Widget>("example.com", "v1", "Widget").with_plural("widgets")];
