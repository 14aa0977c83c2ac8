//! The plan of conversions.

use std::collections::BTreeSet;

use super::actions::Action;
use super::adopt::Adoption;
pub(crate) use super::field_ref::{FieldRef, Paths};
use super::rule_step::{Effect, RuleStep};
use crate::Problems;
use crate::plan::{ItemPath, RustType, kind_name};
use crate::rules::paths::FieldPath;

/// The conversions of a kind.
#[derive(Clone, Debug)]
pub(crate) struct KindConversion {
    /// The API group.
    pub(crate) group: String,
    /// The name of the kind, such as `LeaseCandidate`.
    pub(crate) kind: String,
    /// The name of the kind within the names of its types, such as `AnyLeaseCandidate`. It differs from the kind if an earlier kind of
    /// another group has the same name.
    pub(crate) name: String,
    /// The kind of lists of it.
    pub(crate) list_kind: String,
    /// The annotation that keeps the values that a version cannot hold; `None` if every version holds all values.
    pub(crate) annotation: Option<String>,
    /// The lists inside kept fields whose items server-side apply tells apart.
    pub(crate) merged_lists: Vec<MergedList>,
    /// How the conversions of servers differ from these, for people.
    pub(crate) servers: Option<String>,
    /// Whether the objects have a `spec`.
    pub(crate) has_spec: bool,
    /// The versions, lowest first.
    pub(crate) versions: Vec<KindVersion>,
    /// The choices about absent fields.
    pub(crate) policies: Vec<Policy>,
    /// The fields that all versions share.
    pub(crate) accessors: Vec<Accessor>,
    /// The highest version of equal shape, for each version.
    pub(crate) highest: Vec<String>,
    /// One plan for each directed pair of versions, in the order of the versions of the source, then of the target.
    pub(crate) pairs: Vec<Pair>,
    /// The types of source and target that the rules declare to be the same.
    pub(crate) lossless: Vec<(ItemPath, ItemPath)>,
    /// The annotations of an earlier webhook that conversions read.
    pub(crate) adopted: Vec<Adoption>,
    /// The problems that the conversions leave.
    pub(crate) warnings: Problems,
}

impl KindConversion {
    /// The types of a kind with this name: a borrowed object of any version, an object, the versions, and the policies.
    pub(crate) fn types(name: &str) -> [String; 4] {
        [
            format!("Any{name}Ref"),
            format!("Any{name}"),
            format!("{name}Version"),
            format!("{name}Policies"),
        ]
    }

    /// The kind, and its group if another kind has its name.
    pub(crate) fn title(&self) -> String {
        if self.name == kind_name(&self.kind) {
            return self.kind.clone();
        }
        format!("{} of {}", self.kind, self.group)
    }

    /// The version of this name.
    pub(crate) fn version(&self, name: &str) -> Option<&KindVersion> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// The pair of these versions.
    pub(crate) fn pair(&self, from: &str, to: &str) -> Option<&Pair> {
        let at = |name: &str| self.versions.iter().position(|version| version.name == name);
        let (row, column) = (at(from)?, at(to)?);
        let before = row * self.versions.len().saturating_sub(1);
        // A version has no pair with itself.
        let column = if column < row { column } else { column.checked_sub(1)? };
        let found = self.pairs.get(before + column);
        found.filter(|pair| (pair.from.as_str(), pair.to.as_str()) == (from, to))
    }

    /// The highest version of equal shape, for each version.
    pub(super) fn highest_of_equal_shape(&self) -> Vec<String> {
        let highest = |version: &KindVersion| {
            let equal = |other: &&KindVersion| {
                let pair = self.pair(&other.name, &version.name);
                other.name == version.name || pair.is_some_and(|pair| pair.object.is_equal_shape())
            };
            self.versions.iter().rfind(equal).map_or_else(String::new, |found| found.name.clone())
        };
        self.versions.iter().map(highest).collect()
    }

    /// The pairs through which an object of a pair goes. Versions of equal shape share the conversions of the highest of
    /// them, which is the version that most objects come from or go to: the object takes this shape first, and the shape of the
    /// target last. A pair that has a conversion of its own is the only hop.
    pub(crate) fn hops(&self, pair: &Pair) -> Vec<&Pair> {
        let highest = |name: &str| {
            let at = self.versions.iter().position(|version| version.name == name);
            self.highest.get(at?).cloned()
        };
        let (first, last) = (highest(&pair.from), highest(&pair.to));
        let mut over: Vec<String> =
            [pair.from.clone()].into_iter().chain(first).chain(last).collect();
        over.push(pair.to.clone());
        over.dedup();
        over.windows(2).filter_map(|hop| self.pair(hop.first()?, hop.last()?)).collect()
    }

    /// The pairs of versions whose conversion applies a policy.
    pub(crate) fn asking(&self, policy: &Policy) -> Vec<&Pair> {
        let asks = |step: &&Step| step.policy() == Some(policy.name.as_str());
        let pairs = self.pairs.iter();
        pairs.filter(|pair| pair.object.leaves().iter().any(asks)).collect()
    }
}

/// A list inside a kept field whose items server-side apply tells apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MergedList {
    /// The version that has it.
    pub(crate) version: String,
    /// Its path, with `[]` for each item and each value of a map.
    pub(crate) path: FieldPath,
    /// The keys of its items; none for a set.
    pub(crate) keys: Vec<String>,
}

/// A version of a kind.
#[derive(Clone, Debug)]
pub(crate) struct KindVersion {
    /// The name of the version, such as `v1beta1`.
    pub(crate) name: String,
    /// The full name of the schema of its objects.
    pub(crate) schema: String,
    /// The type of its objects.
    pub(crate) object: ItemPath,
    /// The fields that its servers reject when they are empty.
    pub(crate) required: Vec<FieldRef>,
    /// The required members of a custom resource, each as the names that lead to it; `[]` is each item of a list or map.
    pub(crate) members: Vec<Vec<String>>,
}

/// A choice about an absent field.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// Its name in Rust.
    pub(crate) name: String,
    /// The path of the field.
    pub(crate) path: FieldPath,
    /// The type of its value.
    pub(crate) value: RustType,
    /// The path of the field whose value can replace an absent one.
    pub(crate) other: Option<FieldPath>,
}

/// A field that all versions have, in the same form or as a list and its first item.
#[derive(Clone, Debug)]
pub(crate) struct Accessor {
    /// The name of the function.
    pub(crate) name: String,
    /// The field in each version, in their order.
    pub(crate) fields: Vec<FieldRef>,
}

/// The conversion from one version to another.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The version of the source.
    pub(crate) from: String,
    /// The version of the target.
    pub(crate) to: String,
    /// The plan for the object.
    pub(crate) object: StructPair,
}

/// The plan for a struct.
#[derive(Clone, Debug)]
pub(crate) struct StructPair {
    /// The type of the source.
    pub(crate) from: ItemPath,
    /// The type of the target.
    pub(crate) to: ItemPath,
    /// The function that converts it, in the file of the pair of versions.
    pub(crate) function: String,
    /// Whether the target is an object, which has `apiVersion` and `kind`.
    pub(crate) is_object: bool,
    /// A step for each field, in the order of their paths.
    pub(crate) steps: Vec<Step>,
    /// The members that are others in the target, by patterns. Their own steps are [`Mapping::ByPattern`].
    pub(crate) patterns: Vec<Step>,
    /// The fields that move from one part of the struct into another. Their own steps are [`Mapping::Moved`].
    pub(crate) moves: Vec<Step>,
    /// The objects around these fields that can be absent, inner ones first: whether they are there in the target.
    pub(crate) objects_around_moves: Vec<Step>,
    /// The sub-objects of `nest` in the source out of which these fields move, inner ones first: without another field they are absent.
    pub(crate) emptied_by_moves: Vec<Step>,
    /// The sub-objects of `nest` around such objects, inner ones first. Whether they are there depends on these, so it is decided last:
    /// their own steps are [`Step::is_decided_last`].
    pub(crate) nested_around_moves: Vec<Step>,
}

impl Pair {
    /// The plan for the part at the path of a field in the source. Without one: the plan for the object.
    pub(crate) fn part(&self, field: Option<&FieldRef>) -> Option<&StructPair> {
        let Some(field) = field else {
            return Some(&self.object);
        };
        let mut inner = self.object.inner().into_iter();
        inner.find(|(from, _)| from.path == field.path).map(|(_, part)| part)
    }
}

impl StructPair {
    /// Returns `true` if both structs have the same fields with the same types, at any depth.
    pub(crate) fn is_equal_shape(&self) -> bool {
        self.steps.iter().all(|step| match (&step.from, &step.to) {
            (Some(from), Some(to)) => {
                let equal = matches!(
                    step.how,
                    Mapping::Same | Mapping::Into(_) | Mapping::Recursive { .. }
                );
                from.ident() == to.ident() && equal
            }
            _ => false,
        })
    }

    /// Returns `true` if a step can keep a value aside.
    pub(crate) fn can_keep(&self) -> bool {
        self.leaves().iter().any(|step| step.effect() == Effect::Keeps)
    }

    /// Returns `true` if a step can restore a kept value.
    pub(crate) fn can_restore(&self) -> bool {
        self.leaves().iter().filter_map(|step| step.by_rule()).any(RuleStep::can_restore)
    }

    /// Returns `true` if a step keeps, restores or reports values.
    pub(crate) fn has_effect(&self) -> bool {
        self.leaves().iter().any(|step| step.effect() != Effect::Nothing)
    }

    /// Returns `true` if a step uses a field of the source.
    pub(crate) fn uses_source(&self) -> bool {
        !self.moves.is_empty()
            || !self.patterns.is_empty()
            || self.steps.iter().any(|step| match &step.how {
                Mapping::Moved | Mapping::ByPattern => false,
                Mapping::Nest(_, inner) => inner.uses_source(),
                _ => step.from.is_some(),
            })
    }

    /// The steps of all fields; a part is replaced by its steps, and an object that has a step of its own is followed by them.
    pub(crate) fn leaves(&self) -> Vec<&Step> {
        let around = self.patterns.iter().chain(&self.objects_around_moves);
        let mut leaves: Vec<&Step> = around.collect();
        for step in self.steps.iter().chain(&self.moves) {
            match &step.how {
                Mapping::Part { pair, rule, .. } => {
                    leaves.extend(rule.is_some().then_some(step));
                    leaves.extend(pair.leaves());
                }
                Mapping::Nest(_, inner) | Mapping::Flatten(_, inner) => {
                    leaves.push(step);
                    leaves.extend(inner.leaves());
                }
                _ => leaves.push(step),
            }
        }
        leaves
    }

    /// The fields of the source that a struct around this one moves elsewhere.
    pub(crate) fn moved_out(&self) -> BTreeSet<&str> {
        let mut moved: BTreeSet<&str> = BTreeSet::new();
        for step in &self.steps {
            match (&step.how, &step.from) {
                (Mapping::Moved, Some(from)) => _ = moved.insert(&from.path),
                (
                    Mapping::Part { pair, .. } | Mapping::Nest(_, pair) | Mapping::Flatten(_, pair),
                    _,
                ) => {
                    moved.extend(pair.moved_out());
                }
                _ => {}
            }
        }
        for from in self.moves.iter().filter_map(|step| step.from.as_ref()) {
            moved.remove(from.path.as_str());
        }
        moved
    }

    /// The pairs inside this pair that have functions of their own, each with its field in the source. Outer pairs come first.
    pub(crate) fn inner(&self) -> Vec<(&FieldRef, &StructPair)> {
        let mut inner = Vec::new();
        for step in self.steps.iter().chain(&self.moves) {
            match (&step.how, &step.from) {
                (Mapping::Into(pair) | Mapping::Part { pair, .. }, Some(from)) => {
                    inner.push((from, pair));
                    inner.extend(pair.inner());
                }
                (Mapping::Nest(_, pair) | Mapping::Flatten(_, pair), _) => {
                    inner.extend(pair.inner());
                }
                _ => {}
            }
        }
        inner
    }

    /// The types of the source and the target.
    pub(crate) fn types(&self) -> (ItemPath, ItemPath) {
        (self.from.clone(), self.to.clone())
    }
}

/// The step for a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// The field of the source, if it has a counterpart there.
    pub(crate) from: Option<FieldRef>,
    /// The field of the target, if it has a counterpart there.
    pub(crate) to: Option<FieldRef>,
    /// The conversion of the value.
    pub(crate) how: Mapping,
    /// The name of the rule that names the field.
    pub(crate) rule: Option<&'static str>,
    /// The versions that have the field in the form that is kept, lowest first, and its path in each.
    pub(crate) places: Paths,
    /// The conversion between the form that a version has and the form that is kept, if they differ. The step of the rule
    /// is between the latter and the other version.
    pub(crate) kept_form: Option<Box<KeptForm>>,
    /// Whether the struct around it decides whether the sub-object of `nest` is there: see [`StructPair::nested_around_moves`].
    pub(crate) is_decided_last: bool,
}

/// The conversion of a field between the form in which it is kept, the lowest version's, and the form of a higher version.
#[derive(Clone, Debug)]
pub(crate) struct KeptForm {
    /// The version of the source.
    pub(crate) from: String,
    /// The version of the target.
    pub(crate) to: String,
    /// The field in the source.
    pub(crate) field: FieldRef,
    /// The plan of the struct that it is or holds. The file of the pair of these versions has its function.
    pub(crate) pair: StructPair,
    /// The names of the items, for a list.
    pub(crate) items: ItemNames,
}

impl Step {
    /// The step of the rule, if a rule states the step.
    pub(crate) fn by_rule(&self) -> Option<&RuleStep> {
        match &self.how {
            Mapping::Rule(step) | Mapping::Items(step) => Some(step),
            Mapping::Nest(step, _)
            | Mapping::Flatten(step, _)
            | Mapping::Part { rule: step, .. } => step.as_ref(),
            _ => None,
        }
    }

    /// The places of the note, read by the step, that the value of a required field of the source was made up or filled.
    pub(crate) fn notes_of_source(&self) -> Option<&Paths> {
        self.by_rule()?.notes_of_source(&self.places, self.from.as_ref()?)
    }

    /// The places of the note, written by the step, that it made up or filled the value of a required field of the target.
    pub(crate) fn notes_of_target(&self) -> Option<&Paths> {
        self.by_rule()?.notes_of_target(&self.places, self.to.as_ref()?)
    }

    /// The places of a value that the step can keep or restore. Those in one list are of the same form: a version that has one of them
    /// has the value itself.
    pub(crate) fn kept_places(&self) -> Vec<Paths> {
        if self.places.is_empty() || matches!(self.how, Mapping::Same) {
            return Vec::new();
        }
        let by_rule = self.by_rule();
        let kept = by_rule.and_then(|step| step.action.kept_places(&self.places));
        let mut kept = kept.unwrap_or_else(|| vec![self.places.clone()]);
        kept.extend(by_rule.iter().flat_map(|step| step.optional_places()));
        kept
    }

    pub(super) fn effect(&self) -> Effect {
        self.by_rule().map_or(Effect::Nothing, |step| step.effect)
    }

    /// The fields of the source whose values the step may keep; none if it only keeps whether an empty value or object was there, or if
    /// the object has the value elsewhere.
    pub(super) fn kept_fields(&self) -> &[FieldRef] {
        let keeps =
            |step: &&RuleStep| step.effect == Effect::Keeps && !step.action.moves_to_metadata();
        match self.by_rule().filter(keeps).map(|step| &step.action) {
            None | Some(Action::Nest(_) | Action::LeaveOutEmpty(_)) => &[],
            Some(Action::AbsentToZero(_) | Action::Move(_)) if self.to.is_some() => &[],
            Some(Action::Pattern(pattern)) => pattern.fields(&pattern.versions.0),
            Some(_) => self.from.as_slice(),
        }
    }

    /// The name in Rust of the field that is the value of the object in another version.
    pub(crate) fn wrapped(&self) -> Option<&str> {
        Some(&self.by_rule()?.wrapped()?.ident)
    }

    /// The name of the policy that the step asks.
    pub(crate) fn policy(&self) -> Option<&str> {
        self.by_rule()?.policy()
    }
}

/// How a field becomes its counterpart in the other version.
#[derive(Clone, Debug, Default)]
pub(crate) enum Mapping {
    /// It has the same type.
    #[default]
    Same,
    /// It has another type with equal fields, or holds such values.
    Into(StructPair),
    /// It holds values of the type around it, which are converted like that type.
    Recursive {
        /// That type in the source.
        from: ItemPath,
        /// The Rust path of the counterpart in the target version.
        to: ItemPath,
    },
    /// It is a struct, or holds structs, and some of their fields differ.
    Part {
        /// The plan of the struct.
        pair: StructPair,
        /// The names of the items, for a list.
        items: ItemNames,
        /// The step of a rule around it, if the struct can be absent in only one of the two versions, or is the first item of a
        /// list.
        rule: Option<RuleStep>,
    },
    /// A rule states the step.
    Rule(RuleStep),
    /// A rule states the step for each item of the list or map.
    Items(RuleStep),
    /// A sub-object of the target is made of fields of the source. A step makes the sub-object optional.
    Nest(Option<RuleStep>, StructPair),
    /// Fields of the target are made of a sub-object of the source.
    Flatten(Option<RuleStep>, StructPair),
    /// The struct around this one moves the field between its parts.
    Moved,
    /// A pattern makes it from members of the source, or makes members of the target from it.
    ByPattern,
    /// It is the key of the item, which the list or map around it converts.
    Key,
}

/// The names of the items of a list in the annotation.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemNames {
    /// The fields that name an item of the source. Each has the default of another version if its own has none.
    pub(crate) fields: Vec<FieldRef>,
    /// The items that they name, and what else is in the name.
    pub(crate) by: Naming,
}

/// The items of a list that the fields of an item name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Named by these fields and the position.
    #[default]
    Position,
    /// All: these fields are the merge keys of the list, or the value of the item in another version.
    Keys,
    /// The items after the first one, with their positions. The first one is an object in other versions.
    First,
    /// The items after the first one, in a list that lacks that one.
    AfterFirst,
    /// The items that have a key last, by this field; a repeated key also by its occurrence number.
    Occurrence,
    /// The items that do not have their key last, in a list without those that do.
    AfterOccurrence,
}

// Names in Rust for fields, of which several can have the same name.

/// The field's name or, if that is taken, the names of its path joined.
pub(super) fn distinct(field: &FieldRef, taken: impl Fn(&str) -> bool) -> String {
    let own = field.ident();
    if !taken(own) {
        return own.to_owned();
    }
    let mut name = match field.idents.as_slice() {
        // A single name stays raw if it is a keyword.
        [_] => own.to_owned(),
        _ => field.joined(),
    };
    // Paths of different fields can give the same name: `spec.size` and `specSize`.
    while taken(&name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use crate::plan::{ItemPath, Package, RustType};

    fn field(idents: &[&str]) -> FieldRef {
        FieldRef {
            path: FieldPath::default(),
            idents: idents.iter().map(|ident| (*ident).to_owned()).collect(),
            options: vec![false; idents.len()],
            parent: ItemPath {
                package: Package::Generated,
                module: String::new(),
                name: String::new(),
            },
            rust_type: RustType::Bool,
            keys: Vec::new(),
            optional: false,
            required: false,
            default: None,
            place: Place::file("document.json"),
        }
    }

    #[test]
    fn taken_names() {
        let table: [(&[&str], &[&str], &str); 7] = [
            (&["spec", "size"], &[], "size"),
            (&["spec", "size"], &["size"], "spec_size"),
            (&["spec", "size"], &["size", "spec_size"], "spec_size_"),
            (&["spec", "r#type"], &[], "r#type"),
            (&["spec", "r#type"], &["r#type"], "spec_type"),
            (&["r#type"], &["r#type"], "r#type_"),
            (&["r#loop", "r#type"], &["r#type"], "loop_type"),
        ];
        for (idents, taken, expected) in table {
            let found = distinct(&field(idents), |name| taken.contains(&name));
            assert_eq!(found, expected, "{idents:?} {taken:?}");
        }
    }
}
