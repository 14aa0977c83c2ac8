//! The names that no document states, apart from the names of structures: names of open enums, and of fields and words that
//! would otherwise share a name. A name in `names.toml` stays.

use std::collections::BTreeSet;

use litemap::LiteMap;

use super::name_clashes::{Conflict, Second, Settled, Wanted, settle};
use crate::Problems;
use crate::ident;
use crate::ident::is_name;
use crate::plan::names::{self, file, key};
use crate::plan::rust_items::{Field, ItemPath, OpenEnum, Presence, Variant};
use crate::plan::words;
use crate::problem::PlanCause;
use crate::rules::{NameKind, Names};
use crate::spec::{Property, version_of};

/// The names without a document that states them.
#[derive(Default)]
pub(in crate::plan) struct TypeNames {
    /// All names that were chosen.
    pub(in crate::plan) chosen: Names,
    /// The names of earlier generations.
    pub(super) file: Names,
    /// The names of earlier generations by their full keys.
    pub(super) stored: LiteMap<String, String>,
    /// The modules of versions.
    pub(super) versions: BTreeSet<String>,
    /// The modules with the names of the files of their types.
    pub(super) taken: BTreeSet<(String, String)>,
    /// The keys of the objects of a structure, by the first of them.
    pub(super) members: LiteMap<String, Vec<String>>,
}

impl TypeNames {
    /// A name of an earlier generation; `make` makes its key of an object of the type.
    fn find(&self, schema: &str, make: impl Fn(&str) -> String) -> Option<&String> {
        if self.stored.is_empty() {
            return None;
        }
        let own = [schema.to_owned()];
        let members = self.members.get(schema).map_or(&own[..], Vec::as_slice);
        members.iter().find_map(|member| self.stored.get(&make(member)))
    }

    /// The name of a field or a word in an earlier generation.
    fn item(&self, kind: NameKind, schema: &str, of: &[&str]) -> Option<String> {
        let table = kind.table(version_of(schema));
        self.find(schema, |member| key(&table, "", member, of)).cloned()
    }

    /// An open enum of the field `wire` of a type with a name that no other type has. Without such a name there is none: the
    /// field is a text. Open enums of other modules keep their names.
    pub(in crate::plan) fn name_words(
        &mut self,
        mut open_enum: OpenEnum,
        schema: &str,
        wire: &str,
    ) -> Option<OpenEnum> {
        let of = &open_enum.path;
        let Some(inner) = self.inner(of) else {
            return Some(open_enum);
        };
        let table = version_of(schema);
        let stored = self.find(schema, |member| key(table, "words", member, &[wire]));
        let stored = stored.and_then(|name| name.rsplit("::").next()).map(str::to_owned);
        let mut proposed = [of.name.clone(), format!("{}Word", of.name)].into_iter();
        let name = stored.or_else(|| proposed.find(|name| self.is_free(&of.module, name)))?;
        self.taken.insert(file(&of.module, &name));
        let chosen = if inner.is_empty() { name.clone() } else { format!("{inner}::{name}") };
        self.chosen.add(table, &chosen, [key(table, "words", schema, &[wire])]);
        open_enum.path.name = name;
        Some(open_enum)
    }

    /// The module of a type inside the module of its version; `None` for types that are not of custom resources.
    fn inner(&self, path: &ItemPath) -> Option<String> {
        self.versions.iter().find_map(|module| {
            let inner = path.module.strip_prefix(module.as_str())?;
            Some(if inner.is_empty() { "" } else { inner.strip_prefix("::")? }.to_owned())
        })
    }

    fn is_free(&self, module: &str, name: &str) -> bool {
        let is_taken = || self.taken.contains(&file(module, name));
        name.len() <= names::LONGEST && is_name(name) && !is_taken()
    }

    /// Gives the fields of a custom resource different names: the first to come keeps its own. `taken` are the names of
    /// others. Returns the names that another field could have had, or that a user chose.
    pub(in crate::plan) fn separate(
        &mut self,
        schema: &str,
        fields: &mut [Field],
        taken: &[&str],
        problems: &mut Problems,
    ) -> BTreeSet<String> {
        let mut sorted: Vec<&mut Field> = fields.iter_mut().collect();
        sorted.sort_by(|a, b| a.wire.cmp(&b.wire));
        let all = sorted.iter().map(|field| {
            let is_named = field.presence != Presence::Rest;
            let stored =
                is_named.then(|| self.item(NameKind::Field, schema, &[&field.wire])).flatten();
            Wanted {
                wire: field.wire.clone(),
                natural: field.ident.trim_start_matches("r#").to_owned(),
                stored,
                first: field.property.releases.first(),
                place: &field.property.place,
            }
        });
        let all: Vec<Wanted<'_>> = all.collect();
        let mut settled = settle(&all, taken, Second::Numbered);
        let kept = settled.kept.clone();
        // The field of the other members has no name in JSON, so nothing could ask for its Rust name again.
        let is_property = |index: &usize| {
            sorted.get(*index).is_some_and(|sorted| sorted.presence != Presence::Rest)
        };
        settled.kept.retain(is_property);
        let known = self.find(schema, str::to_owned).is_some();
        let of = Siblings { kind: NameKind::Field, schema, of: &[], all: &all, known };
        self.keep(&of, &settled, problems);
        let names = settled.names;
        let mut chosen = BTreeSet::new();
        for (index, (field, name)) in sorted.into_iter().zip(names).enumerate() {
            if let Some(ident) = name.and_then(ident::raw) {
                field.ident = ident;
            } else {
                let cause = PlanCause::NotAnIdentifier(field.wire.clone());
                problems.push(&field.property.place, cause);
            }
            chosen.extend(kept.contains(&index).then(|| field.ident.clone()));
        }
        chosen
    }

    /// The variants of the words that the documents state for the field `wire` of the type at `path`.
    pub(in crate::plan) fn variants(
        &mut self,
        schema: &str,
        path: &ItemPath,
        wire: &str,
        property: &Property,
        problems: &mut Problems,
    ) -> Vec<Variant> {
        let wanted = |word: &str| {
            let stored = self.item(NameKind::Word, schema, &[wire, word]);
            // Users name a word that cannot have a name of its own.
            let natural = words::ident(word).or_else(|| stored.clone())?;
            let wire = word.to_owned();
            Some(Wanted { wire, natural, stored, first: None, place: &property.place })
        };
        let all: Vec<Wanted<'_>> = words::words(property).filter_map(wanted).collect();
        let settled = settle(&all, &[], Second::ByCase);
        if self.inner(path).is_some() {
            let table = version_of(schema);
            let known = self.find(schema, |member| key(table, "words", member, &[wire])).is_some();
            // The words of several releases are in the order of the releases.
            let known = known && property.releases.first() == property.releases.last();
            let of = Siblings { kind: NameKind::Word, schema, of: &[wire], all: &all, known };
            self.keep(&of, &settled, problems);
        }
        let names = settled.names;
        let variants = all.into_iter().zip(names);
        variants.filter_map(|(wanted, name)| Some(words::variant(name?, &wanted.wire))).collect()
    }

    /// Keeps the names that later generations must know, and reports conflicts.
    fn keep(&mut self, siblings: &Siblings<'_>, settled: &Settled<'_>, problems: &mut Problems) {
        let Siblings { kind, schema, of, all, known } = *siblings;
        let table = kind.table(version_of(schema));
        let key = |wanted: &Wanted<'_>| key(&table, "", schema, &[of, &[&wanted.wire]].concat());
        for &index in &settled.kept {
            if let (Some(wanted), Some(Some(name))) = (all.get(index), settled.names.get(index)) {
                self.chosen.add(&table, name, [key(wanted)]);
            }
        }
        for Conflict { first: holder, second: other, is_stored } in &settled.conflicts {
            let rust = other.name().to_owned();
            let (first, second) = (holder.wire.clone(), other.wire.clone());
            if *is_stored {
                let place = self.file.place(&table, &rust);
                problems.push(&place, PlanCause::NameClash { first, second, rust });
            } else if known {
                let line = key(holder);
                let key = line.strip_prefix(&format!("{table}.")).unwrap_or(&line).to_owned();
                let table = table.clone();
                let cause = PlanCause::NameMoves { first, second, rust, table, key };
                problems.push(other.place, cause);
            }
        }
    }
}

/// Fields of a type, or words of one of its fields.
struct Siblings<'a> {
    kind: NameKind,
    /// The schema of the type.
    schema: &'a str,
    /// The field that has the words.
    of: &'a [&'a str],
    all: &'a [Wanted<'a>],
    /// Whether an earlier generation had them.
    known: bool,
}
