//! The equality and the order that servers give to values.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde_json::Value as Json;

use super::budget::Meter;
use super::items::IndexedItems;
use super::value::{Data, Evaluated, Fault, List, Value};
use crate::check::schema::ListOrder;
use crate::steps::BYTES_PER_STEP;

impl Value<'_> {
    /// Returns the answer of `==`: null is only equal to null.
    pub(crate) fn equals(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        match (self, other) {
            (Self::Null, Self::Null) => Ok(true),
            (Self::Null, _) | (_, Self::Null) => Ok(false),
            _ => self.equals_directly(other, meter),
        }
    }

    fn equals_directly(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        meter.read(self.bytes().min(other.bytes()))?;
        Ok(match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => self.compare_numbers(other) == Some(Ordering::Equal),
            (Self::Text(a), Self::Text(b)) => **a == **b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a.order(*b).is_eq(),
            (Self::Duration(a), Self::Duration(b)) => a == b,
            (Self::List(a), Self::List(b)) => return a.equals(b, meter),
            (Self::List(list), _) if list.is_data() => return Err(Fault::no_overload()),
            (Self::Map(_) | Self::Data(_), Self::Map(_) | Self::Data(_)) => {
                return self.equals_as_map(other, meter);
            }
            (Self::Data(_), _) => return Err(Fault::no_overload()),
            (Self::Untyped(a), Self::Untyped(b)) => {
                meter.work(json_weight(a))?;
                a == b
            }
            (Self::Optional(a), Self::Optional(b)) => match (a, b) {
                (None, None) => true,
                (Some(a), Some(b)) => return a.equals(b, meter),
                _ => false,
            },
            (Self::Type(a), Self::Type(b)) | (Self::Format(a), Self::Format(b)) => a == b,
            (Self::Url(a), Self::Url(b)) => a.text() == b.text(),
            (Self::Ip(a), Self::Ip(b)) => a == b,
            (Self::Cidr(a), Self::Cidr(b)) => a == b,
            (Self::Quantity(a), Self::Quantity(b)) => a == b,
            (Self::Semver(a), Self::Semver(b)) => {
                // Label by label, which takes longer than to compare texts.
                meter.read(self.bytes().min(other.bytes()))?;
                a.cmp_precedence(b) == Ordering::Equal
            }
            (Self::Question(_), Self::Question(_)) => {
                return Err(Fault::not_judged("two questions to the authorizer are compared"));
            }
            _ => false,
        })
    }

    fn equals_as_map(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        if self.size() != other.size() {
            return Ok(false);
        }
        if let Self::Data(own) = self {
            return own.equals(other, meter);
        }
        let Self::Map(own) = self else { return Ok(false) };
        for (key, value) in &own.entries {
            match other.find(key, meter)? {
                Some(other) if value.equals(&other, meter)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Compares numbers of any types by their value. NaN has no order.
    #[allow(clippy::cast_precision_loss, reason = "the limits are powers of two")]
    fn compare_numbers(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Uint(a), Self::Uint(b)) => Some(a.cmp(b)),
            (Self::Double(a), Self::Double(b)) => a.partial_cmp(b),
            (Self::Int(a), Self::Uint(b)) => {
                Some(u64::try_from(*a).map_or(Ordering::Less, |a| a.cmp(b)))
            }
            (Self::Int(a), Self::Double(b)) => {
                compare_with_double(i128::from(*a), *b, i64::MIN as f64, i64::MAX as f64)
            }
            (Self::Uint(a), Self::Double(b)) => {
                compare_with_double(i128::from(*a), *b, 0.0, u64::MAX as f64)
            }
            (Self::Uint(_) | Self::Double(_), Self::Int(_)) | (Self::Double(_), Self::Uint(_)) => {
                other.compare_numbers(self).map(Ordering::reverse)
            }
            _ => None,
        }
    }

    /// The order of two values, as `<` sees it.
    pub(crate) fn compare(&self, other: &Self) -> Evaluated<Ordering> {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => Ok(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Ok((**a).cmp(&**b)),
            (Self::Bytes(a), Self::Bytes(b)) => Ok(a.cmp(b)),
            (Self::Timestamp(a), Self::Timestamp(b)) => Ok(a.order(*b)),
            (Self::Duration(a), Self::Duration(b)) => Ok(a.cmp(b)),
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => self
                .compare_numbers(other)
                .ok_or_else(|| Fault::error("NaN values cannot be ordered")),
            _ => Err(Fault::no_overload()),
        }
    }

    /// The answer of `self in container`.
    pub(crate) fn is_in(&self, container: &Self, meter: &Meter) -> Evaluated<bool> {
        match container {
            Self::List(list) => {
                let mut fault = None;
                for item in list.iter(meter) {
                    match item?.equals_directly(self, meter) {
                        Ok(true) => return Ok(true),
                        Ok(false) => {}
                        Err(error) if error.is_final() => return Err(error),
                        Err(error) => fault = fault.or(Some(error)),
                    }
                }
                fault.map_or(Ok(false), Err)
            }
            Self::Map(_) | Self::Data(_) => Ok(container.find(self, meter)?.is_some()),
            _ => Err(Fault::no_overload()),
        }
    }
}

impl<'v> List<'v> {
    /// `self + other`: a set takes only new items, and a map list replaces items with equal keys.
    pub(crate) fn concat(&self, other: &Self, meter: &Meter) -> Evaluated<Self> {
        meter.work(other.len())?;
        let items = self.to_vec(meter)?;
        let items = match self.shape.map(|shape| &shape.order) {
            Some(ListOrder::Set) => {
                let mut items = IndexedItems::new(items, meter)?;
                for item in other.iter(meter) {
                    let item = item?;
                    if !items.has_same(&item, meter)? {
                        items.push(item);
                    }
                }
                items.values
            }
            Some(ListOrder::Map(keys)) => {
                replace_by_keys(items, other, keys, self.sees_duplicates(), meter)?
            }
            _ => {
                let mut items = items;
                for item in other.iter(meter) {
                    items.push(item?);
                }
                items
            }
        };
        Ok(self.with_values(items))
    }

    pub(super) fn equals(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        if self.len() != other.len() {
            return Ok(false);
        }
        match self.shape.map(|shape| &shape.order) {
            Some(ListOrder::Set) => self.equals_as_set(other, meter),
            Some(ListOrder::Map(keys)) => self.equals_by_keys(other, keys, meter),
            Some(ListOrder::Atomic) => {
                for (own, other) in self.iter(meter).zip(other.iter(meter)) {
                    if !own?.equals_directly(&other?, meter)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            None => self.equals_in_order(other, meter),
        }
    }

    /// A pair that differs counts more than a pair that cannot be compared.
    fn equals_in_order(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        let mut fault = None;
        for (own, other) in self.iter(meter).zip(other.iter(meter)) {
            match own?.equals(&other?, meter) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) if error.is_final() => return Err(error),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(true), Err)
    }

    fn equals_as_set(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        let own = IndexedItems::new(self.to_vec(meter)?, meter)?;
        let mut seen = self.sees_duplicates().then(IndexedItems::default);
        for item in other.iter(meter) {
            let item = item?;
            if !own.has_same(&item, meter)? {
                return Ok(false);
            }
            if let Some(seen) = &mut seen {
                if seen.has_same(&item, meter)? {
                    return Ok(false);
                }
                seen.push(item);
            }
        }
        Ok(true)
    }

    fn equals_by_keys(&self, other: &Self, keys: &[String], meter: &Meter) -> Evaluated<bool> {
        let own = self.to_vec(meter)?;
        // Of several items with the same keys, the last counts.
        let mut by_keys: HashMap<MapKey<'v>, &Value<'v>> = HashMap::new();
        for item in &own {
            by_keys.extend(map_key(item, keys, meter)?.map(|key| (key, item)));
        }
        for item in other.iter(meter) {
            let item = item?;
            let key = map_key(&item, keys, meter)?;
            let same = key.and_then(|key| {
                // Taken out, an item is not found for a second one with the same keys.
                if self.sees_duplicates() {
                    by_keys.remove(&key)
                } else {
                    by_keys.get(&key).copied()
                }
            });
            match same {
                Some(own) if own.equals_directly(&item, meter)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// The values of the keys of an item of a map list.
type MapKey<'v> = Vec<Option<&'v Json>>;

/// The keys of an item of a map list, as data. An item that the rule made has none.
fn map_key<'v>(item: &Value<'v>, keys: &[String], meter: &Meter) -> Evaluated<Option<MapKey<'v>>> {
    let Value::Data(data) = item else { return Ok(None) };
    let values: MapKey<'v> = keys.iter().map(|key| data.members.get(key)).collect();
    meter.work(
        keys.len() + values.iter().flatten().map(|value| json_weight(value)).sum::<usize>(),
    )?;
    Ok(Some(values))
}

/// The items of a map list with those of another list, which replace items with the same keys.
fn replace_by_keys<'v>(
    mut items: Vec<Value<'v>>,
    other: &List<'v>,
    keys: &[String],
    sees_duplicates: bool,
    meter: &Meter,
) -> Evaluated<Vec<Value<'v>>> {
    let mut positions: HashMap<MapKey<'v>, usize> = HashMap::new();
    for (position, item) in items.iter().enumerate() {
        if let Some(key) = map_key(item, keys, meter)? {
            positions.entry(key).or_insert(position);
        }
    }
    for item in other.iter(meter) {
        let item = item?;
        let key = map_key(&item, keys, meter)?;
        let same = key.as_ref().and_then(|key| positions.get(key));
        if let Some(own) = same.and_then(|at| items.get_mut(*at)) {
            *own = item;
        } else {
            // An item that was added is replaced only by servers that see duplicates.
            positions.extend(key.filter(|_| sees_duplicates).map(|key| (key, items.len())));
            items.push(item);
        }
    }
    Ok(items)
}

impl<'v> Data<'v> {
    fn equals(&self, other: &Value<'v>, meter: &Meter) -> Evaluated<bool> {
        for (name, value) in self.members {
            meter.read(name.len())?;
            let Some(shape) = self.shape_of(name) else {
                // Both are objects of the same type. Unknown members count only if both have them.
                let Value::Data(other) = other else { return Err(Fault::no_overload()) };
                meter.work(json_weight(value))?;
                if other.members.get(name).is_some_and(|other| other != value) {
                    return Ok(false);
                }
                continue;
            };
            let counterpart = match other {
                Value::Data(other) => other.find_by_name(name, meter)?,
                other => other.find(&Value::borrowed(name), meter)?,
            };
            // A null in an object with properties is not found, so two such objects differ even if both have it.
            let Some(counterpart) = counterpart else { return Ok(false) };
            if !Value::from_json(value, shape, meter)?.equals_directly(&counterpart, meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The size of data with all its parts, in steps.
pub(crate) fn json_weight(value: &Json) -> usize {
    let (mut count, mut bytes) = (0_usize, 0_usize);
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        count += 1;
        match value {
            Json::String(text) => bytes += text.len(),
            Json::Array(items) => rest.extend(items),
            Json::Object(members) => {
                bytes += members.keys().map(String::len).sum::<usize>();
                rest.extend(members.values());
            }
            _ => {}
        }
    }
    count + bytes / BYTES_PER_STEP
}

fn compare_with_double(integer: i128, double: f64, least: f64, greatest: f64) -> Option<Ordering> {
    if double.is_nan() {
        return None;
    }
    if double < least {
        return Some(Ordering::Greater);
    }
    if double > greatest {
        return Some(Ordering::Less);
    }
    #[allow(clippy::cast_precision_loss, reason = "servers also compare as doubles")]
    let integer = integer as f64;
    integer.partial_cmp(&double)
}
