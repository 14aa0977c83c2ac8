//! Variables, and the fields that are selected from them.

use serde_json::Value as Json;

use super::member::{find_field, select};
use super::program::{Field, Path};
use super::run::Run;
use super::value::{Data, Evaluated, Fault, Value};
use crate::check::schema::{Property, Shape};

impl<'v> Run<'v, '_> {
    /// A variable, or what is selected from it.
    pub(super) fn path(&mut self, path: &'v Path) -> Evaluated<Value<'v>> {
        match self.data_at(path)? {
            Some((data, shape)) => Value::from_json(data, shape, self.meter),
            None => self.walk(path),
        }
    }

    /// The data at a path, if each step is a field that exists, of an object with the type that the checker saw. That is the
    /// usual case. Otherwise nothing is counted.
    pub(super) fn data_at(&self, path: &'v Path) -> Evaluated<Option<(&'v Json, &'v Shape)>> {
        let data = self.follow(path);
        if data.is_some() {
            self.meter.charge(1 + path.fields.len() as u64)?;
        }
        Ok(data)
    }

    #[inline]
    fn follow(&self, path: &'v Path) -> Option<(&'v Json, &'v Shape)> {
        let Value::Data(data) = self.stack.get(path.variable)? else { return None };
        let (last, before) = path.fields.split_last()?;
        let mut data = *data;
        for field in before {
            let (member, shape) = self.step(data, field)?;
            data = Data::read(member, shape)?;
        }
        self.step(data, last)
    }

    #[inline]
    fn step(&self, data: Data<'v>, field: &Field) -> Option<(&'v Json, &'v Shape)> {
        if field.optional {
            return None;
        }
        let property = property(data, field)?;
        Some((self.memo.member(data, property)?, &property.shape))
    }

    /// Takes the steps of a path one by one. Each is counted before it is taken.
    pub(super) fn walk(&mut self, path: &'v Path) -> Evaluated<Value<'v>> {
        self.meter.charge(1)?;
        let Some(variable) = self.stack.get(path.variable) else {
            return Err(Fault::error(format!("no such attribute(s): {}", path.name)));
        };
        let Some((first, rest)) = path.fields.split_first() else { return Ok(variable.clone()) };
        self.meter.charge(1)?;
        let mut value = select(variable, first, self.meter)?;
        for field in rest {
            self.meter.charge(1)?;
            value = select(&value, field, self.meter)?;
        }
        Ok(value)
    }

    /// `has(value.field)`.
    pub(super) fn has(&self, value: &Value<'v>, field: &'v Field) -> Evaluated<bool> {
        let value = match value {
            Value::Optional(None) => {
                self.meter.refund(1)?;
                return Ok(false);
            }
            Value::Optional(Some(value)) => value,
            value => value,
        };
        if let Value::Data(data) = value
            && let Some(property) = property(*data, field)
        {
            return Ok(self.memo.member(*data, property).is_some());
        }
        Ok(find_field(value, field, self.meter)?.is_some())
    }
}

/// The property that a field names, if data has the type that the checker saw.
#[inline]
fn property<'v>(data: Data<'v>, field: &Field) -> Option<&'v Property> {
    let (object, position) = field.property.as_ref()?;
    data.property(object, *position)
}
