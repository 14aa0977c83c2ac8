//! The rules about the fields of a kind, and the checks that they fit.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_core::Version;
use k8s_versioned_core::nearest::nearest;
use litemap::{Entry, LiteMap};

use super::plan::{FieldRef, distinct};
use super::rule::{Role, Rule, RuleKey, RuleKind};
use super::rule_places::RulePlaces;
use super::shared;
use super::steps::pattern;
use super::structs::Structs;
use crate::Problems;
use crate::gather::Gather;
use crate::plan::Struct;
use crate::problem::{NoEffect, RuleCause, RuleFault};
use crate::rules::paths::{FieldPath, child, is_in_metadata, segment, without_items};
use crate::rules::{Correspondence, KindRule, paths};
use crate::text::join;

/// The rules about the fields of a kind.
pub(super) struct FieldRules<'a> {
    kind: &'a str,
    rules: Vec<Rule<'a>>,
    /// The rules `move`, as they are stated.
    moves: Vec<&'a Correspondence>,
    /// The rule of a version's field.
    by_field: LiteMap<(&'a str, Cow<'a, str>), usize>,
    /// The rule `keyed-list` of a key, by the version and the path of the field that has the key.
    by_key: BTreeMap<(&'a str, FieldPath), usize>,
    places: RulePlaces<'a>,
}

impl<'a> FieldRules<'a> {
    /// The rules of a kind with these versions, of these kinds of rules. Reports fields that are not there, and those with two
    /// rules; `None` if a rule has the name of no kind: the others say little then.
    pub(super) fn new(
        rule: &'a KindRule,
        versions: &LiteMap<String, &'a Struct>,
        kinds: RuleKinds,
        structs: &Structs<'a>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let (by_field, by_key) = (LiteMap::new(), BTreeMap::new());
        let is_move = |stated: &&Correspondence| {
            let mut moves = kinds.iter().filter(|kind| kind.role == Role::Move);
            moves.any(|kind| kind.name == stated.rule.value)
        };
        let is_of_kind =
            |stated: &&Correspondence| !shared::is_of_others(stated, versions, structs);
        let moves = rule.fields.iter().filter(is_of_kind).filter(is_move).collect();
        let kind = rule.kind.value.as_str();
        let places = RulePlaces::default();
        let mut rules = Self { kind, rules: Vec::new(), moves, by_field, by_key, places };
        let mut all_known = true;
        for stated in rule.fields.iter().filter(is_of_kind) {
            if let Some(kind) = named(stated, kinds, problems) {
                let is_readable = check_keys(kind, stated, kinds, problems);
                let rule = rules.read((kind, stated), is_readable, versions, structs, problems);
                rules.rules.push(rule);
            } else {
                all_known = false;
            }
        }
        rules.name_policies();
        rules.index_keys();
        rules.add_objects_between(versions, structs);
        rules.places = RulePlaces::of(&rules.rules);
        rules.check_schemas(problems);
        all_known.then_some(rules)
    }

    /// Adds the new objects around the sub-object of a rule `nest` that no rule names: it can be several levels below the object that
    /// has its fields in another version.
    fn add_objects_between(
        &mut self,
        versions: &LiteMap<String, &'a Struct>,
        structs: &Structs<'a>,
    ) {
        let (mut between, mut added) = (Vec::new(), BTreeSet::new());
        for rule in self.rules.iter().filter(|rule| rule.kind.role == Role::Nest) {
            let outer = |version: &str| {
                let outer = rule.flat.iter().map(|flat| self.depth_in(version, (flat.0, flat.1)));
                outer.max().unwrap_or_default()
            };
            let levels = rule.found.iter();
            let levels = levels
                .map(|(version, field)| field.path.segments().len().saturating_sub(outer(version)))
                .max();
            for level in 1..levels.unwrap_or_default() {
                let found = rule.found.iter().filter_map(|(version, field)| {
                    let path = field.path.first(outer(version) + level);
                    let is_free = !self.by_field.contains_key(&(*version, Cow::Borrowed(&path)));
                    let object = versions.get(*version).filter(|_| is_free)?;
                    let field = structs.at(object, &path)?;
                    // Another rule can have the same object around its own.
                    added.insert((*version, path)).then_some((*version, field))
                });
                let found: Vec<_> = found.collect();
                if !found.is_empty() {
                    let (kind, stated, flat) = (rule.kind, rule.stated, rule.flat.clone());
                    let objects = LiteMap::new();
                    between.push(Rule {
                        kind,
                        stated,
                        policy: String::new(),
                        found,
                        lacking: rule.lacking.clone(),
                        flat,
                        objects,
                        effective: Cell::new(true),
                        wrong: Cell::new(false),
                        unreadable: rule.unreadable,
                    });
                }
            }
        }
        self.rules.extend(between);
    }

    /// The number of names in the path that a version has for an object of another version: the object can be in one that moves.
    fn depth_in(&self, version: &str, (flat_version, flat): (&str, &str)) -> usize {
        let depth = |path: &str| paths::segments(path).len();
        let around = self.moves.iter().filter_map(|moved| {
            let (own, other) = (moved.names.get(flat_version)?, moved.names.get(version)?);
            let (own, other) = (&*own.value, &*other.value);
            let is_around = own == flat || paths::inside(flat, own).is_some();
            is_around.then(|| (depth(own), depth(other)))
        });
        let (own, other) = around.max().unwrap_or_default();
        other + depth(flat).saturating_sub(own)
    }

    /// Returns `true` if a name of a rule `nest` names a struct whose fields another version has in a sub-object, which is deeper than
    /// the struct is there.
    fn is_flat(&self, stated: &Correspondence, of: (&str, &str)) -> bool {
        let mut names = stated.names.iter();
        names.any(|(version, name)| paths::segments(&name.value).len() > self.depth_in(version, of))
    }

    /// Reports a rule about a field of a value that is any JSON in another version: there, nothing converts the field.
    fn check_schemas(&self, problems: &mut Problems) {
        let schemas = self.fields_of(|rule| rule.kind.role == Role::AnyJson);
        for rule in &self.rules {
            if schemas.are_around(rule) {
                rule.report_fault(RuleFault::InsideJson, problems);
            }
        }
    }

    fn read(
        &mut self,
        (kind, stated): (&'static RuleKind, &'a Correspondence),
        is_readable: bool,
        versions: &LiteMap<String, &'a Struct>,
        structs: &Structs<'a>,
        problems: &mut Problems,
    ) -> Rule<'a> {
        let (mut found, policy, mut wrong) = (Vec::new(), String::new(), !is_readable);
        let (mut flat, mut objects) = (LiteMap::new(), LiteMap::new());
        for (version, name) in &stated.names {
            let object = versions.get(version.as_str());
            let found_object = object.and_then(|object| structs.struct_at(object, &name.value));
            let is_flat = kind.role == Role::Nest && self.is_flat(stated, (version, &name.value));
            if is_flat && found_object.is_some() {
                flat.insert(version.as_str(), name.value.as_str());
                continue;
            }
            let object = found_object.filter(|_| kind.role == Role::Pattern).map(|(of, _)| of);
            if object.is_some() {
                objects.insert(version.as_str(), name.value.as_str());
            }
            for path in paths_of(stated, (version, &name.value), object) {
                let of = (version.as_str(), path);
                match self.field(of, stated, versions, structs) {
                    Ok(field) => found.push((version.as_str(), field)),
                    Err(cause) => {
                        problems.push(&name.place, cause);
                        wrong = true;
                    }
                }
            }
        }
        if let Err(fault) = kind.check_stated(stated, versions.len()) {
            problems.push(&stated.rule.place, kind.does_not_fit(fault));
            wrong = true;
        }
        let lacking = versions.keys().filter(|version| !stated.names.contains_key(*version));
        let lacking = lacking.cloned().sorted_by_key(|version| version.parse::<Version>().ok());
        let (effective, unreadable, wrong) = (Cell::new(false), wrong, Cell::new(wrong));
        Rule { kind, stated, policy, found, lacking, flat, objects, effective, wrong, unreadable }
    }

    /// The field that the next rule names in a version.
    fn field(
        &mut self,
        (version, path): (&'a str, Cow<'a, str>),
        stated: &Correspondence,
        versions: &LiteMap<String, &'a Struct>,
        structs: &Structs<'a>,
    ) -> Result<FieldRef, RuleCause> {
        // The place of a shared rule does not tell the kind.
        let of = match stated.under {
            Some(_) => format!("{version} {} {path}", self.kind),
            None => format!("{version} {path}"),
        };
        let Some(object) = versions.get(version) else {
            let near = nearest(version, versions.keys().map(String::as_str));
            return Err(RuleCause::NoSuchName { name: of, near: near.map(str::to_owned) });
        };
        let Some(field) = structs.at(object, &path) else {
            if let Some(other) = exchanged(stated, (version, &path), versions, structs) {
                let other = other.to_owned();
                return Err(RuleCause::NamesOutOfOrder { field: of, other });
            }
            let near = structs.near(object, &path);
            let in_metadata = is_in_metadata(&path);
            return Err(RuleCause::NoSuchField { field: of, near, in_metadata });
        };
        match self.by_field.entry((version, path)) {
            Entry::Occupied(other) => {
                let other = self.rules.get(*other.get()).map_or(stated, |other| other.stated);
                let (rule, line) = (other.rule.value.clone(), other.line);
                Err(RuleCause::FieldTwice { field: of, rule, line })
            }
            Entry::Vacant(entry) => {
                entry.insert(self.rules.len());
                Ok(field)
            }
        }
    }

    /// All rules.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Rule<'a>> {
        self.rules.iter()
    }

    /// The first rule that names the field at this path.
    pub(super) fn at(&self, version: &str, path: &str) -> Option<&Rule<'a>> {
        self.rules.get(self.places.of_field(version, path)?)
    }

    /// The rules about fields inside an object of a version.
    pub(super) fn inside(&self, version: &str, object: &str) -> impl Iterator<Item = &Rule<'a>> {
        self.of(self.places.inside(version, object))
    }

    /// The rules `nest`.
    pub(super) fn nests(&self) -> impl Iterator<Item = &Rule<'a>> {
        self.of(self.places.nests())
    }

    /// The rules `nest` about sub-objects whose fields this struct has itself.
    pub(super) fn flat(&self, version: &str, path: &str) -> impl Iterator<Item = &Rule<'a>> {
        self.of(self.places.flat(version, path))
    }

    /// The rules `pattern` about an object.
    pub(super) fn of_members(&self, version: &str, path: &str) -> impl Iterator<Item = &Rule<'a>> {
        self.of(self.places.of_members(version, path))
    }

    fn of(&self, positions: &[usize]) -> impl Iterator<Item = &Rule<'a>> {
        positions.iter().filter_map(|at| self.rules.get(*at))
    }

    /// The rule about a field, or about each item of it.
    pub(super) fn find(&self, version: &str, field: &FieldRef) -> Option<&Rule<'a>> {
        let of = |path: &str| self.rules.get(*self.by_field.get(&(version, Cow::Borrowed(path)))?);
        of(&field.path).or_else(|| of(&field.item()?.path))
    }

    /// Returns `true` if a field is the key of the items of a list that is a map in the other version.
    pub(super) fn is_key(&self, (version, field): (&str, &FieldRef), other: &str) -> bool {
        self.keyed((version, field)).is_some_and(|rule| rule.is_list_of_map(version, other))
    }

    /// The rule of a map whose objects repeat the key in this field: a list in the other version has it there.
    pub(super) fn repeats_key(
        &self,
        (version, field): (&str, &FieldRef),
        other: &str,
    ) -> Option<&Rule<'a>> {
        self.keyed((version, field)).filter(|rule| rule.is_list_of_map(other, version))
    }

    /// The rule `keyed-list` whose key the field is.
    fn keyed(&self, (version, field): (&str, &FieldRef)) -> Option<&Rule<'a>> {
        self.rules.get(*self.by_key.get(&(version, field.path.clone()))?)
    }

    /// Names the policies of rules after their fields.
    fn name_policies(&mut self) {
        let mut taken = BTreeSet::new();
        for rule in self.rules.iter_mut().filter(|rule| rule.kind.role == Role::Filled) {
            let field = rule.found.first().map(|(_, field)| field);
            let policy = field.map(|field| distinct(field, |name| taken.contains(name)));
            rule.policy = policy.unwrap_or_default();
            taken.insert(rule.policy.clone());
        }
    }

    fn index_keys(&mut self) {
        for (index, rule) in self.rules.iter().enumerate() {
            let key = rule.text(RuleKey::FIELD.name).filter(|_| rule.kind.role == Role::Keyed);
            for (version, field) in key.iter().flat_map(|_| &rule.found) {
                let path = field.path.clone().items().child(&segment(key.unwrap_or_default()));
                self.by_key.entry((*version, path)).or_insert(index);
            }
        }
    }

    /// The fields of these rules.
    fn fields_of(&self, of: impl Fn(&Rule<'a>) -> bool) -> VersionedPaths<'_> {
        let fields = self.rules.iter().filter(|rule| of(rule)).flat_map(|rule| &rule.found);
        VersionedPaths::of(fields.map(|(version, field)| (*version, field.path.as_str())))
    }

    /// Reports the rules without effect. A rule about a field inside a reported field, or inside a field with a wrong rule, is not
    /// reported: nothing has looked for it.
    pub(super) fn report_unused(&self, reported: &VersionedPaths<'_>, problems: &mut Problems) {
        let wrong = self.fields_of(|rule| rule.wrong.get());
        let kept = self.fields_of(|rule| rule.kind.role == Role::KeepAside);
        let wrapping = self.fields_of(|rule| rule.kind.role == Role::Wrap);
        let passed_on = self.fields_of(|rule| rule.kind.role == Role::Pattern);
        let is_unused = |rule: &Rule<'a>| !rule.effective.get() && !rule.wrong.get();
        let nests = self.fields_of(|rule| rule.kind.role == Role::Nest && is_unused(rule));
        let unused = self.rules.iter().filter(|rule| is_unused(rule) && !nests.are_around(rule));
        for rule in unused.filter(|rule| !wrong.are_around(rule) && !reported.are_around(rule)) {
            let names: BTreeSet<&str> =
                rule.stated.names.values().map(|name| name.value.as_str()).gather();
            let is_metadata = |path: &&str| paths::segments(path).first() == Some(&"metadata");
            let why = if names.is_empty() {
                NoEffect::NamesNothing
            } else if names.iter().all(is_metadata) {
                NoEffect::Metadata
            } else if rule.kind.role == Role::Nest && !rule.flat.is_empty() {
                NoEffect::NestedElsewhere
            } else if kept.are_around(rule) {
                NoEffect::KeptAround
            } else if wrapping.are_around(rule) {
                NoEffect::WrappedAround
            } else if passed_on.are_around(rule) {
                NoEffect::PassedOnAround
            } else {
                NoEffect::SameInAll
            };
            let of = if names.is_empty() { rule.kind.name.to_owned() } else { join(names, "`, `") };
            let cause = RuleCause::WithoutEffect(of, why);
            problems.push(&rule.stated.rule.place, cause);
        }
    }
}

/// Fields of versions, to find what is inside of them.
pub(super) struct VersionedPaths<'p>(BTreeSet<(&'p str, &'p str)>);

impl<'p> VersionedPaths<'p> {
    /// Each field is a version and a path.
    pub(super) fn of(fields: impl Iterator<Item = (&'p str, &'p str)>) -> Self {
        Self(fields.map(|(version, path)| (version, without_items(path))).gather())
    }

    /// Returns `true` if a field of a rule is inside one of these.
    fn are_around(&self, rule: &Rule<'_>) -> bool {
        rule.found.iter().any(|(version, field)| {
            let around = field.path.around().into_iter();
            let mut around =
                around.filter(|around| self.0.contains(&(*version, without_items(around))));
            around.any(|around| is_in(&field.path, around))
        })
    }
}

/// Returns `true` if a path is inside another, or inside the items of it.
pub(crate) fn is_in(path: &str, around: &str) -> bool {
    let rest = path.strip_prefix(without_items(around));
    rest.is_some_and(|rest| rest.trim_start_matches("[]").starts_with(['.', '[']))
}

/// All kinds of rules.
pub(super) type RuleKinds = &'static [&'static RuleKind];

/// The kind of a rule. Reports a name that no kind has.
fn named(
    stated: &Correspondence,
    kinds: RuleKinds,
    problems: &mut Problems,
) -> Option<&'static RuleKind> {
    let name = stated.rule.value.as_str();
    let found = kinds.iter().find(|kind| kind.name == name);
    if found.is_none() {
        let names = || kinds.iter().map(|kind| kind.name);
        let near = nearest(name, names()).map(str::to_owned);
        let (rule, known) = (name.to_owned(), names().collect());
        problems.push(&stated.rule.place, RuleCause::NoSuchRule { rule, near, known });
    }
    found.copied()
}

/// Reports the keys that are for other rules or for none, and those of another form; `false` if there are some.
fn check_keys(
    kind: &RuleKind,
    stated: &Correspondence,
    kinds: RuleKinds,
    problems: &mut Problems,
) -> bool {
    let before = problems.len();
    for (name, value) in &stated.keys {
        let has_key = |kind: &RuleKind| kind.keys.iter().find(|key| key.name == name);
        let rules = kinds.iter().filter(|kind| has_key(kind).is_some());
        let rules: Vec<&str> = rules.map(|kind| kind.name).collect();
        let cause = match has_key(kind) {
            Some(key) if key.states_value && stated.reason.is_none() => {
                RuleCause::NoReasonForValue { key: key.name }
            }
            Some(key) if key.shape.takes(&value.value) => continue,
            Some(key) => RuleCause::KeyForm { key: key.name, form: key.shape.text() },
            None if rules.is_empty() => {
                let names = kinds.iter().flat_map(|kind| kind.keys).map(|key| key.name);
                let near = nearest(name, names.chain(["rule", "names", "reason"]));
                RuleCause::NoSuchKey { key: name.clone(), near: near.map(str::to_owned) }
            }
            None => RuleCause::KeyOfRule { key: name.clone(), rules },
        };
        problems.push(&value.place, cause);
    }
    problems.len() == before
}

/// The version that has a field which a rule lists for another one: with their paths exchanged, the rule would match.
fn exchanged<'v>(
    stated: &Correspondence,
    (version, path): (&str, &str),
    versions: &'v LiteMap<String, &Struct>,
    structs: &Structs<'_>,
) -> Option<&'v str> {
    let has = |version: &str, path: &str| {
        versions.get(version).is_some_and(|object| structs.at(object, path).is_some())
    };
    let fits = |other: &&String| {
        let named = stated.names.get(*other).map(|name| name.value.as_str());
        let would_match = |named: &str| !has(other, named) && has(version, named);
        has(other, path) && named.is_none_or(would_match)
    };
    let mut others = versions.keys().filter(|_| stated.is_in_order());
    others.find(fits).map(String::as_str)
}

/// The paths of the fields that a rule names in a version: those of the members of an object for a pattern.
fn paths_of<'a>(
    stated: &'a Correspondence,
    (version, path): (&str, &'a str),
    object: Option<&Struct>,
) -> Vec<Cow<'a, str>> {
    let Some(object) = object else { return vec![Cow::Borrowed(path)] };
    let members = pattern::members(stated, version, object).into_iter();
    members.map(|member| Cow::Owned(child(path, &segment(member)))).collect()
}
