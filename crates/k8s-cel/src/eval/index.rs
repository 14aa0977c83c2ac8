//! Values by their keys, so that a value is found among many without comparing it with each.

use std::borrow::Cow;
use std::collections::HashMap;
use std::mem::Discriminant;

use super::meter::Meter;
use super::value::{Evaluated, Text, Value};

/// What equal scalar values have in common: numbers of all types by their value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key<'a> {
    Bool(bool),
    Integer(i128),
    Double(u64),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    Duration(i64),
}

impl<'v> Key<'v> {
    /// The key of a scalar value. Others have none, and neither has what is not a number.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "compared with the original"
    )]
    #[allow(clippy::cast_precision_loss, reason = "compared with the original")]
    pub(crate) fn of(value: &Value<'v>) -> Option<Self> {
        Some(match value {
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Integer((*value).into()),
            Value::Uint(value) => Self::Integer((*value).into()),
            Value::Double(value) if value.is_nan() => return None,
            Value::Double(value) => {
                let whole = *value as i128;
                if whole as f64 == *value {
                    Self::Integer(whole)
                } else {
                    Self::Double(value.to_bits())
                }
            }
            Value::Text(Text::Borrowed(text)) => Self::Text(Cow::Borrowed(text)),
            Value::Text(text) => Self::Text(Cow::Owned((**text).to_owned())),
            Value::Bytes(bytes) => Self::Bytes(Cow::Owned(bytes.to_vec())),
            Value::Duration(value) => Self::Duration(*value),
            _ => return None,
        })
    }
}

/// Values by their keys. Values without keys are compared one by one.
#[derive(Debug, Default)]
pub(crate) struct Index<'v> {
    keys: HashMap<Key<'v>, Vec<usize>>,
    others: Vec<usize>,
}

/// Doubles beyond 2^53 and integers beside them can be equal and have different keys.
const EXACT: i128 = 1 << 53;

impl<'v> Index<'v> {
    pub(crate) fn add(&mut self, value: &Value<'v>, position: usize) {
        match Key::of(value) {
            Some(Key::Integer(value)) if value.abs() > EXACT => self.others.push(position),
            Some(key) => self.keys.entry(key).or_default().push(position),
            None => self.others.push(position),
        }
    }

    /// The positions of the values that can be equal to one, first those with its key.
    pub(crate) fn candidates(&self, value: &Value<'v>) -> impl Iterator<Item = usize> + '_ {
        let own = Key::of(value).and_then(|key| self.keys.get(&key));
        let is_large = matches!(Key::of(value), Some(Key::Integer(value)) if value.abs() > EXACT);
        // A value without a key, or a large number, may be equal to any other without one.
        let others =
            if own.is_none() || is_large || !self.others.is_empty() { &*self.others } else { &[] };
        own.into_iter().flatten().copied().chain(others.iter().copied())
    }
}

/// A list that finds its items.
#[derive(Default)]
pub(crate) struct Items<'v> {
    pub(crate) values: Vec<Value<'v>>,
    index: Index<'v>,
}

impl<'v> Items<'v> {
    pub(crate) fn new(values: Vec<Value<'v>>, meter: &Meter) -> Evaluated<Self> {
        meter.work(values.len())?;
        let mut index = Index::default();
        for (position, value) in values.iter().enumerate() {
            index.add(value, position);
        }
        Ok(Self { values, index })
    }

    pub(crate) fn push(&mut self, value: Value<'v>) {
        self.index.add(&value, self.values.len());
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
        for position in self.index.candidates(value) {
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
