//! Fills in the defaults of a schema.

use serde_json::{Map, Value};

use crate::schema::{Additional, Schema};
use crate::work;

/// The most bytes of the defaults of an object. A default can be as large as a definition, and each item of a list can lack it.
const MOST_BYTES: usize = 32 << 20;

/// What is not judged of an object whose defaults are left out.
pub(crate) fn too_many_defaults(of: &str) -> String {
    format!("defaults of {of} that take more than {} MiB together", MOST_BYTES >> 20)
}

/// Fills in the defaults of absent members, and of members and items that are null where no null is allowed. Returns `false` if
/// some did not fit.
#[must_use]
pub(crate) fn fill_defaults(value: &mut Value, schema: &Schema) -> bool {
    let mut filler = Filler { room: MOST_BYTES, is_cut: false };
    filler.fill(value, schema);
    !filler.is_cut
}

/// The bytes of a member without its name and value: its place in the map of the object.
const MEMBER: usize = 64;

struct Filler {
    /// The bytes that defaults may still take.
    room: usize,
    /// Whether a default was left out.
    is_cut: bool,
}

impl Filler {
    fn fill(&mut self, value: &mut Value, schema: &Schema) {
        // The answer says that defaults are left out. The rest of them, which smaller ones may be, costs nothing then.
        if !schema.below.defaults || self.is_cut {
            return;
        }
        match value {
            Value::Object(members) => {
                self.fill_absent(members, schema);
                self.fill_inside(members, schema);
                if let Additional::Schema(additional) = &schema.additional
                    && additional.below.defaults
                {
                    let unlisted =
                        members.iter_mut().filter(|(name, _)| !schema.properties.contains(name));
                    unlisted.for_each(|(_, member)| self.fill_null(member, additional));
                }
            }
            Value::Array(items) => {
                if let Some(inner) = schema.items.as_deref() {
                    for item in items {
                        self.fill_null(item, inner);
                    }
                }
            }
            _ => {}
        }
    }

    /// Fills the members whose schema has a default. Each takes room, or the object has it, or it is the last one.
    fn fill_absent(&mut self, members: &mut Map<String, Value>, schema: &Schema) {
        for (name, property) in schema.properties.with_default() {
            work::step();
            if let Some(member) = members.get_mut(name) {
                self.fill_null(member, property);
            } else if let Some(mut default) = self.default_of(property) {
                self.fill(&mut default, property);
                self.room = self.room.saturating_sub(name.len() + MEMBER);
                members.insert(name.clone(), default);
            }
            if self.is_cut {
                return;
            }
        }
    }

    /// Fills what is inside the other members. Thousands of items can lack thousands of properties, so the shorter side is walked.
    fn fill_inside(&mut self, members: &mut Map<String, Value>, schema: &Schema) {
        let properties = &schema.properties;
        if properties.count_around_defaults() <= members.len() {
            for (name, property) in properties.around_defaults() {
                work::step();
                if let Some(member) = members.get_mut(name) {
                    self.fill_null(member, property);
                }
            }
            return;
        }
        for (name, member) in members.iter_mut() {
            if let Some(property) = properties.get(name).filter(|it| it.default.is_none()) {
                self.fill_null(member, property);
            }
        }
    }

    fn fill_null(&mut self, value: &mut Value, schema: &Schema) {
        if value.is_null()
            && !schema.nullable
            && let Some(default) = self.default_of(schema)
        {
            *value = default;
        }
        self.fill(value, schema);
    }

    /// A copy of the default of a schema, if it has one and there is room for it.
    fn default_of(&mut self, schema: &Schema) -> Option<Value> {
        let default = schema.default.as_ref()?;
        if let Some(room) = self.room.checked_sub(size(default)) {
            self.room = room;
            Some(default.clone())
        } else {
            self.is_cut = true;
            None
        }
    }
}

/// The approximate size of a value in memory, in bytes.
fn size(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(size).sum(),
            Value::Object(members) => {
                members.iter().map(|(name, member)| name.len() + size(member)).sum()
            }
            _ => 0,
        }
}
