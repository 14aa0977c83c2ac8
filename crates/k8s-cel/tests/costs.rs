//! What evaluations cost, as the library of servers counts it: also with errors that the other operand of `||` makes irrelevant.
//!
//! Servers evaluate both operands of a call even if the first fails, and count the call. They count lists and maps whose parts
//! fail. With a pattern that is a constant they stop at the first operand that fails.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use k8s_cel::{Environment, Expression, Release};
use serde_json::json;

/// Expressions that hold, and what they cost.
const COSTS: &[(&str, u64)] = &[
    ("m.a == 1 && m.b == 2 && l.size() == 3", 9),
    ("m.a == 2 || m.b == 3 || l.size() == 3", 9),
    ("has(m.a)", 1),
    ("!has(m.z)", 2),
    ("has(d.a.b) && d.a.b == 1", 6),
    ("has(d.q.b) || m.a == 1", 4),
    ("has({'a': {'b': m.a}}.q.c) || m.a == 1", 66),
    ("d.q == 1 || m.a == 1", 6),
    ("1 == d.q || m.a == 1", 6),
    ("d.q == d.a.b || m.a == 1", 9),
    ("m.q + m.a == 1 || m.a == 1", 9),
    ("m.a + (m.a / (m.b - 2)) == 1 || m.a == 1", 13),
    ("d.a.t < d.a.b || m.a == 1", 10),
    ("d.q in [d.a.b] || m.a == 1", 19),
    ("d.q in [1, 2] || m.a == 1", 5),
    ("d.q.matches('[a-z]+') || m.a == 1", 5),
    ("d.q.matches(d.a.t) || m.a == 1", 15),
    ("!d.q || m.a == 1", 6),
    ("!d.a.t || m.a == 1", 7),
    ("size(d.a.b) > 1 || m.a == 1", 8),
    ("-d.a.t == 1 || m.a == 1", 8),
    ("[d.q].size() == 1 || m.a == 1", 17),
    ("{'a': d.a.b, 'b': d.q}.size() == 1 || m.a == 1", 40),
    ("l[7] == 1 || m.a == 1", 6),
    ("l[d.q] == 1 || m.a == 1", 7),
    ("(d.q ? m.a : m.b) == 1 || m.a == 1", 6),
    ("(true ? d.a : d.l) == d.a", 4),
    ("l.all(x, x > 0)", 17),
    ("l.exists(x, x == 3)", 20),
    ("l.all(x, x > d.q) || m.a == 1", 26),
    ("l.exists_one(x, x == d.q) || m.a == 1", 18),
    ("l.map(x, x + 1).size() == 3", 46),
    ("l.map(x, 1).size() == 3", 10),
    ("l.map(x, 10 / (x - 2)).size() == 1 || m.a == 1", 52),
    ("l.filter(x, 10 / (x - 2) > 3).size() == 1 || m.a == 1", 32),
    ("l.transformList(i, x, x > 1, x + i).size() == 2", 40),
    ("m.transformMap(k, v, v + 1).size() == 2", 14),
    ("m.?a.optMap(v, v + 1).orValue(0) == 2", 10),
    ("m.?z.optMap(v, v + 1).orValue(0) == 0", 4),
    ("d.?q.?z.optMap(v, v + 1).orValue(5) == 5", 4),
    ("d.q.optMap(v, v).hasValue() || m.a == 1", 7),
    ("m.?a.optMap(v, v + d.q).hasValue() || m.a == 1", 15),
];

#[test]
fn evaluations_cost_what_servers_count() {
    let integer = json!({"type": "integer"});
    let map = json!({"type": "object", "additionalProperties": integer});
    let list = json!({"type": "array", "items": integer});
    let environment = Environment::new(Release::new(1, 36));
    let environment = environment.with("m", &map).unwrap().with("l", &list).unwrap().with_any("d");
    let (m, l) = (json!({"a": 1, "b": 2}), json!([1, 2, 3]));
    let d = json!({"a": {"b": 1, "t": "abcdefghijklmnopqrstuvwxyz"}, "l": [1, "x"]});
    for (text, cost) in COSTS {
        let expression = Expression::compile(text, &environment).unwrap();
        let evaluation = expression.evaluate(&[("m", &m), ("l", &l), ("d", &d)]).unwrap();
        assert_eq!((evaluation.value, evaluation.cost), (json!(true), *cost), "{text}");
    }
}
