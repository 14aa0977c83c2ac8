//! `names.toml`: the Rust names that no document states. The generator writes the file; a name in it can be changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

use toml::Spanned;

use crate::gather::Gather;
use crate::ident::{OTHER, is_file, is_name, is_type_name, raw, snake_case};
use crate::input::toml_file::optional;
use crate::problem::{Place, PlanCause, RuleCause};
use crate::{Files, Problems};

const PATH: &str = "names.toml";

/// The names: a table for each version, by the beginning of the names of its schemas, has the Rust types with what each of
/// them is for:
///
/// | in the file | meaning |
/// |---|---|
/// | `Widget` | a kind or a list |
/// | `Widget#spec.parts[]` | an object in it |
/// | `words Widget#spec mode` | the words of a field |
///
/// The tables `<version> fields` and `<version> words` have the names of fields and words that would be the same without
/// them: `Widget#spec fooBar`, `Widget#spec mode a-b`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    tables: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    spans: BTreeMap<(String, String), Range<usize>>,
}

/// What a name is for that is in a table of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    Field,
    Word,
}

impl NameKind {
    /// The table of a version.
    pub(crate) fn table(self, prefix: &str) -> String {
        match self {
            Self::Field => format!("{prefix} fields"),
            Self::Word => format!("{prefix} words"),
        }
    }

    /// What a table has; `None` for types.
    fn of_table(table: &str) -> Option<Self> {
        let of = |kind: &Self| {
            table.split_once(' ').is_some_and(|(prefix, _)| kind.table(prefix) == table)
        };
        [Self::Field, Self::Word].into_iter().find(of)
    }
}

impl Names {
    /// The names of the objects of a table, by their full keys.
    pub(crate) fn of_table(&self, table: &str) -> BTreeMap<String, &str> {
        let names = self.tables.get(table).into_iter().flatten();
        let names = names.flat_map(|(name, objects)| {
            objects.iter().map(move |object| (format!("{table}.{object}"), name.as_str()))
        });
        names.gather()
    }

    /// The names of all objects, by their full keys.
    pub(crate) fn by_object(&self) -> BTreeMap<String, &str> {
        self.tables.keys().flat_map(|table| self.of_table(table)).gather()
    }

    /// The names of all types and folders in the modules of versions, by the prefix of the names of their schemas.
    pub(crate) fn types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tables.iter().flat_map(|(prefix, names)| {
            names.keys().map(move |name| (prefix.as_str(), name.split("::").next().unwrap_or(name)))
        })
    }

    /// The place of a name.
    pub(crate) fn place(&self, table: &str, name: &str) -> Place {
        let span = self.spans.get(&(table.to_owned(), name.to_owned())).cloned();
        Place { span, ..Place::file(PATH) }
    }

    /// Adds a name: the objects with these full keys.
    pub(crate) fn add(
        &mut self,
        table: &str,
        name: &str,
        keys: impl IntoIterator<Item = impl AsRef<str>>,
    ) {
        let names = self.tables.entry(table.to_owned()).or_default();
        let objects = names.entry(name.to_owned()).or_default();
        let rest = |key: &str| key.strip_prefix(table)?.strip_prefix('.').map(str::to_owned);
        objects.extend(keys.into_iter().filter_map(|key| rest(key.as_ref())));
        objects.sort();
    }

    /// Reports names that Rust cannot have, objects with two names, and types that could not be told apart.
    fn check(&self, problems: &mut Problems) {
        for (table, names) in &self.tables {
            let (mut seen, mut files) = (BTreeSet::new(), BTreeMap::new());
            for (name, objects) in names {
                let place = self.place(table, name);
                for object in objects.iter().filter(|object| !seen.insert(object.as_str())) {
                    problems.push(&place, RuleCause::Twice(object.clone()));
                }
                let is_right = match NameKind::of_table(table) {
                    None => is_path(name),
                    Some(NameKind::Field) => is_field(name),
                    Some(NameKind::Word) => is_type_name(name) && name != OTHER,
                };
                if !is_right {
                    problems.push(&place, PlanCause::NotAnIdentifier(name.clone()));
                } else if NameKind::of_table(table).is_none() {
                    check_type(name, objects, &mut files, &place, problems);
                }
            }
        }
    }

    /// The text of the file; `None` if there is nothing in it.
    pub(crate) fn text(&self) -> Option<String> {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
        let quoted = |text: &str| {
            // Most names need no escapes, so no writer of TOML.
            let plain = text.bytes().all(is_plain).then(|| ["\"", text, "\""].concat());
            plain.unwrap_or_else(|| toml::Value::from(text).to_string())
        };
        let mut text = "# Written by the generator: the Rust names that no document states. Later releases keep them.\n\
             # To rename a type, a field or a word, change its name here.\n"
            .to_owned();
        for (table, names) in &self.tables {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n[{}]", quoted(table));
            for (name, objects) in names {
                let _ = writeln!(text, "{} = [", quoted(name));
                for object in objects {
                    let _ = writeln!(text, "  {},", quoted(object));
                }
                text.push_str("]\n");
            }
        }
        (!self.tables.is_empty()).then_some(text)
    }
}

/// Returns `true` for the name of a type, also with the module of its kind before it.
fn is_path(name: &str) -> bool {
    match name.split_once("::") {
        None => is_type_name(name),
        Some((module, name)) => {
            let is_module = is_name(module) && snake_case(module) == module && !is_file(module);
            is_module && is_type_name(name)
        }
    }
}

/// Returns `true` for the name of a field, which can be a keyword that Rust has raw.
fn is_field(name: &str) -> bool {
    let is_ascii = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_ascii && raw(name.to_owned()).is_some()
}

/// Reports a type with the file of another one, and a name for several things that are not objects of one structure.
fn check_type<'a>(
    name: &'a String,
    objects: &[String],
    files: &mut BTreeMap<(&'a str, String), &'a str>,
    place: &Place,
    problems: &mut Problems,
) {
    let is_object = |object: &String| object.contains('#') && !object.starts_with("words ");
    if objects.len() > 1 && !objects.iter().all(is_object) {
        problems.push(place, RuleCause::OneName(name.clone(), objects.join("`, `")));
    }
    let (module, own) = name.split_once("::").unwrap_or(("", name));
    // The types of a module are in a folder, whose name is not the one of a file.
    let folder = (!module.is_empty()).then(|| (("", module.to_owned()), module));
    for ((file, text), named) in folder.into_iter().chain([((module, snake_case(own)), &**name)]) {
        let first = *files.entry((file, text.clone())).or_insert(named);
        if first != named {
            let (first, second) = (first.to_owned(), named.to_owned());
            problems.push(place, PlanCause::NameClash { first, second, rust: text });
        }
    }
}

pub(super) fn read(specs: &Files) -> Result<Names, Problems> {
    let file: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Vec<String>>> =
        optional(specs, PATH)?;
    let mut names = Names::default();
    for (table, of_table) in file {
        let table = table.into_inner();
        for (name, objects) in of_table {
            let span = name.span();
            let name = name.into_inner();
            names.spans.insert((table.clone(), name.clone()), span);
            names.tables.entry(table.clone()).or_default().insert(name, objects);
        }
    }
    let mut problems = Problems::new();
    names.check(&mut problems);
    problems.or(names)
}
