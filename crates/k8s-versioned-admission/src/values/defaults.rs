//! Fills in the defaults of a schema.

use serde_json::Value;

use crate::schema::{Additional, Schema};

/// Fills in the defaults of absent members, and of members and items that are null where no null is allowed.
pub(crate) fn fill_defaults(value: &mut Value, schema: &Schema) {
    if !schema.below.defaults {
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, property) in schema.properties.with_defaults() {
                match (members.get_mut(name), &property.default) {
                    (Some(member), _) => fill_default(member, property),
                    (None, Some(default)) => {
                        let mut default = default.clone();
                        fill_defaults(&mut default, property);
                        members.insert(name.clone(), default);
                    }
                    (None, None) => {}
                }
            }
            if let Additional::Schema(additional) = &schema.additional
                && additional.below.defaults
            {
                let unlisted =
                    members.iter_mut().filter(|(name, _)| !schema.properties.contains(name));
                unlisted.for_each(|(_, member)| fill_default(member, additional));
            }
        }
        Value::Array(items) => {
            if let Some(inner) = schema.items.as_deref() {
                for item in items {
                    fill_default(item, inner);
                }
            }
        }
        _ => {}
    }
}

fn fill_default(value: &mut Value, schema: &Schema) {
    if let Some(default) = &schema.default
        && is_replaced(value, schema)
    {
        *value = default.clone();
    }
    fill_defaults(value, schema);
}

fn is_replaced(value: &Value, schema: &Schema) -> bool {
    value.is_null() && !schema.nullable
}
