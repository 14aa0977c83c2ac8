//! Integers: where the static types are integers, no `Value` is made on the way.

use serde_json::Value as Json;

use super::budget::Meter;
use super::program::Int;
use super::run::Run;
use super::value::{Evaluated, Value};
use crate::check::schema::{Shape, ShapeKind};
use crate::cost::function::Cost;
use crate::functions::operators::{Arithmetic, Comparison};

/// The value of what is an integer by its static type.
enum Number<'v> {
    Int(i64),
    /// Null, or what came here through `dyn`.
    Other(Box<Value<'v>>),
}

impl<'v> Number<'v> {
    #[inline]
    fn read(data: &'v Json, shape: &'v Shape, meter: &Meter) -> Evaluated<Self> {
        match (&shape.kind, data.as_i64()) {
            (ShapeKind::Int, Some(value)) => Ok(Self::Int(value)),
            _ => Value::from_json(data, shape, meter).map(Self::of),
        }
    }

    fn of(value: Value<'v>) -> Self {
        match value {
            Value::Int(value) => Self::Int(value),
            other => Self::Other(Box::new(other)),
        }
    }

    fn into_value(self) -> Value<'v> {
        match self {
            Self::Int(value) => Value::Int(value),
            Self::Other(value) => *value,
        }
    }
}

impl<'v> Run<'v, '_> {
    pub(super) fn value_of_int(&mut self, int: &'v Int) -> Evaluated<Value<'v>> {
        self.int(int).map(Number::into_value)
    }

    fn int(&mut self, int: &'v Int) -> Evaluated<Number<'v>> {
        match int {
            Int::Constant(value) => Ok(Number::Int(*value)),
            Int::Path(path) => match self.data_at(path)? {
                Some((data, shape)) => Number::read(data, shape, self.meter),
                None => self.walk(path).map(Number::of),
            },
            Int::Arithmetic { operator, operands } => self.compute(*operator, operands),
            Int::Other(plan) => self.value(plan).map(Number::of),
        }
    }

    pub(super) fn compare_ints(
        &mut self,
        operator: Comparison,
        operands: &'v [Int; 2],
        cost: Cost,
    ) -> Evaluated<bool> {
        let [left, right] = operands;
        match (self.int(left), self.int(right)) {
            (Ok(Number::Int(left)), Ok(Number::Int(right))) => {
                self.meter.charge(1)?;
                Ok(operator.admits(left.cmp(&right)))
            }
            (left, right) => {
                let operands = self.values_of_ints(left, right, cost)?;
                self.compare_values(operator, &operands, cost)
            }
        }
    }

    fn compute(&mut self, operator: Arithmetic, operands: &'v [Int; 2]) -> Evaluated<Number<'v>> {
        let [left, right] = operands;
        match (self.int(left), self.int(right)) {
            (Ok(Number::Int(left)), Ok(Number::Int(right))) => {
                self.meter.charge(1)?;
                operator.of_ints(left, right).map(Number::Int)
            }
            (left, right) => {
                let [left, right] = self.values_of_ints(left, right, Cost::Unit)?;
                self.meter.charge(1)?;
                operator.apply(&left, &right, self.meter).map(Number::of)
            }
        }
    }

    /// Both operands, of which one fails or is not an integer.
    #[cold]
    fn values_of_ints(
        &self,
        left: Evaluated<Number<'v>>,
        right: Evaluated<Number<'v>>,
        cost: Cost,
    ) -> Evaluated<[Value<'v>; 2]> {
        match (left, right) {
            (Ok(left), Ok(right)) => Ok([left.into_value(), right.into_value()]),
            (left, right) => {
                let operands = [left, right].map(|operand| operand.map(Number::into_value));
                Err(self.failed(cost, operands))
            }
        }
    }
}
