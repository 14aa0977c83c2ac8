//! The operations whose bodies hold a type, and the fields that lead to it.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::successors;

use super::Tree;
use crate::model::Model;
use crate::spec::{Operation, ValueType, own_name};

/// The operations that hold a type or one of its fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) in_requests: bool,
    pub(super) in_responses: bool,
    /// A tree for each operation: its bodies, and the fields that lead from there.
    pub(super) trees: Vec<Tree>,
}

/// The types that the walks of a comparison may still enter. The documents of a whole release need a small part of
/// [`BUDGET`]; hostile documents have more paths than memory can hold.
pub(super) type Budget = Cell<usize>;

pub(super) const BUDGET: usize = 1_000_000;

/// Finds what holds the types of a model. What all searches need is found once: a comparison can have thousands.
pub(super) struct Search<'a> {
    pub(super) model: &'a Model,
    /// The types that hold a type.
    around: BTreeMap<&'a str, Vec<&'a str>>,
    operations: Vec<&'a Operation>,
    budget: &'a Budget,
}

impl<'a> Search<'a> {
    pub(super) fn of(model: &'a Model, budget: &'a Budget) -> Self {
        let mut around: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, of) in &model.types {
            for held in of.values().filter_map(|(.., value)| value.reference()) {
                around.entry(held).or_default().push(name);
            }
        }
        let mut operations: Vec<&Operation> = model.operations.values().collect();
        operations.sort_by(|a, b| (&a.path, a.method).cmp(&(&b.path, b.method)));
        Self { model, around, operations, budget }
    }

    /// The operations whose bodies hold the type `target`; the paths end with `field`, if there is one.
    pub(super) fn reach(&self, target: &str, field: Option<&str>) -> Reach {
        let walk = Walk { search: self, target, field, holders: self.holders(target) };
        let mut reach = Reach::default();
        let mut not_shown = 0_usize;
        for operation in &self.operations {
            let body = operation.body.as_ref().map(|(body, _)| body.schema.as_str());
            let body = body.filter(|schema| walk.holders.contains(schema));
            let mut responses = responses(operation);
            responses.retain(|(_, schema)| walk.holders.contains(schema));
            reach.in_requests |= body.is_some();
            reach.in_responses |= !responses.is_empty();
            let mut bodies = Vec::new();
            if let Some(schema) = body {
                bodies.extend(body_tree("request".to_owned(), walk.paths(schema)));
            }
            for (statuses, schema) in &responses {
                bodies.extend(body_tree(format!("response {statuses}"), walk.paths(schema)));
            }
            if !bodies.is_empty() {
                reach.trees.push(Tree { text: title(operation), children: bodies });
            } else if body.is_some() || !responses.is_empty() {
                not_shown += 1;
            }
        }
        if not_shown > 0 {
            reach.trees.push(Tree::leaf(format!("{not_shown} more operations")));
        }
        reach
    }

    /// The types that hold `target`, and itself.
    fn holders<'t>(&'t self, target: &'t str) -> BTreeSet<&'t str> {
        let mut holders = BTreeSet::new();
        let mut open = vec![target];
        while let Some(name) = open.pop() {
            if holders.insert(name) {
                open.extend(self.around.get(name).into_iter().flatten());
            }
        }
        holders
    }
}

/// The method and the path.
pub(super) fn title(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

/// The types of the responses, each with its status codes.
fn responses(operation: &Operation) -> Vec<(String, &str)> {
    let mut by_schema: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (status, body) in &operation.responses {
        if let Some(body) = body {
            let statuses = by_schema.entry(&body.schema).or_default();
            statuses.push(status.to_string());
        }
    }
    let joined = |(schema, statuses): (_, Vec<String>)| (statuses.join(", "), schema);
    by_schema.into_iter().map(joined).collect()
}

/// The lines of a body: a single path is in the line of the body, several are below it.
fn body_tree(body: String, mut paths: Vec<String>) -> Option<Tree> {
    match paths.len() {
        0 => None,
        1 => Some(Tree::leaf(format!("{body}: {}", paths.remove(0)))),
        _ => Some(Tree { text: body, children: paths.into_iter().map(Tree::leaf).collect() }),
    }
}

/// The marks after a field in the path to its items: `[]` for a list, `{}` for a map.
fn marks(value: &ValueType) -> String {
    match value {
        ValueType::List(item) => "[]".to_owned() + &marks(item),
        ValueType::Map(value) => "{}".to_owned() + &marks(value),
        ValueType::Nullable(value) => marks(value),
        _ => String::new(),
    }
}

struct Walk<'a> {
    search: &'a Search<'a>,
    target: &'a str,
    field: Option<&'a str>,
    holders: BTreeSet<&'a str>,
}

/// A type on the way to the target.
struct Visit<'a> {
    name: &'a str,
    /// The visit before this one.
    before: Option<usize>,
    /// The part of the path that leads from there.
    text: String,
}

impl<'a> Walk<'a> {
    /// The paths from the type `from` to the target, such as `LeaseList.items[].metadata`: one for each value of the target
    /// in the types between. The shortest ones come first, as each type is entered once.
    fn paths(&self, from: &'a str) -> Vec<String> {
        let mut visits = vec![Visit { name: from, before: None, text: own_name(from).to_owned() }];
        let (mut entered, mut found) = (BTreeSet::new(), Vec::new());
        let mut index = 0;
        let Search { model, budget, .. } = self.search;
        while let Some(visit) = visits.get(index).filter(|_| budget.get() > 0) {
            budget.set(budget.get() - 1);
            let name = visit.name;
            if name == self.target {
                found.push(self.path(&visits, visit));
            }
            if let Some(of) = model.types.get(name).filter(|_| entered.insert(name)) {
                let next = |(field, _, value): (Option<&str>, _, &'a ValueType)| {
                    let name = value.reference().filter(|name| self.holders.contains(name))?;
                    let field = field.map_or_else(String::new, |field| format!(".{field}"));
                    Some(Visit { name, before: Some(index), text: field + &marks(value) })
                };
                visits.extend(of.values().filter_map(next));
            }
            index += 1;
        }
        found
    }

    /// The path to the last visit. Of a very long one, the end.
    fn path(&self, visits: &[Visit<'_>], last: &Visit<'_>) -> String {
        const LONGEST: usize = 32;
        let back = successors(Some(last), |visit| visits.get(visit.before?));
        let mut texts: Vec<&str> =
            back.map(|visit| visit.text.as_str()).take(LONGEST + 1).collect();
        if let Some(first) = texts.get_mut(LONGEST) {
            *first = "\u{2026}";
        }
        texts.reverse();
        let field = self.field.map(|field| format!(".{field}"));
        texts.concat() + field.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Search};
    use crate::diff::side::{Side, SideSources};

    /// Without a budget the effects of a change are known still.
    #[test]
    fn walks_are_bounded() {
        let release = k8s_versioned_names::Release::new(1, 36);
        let specs = testing::specs::project();
        let sources = SideSources::read(&specs, release.into()).unwrap();
        let side = Side::read(&specs, sources).unwrap();
        let name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
        let reach = |budget| Search::of(&side.model, &Budget::new(budget)).reach(name, None);
        let (all, few) = (reach(10_000).trees, reach(20));
        let (last, shown) = few.trees.split_last().unwrap();
        assert!(few.in_requests && few.in_responses);
        assert!(shown.len() > 1 && shown == &all[..shown.len()]);
        assert_eq!(last.text, format!("{} more operations", all.len() - shown.len()));
    }
}
