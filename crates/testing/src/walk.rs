//! Random walks of an object over the versions of its kind, with edits between the conversions.
//!
//! A model follows `docs/reference/conversion-annotation.md`, as plainly as possible. After each conversion the object,
//! its annotation and the report must equal the model's. The generator's cases use this file for invented kinds.

use std::collections::BTreeMap;
use std::fmt::Debug;

use k8s_versioned::conversion::{
    Absent, AnyVersion, ConversionFinding, ConversionReport, JsonError, Options, Severity,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};

/// A kind: the fields that differ between versions, and those that servers require.
pub struct Kind {
    /// The versions, lowest first.
    pub versions: &'static [&'static str],
    /// The key of the annotation.
    pub key: &'static str,
    pub fields: &'static [Field],
    /// The field of `spec` whose text a policy can use.
    pub other: Option<&'static str>,
    /// Versions with the paths of the fields that servers require there.
    pub required: &'static [(&'static str, &'static [&'static str])],
}

/// A field: the versions that have its full form, lowest first, with its path there, and its form in the others.
pub struct Field {
    pub full: &'static [(&'static str, &'static str)],
    pub of: Of,
    pub less: Less,
}

/// The type of the full form.
#[derive(Clone, Copy, PartialEq)]
pub enum Of {
    Texts,
    Text,
    Number,
    /// A text that is never absent.
    Word,
    /// A text that is never absent, and often the text of a number.
    Digits,
    /// An object with a text, `text`, and perhaps a number, `knots`.
    Tail,
    /// Perhaps an object, with perhaps a text, `chain`, and perhaps a number, `depth`.
    Anchor,
}

/// The form in other versions.
#[derive(Clone, Copy, PartialEq)]
pub enum Less {
    First(&'static str),
    Zero(&'static str),
    Nothing,
    /// The number of a text.
    Value(&'static str),
    /// The field `text` of an object.
    Inner(&'static str),
    /// The fields of an object, in the object around it.
    Flat(&'static str),
    /// No version has less. A version with other words has each word of the lowest one, and its name.
    Words(&'static [(&'static str, Names)]),
}

/// Words and their names: a permutation.
pub type Names = &'static [(&'static str, &'static str)];

/// The input for random values.
type Seed = (Vec<String>, u8);

impl Of {
    /// The zero value in other versions.
    fn zero(self) -> Value {
        match self {
            Self::Texts | Self::Text | Self::Word | Self::Tail => json!(""),
            Self::Number | Self::Digits => json!(0),
            Self::Anchor => json!({}),
        }
    }

    fn value(self, (texts, number): &Seed) -> Value {
        let first = texts.first().map(String::as_str);
        let some = (!number.is_multiple_of(4)).then(|| number % 4 - 1);
        match self {
            Self::Texts => json!(texts),
            Self::Text => json!(first),
            Self::Number => json!(some),
            Self::Word => json!(first.unwrap_or_default()),
            Self::Digits => match number % 3 {
                0 => json!(number.to_string()),
                1 => json!(format!("0{number}")),
                _ => json!(first.unwrap_or_default()),
            },
            Self::Tail => self.normal(&json!({"text": first, "knots": some})),
            Self::Anchor if texts.len() > 1 => Value::Null,
            Self::Anchor => self.normal(&json!({"chain": first, "depth": some})),
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Texts => value.is_array(),
            Self::Text => value.is_string() || value.is_null(),
            Self::Number => value.is_number() || value.is_null(),
            Self::Word | Self::Digits => value.is_string(),
            Self::Tail => value.is_object(),
            Self::Anchor => value.is_object() || value.is_null(),
        }
    }

    /// An object as its type reads it.
    fn normal(self, value: &Value) -> Value {
        let members = |names: &[&str]| -> Value {
            let present = names.iter().filter(|name| !value[**name].is_null());
            present.map(|name| ((*name).to_owned(), value[*name].clone())).collect()
        };
        match self {
            Self::Tail => {
                let mut tail = members(&["text", "knots"]);
                if tail["text"].is_null() {
                    tail["text"] = json!("");
                }
                tail
            }
            Self::Anchor if value.is_object() => members(&["chain", "depth"]),
            _ => value.clone(),
        }
    }
}

impl Field {
    fn path(&self, version: &str) -> Option<&'static str> {
        let found = self.full.iter().find(|(other, _)| *other == version);
        found.map(|(_, path)| *path)
    }

    /// The value in other versions.
    fn reduce(&self, value: &Value) -> Value {
        match self.less {
            Less::First(_) => value.get(0).cloned().unwrap_or_else(|| self.of.zero()),
            Less::Zero(_) if value.is_null() => self.of.zero(),
            Less::Zero(_) | Less::Words(_) => value.clone(),
            Less::Nothing => Value::Null,
            Less::Value(_) => {
                let number = value.as_str().and_then(|text| text.parse::<i32>().ok());
                json!(number.unwrap_or_default())
            }
            Less::Inner(_) => value["text"].clone(),
            Less::Flat(_) if value.is_null() => self.of.zero(),
            Less::Flat(_) => value.clone(),
        }
    }

    /// The value that one would take it for.
    fn expand(&self, less: &Value) -> Value {
        match self.less {
            Less::First(_) if *less == self.of.zero() => json!([]),
            Less::First(_) => json!([less]),
            Less::Zero(_) if *less != self.of.zero() => less.clone(),
            Less::Zero(_) | Less::Nothing => Value::Null,
            Less::Value(_) => json!(less.to_string()),
            Less::Inner(_) => json!({"text": less}),
            Less::Flat(_) if *less == self.of.zero() => Value::Null,
            Less::Flat(_) => less.clone(),
            Less::Words(_) => json!(""),
        }
    }

    /// The value of an object that has nothing.
    fn initial(&self, version: &str) -> Value {
        let full = self.expand(&self.of.zero());
        if self.path(version).is_some() { full } else { self.reduce(&full) }
    }

    /// The names of words in a version, with the words of the lowest one.
    fn names(&self, version: &str) -> Names {
        let Less::Words(versions) = self.less else { return &[] };
        versions.iter().find(|(of, _)| *of == version).map_or(&[], |(_, names)| names)
    }

    /// A text, or the other one of a pair.
    fn renamed(
        value: &Value,
        mut pairs: impl Iterator<Item = (&'static str, &'static str)>,
    ) -> Value {
        let other = pairs.find(|(word, _)| value == word);
        other.map_or_else(|| value.clone(), |(_, name)| json!(name))
    }

    fn is_empty(&self, value: &Value) -> bool {
        value.is_null() || *value == self.of.zero()
    }
}

/// A kept value, and the value of a policy in its place.
type Kept = (Option<Value>, Option<Value>);

/// The value of a required field that a conversion has made up. The step of the field takes it, and all others carry it along.
fn is_made_up((value, filled): &Kept) -> bool {
    value.is_none() && filled.is_some()
}

/// The content of the annotations.
#[derive(Clone, Debug, PartialEq)]
struct Annotation {
    entries: BTreeMap<(&'static str, &'static str), Kept>,
    form: Form,
}

/// An annotation beside those that keep values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// None.
    Complete,
    /// One that holds nothing.
    There,
    /// One that cannot be read.
    Garbage,
}

/// The name of the annotation beside the others.
const OTHER: &str = "other";

impl Annotation {
    /// The texts by the names of the annotations: each field has one, or each member of its object.
    fn texts(&self) -> BTreeMap<String, String> {
        let mut all: BTreeMap<String, Value> = BTreeMap::new();
        let mut add =
            |name: String, member: &str, (version, path): (&str, String), value: &Value| {
                let text = all.entry(name).or_insert_with(|| json!({"fields": {}, "format": 3}));
                text[member][version][path] = value.clone();
            };
        for ((version, path), (value, filled)) in &self.entries {
            let name = format!("{version}.{path}");
            let place = (*version, (*path).to_owned());
            match value {
                Some(Value::Object(members)) if !members.is_empty() => {
                    add(name.clone(), "fields", place.clone(), &json!({}));
                    for (member, value) in members {
                        let place = (*version, format!("{path}/f:{member}"));
                        add(format!("{name}.{member}"), "fields", place, value);
                    }
                }
                Some(value) => add(name.clone(), "fields", place.clone(), value),
                None => {}
            }
            if let Some(filled) = filled {
                add(name, "filled", place, filled);
            }
        }
        let text = |(name, mut text): (String, Value)| {
            text.sort_all_objects();
            (name, text.to_string())
        };
        let other = match self.form {
            Form::Complete => None,
            Form::There => Some(r#"{"fields":{},"format":3}"#),
            Form::Garbage => Some("garbage"),
        };
        let other = other.map(|text| (OTHER.to_owned(), text.to_owned()));
        all.into_iter().map(text).chain(other).collect()
    }
}

/// An object as the specification has it.
#[derive(Clone)]
struct Model<'k> {
    kind: &'k Kind,
    version: &'static str,
    /// All that is the same in every version.
    rest: Value,
    fields: Vec<Value>,
    annotation: Annotation,
}

impl Model<'_> {
    /// Converts an object and its model into the version of this index. Both have to agree about the object and the findings.
    fn follow<A: AnyVersion + Clone + PartialEq + Debug>(
        &mut self,
        object: A,
        index: usize,
        options: &Options<A::Policies>,
        policy: &Absent<Value>,
    ) -> Result<(A, ConversionReport), TestCaseError> {
        let (model, mut expected) = self.convert(self.kind.versions[index], policy);
        expected.extend(model.lacks(&model.object()));
        expected.sort();
        *self = model;
        let mut report = ConversionReport::new();
        let object = object.convert_to_reporting(A::VERSIONS[index], options, &mut report);
        prop_assert_eq!(&object, &decoded(self));
        let mut found = findings(&report);
        found.sort();
        prop_assert_eq!(found, expected, "{}", report);
        Ok((object, report))
    }

    /// The object after a conversion, and the findings of its report.
    fn convert(&self, to: &'static str, policy: &Absent<Value>) -> (Self, Vec<String>) {
        let (mut next, mut findings) = (self.clone(), Vec::new());
        if to != self.version {
            next.read(&mut findings);
            next.discard(self.version, &mut findings);
            for (index, field) in self.kind.fields.iter().enumerate() {
                match (field.path(self.version), field.path(to)) {
                    (None, Some(path)) => next.take((index, field), path, &mut findings),
                    (Some(path), None) => next.keep((index, field), path, policy, &mut findings),
                    _ => {}
                }
            }
            next.discard(to, &mut findings);
            next.version = to;
        }
        (next, findings)
    }

    /// The required fields that are empty.
    fn lacks(&self, object: &Value) -> Vec<String> {
        let required = self.kind.required.iter().filter(|of| of.0 == self.version);
        let paths = required.flat_map(|(_, paths)| *paths);
        let lacks = paths.filter(|path| {
            let value = path.split('.').fold(object, |at, name| &at[name]);
            value.is_null() || *value == json!("")
        });
        lacks.map(|path| format!("{path} invalidInTarget")).collect()
    }

    fn read(&mut self, findings: &mut Vec<String>) {
        let other = format!("metadata.annotations[{}.{OTHER}]", self.kind.key);
        match std::mem::replace(&mut self.annotation.form, Form::Complete) {
            Form::Complete => {}
            Form::There => findings.push(format!("{other} redundant")),
            Form::Garbage => findings.push(format!("{other} malformed")),
        }
    }

    fn discard(&mut self, version: &str, findings: &mut Vec<String>) {
        let before = self.annotation.entries.len();
        self.annotation.entries.retain(|(of, _), kept| *of != version || is_made_up(kept));
        if self.annotation.entries.len() < before {
            findings.push(self.kind.annotation("unsupported"));
        }
    }

    fn take(&mut self, (index, field): (usize, &Field), path: &str, findings: &mut Vec<String>) {
        let live = self.fields[index].clone();
        let back = field.expand(&live);
        self.fields[index] = back.clone();
        let mut first = true;
        for place in field.full {
            if let Some(kept) = self.annotation.entries.remove(place) {
                let finding = if std::mem::take(&mut first) {
                    field.judge(&kept, &live, &back)
                } else {
                    "malformed"
                };
                if let ("restored", Some(value)) = (finding, kept.0) {
                    self.fields[index] = field.of.normal(&value);
                }
                findings.push(format!("{path} {finding}"));
            }
        }
    }

    fn keep(
        &mut self,
        (index, field): (usize, &Field),
        path: &str,
        policy: &Absent<Value>,
        findings: &mut Vec<String>,
    ) {
        for place in field.full {
            if self.annotation.entries.remove(place).is_some() {
                findings.push(format!("{path} stale"));
            }
        }
        let live = self.fields[index].clone();
        let less = field.reduce(&live);
        let asked = matches!(field.less, Less::Zero(_)) && less == field.of.zero();
        let filled = match policy {
            Absent::Use(value) => Some(value),
            Absent::UseOther => self.kind.other.map(|other| &self.rest["spec"][other]),
            _ => None,
        };
        let filled = filled.filter(|value| asked && !field.is_empty(value)).cloned();
        if asked && *policy == Absent::Refuse {
            findings.push(format!("{path} refused"));
        }
        if filled.is_some() {
            findings.push(format!("{path} filled"));
        }
        if filled.is_some() || field.expand(&less) != live {
            findings.push(format!("{path} preserved"));
            let kept = (Some(live), filled.clone());
            self.annotation.entries.insert(field.full[0], kept);
        }
        self.fields[index] = filled.unwrap_or(less);
    }

    fn object(&self) -> Value {
        let mut object = self.rest.clone();
        for (field, value) in self.kind.fields.iter().zip(&self.fields) {
            let path = match (field.path(self.version), field.less) {
                (
                    None,
                    Less::First(path)
                    | Less::Zero(path)
                    | Less::Value(path)
                    | Less::Inner(path)
                    | Less::Flat(path),
                )
                | (Some(path), _) => path,
                (None, Less::Nothing | Less::Words(_)) => continue,
            };
            let is_flat = field.path(self.version).is_none() && matches!(field.less, Less::Flat(_));
            let place = path.split('.').fold(&mut object, |at, name| &mut at[name]);
            let named = Field::renamed(value, field.names(self.version).iter().copied());
            match named {
                Value::Object(members) if is_flat => {
                    place.as_object_mut().unwrap().extend(members);
                }
                value => *place = value,
            }
        }
        for (name, text) in self.annotation.texts() {
            object["metadata"]["annotations"][format!("{}.{name}", self.kind.key)] = json!(text);
        }
        object
    }

    fn edit(&mut self, edit: &Edit) {
        match edit {
            Edit::Field(index, seed) => {
                let index = index % self.kind.fields.len();
                let field = &self.kind.fields[index];
                let value = field.of.value(seed);
                self.fields[index] = match field.path(self.version) {
                    Some(_) => {
                        let names = field.names(self.version).iter();
                        Field::renamed(&value, names.map(|(word, name)| (*name, *word)))
                    }
                    None => field.reduce(&value),
                };
            }
            Edit::Other(text) => {
                if let Some(other) = self.kind.other {
                    self.rest["spec"][other] = json!(text);
                }
            }
            Edit::Annotation(entries, form) => {
                let entries = entries.iter().map(|entry| self.kind.planted(entry));
                let (entries, form) = (entries.collect(), *form);
                self.annotation = Annotation { entries, form };
            }
        }
    }

    /// Returns `true` if a conversion to any version and back changes nothing.
    fn is_settled(&self, policy: &Absent<Value>) -> bool {
        self.kind.versions.iter().all(|version| {
            let (there, _) = self.convert(version, policy);
            let (back, _) = there.convert(self.version, policy);
            (&back.fields, &back.annotation) == (&self.fields, &self.annotation)
        })
    }
}

impl Field {
    /// The finding about a kept value.
    fn judge(&self, (value, filled): &Kept, live: &Value, back: &Value) -> &'static str {
        let Some(value) = value.as_ref().map(|value| self.of.normal(value)) else {
            return "malformed";
        };
        let fills = matches!(self.less, Less::Zero(_)) && self.is_empty(&value);
        let possible = |filled: &Value| fills && self.of.fits(filled) && !self.is_empty(filled);
        if !self.of.fits(&value) || !filled.as_ref().is_none_or(possible) {
            return "malformed";
        }
        let became = filled.clone().unwrap_or_else(|| self.reduce(&value));
        // These never keep what comes back from nothing.
        let never = matches!(self.less, Less::First(_) | Less::Zero(_) | Less::Nothing);
        let nothing = never && filled.is_none() && value == self.expand(&self.of.zero());
        if nothing || value == *back {
            "redundant"
        } else if became == *live {
            "restored"
        } else {
            "stale"
        }
    }
}

impl Kind {
    fn annotation(&self, finding: &str) -> String {
        format!("metadata.annotations[{}] {finding}", self.key)
    }

    /// An entry of the annotation, for a field, an unknown version, or a field that is never kept.
    fn planted(&self, (place, seed, filled): &Planted) -> ((&'static str, &'static str), Kept) {
        let known = self.fields.iter();
        let known =
            known.flat_map(|field| field.full.iter().map(move |place| (*place, Some(field))));
        let never = [("v9", "spec.other"), (self.versions[0], "spec.never")];
        let places: Vec<_> = known.chain(never.map(|place| (place, None))).collect();
        let (place, field) = places[place % places.len()];
        let of = field.map_or(Of::Texts, |field| field.of);
        // No conversion makes up the sub-object of a `nest`, so none takes such a note.
        let is_flat = field.is_some_and(|field| matches!(field.less, Less::Flat(_)));
        let filled = filled.as_ref().map(|seed| of.value(seed));
        let value = match seed.1 {
            0..16 => json!({"odd": seed.1}),
            _ => of.value(seed),
        };
        let absent = filled.is_some() && !is_flat && (16..32).contains(&seed.1);
        (place, (Some(value).filter(|_| !absent), filled))
    }
}

/// The place, the value there, and the value that a policy filled in.
type Planted = (usize, Seed, Option<Seed>);

/// An edit of an object by a client.
#[derive(Clone, Debug)]
enum Edit {
    Field(usize, Seed),
    Other(Option<String>),
    Annotation(Vec<Planted>, Form),
}

/// A walk: the choices of a policy, and edits before each conversion into a version.
#[derive(Clone, Debug)]
pub struct Walk {
    policy: (u8, Seed),
    legs: Vec<(Vec<Edit>, usize)>,
}

pub fn walks() -> impl Strategy<Value = Walk> {
    let edit = prop_oneof![
        5 => (any::<usize>(), seed()).prop_map(|(index, seed)| Edit::Field(index, seed)),
        1 => prop::option::of(text()).prop_map(Edit::Other),
        3 => annotation(),
    ];
    let edits = prop_oneof![
        1 => Just(Vec::new()),
        1 => prop::collection::vec(edit, 1..5),
    ];
    let legs = prop::collection::vec((edits, any::<usize>()), 1..=12);
    ((0..5_u8, seed()), legs).prop_map(|(policy, legs)| Walk { policy, legs })
}

fn annotation() -> impl Strategy<Value = Edit> {
    let filled = prop::option::weighted(0.3, seed());
    let entries = prop::collection::vec((any::<usize>(), seed(), filled), 0..4);
    let forms = [Form::Complete, Form::Complete, Form::There, Form::Garbage];
    (entries, select(forms.to_vec())).prop_map(|(entries, form)| Edit::Annotation(entries, form))
}

fn seed() -> impl Strategy<Value = Seed> {
    (prop::collection::vec(text(), 0..4), any::<u8>())
}

/// Few texts, so that they meet again, and now and then any.
pub fn text() -> impl Strategy<Value = String> {
    let any = prop::collection::vec(any::<char>(), 0..6).prop_map(String::from_iter);
    let few = ["", "OldestEmulationVersion", "example.com/by-load", "1.31.0", "odd", "new"];
    prop_oneof![8 => select(few.to_vec()).prop_map(str::to_owned), 1 => any]
}

impl Kind {
    /// Takes an object along a walk. `rest` has the fields that are equal in all versions.
    pub fn take<A>(
        &'static self,
        rest: Value,
        Walk { policy, legs }: &Walk,
        policies: fn(&Absent<Value>) -> A::Policies,
    ) -> Result<(), TestCaseError>
    where
        A: AnyVersion + Clone + PartialEq + Debug,
    {
        let policy = self.policy(policy);
        let mut options = Options::new(policies(&policy));
        let mut model = Model {
            kind: self,
            version: self.versions[0],
            rest,
            fields: self.fields.iter().map(|field| field.initial(self.versions[0])).collect(),
            annotation: Annotation { entries: BTreeMap::new(), form: Form::Complete },
        };
        // The objects of a settled walk: each version has the same one whenever the walk returns to it.
        let (mut seen, mut settled, mut last) = (BTreeMap::new(), false, None);
        let mut object: A = decoded(&model);
        for (edits, to) in legs {
            if !edits.is_empty() {
                edits.iter().for_each(|edit| model.edit(edit));
                object = decoded(&model);
                (settled, seen) = (false, BTreeMap::new());
            }
            settled = settled || model.is_settled(&policy);
            if settled {
                seen.insert(model.version, object.clone());
            }
            let index = to % self.versions.len();
            let (before, to) = (object, A::VERSIONS[index]);
            let report;
            (object, report) = model.follow(before.clone(), index, &options, &policy)?;
            if let Some(seen) = seen.get(model.version) {
                prop_assert_eq!(&object, seen, "it comes back as it left");
            }
            last = Some((before, to, report));
        }
        let Some((before, to, report)) = last else {
            return Ok(());
        };
        for strict in [false, true] {
            options.strict = strict;
            accepted_or_refused(&before, to, &options, (&object, &report))?;
        }
        Ok(())
    }

    fn policy(&self, (choice, seed): &(u8, Seed)) -> Absent<Value> {
        let filled = self.fields.iter().find(|field| matches!(field.less, Less::Zero(_)));
        let value = filled.map(|field| field.reduce(&field.of.value(seed)));
        match (choice, value) {
            (0, _) => Absent::Refuse,
            (1, _) => Absent::UseOther,
            (2, Some(value)) => Absent::Use(value),
            _ => Absent::KeepEmpty,
        }
    }
}

/// The object of a model. Decoding needs `apiVersion` and `kind`.
fn decoded<A: AnyVersion>(model: &Model<'_>) -> A {
    let mut object = model.object();
    object["apiVersion"] = json!(format!("{}/{}", A::GROUP, model.version));
    object["kind"] = json!(A::KIND);
    A::from_value(&object, &mut ConversionReport::new()).unwrap()
}

/// JSON converts as the types do, and the options refuse exactly the findings that they do not accept. It also discards stale values
/// of which neither version can tell that they are.
fn accepted_or_refused<A: AnyVersion + PartialEq + Debug>(
    before: &A,
    to: A::Version,
    options: &Options<A::Policies>,
    (after, report): (&A, &ConversionReport),
) -> Result<(), TestCaseError> {
    let limit = if options.strict { Severity::Warning } else { Severity::Error };
    let refused = report.at_least(limit);
    match A::convert_value(&json!(before), to, options) {
        Ok((value, found)) => {
            let after = json!(after);
            prop_assert!(has_stale(&found) || found == *report && value == after, "{}", found);
            prop_assert_eq!(value.get("spec"), after.get("spec"));
            prop_assert!(refused.is_empty(), "{}", refused);
        }
        Err(JsonError::Refused(error)) => {
            let found = error.reasons();
            prop_assert!(has_stale(found) || *found == refused, "{}", found);
            prop_assert!(!found.is_empty());
        }
        Err(error) => prop_assert!(false, "{}", error),
    }
    Ok(())
}

fn has_stale(report: &ConversionReport) -> bool {
    report.iter().any(|(_, finding)| matches!(finding, ConversionFinding::Stale { .. }))
}

/// The findings of a report, each as the path and its name.
pub fn findings(report: &ConversionReport) -> Vec<String> {
    let name = |finding| json!(finding)["finding"].as_str().unwrap().to_owned();
    report.iter().map(|(path, finding)| format!("{path} {}", name(finding))).collect()
}

/// The number of walks and the seed. Both can be given, and are printed.
pub fn config() -> Config {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let cases = number("CONVERSION_CASES").unwrap_or(500);
    let seed = number("CONVERSION_SEED").unwrap_or_else(|| {
        use std::hash::{BuildHasher, RandomState};
        RandomState::new().hash_one(())
    });
    println!("{cases} cases, CONVERSION_SEED={seed}");
    Config {
        cases: u32::try_from(cases).unwrap(),
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    }
}

/// The seeds of walks of objects that are made from schemas: `CONVERSION_CASES` and `CONVERSION_SEED`, as for the others.
/// These take longer, so there are few without a number of cases.
pub fn seeds() -> impl Iterator<Item = u64> {
    seeds_of(150)
}

/// [`seeds`], so many without a number of cases.
pub fn seeds_of(cases: u32) -> impl Iterator<Item = u64> {
    let config = config();
    let chosen = std::env::var_os("CONVERSION_CASES").is_some();
    let cases = if chosen { config.cases } else { cases };
    let RngSeed::Fixed(seed) = config.rng_seed else { panic!("no seed") };
    (0..u64::from(cases)).map(move |case| seed.wrapping_add(case))
}
