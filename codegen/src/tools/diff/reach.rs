//! The fields of kinds that hold a type.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::iter::successors;

use litemap::LiteMap;

use super::finding::Bodies;
use super::side::{Side, short};
use crate::model::Model;
use crate::spec::ValueType;
use crate::text::{join, shorten};

/// What holds a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) bodies: Bodies,
    /// The fields of the bodies that hold it, a text for each body: `v1 Deployment.spec.template.spec`.
    pub(super) holders: Vec<String>,
}

/// The types that the walks of a comparison may still enter. The documents of a whole release need a small part of
/// [`BUDGET`]; hostile documents have more paths than memory can hold.
pub(super) type Budget = Cell<usize>;

pub(super) const BUDGET: usize = 1_000_000;

/// The paths in one body that are shown.
const PATHS: usize = 3;

/// Finds what holds the types of a side. What all searches need is found once: a comparison can have thousands.
pub(super) struct Search<'a> {
    side: &'a Side,
    /// The types that hold a type.
    around: LiteMap<&'a str, Vec<&'a str>>,
    /// The types of requests and responses.
    bodies: LiteMap<&'a str, Body<'a>>,
    budget: &'a Budget,
}

/// The requests and responses that are of a type.
#[derive(Default)]
struct Body<'a> {
    in_requests: bool,
    in_responses: bool,
    methods: BTreeSet<&'a str>,
}

impl<'a> Search<'a> {
    pub(super) fn new(side: &'a Side, budget: &'a Budget) -> Self {
        let mut around: LiteMap<&str, Vec<&str>> = LiteMap::new();
        for (name, of) in &side.model.types {
            for held in of.values().filter_map(|(.., value)| value.reference()) {
                around.entry(held).or_default().push(name);
            }
        }
        Self { side, around, bodies: bodies(&side.model), budget }
    }

    /// The bodies that hold the type `target`. A list of objects of a kind holds what the objects hold.
    pub(super) fn reach(&self, target: &str) -> Reach {
        let walk = Walk { search: self, target, holders: self.holders(target) };
        let mut reach = Reach::default();
        let mut not_shown = 0_usize;
        for (name, body) in self.bodies.iter().filter(|(name, _)| walk.holders.contains(*name)) {
            reach.bodies.requests |= body.in_requests;
            reach.bodies.responses |= body.in_responses;
            let mut paths = walk.paths(name);
            if paths.is_empty() {
                // It is the target, or holds it only in whole objects, unless the walk has ended too early.
                not_shown += usize::from(self.budget.get() == 0 && !self.is_list(name));
                continue;
            }
            shorten(&mut paths, PATHS, |hidden| format!("and {hidden} more fields"));
            let is_object = body.in_requests && body.in_responses;
            let methods =
                if is_object { String::new() } else { format!(" ({})", join(&body.methods, ", ")) };
            reach.holders.push(paths.join(", ") + &methods);
        }
        if not_shown > 0 {
            reach.holders.push(format!("{not_shown} more kinds"));
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

    /// Returns `true` for a list of objects that have operations of their own.
    fn is_list(&self, body: &str) -> bool {
        let items = self.side.model.types.get(body).and_then(|ty| ty.property("items"));
        let item = items.and_then(|items| items.value.reference());
        item.is_some_and(|held| self.is_of_objects(body, Some("items"), held))
    }

    /// Returns `true` if the field of a body holds whole objects that have operations of their own: the items of a list.
    fn is_of_objects(&self, body: &str, field: Option<&str>, held: &str) -> bool {
        field == Some("items") && body != held && self.bodies.contains_key(held)
    }
}

/// The types of requests and responses.
fn bodies(model: &Model) -> LiteMap<&str, Body<'_>> {
    let mut bodies: LiteMap<&str, Body<'_>> = LiteMap::new();
    for operation in model.operations.values() {
        if let Some((body, _)) = &operation.body {
            let body = bodies.entry(&body.schema).or_default();
            body.in_requests = true;
            body.methods.insert(operation.method);
        }
        for response in operation.responses.values().flatten() {
            let body = bodies.entry(&response.schema).or_default();
            body.in_responses = true;
            body.methods.insert(operation.method);
        }
    }
    bodies
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
    /// The paths from the body `from` to the target, such as `v1 Deployment.spec.template.spec`: one for each value of the
    /// target in the types between. The shortest ones come first, as each type is entered once.
    fn paths(&self, from: &'a str) -> Vec<String> {
        let Search { side, budget, .. } = self.search;
        let mut visits = vec![Visit { name: from, before: None, text: short(&side.modules, from) }];
        let (mut entered, mut paths) = (BTreeSet::new(), Vec::new());
        let mut index = 0;
        while let Some(visit) = visits.get(index).filter(|_| budget.get() > 0) {
            budget.set(budget.get() - 1);
            let name = visit.name;
            if name == self.target && index > 0 {
                paths.push(path(&visits, visit));
            }
            if let Some(of) = side.model.types.get(name).filter(|_| entered.insert(name)) {
                let next = |(field, _, value): (Option<&str>, _, &'a ValueType)| {
                    let held = value.reference().filter(|held| self.holders.contains(held))?;
                    let is_whole = index == 0 && self.search.is_of_objects(name, field, held);
                    let field = field.map_or_else(String::new, |field| format!(".{field}"));
                    let text = field + &marks(value);
                    (!is_whole).then_some(Visit { name: held, before: Some(index), text })
                };
                visits.extend(of.values().filter_map(next));
            }
            index += 1;
        }
        paths
    }
}

/// The path to the last visit. Of a very long one, the end.
fn path(visits: &[Visit<'_>], last: &Visit<'_>) -> String {
    const LONGEST: usize = 32;
    let back = successors(Some(last), |visit| visits.get(visit.before?));
    let mut texts: Vec<&str> = back.map(|visit| visit.text.as_str()).take(LONGEST + 1).collect();
    if let Some(first) = texts.get_mut(LONGEST) {
        *first = "\u{2026}";
    }
    texts.reverse();
    texts.concat()
}

#[cfg(test)]
mod tests {
    use super::super::side::{Side, SideSources};
    use super::{Budget, Search};

    /// Without a budget the effects of a change are known still.
    #[test]
    fn walks_are_bounded() {
        let release = k8s_versioned_core::Release::new(1, 36);
        let specs = testing::specs::project();
        let sources = SideSources::read(&specs, release.into()).unwrap();
        let side = Side::read(&specs, sources).unwrap();
        let name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
        let reach = |budget| Search::new(&side, &Budget::new(budget)).reach(name);
        let (all, few) = (reach(10_000).holders, reach(2));
        assert_eq!(
            all,
            [
                "v1 Lease.metadata",
                "v1alpha2 LeaseCandidate.metadata",
                "v1beta1 LeaseCandidate.metadata"
            ]
        );
        assert!(few.bodies.requests && few.bodies.responses);
        assert_eq!(few.holders, ["v1 Lease.metadata", "2 more kinds"]);
    }
}
