//! The worst rules about each item of a list: they call each macro, or read a large value that servers read for nothing.
//!
//! The ignored test measures their time, and prints the slowest:
//!
//! ```sh
//! cargo test --release -p k8s-cel --lib worst -- --ignored --nocapture
//! ```

use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use crate::functions::worst::processor_time;
use crate::syntax::ast::Macro;
use crate::syntax::macros::{Expansion, Form, MACROS};
use crate::{Budget, Release, RuleOutcome, RuleScope, Rules};

/// The bytes of an object.
const LARGE: usize = 256 << 10;

/// The schema of a field `own`, and a value of it of so many bytes.
type Make = fn(usize) -> (Json, Json);

/// Rules that read `own` for each item, and count less for it on servers than its bytes.
const ROWS: &[(&str, Make)] = &[
    ("self.items.all(i, isURL(self.own))", url),
    ("[url(self.own)].all(u, self.items.all(i, u.getQuery().size() > 0))", url),
    ("[url(self.own)].all(u, self.items.all(i, u.getPort() == ''))", url),
    ("[url(self.own)].all(u, self.items.all(i, u == u))", url),
    ("[url(self.own)].all(u, self.items.all(i, u in [u]))", url),
    ("[semver(self.own)].all(v, self.items.all(i, v.compareTo(v) == 0))", version),
    ("[semver(self.own)].all(v, self.items.all(i, v == v))", version),
    ("self.items.all(i, double(self.own) == 0.0)", digits),
    ("self.items.all(i, int(self.own) == 0)", digits),
    ("self.items.all(i, size(self.own) > 0)", digits),
    ("self.items.all(i, self.own.charAt(i) != '')", digits),
    ("self.items.all(i, [self.own] == [self.own])", digits),
    ("self.items.all(i, [self.own].indexOf(self.own) == 0)", digits),
    ("self.items.all(i, sets.contains([self.own], [self.own]))", digits),
    ("self.items.all(i, !(self.own in self.map))", digits),
    ("self.items.all(i, self.map[?self.own] == optional.none())", digits),
    ("[{self.own: 1}].all(m, self.items.all(i, m[self.own] == 1))", digits),
    ("[b'a', bytes(self.own)].all(b, self.items.all(i, [b] == [b]))", digits),
    ("self.items.all(i, '%x'.format([self.own]) != '')", digits),
    ("self.items.all(i, self.own.size() > 0)", bytes),
    ("self.items.all(i, self.own > duration('0s'))", duration),
    ("self.items.all(i, self.own == self.own)", list_with_keys),
    ("self.items.all(i, (self.own + self.own).size() > 0)", list_with_keys),
    ("self.items.all(i, self.own == self.own)", set),
    ("self.items.all(i, (self.own + self.own).size() > 0)", set),
    ("self.items.all(i, self.own.exists(k, true))", members),
    ("self.items.all(i, self.own == self.own)", members),
    ("self.items.all(i, [self.own] == [self.own])", unknown),
];

fn text(start: &str, part: &str, bytes: usize) -> (Json, Json) {
    (json!({"type": "string"}), format!("{start}{}", part.repeat(bytes / part.len())).into())
}

fn url(bytes: usize) -> (Json, Json) {
    text("http://a/?", "a&", bytes)
}

fn version(bytes: usize) -> (Json, Json) {
    text("1.0.0-a", ".1", bytes)
}

fn digits(bytes: usize) -> (Json, Json) {
    text("", "0", bytes)
}

fn bytes(bytes: usize) -> (Json, Json) {
    (json!({"type": "string", "format": "byte"}), "AAAA".repeat(bytes / 4).into())
}

fn duration(bytes: usize) -> (Json, Json) {
    (json!({"type": "string", "format": "duration"}), "1ns".repeat(bytes / 3).into())
}

fn list_with_keys(bytes: usize) -> (Json, Json) {
    let items = json!({"type": "object", "properties": {"k": {"type": "string"}}});
    let schema = json!({
        "type": "array", "items": items,
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
    });
    (schema, json!([{"k": "a".repeat(bytes)}]))
}

fn set(bytes: usize) -> (Json, Json) {
    let items = json!({"type": "string"});
    let schema = json!({"type": "array", "items": items, "x-kubernetes-list-type": "set"});
    (schema, json!(["a".repeat(bytes)]))
}

fn members(bytes: usize) -> (Json, Json) {
    let members = (0..bytes / 7).map(|at| (format!("k{at:06}"), json!(at)));
    let schema = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    (schema, members.collect::<Map<_, _>>().into())
}

/// One member that the schema does not know, with a long name.
fn unknown(bytes: usize) -> (Json, Json) {
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    (schema, json!({"a".repeat(bytes): 1}))
}

/// Calls of a macro: where the macro may stop at the first item, one that does and one that does not.
fn calls(form: &Form, arguments: usize) -> Vec<String> {
    const BOTH: &[&str] = &["self.list", "self.own"];
    let (ranges, bodies): (&[&str], &[&str]) = match form.expansion {
        Expansion::Optional { flat: false } => (&["optional.of(self.own)"], &["x"]),
        Expansion::Optional { flat: true } => (&["optional.of(self.own)"], &["optional.of(x)"]),
        Expansion::Filter | Expansion::Visit(Macro::All | Macro::Exists | Macro::ExistsOne) => {
            (BOTH, &["true", "false"])
        }
        Expansion::Visit(Macro::Entries) => (BOTH, &["{x: x}"]),
        Expansion::Visit(Macro::SortBy) => (&["self.list"], &["x"]),
        Expansion::Visit(Macro::List | Macro::Map) => (BOTH, &["x"]),
    };
    let names = if form.names == 2 { "x, y" } else { "x" };
    let filter = if arguments == form.names + 2 { "true, " } else { "" };
    let name = form.name;
    let of_range =
        |range| bodies.iter().map(move |body| format!("{range}.{name}({names}, {filter}{body})"));
    ranges.iter().flat_map(of_range).collect()
}

/// Rules that call each macro for each item.
fn of_macros() -> Vec<String> {
    let each = |form: &Form| {
        let calls = form.arguments.iter().flat_map(|arguments| calls(form, *arguments));
        calls
            .map(|call| format!("self.items.all(i, optional.of({call}).hasValue())"))
            .collect::<Vec<_>>()
    };
    MACROS.iter().flat_map(each).collect()
}

/// The most rules of an object that servers evaluate, if each costs what one may cost.
const MANY: usize = 10;

/// Compiles a rule, and makes a value with so many items, and so many bytes beside them.
fn prepared(rule: &str, make: Make, items: usize, bytes: usize) -> (Rules, Json) {
    let integers = json!({"type": "array", "items": {"type": "integer"}});
    let (schema, own) = make(bytes);
    let schema = json!({
        "type": "object",
        "properties": {
            "items": integers,
            "list": integers,
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "own": schema,
        },
        "x-kubernetes-validations": [{"rule": rule}],
    });
    let value = json!({
        "items": vec![0; items],
        "list": (0..bytes / 14).collect::<Vec<_>>(),
        "map": {},
        "own": own,
    });
    let scope = RuleScope { release: Release::new(1, 36), is_root: false };
    let rules = Rules::compile(&schema, scope);
    (rules.unwrap_or_else(|errors| panic!("{rule}: {errors:?}")), value)
}

#[test]
fn each_macro_is_judged() {
    let rules = of_macros();
    for rule in &rules {
        let (rules, value) = prepared(rule, members, 50, 100);
        let outcomes = rules.judge(&value, None);
        assert!(outcomes.is_empty(), "{rule}: {outcomes:?}");
    }
    assert!(rules.len() > MACROS.len(), "{}", rules.len());
}

/// Rules that are judged with a small value are not with a large one: all that they read takes steps.
#[test]
fn what_is_read_for_each_item_takes_steps() {
    const ITEMS: usize = 1000;
    for (rule, make) in ROWS {
        let judge = |bytes| {
            let (rules, value) = prepared(rule, *make, ITEMS, bytes);
            rules.judge_within(&value, None, &mut Budget::of_steps(60 * ITEMS as u64))
        };
        let small = judge(30);
        assert!(small.is_empty(), "{rule}: {small:?}");
        let large = judge(LARGE / 2);
        let reason = "the rule takes more steps than are spent on a rule";
        assert!(
            matches!(&*large, [RuleOutcome::NotJudged { reason: own, .. }] if own == reason),
            "{rule}: {large:?}"
        );
    }
}

#[test]
#[ignore = "for release builds, on Linux"]
fn rules_end_within_a_second() {
    let macros = of_macros();
    let macros = macros.iter().map(|rule| (&**rule, members as Make));
    let mut figures: Vec<(Duration, &str)> = Vec::new();
    for (rule, make) in ROWS.iter().copied().chain(macros) {
        let (rules, value) = prepared(rule, make, LARGE / 4, LARGE / 2);
        let start = processor_time(Duration::ZERO);
        let mut budget = Budget::default();
        for _ in 0..MANY {
            drop(rules.judge_within(&value, None, &mut budget));
        }
        figures.push((processor_time(start), rule));
    }
    figures.sort();
    for (time, rule) in figures.iter().rev().take(20) {
        println!("{time:>12?} {rule}");
    }
    let slow: Vec<_> = figures.iter().filter(|(time, _)| *time > Duration::from_secs(1)).collect();
    assert!(slow.is_empty(), "{slow:?}");
}
