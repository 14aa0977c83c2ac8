//! Checks a value against a schema, in the order and with the messages of servers.
//!
//! A value that fits costs no allocation: paths are links on the stack, and messages are made when something is broken.
//! Alternatives (`anyOf`, `oneOf`, `not`) are tried silently first.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::enumeration::Enumeration;
use super::fault::{Fault, ValuePlace};
use super::findings::{Findings, Sink};
use super::number::{self, is_integer};
use super::old_values::Correlated;
use super::text;
use super::tree::{Additional, CountLimits, Schema, Type, Types};
use crate::answer::{Reason, RefusalCause, Shown};
use crate::facts::Facts;
use crate::go;
use crate::meter::Meter;
use crate::path::Path;
use crate::work;

/// Checks values as a release does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    pub(crate) facts: Facts,
    /// The field that the paths begin at; empty for the whole object.
    pub(crate) base: &'static str,
}

/// The result of a check, apart from faults.
#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    /// The number of checks that passed, by which servers choose the alternative that they report.
    pub(super) matches: usize,
    /// The value is known to differ from the old one.
    differs: bool,
}

impl Outcome {
    const fn of(matches: usize) -> Self {
        Self { matches, differs: false }
    }

    const fn add(&mut self, inside: Self) {
        self.matches += inside.matches;
        self.differs |= inside.differs;
    }
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

    pub(super) fn check_value<S: Sink>(
        self,
        schema: &Schema,
        value: &Value,
        path: &Path<'_>,
        old: Option<Correlated<'_>>,
        sink: &mut S,
    ) -> Outcome {
        work::step();
        sink.meter().spend(1);
        if sink.meter().is_spent() {
            return Outcome::default();
        }
        let place = ValuePlace { schema, path, facts: self.facts, base: self.base };
        if value.is_null() {
            return check_null(&place, sink);
        }
        let constraints = schema.constraints.as_deref();
        // The checks of the enumeration and of alternatives always apply; each counts once more for the value.
        let mut outcome = Outcome::of(4);
        if schema.types != Types::Any || place.format().is_some() {
            outcome.matches += 1 + usize::from(check_type(&place, value, sink));
        }
        if let Some(alternatives) = constraints.and_then(|it| it.alternatives.as_deref()) {
            outcome.matches += self.check_alternatives(&place, alternatives, value, sink);
        }
        match (value, constraints) {
            (Value::String(text), Some(constraints)) => {
                outcome.matches += 1 + text::check(&place, constraints, text, value, sink);
            }
            (Value::String(_), None) => outcome.matches += 1,
            (Value::Number(_), _) => {
                outcome.matches += 2;
                number::check(&place, value, sink);
            }
            (Value::Array(items), _) => {
                outcome.matches += 2;
                outcome.add(self.check_items(&place, items, old, sink));
            }
            _ => {}
        }
        if let Some(constraints) = constraints {
            check_enumeration(&place, &constraints.enumeration, value, sink);
        }
        if let Value::Object(members) = value {
            outcome.matches += 1;
            outcome.add(self.check_members(&place, members, old, sink));
        }
        outcome
    }

    fn check_items<S: Sink>(
        self,
        place: &ValuePlace<'_>,
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
                outcome.add(self.check_ratcheted(schema, item, &path, old, sink));
            }
        }
        let Some(constraints) = place.schema.constraints.as_deref() else { return outcome };
        check_count(place, items.len(), constraints.item_count, "items", sink);
        if constraints.unique_items && has_duplicates(items, sink.meter()) {
            sink.add(|| {
                let message = format!("{:#} in body shouldn't contain duplicates", place.path);
                Fault::shown(place, Reason::Invalid, Shown::Text(""), message)
            });
        }
        outcome
    }

    fn check_members<S: Sink>(
        self,
        place: &ValuePlace<'_>,
        members: &Map<String, Value>,
        old: Option<Correlated<'_>>,
        sink: &mut S,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let (schema, path) = (place.schema, place.path);
        if let Some(constraints) = schema.constraints.as_deref() {
            check_count(place, members.len(), constraints.property_count, "properties", sink);
        }
        if matches!(schema.additional, Additional::Allowed(false)) {
            forbid_unlisted(place, members, sink);
        }
        if let Additional::Schema(additional) = &schema.additional {
            let unlisted = members.iter().filter(|(name, _)| !schema.properties.contains(name));
            for (name, value) in unlisted {
                let old = old_member(place, old, name);
                outcome.add(self.check_ratcheted(additional, value, &path.key(name), old, sink));
            }
        }
        if !schema.properties.is_empty() {
            // The lookups compare eight bytes of each name. Those of one prefix are searched for each member.
            sink.meter().spend(schema.properties.len() / 8);
            let mut lookup = schema.properties.lookup();
            for (name, value) in members {
                let Some(property) = lookup.get(name) else { continue };
                let old = old_member(place, old, name);
                outcome.add(self.check_ratcheted(property, value, &path.field(name), old, sink));
            }
        }
        require(place, members, sink);
        outcome
    }
}

fn has_duplicates(items: &[Value], meter: &Meter) -> bool {
    let mut seen = HashSet::new();
    !items.iter().all(|item| {
        work::step();
        meter.read_value(item);
        meter.is_spent() || seen.insert(item)
    })
}

/// The old value of a member. Both objects have the version of the request, so `apiVersion` and `kind` have no old value.
fn old_member<'v>(
    place: &ValuePlace<'_>,
    old: Option<Correlated<'v>>,
    name: &str,
) -> Option<Correlated<'v>> {
    let is_type = place.path.is_root() && ["apiVersion", "kind"].contains(&name);
    old.filter(|_| !is_type)?.member(name)
}

/// Refuses members that the schema does not list, if it allows no others.
fn forbid_unlisted<S: Sink>(place: &ValuePlace<'_>, members: &Map<String, Value>, sink: &mut S) {
    let path = place.path;
    for name in members.keys().filter(|name| !place.schema.properties.contains(name)) {
        sink.add(|| {
            let message = format!("{path:#}.{name} in body is a forbidden property");
            Fault::shown(place, Reason::Invalid, Shown::Text(name), message)
        });
    }
}

fn require<S: Sink>(place: &ValuePlace<'_>, members: &Map<String, Value>, sink: &mut S) {
    sink.meter().spend(place.schema.required.len());
    let path = place.path;
    for name in place.schema.required.iter().filter(|name| !members.contains_key(*name)) {
        sink.add(|| {
            let cause = RefusalCause::required(place.field_of(&format!("{path:#}.{name}")), "");
            Fault { message: format!("{path:#}.{name} in body is required"), cause }
        });
    }
}

/// Checks a null: only its type and the enumeration count.
fn check_null<S: Sink>(place: &ValuePlace<'_>, sink: &mut S) -> Outcome {
    let schema = place.schema;
    let fits = schema.types == Types::Any || schema.nullable;
    if !fits {
        sink.add(|| Fault::wrong_type(place, schema.types.text(), "null"));
    }
    if let Some(constraints) = &schema.constraints {
        check_enumeration(place, &constraints.enumeration, &Value::Null, sink);
    }
    Outcome::of(usize::from(fits))
}

/// Checks the type. Returns `true` if it fits.
fn check_type<S: Sink>(place: &ValuePlace<'_>, value: &Value, sink: &mut S) -> bool {
    let types = place.schema.types;
    let actual = Type::of(value);
    let fits = types.names(actual)
        || match actual {
            Type::Integer => types.names(Type::Number),
            Type::Number => types.names(Type::Integer) && value.as_f64().is_some_and(is_integer),
            _ => false,
        };
    if let Some(format) = place.format() {
        let is_wordy = matches!(actual, Type::String | Type::Array);
        if !is_wordy && !fits && of_number(actual) != format.name {
            sink.add(|| Fault::wrong_type(place, &format.name, of_number(actual)));
            return false;
        }
        // Any text and any list passes here. The format of a text is checked on its own.
        if is_wordy && !types.names(Type::Number) && !types.names(Type::Integer) {
            return true;
        }
    }
    if !fits {
        sink.add(|| Fault::wrong_type(place, types.text(), actual.name()));
    }
    fits
}

/// The format that messages name for a number.
const fn of_number(of_type: Type) -> &'static str {
    match of_type {
        Type::Integer => "int64",
        Type::Number => "float64",
        _ => "",
    }
}

fn check_count<S: Sink>(
    place: &ValuePlace<'_>,
    count: usize,
    limits: CountLimits,
    what: &str,
    sink: &mut S,
) {
    let CountLimits { least, most } = limits;
    let actual = i64::try_from(count).unwrap_or(i64::MAX);
    if let Some(least) = least.filter(|least| actual < *least) {
        sink.add(|| {
            let message = format!("{:#} in body should have at least {least} {what}", place.path);
            Fault::shown(place, Reason::Invalid, Shown::Count(count), message)
        });
    }
    if let Some(most) = most.filter(|most| actual > *most) {
        sink.add(|| {
            let message = format!("{:#} in body should have at most {most} {what}", place.path);
            let plural = if most == 1 { "" } else { "s" };
            let detail = format!("must have at most {most} item{plural}");
            let shown = Shown::Count(count);
            let cause =
                RefusalCause::new(place.facts, Reason::TooMany, place.field(), shown, detail);
            Fault { message, cause }
        });
    }
}

fn check_enumeration<S: Sink>(
    place: &ValuePlace<'_>,
    enumeration: &Enumeration,
    value: &Value,
    sink: &mut S,
) {
    let values = &enumeration.values;
    if !values.is_empty() && !enumeration.contains(value, sink.meter()) {
        sink.add(|| not_listed(place, values, value));
    }
}

#[cold]
fn not_listed(place: &ValuePlace<'_>, values: &[Value], value: &Value) -> Fault {
    let shown: Vec<String> = values
        .iter()
        .map(|listed| listed.as_str().map_or_else(|| go::json(listed), str::to_owned))
        .collect();
    let quoted: Vec<String> = shown.iter().map(|text| go::GoQuoted(text).to_string()).collect();
    let detail = format!("supported values: {}", quoted.join(", "));
    let (field, shown) = (place.field(), Shown::Value(value));
    let cause = RefusalCause::new(place.facts, Reason::NotSupported, field, shown, detail);
    let plain: Vec<String> = values.iter().map(|listed| go::GoValue(listed).to_string()).collect();
    let message = format!("{:#} in body should be one of [{}]", place.path, plain.join(" "));
    Fault { message, cause }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Definition, WriteRequest};

    /// The schema of a field that is null in the object, and what the server stores or why it refuses the object.
    ///
    /// Null in an enumeration has no effect: `kube-openapi` compares with the other values only. That is known from its
    /// source; the rest is recorded.
    #[test]
    fn null_and_enumerations() {
        let refused =
            |words: &str| format!("spec.f: Unsupported value: null: supported values: {words}");
        let table = [
            (json!({"nullable": true}), json!({"f": null}).to_string()),
            (json!({"nullable": true, "default": "a"}), json!({"f": null}).to_string()),
            (json!({"nullable": true, "enum": ["a"]}), refused("\"a\"")),
            (json!({"nullable": true, "enum": ["a", null]}), refused("\"a\", \"null\"")),
            (json!({"nullable": true, "enum": ["a"], "default": "a"}), refused("\"a\"")),
            (json!({"enum": ["a"]}), json!({}).to_string()),
            (json!({"enum": ["a"], "default": "a"}), json!({"f": "a"}).to_string()),
        ];
        for (mut field, expected) in table {
            field["type"] = json!("string");
            let answer = create(&field, "null");
            let stored = answer.object.map(|object| object["spec"].to_string());
            let cause = answer.causes.first().map(ToString::to_string);
            assert_eq!(stored.or(cause).unwrap_or_default(), expected, "{field}");
        }
    }

    /// Go reads `-0` as an integer, and any number with a fraction or an exponent as a float.
    #[test]
    fn types_of_zeros() {
        for (value, number) in
            [("-0", "integer"), ("0", "integer"), ("-0.0", "number"), ("0.0", "number")]
        {
            let causes = create(&json!({"type": "string"}), value).causes;
            let message = format!(
                "Invalid value: {number:?}: spec.f in body must be of type string: {number:?}"
            );
            assert_eq!(causes.first().map(|cause| &*cause.message), Some(&*message), "{value}");
            let causes = create(&json!({"type": "number", "minimum": 1}), value).causes;
            let shown = if value == "-0.0" { "-0" } else { "0" };
            let message = format!(
                "Invalid value: {shown}: spec.f in body should be greater than or equal to 1"
            );
            assert_eq!(causes.first().map(|cause| &*cause.message), Some(&*message), "{value}");
        }
    }

    /// The answer to an object whose field has this value.
    fn create(field: &Value, value: &str) -> crate::ServerAnswer {
        let spec = json!({"type": "object", "properties": {"f": field}});
        let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
        let names = json!({"kind": "Widget", "plural": "widgets"});
        let version = json!({"name": "v1", "served": true, "schema": schema});
        let definition = json!({"spec": {"group": "example.com", "scope": "Cluster", "names": names, "versions": [version]}});
        let body = json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"f": "VALUE"}});
        let body = body.to_string().replace("\"VALUE\"", value);
        let request = WriteRequest::create("v1", "", body.as_bytes());
        Definition::compile(&definition).unwrap().admit(&request)
    }
}
