//! TOML text to rules with their places.

use std::marker::PhantomData;
use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer as TomlDeserializer, Error};

use k8s_versioned_source::{ReadCause as SourceCause, ReadLimits};

use crate::problem::{FileCause, NoEffect, Place, RuleCause, SHOWN};
use crate::{Files, Problems};

/// A file of rules.
pub(crate) trait RuleFile {
    /// Its path under `specs/`.
    const PATH: &'static str;
}

/// A value in the rule file `F`, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed<F, T = String> {
    /// The place in the file.
    pub(crate) place: Place,
    /// The value, as it was read.
    pub(crate) value: T,
    file: PhantomData<F>,
}

impl<'de, F: RuleFile, T: Deserialize<'de>> Deserialize<'de> for Placed<F, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        let place = Place::of_text(F::PATH, &spanned);
        Ok(Self { place, value: spanned.into_inner(), file: PhantomData })
    }
}

impl<F, T> Placed<F, T> {
    /// Another value at the same place.
    pub(crate) fn with<U>(&self, value: U) -> Placed<F, U> {
        Placed { place: self.place.clone(), value, file: PhantomData }
    }
}

impl<F> Placed<F> {
    /// Reports a rule that matches nothing.
    pub(crate) fn report_without_match(&self, problems: &mut Problems) {
        problems.push(&self.place, RuleCause::MatchesNothing(self.value.clone()));
    }

    /// Reports the second of two rules for the same thing.
    pub(crate) fn report_twice(&self, problems: &mut Problems) {
        problems.push(&self.place, RuleCause::Twice(self.value.clone()));
    }

    /// Reports a rule that changes nothing.
    pub(crate) fn report_without_effect(&self, why: NoEffect, problems: &mut Problems) {
        problems.push(&self.place, RuleCause::WithoutEffect(self.value.clone(), why));
    }

    /// Reports a rule with an empty reason.
    pub(crate) fn check_reason(&self, problems: &mut Problems) {
        if self.value.trim().is_empty() {
            problems.push(&self.place, RuleCause::NoReason);
        }
    }
}

/// Rules of a project, and rules that hold for every group.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Vec<T>")]
pub(crate) struct Layers<T> {
    /// The project's own rules.
    pub(crate) own: Vec<T>,
    /// The rules that are part of the generator: they need not match anything.
    pub(crate) built_in: Vec<T>,
}

impl<T> Layers<T> {
    /// All rules, the project's own first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.own.iter().chain(&self.built_in)
    }

    /// Adds the rules of the generator. A project's own rule about the same thing replaces one of these.
    pub(crate) fn add_built_in<K: PartialEq>(&mut self, base: Self, about: impl Fn(&T) -> K) {
        let is_own = |rule: &T| self.own.iter().any(|own| about(own) == about(rule));
        self.built_in = base.own.into_iter().filter(|rule| !is_own(rule)).collect();
    }
}

impl<T> From<Vec<T>> for Layers<T> {
    fn from(own: Vec<T>) -> Self {
        Self { own, built_in: Vec::new() }
    }
}

impl<T> Default for Layers<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

/// Reads the content of a file into a variable of the caller.
type Reader<'r> = &'r mut dyn FnMut(TomlDeserializer<'_>) -> Result<(), Error>;

/// Reads the TOML text of `file`.
///
/// # Errors
/// The mistakes in its syntax; else the first mistake of each rule in it.
pub(crate) fn parse_toml<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, Problems> {
    let mut read = None;
    parse(file, bytes, &mut |table| {
        read = Some(T::deserialize(table)?);
        Ok(())
    })?;
    read.ok_or_else(Problems::new)
}

/// Parses the text of `file` for a reader of any type, so that this code is compiled once.
fn parse(file: &str, bytes: &[u8], reader: Reader<'_>) -> Result<(), Problems> {
    let place = |span| Place { span, ..Place::file(file) };
    let limit = ReadLimits::MANIFESTS.bytes;
    if bytes.len() > limit {
        return Err(Problems::one(place(Some(limit..limit)), SourceCause::TooLarge { limit }));
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let span = Some(error.valid_up_to()..error.valid_up_to());
        Problems::one(place(span), SourceCause::NotUtf8)
    })?;
    let (table, errors) = DeTable::parse_recoverable(text);
    let read = if errors.is_empty() { read(table, reader) } else { Err(syntax(text, errors)) };
    read.map_err(|mistakes| {
        let mut problems = Problems::new();
        for mistake in mistakes {
            problems.push(&place(mistake.span()), FileCause::Toml(mistake.message().to_owned()));
        }
        problems
    })
}

/// The mistakes in the syntax of a text: the first of these errors, and those that remain without the tables around it. After a
/// missing brace, the parser has an error for each line of the file.
fn syntax(text: &str, mut errors: Vec<Error>) -> Vec<Error> {
    let (mut text, mut mistakes) = (text.to_owned(), Vec::new());
    while let Some(first) = errors.into_iter().next() {
        let around = tables_around(&text, first.span().unwrap_or_default().start);
        let blank = text.bytes().take(around.end).skip(around.start);
        let blank: String = blank.map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        text.replace_range(around, &blank);
        mistakes.push(first);
        if mistakes.len() > SHOWN {
            break;
        }
        errors = DeTable::parse_recoverable(&text).1;
    }
    mistakes
}

/// From the last head of a table before the line of this place to the next one after it. An error in a head can be about what
/// is before it.
fn tables_around(text: &str, at: usize) -> Range<usize> {
    let (mut start, mut next) = (0, 0);
    for line in text.split_inclusive('\n') {
        let here = next;
        next += line.len();
        if line.starts_with('[') {
            if here > at {
                return start..here;
            }
            if next <= at {
                start = here;
            }
        }
    }
    start..text.len()
}

/// Reads a table, or finds the first mistake of each rule in it.
fn read(mut table: Spanned<DeTable<'_>>, reader: Reader<'_>) -> Result<(), Vec<Error>> {
    let mut mistakes = Vec::new();
    loop {
        match reader(TomlDeserializer::from(table.clone())) {
            Ok(()) if mistakes.is_empty() => return Ok(()),
            Ok(()) => return Err(mistakes),
            Err(mistake) => {
                let span = mistake.span().unwrap_or_default();
                mistakes.push(mistake);
                // The others are read without this rule.
                let removed = table.get_mut().iter_mut().any(|(_, value)| remove(value, &span));
                if !removed || mistakes.len() > SHOWN {
                    return Err(mistakes);
                }
            }
        }
    }
}

/// Removes the innermost table of a list that has this place. Returns `false` if no table has it.
fn remove(value: &mut Spanned<DeValue<'_>>, at: &Range<usize>) -> bool {
    match value.get_mut() {
        DeValue::Table(members) => members.iter_mut().any(|(_, member)| remove(member, at)),
        DeValue::Array(items) => {
            if items.iter_mut().any(|item| remove(item, at)) {
                return true;
            }
            let is_found = |item: &Spanned<DeValue<'_>>| {
                matches!(item.get_ref(), DeValue::Table(_)) && has_place(item, at)
            };
            let Some(misplaced) = items.iter().position(is_found) else {
                return false;
            };
            let others = items.iter().enumerate().filter(|(index, _)| *index != misplaced);
            *items = others.map(|(_, item)| item.clone()).collect();
            true
        }
        _ => false,
    }
}

/// Returns `true` if a value, or one in it, has this place. The place of a table may be only its head.
fn has_place(value: &Spanned<DeValue<'_>>, at: &Range<usize>) -> bool {
    let is_here = |span: Range<usize>| span.start <= at.start && at.end <= span.end;
    let inside = match value.get_ref() {
        DeValue::Table(members) => {
            members.iter().any(|(key, member)| is_here(key.span()) || has_place(member, at))
        }
        DeValue::Array(items) => items.iter().any(|item| has_place(item, at)),
        _ => false,
    };
    inside || is_here(value.span())
}

/// Reads an optional rule file.
pub(crate) fn optional<T: DeserializeOwned + Default>(
    specs: &Files,
    file: &str,
) -> Result<T, Problems> {
    specs.get(file).map_or_else(|| Ok(T::default()), |bytes| parse_toml(file, bytes))
}

/// A name as a key of TOML.
pub(crate) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        toml::Value::from(name).to_string()
    }
}
