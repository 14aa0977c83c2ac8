//! A field of a kind: its forms, the versions that have each, and the rules that its shape states.

use serde_json::{Value, json};

/// The versions of each kind, lowest first.
pub(super) const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

/// The group of the kinds.
pub(super) const GROUP: &str = "combined.example.dev";

/// A form of a field: its path in the object around it, and its schema.
pub(super) struct Form {
    pub(super) path: &'static str,
    pub(super) schema: fn() -> Value,
}

/// A rule with the two forms of a field.
pub(super) struct Shape {
    /// The name of the kind.
    pub(super) kind: &'static str,
    pub(super) forms: [Form; 2],
    /// The rules of a field in these forms.
    pub(super) rules: fn(&Field<'_>) -> Vec<String>,
    pub(super) required_in: RequiredIn,
    /// The text beside the field that the versions require, instead of the field.
    pub(super) required: Option<&'static str>,
    /// Other texts beside the field, in all versions.
    pub(super) others: &'static [&'static str],
    /// The schema of these, and whether all versions require them.
    pub(super) other: (fn() -> Value, bool),
    /// Other texts in the object that has the field, and whether all versions require them.
    pub(super) siblings: &'static [(&'static str, bool)],
    /// The forms of which a version can have one, or none.
    pub(super) lacks: Lacks,
}

/// Whether versions can lack a field.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Lacks {
    /// Each version has one of the forms.
    None,
    /// Some versions have the first form, and others lack the field.
    Some,
    /// One version lacks the field, and the others have one form each.
    One,
}

/// Which versions can require a field.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum RequiredIn {
    /// Any of them.
    Any,
    /// Those with one of the forms, or all of them.
    Forms,
    /// None of them.
    None,
    /// Some of those with the field, or none.
    Some,
    /// All or none.
    All,
}

/// A field of a kind: the form in each version, if it has the field, and whether it requires it.
pub(super) struct Field<'s> {
    pub(super) shape: &'s Shape,
    pub(super) around: Around,
    pub(super) index: usize,
    pub(super) versions: [(Option<usize>, bool); 3],
}

/// The object around a field.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Around {
    /// The spec.
    Spec,
    /// The spec, which all versions require.
    RequiredSpec,
    /// An object of its own.
    Object,
    /// An item of a list.
    Item,
}

pub(super) fn text() -> Value {
    json!({"type": "string"})
}

pub(super) fn any_json() -> Value {
    json!({"x-kubernetes-preserve-unknown-fields": true})
}

pub(super) fn with_default() -> Value {
    json!({"type": "string", "default": "x"})
}

pub(super) fn number() -> Value {
    json!({"type": "integer", "format": "int32"})
}

pub(super) fn texts() -> Value {
    json!({"type": "array", "items": text()})
}

pub(super) fn nullable(mut schema: Value) -> Value {
    schema["nullable"] = json!(true);
    schema
}

pub(super) fn wide() -> Value {
    json!({"type": "integer", "format": "int64"})
}

pub(super) fn words(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

pub(super) fn object() -> Value {
    json!({"type": "object", "properties": {"size": number(), "colour": text()}})
}

pub(super) fn optional_text() -> Value {
    json!({"type": "object", "properties": {"s": text(), "u": text()}})
}

pub(super) fn required_text() -> Value {
    let mut object = optional_text();
    object["required"] = json!(["s"]);
    object
}

pub(super) fn named(name: &str) -> Value {
    json!({"type": "object", "required": [name], "properties": {name: text(), "size": number(), "colour": text()}})
}

pub(super) fn objects() -> Value {
    json!({"type": "array", "items": object()})
}

pub(super) const fn form(path: &'static str, schema: fn() -> Value) -> Form {
    Form { path, schema }
}

impl Field<'_> {
    /// The path of a place in the object around the field.
    pub(super) fn path(&self, inner: &str) -> String {
        let index = self.index;
        let around = match self.around {
            Around::Spec | Around::RequiredSpec => {
                // The fields of all indices are in one object.
                let names = inner.split('.').filter(|name| !name.is_empty());
                return names.fold("spec".to_owned(), |path, name| format!("{path}.{name}{index}"));
            }
            Around::Object => format!("spec.o{index}"),
            Around::Item => format!("spec.l{index}[]"),
        };
        if inner.is_empty() { around } else { format!("{around}.{inner}") }
    }

    /// A table with the text of each version that has the field.
    pub(super) fn table(&self, text: impl Fn(usize) -> Option<String>) -> String {
        let versions = self.versions.iter().zip(VERSIONS);
        let texts = versions
            .filter_map(|((form, _), version)| Some(format!("{version} = {:?}", text((*form)?)?)));
        format!("{{ {} }}", texts.collect::<Vec<_>>().join(", "))
    }

    /// Whether the fields of all indices are in the spec.
    pub(super) fn is_in_spec(&self) -> bool {
        matches!(self.around, Around::Spec | Around::RequiredSpec)
    }

    /// The paths of the forms.
    pub(super) fn both_forms(&self, names: [&str; 2]) -> String {
        self.by_version(|form| self.path(names[form]))
    }

    pub(super) fn by_version(&self, text: impl Fn(usize) -> String) -> String {
        self.table(|form| Some(text(form)))
    }

    /// A table with the value of each version.
    pub(super) fn raw(&self, value: impl Fn(usize) -> String) -> String {
        let versions = self.versions.iter().zip(VERSIONS);
        let values = versions
            .filter_map(|((form, _), version)| Some(format!("{version} = {}", value((*form)?))));
        format!("{{ {} }}", values.collect::<Vec<_>>().join(", "))
    }

    pub(super) fn lists(&self, list: impl Fn(usize) -> Vec<&'static str>) -> String {
        self.raw(|form| format!("{:?}", list(form)))
    }

    /// The rule of a text of which versions with the second form have the part before a separator.
    pub(super) fn part_of_text(&self, names: &str) -> String {
        self.part_of_text_or(names, "")
    }

    /// The rule, with the text in place of an absent one where only some versions require it.
    pub(super) fn part_of_text_or_fill(&self, names: &str, fill: &str) -> String {
        let having = || self.versions.iter().filter(|(form, _)| form.is_some());
        let required = having().filter(|(_, required)| *required).count();
        let is_needed = required > 0 && (required < having().count() || having().count() < 3);
        self.part_of_text_or(
            names,
            &if is_needed { format!(", fill = {fill:?}") } else { String::new() },
        )
    }

    pub(super) fn part_of_text_or(&self, names: &str, fill: &str) -> String {
        self.part_of_text_in(1, names, fill)
    }

    /// The rule of a text of which versions with one of the forms have a part.
    pub(super) fn part_of_text_in(&self, of_part: usize, names: &str, fill: &str) -> String {
        let part = self.table(|form| (form == of_part).then(|| "before".to_owned()));
        format!(
            "{{ rule = \"part-of-text\", names = {names}, separator = \"/\", rest = \"v1\", part = {part}{fill}, reason = \"-\" }}"
        )
    }

    /// The rule of an amount that is a text in its first form, and a number of seconds in the second.
    pub(super) fn units(&self) -> String {
        let units = self.by_version(|form| ["duration", "seconds"][form].to_owned());
        self.main("units", &format!("units = {units}"))
    }

    pub(super) fn rule(&self, name: &str, more: &str, inner: fn(usize) -> &'static str) -> String {
        let names = self.by_version(|form| self.path(inner(form)));
        let more = if more.is_empty() { String::new() } else { format!(", {more}") };
        format!("{{ rule = {name:?}, names = {names}{more} }}")
    }

    /// The rule of a text that is `x` where it is absent, and that only versions with one of the forms have.
    pub(super) fn kept_only_in(&self, only: usize, path: &str) -> String {
        let names = self.table(|form| (form == only).then(|| path.to_owned()));
        format!("{{ rule = \"keep-aside\", names = {names}, fill = \"x\", reason = \"-\" }}")
    }

    /// The `fill` of a rule, after other keys, if versions require the field.
    pub(super) fn fill_where_required(&self, value: &str) -> String {
        let is_required = self.versions.iter().any(|(_, required)| *required);
        if is_required { format!(", fill = {value}") } else { String::new() }
    }

    /// A rule about the field.
    pub(super) fn main(&self, name: &str, more: &str) -> String {
        self.rule_at(name, more, "")
    }

    /// A rule about the items of the field.
    pub(super) fn of_items(&self, name: &str) -> String {
        self.rule_at(name, "", "[]")
    }

    pub(super) fn rule_at(&self, name: &str, more: &str, end: &str) -> String {
        let path = |form: usize| self.path(self.shape.forms[form].path);
        let names = self.by_version(|form| format!("{}{end}", path(form)));
        let more = if more.is_empty() { String::new() } else { format!(", {more}") };
        format!("{{ rule = {name:?}, names = {names}{more} }}")
    }

    /// The rules of an object that only some versions require, and of a text in it that only those with the second form require.
    pub(super) fn optional_object(&self, inner: &str, fill: &str) -> Vec<String> {
        let text = self.rule_at("absent-to-zero", fill, &format!("{inner}.s"));
        [text].into_iter().chain(self.absent_to_zero("")).collect()
    }

    /// The rules of objects in a list that can be `null` in some versions, and of a text in them that others require.
    pub(super) fn nullable_objects(&self) -> Vec<String> {
        let fill = "fill = \"x\", reason = \"-\"";
        vec![self.of_items("absent-to-zero"), self.rule_at("absent-to-zero", fill, "[].s")]
    }

    /// The rule of a field that only some of its versions require.
    pub(super) fn absent_to_zero(&self, more: &str) -> Option<String> {
        let has_field = self.versions.iter().filter(|(form, _)| form.is_some());
        let required: Vec<bool> = has_field.map(|(_, required)| *required).collect();
        let is_required_in_some = required.contains(&true) && required.contains(&false);
        is_required_in_some.then(|| self.main("absent-to-zero", more))
    }

    /// The rule of the object around the second form, which the versions without it have the fields of.
    pub(super) fn nest_in_all(&self, object: &str) -> String {
        let names = self.versions.iter().zip(VERSIONS).map(|((form, _), version)| {
            let inner = if *form == Some(1) { object } else { "" };
            format!("{version} = {:?}", self.path(inner))
        });
        let names: Vec<String> = names.collect();
        format!("{{ rule = \"nest\", names = {{ {} }} }}", names.join(", "))
    }

    /// The rules of a field beside which some of the versions require a text.
    pub(super) fn with_filled(&self, rule: String, text: &'static str) -> Vec<String> {
        let required = self.versions.map(|(_, required)| required);
        let is_required_in_some = required.contains(&true) && required.contains(&false);
        let path = self.path(text);
        let fill = || {
            format!(
                "{{ rule = \"absent-to-zero\", names = {path:?}, fill = \"x\", reason = \"-\" }}"
            )
        };
        [rule].into_iter().chain(is_required_in_some.then(fill)).collect()
    }

    /// Adds the field to the schema of the spec of a version.
    pub(super) fn add_to(&self, spec: &mut Value, version: usize) {
        let (form, is_required) = self.versions[version];
        let around = match self.around {
            Around::Spec | Around::RequiredSpec => spec,
            Around::Object => {
                let name = format!("o{}", self.index);
                entry(spec, &name, json!({"type": "object", "properties": {"other": text()}}))
            }
            Around::Item => {
                let name = format!("l{}", self.index);
                let item = json!({"type": "object", "properties": {"other": text()}});
                &mut entry(spec, &name, json!({"type": "array", "items": item}))["items"]
            }
        };
        let suffix = if self.is_in_spec() { self.index.to_string() } else { String::new() };
        for other in self.shape.others {
            let is_required = is_required && self.shape.required == Some(other);
            let (schema, is_in_all) = self.shape.other;
            add(around, (other, &suffix), schema(), is_required || is_in_all);
        }
        if let Some(form) = form.map(|form| &self.shape.forms[form]) {
            let is_required = is_required && self.shape.required.is_none();
            add(around, (form.path, &suffix), (form.schema)(), is_required);
            let parent = form.path.rsplit_once('.').map_or("", |(parent, _)| parent);
            for (name, is_required) in self.shape.siblings {
                let path = format!("{parent}.{name}");
                add(around, (path.trim_start_matches('.'), &suffix), text(), *is_required);
            }
        }
    }
}

/// Adds a property at a path to an object.
pub(super) fn add(
    around: &mut Value,
    (path, suffix): (&str, &str),
    schema: Value,
    is_required: bool,
) {
    let (objects, last) = path.rsplit_once('.').unwrap_or(("", path));
    let names = objects.split('.').filter(|name| !name.is_empty());
    let object = json!({"type": "object", "properties": {}});
    let parent =
        names.fold(around, |at, name| entry(at, &format!("{name}{suffix}"), object.clone()));
    let last = format!("{last}{suffix}");
    entry(parent, &last, schema);
    if is_required {
        let names = parent["required"].take();
        let names = names.as_array().cloned().unwrap_or_default();
        parent["required"] = names.into_iter().chain([json!(last)]).collect();
    }
}

/// A property of an object.
pub(super) fn entry<'v>(object: &'v mut Value, name: &str, schema: Value) -> &'v mut Value {
    let properties = object["properties"].as_object_mut().unwrap();
    properties.entry(name).or_insert(schema)
}
