//! JSON Schemas of generated types, in the form of the documents that the types come from.
//!
//! The schemas of a module are one text of JSON; [`json_schemas`](crate::json_schemas) implements [`JsonSchema`] from
//! it.

use std::borrow::Cow;

use serde_json::{Map, Value};

pub use schemars::{JsonSchema, Schema, SchemaGenerator};

use schemars::json_schema;

use crate::meta::v1::ListMeta;
use crate::{
    Bytes, DateTime, Duration, FieldsV1, IntOrString, Json, List, MicroTime, Quantity,
    RawExtension, Resource, Time,
};

/// A name in a file of schemas, and the function that makes its schema.
pub type Reference = (&'static str, fn(&mut SchemaGenerator) -> Schema);

/// The schemas of a file, by the names of their types.
pub type SchemasByType = Map<String, Value>;

/// Parses a file of schemas. A file that is no object of JSON has none.
pub fn parse(text: &str) -> SchemasByType {
    serde_json::from_str(text).unwrap_or_default()
}

/// The schema `name` of a file of schemas, or a part of it: `name#/properties/spec`. A `$ref` in it is a name of
/// `references`, and is replaced by that schema.
///
/// Without a schema of that name no value is valid, so that a wrong name shows.
pub fn read(
    schemas: &SchemasByType,
    name: &str,
    generator: &mut SchemaGenerator,
    references: &[Reference],
) -> Schema {
    let references = references.iter();
    let references: Vec<_> = references.map(|(key, of)| (*key, of(generator))).collect();
    let (name, pointer) = name.split_once('#').unwrap_or((name, ""));
    let schema = schemas.get(name).and_then(|schema| schema.pointer(pointer));
    let schema = schema.map(|schema| resolve(schema, &references));
    schema.and_then(|schema| Schema::try_from(schema).ok()).unwrap_or_else(|| false.into())
}

/// Implements [`JsonSchema`] for types whose schemas are in a JSON file, by their full names.
///
/// The brackets after a schema hold the types that it refers to.
#[doc(hidden)]
#[macro_export]
macro_rules! json_schemas {
    ($file:literal; $($name:ty = $schema:literal [$($reference:ty),*];)*) => {
        static SCHEMAS: ::std::sync::LazyLock<$crate::schema::SchemasByType> =
            ::std::sync::LazyLock::new(|| $crate::schema::parse(include_str!($file)));

        $(impl $crate::schema::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                $schema.into()
            }

            fn json_schema(
                generator: &mut $crate::schema::SchemaGenerator,
            ) -> $crate::schema::Schema {
                let references: &[$crate::schema::Reference] = &[$((
                    stringify!($reference),
                    $crate::schema::SchemaGenerator::subschema_for::<$reference>,
                )),*];
                $crate::schema::read(&SCHEMAS, $schema, generator, references)
            }
        })*
    };
}

fn resolve(schema: &Value, references: &[(&str, Schema)]) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(|item| resolve(item, references)).collect(),
        Value::Object(members) => {
            let name = members.get("$ref").and_then(Value::as_str);
            let reference = references.iter().find(|(key, _)| Some(*key) == name);
            let reference = reference.and_then(|(_, schema)| schema.as_object());
            let mut resolved = reference.cloned().unwrap_or_default();
            let own = members.iter();
            let own = own.filter(|(key, _)| *key != "$ref" || reference.is_none());
            resolved.extend(own.map(|(key, value)| (key.clone(), resolve(value, references))));
            resolved.into()
        }
        other => other.clone(),
    }
}

/// The schema of any text.
pub fn text(description: &str) -> Schema {
    json_schema!({ "type": "string", "description": description })
}

/// Implements [`JsonSchema`] for types whose schemas no document has. A schema is `inline` where other schemas repeat it
/// instead of referring to it.
macro_rules! values {
    ($($of:ty = $name:literal, inline: $inline:literal, $schema:tt;)*) => {$(
        impl JsonSchema for $of {
            fn inline_schema() -> bool {
                $inline
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

values! {
    MicroTime = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", inline: false, {
        "type": "string",
        "format": "date-time",
        "description": "A point in time, with six fractional digits.",
    };
    Time = "io.k8s.apimachinery.pkg.apis.meta.v1.Time", inline: false, {
        "type": "string",
        "format": "date-time",
        "description": "A point in time, in whole seconds.",
    };
    FieldsV1 = "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", inline: false, {
        "type": "object",
        "description": "A set of fields, as server-side apply tracks them.",
    };
    RawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension", inline: false, {
        "type": "object",
        "description": "An object of any kind.",
    };
    IntOrString = "io.k8s.apimachinery.pkg.util.intstr.IntOrString", inline: false, {
        "oneOf": [{ "type": "integer" }, { "type": "string" }],
        "format": "int-or-string",
        "description": "A whole number or a text.",
    };
    Quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity", inline: false, {
        "oneOf": [{ "type": "string" }, { "type": "number" }],
        "description": "A quantity of a resource, such as `500m` or `1Gi`.",
    };
    Bytes = "Bytes", inline: true, { "type": "string", "format": "byte" };
    DateTime = "DateTime", inline: true, { "type": "string", "format": "date-time" };
    Duration = "Duration", inline: true, { "type": "string", "format": "duration" };
    Json = "Json", inline: true, {};
}

impl<T: Resource + JsonSchema> JsonSchema for List<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}List", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut metadata = generator.subschema_for::<ListMeta>();
        let about = "The version of the list, and how to get the next page.";
        metadata.insert("description".to_owned(), about.into());
        metadata.insert("default".to_owned(), Map::new().into());
        json_schema!({
            "type": "object",
            "description": "The objects of a resource: the answer to a list request.",
            "properties": {
                "apiVersion": text("The group and version of the object."),
                "kind": text("The kind of the object."),
                "metadata": metadata,
                "items": {
                    "type": "array",
                    "items": generator.subschema_for::<T>(),
                    "description": "The objects of this page.",
                },
            },
            "required": ["items"],
            "x-kubernetes-group-version-kind": [
                { "group": T::GROUP, "version": T::VERSION, "kind": T::LIST_KIND },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_from(text: &str, name: &str) -> Value {
        let generator = &mut SchemaGenerator::default();
        read(&parse(text), name, generator, &[]).to_value()
    }

    #[test]
    fn a_schema_and_a_part_of_it() {
        let text = r#"{"A": {"properties": {"a": {"type": "string"}}}}"#;
        assert_eq!(read_from(text, "A")["properties"]["a"], json!({"type": "string"}));
        assert_eq!(read_from(text, "A#/properties/a"), json!({"type": "string"}));
    }

    #[test]
    fn no_value_is_valid_under_a_wrong_name() {
        for (text, name) in [("{}", "A"), ("not JSON", "A"), (r#"{"A": {}}"#, "A#/properties/a")] {
            assert_eq!(read_from(text, name), json!(false), "{text} {name}");
        }
    }
}
