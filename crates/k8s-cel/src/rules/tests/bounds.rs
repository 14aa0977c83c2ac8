//! Bounds on what a rule can cost, and rules in several threads.

use serde_json::{Value, json};

use super::{answer, check};
use crate::rules::Rules;

/// What servers judge within their limits of cost is judged here, too.
#[test]
fn lists_and_maps_of_hundreds_are_judged() {
    let list = json!({"type": "array", "items": {"type": "integer"}});
    let numbers: Vec<usize> = (0..500).rev().collect();
    for rule in [
        "self.sort()[0] == 0",
        "self.distinct().size() == 500",
        "self.sortBy(x, -x)[0] == 499",
        "self.all(x, x in self)",
        "[self].all(l, l.sum() == 124750 && l.max() == 499)",
    ] {
        assert_eq!(answer(&list, rule, &json!(numbers)), "true", "{rule}");
    }
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let members = numbers.iter().map(|at| (format!("k{at}"), json!(at)));
    let members: Value = members.collect::<serde_json::Map<_, _>>().into();
    assert_eq!(answer(&map, "self.all(k, k in self && self[k] >= 0)", &members), "true");
}

#[test]
fn evaluation_is_bounded() {
    let schema = json!({"type": "array", "items": {"type": "string"}});
    let values: Vec<Value> = (0..2000).map(|index| json!(format!("value {index}"))).collect();
    let values = Value::Array(values);
    let spent = "not judged: the rule takes more steps than are spent on a rule";
    for (rule, expected) in [
        ("self.all(x, self.all(y, self.all(z, x + y + z != '')))", "cancelled"),
        ("lists.range(9223372036854775807).size() > 1", spent),
        ("self.map(x, self.join()).join().size() > 0", "cancelled"),
        ("self.map(x, 'a'.matches(x)).size() > 0", spent),
        ("self.join().replace('', self.join()).size() > 0", spent),
        ("self.map(x, self + self).map(y, y + y).size() > 0", spent),
    ] {
        assert_eq!(answer(&schema, rule, &values), expected, "{rule}");
    }
    let deep = format!("{}1{} == 1", "(".repeat(5000), ")".repeat(5000));
    let too_deep = "not judged: the expression nests deeper than is evaluated here";
    assert_eq!(answer(&schema, &deep, &values), too_deep);
    assert_eq!(answer(&schema, &format!("{}1 == 1", "1 + ".repeat(5000)), &values), too_deep);
    assert_eq!(answer(&schema, &format!("{}true", "true && ".repeat(5000)), &values), "true");
    let nested = format!("{}self.size() > 0{}", "[1].all(x, ".repeat(50), ")".repeat(50));
    assert_eq!(answer(&schema, &nested, &values), "true");
    let mut schema = schema;
    for _ in 0..100 {
        schema = json!({"type": "array", "items": schema});
    }
    assert_eq!(
        answer(&schema, "self.size() > 0", &json!([])),
        "not judged: the schema nests deeper than is read here"
    );
}

/// A type that mentions its parts again and again is a tree that no machine can hold.
#[test]
fn types_are_bounded() {
    let too_large = "not judged: the types of its parts are too large: more than 1000 parts in a type, or more than \
                     10000000 steps for all";
    let maps = |count: usize| format!("[1]{} != []", ".map(a, {a: a})".repeat(count));
    let lists = |count: usize| format!("[1]{}.size() == 1", ".map(a, [[a], [a]])".repeat(count));
    // The types of empty lists are known by what is done with them.
    let unknown = |count: usize| {
        format!("[]{} == {{}}", ".map(a, {a: a})".repeat(count)).replace("[]", "[[]]")
    };
    check(&[
        (&maps(5), "true"),
        (&maps(22), too_large),
        (&maps(60), too_large),
        (&lists(30), "true"),
        (&unknown(22), too_large),
    ]);
    let compared = format!("[1]{0} == [2]{0}", ".map(a, {a: a})".repeat(40));
    check(&[(&compared, too_large)]);
}

#[test]
fn rules_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Rules>();
}
