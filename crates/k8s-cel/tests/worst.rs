//! The worst inputs of rules: what grows with an object is linear, or the rule is stopped, as a server would or as not judged.
//!
//! Each row is a rule and the largest value for it of so many bytes. The first test counts steps and units of cost. The ignored
//! one counts instructions with valgrind, of a value and of one twice as large, and prints them:
//!
//! ```sh
//! cargo test --release -p k8s-cel --test worst -- --ignored --nocapture
//! ```

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "helpers of tests")]

use std::hint::black_box;
use std::process::Command;

use k8s_cel::{Budget, Release, RuleOutcome, RuleScope, Rules};
use serde_json::{Value, json};

/// What becomes of a rule on a value of 256 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It has a value.
    Judged,
    /// A server stops it for its cost.
    Stopped,
    /// It is not judged: it takes more steps than are spent on a rule, or its types are too large.
    NotJudged,
}

use End::{Judged, NotJudged, Stopped};

/// A text eight times.
macro_rules! eight {
    ($text:literal) => {
        concat!($text, $text, $text, $text, $text, $text, $text, $text)
    };
}

/// A list that mentions one value 2^24 times.
macro_rules! doubled {
    () => {
        concat!(
            "[dyn(1)]",
            eight!(".map(a, [dyn(a), dyn(a)])"),
            eight!(".map(a, [dyn(a), dyn(a)])"),
            eight!(".map(a, [dyn(a), dyn(a)])")
        )
    };
}

/// A rule, and what its value is made of.
const ROWS: &[(&str, Make, End)] = &[
    // Texts.
    ("self.size() > 0", text, Judged),
    ("self == self + ''", text, Judged),
    ("self.contains('aaaaaaaaaaaaaaaaaaaaaaab')", text, Judged),
    ("self.contains(self.substring(1) + 'b')", text, Stopped),
    ("self.startsWith(self) && self.endsWith(self)", text, Judged),
    ("self.matches('^(a|aa)+$')", text, Judged),
    ("self.matches('(a*)*b')", text, Judged),
    ("self.matches('((a{30}){30})b')", text, NotJudged),
    ("self.matches(self)", text, Stopped),
    ("self.find('(a|b|ab)*c') == ''", text, Judged),
    ("self.findAll('a').size() > 0", text, NotJudged),
    ("self.findAll('a', 100).size() > 0", text, Judged),
    ("self.split('').join('-').size() > 0", text, Judged),
    ("self.replace('a', 'bb').size() > 0", text, Judged),
    ("self.replace('', self.substring(0, 100)).size() > 0", text, Judged),
    ("self.indexOf('b') == -1 && self.lastIndexOf('b') == -1", text, Judged),
    ("self.lowerAscii().upperAscii().trim().size() > 0", text, Judged),
    ("strings.quote(self).size() > 0", text, Judged),
    ("'%s%s%s'.format([self, self, self]).size() > 0", text, Judged),
    ("bytes(self).size() > 0 && string(bytes(self)) == self", text, Judged),
    (
        "!isIP(self) && !isCIDR(self) && !isQuantity(self) && !isSemver(self) && !isURL(self)",
        text,
        Judged,
    ),
    ("format.dns1123Subdomain().validate(self).hasValue()", text, Judged),
    ("format.uri().validate(self).hasValue()", text, Stopped),
    ("lists.range(self.size() * 1000).size() > 0", text, NotJudged),
    // Lists of numbers.
    ("self.sum() > 0 && self.max() > 0 && self.min() >= 0 && self.isSorted()", numbers, Judged),
    ("self.sort().size() > 0", numbers, Stopped),
    ("self.distinct().size() > 0", numbers, Stopped),
    ("self.sortBy(x, -x).size() > 0", numbers, Stopped),
    ("self.reverse().slice(0, 10).size() > 0", numbers, Judged),
    ("self == self.map(x, x)", numbers, Judged),
    ("self + self != self", numbers, Judged),
    ("-1 in self || self.indexOf(-1) == -1", numbers, Judged),
    ("self.all(x, x in self)", numbers, Stopped),
    ("self.all(x, self.all(y, x + y >= 0))", numbers, Stopped),
    ("self.map(x, self + self).size() > 0", numbers, NotJudged),
    ("sets.contains(self, self) || true", numbers, Stopped),
    ("self.transformMap(i, x, x).size() > 0", numbers, Judged),
    ("self.all(x, x >= 0) && self.exists_one(x, x == 1)", numbers, Judged),
    // Lists of texts that have much in common.
    ("self.isSorted() || self.max() != ''", texts, Judged),
    ("self.join(',').size() > 0", texts, Judged),
    ("self.distinct().size() > 0", texts, Stopped),
    ("self == self.map(x, x)", texts, Judged),
    ("self.all(x, self.exists_one(y, x == y))", texts, Stopped),
    // Maps.
    ("self == self && self.size() > 0", map, Judged),
    ("self.all(k, k in self)", map, Judged),
    ("self.all(k, v, self[k] == v)", map, Judged),
    ("self.transformMap(k, v, v).size() > 0", map, Judged),
    ("self.map(k, self.all(x, x != 'none')).size() > 0", map, Stopped),
    // Values and types that mention their parts again and again.
    (concat!(doubled!(), " == ", doubled!()), text, NotJudged),
    (concat!("'%s'.format([", doubled!(), "]) == self"), text, NotJudged),
    (
        concat!("[1]", eight!(".map(a, {a: a})"), eight!(".map(a, {a: a})"), " != []"),
        text,
        NotJudged,
    ),
    // Sets, and lists with keys.
    ("self == self + self", set, Judged),
    ("self.all(x, (self + [x]).size() > 0)", set, NotJudged),
    ("self == self + self", keyed, Judged),
    ("self.filter(x, x.k >= 0) == self", keyed, Judged),
];

/// Makes a schema and a value of about so many bytes.
type Make = fn(usize) -> (Value, Value);

fn text(bytes: usize) -> (Value, Value) {
    (json!({"type": "string"}), json!("a".repeat(bytes)))
}

fn list_of(items: &Value, kind: &str) -> Value {
    json!({"type": "array", "items": items, "x-kubernetes-list-type": kind})
}

fn numbers(bytes: usize) -> (Value, Value) {
    (list_of(&json!({"type": "integer"}), "atomic"), (0..bytes / 7).collect())
}

fn texts(bytes: usize) -> (Value, Value) {
    let texts: Value =
        (0..bytes / 68).map(|index| format!("{}{index:05}", "a".repeat(60))).collect();
    (list_of(&json!({"type": "string"}), "atomic"), texts)
}

fn map(bytes: usize) -> (Value, Value) {
    let entries = (0..bytes / 14).map(|index| (format!("k{index:06}"), json!(index)));
    let schema = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    (schema, Value::Object(entries.collect()))
}

fn set(bytes: usize) -> (Value, Value) {
    (list_of(&json!({"type": "integer"}), "set"), (0..bytes / 7).collect())
}

fn keyed(bytes: usize) -> (Value, Value) {
    let items = json!({"type": "object", "properties": {"k": {"type": "integer"}}});
    let mut schema = list_of(&items, "map");
    schema["x-kubernetes-list-map-keys"] = json!(["k"]);
    (schema, (0..bytes / 12).map(|index| json!({"k": index})).collect())
}

const LARGE: usize = 256 << 10;

fn prepared(row: usize, bytes: usize) -> (Rules, Value) {
    let (rule, make, _) = ROWS[row];
    let (mut schema, value) = make(bytes);
    schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
    let scope = RuleScope { release: Release::new(1, 36), is_root: false };
    let rules = Rules::compile(&schema, scope);
    (rules.unwrap_or_else(|errors| panic!("{rule}: {errors:?}")), value)
}

/// What is measured.
#[inline(never)]
fn region(rules: &Rules, value: &Value) -> (End, u64) {
    let mut budget = Budget::default();
    let outcomes = rules.judge_within(black_box(value), None, &mut budget);
    let end = match outcomes.as_slice() {
        [RuleOutcome::NotJudged { reason, .. }] => {
            let is_bound = reason == "the rule takes more steps than are spent on a rule"
                || reason.starts_with("the types of its parts are too large: ");
            assert!(is_bound, "{reason}");
            NotJudged
        }
        // For the cost of a call, or for that of all.
        [RuleOutcome::Violated(_)] if budget.cost_left().is_none() => Stopped,
        [] | [RuleOutcome::Violated(_)] => Judged,
        other => panic!("{other:?}"),
    };
    (end, 10_000_000 - budget.cost_left().unwrap_or_default())
}

#[test]
fn the_worst_inputs_are_judged_or_stopped() {
    let mut wrong = Vec::new();
    for (row, (rule, _, expected)) in ROWS.iter().enumerate() {
        let (rules, value) = prepared(row, LARGE);
        let (end, cost) = region(&rules, &value);
        // A call that is not stopped has cost no more than servers allow.
        if end != *expected || end == Judged && cost > 1_000_000 {
            wrong.push(format!("{rule}: {end:?}, {cost}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// About the instructions of a second.
const SECOND: u64 = 3_000_000_000;

#[test]
#[ignore = "takes minutes, and `valgrind`"]
fn instructions_are_few_and_grow_with_the_value() {
    if let Ok(own) = std::env::var("WORST_ROW") {
        let (row, bytes) = own.split_once(',').unwrap();
        let (rules, value) = prepared(row.parse().unwrap(), bytes.parse().unwrap());
        black_box(region(&rules, &value));
        return;
    }
    let count = |row: usize, bytes: usize| {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"])
            .arg("--toggle-collect=*worst*region*")
            .arg(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "instructions_are_few_and_grow_with_the_value"])
            .env("WORST_ROW", format!("{row},{bytes}"))
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let collected = log.lines().find_map(|line| line.split_once("Collected : "));
        collected
            .and_then(|(_, count)| count.trim().parse::<u64>().ok())
            .unwrap_or_else(|| panic!("{log}"))
    };
    for (row, (rule, _, end)) in ROWS.iter().enumerate() {
        let (half, whole) = (count(row, LARGE / 2), count(row, LARGE));
        println!("{whole:>12} {:>4} % {end:?} {rule}", 100 * whole / half.max(1));
        assert!(whole < SECOND, "{rule}");
        // What is quadratic takes ten times as many. The engine of a pattern changes with the length of the text.
        assert!(
            *end != Judged || whole < 3 * half || whole < SECOND / 3,
            "{rule}: {half}, {whole}"
        );
    }
}
