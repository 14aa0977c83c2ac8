//! Guesses of drafts: rules that a person may mean for fields that some versions lack, or whose words differ.
//!
//! A guess rests on names and types, never on descriptions. Where two fields are equally good, none is chosen.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;

use super::plan::FieldRef;
use super::structs::{Structs, shown};
use crate::plan::{Plan, RustType, Struct, code};
use crate::problem::StepName;
use crate::rules::paths;
use crate::text::join;

/// The path of a field by version.
pub(crate) type Names = BTreeMap<String, String>;

/// A rule that a person may mean, and the fields that have another rule so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    /// The fields that the rule is about.
    pub(crate) joins: Vec<Names>,
    /// The rule; `None` if several fields are equally good.
    pub(crate) rule: Option<Guessed>,
    /// The evidence, for people.
    pub(crate) reason: String,
}

/// A guessed rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guessed {
    pub(crate) step: StepName,
    pub(crate) names: Names,
    /// For `wrap`: the field of the object.
    pub(crate) field: Option<String>,
    /// For `words`: the words of each version.
    pub(crate) words: BTreeMap<String, Vec<String>>,
}

/// A kind, for guesses about it.
pub(crate) struct Guesser<'a> {
    structs: Structs<'a>,
    objects: BTreeMap<String, &'a Struct>,
}

impl<'a> Guesser<'a> {
    pub(crate) fn new(group: &str, kind: &str, plan: &'a Plan) -> Self {
        let structs = Structs::new(plan, &[]);
        let objects = structs.of_kind(group, kind);
        Self { structs, objects }
    }

    /// Guesses about fields that are kept aside so far, the best ones first.
    pub(crate) fn about_kept(&self, kept: &[Names]) -> Vec<Guess> {
        let fields: Vec<Kept<'_>> = kept.iter().filter_map(|names| self.kept(names)).collect();
        let mut guesses: Vec<Guess> =
            fields.iter().filter_map(|field| self.nest(field, &fields)).collect();
        guesses.extend(self.pairs(&fields));
        guesses
    }

    /// The types of a field as versions have it, for people.
    pub(crate) fn types(&self, names: &Names) -> Vec<String> {
        let of = |(version, path): (&String, &String)| {
            let field = self.structs.at(self.objects.get(version)?, path)?;
            let needs = if field.required { ", required" } else { "" };
            Some(format!("{version} {path}: {}{needs}", shown(&field.rust_type)))
        };
        names.iter().filter_map(of).collect()
    }

    fn kept<'n>(&self, names: &'n Names) -> Option<Kept<'n>> {
        let field =
            |(version, path): (&String, &String)| self.structs.at(self.objects.get(version)?, path);
        let fields: Option<Vec<FieldRef>> = names.iter().map(field).collect();
        let field = fields?.into_iter().next()?;
        Some(Kept { names, field })
    }
}

/// A field that is kept aside, as its lowest version has it.
struct Kept<'n> {
    names: &'n Names,
    field: FieldRef,
}

impl Kept<'_> {
    /// The path of the object around the field; `None` if it is not the same in all versions.
    fn parent(&self) -> Option<&str> {
        let mut parents = self.names.values().map(|path| paths::split_last(path).0);
        let first = parents.next()?;
        parents.all(|other| other == first).then_some(first)
    }

    fn name(&self) -> &str {
        self.names.values().next().map_or("", |path| paths::split_last(path).1)
    }

    /// Returns `true` if the names have the same words, or one name has all words of the other: `volume` and `volumeName`.
    fn is_alike(&self, other: &Self) -> bool {
        let words = |field: &Self| -> BTreeSet<String> {
            let name = field.name().to_snake_case();
            name.split('_').map(|word| word.trim_end_matches('s').to_owned()).collect()
        };
        let (few, many) = (words(self), words(other));
        self.name().eq_ignore_ascii_case(other.name())
            || few.is_subset(&many)
            || many.is_subset(&few)
    }
}

// Two fields that are one.

/// What joins two fields.
struct Relation {
    step: StepName,
    field: Option<String>,
    what: &'static str,
}

impl Relation {
    /// Returns `true` if the types alone are evidence.
    fn is_of_one_type(&self) -> bool {
        matches!(self.step, StepName::Move | StepName::AbsentToZero)
    }
}

impl Guesser<'_> {
    /// Guesses which of these fields are the same in other versions.
    fn pairs(&self, fields: &[Kept<'_>]) -> Vec<Guess> {
        let best: Vec<Vec<usize>> =
            (0..fields.len()).map(|index| self.best(fields, index)).collect();
        let guess = |index: usize| {
            let field = fields.get(index)?;
            match best.get(index)?.as_slice() {
                [] => None,
                [other] if best.get(*other)?.as_slice() != [index] || *other < index => None,
                [other] => self.joined(field, fields.get(*other)?),
                several => {
                    let others = several.iter().filter_map(|it| fields.get(*it));
                    let paths = others.filter_map(|it| Some(code(it.names.values().next()?)));
                    let paths = join(paths, " and ");
                    let reason = format!(
                        "{paths} are equally like it, so a person has to say which it is, if any"
                    );
                    Some(Guess { joins: vec![field.names.clone()], rule: None, reason })
                }
            }
        };
        (0..fields.len()).filter_map(guess).collect()
    }

    fn joined(&self, one: &Kept<'_>, other: &Kept<'_>) -> Option<Guess> {
        let Relation { step, field, what } = self.relation(one, other)?;
        let names = if one.name() == other.name() {
            "their names are equal, "
        } else if one.is_alike(other) {
            "their names are alike, "
        } else {
            ""
        };
        let all = one.names.iter().chain(other.names);
        let rule = Guessed {
            step,
            names: all.map(|(version, path)| (version.clone(), path.clone())).collect(),
            field,
            words: BTreeMap::new(),
        };
        Some(Guess {
            joins: vec![one.names.clone(), other.names.clone()],
            rule: Some(rule),
            reason: format!("{names}{what}, and only one of them is in each version"),
        })
    }

    /// The fields that are most like one: those with a similar name or, without any, all others of its type.
    fn best(&self, fields: &[Kept<'_>], index: usize) -> Vec<usize> {
        let Some(field) = fields.get(index) else {
            return Vec::new();
        };
        let fits = |other: &Kept<'_>| {
            let all = field.names.len() + other.names.len() == self.objects.len();
            let apart = !field.names.keys().any(|version| other.names.contains_key(version));
            let together = field.parent().is_some_and(|it| other.parent() == Some(it));
            let relation = (all && apart && together).then(|| self.relation(field, other))??;
            let alike = field.is_alike(other);
            (alike || relation.is_of_one_type()).then_some((
                !alike,
                field.name() != other.name(),
                relation.step as usize,
            ))
        };
        let fitting: Vec<_> =
            fields.iter().enumerate().filter_map(|(at, other)| Some((fits(other)?, at))).collect();
        let best = fitting.iter().map(|(rank, _)| *rank).min();
        fitting.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, at)| at).collect()
    }

    /// What joins two fields by their types.
    fn relation(&self, one: &Kept<'_>, other: &Kept<'_>) -> Option<Relation> {
        let relation = |step, what| Some(Relation { step, field: None, what });
        let (a, b) = (&one.field.rust_type, &other.field.rust_type);
        let optional = a.is_option() == b.is_option();
        if is_plain(a) && a == b && one.field.required == other.field.required {
            return relation(StepName::Move, named(a));
        } else if is_plain(a) && a.present() == b.present() {
            return relation(StepName::AbsentToZero, named(a));
        }
        match (a.present(), b.present()) {
            (RustType::List(item), held) | (held, RustType::List(item))
                if **item == *held || are_structs(item, held) =>
            {
                relation(StepName::FirstOfList, "one is a list of what the other is")
            }
            (RustType::I32, RustType::I64) | (RustType::I64, RustType::I32) if optional => {
                relation(StepName::Narrow, "both are integers")
            }
            (RustType::String, RustType::I32 | RustType::I64)
            | (RustType::I32 | RustType::I64, RustType::String)
                if optional =>
            {
                relation(StepName::Text, "one is a number and the other a text")
            }
            (RustType::String, object) | (object, RustType::String) if optional => {
                let field = Some(self.only_text(object)?);
                let what = "one is a text and the other an object with one required text";
                Some(Relation { step: StepName::Wrap, field, what })
            }
            _ => None,
        }
    }

    /// The only required field of an object, or its only field, if that is a text.
    fn only_text(&self, object: &RustType) -> Option<String> {
        let fields = &self.structs.of_type(object)?.fields;
        let mut required: Vec<_> = fields.iter().filter(|it| !it.rust_type.is_option()).collect();
        if required.is_empty() && fields.len() == 1 {
            required = fields.iter().collect();
        }
        match required.as_slice() {
            [only] if *only.rust_type.present() == RustType::String => Some(only.wire.clone()),
            _ => None,
        }
    }
}

fn are_structs(one: &RustType, other: &RustType) -> bool {
    matches!((one, other), (RustType::Struct(_), RustType::Struct(_)))
}

/// Returns `true` if all values of the type are plain: no versions of a struct or of words that could differ.
fn is_plain(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::Option(inner) | RustType::List(inner) | RustType::Map(inner) => is_plain(inner),
        RustType::Struct(_) | RustType::Wrapped(..) | RustType::Vocabulary(_) => false,
        _ => true,
    }
}

fn named(rust_type: &RustType) -> &'static str {
    match rust_type.present() {
        RustType::String => "both are texts",
        RustType::Bool => "both are booleans",
        RustType::I32 | RustType::I64 | RustType::F64 => "both are numbers",
        RustType::List(_) => "both are lists of one type",
        RustType::Map(_) => "both are maps of one type",
        _ => "both have one type",
    }
}

// A sub-object whose fields are beside it in other versions.

impl Guesser<'_> {
    /// Guesses that the fields of an object were fields of the object around it: at least two of them, or all.
    fn nest(&self, object: &Kept<'_>, fields: &[Kept<'_>]) -> Option<Guess> {
        let inside = self.structs.of_type(object.field.rust_type.present())?;
        let around = object.parent().filter(|path| !path.is_empty())?;
        let flat: Vec<&String> =
            self.objects.keys().filter(|version| !object.names.contains_key(*version)).collect();
        let is_moved = |field: &&Kept<'_>| {
            let own = inside.fields.iter().find(|own| own.wire == field.name());
            let same =
                own.is_some_and(|own| own.rust_type.present() == field.field.rust_type.present());
            same && field.parent() == Some(around) && field.names.keys().eq(flat.iter().copied())
        };
        let moved: Vec<&Kept<'_>> = fields.iter().filter(is_moved).collect();
        if moved.is_empty() || (moved.len() < 2 && inside.fields.len() > 1) {
            return None;
        }
        let names = join(moved.iter().map(|field| code(field.name())), ", ");
        let flat = flat.into_iter().map(|version| (version.clone(), around.to_owned()));
        let rule = Guessed {
            step: StepName::Nest,
            names: object.names.clone().into_iter().chain(flat).collect(),
            field: None,
            words: BTreeMap::new(),
        };
        let joins = [object].into_iter().chain(moved).map(|field| field.names.clone()).collect();
        let reason = format!("its fields {names} are beside it in other versions");
        Some(Guess { joins, rule: Some(rule), reason })
    }
}

// Words that differ in case or in a prefix.

impl Guesser<'_> {
    /// Guesses which words of a field, of which some versions refuse some, are the same in all versions.
    pub(crate) fn about_words(&self, path: &str) -> Option<Guess> {
        let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (version, object) in &self.objects {
            let field = self.structs.at(object, path)?;
            let words = self.structs.field(&field)?.of.words();
            lists.insert(version.clone(), words.into_iter().map(str::to_owned).collect());
        }
        let (lowest, first) = lists.first_key_value()?;
        let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for word in first {
            let others = lists.iter().map(|(version, words)| {
                let name = if version == lowest { word } else { same_word(word, words)? };
                Some((version.clone(), name.clone()))
            });
            let Some(row) = others.collect::<Option<Vec<_>>>() else { continue };
            if row.iter().any(|(_, name)| name != word) {
                for (version, name) in row {
                    words.entry(version).or_default().push(name);
                }
            }
        }
        let shown = join(words.get(lowest)?.iter().map(|word| code(word)), ", ");
        let names = lists.keys().map(|version| (version.clone(), path.to_owned())).collect();
        let rule = Guessed { step: StepName::Words, names, field: None, words };
        let reason = format!(
            "the words {shown} differ from words of other versions only in case, signs or a prefix"
        );
        Some(Guess { joins: Vec::new(), rule: Some(rule), reason })
    }
}

/// The only word of a list that is the same but for case, signs or a prefix.
fn same_word<'w>(word: &str, words: &'w [String]) -> Option<&'w String> {
    let plain = |word: &str| -> String {
        word.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let own = plain(word);
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = words.iter().filter(|other| fits(&plain(other)));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    if let Some(equal) = words.iter().find(|other| *other == word) {
        return Some(equal);
    }
    only(&|other| other == own).or_else(|| {
        let is_long = |text: &str| text.len() > 2;
        only(&|other| {
            is_long(other) && is_long(&own) && (own.ends_with(other) || other.ends_with(&own))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::same_word;

    #[test]
    fn words_that_are_one() {
        for (word, words, expected) in [
            ("readOnly", vec!["ReadOnly", "ReadWrite"], Some("ReadOnly")),
            ("read-only", vec!["ReadOnly", "ReadWrite"], Some("ReadOnly")),
            ("RO", vec!["ReadOnly"], None),
            ("Always", vec!["PolicyAlways", "PolicyNever"], Some("PolicyAlways")),
            ("PolicyNever", vec!["Always", "Never"], Some("Never")),
            // Two are equally good.
            ("Always", vec!["PullAlways", "PushAlways"], None),
            ("always", vec!["Always", "ALWAYS"], None),
        ] {
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            assert_eq!(
                same_word(word, &words).map(String::as_str),
                expected,
                "{word} in {words:?}"
            );
        }
    }
}
