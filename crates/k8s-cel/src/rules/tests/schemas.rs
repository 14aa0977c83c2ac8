//! Rules about objects with a schema, and what releases differ in.

use k8s_versioned_core::Release;
use serde_json::{Value, json};

use super::{STARTS, answer, answer_of};
use crate::rules::{RuleScope, Rules};

#[test]
fn texts_and_lists_by_their_schema() {
    let text = |format: &str| json!({"type": "string", "format": format});
    let list = |kind: &str| json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": kind});
    let ints = json!({"type": "array", "items": {"type": "integer"}});
    let map_list = json!({
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}},
    });
    let cases = [
        (&text("date-time"), "self.getFullYear() == 2026", json!("2026-01-02T00:00:00Z"), "true"),
        (&text("duration"), "self == duration('72h')", json!("3 days"), "true"),
        (&text("byte"), "self == b'abc' && self.size() == 3", json!("YWJj"), "true"),
        (
            &text("byte"),
            "self.size() == 3",
            json!("YWJ/"),
            "Invalid byte formatted string YWJ/: illegal base64 data at input byte 3",
        ),
        (&text("date"), "self < timestamp('2026-01-03T00:00:00Z')", json!("2026-01-02"), "true"),
        (&text("uuid"), "self.size() == 1", json!("a"), "true"),
        (&list("set"), "self == ['b', 'a'] && ['b', 'a'] != self", json!(["a", "b"]), "true"),
        (&list("set"), "self + ['a', 'c'] == ['c', 'b', 'a']", json!(["a", "b"]), "true"),
        (&list("atomic"), "self == ['b', 'a']", json!(["a", "b"]), "false"),
        (&ints, "self.sum() == 0 && self.all(x, x > 0)", json!([]), "true"),
        (&ints, "self.max() == 1", json!([]), "max called on empty list"),
        (
            &ints,
            "self.exists(x, x == '1')",
            json!([1]),
            "refused 1:18: found no matching overload for '_==_' applied to '(int, string)'",
        ),
        (
            &map_list,
            "self + self == self && self.filter(x, x.k == 'a').size() == 1",
            json!([{"k": "a", "v": 1}]),
            "true",
        ),
        (&map_list, "self.all(x, x.v > 0)", json!([{"k": "a"}]), "no such key: v"),
    ];
    for (schema, rule, value, expected) in cases {
        assert_eq!(answer(schema, rule, &value), expected, "{rule}");
    }
}

#[test]
fn objects_and_unions_by_their_schema() {
    let object = json!({"type": "object", "properties": {
        "a": {"type": "string", "nullable": true},
        "namespace": {"type": "string"},
        "c-d": {"type": "string"},
        "x": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        "any": {"x-kubernetes-preserve-unknown-fields": true},
        "e": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
    }});
    let int_or_string = json!({"x-kubernetes-int-or-string": true});
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let cases = [
        (&object, "has(self.a)", json!({"a": null}), "false"),
        (
            &object,
            "self.__namespace__ == 'n' && self.c__dash__d == 'x'",
            json!({"namespace": "n", "c-d": "x"}),
            "true",
        ),
        (&object, "has(self.b)", json!({"b": 1}), "refused 1:4: undefined field 'b'"),
        (&object, "has(self.x.y)", json!({"x": {"y": 1}}), "refused 1:4: undefined field 'y'"),
        (&object, "has(self.any)", json!({}), "refused 1:4: undefined field 'any'"),
        (
            &object,
            "self.e.kind == 'K' && self.e.metadata.name == 'n'",
            json!({"e": {"kind": "K", "metadata": {"name": "n"}}}),
            "true",
        ),
        (&object, "has(self.e.spec)", json!({}), "refused 1:4: undefined field 'spec'"),
        (&object, "self.a.size() == 0", json!({}), "no such key: a"),
        (&int_or_string, "type(self) == int ? self < 5 : self.endsWith('%')", json!("5%"), "true"),
        (
            &int_or_string,
            "self > 5",
            json!("a"),
            "Invalid value: \"\": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: M",
        ),
        (
            &int_or_string,
            "self.startsWith('a')",
            json!(1),
            "Invalid value: \"\": 'no such overload: startsWith(int, string)': call arguments did not match a supported operator, function or macro signature for rule: M",
        ),
        (&int_or_string, "self in [1, 2] && self == 1.0", json!(1), "true"),
        (
            &int_or_string,
            "self",
            json!(1),
            "refused Invalid value: {\"Rule\":\"self\",\"Message\":\"M\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: cel expression must evaluate to a bool",
        ),
        (
            &map,
            "self.all(k, self[k] > 0) && self.exists(k, v, k == 'a' && v == 1) && self.a == 1",
            json!({"a": 1, "b": 2}),
            "true",
        ),
        (&map, "self == {'a': 1} && {'a': 1} == self && self.size() == 1", json!({"a": 1}), "true"),
        (&json!({"type": "number"}), "self == 1.0 && self < 2", json!(1), "true"),
        (&json!({"type": "boolean"}), "self || !self", json!(false), "true"),
        (
            &json!({"type": "string"}),
            "has(self.x)",
            json!(""),
            "refused 1:4: type 'string' does not support field selection",
        ),
        (
            &json!({"type": "string"}),
            "self ==",
            json!(""),
            &format!("refused 1:8: Syntax error: mismatched input '<EOF>' expecting {STARTS}"),
        ),
        (
            &json!({"type": "string"}),
            "self.size() > 1 &&\n  self == 1",
            json!(""),
            "refused 2:8: found no matching overload for '_==_' applied to '(string, int)'",
        ),
    ];
    for (schema, rule, value, expected) in cases {
        assert_eq!(answer(schema, rule, &value), expected, "{rule}");
    }
}

/// A reserved word is the name of a field: of new rules since 1.32, of stored ones since 1.31.
#[test]
fn reserved_words_are_fields() {
    let schema = json!({"type": "object", "properties": {
        "namespace": {"type": "string"}, "if": {"type": "boolean"}, "true": {"type": "boolean"},
    }});
    let value = json!({"namespace": "n", "if": true, "true": true});
    let rule =
        "self.namespace == 'n' && self.if && has(self.namespace) && self.__if__ && self.__true__";
    assert_eq!(answer(&schema, rule, &value), "true");
    let rules = json!([{"rule": rule, "message": "M"}]);
    let refused = "refused 1:5: undefined field 'namespace'";
    assert_eq!(answer_of(31, &schema, rules.clone(), &value, None), refused);
    let mut stored = schema;
    stored["x-kubernetes-validations"] = rules;
    for (minor, is_known) in [(30, false), (31, true)] {
        let scope = RuleScope { release: Release::new(1, minor), is_root: false };
        let outcomes = Rules::compile_stored(&stored, scope).judge(&value, None);
        assert_eq!(outcomes.is_empty(), is_known, "1.{minor}");
    }
}

#[test]
fn earlier_values() {
    let schema = json!({"type": "integer"});
    let plain = json!([{"rule": "self >= oldSelf", "message": "M"}]);
    let optional = json!([{"rule": "oldSelf.optMap(o, self >= o).orValue(true)", "optionalOldSelf": true, "message": "M"}]);
    let (one, two) = (json!(1), json!(2));
    for (rules, old, expected) in [
        (&plain, None, "true"),
        (&plain, Some(&two), "false"),
        (&plain, Some(&Value::Null), "true"),
        (&optional, None, "true"),
        (&optional, Some(&one), "true"),
        (&optional, Some(&two), "false"),
    ] {
        assert_eq!(answer_of(36, &schema, rules.clone(), &one, old), expected, "{rules} {old:?}");
    }
    let unused = json!([{"rule": "self > 1", "optionalOldSelf": true}]);
    let refused = "refused Invalid value: true: may not be set if oldSelf is not used in rule";
    assert_eq!(answer_of(36, &schema, unused, &one, None), refused);
}

/// What servers of 1.37 say of sets and map lists beside those before, on a set, a map list and a list of the same objects.
#[test]
fn servers_since_1_37_see_duplicates() {
    let item = json!({"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}});
    let by_key = json!({
        "type": "array", "items": item,
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
    });
    let schema = json!({"type": "object", "properties": {
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "list": {"type": "array", "items": {"type": "integer"}},
        "by_key": by_key,
        "objects": {"type": "array", "items": item},
    }});
    let (a, b) = (json!({"k": "a", "v": 1}), json!({"k": "b", "v": 1}));
    let value = json!({"set": [1, 2], "list": [1, 1], "by_key": [a, b], "objects": [a, a]});
    for (rule, [before, since]) in [
        ("self.set == self.list", ["true", "false"]),
        ("self.set == [2, 1]", ["true", "true"]),
        ("self.set + [3] == [3, 2, 2]", ["true", "false"]),
        ("self.set + [2, 3, 3] == [3, 2, 1]", ["true", "true"]),
        ("self.set + [3] == [1, 2, 2]", ["true", "false"]),
        ("self.by_key == dyn(self.objects)", ["true", "false"]),
        ("self.by_key == self.by_key", ["true", "true"]),
        ("dyn(self.by_key) + self.objects == self.objects", ["true", "false"]),
    ] {
        for (minor, expected) in [(36, before), (37, since)] {
            let rules = json!([{"rule": rule, "message": "M"}]);
            assert_eq!(answer_of(minor, &schema, rules, &value, None), expected, "{minor}: {rule}");
        }
    }
}

/// The estimates of rules on a resource, by release.
#[test]
fn estimates_follow_the_release() {
    let resource = json!({"type": "object", "properties": {
        "size": {"x-kubernetes-int-or-string": true, "maxLength": 10},
    }});
    let estimate = |minor, rule: &str| {
        let mut schema = resource.clone();
        schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
        let scope = RuleScope { release: Release::new(1, minor), is_root: true };
        Rules::compile(&schema, scope).unwrap().estimates().next().unwrap().cost
    };
    for (rule, minors, costs) in [
        ("self.metadata.name.startsWith('a')", [36, 37], [4, 4]),
        ("self.metadata.name.contains('abc')", [36, 37], [314_576, 105]),
        ("self.metadata.generateName.contains('abc')", [36, 37], [314_576, 105]),
        ("self.kind.contains('abc')", [36, 37], [314_575, 314_575]),
        ("self.size == self.size", [33, 34], [314_577, 8]),
    ] {
        assert_eq!(minors.map(|minor| estimate(minor, rule)), costs, "{rule}");
    }
}

#[test]
fn releases_differ() {
    let schema = json!({"type": "string"});
    let cases = [
        ("isSemver('1.2.3')", 33, 34),
        ("[1].all(i, x, true)", 32, 33),
        ("[1].sort() == [1]", 34, 35),
        ("[1].reverse() == [1]", 34, 35),
        ("[1].first().hasValue()", 31, 34),
        ("optional.unwrap([optional.of(1)]) == [1]", 31, 34),
    ];
    for (rule, without, with) in cases {
        let answer = |minor| answer_of(minor, &schema, json!([{"rule": rule}]), &json!(""), None);
        assert!(
            answer(without).starts_with("refused"),
            "{rule} at 1.{without}: {}",
            answer(without)
        );
        assert_eq!(answer(with), "true", "{rule} at 1.{with}");
    }
    let rule = json!([{"rule": "[1].last().hasValue()", "message": "M"}]);
    let uncertain = "not judged: the function last exists on some servers";
    assert_eq!(answer_of(32, &schema, rule, &json!(""), None), uncertain);
}
