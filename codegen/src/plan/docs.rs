//! The rustdoc of the items: the project's description, then what the documents state.

use k8s_versioned_core::{Lifecycle, Release};
use litemap::LiteMap;
use serde_json::{Value, json};

use toml::Spanned;

use super::object_role::rust_fields;
use super::planner::Planner;
use super::rust_items::{Field, ItemPath};
use super::rustdoc_text;
use crate::gather::Gather;
use crate::input::crd::NO_RELEASE;
use crate::input::{DescribedBy, GroupRules};
use crate::model::Model;
use crate::problem::{Place, RuleCause, Undescribed};
use crate::spec::{
    Dialect, Facts, Property, Releases, Type, ValueType, is_empty_object, is_zero, list_map_keys,
    merge_text, own_name,
};
use crate::text::{code, join};

impl Planner<'_> {
    /// The description of a module.
    pub(super) fn describe_module(&mut self, module: &str) -> String {
        let ruled =
            self.rules.descriptions.get(module).map(|description| description.module.as_str());
        let place = Place::file(format!("descriptions/{}.toml", module.replace("::", ".")));
        let text = self.described(ruled, None, || Undescribed::Module(module.to_owned()), &place);
        if text.is_empty() { format!("The types of `{module}`.") } else { text }
    }

    /// The description of a type.
    pub(super) fn describe_type(&mut self, path: &ItemPath, ty: &Type) -> String {
        if let (Dialect::Custom, Some(item)) = (ty.dialect, list_item(ty)) {
            return format!("A list of {} objects.", code(item));
        }
        let described = self.rules.description(&path.module, &path.name);
        let ruled = described.map(|described| described.description.as_str());
        let what = || Undescribed::Type { module: path.module.clone(), name: path.name.clone() };
        self.described(ruled, ty.description.as_deref(), what, &ty.place)
    }

    /// The description of a field of a type, which has this name in JSON.
    pub(super) fn describe_field(
        &mut self,
        path: &ItemPath,
        of: &Type,
        wire: &str,
        property: &Property,
    ) -> String {
        if let Some(text) = of_every_object(of, wire) {
            return text.to_owned();
        }
        let described = self.rules.description(&path.module, &path.name);
        let ruled = described.and_then(|described| described.fields.get(wire)).map(String::as_str);
        let what = || Undescribed::Field {
            module: path.module.clone(),
            name: path.name.clone(),
            field: wire.to_owned(),
        };
        self.described(ruled, property.description.as_deref(), what, &property.place)
    }

    /// The text of the rules, or that of the documents, if `group.toml` asks for descriptions of the documents.
    fn described(
        &mut self,
        ruled: Option<&str>,
        stated: Option<&str>,
        what: impl FnOnce() -> Undescribed,
        place: &Place,
    ) -> String {
        let text = ruled.unwrap_or_default().trim();
        match self.rules.group.descriptions {
            _ if !text.is_empty() => text.to_owned(),
            DescribedBy::Documents => stated.map(rustdoc_text::rustdoc).unwrap_or_default(),
            DescribedBy::None => String::new(),
            DescribedBy::Rules => {
                self.problems.push(place, RuleCause::NoDescription(what()));
                String::new()
            }
        }
    }

    /// Reports the descriptions of modules, types and fields that do not exist in Rust.
    pub(super) fn report_unused_descriptions(&mut self) {
        let Self { model, rules, placements, .. } = *self;
        let mut report = |place: &Place, what: String| {
            self.problems.push(place, RuleCause::MatchesNothing(what));
        };
        for (module, descriptions) in &rules.descriptions {
            let types = placements.all_generated().filter(|(_, path)| path.module == *module);
            let types =
                types.filter_map(|(schema, path)| Some((&path.name, model.types.get(schema)?)));
            let types: LiteMap<&String, &Type> = types.gather();
            if let (true, Some(file)) = (types.is_empty(), &descriptions.file) {
                report(file, module.clone());
                continue;
            }
            if let Some(like) = &descriptions.like {
                let other = rules.descriptions.get(like.get_ref());
                let names = other.into_iter().flat_map(|other| other.types.keys());
                let mut inherited = names.filter(|name| !descriptions.types.contains_key(*name));
                if !inherited.any(|name| types.contains_key(name.get_ref())) {
                    report(&descriptions.place(like), like.get_ref().clone());
                }
            }
            for (name, described) in &descriptions.types {
                let Some(ty) = types.get(name.get_ref()) else {
                    report(&descriptions.place(name), format!("{module}::{}", name.get_ref()));
                    continue;
                };
                let has = |name: &Spanned<String>| {
                    rust_fields(model, ty).any(|(field, _)| field == name.get_ref())
                };
                for field in described.fields.keys().filter(|name| !has(name)) {
                    let what = format!("{}.{}", name.get_ref(), field.get_ref());
                    report(&descriptions.place(field), what);
                }
            }
        }
    }

    /// The rustdoc of a module, with the lifecycle of its kinds.
    pub(super) fn module_docs(&self, description: &str, lifecycle: Option<&Lifecycle>) -> String {
        let notes = lifecycle.map(|lifecycle| lifecycle_note(&self.rules.group, lifecycle));
        with_notes(description, notes.as_slice())
    }

    /// The rustdoc of a type. The lifecycle of a kind is more precise than the releases of the documents.
    pub(super) fn type_docs(
        &self,
        description: &str,
        ty: &Type,
        lifecycle: Option<&Lifecycle>,
    ) -> String {
        let (group, model) = (&self.rules.group, self.model);
        let mut notes: Vec<String> = merge_note(&ty.merge).into_iter().collect();
        if ty.dialect == Dialect::Custom {
            notes.extend(validation_of_value(&ty.facts));
            notes.extend(releases_note(group, &ty.releases, &model.releases, ty.dialect));
        } else if !model.releases.contains(NO_RELEASE) {
            let known = || known_note(group, &ty.releases, model);
            notes.push(lifecycle.map_or_else(known, |lifecycle| lifecycle_note(group, lifecycle)));
        }
        with_notes(description, &notes)
    }

    /// The rustdoc of a field: its description and the notes. The name of a field can be chosen among others.
    pub(super) fn field_docs(&self, field: &Field, is_chosen: bool, of: &Type) -> String {
        let (group, Field { ident, wire, property, .. }) = (&self.rules.group, field);
        let mut notes: Vec<String> = name_note(wire, ident, is_chosen).into_iter().collect();
        notes.extend(required_note(group, property, of.dialect));
        notes.extend(default_note(property));
        notes.extend(union_note(wire, of));
        notes.extend(merge_note(&property.merge));
        if of.dialect == Dialect::Custom {
            notes.extend(validation_notes(property));
            let differs =
                "Objects of this type differ in what else servers check of it or fill in.";
            notes.extend(property.differs.then(|| differs.to_owned()));
        }
        notes.extend(releases_note(group, &property.releases, &of.releases, of.dialect));
        with_notes(&field.docs, &notes)
    }
}

/// The kind of the items, if a type is a list of objects.
fn list_item(ty: &Type) -> Option<&str> {
    let items = ty.property("items").filter(|_| !ty.kinds.is_empty())?;
    items.value.reference().map(own_name)
}

/// The description of a field that every custom resource has, and every object inside one: servers add it.
fn of_every_object(of: &Type, wire: &str) -> Option<&'static str> {
    let embedded = of.facts.contains_key("x-kubernetes-embedded-resource");
    let object = of.dialect == Dialect::Custom && (embedded || !of.kinds.is_empty());
    match wire {
        "apiVersion" if object => Some("The group and version of the object."),
        "kind" if object => Some("The kind of the object."),
        "metadata" if object => {
            Some("The name of the object, its labels and all else that every object has.")
        }
        _ => None,
    }
}

fn lifecycle_note(group: &GroupRules, lifecycle: &Lifecycle) -> String {
    let part = |release: Option<Release>, what: &str| {
        release.map_or_else(String::new, |release| format!(", {what} {release:#}"))
    };
    format!(
        "Since {}{}{}.",
        group.named(lifecycle.introduced_in()),
        part(lifecycle.deprecated_in(), "deprecated since"),
        part(lifecycle.removed_in(), "removed in"),
    )
}

/// The first and the last release that have a type, by the documents.
fn known_note(group: &GroupRules, known: &Releases, model: &Model) -> String {
    let (oldest, newest) = (model.releases.first(), model.releases.last());
    let first = known.first().map(|first| {
        let earlier = if Some(first) == oldest { " or earlier" } else { "" };
        format!("Since {}{earlier}", group.named(first))
    });
    let last = known.last().filter(|last| Some(*last) != newest);
    let until = last.map(|last| format!(", until {last:#}"));
    format!("{}{}.", first.unwrap_or_default(), until.unwrap_or_default())
}

fn with_notes(description: &str, notes: &[String]) -> String {
    let notes = notes.join(" ");
    let parts = [description, &notes];
    join(parts.into_iter().filter(|part| !part.is_empty()), "\n\n")
}

/// The name of a field in JSON, if the name in Rust has other letters, or was chosen among others.
fn name_note(wire: &str, ident: &str, is_chosen: bool) -> Option<String> {
    let same = letters(ident.trim_start_matches("r#")).eq(letters(wire));
    (is_chosen || !same).then(|| format!("{} in JSON.", code(wire)))
}

/// The letters of a name, without the separators of its words.
fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

fn required_note(group: &GroupRules, property: &Property, dialect: Dialect) -> Option<String> {
    let since = property.required_in.first()?;
    Some(if property.required_in == property.releases {
        "Required.".to_owned()
    } else if property.required_in.last() == property.releases.last() {
        format!("Required since {}.", named(group, dialect, since))
    } else {
        format!("Required in {}.", property.required_in)
    })
}

/// The default that a server fills in where a field is absent, if it is not the zero value.
pub(crate) fn filled_in(property: &Property) -> Option<String> {
    let default = property.default.as_ref();
    default.filter(|default| !is_zero(default)).and_then(|_| default_note(property))
}

/// The default, and the releases that have it if not all do. A field can be required and have a default: it may still be absent
/// in a request.
fn default_note(property: &Property) -> Option<String> {
    // An object without members means the same as an absent object, and a required text has no meaning when it is empty.
    let has_meaning =
        |default: &&Value| !(is_empty_object(default) || property.required() && **default == "");
    let default = property.default.as_ref().filter(has_meaning)?;
    let in_all = property.default_in == property.releases;
    let releases = if in_all { String::new() } else { format!(" (in {})", property.default_in) };
    let default = code(&default.to_string());
    Some(if property.required() {
        format!("Servers read an absent field as {default}{releases}.")
    } else {
        format!("Default: {default}{releases}.")
    })
}

/// The role of a field in a union: only one member of a union is set.
fn union_note(wire: &str, of: &Type) -> Option<String> {
    let unions = of.facts.get("x-kubernetes-unions")?.as_array()?;
    unions.iter().find_map(|union| {
        let members = union.get("fields-to-discriminateBy")?.as_object()?;
        let names = || join(members.keys().map(|name| code(name)), ", ");
        let discriminator = union.get("discriminator").and_then(|union| union.as_str());
        match discriminator {
            Some(discriminator) if discriminator == wire => {
                Some(format!("Discriminator: names which of {} is set.", names()))
            }
            Some(discriminator) => {
                let word = members.get(wire)?.as_str()?;
                Some(format!("Only if {} is {}.", code(discriminator), code(word)))
            }
            None => members.get(wire).map(|_| format!("At most one of these is set: {}.", names())),
        }
    })
}

/// A release with its product. Definitions do not name the project that they belong to.
fn named(group: &GroupRules, dialect: Dialect, release: Release) -> String {
    if dialect == Dialect::Custom && group.product.is_none() {
        format!("release {release:#}")
    } else {
        group.named(release)
    }
}

fn merge_note(merge: &Facts) -> Option<String> {
    let [of_list, of_map] = ["x-kubernetes-list-type", "x-kubernetes-map-type"]
        .map(|keyword| merge_text(merge, keyword));
    let note = match (of_list.as_deref(), of_map.as_deref()) {
        (Some("map"), _) => {
            let keys = join(list_map_keys(merge).map(code), " and ");
            let owners = "each item has separate owners";
            return Some(format!("Applied item by item, by {keys}: {owners}."));
        }
        (Some("set"), _) => "Applied as a set: each value has separate owners.",
        (Some("atomic"), _) | (_, Some("atomic")) => {
            "Applied as a whole (atomic): it has one owner."
        }
        (_, Some("granular")) => "Applied entry by entry: each has separate owners.",
        _ => return None,
    };
    Some(note.to_owned())
}

/// The first and the last release of a part, where they differ from the releases of the whole.
fn releases_note(
    group: &GroupRules,
    part: &Releases,
    whole: &Releases,
    dialect: Dialect,
) -> Option<String> {
    let named = |release| named(group, dialect, release);
    let since = part.first().filter(|first| whole.first() != Some(*first));
    let until = part.last().filter(|last| whole.last() != Some(*last));
    match (since, until) {
        (Some(since), Some(until)) if since == until => Some(format!("Only in {}.", named(since))),
        (Some(since), Some(until)) => Some(format!("Since {}, until {until:#}.", named(since))),
        (Some(since), None) => Some(format!("Since {}.", named(since))),
        (None, Some(until)) => Some(format!("Until {}.", named(until))),
        (None, None) => None,
    }
}

// What servers check of the fields of custom resources, as rustdoc. They refuse other values; the types hold them.

/// The most words of one note.
const MOST_WORDS: usize = 20;

/// The notes about a field and about its items.
pub(super) fn validation_notes(property: &Property) -> Vec<String> {
    let mut facts = property.facts.clone();
    facts.retain(|keyword, _| has_meaning(keyword, &property.value));
    let mut notes = validation_of_value(&facts);
    let items = validation_of_value(&property.items.facts);
    if !items.is_empty() {
        notes.push(format!("Each item: {}", items.join(" ")));
    }
    notes
}

/// Returns `true` if servers check a keyword for values of this type: `minimum` only for numbers, for example.
fn has_meaning(keyword: &str, value: &ValueType) -> bool {
    use ValueType::{Boolean, Bytes, DateTime, Integer, List, Map, Number, Opaque, String as Text};
    let (is_text, is_number) =
        (matches!(value, Text | DateTime | Bytes), matches!(value, Integer(_) | Number));
    let (is_list, is_object) = (matches!(value, List(_)), matches!(value, Map(_) | Opaque));
    let is_other = is_text || is_number || is_list || is_object || *value == Boolean;
    match keyword {
        "minLength" | "maxLength" | "pattern" => is_text || !is_other,
        "minItems" | "maxItems" | "uniqueItems" => is_list || !is_other,
        "minProperties" | "maxProperties" => is_object || !is_other,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            is_number || !is_other
        }
        _ => true,
    }
}

/// The notes about a value.
pub(super) fn validation_of_value(facts: &Facts) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    notes.extend(words(facts));
    notes.extend(limits(facts, ["minLength", "maxLength"], " characters"));
    notes.extend(limits(facts, ["minItems", "maxItems"], " items"));
    notes.extend(limits(facts, ["minProperties", "maxProperties"], " members"));
    notes.extend(limits(facts, ["minimum", "maximum"], ""));
    for (keyword, text) in [
        ("exclusiveMinimum", "The minimum itself is not allowed."),
        ("exclusiveMaximum", "The maximum itself is not allowed."),
        ("uniqueItems", "No item occurs twice."),
    ] {
        notes.extend(facts.get(keyword).filter(|fact| **fact == true).map(|_| text.to_owned()));
    }
    notes.extend(facts.get("multipleOf").map(|of| format!("A multiple of {of}.")));
    notes.extend(
        facts.get("pattern").and_then(Value::as_str).map(|fact| format!("Matches {}.", code(fact))),
    );
    let combined = ["allOf", "anyOf", "oneOf", "not"].into_iter();
    let says_type = |keyword: &&str| *keyword == "anyOf" && is_int_or_string(facts);
    let combined = combined.filter(|keyword| facts.contains_key(keyword) && !says_type(keyword));
    let combined = join(combined.map(code), ", ");
    if !combined.is_empty() {
        notes.push(format!("Servers also check {combined} of its schema."));
    }
    notes.extend(rules(facts));
    notes
}

/// The known words and numbers.
fn words(facts: &Facts) -> Option<String> {
    let words = facts.get("enum")?.as_array()?;
    let shown = words.iter().take(MOST_WORDS).map(|word| match word {
        Value::String(text) => code(text),
        other => code(&other.to_string()),
    });
    let more = if words.len() > MOST_WORDS { ", and others" } else { "" };
    Some(format!("One of {}{more}.", join(shown, ", ")))
}

fn limits(facts: &Facts, [least, most]: [&str; 2], unit: &str) -> Option<String> {
    let unit = |limit: &Value| if *limit == 1 { unit.trim_end_matches('s') } else { unit };
    match (facts.get(least), facts.get(most)) {
        (Some(least), Some(most)) if least == most => {
            Some(format!("Exactly {least}{}.", unit(least)))
        }
        (Some(least), Some(most)) => Some(format!("{least} to {most}{}.", unit(most))),
        (Some(least), None) => Some(format!("At least {least}{}.", unit(least))),
        (None, Some(most)) => Some(format!("At most {most}{}.", unit(most))),
        (None, None) => None,
    }
}

/// The rules in the Common Expression Language, each with its message.
fn rules(facts: &Facts) -> impl Iterator<Item = String> {
    let rules = facts.get("x-kubernetes-validations").and_then(Value::as_array);
    rules.into_iter().flatten().filter_map(|rule| {
        let text = |key| rule.get(key).and_then(Value::as_str).map(str::trim);
        let message = text("message").filter(|message| !message.is_empty());
        let message = message.map(|message| format!(" ({})", super::rustdoc_text::line(message)));
        Some(format!("Rule: {}{}.", code(text("rule")?), message.unwrap_or_default()))
    })
}

/// Returns `true` if the only alternatives are a number and a text.
fn is_int_or_string(facts: &Facts) -> bool {
    let alternatives = facts.get("anyOf").and_then(Value::as_array);
    let [number, text] = ["integer", "string"].map(|name| json!({ "type": name }));
    alternatives.is_some_and(|alternatives| {
        matches!(alternatives.as_slice(), [one, other]
            if [one, other] == [&number, &text] || [one, other] == [&text, &number])
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::validation_of_value;

    #[test]
    fn checks_as_text() {
        let facts = [
            ("enum", json!(["A", 1, ""])),
            ("minLength", json!(1)),
            ("maxLength", json!(63)),
            ("maximum", json!(3.5)),
            ("pattern", json!("^a`b$")),
            ("not", json!({})),
            (
                "x-kubernetes-validations",
                json!([{"rule": "self.a ==\n self.b", "message": "<a> is b"}]),
            ),
        ];
        let notes = validation_of_value(&facts.into_iter().collect());
        let expected = [
            "One of `A`, `1`, `\"\"`.",
            "1 to 63 characters.",
            "At most 3.5.",
            "Matches `` ^a`b$ ``.",
            "Servers also check `not` of its schema.",
            "Rule: `self.a == self.b` (\\<a\\> is b).",
        ];
        assert_eq!(notes, expected);
    }

    /// A number or a text is what the Rust type says. All else in a schema is a check that the type does not have.
    #[test]
    fn alternatives_that_the_type_does_not_state() {
        let (integer, text) = (json!({"type": "integer"}), json!({"type": "string"}));
        let object = json!({"type": "object"});
        let table = [
            (json!({"anyOf": [integer, text]}), None),
            (json!({"anyOf": [text, integer]}), None),
            (json!({"anyOf": [object, text]}), Some("`anyOf`")),
            (json!({"anyOf": [integer, text, object]}), Some("`anyOf`")),
            (json!({"anyOf": []}), Some("`anyOf`")),
            (json!({"anyOf": [integer, text], "oneOf": [object]}), Some("`oneOf`")),
        ];
        for (schema, combined) in table {
            let facts = ["anyOf", "oneOf"].into_iter();
            let facts = facts.filter_map(|keyword| Some((keyword, schema.get(keyword)?.clone())));
            let expected = combined.map(|of| format!("Servers also check {of} of its schema."));
            let notes = validation_of_value(&facts.collect());
            assert_eq!(notes, expected.into_iter().collect::<Vec<_>>(), "{schema}");
        }
    }
}
