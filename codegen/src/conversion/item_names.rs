//! The names of items in the annotation: the fields of an item that are the same in every version. And the names of the
//! functions that convert parts.
//!
//! Where a list in one version is an object in another, its first item is the object: a path of a field in the object has `[-]`
//! for the item.

use std::collections::BTreeSet;

use k8s_versioned_core::Version;
use litemap::LiteMap;

use super::actions::{Action, Change};
use super::plan::{FieldRef, ItemNames, Mapping, Naming, Pair, Step, StructPair};
use super::rule_step::RuleStep;
use super::steps::{first_of_list, stated::made_up};
use crate::gather::Gather;
use crate::plan::RustType;
use crate::rules::paths::FieldPath;

/// A list, by the version and the path of the field that has it.
type List = (String, FieldPath);

/// The fields of a list's items that another version shares, by their names here.
type Shared = LiteMap<String, SharedField>;

/// A field of a list's items in another version.
struct SharedField {
    field: FieldRef,
    /// Whether a rule fills it in. A program can fill it with another value, so it names an item only if it is a key.
    is_filled: bool,
}

/// A list in two versions.
struct Counterpart {
    version: String,
    shared: Shared,
    /// The merge keys there, and whether both versions have the same.
    keys: Vec<String>,
    same_keys: bool,
    /// The name in Rust of the field that is the whole item in the other version, or here.
    wrapped: Option<String>,
}

impl Counterpart {
    /// A list of which no field names an item.
    fn without_names(version: &str) -> Self {
        let (version, shared) = (version.to_owned(), Shared::new());
        Self { version, shared, keys: Vec::new(), same_keys: false, wrapped: None }
    }

    /// Returns `true` if a field names the items there.
    fn has_key(&self, name: &str) -> bool {
        let field = self.shared.get(name).map(|shared| shared.field.name());
        field.is_some_and(|field| self.keys.iter().any(|key| *key == field))
    }
}

/// What is known about the names of all pairs.
#[derive(Default)]
struct Names {
    lists: LiteMap<List, Vec<Counterpart>>,
    /// The lists whose first items are objects in other versions, and these objects.
    firsts: BTreeSet<List>,
    objects: BTreeSet<List>,
    /// The lists that are maps in other versions, each with the field that has the key.
    keyed: LiteMap<List, String>,
    /// The functions by version and name, each with the path of the part that it converts.
    functions: LiteMap<(String, String), FieldPath>,
}

/// Decides by which fields the items of each list are named. The names have to be the same in all versions.
pub(super) fn name(pairs: &mut [Pair]) {
    let mut names = Names::default();
    for pair in pairs.iter() {
        names.collect(pair, &pair.object);
    }
    for pair in pairs {
        let version = pair.from.clone();
        names.set(&version, &mut pair.object);
    }
}

impl Names {
    fn collect(&mut self, pair: &Pair, of: &StructPair) {
        for step in of.steps.iter().chain(&of.moves) {
            match (&step.how, &step.from, &step.to) {
                (Mapping::Part { pair: inner, rule, .. }, Some(from), Some(to)) => {
                    let sides = [(&pair.from, from), (&pair.to, to)];
                    match rule.as_ref().map(|step| (step, &step.action)) {
                        Some((_, Action::FirstOfList(_))) => self.add_firsts(sides),
                        Some((step, Action::KeyedList(_))) => self.add_keyed(step, sides),
                        // What can be `null` has no fields that name it.
                        Some((step, _)) if step.is_of_items() => {
                            self.list(pair, from).push(Counterpart::without_names(&pair.to));
                        }
                        _ => self.add_counterpart(pair, inner, (from, to)),
                    }
                    self.collect(pair, inner);
                }
                (Mapping::Into(inner), Some(from), Some(to)) => {
                    self.add_counterpart(pair, inner, (from, to));
                    self.collect(pair, inner);
                }
                (Mapping::Items(_), Some(from), _) if step.wrapped().is_some() => {
                    let wrapped = step.wrapped().map(str::to_owned);
                    let other = Counterpart { wrapped, ..Counterpart::without_names(&pair.to) };
                    self.list(pair, from).push(other);
                }
                (Mapping::Nest(_, inner) | Mapping::Flatten(_, inner), ..) => {
                    self.collect(pair, inner);
                }
                _ => {}
            }
        }
    }

    /// Adds the two sides of a rule `first-of-list`.
    fn add_firsts(&mut self, sides: [(&String, &FieldRef); 2]) {
        for (version, field) in sides {
            let is_object = first_of_list::is_object(field);
            let all = if is_object { &mut self.objects } else { &mut self.firsts };
            all.insert((version.clone(), field.path.clone()));
        }
    }

    /// Adds the two sides of a rule `keyed-list`.
    fn add_keyed(&mut self, step: &RuleStep, sides: [(&String, &FieldRef); 2]) {
        let Some(key) = step.key() else { return };
        for (version, field) in sides {
            self.keyed.insert((version.clone(), field.path.clone()), key.name.clone());
        }
    }

    /// Adds what a list of the source is in the target.
    fn add_counterpart(
        &mut self,
        pair: &Pair,
        inner: &StructPair,
        (from, to): (&FieldRef, &FieldRef),
    ) {
        let shared = shared(&inner.steps);
        let theirs = from.keys.iter().map(|key| shared.get(key).map(|shared| shared.field.name()));
        let keys = to.keys.iter().map(|key| Some(key.as_str().into()));
        let same_keys = theirs.eq(keys) && !from.keys.is_empty();
        let (version, keys) = (pair.to.clone(), to.keys.clone());
        self.list(pair, from).push(Counterpart { version, shared, keys, same_keys, wrapped: None });
    }

    /// The counterparts of a list of the source.
    fn list(&mut self, pair: &Pair, from: &FieldRef) -> &mut Vec<Counterpart> {
        self.lists.entry((pair.from.clone(), from.path.clone())).or_default()
    }
}

/// The plain fields that have the same value in both versions.
fn shared(steps: &[Step]) -> Shared {
    let same = steps.iter().filter_map(|step| {
        let (from, to) = step.from.as_ref().zip(step.to.as_ref())?;
        let change = match &step.how {
            Mapping::Same => Change::Nothing,
            Mapping::Rule(step) => step.action.change()?,
            _ => return None,
        };
        let zero = || made_up(&to.rust_type).map(|zero| zero.to_string());
        let (is_filled, fill) = match change {
            Change::Nothing => (false, None),
            Change::Absent(by) => (true, by.and_then(|by| by.fill.clone().or_else(zero))),
        };
        let default = fill.or_else(|| to.default.clone());
        let shared = SharedField { field: FieldRef { default, ..to.clone() }, is_filled };
        is_scalar(&from.rust_type).then(|| (from.name().into_owned(), shared))
    });
    same.gather()
}

fn is_scalar(rust_type: &RustType) -> bool {
    matches!(
        rust_type.present(),
        RustType::Bool | RustType::I32 | RustType::I64 | RustType::String | RustType::OpenEnum(_)
    )
}

impl Names {
    fn set(&mut self, version: &str, of: &mut StructPair) {
        let moves = of.moves.iter_mut().chain(&mut of.objects_around_moves).chain(&mut of.patterns);
        let moves = moves.chain(&mut of.emptied_by_moves);
        for step in of.steps.iter_mut().chain(moves).chain(&mut of.nested_around_moves) {
            self.mark_step(step);
            if let Some(form) = &mut step.kept_form {
                self.set_part((&form.from, &form.field), &mut form.pair, &mut form.items);
                form.items.by = match form.items.by {
                    Naming::First => Naming::AfterFirst,
                    Naming::Occurrence => Naming::AfterOccurrence,
                    other => other,
                };
            }
            match (&mut step.how, &step.from) {
                (Mapping::Part { pair, items, .. }, Some(from)) => {
                    self.set_part((version, from), pair, items);
                    self.set(version, pair);
                }
                (Mapping::Nest(_, inner) | Mapping::Flatten(_, inner), _) => {
                    self.set(version, inner);
                }
                _ => {}
            }
        }
    }

    fn set_part(
        &mut self,
        (version, field): (&str, &FieldRef),
        pair: &mut StructPair,
        items: &mut ItemNames,
    ) {
        let place = (version.to_owned(), field.path.clone());
        if let Some(list) = self.lists.get(&place) {
            *items = names(version, field, list, &pair.steps);
        }
        if let Some(key) = self.keyed.get(&place) {
            let mut fields = pair.steps.iter().filter_map(|step| step.from.clone());
            let field = fields.find(|field| field.name() == *key).map(|field| FieldRef {
                // A map has no key that is absent.
                default: field.rust_type.is_option().then(|| "\"\"".to_owned()),
                ..field
            });
            *items = ItemNames { fields: field.into_iter().collect(), by: Naming::Occurrence };
        }
        if self.firsts.contains(&place) || self.objects.contains(&place) {
            items.by = Naming::First;
        }
        pair.function = self.function(version, field);
    }

    /// Marks the objects that are first items in the paths of a step.
    fn mark_step(&self, step: &mut Step) {
        self.mark(&mut step.places);
        let step = match &mut step.how {
            Mapping::Rule(step) | Mapping::Items(step) => Some(step),
            Mapping::Part { rule: step, .. }
            | Mapping::Nest(step, _)
            | Mapping::Flatten(step, _) => step.as_mut(),
            _ => None,
        };
        step.into_iter().flat_map(|step| step.paths_mut()).for_each(|paths| self.mark(paths));
    }

    fn mark(&self, places: &mut [(String, FieldPath)]) {
        for (version, path) in places {
            // The innermost first: the others end before it.
            let objects = self.objects.iter().filter(|(of, _)| of == version);
            let mut ends: Vec<usize> = objects
                .filter(|(_, object)| path.inside(object).is_some())
                .map(|(_, object)| object.len())
                .collect();
            ends.sort_unstable();
            ends.into_iter().rev().for_each(|end| path.mark_first_item(end));
        }
    }

    /// The name of the function that converts the part in a field.
    fn function(&mut self, version: &str, field: &FieldRef) -> String {
        let mut of = (version.to_owned(), format!("convert_{}", field.joined()));
        // Paths of different fields can give the same name: `spec.bell.rope` and `spec.bellRope`.
        while *self.functions.entry(of.clone()).or_insert_with(|| field.path.clone()) != field.path
        {
            of.1.push('_');
        }
        of.1
    }
}

fn names(version: &str, list: &FieldRef, others: &[Counterpart], steps: &[Step]) -> ItemNames {
    let mut fields = steps.iter().filter_map(|step| step.from.as_ref());
    if let Some(ident) = others.iter().find_map(|other| other.wrapped.as_ref())
        && let Some(field) = fields.find(|field| field.ident() == ident)
    {
        return ItemNames { fields: vec![field.clone()], by: Naming::Keys };
    }
    let are_keys = others.iter().all(|other| other.same_keys);
    let rank = |version: &str| version.parse::<Version>().ok();
    let others = others.iter().sorted_by_key(|other| rank(&other.version));
    // In the order of the names in the lowest version.
    let lowest = others.first().filter(|other| rank(&other.version) < rank(version));
    let mut named: LiteMap<String, FieldRef> = LiteMap::new();
    for from in steps.iter().filter_map(|step| step.from.as_ref()) {
        let name = from.name();
        let is_own_key = list.keys.iter().any(|key| *key == name);
        let is_key = is_own_key || others.iter().any(|other| other.has_key(&name));
        let counts = |shared: &SharedField| is_key || !shared.is_filled;
        let in_all = others.iter().all(|other| other.shared.get(&*name).is_some_and(counts));
        if in_all && (!are_keys || is_own_key) {
            let first = lowest.and_then(|other| other.shared.get(&*name));
            let first = first.map_or_else(|| name.clone(), |shared| shared.field.name());
            let first = first.into_owned();
            // A server of another version, or a rule, fills the field in on the way.
            let elsewhere =
                || others.iter().find_map(|other| other.shared.get(&*name)?.field.default.clone());
            let default = from.default.clone().or_else(elsewhere);
            named.insert(first, FieldRef { default, ..from.clone() });
        }
    }
    let by = if are_keys { Naming::Keys } else { Naming::Position };
    ItemNames { fields: named.into_iter().map(|(_, field)| field).collect(), by }
}
