//! What definitions state other than schemas: names, versions, subresources, columns, conversions.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::change_kinds::{
    CATEGORIES_ADDED, CATEGORIES_REMOVED, COLUMNS, CONVERSION_CLIENT, CONVERSION_NONE,
    CONVERSION_WEBHOOK, KIND_DEPRECATED, LIST_KIND, SCALE_ADDED, SCALE_PATH, SCALE_REMOVED,
    SCALE_SELECTOR_ADDED, SCALE_SELECTOR_REMOVED, SCOPE, SHORT_NAMES_ADDED, SHORT_NAMES_REMOVED,
    SINGULAR, STATUS_ADDED, STATUS_REMOVED, STORAGE, STORED_VERSION_REMOVED, UNDEPRECATED, WARNING,
};
use super::finding::{Bodies, pairs};
use super::schema;
use super::side::{Renames, Side};
use super::{ChangeKind, DiffFinding};
use crate::Place;
use crate::gather::Gather;
use crate::spec::{Dialect, flag};
use crate::text::join;

/// Compares the definitions that both sides have.
pub(super) fn compare(old: &Side, new: &Side, names: &Renames) -> Vec<DiffFinding> {
    let mut findings = Vec::new();
    for (key, was, is) in pairs(&old.definitions, &new.definitions) {
        let (Some(was), Some(is)) = (was, is) else { continue };
        let (_, kind) = key;
        let mut definition = Comparison {
            was: &was.value,
            is: &is.value,
            subject: is.name.clone(),
            place: &is.place,
            findings: Vec::new(),
        };
        if names.are_the_same() {
            definition.text(SCOPE, "/spec/scope", "");
            definition.names(kind);
            definition.storage(&was.stored_versions);
            definition.conversion();
        }
        findings.append(&mut definition.findings);
        for (was_version, is_version) in versions(old, new, &was.value, &is.value) {
            let place = is.version_places.get(index_of(&is.value, is_version));
            let mut version = Comparison {
                was: was_version,
                is: is_version,
                subject: format!("{} {kind}", text(is_version, "/name").unwrap_or_default()),
                place: place.unwrap_or(&is.place),
                findings: Vec::new(),
            };
            version.version(names);
            findings.append(&mut version.findings);
        }
    }
    findings
}

/// The versions of a definition to compare, as both sides have them.
fn versions<'a>(
    old: &Side,
    new: &Side,
    was: &'a Value,
    is: &'a Value,
) -> Vec<(&'a Value, &'a Value)> {
    let named = |definition: &'a Value, name: &str| {
        all_versions(definition).find(|version| text(version, "/name") == Some(name))
    };
    let selected = old.selection.version.zip(new.selection.version);
    if let Some((old, new)) = selected {
        return named(was, &old.to_string()).zip(named(is, &new.to_string())).into_iter().collect();
    }
    let both = |version| {
        let name = text(version, "/name")?;
        named(was, name).zip(Some(version))
    };
    all_versions(is).filter_map(both).collect()
}

/// The versions in a definition.
fn all_versions(definition: &Value) -> impl Iterator<Item = &Value> {
    definition.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten()
}

fn index_of(definition: &Value, version: &Value) -> usize {
    all_versions(definition).position(|other| std::ptr::eq(other, version)).unwrap_or_default()
}

fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    value.pointer(pointer)?.as_str()
}

/// A definition, or one of its versions, on both sides.
struct Comparison<'a> {
    was: &'a Value,
    is: &'a Value,
    subject: String,
    /// The place of it.
    place: &'a Place,
    findings: Vec<DiffFinding>,
}

impl Comparison<'_> {
    fn push(&mut self, rule: ChangeKind, pointer: &str, old: Option<String>, new: Option<String>) {
        let place = Place {
            pointer: format!("{}{pointer}", self.place.pointer),
            // The places of its parts are not known.
            span: self.place.span.clone(),
            file: self.place.file.clone(),
        };
        let finding = DiffFinding::new(rule, self.subject.clone(), Bodies::ALL);
        self.findings.push(finding.with_values(old, new).at(&place));
    }

    /// Compares a value that is absent or one of two texts.
    fn text(&mut self, rule: ChangeKind, pointer: &str, default: &str) {
        let [old, new] = [self.was, self.is].map(|side| text(side, pointer).unwrap_or(default));
        if old != new {
            let shown = |text: &str| Some(if text.is_empty() { "none" } else { text }.to_owned());
            self.push(rule, pointer, shown(old), shown(new));
        }
    }

    /// Compares a list of texts.
    fn list(&mut self, added: ChangeKind, removed: ChangeKind, pointer: &str, item: &str) {
        let texts = |side: &Value| -> BTreeSet<String> {
            let items = side.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
            items.filter_map(|known| text(known, item).map(str::to_owned)).gather()
        };
        let (was, is) = (texts(self.was), texts(self.is));
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            let only = join(one.difference(other), ", ");
            (!only.is_empty()).then_some(only)
        };
        if let Some(names) = only(&was, &is) {
            self.push(removed, pointer, Some(names), None);
        }
        if let Some(names) = only(&is, &was) {
            self.push(added, pointer, None, Some(names));
        }
    }

    fn names(&mut self, kind: &str) {
        self.text(SINGULAR, "/spec/names/singular", &kind.to_lowercase());
        self.text(LIST_KIND, "/spec/names/listKind", &format!("{kind}List"));
        self.list(SHORT_NAMES_ADDED, SHORT_NAMES_REMOVED, "/spec/names/shortNames", "");
        self.list(CATEGORIES_ADDED, CATEGORIES_REMOVED, "/spec/names/categories", "");
    }

    /// Compares the versions in which objects are stored. `recorded` is `status.storedVersions` of the old definition, if it has a
    /// status.
    fn storage(&mut self, recorded: &[String]) {
        let stored = |definition: &Value| {
            let mut versions = all_versions(definition);
            let stored = versions.find(|version| flag(version, "storage"))?;
            text(stored, "/name").map(str::to_owned)
        };
        let (old, new) = (stored(self.was), stored(self.is));
        // A server has the storage version in the status, even if the file has another one.
        let recorded: BTreeSet<&String> = recorded.iter().chain(&old).collect();
        let is_left = |name: &&&String| {
            !all_versions(self.is).any(|known| text(known, "/name") == Some(name))
        };
        let removed = join(recorded.iter().filter(is_left), ", ");
        if !removed.is_empty() {
            self.push(STORED_VERSION_REMOVED, "/spec/versions", Some(removed), None);
        }
        if old != new {
            self.push(STORAGE, "/spec/versions", old, new);
        }
    }

    fn conversion(&mut self) {
        let pointer = "/spec/conversion";
        let is_webhook = |side: &Value| text(side, "/spec/conversion/strategy") == Some("Webhook");
        match (is_webhook(self.was), is_webhook(self.is)) {
            (false, true) => self.push(CONVERSION_WEBHOOK, pointer, None, None),
            (true, false) => self.push(CONVERSION_NONE, pointer, None, None),
            _ if self.was.pointer("/spec/conversion/webhook")
                != self.is.pointer("/spec/conversion/webhook") =>
            {
                self.push(CONVERSION_CLIENT, pointer, None, None);
            }
            _ => {}
        }
    }

    fn version(&mut self, names: &Renames) {
        if names.are_the_same() {
            self.deprecation();
        }
        let has = |side: &Value, pointer: &str| {
            side.pointer(pointer).is_some_and(|value| !value.is_null())
        };
        for (name, added, removed) in
            [("status", STATUS_ADDED, STATUS_REMOVED), ("scale", SCALE_ADDED, SCALE_REMOVED)]
        {
            let pointer = format!("/subresources/{name}");
            match (has(self.was, &pointer), has(self.is, &pointer)) {
                (false, true) => self.push(added, &pointer, None, None),
                (true, false) => self.push(removed, &pointer, None, None),
                (true, true) if name == "scale" => self.scale_paths(),
                _ => {}
            }
        }
        self.columns();
        self.metadata(names);
    }

    fn deprecation(&mut self) {
        let [was, is] = [self.was, self.is].map(|version| flag(version, "deprecated"));
        let (pointer, warning) = ("/deprecated", text(self.is, "/deprecationWarning"));
        match (was, is) {
            (false, true) => self.push(KIND_DEPRECATED, pointer, None, warning.map(str::to_owned)),
            (true, false) => self.push(UNDEPRECATED, pointer, None, None),
            (true, true) => self.text(WARNING, "/deprecationWarning", ""),
            (false, false) => {}
        }
    }

    fn scale_paths(&mut self) {
        for path in ["specReplicasPath", "statusReplicasPath"] {
            self.text(SCALE_PATH, &format!("/subresources/scale/{path}"), "");
        }
        let selector = "/subresources/scale/labelSelectorPath";
        let has = |side: &Value| text(side, selector).is_some_and(|path| !path.is_empty());
        let rule = match (has(self.was), has(self.is)) {
            (false, true) => SCALE_SELECTOR_ADDED,
            (true, false) => SCALE_SELECTOR_REMOVED,
            _ => SCALE_PATH,
        };
        self.text(rule, selector, "");
    }

    /// Compares the columns of tables. The descriptions of columns are for people.
    fn columns(&mut self) {
        let pointer = "/additionalPrinterColumns";
        let [was, is] = [self.was, self.is].map(|version| {
            let columns = version.pointer(pointer).and_then(Value::as_array);
            columns.into_iter().flatten().map(Column::of).collect::<Vec<_>>()
        });
        if was != is {
            let [old, new] = Column::texts(&was, &is);
            self.push(COLUMNS, pointer, Some(old), Some(new));
        }
    }

    /// Compares the limits of names, which a server enforces and does not publish.
    fn metadata(&mut self, names: &Renames) {
        let pointer = "/schema/openAPIV3Schema/properties/metadata";
        let limits = |version: &Value| {
            let stated = |name: &str| {
                let stated = version.pointer(&format!("{pointer}/properties/{name}")).cloned();
                stated.unwrap_or_else(|| json!({ "type": "string" }))
            };
            let properties =
                json!({ "name": stated("name"), "generateName": stated("generateName") });
            json!({ "type": "object", "properties": properties })
        };
        let (was, is) = (limits(self.was), limits(self.is));
        for change in schema::compare(&was, &is, Dialect::Custom, names) {
            let subject = format!("{}.metadata.{}", self.subject, change.path);
            self.push(change.rule, pointer, change.old, change.new);
            if let Some(finding) = self.findings.last_mut() {
                finding.subject = subject;
            }
        }
    }
}

/// A column of tables, as far as programs see it.
#[derive(Debug, PartialEq, Eq)]
struct Column<'a> {
    name: &'a str,
    /// What else it has, with the names of the members.
    members: [(&'static str, Value); 4],
}

impl<'a> Column<'a> {
    fn of(column: &'a Value) -> Self {
        let member = |name: &'static str, default: Value| {
            (name, column.get(name).filter(|value| !value.is_null()).cloned().unwrap_or(default))
        };
        let members = [
            member("jsonPath", "".into()),
            member("type", "".into()),
            member("format", "".into()),
            member("priority", 0.into()),
        ];
        Self { name: text(column, "/name").unwrap_or_default(), members }
    }

    /// The columns of both sides: their names, or if all names are the same, the columns that differ with what differs.
    fn texts(was: &[Self], is: &[Self]) -> [String; 2] {
        if was.iter().map(|column| column.name).ne(is.iter().map(|column| column.name)) {
            return [was, is].map(|columns| match columns {
                [] => "age alone".to_owned(),
                columns => join(columns.iter().map(|column| column.name), ", "),
            });
        }
        let pairs = || was.iter().zip(is).filter(|(was, is)| was != is);
        [
            join(pairs().map(|(was, is)| was.unlike(is)), ", "),
            join(pairs().map(|(was, is)| is.unlike(was)), ", "),
        ]
    }

    /// The name, and the members that the other column has otherwise.
    fn unlike(&self, other: &Self) -> String {
        let members = self.members.iter().zip(&other.members).filter(|(own, other)| own != other);
        let members = members.map(|((name, value), _)| format!("{name} {value}"));
        format!("{} ({})", self.name, join(members, ", "))
    }
}
