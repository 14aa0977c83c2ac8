//! The names of items in the annotation: the fields of an item that are the same in every version. And the names of the
//! functions that convert parts.

use std::collections::BTreeMap;

use k8s_versioned_names::Version;

use super::plan::{FieldRef, How, ItemNames, Pair, Step, StructPair};
use crate::plan::RustType;

/// A list, by the version and the path of the field that has it.
type List = (String, String);

/// The fields of a list's items that another version has, too: the fields there, by their names here.
type Shared = BTreeMap<String, FieldRef>;

/// A list in two versions.
struct Counterpart {
    version: String,
    shared: Shared,
    /// Whether both versions have the same merge keys.
    same_keys: bool,
    /// The name in Rust of the field that is the whole item in the other version, or here.
    wrapped: Option<String>,
}

/// What is known about the names of all pairs.
#[derive(Default)]
struct Names {
    lists: BTreeMap<List, Vec<Counterpart>>,
    /// The functions by version and name, each with the path of the part that it converts.
    functions: BTreeMap<(String, String), String>,
}

/// Decides by which fields the items of each list are named. The names have to be the same in all versions.
pub(super) fn name(pairs: &mut [Pair]) {
    let mut names = Names::default();
    for pair in pairs.iter() {
        collect(pair, &pair.object, &mut names.lists);
    }
    for pair in pairs {
        let version = pair.from.clone();
        names.set(&version, &mut pair.object);
    }
}

fn collect(pair: &Pair, of: &StructPair, lists: &mut BTreeMap<List, Vec<Counterpart>>) {
    for step in &of.steps {
        match (&step.how, &step.from, &step.to) {
            (How::Into(inner) | How::Part { pair: inner, .. }, Some(from), Some(to)) => {
                let shared = shared(&inner.steps);
                let there = from.keys.iter().map(|key| shared.get(key).map(FieldRef::name));
                let keys = to.keys.iter().map(|key| Some(key.as_str().into()));
                let same_keys = there.eq(keys) && !from.keys.is_empty();
                let list = lists.entry((pair.from.clone(), from.path.clone())).or_default();
                let version = pair.to.clone();
                list.push(Counterpart { version, shared, same_keys, wrapped: None });
                collect(pair, inner, lists);
            }
            (How::Items(_), Some(from), _) if step.wrapped().is_some() => {
                let (version, wrapped) = (pair.to.clone(), step.wrapped().map(str::to_owned));
                let list = lists.entry((pair.from.clone(), from.path.clone())).or_default();
                let shared = Shared::new();
                list.push(Counterpart { version, shared, same_keys: false, wrapped });
            }
            (How::Nest(_, inner) | How::Flatten(_, inner), ..) => collect(pair, inner, lists),
            _ => {}
        }
    }
}

/// The plain fields that both versions have.
fn shared(steps: &[Step]) -> Shared {
    let same = steps.iter().filter_map(|step| match (&step.how, &step.from, &step.to) {
        (How::Same, Some(from), Some(to)) if is_scalar(&from.rust_type) => {
            Some((from.name().into_owned(), to.clone()))
        }
        _ => None,
    });
    same.collect()
}

fn is_scalar(rust_type: &RustType) -> bool {
    matches!(
        rust_type.present(),
        RustType::Bool | RustType::I32 | RustType::I64 | RustType::String | RustType::Vocabulary(_)
    )
}

impl Names {
    fn set(&mut self, version: &str, of: &mut StructPair) {
        for step in &mut of.steps {
            if let Some(via) = &mut step.via {
                self.set_part((&via.from, &via.field), &mut via.pair, &mut via.items);
            }
            match (&mut step.how, &step.from) {
                (How::Part { pair, items, .. }, Some(from)) => {
                    self.set_part((version, from), pair, items);
                    self.set(version, pair);
                }
                (How::Nest(_, inner) | How::Flatten(_, inner), _) => self.set(version, inner),
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
        if let Some(list) = self.lists.get(&(version.to_owned(), field.path.clone())) {
            *items = names(version, field, list, &pair.steps);
        }
        pair.function = self.function(version, field);
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
        return ItemNames { fields: vec![field.clone()], are_keys: true };
    }
    let are_keys = others.iter().all(|other| other.same_keys);
    let rank = |version: &str| version.parse::<Version>().ok();
    let mut others: Vec<&Counterpart> = others.iter().collect();
    others.sort_by_key(|other| rank(&other.version));
    // In the order of the names in the lowest version.
    let lowest = others.first().filter(|other| rank(&other.version) < rank(version));
    let mut named = BTreeMap::new();
    for from in steps.iter().filter_map(|step| step.from.as_ref()) {
        let name = from.name();
        let in_all = others.iter().all(|other| other.shared.contains_key(&*name));
        if in_all && (!are_keys || list.keys.iter().any(|key| *key == name)) {
            let first = lowest.and_then(|other| other.shared.get(&*name)).map(FieldRef::name);
            let first = first.unwrap_or_else(|| name.clone()).into_owned();
            // A server of another version fills the field in on the way.
            let there =
                || others.iter().find_map(|other| other.shared.get(&*name)?.default.clone());
            let default = from.default.clone().or_else(there);
            named.insert(first, FieldRef { default, ..from.clone() });
        }
    }
    ItemNames { fields: named.into_values().collect(), are_keys }
}
