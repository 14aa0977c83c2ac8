//! Lists with an index of their items.

use std::mem::Discriminant;

use super::budget::Meter;
use super::index::Index;
use super::value::{Evaluated, Value};
use crate::steps::BYTES_PER_STEP;

/// The steps of work that it takes to index an item.
const INDEXING: usize = 4;

/// A list with an index of its items.
#[derive(Default)]
pub(crate) struct IndexedItems<'v> {
    pub(crate) values: Vec<Value<'v>>,
    index: Index<'v>,
}

impl<'v> IndexedItems<'v> {
    pub(crate) fn new(values: Vec<Value<'v>>, meter: &Meter) -> Evaluated<Self> {
        let bytes: usize = values.iter().map(Value::bytes).sum();
        meter.work(INDEXING * values.len() + bytes / BYTES_PER_STEP)?;
        let mut index = Index::default();
        for (position, value) in values.iter().enumerate() {
            index.add(value.key(), position);
        }
        Ok(Self { values, index })
    }

    pub(crate) fn push(&mut self, value: Value<'v>) {
        self.index.add(value.key(), self.values.len());
        self.values.push(value);
    }

    /// Returns `true` if an item is equal to a value. An item that cannot be compared is not.
    pub(crate) fn has(&self, value: &Value<'v>, meter: &Meter) -> Evaluated<bool> {
        self.find(value, |own| own.equals(value, meter), meter).map(|found| found.is_some())
    }

    /// Returns `true` if an item is the same scalar as Go compares interfaces: of the same type.
    pub(crate) fn has_same(&self, value: &Value<'v>, meter: &Meter) -> Evaluated<bool> {
        let kind: Discriminant<Value<'_>> = std::mem::discriminant(value);
        let is_same = |own: &Value<'v>| {
            if std::mem::discriminant(own) == kind { own.equals(value, meter) } else { Ok(false) }
        };
        self.find(value, is_same, meter).map(|found| found.is_some())
    }

    fn find(
        &self,
        value: &Value<'v>,
        is_equal: impl Fn(&Value<'v>) -> Evaluated<bool>,
        meter: &Meter,
    ) -> Evaluated<Option<usize>> {
        meter.work(value.bytes() / BYTES_PER_STEP)?;
        for position in self.index.candidates(value.key()) {
            meter.work(1)?;
            let Some(own) = self.values.get(position) else { continue };
            match is_equal(own) {
                Ok(true) => return Ok(Some(position)),
                Err(fault) if fault.is_final() => return Err(fault),
                _ => {}
            }
        }
        Ok(None)
    }
}
