//! Programs: expressions whose names, fields and functions are found, and whose constants are computed.

use std::sync::Arc;

use super::constant::Constant;
use super::patterns::Patterns;
use crate::check::schema::ObjectShape;
use crate::cost::function::Cost;
use crate::functions::library::Overload;
use crate::functions::operators::{Arithmetic, Comparison};
use crate::since::Facts;

/// A compiled expression.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) plan: Plan,
    pub(crate) facts: Facts,
    pub(crate) patterns: Patterns,
}

/// An expression to evaluate.
#[derive(Debug)]
pub(crate) enum Plan {
    Constant(Constant),
    /// A constant that is not kept as a value: servers compute it once, so it costs nothing.
    Free(Box<Self>),
    Path(Path),
    /// A field of a value without a path, and its cost.
    Select {
        operand: Box<Self>,
        field: Field,
        cost: u64,
    },
    /// `operand[key]`, and its cost without operand and key.
    Index {
        operand: Box<Self>,
        key: Box<Self>,
        optional: bool,
        cost: u64,
    },
    /// A condition. No value is made for it where only its truth matters.
    Condition(Condition),
    Arithmetic {
        operator: Arithmetic,
        operands: Box<[Self; 2]>,
        cost: Cost,
    },
    Int(Int),
    Call(Box<Invocation>),
    /// `or` and `orValue`: the second operand has a value only if it is needed.
    Alternative {
        operands: Box<[Self; 2]>,
        is_value: bool,
    },
    List(Vec<(Self, bool)>),
    Map(Vec<(Self, Self, bool)>),
    Conditional(Box<[Self; 3]>, [u64; 2]),
    Collect(Box<Collector>),
    /// `sortBy`, and the cost of keeping a key.
    SortBy(Box<Visit>, u64),
    OptionalMap {
        target: Box<Self>,
        result: Box<Self>,
        flat: bool,
    },
    Message(Arc<str>),
}

/// An expression that is true or false, or has no value.
#[derive(Debug)]
pub(crate) enum Condition {
    /// `&&` or `||`: what an operand must be to decide.
    Logical {
        operands: Vec<Plan>,
        decides: bool,
    },
    Not(Box<Plan>),
    Compare {
        operator: Comparison,
        operands: Box<[Plan; 2]>,
        cost: Cost,
    },
    CompareInts {
        operator: Comparison,
        operands: Box<[Int; 2]>,
        cost: Cost,
    },
    /// `value in [constants]`, which costs nothing.
    InConstants {
        value: Box<Plan>,
        constants: Vec<Constant>,
    },
    /// `has(operand.field)`.
    Has {
        operand: Box<Plan>,
        field: Field,
        cost: u64,
    },
    Quantify(Box<Quantification>),
}

/// An expression whose static type is an integer. At run time it can be null.
#[derive(Debug)]
pub(crate) enum Int {
    Constant(i64),
    Path(Path),
    Arithmetic { operator: Arithmetic, operands: Box<[Self; 2]> },
    Other(Box<Plan>),
}

/// A variable, and the fields that are selected from it one after another: `self.spec.replicas`.
#[derive(Debug)]
pub(crate) struct Path {
    /// The place of the variable on the stack.
    pub(crate) variable: usize,
    pub(crate) name: Arc<str>,
    pub(crate) fields: Vec<Field>,
}

/// A call of a function, with the overloads that it can have.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) function: Arc<str>,
    pub(crate) overloads: Vec<&'static Overload>,
    pub(crate) arguments: Vec<Plan>,
    /// Whether servers stop at the first argument that fails, as they do where a pattern is a constant.
    pub(crate) is_sequential: bool,
    pub(crate) cost: Cost,
}

/// The name of a field, and where objects of the static type have it.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: Arc<str>,
    pub(crate) property: Option<(Arc<ObjectShape>, usize)>,
    /// `.?`: the value is an optional.
    pub(crate) optional: bool,
}

/// What a macro evaluates for each item of a list or each entry of a map.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) range: Plan,
    /// Whether there is a second variable.
    pub(crate) two: bool,
    pub(crate) body: Plan,
}

/// A macro whose result depends on the number of items for which its body holds.
#[derive(Debug)]
pub(crate) struct Quantification {
    pub(crate) quantifier: Quantifier,
    pub(crate) visit: Visit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    All,
    Any,
    One,
}

/// A macro that collects the values of its body.
#[derive(Debug)]
pub(crate) struct Collector {
    pub(crate) into: Collection,
    pub(crate) visit: Visit,
    pub(crate) filter: Option<Plan>,
    /// The cost of adding a value, without the filter and the body.
    pub(crate) cost: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collection {
    List,
    /// A map with the keys of the range.
    Map,
    /// A map of all entries of the maps that the body makes.
    Entries,
}

impl Plan {
    /// Returns `true` for a variable and the fields selected from it, which servers resolve in one step.
    pub(super) const fn is_attribute(&self) -> bool {
        matches!(
            self,
            Self::Path(_) | Self::Select { .. } | Self::Index { .. } | Self::Conditional(..)
        )
    }

    pub(super) const fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_) | Self::Free(_))
    }
}
