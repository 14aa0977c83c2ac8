//! The names of the fields that an object has, as it is read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::Deserializer;
use serde::de::{self, DeserializeSeed, MapAccess, Visitor};

use crate::{Json, Quoted};

/// What was read of an object. Nothing here depends on the struct: all structs share the code.
#[derive(Default)]
pub(super) struct FieldsRead {
    /// The field after the last one: fields often come in their order.
    next: usize,
    /// The first 64 fields that were read.
    first: u64,
    /// The fields after the first 64.
    more: Vec<usize>,
    /// The last name that is not a field.
    other: String,
}

impl FieldsRead {
    /// What reads the next name, and keeps a name that is not a field.
    pub(super) fn name(&mut self, fields: &'static [&'static str], keeps: bool) -> Name<'_> {
        Name { fields, next: self.next, kept: keeps.then_some(&mut self.other) }
    }

    /// Adds a field, or fails if it was there before. Unknown fields can be there more than once.
    pub(super) fn once<E: de::Error>(
        &mut self,
        field: usize,
        fields: &[&'static str],
    ) -> Result<(), E> {
        self.next = field + 1;
        match fields.get(field) {
            Some(name) if self.again(field) => Err(E::duplicate_field(name)),
            _ => Ok(()),
        }
    }

    /// Adds a field. Returns `true` if it was there before.
    #[inline]
    fn again(&mut self, field: usize) -> bool {
        if field >= 64 {
            let again = self.more.contains(&field);
            self.more.push(field);
            return again;
        }
        let before = self.first;
        self.first |= 1 << field;
        self.first == before
    }

    /// Keeps the value of the last name, or fails if the name was there before: one of the values would be lost.
    pub(super) fn keep<'de, A: MapAccess<'de>>(
        &mut self,
        map: &mut A,
        rest: &mut BTreeMap<String, Json>,
    ) -> Result<(), A::Error> {
        match rest.entry(std::mem::take(&mut self.other)) {
            Entry::Vacant(entry) => {
                entry.insert(map.next_value()?);
                Ok(())
            }
            Entry::Occupied(entry) => {
                let name = Quoted(entry.key());
                Err(de::Error::custom(format_args!("duplicate field {name}")))
            }
        }
    }
}

/// The index of a field by its name; the number of fields for any other name.
pub(super) struct Name<'a> {
    fields: &'static [&'static str],
    /// The field after the last one: fields often come in their order.
    next: usize,
    /// Keeps any other name.
    kept: Option<&'a mut String>,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        if self.fields.get(self.next).is_some_and(|next| *next == name) {
            return Ok(self.next);
        }
        let found = self.fields.iter().position(|field| *field == name);
        Ok(found.unwrap_or_else(|| {
            if let Some(kept) = self.kept {
                name.clone_into(kept);
            }
            self.fields.len()
        }))
    }
}
