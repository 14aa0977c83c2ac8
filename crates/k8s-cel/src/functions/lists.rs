//! Functions on lists and sets.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::check::types::Type;
use crate::eval::value::{Evaluated, Fault, List, Value};
use crate::functions::operators;

/// Functions with a list as receiver. `result` is what the only overload for the static types returns: the sum of no
/// items is a zero of that type.
pub(crate) fn method<'v>(
    function: &str,
    own: &List<'v>,
    arguments: &[Value<'v>],
    result: Option<&Type>,
) -> Evaluated<Value<'v>> {
    Ok(match (function, arguments) {
        ("isSorted", []) => Value::Bool(is_sorted(own)?),
        ("sum", []) => sum(own, result)?,
        ("min", []) => extreme(own, "min", Ordering::Greater)?,
        ("max", []) => extreme(own, "max", Ordering::Less)?,
        ("indexOf", [item]) => index(own.iter().position(|own| is_equal(own, item))),
        ("lastIndexOf", [item]) => {
            index(own.to_vec()?.iter().rposition(|own| own.equals(item) == Ok(true)))
        }
        ("slice", [Value::Int(start), Value::Int(end)]) => slice(own, *start, *end)?,
        ("flatten", []) => Value::list(flatten(own, 1)?),
        ("flatten", [Value::Int(depth)]) if *depth < 0 => {
            return Err(Fault::error("level must be non-negative"));
        }
        ("flatten", [Value::Int(depth)]) => Value::list(flatten(own, *depth)?),
        ("sort", []) => sort(own, own)?,
        ("reverse", []) => {
            let mut items = own.to_vec()?;
            items.reverse();
            Value::list(items)
        }
        ("distinct", []) => distinct(own)?,
        ("first", []) => Value::Optional(own.get(0).transpose()?.map(Rc::new)),
        ("last", []) => {
            let last = own.len().checked_sub(1).and_then(|last| own.get(last));
            Value::Optional(last.transpose()?.map(Rc::new))
        }
        ("unwrapOpt", []) => unwrapped(own)?,
        ("join", []) => crate::functions::strings::join(&own.to_vec()?, "")?,
        ("join", [Value::Text(separator)]) => {
            crate::functions::strings::join(&own.to_vec()?, separator)?
        }
        _ => return Err(Fault::no_overload()),
    })
}

fn is_equal<'v>(own: Evaluated<Value<'v>>, item: &Value<'v>) -> bool {
    own.and_then(|own| own.equals(item)) == Ok(true)
}

fn index<'v>(position: Option<usize>) -> Value<'v> {
    Value::Int(position.and_then(|position| i64::try_from(position).ok()).unwrap_or(-1))
}

fn is_sorted(own: &List<'_>) -> Evaluated<bool> {
    let mut previous: Option<Value<'_>> = None;
    for item in own.iter() {
        let item = item?;
        if let Some(previous) = previous {
            // A pair without an order does not count.
            match previous.compare(&item) {
                Ok(Ordering::Greater) => return Ok(false),
                Err(Fault::NotJudged(reason)) => return Err(Fault::NotJudged(reason)),
                _ => {}
            }
        } else if !item.is_ordered() {
            return Err(Fault::no_overload());
        }
        previous = Some(item);
    }
    Ok(true)
}

fn sum<'v>(own: &List<'v>, result: Option<&Type>) -> Evaluated<Value<'v>> {
    let mut sum = match result {
        Some(Type::Uint) => Value::Uint(0),
        Some(Type::Double) => Value::Double(0.0),
        Some(Type::Duration) => Value::Duration(0),
        Some(_) => Value::Int(0),
        None => match own.get(0).transpose()? {
            Some(Value::Uint(_)) => Value::Uint(0),
            Some(Value::Double(_)) => Value::Double(0.0),
            Some(Value::Duration(_)) => Value::Duration(0),
            _ => Value::Int(0),
        },
    };
    for item in own.iter() {
        sum = operators::arithmetic("_+_", &sum, &item?)?;
    }
    Ok(sum)
}

fn extreme<'v>(own: &List<'v>, name: &str, replaced_if: Ordering) -> Evaluated<Value<'v>> {
    let mut extreme: Option<Value<'v>> = None;
    for item in own.iter() {
        let item = item?;
        if !item.is_ordered() {
            return Err(Fault::no_overload());
        }
        extreme = Some(match extreme {
            Some(extreme) if extreme.compare(&item) != Ok(replaced_if) => extreme,
            _ => item,
        });
    }
    extreme.ok_or_else(|| Fault::Error(format!("{name} called on empty list")))
}

fn slice<'v>(own: &List<'v>, start: i64, end: i64) -> Evaluated<Value<'v>> {
    let length = own.len();
    let refuse = |why: &str| Err(Fault::Error(format!("cannot slice({start}, {end}), {why}")));
    let (Ok(first), Ok(last)) = (usize::try_from(start), usize::try_from(end)) else {
        return refuse("negative indexes not supported");
    };
    if start > end {
        return refuse("start index must be less than or equal to end index");
    }
    if length < last {
        return refuse(&format!("list is length {length}"));
    }
    let items: Evaluated<Vec<_>> = own.iter().skip(first).take(last - first).collect();
    Ok(Value::list(items?))
}

fn flatten<'v>(own: &List<'v>, depth: i64) -> Evaluated<Vec<Value<'v>>> {
    let mut flat = Vec::new();
    for item in own.iter() {
        match item? {
            Value::List(inner) if depth > 0 => flat.extend(flatten(&inner, depth - 1)?),
            item => flat.push(item),
        }
    }
    Ok(flat)
}

/// Sorts items in the order of their keys.
pub(crate) fn sort<'v>(own: &List<'v>, keys: &List<'v>) -> Evaluated<Value<'v>> {
    let keys = keys.to_vec()?;
    let Some(first) = keys.first() else { return Ok(Value::List(own.clone())) };
    if !first.is_ordered() {
        return Err(Fault::error("list elements must be comparable"));
    }
    if keys.iter().any(|key| key.type_name() != first.type_name()) {
        return Err(Fault::error("list elements must have the same type"));
    }
    let mut pairs: Vec<_> = keys.iter().zip(own.to_vec()?).collect();
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

/// Sorts as Go does: an item moves to the front while it is less than the one before it. What is not a number is not less.
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

fn distinct<'v>(own: &List<'v>) -> Evaluated<Value<'v>> {
    let mut unique: Vec<Value<'v>> = Vec::new();
    for item in own.iter() {
        let item = item?;
        if !unique.iter().any(|own| item.equals(own) == Ok(true)) {
            unique.push(item);
        }
    }
    Ok(Value::list(unique))
}

/// The values of the optional items that have one.
pub(crate) fn unwrapped<'v>(own: &List<'v>) -> Evaluated<Value<'v>> {
    let mut values = Vec::new();
    for item in own.iter() {
        match item? {
            Value::Optional(value) => values.extend(value.as_deref().cloned()),
            _ => return Err(Fault::not_judged("an item that is not optional")),
        }
    }
    Ok(Value::list(values))
}

/// `sets.contains(a, b)` and so on.
pub(crate) fn set<'v>(function: &str, a: &List<'v>, b: &List<'v>) -> Evaluated<Value<'v>> {
    Ok(Value::Bool(match function {
        "sets.contains" => contains(a, b)?,
        "sets.equivalent" => contains(a, b)? && contains(b, a)?,
        "sets.intersects" => {
            let mut intersects = false;
            for item in a.iter() {
                intersects |= is_item(&item?, b);
            }
            intersects
        }
        _ => return Err(Fault::no_overload()),
    }))
}

fn contains(a: &List<'_>, b: &List<'_>) -> Evaluated<bool> {
    for item in b.iter() {
        if !is_item(&item?, a) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_item(item: &Value<'_>, list: &List<'_>) -> bool {
    list.iter().any(|own| is_equal(own, item))
}
