//! Drops the nulls that a schema does not allow.

use serde_json::Value;

use crate::schema::Schema;

/// Drops members that are null where the schema allows no null and has no default. Items stay.
pub(crate) fn drop_nulls(value: &mut Value, schema: &Schema) {
    match value {
        Value::Object(members) => {
            let mut nulls = false;
            for (name, member) in members.iter_mut() {
                let Some(inner) = schema.member(name).schema() else {
                    continue;
                };
                nulls |= is_dropped(member, inner);
                if matches!(member, Value::Object(_) | Value::Array(_)) {
                    drop_nulls(member, inner);
                }
            }
            if nulls {
                members.retain(|name, member| {
                    !schema.member(name).schema().is_some_and(|inner| is_dropped(member, inner))
                });
            }
        }
        Value::Array(items) => {
            if let Some(inner) = schema.items.as_deref() {
                for item in items {
                    drop_nulls(item, inner);
                }
            }
        }
        _ => {}
    }
}

fn is_dropped(value: &Value, schema: &Schema) -> bool {
    value.is_null() && !schema.nullable && schema.default.is_none()
}
