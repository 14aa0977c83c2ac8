//! Numbers as Go reads and converts them.

use std::ops::Range;

use serde_json::Number;

const INT64: Range<f64> = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;

/// A number as servers read it.
#[derive(Clone, Copy)]
pub(super) enum GoNumber {
    Integer(i64),
    Float(f64),
}

impl GoNumber {
    pub(super) fn new(number: &Number) -> Self {
        number
            .as_i64()
            .map_or_else(|| Self::Float(number.as_f64().unwrap_or(f64::MAX)), Self::Integer)
    }

    #[allow(clippy::cast_precision_loss, reason = "servers also compare so")]
    pub(super) const fn float(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }
}

/// A limit as an integer. A limit beyond all integers becomes the least one, as processors convert it.
#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
pub(super) fn whole(limit: f64) -> i64 {
    if INT64.contains(&limit) { limit as i64 } else { i64::MIN }
}

/// The character into which Go converts an integer.
pub(super) fn character(code: i64) -> char {
    let character = u32::try_from(code).ok().and_then(char::from_u32);
    character.unwrap_or(char::REPLACEMENT_CHARACTER)
}
