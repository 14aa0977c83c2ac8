//! Merge keys with a default, which servers fill in.

use serde_json::{Map, Value};

use super::schemas::Schemas;

/// Gives each item of a list the merge keys that it lacks and that have a default; `true` if the item lacked any.
pub(super) fn fill(value: &mut Value, schema: &Value, schemas: &Schemas) -> bool {
    let schema = schemas.resolve(schema);
    let mut filled = false;
    match value {
        Value::Array(items) => {
            let of_item = schema.get("items").unwrap_or(&Value::Null);
            let defaults = defaults(schema, schemas.resolve(of_item));
            for item in items {
                if let Some(members) = item.as_object_mut() {
                    filled |= defaults.iter().any(|(key, _)| !members.contains_key(key));
                    let absent = defaults.iter().filter(|(key, _)| !members.contains_key(*key));
                    let absent: Map<String, Value> =
                        absent.map(|(key, default)| (key.clone(), default.clone())).collect();
                    members.extend(absent);
                }
                filled |= fill(item, of_item, schemas);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                let named = schema.get("properties").and_then(|all| all.get(name));
                let of_value = named.or_else(|| schema.get("additionalProperties"));
                filled |= of_value.is_some_and(|of_value| fill(value, of_value, schemas));
            }
        }
        _ => {}
    }
    filled
}

/// The merge keys of a list with their defaults.
fn defaults(list: &Value, item: &Value) -> Map<String, Value> {
    let keys = list.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    let keys = keys.into_iter().flatten().filter_map(Value::as_str);
    let with_default = keys.filter_map(|key| {
        let default = item.get("properties")?.get(key)?.get("default")?;
        Some((key.to_owned(), default.clone()))
    });
    with_default.collect()
}
