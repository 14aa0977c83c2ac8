//! Functions on lists and sets.

use std::cmp::Ordering;
use std::rc::Rc;

use super::Context;
use super::operators::Arithmetic;
use crate::check::types::Type;
use crate::eval::value::{Evaluated, Fault, List, Value};
use crate::eval::{IndexedItems, Meter};

/// `indexOf(item)`.
pub(super) fn index_of<'v>(
    own: &List<'v>,
    item: &Value<'v>,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    for (position, own) in own.iter(meter).enumerate() {
        if is_equal(&own?, item, meter)? {
            return Ok(index(Some(position)));
        }
    }
    Ok(index(None))
}

/// `lastIndexOf(item)`.
pub(super) fn last_index_of<'v>(
    own: &List<'v>,
    item: &Value<'v>,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    for position in (0..own.len()).rev() {
        if let Some(own) = own.get(position, meter).transpose()?
            && is_equal(&own, item, meter)?
        {
            return Ok(index(Some(position)));
        }
    }
    Ok(index(None))
}

/// The item at a position, if there is one.
pub(super) fn at<'v>(own: &List<'v>, position: usize, meter: &Meter) -> Evaluated<Value<'v>> {
    Ok(Value::Optional(own.get(position, meter).transpose()?.map(Rc::new)))
}

/// Values that cannot be compared are not equal.
fn is_equal<'v>(own: &Value<'v>, item: &Value<'v>, meter: &Meter) -> Evaluated<bool> {
    match own.equals(item, meter) {
        Err(fault) if fault.is_final() => Err(fault),
        equal => Ok(equal == Ok(true)),
    }
}

fn index<'v>(position: Option<usize>) -> Value<'v> {
    Value::Int(position.and_then(|position| i64::try_from(position).ok()).unwrap_or(-1))
}

/// Spends the work of comparing two values that have an order.
fn compared(a: &Value<'_>, b: &Value<'_>, meter: &Meter) -> Evaluated<()> {
    meter.read(a.bytes().min(b.bytes()))
}

pub(super) fn is_sorted<'v>(own: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    let mut previous: Option<Value<'_>> = None;
    for item in own.iter(meter) {
        let item = item?;
        if !item.is_ordered() {
            return Err(Fault::no_overload());
        }
        if let Some(previous) = previous {
            compared(&previous, &item, meter)?;
            // A pair without an order does not count.
            match previous.compare(&item) {
                Ok(Ordering::Greater) => return Ok(Value::Bool(false)),
                Err(fault) if fault.is_final() => return Err(fault),
                _ => {}
            }
        }
        previous = Some(item);
    }
    Ok(Value::Bool(true))
}

/// The sum of an empty list is the zero of the overload's result type.
pub(super) fn sum<'v>(own: &List<'v>, context: &Context<'_>) -> Evaluated<Value<'v>> {
    let mut sum = match context.result {
        Some(Type::Uint) => Value::Uint(0),
        Some(Type::Double) => Value::Double(0.0),
        Some(Type::Duration) => Value::Duration(0),
        Some(_) => Value::Int(0),
        None => match own.get(0, context.meter).transpose()? {
            Some(Value::Uint(_)) => Value::Uint(0),
            Some(Value::Double(_)) => Value::Double(0.0),
            Some(Value::Duration(_)) => Value::Duration(0),
            _ => Value::Int(0),
        },
    };
    for item in own.iter(context.meter) {
        context.meter.work(1)?;
        sum = Arithmetic::Add.apply(&sum, &item?, context.meter)?;
    }
    Ok(sum)
}

/// `min()` and `max()`: an item replaces the result so far if it has this order to it.
pub(super) fn extreme<'v>(
    own: &List<'v>,
    name: &str,
    replaced_if: Ordering,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    let mut extreme: Option<Value<'v>> = None;
    for item in own.iter(meter) {
        let item = item?;
        if !item.is_ordered() {
            return Err(Fault::no_overload());
        }
        extreme = Some(match extreme {
            Some(extreme) => {
                compared(&extreme, &item, meter)?;
                if extreme.compare(&item) == Ok(replaced_if) { item } else { extreme }
            }
            None => item,
        });
    }
    extreme.ok_or_else(|| Fault::error(format!("{name} called on empty list")))
}

pub(super) fn slice<'v>(
    own: &List<'v>,
    start: i64,
    end: i64,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    let length = own.len();
    let refuse = |why: &str| Err(Fault::error(format!("cannot slice({start}, {end}), {why}")));
    let (Ok(first), Ok(last)) = (usize::try_from(start), usize::try_from(end)) else {
        return refuse("negative indexes not supported");
    };
    if start > end {
        return refuse("start index must be less than or equal to end index");
    }
    if length < last {
        return refuse(&format!("list is length {length}"));
    }
    let items: Evaluated<Vec<_>> =
        (first..last).filter_map(|index| own.get(index, meter)).collect();
    Ok(Value::list(items?))
}

/// `lists.range(count)`.
pub(super) fn range<'v>(count: i64, meter: &Meter) -> Evaluated<Value<'v>> {
    meter.work(usize::try_from(count).unwrap_or_default())?;
    Ok(Value::list((0..count).map(Value::Int).collect()))
}

pub(super) fn reverse<'v>(own: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    let mut items = own.to_vec(meter)?;
    items.reverse();
    Ok(Value::list(items))
}

pub(super) fn flatten<'v>(own: &List<'v>, depth: i64, meter: &Meter) -> Evaluated<Value<'v>> {
    if depth < 0 {
        return Err(Fault::error("level must be non-negative"));
    }
    let mut flat = Vec::new();
    flatten_into(own, depth, &mut flat, meter)?;
    Ok(Value::list(flat))
}

fn flatten_into<'v>(
    own: &List<'v>,
    depth: i64,
    flat: &mut Vec<Value<'v>>,
    meter: &Meter,
) -> Evaluated<()> {
    for item in own.iter(meter) {
        meter.work(1)?;
        match item? {
            Value::List(inner) if depth > 0 => flatten_into(&inner, depth - 1, flat, meter)?,
            item => flat.push(item),
        }
    }
    Ok(())
}

/// The units that servers count for a sort by these keys.
pub(crate) fn cost_of_sort(keys: &List<'_>, meter: &Meter) -> u64 {
    crate::cost::actual::pairs(Some(&Value::List(keys.clone())), meter).unwrap_or(1)
}

/// Sorts items in the order of their keys.
pub(crate) fn sort<'v>(own: &List<'v>, keys: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    let keys = keys.to_vec(meter)?;
    let Some(first) = keys.first() else { return Ok(Value::List(own.clone())) };
    if !first.is_ordered() {
        return Err(Fault::error("list elements must be comparable"));
    }
    if keys.iter().any(|key| key.type_name() != first.type_name()) {
        return Err(Fault::error("list elements must have the same type"));
    }
    // Each key is compared with about as many others as the number has bits.
    let rounds = usize::BITS - keys.len().leading_zeros();
    for key in &keys {
        for _ in 0..rounds {
            compared(key, key, meter)?;
        }
    }
    let mut pairs: Vec<_> = keys.iter().zip(own.to_vec(meter)?).collect();
    let is_ordered = keys.iter().all(|key| key.compare(key).is_ok());
    if pairs.len() <= GO_INSERTION {
        insertion_sort(&mut pairs);
    } else if is_ordered {
        // Go's sort is not stable: the order of items with equal keys is not known for long lists. Nobody sees it in `sort`.
        pairs.sort_by(|a, b| a.0.compare(b.0).unwrap_or(Ordering::Equal));
    } else {
        return Err(Fault::not_judged("the order of a long list with keys that are not a number"));
    }
    Ok(Value::list(pairs.into_iter().map(|(_, item)| item).collect()))
}

/// The length up to which Go sorts by insertion.
const GO_INSERTION: usize = 12;

/// Sorts as Go does: an item moves to the front while it is less than the item before it. NaN is never less.
fn insertion_sort<'v>(pairs: &mut [(&Value<'v>, Value<'v>)]) {
    let is_less = |pairs: &[(&Value<'v>, Value<'v>)], at: usize| match pairs.get(at - 1..=at) {
        Some([before, own]) => own.0.compare(before.0) == Ok(Ordering::Less),
        _ => false,
    };
    for end in 1..pairs.len() {
        let mut at = end;
        while at > 0 && is_less(pairs, at) {
            pairs.swap(at, at - 1);
            at -= 1;
        }
    }
}

pub(super) fn distinct<'v>(own: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    let mut unique = IndexedItems::new(Vec::new(), meter)?;
    for item in own.iter(meter) {
        let item = item?;
        if !unique.has(&item, meter)? {
            unique.push(item);
        }
    }
    Ok(Value::list(unique.values))
}

/// The values of the optional items that have one.
pub(super) fn unwrapped<'v>(own: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    let mut values = Vec::new();
    for item in own.iter(meter) {
        meter.work(1)?;
        match item? {
            Value::Optional(value) => values.extend(value.as_deref().cloned()),
            _ => return Err(Fault::not_judged("an item that is not optional")),
        }
    }
    Ok(Value::list(values))
}

/// `sets.contains(a, b)`.
pub(super) fn contains<'v>(a: &List<'v>, b: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    has_all(a, b, meter).map(Value::Bool)
}

/// `sets.equivalent(a, b)`.
pub(super) fn equivalent<'v>(a: &List<'v>, b: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    Ok(Value::Bool(has_all(a, b, meter)? && has_all(b, a, meter)?))
}

/// `sets.intersects(a, b)`.
pub(super) fn intersects<'v>(a: &List<'v>, b: &List<'v>, meter: &Meter) -> Evaluated<Value<'v>> {
    let items = IndexedItems::new(b.to_vec(meter)?, meter)?;
    for item in a.iter(meter) {
        if items.has(&item?, meter)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn has_all<'v>(a: &List<'v>, b: &List<'v>, meter: &Meter) -> Evaluated<bool> {
    let items = IndexedItems::new(a.to_vec(meter)?, meter)?;
    for item in b.iter(meter) {
        if !items.has(&item?, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}
