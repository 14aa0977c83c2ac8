//! An object in a value of any JSON, which converts like the object of a kind that it is.

use std::cell::Cell;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::decode;
use super::there_and_back::there_and_back;
use super::{Context, FieldLocations, FieldValue};
use crate::conversion::context::json;
use crate::conversion::{ConversionFinding, ConversionReport, ConvertPart};

/// The most objects in each other that are converted. Each level has a copy of all below it.
const MOST: usize = 16;

thread_local! {
    /// How many such values the thread converts, each inside of the one before. Only the outermost is compared with what it becomes
    /// again: otherwise each level would be converted several times by each level around it.
    static DEPTH: Cell<usize> = const { Cell::new(0) };

    /// Whether there were more than [`MOST`].
    static IS_TOO_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Counts a value in [`DEPTH`] while it lives.
struct Inside;

impl Inside {
    fn enter() -> Self {
        DEPTH.set(DEPTH.get() + 1);
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

/// Converts the object in a value, or each one in a list. The annotation keeps a value that the conversion back does not restore. What is
/// no such object stays as it is, and is reported; so does a value with more than 16 objects in each other.
pub fn convert<A, B, S, T, P>(
    keep: FieldLocations,
    restore: FieldLocations,
    value: &S,
    _: PhantomData<(A, B)>,
    context: &mut Context<'_, P>,
) -> T
where
    A: ConvertPart<B> + Serialize + DeserializeOwned,
    B: ConvertPart<A> + Serialize + DeserializeOwned,
    S: FieldValue,
    T: FieldValue,
{
    let _inside = Inside::enter();
    match DEPTH.get() {
        1 => {}
        2..=MOST => return of_json(converted::<A, B>(json(value), &mut |_| {})),
        _ => {
            IS_TOO_DEEP.set(true);
            return of_json(json(value));
        }
    }
    let mut others = Vec::new();
    let result = outermost::<A, B>(json(value), &mut |other| others.push(other.clone()));
    for value in others {
        context.report_source(keep, ConversionFinding::OtherType { value });
    }
    let back = |value: &T| of_json::<S>(outermost::<B, A>(json(value), &mut |_| {}));
    there_and_back(keep, restore, value, (of_json(result), back), context)
}

/// The JSON in which each object is converted. What is none, or has too many in each other, stays as it is, and is given to `note`.
fn outermost<A, B>(value: Value, note: &mut impl FnMut(&Value)) -> Value
where
    A: ConvertPart<B> + DeserializeOwned,
    B: Serialize,
{
    let result = converted::<A, B>(value.clone(), note);
    if !IS_TOO_DEEP.take() {
        return result;
    }
    note(&value);
    value
}

/// The value of JSON, or the empty one if it is of another type.
fn of_json<T: FieldValue>(value: Value) -> T {
    T::deserialize(value).unwrap_or_else(|_| T::zero_value())
}

/// The JSON in which each object is converted. Others are given to `note`.
fn converted<A, B>(value: Value, note: &mut impl FnMut(&Value)) -> Value
where
    A: ConvertPart<B> + DeserializeOwned,
    B: Serialize,
{
    match value {
        Value::Null => Value::Null,
        Value::Array(items) => {
            items.into_iter().map(|item| converted::<A, B>(item, note)).collect()
        }
        other => object::<A, B>(&other).unwrap_or_else(|| {
            note(&other);
            other
        }),
    }
}

/// A converted object, with the members that its type does not know. `None` if the value is not such an object.
fn object<A, B>(value: &Value) -> Option<Value>
where
    A: ConvertPart<B> + DeserializeOwned,
    B: Serialize,
{
    let members = value.as_object()?;
    let mut found = ConversionReport::new();
    let part: A = decode(value, &mut found).ok()?;
    let Value::Object(mut converted) = json(&part.convert_lossy().0) else {
        return None;
    };
    let others: Map<String, Value> = found
        .iter()
        .filter_map(|(path, _)| members.get_key_value(path.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    for (name, value) in others {
        converted.entry(name).or_insert(value);
    }
    Some(converted.into())
}
