//! What a rule costs: estimated when it is created, and counted when it is evaluated.
//!
//! A unit is about 50 nanoseconds of a server. The estimate is the largest cost that the sizes in the schema allow.

pub(crate) mod actual;
pub(crate) mod estimate;
pub(crate) mod function;

/// The largest estimated cost of one expression, times the number of values that it is evaluated for.
pub const EXPRESSION_LIMIT: u64 = 10_000_000;

/// The largest estimated cost of all expressions of a schema.
pub const SCHEMA_LIMIT: u64 = 100_000_000;

/// The bytes of the largest request, which bounds what a schema leaves open.
pub(crate) const REQUEST: u64 = 3 * 1024 * 1024;

/// The part of a unit that a character, a byte or an item takes.
pub(crate) const PER_CHARACTER: f64 = 0.1;

/// The part of a unit that a character of a pattern takes.
pub(crate) const PER_PATTERN_CHARACTER: f64 = 0.25;

/// The units that it takes to make a list.
pub(crate) const NEW_LIST: u64 = 10;

/// The units that it takes to make a map.
pub(crate) const NEW_MAP: u64 = 30;

/// How many characters, bytes, items or entries a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) min: u64,
    pub(crate) max: u64,
}

impl Size {
    pub(crate) const UNKNOWN: Self = Self { min: 0, max: u64::MAX };

    pub(crate) const fn exactly(size: u64) -> Self {
        Self { min: size, max: size }
    }

    pub(crate) const fn at_most(max: u64) -> Self {
        Self { min: 0, max }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    pub(crate) const fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }
}

/// A number times a factor, rounded up.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "servers compute with floats; the cast saturates"
)]
pub(crate) fn scaled(number: u64, factor: f64) -> u64 {
    (number as f64 * factor).ceil() as u64
}

/// An estimate as a share of a limit, in the words of a server.
///
/// ```
/// use k8s_cel::cost::{EXPRESSION_LIMIT, excess};
///
/// assert_eq!(
///     excess("estimated rule cost", 31_457_280, EXPRESSION_LIMIT).as_deref(),
///     Some(
///         "estimated rule cost exceeds budget by factor of 3.1x (try simplifying the rule, or adding maxItems, \
///          maxProperties, and maxLength where arrays, maps, and strings are declared)"
///     )
/// );
/// assert_eq!(excess("estimated rule cost", 10_000_000, EXPRESSION_LIMIT), None);
/// ```
#[allow(clippy::cast_precision_loss, reason = "servers divide as floats")]
pub fn excess(what: &str, cost: u64, limit: u64) -> Option<String> {
    if cost <= limit {
        return None;
    }
    let factor = cost as f64 / limit as f64;
    let factor = match factor {
        _ if factor > 100.0 => "more than 100x".to_owned(),
        _ if factor < 1.5 => format!("{factor:.6}x"),
        _ => format!("{factor:.1}x"),
    };
    Some(format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, \
         and maxLength where arrays, maps, and strings are declared)"
    ))
}
