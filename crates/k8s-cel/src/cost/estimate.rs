//! The estimated cost of an expression, as servers compute it when a rule is created (`checker.Cost` of cel-go).

use std::sync::Arc;

use super::function::{self, Argument};
use super::{NEW_LIST, NEW_MAP, Size};
use crate::check::schema::{Shape, ShapeKind};
use crate::check::types::Type;
use crate::facts::Fact;
use crate::functions::library;
use crate::since::Facts;
use crate::syntax::ast::{Call, Comprehension, Expr, Kind, Literal, Macro};

/// The largest cost of an expression on values of a shape.
pub(crate) fn estimate(expression: &Expr, shape: Option<&Shape>, facts: Facts) -> u64 {
    let has_entries = facts.hold(Fact::CostOfEntries);
    Estimator { root: shape, locals: Vec::new(), has_entries, facts }.visit(expression).cost
}

/// Where a value is in the schema, as servers follow it: from any name to the value with the rule, and from that value to its
/// parts. The first step from a value without a place also leads to the value with the rule.
#[derive(Clone, Copy, Debug)]
enum SchemaPlace<'s> {
    None,
    At(&'s Shape),
    /// A key of a map. Servers count it as an empty text.
    Key,
    Lost,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Item,
    Value,
    Key,
    Index,
    Field(&'a str),
}

/// The sizes of the keys and values of a list or map that an expression makes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    is_list: bool,
    key: Size,
    value: Size,
}

impl Entry {
    fn union(self, other: Self) -> Self {
        Self {
            is_list: self.is_list,
            key: self.key.union(other.key),
            value: self.value.union(other.value),
        }
    }
}

/// The estimate for the value of an expression.
#[derive(Clone, Copy, Debug)]
struct Node<'s> {
    cost: u64,
    size: Option<Size>,
    entry: Option<Entry>,
    place: SchemaPlace<'s>,
}

impl Node<'_> {
    fn size(&self) -> Size {
        self.size.unwrap_or(Size::UNKNOWN)
    }
}

struct Local<'s> {
    name: Arc<str>,
    size: Option<Size>,
    entry: Option<Entry>,
    place: SchemaPlace<'s>,
}

struct Estimator<'s> {
    root: Option<&'s Shape>,
    locals: Vec<Local<'s>>,
    /// Whether servers follow the sizes of items into lists that an expression makes.
    has_entries: bool,
    facts: Facts,
}

/// The size of a value that has one by its type.
fn size_of_type(kind: &Type) -> Option<Size> {
    match kind {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => {
            Some(Size::exactly(1))
        }
        Type::Optional(value) => size_of_type(value),
        _ => None,
    }
}

fn size_of_literal(literal: &Literal) -> Size {
    let size = match literal {
        Literal::String(text) => text.chars().count(),
        Literal::Bytes(bytes) => bytes.len(),
        _ => 1,
    };
    Size::exactly(size as u64)
}

impl<'s> Estimator<'s> {
    fn below(&self, place: SchemaPlace<'s>, step: Step<'_>) -> SchemaPlace<'s> {
        let shape = match place {
            SchemaPlace::None => return self.root.map_or(SchemaPlace::Lost, SchemaPlace::At),
            SchemaPlace::At(shape) => shape,
            SchemaPlace::Key | SchemaPlace::Lost => return SchemaPlace::Lost,
        };
        match (step, &shape.kind) {
            (Step::Item | Step::Value, ShapeKind::List(list)) => SchemaPlace::At(&list.items),
            (Step::Item | Step::Value, ShapeKind::Map(values)) => SchemaPlace::At(values),
            (Step::Key, ShapeKind::Map(_)) => SchemaPlace::Key,
            (Step::Field(name), ShapeKind::Object(object)) => {
                object.field(name).map_or(SchemaPlace::Lost, |(_, shape)| SchemaPlace::At(shape))
            }
            _ => SchemaPlace::Lost,
        }
    }

    fn size_of_place(place: SchemaPlace<'s>) -> Option<Size> {
        match place {
            SchemaPlace::At(shape) => Some(Size::at_most(shape.max_elements)),
            SchemaPlace::Key => Some(Size::at_most(0)),
            SchemaPlace::None | SchemaPlace::Lost => None,
        }
    }

    /// A value without entries whose size is that of its place or of its type.
    fn plain(cost: u64, place: SchemaPlace<'s>, kind: &Type) -> Node<'s> {
        let size = Self::size_of_place(place).or_else(|| size_of_type(kind));
        Node { cost, size, entry: None, place }
    }

    /// One of two values, after a condition with a cost.
    fn either(condition: u64, yes: &Node<'s>, no: &Node<'s>) -> Node<'s> {
        Node {
            cost: condition.saturating_add(yes.cost.max(no.cost)),
            size: Some(yes.size().union(no.size())),
            entry: yes.entry.zip(no.entry).map(|(yes, no)| yes.union(no)),
            place: SchemaPlace::None,
        }
    }

    fn visit(&mut self, expression: &Expr) -> Node<'s> {
        match &expression.kind {
            Kind::Literal(literal) => Node {
                cost: 0,
                size: Some(size_of_literal(literal)),
                entry: None,
                place: SchemaPlace::None,
            },
            Kind::Name(name) => self.name(name, &expression.of),
            Kind::TypeName(_) => {
                Self::plain(1, self.below(SchemaPlace::None, Step::Item), &expression.of)
            }
            Kind::Select { operand, field, optional } => {
                self.select(operand, field, *optional, &expression.of)
            }
            Kind::Has { operand, .. } => {
                let cost = self.visit(operand).cost;
                Self::plain(cost, SchemaPlace::None, &expression.of)
            }
            Kind::Call(call) => self.call(call, &expression.of),
            Kind::List(items) => {
                let items = self.visit_all(items.iter().map(|item| &item.value));
                self.literal(items.len(), NEW_LIST, &[], &items)
            }
            Kind::Map(entries) => {
                let keys = self.visit_all(entries.iter().map(|entry| &entry.key));
                let values = self.visit_all(entries.iter().map(|entry| &entry.value));
                self.literal(values.len(), NEW_MAP, &keys, &values)
            }
            Kind::Message { .. } => Self::plain(0, SchemaPlace::None, &expression.of),
            Kind::And(operands) | Kind::Or(operands) => {
                let costs = operands.iter().map(|operand| self.visit(operand).cost);
                let cost = costs.fold(0, u64::saturating_add);
                Self::plain(cost, SchemaPlace::None, &expression.of)
            }
            Kind::Conditional(operands) => {
                let [condition, yes, no] = &**operands;
                let cost = self.visit(condition).cost;
                Self::either(cost, &self.visit(yes), &self.visit(no))
            }
            Kind::Comprehension(visit) if visit.kind == Macro::SortBy => self.sort_by(visit),
            Kind::Comprehension(visit) => {
                let range = self.visit(&visit.range);
                self.comprehension(visit, range)
            }
            Kind::OptionalMap { target, name, result, flat } => {
                self.optional_map(target, name, result, *flat, &expression.of)
            }
        }
    }

    fn visit_all<'e>(&mut self, expressions: impl Iterator<Item = &'e Expr>) -> Vec<Node<'s>> {
        expressions.map(|expression| self.visit(expression)).collect()
    }

    fn name(&self, name: &str, kind: &Type) -> Node<'s> {
        let local = self.locals.iter().rev().find(|local| &*local.name == name);
        let Some(local) = local else {
            return Self::plain(1, self.below(SchemaPlace::None, Step::Item), kind);
        };
        let mut node = Self::plain(1, local.place, kind);
        node.size = node.size.or(local.size);
        node.entry = local.entry;
        node
    }

    fn select(&mut self, operand: &Expr, field: &str, is_optional: bool, kind: &Type) -> Node<'s> {
        let own = self.visit(operand);
        if is_optional {
            return Self::plain(own.cost.saturating_add(1), SchemaPlace::None, kind);
        }
        let counts = matches!(operand.of, Type::Map(_) | Type::Object(_) | Type::Parameter(_));
        let place = self.below(own.place, Step::Field(field));
        Self::plain(own.cost.saturating_add(u64::from(counts)), place, kind)
    }

    /// A list or a map as it is written.
    fn literal(&self, count: usize, base: u64, keys: &[Node<'s>], values: &[Node<'s>]) -> Node<'s> {
        let union = |nodes: &[Node<'s>]| {
            let sizes = nodes.iter().map(Node::size);
            sizes.reduce(Size::union).unwrap_or(Size::exactly(0))
        };
        let is_list = base == NEW_LIST;
        let key = if is_list { Size::exactly(1) } else { union(keys) };
        let entry = Entry { is_list, key, value: union(values) };
        let costs = keys.iter().chain(values).map(|node| node.cost);
        Node {
            cost: costs.fold(base, u64::saturating_add),
            size: Some(Size::exactly(count as u64)),
            entry: Some(entry).filter(|_| self.has_entries),
            place: SchemaPlace::None,
        }
    }

    fn call(&mut self, call: &Call, kind: &Type) -> Node<'s> {
        let nodes: Vec<Node<'s>> =
            call.arguments.iter().map(|argument| self.visit(argument)).collect();
        let cost = nodes.iter().fold(0, |sum: u64, node| sum.saturating_add(node.cost));
        if let ("dyn", [argument]) = (&*call.function, nodes.as_slice()) {
            let cost = cost.saturating_add(1);
            return if self.has_entries {
                Node { cost, place: SchemaPlace::None, ..*argument }
            } else {
                Self::plain(cost, SchemaPlace::None, kind)
            };
        }
        if &*call.function == "_[_]"
            && let [own, index] = nodes.as_slice()
        {
            return self.index(call, own, index, kind);
        }
        let arguments: Vec<Argument<'_>> = call
            .arguments
            .iter()
            .zip(&nodes)
            .map(|(argument, node)| self.argument(argument, node))
            .collect();
        let (mut own, mut size) = (0, None::<Size>);
        for index in &call.overloads {
            let row = library::cost(&call.function, *index);
            let (cost, result) = function::estimate(row, &arguments, self.facts);
            own = own.max(cost);
            size = match (size, result) {
                (Some(size), Some(result)) => Some(size.union(result)),
                (size, result) => size.or(result),
            };
        }
        let mut node = Self::plain(cost.saturating_add(own), SchemaPlace::None, kind);
        node.size = size.or(node.size);
        if let ("_+_", [a, b]) = (&*call.function, nodes.as_slice()) {
            node.entry = a.entry.zip(b.entry).map(|(a, b)| a.union(b));
        }
        node
    }

    fn argument<'a>(&self, expression: &'a Expr, node: &Node<'s>) -> Argument<'a> {
        let items = match node.place {
            SchemaPlace::None => None,
            place => Self::size_of_place(self.below(place, Step::Item)),
        };
        let literal = match &expression.kind {
            Kind::Literal(Literal::Int(value)) => Some(*value),
            _ => None,
        };
        Argument { kind: &expression.of, size: node.size, items, literal }
    }

    fn index(&self, call: &Call, own: &Node<'s>, index: &Node<'s>, kind: &Type) -> Node<'s> {
        let cost = own.cost.saturating_add(index.cost).saturating_add(1);
        let is_list = call.overloads.contains(&0);
        let is_map = call.overloads.contains(&1);
        if !is_list && !is_map {
            return Self::plain(cost, SchemaPlace::None, kind);
        }
        let step = if is_map { Step::Value } else { Step::Item };
        let mut node = Self::plain(cost, self.below(own.place, step), kind);
        node.size = own.entry.map(|entry| entry.value).or(node.size);
        node
    }

    fn bind(
        &mut self,
        name: &Arc<str>,
        size: Option<Size>,
        entry: Option<Entry>,
        place: SchemaPlace<'s>,
    ) {
        self.locals.push(Local { name: name.clone(), size, entry, place });
    }

    /// Binds the names of a comprehension to the parts of its range.
    fn bind_items(&mut self, visit: &Comprehension, range: &Node<'s>) {
        let is_list = match range.entry {
            Some(entry) => entry.is_list,
            None => matches!(visit.range.of, Type::List(_)),
        };
        let key = range.entry.map(|entry| entry.key);
        let value = range.entry.map(|entry| entry.value);
        let (first, second) =
            if is_list { (Step::Index, Step::Item) } else { (Step::Key, Step::Value) };
        match &visit.second {
            Some(name) => {
                self.bind(&visit.first, key, None, self.below(range.place, first));
                self.bind(name, value, None, self.below(range.place, second));
            }
            None if is_list => {
                self.bind(&visit.first, value, None, self.below(range.place, second));
            }
            None => self.bind(&visit.first, key, None, self.below(range.place, first)),
        }
    }

    /// A macro that visits items. Servers write each as a loop over a result, whose parts are counted here.
    fn comprehension(&mut self, visit: &Comprehension, range: Node<'s>) -> Node<'s> {
        let depth = self.locals.len();
        self.bind_items(visit, &range);
        let filter = visit.filter.as_ref().map(|filter| self.visit(filter).cost);
        let body = self.visit(&visit.body);
        self.locals.truncate(depth);
        let (start, step, end) = match visit.kind {
            // The condition of the loop, and the operator with the result so far.
            Macro::All => (0, body.cost.saturating_add(3), 1),
            Macro::Exists => (0, body.cost.saturating_add(4), 1),
            Macro::ExistsOne => (0, body.cost.saturating_add(2), 2),
            Macro::List | Macro::SortBy => (NEW_LIST, body.cost.saturating_add(2 + NEW_LIST), 1),
            Macro::Map => (NEW_MAP, body.cost.saturating_add(3), 1),
            Macro::Entries => (NEW_MAP, body.cost.saturating_add(2), 1),
        };
        let step = filter.map_or(step, |filter| filter.saturating_add(step.max(1)));
        let loops = range.size().max.saturating_mul(step);
        let cost = range.cost.saturating_add(start + end).saturating_add(loops);
        let (size, entry) = match visit.kind {
            Macro::All | Macro::Exists | Macro::ExistsOne => (Size::exactly(1), None),
            Macro::Map | Macro::Entries => (range.size(), None),
            Macro::List | Macro::SortBy => {
                let value = Size::exactly(0).union(body.size());
                let entry = Entry { is_list: true, key: Size::exactly(1), value };
                (range.size(), Some(entry).filter(|_| self.has_entries))
            }
        };
        Node { cost, size: Some(size), entry, place: SchemaPlace::None }
    }

    /// `list.sortBy(x, key)` binds the list to a name, maps it to its keys, and sorts it by them.
    fn sort_by(&mut self, visit: &Comprehension) -> Node<'s> {
        let range = self.visit(&visit.range);
        let keys = self.comprehension(visit, Node { cost: 1, ..range });
        let list = Type::list(visit.body.of.clone());
        let sizes = keys.size().times(keys.size());
        let (sorting, size) = function::new_list(function::sort_factor(Some(&list)), sizes);
        let cost = NEW_LIST + 1;
        let cost =
            cost.saturating_add(range.cost).saturating_add(keys.cost).saturating_add(sorting);
        Node { cost, size: Some(size), entry: None, place: SchemaPlace::None }
    }

    /// `target.optMap(name, result)`: a condition on `hasValue()` that binds the value to the name.
    fn optional_map(
        &mut self,
        target: &Expr,
        name: &Arc<str>,
        result: &Expr,
        is_flat: bool,
        kind: &Type,
    ) -> Node<'s> {
        let target_cost = self.visit(target).cost;
        let value = match &target.of {
            Type::Optional(value) => size_of_type(value),
            _ => None,
        };
        self.bind(name, value, None, SchemaPlace::None);
        let body = self.visit(result).cost;
        self.locals.pop();
        let bound = target_cost.saturating_add(1 + NEW_LIST).saturating_add(body);
        let some = bound.saturating_add(u64::from(!is_flat));
        let cost = target_cost.saturating_add(1).saturating_add(some.max(1));
        let mut node = Self::plain(cost, SchemaPlace::None, kind);
        node.size = Some(node.size.unwrap_or(Size::UNKNOWN));
        node
    }
}
