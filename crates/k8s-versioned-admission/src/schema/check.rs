//! Checks a value against a schema, in the order and with the messages of servers.
//!
//! A value that fits costs no allocation: paths are links on the stack, and messages are made when something is broken.
//! Alternatives (`anyOf`, `oneOf`, `not`) are tried silently first.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::number::{self, Read, is_integer};
use super::{Additional, CountLimits, Schema};
use crate::cause::{Cause, Reason, Shown};
use crate::facts::Facts;
use crate::go;
use crate::path::Path;
use crate::ratchet::Correlated;

/// A value's schema and path.
pub(crate) struct Place<'a> {
    pub(super) schema: &'a Schema,
    pub(super) path: &'a Path<'a>,
    pub(super) facts: Facts,
    /// The field that the paths begin at: `status` in an update of the status.
    base: &'static str,
}

impl Place<'_> {
    /// The field of a cause.
    fn field(&self) -> String {
        self.field_of(&format!("{:#}", self.path))
    }

    fn field_of(&self, name: &str) -> String {
        let name = name.strip_prefix('.').unwrap_or(name);
        match (self.base, name) {
            ("", name) => name.to_owned(),
            (base, "") => base.to_owned(),
            (base, name) => format!("{base}.{name}"),
        }
    }
}

/// A broken rule. Servers report a message once.
pub(crate) struct Fault {
    message: String,
    cause: Cause,
}

impl Fault {
    /// A fault without a field.
    pub(super) fn plain(place: &Place<'_>, message: String) -> Self {
        let cause = Cause::invalid(place.base, "", &message);
        Self { message, cause }
    }

    pub(super) fn shown(
        place: &Place<'_>,
        reason: Reason,
        shown: Shown<'_>,
        message: String,
    ) -> Self {
        let cause = Cause::new(place.facts, reason, place.field(), shown, &message);
        Self { message, cause }
    }
}

/// Takes faults.
pub(crate) trait Sink {
    /// Takes a fault, which is made only if it is kept.
    fn add(&mut self, fault: impl FnOnce() -> Fault);

    /// The number of faults so far.
    fn count(&self) -> usize;

    /// Forgets the faults after the first ones.
    fn forget(&mut self, after: usize);
}

/// The causes of a value that does not fit, in the order of servers.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) causes: Vec<Cause>,
    messages: HashSet<String>,
    order: Vec<String>,
}

impl Sink for Findings {
    fn add(&mut self, fault: impl FnOnce() -> Fault) {
        let Fault { message, cause } = fault();
        if self.messages.insert(message.clone()) {
            self.causes.push(cause);
            self.order.push(message);
        }
    }

    fn count(&self) -> usize {
        self.causes.len()
    }

    fn forget(&mut self, after: usize) {
        self.causes.truncate(after);
        for message in self.order.drain(after.min(self.order.len())..) {
            self.messages.remove(&message);
        }
    }
}

/// Counts faults.
#[derive(Default)]
struct Silent(usize);

impl Sink for Silent {
    fn add(&mut self, _: impl FnOnce() -> Fault) {
        self.0 += 1;
    }

    fn count(&self) -> usize {
        self.0
    }

    fn forget(&mut self, after: usize) {
        self.0 = after;
    }
}

/// Checks values as a release does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    pub(crate) facts: Facts,
    /// The field that the paths begin at; empty for the whole object.
    pub(crate) base: &'static str,
}

/// What a check found beside faults.
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// The number of checks that passed, by which servers choose the alternative that they report.
    matches: usize,
    /// The value is known to differ from the old one.
    differs: bool,
}

impl Judge {
    /// Checks a value. Parts that are equal to the old value, if there is one, are not reported.
    pub(crate) fn check(
        self,
        schema: &Schema,
        value: &Value,
        old: Option<Correlated<'_>>,
        findings: &mut Findings,
    ) {
        self.check_ratcheted(schema, value, &Path::Root, old, findings);
    }

    fn check_ratcheted<S: Sink>(
        self,
        schema: &Schema,
        value: &Value,
        path: &Path<'_>,
        old: Option<Correlated<'_>>,
        sink: &mut S,
    ) -> Outcome {
        let before = sink.count();
        let mut outcome = self.check_value(schema, value, path, old, sink);
        if let Some(old) = old
            && sink.count() > before
        {
            if !outcome.differs && old.is_equal() {
                sink.forget(before);
            } else {
                outcome.differs = true;
            }
        }
        outcome
    }

    fn check_value<S: Sink>(
        self,
        schema: &Schema,
        value: &Value,
        path: &Path<'_>,
        old: Option<Correlated<'_>>,
        sink: &mut S,
    ) -> Outcome {
        if schema.plainly_fits(value) {
            return Outcome { matches: if value.is_string() { 7 } else { 6 }, differs: false };
        }
        let place = Place { schema, path, facts: self.facts, base: self.base };
        if value.is_null() {
            let fits = schema.types.is_empty() || schema.nullable;
            if !fits {
                wrong_type(&place, &schema.types.text(), "null", sink);
            }
            check_enumeration(&place, value, sink);
            return Outcome { matches: usize::from(fits), differs: false };
        }
        // The check of the enumeration always applies, and one more counts for the value.
        let mut outcome = Outcome { matches: 2, differs: false };
        if !schema.types.is_empty() || schema.format.is_some() {
            outcome.matches += 1 + usize::from(check_type(&place, value, sink));
        }
        outcome.matches += 2 + self.check_alternatives(&place, value, sink);
        match value {
            Value::String(text) => outcome.matches += check_text(&place, text, value, sink),
            Value::Number(_) => {
                outcome.matches += 2;
                number::check(&place, &schema.number, value, sink);
            }
            Value::Array(items) => {
                outcome.matches += 2;
                let inside = self.check_items(&place, items, old, sink);
                outcome.matches += inside.matches;
                outcome.differs |= inside.differs;
            }
            _ => {}
        }
        check_enumeration(&place, value, sink);
        if let Value::Object(members) = value {
            outcome.matches += 1;
            let inside = self.check_members(&place, members, old, sink);
            outcome.matches += inside.matches;
            outcome.differs |= inside.differs;
        }
        outcome
    }

    fn check_items<S: Sink>(
        self,
        place: &Place<'_>,
        items: &[Value],
        old: Option<Correlated<'_>>,
        sink: &mut S,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        if let Some(schema) = &place.schema.items {
            let old = old.map(Correlated::items);
            for (at, item) in items.iter().enumerate() {
                let old = old.as_ref().and_then(|old| old.item(at));
                let path = place.path.index(at);
                let inside = self.check_ratcheted(schema, item, &path, old, sink);
                outcome.matches += inside.matches;
                outcome.differs |= inside.differs;
            }
        }
        let CountLimits { least, most } = place.schema.item_count;
        check_count(place, items.len(), least, most, "items", sink);
        if place.schema.unique_items
            && items.iter().enumerate().any(|(at, item)| items.iter().take(at).any(|it| it == item))
        {
            sink.add(|| {
                let message = format!("{:#} in body shouldn't contain duplicates", place.path);
                Fault::shown(place, Reason::Invalid, Shown::Text(""), message)
            });
        }
        outcome
    }

    fn check_members<S: Sink>(
        self,
        place: &Place<'_>,
        members: &Map<String, Value>,
        old: Option<Correlated<'_>>,
        sink: &mut S,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let (schema, path) = (place.schema, place.path);
        let CountLimits { least, most } = schema.property_count;
        check_count(place, members.len(), least, most, "properties", sink);
        let mut member =
            |schema: &Schema, name: &str, value: &Value, path: &Path<'_>, sink: &mut S| {
                // Both objects have the version of the request, so their types are no old values.
                let old = old
                    .filter(|_| !(place.path.is_root() && ["apiVersion", "kind"].contains(&name)));
                let inside = self.check_ratcheted(
                    schema,
                    value,
                    path,
                    old.and_then(|old| old.member(name)),
                    sink,
                );
                outcome.matches += inside.matches;
                outcome.differs |= inside.differs;
            };
        match &schema.additional {
            Additional::Allowed(false) => {
                for name in members.keys().filter(|name| !schema.properties.contains(name)) {
                    sink.add(|| {
                        let message = format!("{path:#}.{name} in body is a forbidden property");
                        Fault::shown(place, Reason::Invalid, Shown::Text(name), message)
                    });
                }
            }
            Additional::Schema(additional) => {
                for (name, value) in members {
                    if !schema.properties.contains(name) {
                        member(additional, name, value, &path.key(name), sink);
                    }
                }
            }
            _ => {}
        }
        if !schema.properties.is_empty() {
            for (name, value) in members {
                if let Some(property) = schema.properties.get(name) {
                    member(property, name, value, &path.field(name), sink);
                }
            }
        }
        for name in schema.required.iter().filter(|name| !members.contains_key(*name)) {
            sink.add(|| {
                let cause = Cause::required(place.field_of(&format!("{path:#}.{name}")), "");
                Fault { message: format!("{path:#}.{name} in body is required"), cause }
            });
        }
        outcome
    }

    /// Checks `anyOf`, `oneOf`, `allOf` and `not`. Returns the checks that passed in the alternatives that count.
    fn check_alternatives<S: Sink>(self, place: &Place<'_>, value: &Value, sink: &mut S) -> usize {
        let schema = place.schema;
        let mut matches = 0;
        if !schema.any_of.is_empty() {
            matches += self.check_any(place, value, sink);
        }
        if !schema.one_of.is_empty() {
            matches += self.check_one(place, value, sink);
        }
        if !schema.all_of.is_empty() {
            matches += self.check_all(place, value, sink);
        }
        if let Some(not) = &schema.not
            && self.quietly(not, value, place.path).1 == 0
        {
            sink.add(|| {
                Fault::plain(
                    place,
                    format!("\"{:#}\" must not validate the schema (not)", place.path),
                )
            });
        }
        matches
    }

    /// Returns the number of passed checks and of faults.
    fn quietly(self, schema: &Schema, value: &Value, path: &Path<'_>) -> (usize, usize) {
        let mut faults = Silent::default();
        let outcome = self.check_value(schema, value, path, None, &mut faults);
        (outcome.matches, faults.0)
    }

    fn check_any<S: Sink>(self, place: &Place<'_>, value: &Value, sink: &mut S) -> usize {
        let mut best: Option<(usize, &Schema)> = None;
        for schema in &place.schema.any_of {
            let (matches, faults) = self.quietly(schema, value, place.path);
            if faults == 0 {
                return matches;
            }
            if best.is_none_or(|(most, _)| matches > most) {
                best = Some((matches, schema));
            }
        }
        sink.add(|| {
            Fault::plain(
                place,
                format!("\"{:#}\" must validate at least one schema (anyOf)", place.path),
            )
        });
        best.map_or(0, |(_, schema)| {
            self.check_value(schema, value, place.path, None, sink).matches
        })
    }

    fn check_one<S: Sink>(self, place: &Place<'_>, value: &Value, sink: &mut S) -> usize {
        let mut best: Option<(usize, &Schema)> = None;
        let (mut valid, mut first) = (0, 0);
        for schema in &place.schema.one_of {
            let (matches, faults) = self.quietly(schema, value, place.path);
            if faults == 0 {
                first = if valid == 0 { matches } else { first };
                (valid, best) = (valid + 1, None);
            } else if valid == 0 && best.is_none_or(|(most, _)| matches > most) {
                best = Some((matches, schema));
            }
        }
        if valid == 1 {
            return first;
        }
        sink.add(|| {
            let found = match valid {
                0 => "Found none valid".to_owned(),
                valid => format!("Found {valid} valid alternatives"),
            };
            let text = "must validate one and only one schema (oneOf)";
            Fault::plain(place, format!("\"{:#}\" {text}. {found}", place.path))
        });
        best.map_or(0, |(_, schema)| {
            self.check_value(schema, value, place.path, None, sink).matches
        })
    }

    fn check_all<S: Sink>(self, place: &Place<'_>, value: &Value, sink: &mut S) -> usize {
        let (mut matches, mut valid) = (0, 0);
        for schema in &place.schema.all_of {
            let (passed, faults) = self.quietly(schema, value, place.path);
            matches += passed;
            valid += usize::from(faults == 0);
            if faults > 0 {
                self.check_value(schema, value, place.path, None, sink);
            }
        }
        if valid < place.schema.all_of.len() {
            sink.add(|| {
                let none = if valid == 0 { ". None validated" } else { "" };
                let text = "must validate all the schemas (allOf)";
                Fault::plain(place, format!("\"{:#}\" {text}{none}", place.path))
            });
        }
        matches
    }
}

fn wrong_type<S: Sink>(place: &Place<'_>, expected: &str, found: &str, sink: &mut S) {
    sink.add(|| {
        let message =
            format!("{:#} in body must be of type {expected}: {}", place.path, go::Quoted(found));
        Fault::shown(place, Reason::TypeInvalid, Shown::Text(found), message)
    });
}

/// Checks the type. Returns `true` if it fits.
fn check_type<S: Sink>(place: &Place<'_>, value: &Value, sink: &mut S) -> bool {
    let types = place.schema.types;
    let (found, found_format) = type_of(value);
    let float = match value {
        Value::Number(number) => match Read::new(number) {
            Read::Float(float) => Some(float),
            Read::Integer(_) => None,
        },
        _ => None,
    };
    let numeric = float.is_some_and(|float| types.contains("integer") && is_integer(float))
        || (found == "integer" && types.contains("number"));
    let fits = types.contains(found) || numeric;
    let wordy = matches!(found, "string" | "array");
    if let Some(format) = &place.schema.format {
        if !wordy && !fits && found_format != format.name {
            wrong_type(place, &format.name, found_format, sink);
            return false;
        }
        // Any text and any list passes here. The format of a text is checked on its own.
        if wordy && !types.contains("number") && !types.contains("integer") {
            return true;
        }
    }
    if !fits {
        wrong_type(place, &types.text(), found, sink);
    }
    fits
}

/// The type and the format of a value, in the words of messages.
fn type_of(value: &Value) -> (&'static str, &'static str) {
    match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::String(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
        Value::Number(number) => match Read::new(number) {
            Read::Integer(_) => ("integer", "int64"),
            Read::Float(_) => ("number", "float64"),
        },
    }
}

/// Checks a text: the first broken rule of its length and pattern, and its format. Returns the number of checks that
/// apply.
fn check_text<S: Sink>(place: &Place<'_>, text: &str, value: &Value, sink: &mut S) -> usize {
    let limits = &place.schema.text;
    if limits.most.is_some() || limits.least.is_some() || limits.pattern.is_some() {
        check_length(place, text, value, sink);
    }
    let Some(format) = &place.schema.format else {
        return 1;
    };
    let Some(check) = &format.check else {
        return 1;
    };
    if !check.check(text) {
        wrong_type(place, &format.name, text, sink);
    }
    2
}

fn check_length<S: Sink>(place: &Place<'_>, text: &str, value: &Value, sink: &mut S) {
    let limits = &place.schema.text;
    // A text has at most as many characters as bytes.
    let bytes = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let count = || i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    if let Some(most) = limits.most.filter(|most| bytes > *most && count() > *most) {
        sink.add(|| {
            let message = format!("{:#} in body should be at most {most} chars long", place.path);
            Fault { message, cause: Cause::too_long(place.facts, place.field(), most) }
        });
    } else if let Some(least) = limits.least.filter(|least| count() < *least) {
        sink.add(|| {
            let message = format!("{:#} in body should be at least {least} chars long", place.path);
            Fault::shown(place, Reason::Invalid, Shown::Value(value), message)
        });
    } else if let Some(pattern) = &limits.pattern {
        let invalid = match &pattern.compiled {
            Ok(compiled) if compiled.is_match(text) => return,
            Ok(_) => String::new(),
            Err(error) if !error.is_refused() => return,
            Err(error) => format!(", but pattern is invalid: {error}"),
        };
        sink.add(|| {
            let source = &pattern.source;
            let message = format!("{:#} in body should match '{source}{invalid}'", place.path);
            Fault::shown(place, Reason::Invalid, Shown::Value(value), message)
        });
    }
}

fn check_count<S: Sink>(
    place: &Place<'_>,
    count: usize,
    least: Option<i64>,
    most: Option<i64>,
    what: &str,
    sink: &mut S,
) {
    let found = i64::try_from(count).unwrap_or(i64::MAX);
    if let Some(least) = least.filter(|least| found < *least) {
        sink.add(|| {
            let message = format!("{:#} in body should have at least {least} {what}", place.path);
            Fault::shown(place, Reason::Invalid, Shown::Count(count), message)
        });
    }
    if let Some(most) = most.filter(|most| found > *most) {
        sink.add(|| {
            let message = format!("{:#} in body should have at most {most} {what}", place.path);
            let plural = if most == 1 { "" } else { "s" };
            let detail = format!("must have at most {most} item{plural}");
            let shown = Shown::Count(count);
            let cause = Cause::new(place.facts, Reason::TooMany, place.field(), shown, detail);
            Fault { message, cause }
        });
    }
}

fn check_enumeration<S: Sink>(place: &Place<'_>, value: &Value, sink: &mut S) {
    let values = &place.schema.enumeration;
    if values.is_empty() || values.iter().any(|listed| is_listed(value, listed)) {
        return;
    }
    sink.add(|| {
        let shown: Vec<String> = values
            .iter()
            .map(|listed| listed.as_str().map_or_else(|| go::json(listed), str::to_owned))
            .collect();
        let quoted: Vec<String> = shown.iter().map(|text| go::Quoted(text).to_string()).collect();
        let detail = format!("supported values: {}", quoted.join(", "));
        let field = place.field();
        let cause =
            Cause::new(place.facts, Reason::NotSupported, field, Shown::Value(value), detail);
        let plain: Vec<String> =
            values.iter().map(|listed| go::Plain(listed).to_string()).collect();
        let message = format!("{:#} in body should be one of [{}]", place.path, plain.join(" "));
        Fault { message, cause }
    });
}

/// Returns `true` if Go's conversion makes the listed value of a value: an integer of a float, and a character of an
/// integer.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "as servers do"
)]
fn is_listed(value: &Value, listed: &Value) -> bool {
    match (value, listed) {
        (Value::Number(value), Value::Number(listed)) => {
            match (Read::new(value), Read::new(listed)) {
                (Read::Integer(value), Read::Integer(listed)) => value == listed,
                (Read::Integer(value), Read::Float(listed)) => value as f64 == listed,
                (Read::Float(value), Read::Integer(listed)) => value as i64 == listed,
                (Read::Float(value), Read::Float(listed)) => value == listed,
            }
        }
        (Value::Number(value), Value::String(listed)) => match Read::new(value) {
            Read::Integer(code) => {
                let character = u32::try_from(code).ok().and_then(char::from_u32);
                listed.chars().eq([character.unwrap_or(char::REPLACEMENT_CHARACTER)])
            }
            Read::Float(_) => false,
        },
        (Value::Null, _) => false,
        (value, listed) => value == listed,
    }
}
