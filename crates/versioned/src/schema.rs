//! JSON Schemas of generated types, in the form of the documents that the types come from.
//!
//! Only with the feature `schemars`.
//!
//! ```
//! use k8s_versioned::schema::{self, Schema};
//!
//! let schema: Schema = schema::object("A parcel.")
//!     .field("weight", schema::int32().described("Its weight in grams.").default_zero())
//!     .field("labels", schema::list(schema::string()).list_type("set"))
//!     .required(&["weight"])
//!     .build();
//! assert_eq!(schema.pointer("/properties/weight/format"), Some(&"int32".into()));
//! ```

use std::borrow::Cow;

use serde_json::{Map, Value, json};

pub use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::meta::v1::ListMeta;
use crate::{FieldsV1, Kind, List, MicroTime, RawExtension, Resource, Time};

/// A schema that is being put together.
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder(Map<String, Value>);

fn of_type(name: &str) -> Builder {
    Builder(Map::new()).with("type", name)
}

/// Text.
pub fn string() -> Builder {
    of_type("string")
}

/// A point in time as text.
pub fn date_time() -> Builder {
    string().with("format", "date-time")
}

/// `true` or `false`.
pub fn boolean() -> Builder {
    of_type("boolean")
}

/// A whole number of 32 bits.
pub fn int32() -> Builder {
    of_type("integer").with("format", "int32")
}

/// A whole number of 64 bits.
pub fn int64() -> Builder {
    of_type("integer").with("format", "int64")
}

/// A number with a fraction.
pub fn double() -> Builder {
    of_type("number").with("format", "double")
}

/// An object of which nothing is said.
pub fn opaque() -> Builder {
    of_type("object")
}

/// A list.
pub fn list(items: Builder) -> Builder {
    of_type("array").with("items", items.0)
}

/// A map from strings.
pub fn map(values: Builder) -> Builder {
    of_type("object").with("additionalProperties", values.0)
}

/// The schema of another type, by name.
pub fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Builder {
    match generator.subschema_for::<T>().to_value() {
        Value::Object(members) => Builder(members),
        // The schema `true` or `false`, which no type here has.
        _ => Builder(Map::new()),
    }
}

/// An object with named fields.
pub fn object(description: &str) -> Builder {
    of_type("object")
        .described(description)
        .with("properties", Map::new())
}

impl Builder {
    /// The schema.
    pub fn build(self) -> Schema {
        self.0.into()
    }

    /// Says what the values mean.
    pub fn described(self, description: &str) -> Self {
        self.with("description", description)
    }

    /// Adds a field to an object.
    pub fn field(mut self, name: &str, schema: Builder) -> Self {
        if let Some(Value::Object(properties)) = self.0.get_mut("properties") {
            properties.insert(name.to_owned(), schema.0.into());
        }
        self
    }

    /// Adds `apiVersion` and `kind` to an object.
    pub fn type_meta(self) -> Self {
        self.field(
            "apiVersion",
            string().described("The group and version of the object."),
        )
        .field("kind", string().described("The kind of the object."))
    }

    /// Names the fields that must be there.
    pub fn required(self, names: &[&str]) -> Self {
        self.with("required", names)
    }

    /// Absent means `{}`.
    pub fn default_object(self) -> Self {
        self.with("default", json!({}))
    }

    /// Absent means the empty text.
    pub fn default_string(self) -> Self {
        self.with("default", "")
    }

    /// Absent means `false`.
    pub fn default_false(self) -> Self {
        self.with("default", false)
    }

    /// Absent means 0.
    pub fn default_zero(self) -> Self {
        self.with("default", 0)
    }

    /// How the items of a list are told apart when it is applied: `atomic`, `set` or `map`.
    pub fn list_type(self, list_type: &str) -> Self {
        self.with("x-kubernetes-list-type", list_type)
    }

    /// The fields that tell the items of a list apart.
    pub fn list_map_keys(self, keys: &[&str]) -> Self {
        self.with("x-kubernetes-list-map-keys", keys)
    }

    /// Whether the parts of a value have owners of their own: `atomic` or `granular`.
    pub fn map_type(self, map_type: &str) -> Self {
        self.with("x-kubernetes-map-type", map_type)
    }

    /// What a strategic merge patch does with a list.
    pub fn patch_strategy(self, strategy: &str) -> Self {
        self.with("x-kubernetes-patch-strategy", strategy)
    }

    /// The field by which a strategic merge patch tells items apart.
    pub fn patch_merge_key(self, key: &str) -> Self {
        self.with("x-kubernetes-patch-merge-key", key)
    }

    /// The kinds that an object can be, each as group, version and kind.
    pub fn kinds(self, kinds: &[(&str, &str, &str)]) -> Self {
        let kind = |(group, version, kind): &(&str, &str, &str)| json!({ "group": group, "version": version, "kind": kind });
        let kinds: Vec<Value> = kinds.iter().map(kind).collect();
        self.with("x-kubernetes-group-version-kind", kinds)
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }
}

impl JsonSchema for MicroTime {
    fn schema_name() -> Cow<'static, str> {
        "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        date_time()
            .described("A point in time, with six fractional digits.")
            .build()
    }
}

impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "io.k8s.apimachinery.pkg.apis.meta.v1.Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        date_time()
            .described("A point in time, in whole seconds.")
            .build()
    }
}

impl JsonSchema for FieldsV1 {
    fn schema_name() -> Cow<'static, str> {
        "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        opaque()
            .described("A set of fields, as server-side apply tracks them.")
            .build()
    }
}

impl JsonSchema for RawExtension {
    fn schema_name() -> Cow<'static, str> {
        "io.k8s.apimachinery.pkg.runtime.RawExtension".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        opaque().described("An object of any kind.").build()
    }
}

impl<T: Resource + JsonSchema> JsonSchema for List<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}List", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        object("The objects of a resource: what a server answers to a list request.")
            .type_meta()
            .field(
                "metadata",
                reference::<ListMeta>(generator)
                    .described("The version of the list, and how to get the next page.")
                    .default_object(),
            )
            .field(
                "items",
                list(reference::<T>(generator)).described("The objects of this page."),
            )
            .required(&["items"])
            .kinds(&[(T::GROUP, T::VERSION, <Self as Kind>::KIND)])
            .build()
    }
}
