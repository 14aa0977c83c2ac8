//! The kinds of costs of functions. Each row of the table of functions names one.

use super::{PER_CHARACTER, PER_PATTERN_CHARACTER, Size, scaled};
use crate::check::types::{Opaque, Type};
use crate::facts::Fact;
use crate::since::Facts;

/// How the cost of a call and the size of its result follow from the sizes of its arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cost {
    /// One unit.
    Unit,
    /// Reading the receiver; the result is at most as long.
    Read,
    /// Reading the argument once. Estimates of earlier releases are one unit ([`Fact::CostOfParsing`]).
    Parse,
    /// As [`Self::Parse`], read twice.
    ParseTwice,
    /// A question to the authorizer of a cluster.
    Authorize,
    /// Reading the argument, also in the estimate.
    ParseUrl,
    /// Visiting a list and its texts, or reading a text.
    Traverse,
    Replace,
    Split,
    Join,
    /// Text times pattern, for `find` and `findAll`.
    Find,
    /// Text times pattern, for `matches` with a receiver.
    Match,
    /// `format.validate`.
    Validate,
    /// Text times text.
    Contain,
    /// The estimate is for the argument, the count for the receiver.
    Affix,
    TextOfBytes,
    BytesOfText,
    Quote,
    Format,
    /// Two operands that are compared: the shorter one.
    Compare,
    /// As [`Self::Compare`], and one unit for the types of Kubernetes.
    Equal,
    /// `in` of a list.
    Contained,
    AddTexts,
    AddLists,
    /// Each pair of items of two lists, this many times.
    Sets(u8),
    ContainIp,
    ContainCidr,
    /// A function on a list that makes a list.
    Slice,
    Flatten,
    Range,
    Reverse,
    Distinct,
    Sort,
}

impl Cost {
    /// Returns `true` if servers find the cost by the name of the function, for any types.
    pub(crate) const fn is_of_name(self) -> bool {
        matches!(
            self,
            Self::Read
                | Self::Parse
                | Self::ParseTwice
                | Self::ParseUrl
                | Self::Authorize
                | Self::Traverse
                | Self::Replace
                | Self::Split
                | Self::Join
                | Self::Find
                | Self::Validate
                | Self::ContainIp
                | Self::ContainCidr
                | Self::Equal
        )
    }
}

/// An argument of a call as an estimate sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument<'a> {
    pub(crate) kind: &'a Type,
    pub(crate) size: Option<Size>,
    /// The size of the items of a list, if their place in the schema is known.
    pub(crate) items: Option<Size>,
    /// An integer that is written as a literal.
    pub(crate) literal: Option<i64>,
}

impl Argument<'_> {
    fn size(&self) -> Size {
        self.size.unwrap_or(Size::UNKNOWN)
    }
}

/// The largest pattern of a format.
const FORMAT_PATTERN: f64 = 128.0;

/// The cost of a question to the authorizer: an expression can ask two.
pub(crate) const AUTHORIZATION: u64 = 350_000;

/// The length of the name of a format.
const FORMAT: u64 = 64;

/// The estimated cost of a call without its arguments, and the size of the result if the function determines it.
pub(crate) fn estimate(
    cost: Cost,
    arguments: &[Argument<'_>],
    facts: Facts,
) -> (u64, Option<Size>) {
    if matches!(cost, Cost::Parse | Cost::ParseTwice) && !facts.hold(Fact::CostOfParsing) {
        return (1, None);
    }
    match of_text(cost, arguments).or_else(|| of_list(cost, arguments)) {
        Some((units, size)) => (units, Some(size)),
        None => (of_others(cost, arguments), None),
    }
}

fn size(arguments: &[Argument<'_>], at: usize) -> Size {
    arguments.get(at).map_or(Size::UNKNOWN, Argument::size)
}

/// The cost of reading a text of a size.
fn read(size: Size) -> u64 {
    scaled(size.max, PER_CHARACTER)
}

/// A call that makes a text or bytes.
fn of_text(cost: Cost, arguments: &[Argument<'_>]) -> Option<(u64, Size)> {
    let (own, second) = (size(arguments, 0), size(arguments, 1));
    Some(match cost {
        Cost::Read | Cost::ParseUrl => (read(own), own),
        Cost::Replace => {
            let replaced = replaced(own, second, size(arguments, 2));
            (scaled(own.max, 2.0 * PER_CHARACTER), replaced)
        }
        Cost::Join => {
            let joined = joined(arguments);
            (read(joined), joined)
        }
        Cost::Find => (search(own, second), Size::at_most(own.max)),
        Cost::BytesOfText => (read(own), Size { min: own.min, max: own.max.saturating_mul(4) }),
        Cost::TextOfBytes => (read(own), Size { min: own.min / 4, max: own.max }),
        Cost::Quote => {
            let max = own.max.saturating_mul(2).saturating_add(2);
            (read(own), Size { min: own.min.saturating_add(2), max })
        }
        Cost::AddTexts => {
            let sum = own.plus(second);
            (read(sum), sum)
        }
        _ => return None,
    })
}

/// A call that makes a list.
fn of_list(cost: Cost, arguments: &[Argument<'_>]) -> Option<(u64, Size)> {
    let own = size(arguments, 0);
    Some(match cost {
        Cost::Split => {
            let limit = arguments.get(2).and_then(|limit| limit.literal);
            let parts = limit.map_or(own.max, i64::cast_unsigned);
            (scaled(own.max, 2.0 * PER_CHARACTER), Size::at_most(parts))
        }
        Cost::AddLists => (1, own.plus(size(arguments, 1))),
        Cost::Slice => {
            let literal = |at: usize, otherwise: u64| as_unsigned(arguments.get(at), otherwise);
            let length = literal(2, own.max).wrapping_sub(literal(1, 0));
            new_list(1.0, Size::exactly(length))
        }
        Cost::Range => new_list(1.0, Size::exactly(as_unsigned(arguments.first(), u64::MAX))),
        Cost::Reverse => new_list(1.0, own),
        Cost::Flatten => {
            let depth =
                if arguments.len() > 1 { as_unsigned(arguments.get(1), u64::MAX) } else { 1 };
            #[allow(clippy::cast_precision_loss, reason = "servers compute with floats")]
            new_list(depth as f64, own)
        }
        Cost::Distinct => new_list(2.0, own.times(own)),
        Cost::Sort => {
            new_list(sort_factor(arguments.first().map(|list| list.kind)), own.times(own))
        }
        _ => return None,
    })
}

/// A call whose result has the size of its type.
fn of_others(cost: Cost, arguments: &[Argument<'_>]) -> u64 {
    let (own, second) = (size(arguments, 0), size(arguments, 1));
    match cost {
        Cost::Authorize => AUTHORIZATION,
        Cost::Parse | Cost::Format => read(own),
        Cost::ParseTwice => scaled(own.max, 2.0 * PER_CHARACTER),
        Cost::Traverse => traverse(arguments),
        Cost::Match => search(own, second),
        Cost::Validate => scaled(read(second), FORMAT_PATTERN * PER_PATTERN_CHARACTER),
        Cost::Contain => read(own).saturating_mul(read(second)),
        Cost::Affix => read(second),
        Cost::Compare => scaled(own.max.min(second.max), PER_CHARACTER),
        Cost::Equal => equality(arguments),
        Cost::Contained => second.max,
        Cost::Sets(times) => scaled(own.times(second).max, f64::from(times)).saturating_add(1),
        Cost::ContainIp => 4 + parsed(arguments),
        Cost::ContainCidr => 7 + parsed(arguments),
        _ => 1,
    }
}

/// What the comparisons of a sort cost for each pair of items.
pub(crate) fn sort_factor(list: Option<&Type>) -> f64 {
    match list {
        Some(Type::List(item)) if !matches!(**item, Type::String | Type::Bytes | Type::Dyn) => 2.0,
        _ => 2.0 + PER_CHARACTER,
    }
}

/// The cost of a call that makes a list, and the size of the list as servers estimate it.
pub(crate) fn new_list(factor: f64, size: Size) -> (u64, Size) {
    (scaled(size.max, factor).saturating_add(1 + super::NEW_LIST), size)
}

fn as_unsigned(argument: Option<&Argument<'_>>, otherwise: u64) -> u64 {
    let literal = argument.and_then(|argument| argument.literal);
    literal.map_or(otherwise, |literal| u64::try_from(literal).unwrap_or_default())
}

fn traverse(arguments: &[Argument<'_>]) -> u64 {
    let Some(own) = arguments.first() else { return 1 };
    let Type::List(item) = own.kind else { return scaled(own.size().max, PER_CHARACTER) };
    let mut of_item = 1_u64;
    if matches!(**item, Type::String | Type::Bytes) {
        let size = own.items.unwrap_or(Size::UNKNOWN);
        of_item = of_item.saturating_add(scaled(size.max, PER_CHARACTER));
    }
    own.size().max.saturating_mul(of_item)
}

/// The cost of a pattern on a text. An empty text counts as one character.
fn search(text: Size, pattern: Size) -> u64 {
    let text = scaled(text.max.saturating_add(1), PER_CHARACTER);
    text.saturating_mul(scaled(pattern.max, PER_PATTERN_CHARACTER))
}

/// The size of a text whose parts are replaced.
fn replaced(own: Size, from: Size, to: Size) -> Size {
    let (mut count, mut kept) = (Size::exactly(0), Size::exactly(0));
    if from.min == 0 {
        count.max = own.max.saturating_add(1);
        kept.max = own.max;
    } else if to.max <= from.min {
        kept.max = own.max;
    } else {
        count.max = own.max.div_ceil(from.min);
    }
    if from.max == 0 {
        count.min = own.min.saturating_add(1);
        kept.min = own.min;
    } else if from.max <= to.min {
        kept.min = own.min;
    } else {
        count.min = own.min.div_ceil(from.max);
    }
    count.times(to).plus(kept)
}

fn joined(arguments: &[Argument<'_>]) -> Size {
    let Some(list) = arguments.first() else { return Size::UNKNOWN };
    let mut joined = Size::exactly(0);
    if matches!(list.kind, Type::List(_)) {
        joined = list.size().times(list.items.unwrap_or(Size::UNKNOWN));
    }
    if let Some(separator) = arguments.get(1) {
        let own = list.size();
        let gaps = Size { min: own.min.saturating_sub(1), max: own.max.saturating_sub(1) };
        joined = joined.plus(separator.size().times(gaps));
    }
    joined
}

/// What the argument of a function on networks costs, if it is a text.
fn parsed(arguments: &[Argument<'_>]) -> u64 {
    match arguments.get(1) {
        Some(argument) if matches!(argument.kind, Type::String | Type::Dyn) => {
            scaled(argument.size().max, PER_CHARACTER)
        }
        _ => 0,
    }
}

fn equality(arguments: &[Argument<'_>]) -> u64 {
    let [a, b] = arguments else { return 1 };
    match (a.kind, b.kind) {
        (Type::Opaque(own), Type::Opaque(other)) if own == other => match own {
            Opaque::Format => scaled(FORMAT, PER_CHARACTER),
            Opaque::Url => scaled(b.size.map_or(1, |size| size.max), PER_CHARACTER),
            _ => 1,
        },
        _ => scaled(a.size().max.min(b.size().max), PER_CHARACTER),
    }
}
