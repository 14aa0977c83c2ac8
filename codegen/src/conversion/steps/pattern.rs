//! `pattern`: members of an object in one version are other members in another.

use std::collections::BTreeSet;

use litemap::LiteMap;
use serde_json::Value as Json;

use super::stated::broken;
use crate::Problems;
use crate::conversion::actions::Action;
use crate::conversion::field_ref::Paths;
use crate::conversion::pattern_form::{Form, FormMembers, Pattern, PatternSide, Piece};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Role, Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::{Structs, named_field, required_fields, type_text};
use crate::plan::{Field, ItemPath, RustType, Struct, code};
use crate::problem::RuleFault;
use crate::rules::Correspondence;
use crate::rules::paths::{FieldPath, segment};
use crate::spec::Facts;
use crate::text::join;

const SAME: RuleKey = RuleKey {
    name: "same",
    meaning: "the patterns: each has the members of the object in each version, which say the same. `$name` in a text is a variable, \
              and `[item, \"...\"]` a list of any number of such items",
    shape: Shape::Patterns,
    required: true,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "pattern",
    meaning: "Members of an object are other members, by patterns with variables.",
    takes: "`pattern` takes an object that all versions have; each pattern of `same` has the same variables in each of its versions. \
            The first pattern that the members have counts; without one, members of the same name keep their values",
    keys: &[SAME],
    example: r#"rule = "pattern"
names = "spec.source"
same = [{ v1beta1 = { bundle = "$image" }, v1 = { resolver = "bundles", params = [{ name = "bundle", value = "$image" }] } }]
reason = "A bundle is one of several resolvers in v1.""#,
    role: Role::Pattern,
    check: check_stated,
    ..RuleKind::NONE
};

fn check_stated(stated: &Correspondence, versions: usize) -> Result<(), RuleFault> {
    if stated.names.len() == versions { Ok(()) } else { Err(RuleFault::LacksVersions) }
}

/// The patterns of a rule: by version, the members of the object.
fn patterns(stated: &Correspondence) -> impl Iterator<Item = &toml::Table> {
    let same = stated.keys.get(SAME.name).and_then(|value| value.value.as_array());
    same.into_iter().flatten().filter_map(toml::Value::as_table)
}

/// The members of an object of a version that the patterns name: in this version, or in another one that has a member of this
/// name.
pub(in crate::conversion) fn members<'a>(
    stated: &'a Correspondence,
    version: &str,
    of: &Struct,
) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    let has = |name: &str| of.fields.iter().any(|field| field.wire == name);
    for (in_version, members) in patterns(stated).flatten() {
        let names = members.as_table().into_iter().flat_map(toml::Table::keys);
        for name in names.filter(|name| in_version == version || has(name)) {
            if !all.contains(&name.as_str()) {
                all.push(name);
            }
        }
    }
    all
}

/// The step between the members of two versions, which have them in objects of these types.
pub(in crate::conversion) fn step(
    rule: &Rule<'_>,
    (from, to): (&str, &str),
    (own, other): (&ItemPath, &ItemPath),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<RuleStep> {
    let objects = (own.clone(), other.clone());
    let same = read(rule).and_then(|same| {
        let members = |pattern: &[(String, FormMembers)], version: &str| {
            pattern.iter().find(|(of, _)| of == version).map(|(_, members)| members.clone())
        };
        for pattern in &same {
            if let (Some(own), Some(other)) = (members(pattern, from), members(pattern, to)) {
                check_variables(rule, [(from, &own), (to, &other)], structs)?;
            }
        }
        Ok(same)
    });
    match same {
        Ok(same) => {
            let around = rule.objects.iter();
            let around = around.map(|(of, path)| ((*of).to_owned(), FieldPath::of(path))).collect();
            let sides = rule.objects.keys().map(|version| side(rule, version)).collect();
            let (name, versions) = (name(rule), (from.to_owned(), to.to_owned()));
            let pattern = Pattern { name, around, sides, same, versions, objects };
            Some(RuleStep::keeps(Action::Pattern(pattern)))
        }
        Err(fault) => {
            rule.report_fault(fault, problems);
            None
        }
    }
}

/// The name of a rule in the generated code: the names that lead to its first member.
fn name(rule: &Rule<'_>) -> String {
    rule.found.first().map(|(_, field)| field.joined()).unwrap_or_default()
}

/// The members of a version.
fn side(rule: &Rule<'_>, version: &str) -> PatternSide {
    let of_version = rule.found.iter().filter(|(of, _)| *of == version);
    let fields: Vec<FieldRef> = of_version.map(|(_, field)| field.clone()).collect();
    let mut kept = kept(rule, version);
    if kept.is_empty() {
        // Without members it keeps nothing, and the path only names the version.
        kept.extend(
            rule.objects.get(version).map(|path| (version.to_owned(), FieldPath::of(path))),
        );
    }
    PatternSide { version: version.to_owned(), kept, fields }
}

/// The place under which the members of a version are kept.
pub(in crate::conversion) fn kept(rule: &Rule<'_>, version: &str) -> Paths {
    let first = rule.in_version(version).into_iter();
    first.map(|field| (version.to_owned(), field.path.clone())).collect()
}

/// The patterns, or why they do not say what is the same.
fn read(rule: &Rule<'_>) -> Result<Vec<Vec<(String, FormMembers)>>, RuleFault> {
    let of_version = |(version, members): (&String, &toml::Value)| {
        if !rule.stated.names.contains_key(version) {
            let (key, version) = (SAME.name, version.clone());
            return Err(RuleFault::VersionNotNamed { key, version });
        }
        Ok((version.clone(), members.as_table().map(forms).transpose()?.unwrap_or_default()))
    };
    patterns(rule.stated).map(|pattern| pattern.iter().map(of_version).collect()).collect()
}

fn forms(members: &toml::Table) -> Result<FormMembers, RuleFault> {
    members.iter().map(|(name, value)| Ok((name.clone(), form(value)?))).collect()
}

/// The form that a value of the rule states.
fn form(value: &toml::Value) -> Result<Form, RuleFault> {
    Ok(match value {
        toml::Value::String(text) => form_of_text(text)?,
        toml::Value::Integer(number) => Form::Number(*number),
        toml::Value::Boolean(flag) => Form::Flag(*flag),
        toml::Value::Table(members) => Form::Object(forms(members)?),
        toml::Value::Array(items) => match items.as_slice() {
            [item, end] if end.as_str() == Some("...") => Form::Each(Box::new(form(item)?)),
            _ => Form::List(items.iter().map(form).collect::<Result<_, _>>()?),
        },
        other => {
            let (form, value) = (other.type_str(), other.to_string());
            return Err(RuleFault::NoSuchForm { form, value });
        }
    })
}

/// The form of a text: `$name` is a variable, also as `${name}`, and `$$` is a `$`.
fn form_of_text(text: &str) -> Result<Form, RuleFault> {
    let (mut pieces, mut literal, mut rest) = (Vec::new(), String::new(), text);
    while let Some((before, after)) = rest.split_once('$') {
        literal += before;
        if let Some(after) = after.strip_prefix('$') {
            literal.push('$');
            rest = after;
            continue;
        }
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let in_braces = after.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let (name, after) = in_braces.unwrap_or_else(|| {
            after.split_at(after.find(|character| !is_name(character)).unwrap_or(after.len()))
        });
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(RuleFault::NoVariableName(text.to_owned()));
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(std::mem::take(&mut literal)));
        }
        if let Some(Piece::Variable(_)) = pieces.last() {
            return Err(RuleFault::NothingBetweenVariables(text.to_owned()));
        }
        pieces.push(Piece::Variable(name.to_owned()));
        rest = after;
    }
    literal += rest;
    Ok(match (pieces.as_slice(), literal.is_empty()) {
        ([], _) => Form::Text(literal),
        ([Piece::Variable(name)], true) => Form::Variable(name.clone()),
        (_, true) => Form::Joined(pieces),
        (_, false) => {
            pieces.push(Piece::Literal(literal));
            Form::Joined(pieces)
        }
    })
}

/// Checks that the two sides of a pattern have the same variables, of the same types.
fn check_variables(
    rule: &Rule<'_>,
    mut sides: [(&str, &FormMembers); 2],
    structs: &Structs<'_>,
) -> Result<(), RuleFault> {
    // Both directions have one message.
    sides.sort_by_key(|(version, _)| *version);
    let versions = sides.map(|(version, _)| version.to_owned());
    let [own, other] = sides.map(|(version, members)| variables(rule, (version, members), structs));
    let (own, other) = (own?, other?);
    let has_all = |of: &Variables, all: &Variables| all.keys().all(|name| of.contains_key(name));
    // One that only one version has: the pattern counts in conversions from this version.
    if !has_all(&own, &other) && !has_all(&other, &own) {
        let names = [own, other].map(|all| all.into_iter().map(|(name, _)| name).collect());
        return Err(RuleFault::VariablesDiffer { versions, names });
    }
    for (name, one) in &own {
        if let (Some(one), Some(Some(two))) = (one, other.get(name))
            && !are_alike(one, two)
        {
            let (name, types) = (name.clone(), [type_text(one), type_text(two)]);
            return Err(RuleFault::VariableTypes { name, types, versions });
        }
    }
    Ok(())
}

/// The variables of a side, with the types of their values, where a schema states them.
type Variables = LiteMap<String, Option<RustType>>;

fn variables(
    rule: &Rule<'_>,
    (version, members): (&str, &FormMembers),
    structs: &Structs<'_>,
) -> Result<Variables, RuleFault> {
    let mut all = Variables::new();
    for (name, form) in members {
        let is_member = |(of, field): &&(&str, FieldRef)| *of == version && field.name() == *name;
        let found = rule.found.iter().find(is_member).map(|(_, field)| field);
        let of = found.map(|found| found.rust_type.present());
        walk(form, of, structs, &mut all)
            .and_then(|()| match found.and_then(|found| structs.field(found)) {
                Some(field) => check_values(form, field, structs),
                None => Ok(()),
            })
            .map_err(|fault| {
                let (name, version) = (name.clone(), version.to_owned());
                RuleFault::InMember { name, version, fault: Box::new(fault) }
            })?;
    }
    Ok(all)
}

/// Walks through a form and the type of the values that have it.
fn walk(
    form: &Form,
    of: Option<&RustType>,
    structs: &Structs<'_>,
    all: &mut Variables,
) -> Result<(), RuleFault> {
    let of = of.map(RustType::present).filter(|of| !of.is_json());
    let mismatch = |what| match of {
        Some(of) => Err(RuleFault::NeverOfForm { found: type_text(of), what }),
        None => Ok(()),
    };
    match (form, of) {
        (Form::Variable(name), _) => bind(all, name, of.cloned())?,
        (Form::Joined(pieces), _) if of.is_none_or(RustType::is_text) => {
            let mut variables = pieces.iter().filter_map(|piece| match piece {
                Piece::Variable(name) => Some(name),
                Piece::Literal(_) => None,
            });
            variables.try_for_each(|name| bind(all, name, Some(RustType::String)))?;
        }
        (Form::Text(_), _) if of.is_none_or(is_textual) => {}
        (Form::Number(_), None | Some(RustType::I32 | RustType::I64))
        | (Form::Flag(_), None | Some(RustType::Bool)) => {}
        (Form::List(forms), None | Some(RustType::List(_))) => {
            return forms.iter().try_for_each(|form| walk(form, item_of(of), structs, all));
        }
        (Form::Each(form), None | Some(RustType::List(_))) => {
            return walk_each(form, item_of(of), structs, all);
        }
        (Form::Object(forms), Some(of @ RustType::Struct(_))) => {
            let Some(of) = structs.of_type(of) else {
                return Ok(());
            };
            for (name, form) in forms {
                walk(form, Some(&named_field(of, name)?.rust_type), structs, all)?;
            }
        }
        (Form::Object(forms), None | Some(RustType::Map(_))) => {
            return forms.iter().try_for_each(|(_, form)| walk(form, item_of(of), structs, all));
        }
        (Form::Text(_) | Form::Joined(_), _) => return mismatch("a text"),
        (Form::Number(_), _) => return mismatch("a number"),
        (Form::Flag(_), _) => return mismatch("`true` or `false`"),
        (Form::List(_) | Form::Each(_), _) => return mismatch("a list"),
        (Form::Object(_), _) => return mismatch("an object"),
    }
    Ok(())
}

/// Walks through the form of each item of a list: a variable is the list of its values.
fn walk_each(
    form: &Form,
    item: Option<&RustType>,
    structs: &Structs<'_>,
    all: &mut Variables,
) -> Result<(), RuleFault> {
    let mut each = Variables::new();
    walk(form, item, structs, &mut each)?;
    let list = |of: RustType| RustType::List(Box::new(of));
    each.into_iter().try_for_each(|(name, of)| bind(all, &name, of.map(list)))
}

/// The type of the items of a list or of the values of a map, where a schema states it.
fn item_of(of: Option<&RustType>) -> Option<&RustType> {
    match of {
        Some(RustType::List(item) | RustType::Map(item)) => Some(item),
        _ => None,
    }
}

/// Adds a variable. It has one value wherever it occurs, so its types have to be alike.
fn bind(all: &mut Variables, name: &str, of: Option<RustType>) -> Result<(), RuleFault> {
    let known = all.get(name).cloned().flatten();
    if let (Some(one), Some(two)) = (&known, &of)
        && !are_alike(one, two)
    {
        let (name, here, elsewhere) = (name.to_owned(), type_text(two), type_text(one));
        return Err(RuleFault::VariableType { name, here, elsewhere });
    }
    all.insert(name.to_owned(), known.or(of));
    Ok(())
}

/// Checks that servers take the values that the form of a field states: no other value has this form.
fn check_values(form: &Form, field: &Field, structs: &Structs<'_>) -> Result<(), RuleFault> {
    let of_items = &field.property.items.facts;
    match form {
        Form::List(items) => {
            items.iter().try_for_each(|item| check_value(item, of_items, field, structs))
        }
        Form::Each(item) => check_value(item, of_items, field, structs),
        _ => check_value(form, &field.property.facts, field, structs),
    }
}

/// Checks the form of a field, or of an item of it.
fn check_value(
    form: &Form,
    facts: &Facts,
    field: &Field,
    structs: &Structs<'_>,
) -> Result<(), RuleFault> {
    let stated = match form {
        Form::Text(text) => Json::from(text.as_str()),
        Form::Number(number) => Json::from(*number),
        Form::Flag(flag) => Json::from(*flag),
        Form::Object(members) if !field.rust_type.is_map() => {
            let of = field.rust_type.held().and_then(|path| structs.get(path));
            return of.map_or(Ok(()), |of| check_members(members, of, structs));
        }
        _ => return Ok(()),
    };
    match broken(&stated, facts) {
        Some(check) => Err(RuleFault::FormRefused { value: stated, check }),
        None => Ok(()),
    }
}

/// Checks the members of an object, which has exactly these.
fn check_members(
    members: &FormMembers,
    of: &Struct,
    structs: &Structs<'_>,
) -> Result<(), RuleFault> {
    let has = |name: &String| members.iter().any(|(member, _)| segment(member) == *name);
    if let Some(field) = required_fields(of).into_iter().find(|name| !has(name)) {
        return Err(RuleFault::LacksRequired { field });
    }
    members.iter().try_for_each(|(name, form)| match structs.named(of, &segment(name)) {
        Some(field) => check_values(form, field, structs)
            .map_err(|fault| RuleFault::InField { name: name.clone(), fault: Box::new(fault) }),
        None => Ok(()),
    })
}

fn is_textual(of: &RustType) -> bool {
    of.is_text() || matches!(of, RustType::External(..))
}

/// Whether values of one type can be values of the other.
fn are_alike(one: &RustType, other: &RustType) -> bool {
    match (one, other) {
        (RustType::List(one), RustType::List(other))
        | (RustType::Map(one), RustType::Map(other)) => are_alike(one.present(), other.present()),
        (RustType::Struct(_), RustType::Struct(_)) => true,
        _ => one == other || is_textual(one) && is_textual(other),
    }
}

/// Members with their forms, as the rule file has them.
pub(in crate::conversion) fn toml(members: &FormMembers) -> String {
    toml_of_members(members).to_string()
}

fn toml_of_members(members: &FormMembers) -> toml::Value {
    members.iter().map(|(name, form)| (name.clone(), toml_of(form))).collect::<toml::Table>().into()
}

fn toml_of(form: &Form) -> toml::Value {
    let literal = |text: &str| text.replace('$', "$$");
    match form {
        Form::Variable(name) => format!("${name}").into(),
        Form::Joined(pieces) => {
            let piece = |piece: &Piece| match piece {
                Piece::Literal(text) => literal(text),
                Piece::Variable(name) => format!("${{{name}}}"),
            };
            pieces.iter().map(piece).collect::<String>().into()
        }
        Form::Text(text) => literal(text).into(),
        Form::Number(number) => (*number).into(),
        Form::Flag(flag) => (*flag).into(),
        Form::List(items) => items.iter().map(toml_of).collect::<Vec<_>>().into(),
        Form::Each(item) => vec![toml_of(item), "...".into()].into(),
        Form::Object(members) => toml_of_members(members),
    }
}

/// The members of a pattern in a version.
pub(in crate::conversion) fn in_version<'s>(
    same: &'s [(String, FormMembers)],
    version: &str,
) -> Option<&'s FormMembers> {
    same.iter().find(|(of, _)| of == version).map(|(_, members)| members)
}

/// What a pattern loses of members that have its form in the source; `None` if it never counts there: the source lacks the value of a
/// variable of the target.
pub(in crate::conversion) fn loss(own: &FormMembers, other: &FormMembers) -> Option<String> {
    let [own, other] = [own, other].map(names_of_variables);
    if !other.is_subset(&own) {
        return None;
    }
    let dropped = join(own.difference(&other).map(|name| code(&format!("${name}"))), ", ");
    Some(if dropped.is_empty() {
        // A pattern before it can fit the result, a text can split elsewhere, and the types of a value can differ.
        "lossless if the result becomes the same again, else kept in annotations".to_owned()
    } else {
        format!("{dropped} kept in annotations")
    })
}

/// The names of the variables of members.
fn names_of_variables(members: &FormMembers) -> BTreeSet<&str> {
    fn add<'f>(form: &'f Form, all: &mut BTreeSet<&'f str>) {
        match form {
            Form::Variable(name) => _ = all.insert(name),
            Form::Joined(pieces) => all.extend(pieces.iter().filter_map(|piece| match piece {
                Piece::Variable(name) => Some(name.as_str()),
                Piece::Literal(_) => None,
            })),
            Form::Text(_) | Form::Number(_) | Form::Flag(_) => {}
            Form::List(items) => items.iter().for_each(|item| add(item, all)),
            Form::Each(item) => add(item, all),
            Form::Object(members) => members.iter().for_each(|(_, form)| add(form, all)),
        }
    }
    let mut all = BTreeSet::new();
    for (_, form) in members {
        add(form, &mut all);
    }
    all
}

pub(in crate::conversion) fn text() -> (String, &'static str) {
    (
        "the members follow the first pattern that fits; otherwise members of the same name are equal"
            .to_owned(),
        "kept in annotations, unless the members themselves restore them",
    )
}

#[cfg(test)]
mod tests {
    use super::{form, forms, toml};

    /// What people read is what the rule file has.
    #[test]
    fn members_are_written_as_toml() {
        for text in [
            r#"a = "$x""#,
            r#"a = "${x}:${y}$$""#,
            r#"a = 'a "quoted" $$HOME \\n'"#,
            r#""a.b" = [{ c = "$x", "d e" = 7 }, "..."]"#,
            r"a = [true, -1]",
        ] {
            let members: toml::Table = text.parse().unwrap();
            let read = forms(&members).unwrap();
            let written = toml(&read);
            let again: toml::Table = format!("same = {written}").parse().unwrap();
            assert_eq!(forms(again["same"].as_table().unwrap()), Ok(read), "{written}");
        }
        assert!(form(&toml::Value::from("a$")).is_err());
    }
}
