//! Groups inline objects into structures: objects whose fields have the same names, types and presence.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use litemap::LiteMap;

use super::super::field::required_at_first;
use crate::spec::{
    Facts, Property, Releases, Type, TypeBody, ValueType, split_inline, unite_words,
};

/// An object without a name, by its key.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    pub(super) key: &'a str,
    pub(super) of_type: &'a Type,
}

/// Objects of one Rust type.
pub(super) struct Structure<'a> {
    pub(super) of_type: Type,
    /// The key of the first one is the key of the type.
    pub(super) members: Vec<Object<'a>>,
    /// The name in Rust; empty if it is not chosen yet.
    pub(super) name: String,
    /// The fields that only some of the objects have.
    partial: BTreeSet<String>,
}

/// Finds the structures of inline objects. `stored` has the names of earlier generations, by key.
pub(super) fn find<'a>(
    objects: &[Object<'a>],
    stored: &BTreeMap<String, &str>,
) -> Vec<Structure<'a>> {
    let mut finder = Finder::default();
    for (_, level) in levels(objects) {
        // Objects with a name come first: others that are equal join them.
        for with_name in [true, false] {
            for object in level.iter().filter(|inner| stored.contains_key(inner.key) == with_name) {
                finder.add(*object, stored.get(object.key).copied());
            }
        }
    }
    finder.structures
}

/// The objects by the number of levels of objects inside of each. Equal structures have the same number.
fn levels<'a>(objects: &[Object<'a>]) -> LiteMap<usize, Vec<Object<'a>>> {
    let mut heights: HashMap<&str, usize> = HashMap::new();
    let mut levels: LiteMap<usize, Vec<Object<'a>>> = LiteMap::new();
    // The key of an object begins with the key of the object around it.
    for object in objects.iter().rev() {
        let fields = object.of_type.properties();
        let inside = fields.filter_map(|(_, field)| heights.get(field.value.reference()?));
        let height = inside.max().map_or(0, |height| height + 1);
        heights.insert(object.key, height);
        levels.entry(height).or_default().push(*object);
    }
    for (_, level) in levels.iter_mut() {
        level.reverse();
    }
    levels
}

#[derive(Default)]
struct Finder<'a> {
    structures: Vec<Structure<'a>>,
    /// The index of the structure of each object.
    by_key: HashMap<&'a str, usize>,
    by_shape: BTreeMap<Shape<'a>, usize>,
    by_name: BTreeMap<String, usize>,
}

/// All that a Rust type shows of an object.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Shape<'a> {
    /// The key, if no other object has the same type.
    own: Option<&'a str>,
    keeps_unknown: bool,
    fields: Vec<FieldShape<'a>>,
}

/// All that a Rust type shows of a field.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FieldShape<'a> {
    name: &'a str,
    value: ValueType,
    required: bool,
    nullable: bool,
    words: Vec<&'a str>,
}

impl<'a> Finder<'a> {
    fn add(&mut self, object: Object<'a>, stored: Option<&str>) {
        let shape = self.shape(object);
        let named = stored.and_then(|name| self.by_name.get(name).copied());
        let first_of_name = stored.is_some() && named.is_none();
        let fitting = named.filter(|index| self.fits(*index, &shape));
        let equal = self.by_shape.get(&shape).copied();
        let known = fitting.or(equal.filter(|_| !first_of_name));
        let index = known.unwrap_or(self.structures.len());
        if let Some(structure) = self.structures.get_mut(index) {
            structure.unite(object, &shape);
        } else {
            // The name is free, unless the fields of its objects do not agree any more.
            let name = stored.filter(|_| first_of_name).unwrap_or_default().to_owned();
            let of_type = with_structures(object.of_type, |key| self.structure(key));
            let (members, partial) = (vec![object], BTreeSet::new());
            self.structures.push(Structure { of_type, members, name, partial });
        }
        self.by_key.insert(object.key, index);
        if equal.is_none() {
            self.by_shape.insert(shape, index);
        }
        if let Some(name) = stored {
            self.by_name.entry(name.to_owned()).or_insert(index);
        }
    }

    /// The key of the structure of an object.
    fn structure(&self, key: &str) -> Option<&'a str> {
        Some(self.structures.get(*self.by_key.get(key)?)?.members.first()?.key)
    }

    /// The shape of an object, whose fields refer to structures instead of single objects.
    fn shape(&self, Object { key, of_type: of }: Object<'a>) -> Shape<'a> {
        let structure = |key: &str| self.structure(key).unwrap_or(key).to_owned();
        let field = |(name, field): (&'a str, &'a Property)| FieldShape {
            name,
            value: field.value.with_reference(&structure),
            required: required_at_first(of, field),
            nullable: field.nullable,
            words: field.words(),
        };
        let fields = of.properties().map(field).collect();
        Shape { own: own(key), keeps_unknown: of.keeps_unknown(), fields }
    }

    /// Returns `true` if the fields that an object and a structure have in common agree.
    fn fits(&self, index: usize, shape: &Shape<'_>) -> bool {
        let Some(Structure { of_type, partial, .. }) = self.structures.get(index) else {
            return false;
        };
        let agrees = |field: &FieldShape<'_>| {
            of_type.property(field.name).is_none_or(|known| {
                known.value == field.value
                    && known.nullable == field.nullable
                    && (partial.contains(field.name)
                        || required_at_first(of_type, known) == field.required)
            })
        };
        of_type.keeps_unknown() == shape.keeps_unknown && shape.fields.iter().all(agrees)
    }
}

/// A type that refers to structures instead of single objects. `structure` finds the key of the structure of an object.
pub(super) fn with_structures<'a>(ty: &Type, structure: impl Fn(&str) -> Option<&'a str>) -> Type {
    let reference = |key: &str| structure(key).unwrap_or(key).to_owned();
    let mut ty = ty.clone();
    if let TypeBody::Struct(fields) = &mut ty.body {
        for (_, field) in fields.iter_mut() {
            field.value = field.value.with_reference(&reference);
        }
    }
    ty
}

/// The key of the spec or the status of a kind.
fn own(key: &str) -> Option<&str> {
    matches!(split_inline(key), Some((_, "spec" | "status"))).then_some(key)
}

impl<'a> Structure<'a> {
    /// Adds an object of this shape. What only one of the objects states is not a fact of the type.
    fn unite(&mut self, object: Object<'a>, shape: &Shape<'_>) {
        self.members.push(object);
        let (Self { of_type, partial, .. }, other) = (self, object.of_type);
        if of_type.description != other.description {
            of_type.description = None;
        }
        keep_common(&mut of_type.facts, &other.facts);
        of_type.releases.unite(&other.releases);
        of_type.keeps_unknown_in.unite(&other.keeps_unknown_in);
        let (TypeBody::Struct(fields), TypeBody::Struct(other)) = (&mut of_type.body, &other.body)
        else {
            return;
        };
        partial.extend(fields.keys().filter(|name| !other.contains_key(*name)).cloned());
        for ((name, field), FieldShape { value, .. }) in other.iter().zip(&shape.fields) {
            if let Some(known) = fields.get_mut(name) {
                unite_fields(known, field);
            } else {
                partial.insert(name.clone());
                fields.insert(name.clone(), Property { value: value.clone(), ..field.clone() });
            }
        }
        for name in partial.iter() {
            if let Some(field) = fields.get_mut(name) {
                field.required_in = Releases::default();
            }
        }
    }
}

fn unite_fields(known: &mut Property, other: &Property) {
    known.differs |= known.facts != other.facts
        || known.items.facts != other.items.facts
        || known.default != other.default
        || known.merge != other.merge;
    let words = [&*known, other].map(|property| property.all_words().to_vec());
    keep_common(&mut known.facts, &other.facts);
    keep_common(&mut known.items.facts, &other.items.facts);
    known.named_words = Vec::new();
    let [mut words, others] = words;
    if !words.is_empty() && !others.is_empty() {
        unite_words(&mut words, &others);
        known.unite_named_words(words);
    }
    if known.default != other.default {
        known.default = None;
    }
    if known.merge != other.merge {
        known.merge = Facts::new();
    }
    known.releases.unite(&other.releases);
    known.required_in.unite(&other.required_in);
    known.default_in.unite(&other.default_in);
    known.rank = known.rank.min(other.rank);
}

/// Drops the facts that differ; known words are united.
fn keep_common(facts: &mut Facts, others: &Facts) {
    facts.retain(|keyword, value| {
        others.get(keyword).is_some_and(|other| {
            other == value || *keyword == "enum" && value.is_array() && other.is_array()
        })
    });
    let words = facts.get_mut("enum").and_then(|words| words.as_array_mut());
    if let Some((words, others)) = words.zip(others.get("enum").and_then(|other| other.as_array()))
    {
        unite_words(words, others);
    }
}

/// The types by the full names of their schemas.
pub(super) type Types = BTreeMap<String, Type>;
