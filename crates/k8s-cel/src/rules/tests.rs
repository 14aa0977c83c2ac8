//! The language and its libraries, rule by rule.

use k8s_versioned_core::Release;
use serde_json::{Value, json};

use super::{RuleOutcome, RuleScope, Rules};

/// What a server of the release 1.36 says of a rule on a value.
fn answer(schema: &Value, rule: &str, value: &Value) -> String {
    answer_of(36, schema, json!([{"rule": rule, "message": "M"}]), value, None)
}

fn answer_of(
    minor: u16,
    schema: &Value,
    rules: Value,
    value: &Value,
    old: Option<&Value>,
) -> String {
    let mut schema = schema.clone();
    schema["x-kubernetes-validations"] = rules;
    match Rules::compile(&schema, RuleScope { release: Release::new(1, minor), is_root: false }) {
        Err(errors) => {
            let message =
                errors[0].message.split("<input>:").nth(1).unwrap_or(&errors[0].message).to_owned();
            format!("refused {}", message.split('\n').next().unwrap_or_default())
        }
        Ok(rules) => match rules.judge(value, old).as_slice() {
            [] => "true".to_owned(),
            [RuleOutcome::Violated(violation)]
                if violation.message.contains("operation cancelled") =>
            {
                "cancelled".to_owned()
            }
            [RuleOutcome::Violated(violation)] => {
                match violation.message.strip_suffix(" evaluating rule: M") {
                    Some(error) => {
                        error.split_once("\": ").map_or(error, |(_, error)| error).to_owned()
                    }
                    None if violation.message.ends_with('M')
                        && !violation.message.starts_with("Invalid value: \"\": '") =>
                    {
                        "false".to_owned()
                    }
                    None => violation.message.clone(),
                }
            }
            [RuleOutcome::NotJudged { reason, .. }] => format!("not judged: {reason}"),
            other => format!("{other:?}"),
        },
    }
}

/// The answers for expressions that need no data.
fn check(cases: &[(&str, &str)]) {
    let schema = json!({"type": "string"});
    for (rule, expected) in cases {
        assert_eq!(answer(&schema, rule, &json!("")), *expected, "{rule}");
    }
}

#[test]
fn numbers() {
    check(&[
        ("1 + 2 * 3 == 7 && 7 % 4 == 3 && -7 / 2 == -3 && -7 % 2 == -1", "true"),
        ("9223372036854775807 + 1 > 0", "integer overflow"),
        (
            "timestamp('9999-01-01T00:00:00Z') - timestamp('0001-01-01T00:00:00Z') > duration('1s')",
            "integer overflow",
        ),
        ("-9223372036854775808 < 0", "true"),
        ("-(-9223372036854775808) > 0", "integer overflow"),
        ("1u - 2u == 0u", "unsigned integer overflow"),
        ("1 / 0 == 1", "division by zero"),
        ("1 % 0 == 1", "modulus by zero"),
        ("1.0 / 0.0 == double('inf')", "true"),
        ("1 < 1.5 && 2u > 1 && 1.0 <= 1u", "true"),
        (
            "1 == 1.0",
            "refused 1:3: found no matching overload for '_==_' applied to '(int, double)'",
        ),
        (
            "1 + 1.0 == 2.0",
            "refused 1:3: found no matching overload for '_+_' applied to '(int, double)'",
        ),
        ("dyn(1) == 1.0 && dyn(1u) == 1 && dyn(1) != 1.5", "true"),
        ("double('nan') == double('nan')", "false"),
        ("double('nan') < 1.0", "NaN values cannot be ordered"),
        ("0x1F == 31 && 1e3 == 1000.0 && .5 == 0.5", "true"),
        ("9223372036854775808 > 0", "refused 1:1: invalid int literal"),
        ("int(3.9) == 3 && int('-3') == -3 && uint(3) == 3u && double(1) == 1.0", "true"),
        ("string(1.0) == '1' && string(1e6) == '1e+06' && string(123456.5) == '123456.5'", "true"),
    ]);
}

#[test]
fn texts() {
    check(&[
        ("'é'.size() == 1 && size('a\\u00e9\\U0001F600') == 3", "true"),
        ("'a' < 'b' && 'Z' < 'a' && 'a' + 'b' == 'ab'", "true"),
        ("r'\\d' == '\\\\d' && \"\"\"a\nb\"\"\" == 'a\\nb'", "true"),
        ("b'\\xff'.size() == 1 && bytes('é').size() == 2 && string(b'a') == 'a'", "true"),
        ("'abc'.matches('^a.c$') && matches('xay', 'a') && !'b'.matches('a')", "true"),
        ("'a1b22'.find('[0-9]+') == '1' && 'a'.find('[0-9]') == ''", "true"),
        (
            "'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a1b22'.findAll('[0-9]+', 1) == ['1']",
            "true",
        ),
        ("'a'.matches('[')", "refused 1:13: invalid matches argument"),
        ("'a'.matches('a' + '[')", "error parsing regexp: missing closing ]: `[`"),
        ("'x'.matches('\\\\d')", "false"),
        ("['a', 'b'].join() == 'ab' && ['a', 'b'].join('-') == 'a-b' && [''].join() == ''", "true"),
        ("strings.quote('a\"') == '\"a\\\\\"\"'", "true"),
        ("'%s-%s'.format(['a', 'b']) == 'a-b' && '%d'.format([3]) == '3'", "true"),
        (
            "'%d'.format(['a']) == ''",
            "refused 1:14: error during formatting: decimal clause can only be used on integers, was given string",
        ),
        // Literals in the arguments of `format` can have several types, at any depth.
        ("'%s %d'.format(['a', 1]) == 'a 1'", "true"),
        ("'%s'.format([['a', 1]]) == '[\"a\", 1]'", "true"),
        ("'%s'.format([{'a': 1, 'b': true}]) != ''", "true"),
        (
            "'%s %d'.format([dyn('a'), 1]) == 'a 1' && '%s'.format([[dyn(1), 'a']]) == '[1, \"a\"]'",
            "true",
        ),
        (
            "'%d %s'.format([dyn(1), quantity('1')]) == ''",
            "refused 1:33: error during formatting: string clause can only be used on strings, bools, bytes, ints, \
             doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity",
        ),
        (
            "'%s'.format([[dyn(quantity('1'))]]) == ''",
            "error during formatting: no formatting function for kubernetes.Quantity",
        ),
        ("'%d'.format(['a']) == 'b' && 1", "refused 1:30: expected type 'bool' but found 'int'"),
        (
            "'a'.reverse() == 'a'",
            "refused 1:12: found no matching overload for 'reverse' applied to 'string.()'",
        ),
        ("'a'.charAt(2) == ''", "index out of range: 2"),
        ("'hello'.substring(1, 3) == 'el' && 'a,b'.split(',') == ['a', 'b']", "true"),
    ]);
}

#[test]
fn lists_and_sets() {
    check(&[
        ("[1, 2, 3][1] == 2 && 2 in [1, 2] && !(3 in [1, 2]) && [1] + [2] == [1, 2]", "true"),
        ("[1][1] == 1", "index out of bounds: 1"),
        ("[1][-1] == 1", "index out of bounds: -1"),
        ("[1, 'a'] == [1, 'a']", "refused 1:5: expected type 'int' but found 'string'"),
        ("[dyn(1), 2] == [1, 2]", "refused 1:10: expected type 'dyn' but found 'int'"),
        ("[1, 2].isSorted() && [1, 2].sum() == 3 && [1.5].sum() == 1.5 && [].sum() == 0", "true"),
        ("[duration('1m'), duration('1s')].sum() == duration('61s')", "true"),
        ("[3, 1, 2].min() == 1 && ['a', 'c'].max() == 'c'", "true"),
        ("[1].filter(x, x > 1).max() == 1", "max called on empty list"),
        (
            "[1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2 && [1].indexOf(3) == -1",
            "true",
        ),
        (
            "[1, 2, 3, 4].slice(1, 3) == [2, 3] && [3, 1].sort() == [1, 3] && [1, 2].reverse() == [2, 1]",
            "true",
        ),
        (
            "[1, 1, 2].distinct() == [1, 2] && [[1], [2, 3]].flatten() == [1, 2, 3] && lists.range(3) == [0, 1, 2]",
            "true",
        ),
        ("dyn([1, 2]).flatten() == [1, 2] && [dyn([1]), dyn(2)].flatten() == [1, 2]", "true"),
        (
            "[1, 2].flatten() == [1, 2]",
            "refused 1:15: found no matching overload for 'flatten' applied to 'list(int).()'",
        ),
        ("[1].slice(0, 2) == [1]", "cannot slice(0, 2), list is length 1"),
        ("['bb', 'a'].sortBy(x, x.size()) == ['a', 'bb']", "true"),
        (
            "sets.contains([1, 2], [1]) && sets.equivalent([1, 1], [1]) && sets.intersects([1], [1, 2])",
            "true",
        ),
        ("sets.contains([1], [1, 2])", "false"),
        (
            "[1, 2].sum(x) == 1",
            "refused 1:11: found no matching overload for 'sum' applied to 'list(int).(!error!)'",
        ),
    ]);
}

#[test]
fn macros() {
    check(&[
        ("[1, 2].all(x, x > 0) && [1, 2].exists(x, x > 1) && [1, 2].exists_one(x, x > 1)", "true"),
        (
            "[1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x * 2) == [4] && [1, 2].filter(x, x > 1) == [2]",
            "true",
        ),
        // An error does not count if another item decides.
        ("[0, 1].exists(x, 1 / x == 1) && ![0, 2].all(x, 2 / x > 1)", "true"),
        ("[0, 1].all(x, 1 / x == 1)", "division by zero"),
        ("[0, 1].exists_one(x, 1 / x == 1)", "division by zero"),
        ("1 / 0 == 1 || true", "true"),
        ("false && 1 / 0 == 1 || true", "true"),
        ("1 / 0 == 1 && true", "division by zero"),
        ("true ? true : 1 / 0 == 1", "true"),
        ("[1, 2].all(i, x, x == i + 1) && [3].existsOne(i, x, i == 0 && x == 3)", "true"),
        ("{'a': 1}.exists(k, v, k == 'a' && v == 1) && {'a': 1}.all(k, k == 'a')", "true"),
        (
            "[1, 2].transformList(i, x, i * x) == [0, 2] && [1, 2].transformList(i, x, i > 0, x) == [2]",
            "true",
        ),
        (
            "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2} && ['x'].transformMap(i, v, v) == {0: 'x'}",
            "true",
        ),
        ("{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}", "true"),
        (
            "{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k}) == {'x': 'a'}",
            "insert failed: key x already exists",
        ),
        ("[1].all(1, true)", "refused 1:9: argument must be a simple name"),
        ("[1].all(x, x)", "refused 1:12: expected type 'bool' but found 'int'"),
        (
            "1.all(x, true)",
            "refused 1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
        ),
        ("has(1)", "refused 1:5: invalid argument to has() macro"),
        ("[[1, 2], [3]].all(x, x.all(y, y > 0))", "true"),
    ]);
}

#[test]
fn maps_types_and_optionals() {
    check(&[
        (
            "{'a': 1}.a == 1 && {'a': 1}['a'] == 1 && 'a' in {'a': 1} && has({'a': 1}.a) && !has({'a': 1}.b)",
            "true",
        ),
        ("{'a': 1}.b == 1", "no such key: b"),
        ("{1: 'a'}[1] == 'a' && {'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "true"),
        ("{'a': 1} == {'a': 2} || {'a': 1} == {'b': 1}", "false"),
        (
            "type(1) == int && type('a') == string && type([1]) == list && type({}) == map && type(null) == null_type",
            "true",
        ),
        (
            "type(timestamp(0)) == google.protobuf.Timestamp && type(ip('1.2.3.4')) == net.IP && type(int) == type",
            "true",
        ),
        (
            "optional.of(1).hasValue() && !optional.none().hasValue() && optional.of(1).value() == 1",
            "true",
        ),
        ("optional.none().value() == 1", "optional.none() dereference"),
        (
            "{'a': 1}[?'a'].orValue(0) == 1 && {'a': 1}.?b.orValue(7) == 7 && [1][?5].orValue(3) == 3",
            "true",
        ),
        (
            "optional.ofNonZeroValue('').hasValue() || optional.ofNonZeroValue(0).hasValue()",
            "false",
        ),
        ("optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')) == optional.none()", "true"),
        (
            "optional.none().or(optional.of(2)).value() == 2 && optional.of(1).or(optional.of(2)).value() == 1",
            "true",
        ),
        (
            "optional.of(1).optMap(x, x + 1).value() == 2 && !optional.none().optMap(x, x).hasValue()",
            "true",
        ),
        ("optional.of(1).optFlatMap(x, optional.of(x + 1)).value() == 2", "true"),
        (
            "[?optional.of(1), ?optional.none()] == [1] && {?'a': optional.of(1), ?'b': optional.none()} == {'a': 1}",
            "true",
        ),
        ("{'a': {'b': 1}}.?a.b.value() == 1 && !{'a': {'b': 1}}.?x.b.hasValue()", "true"),
        ("optional.of(1) == optional.of(1) && optional.none() != optional.of(1)", "true"),
        ("null == null && dyn(1) != null", "true"),
        (
            "1 == null",
            "refused 1:3: found no matching overload for '_==_' applied to '(int, null)'",
        ),
        ("[1, 2].first().value() == 1 && [1, 2].last().orValue(3) == 2", "true"),
        ("[].first().hasValue() || ['a'].last() != optional.of('a')", "false"),
        ("[optional.of(1), optional.none()].unwrapOpt() == [1]", "true"),
        ("optional.unwrap([optional.none(), optional.of('a')]) == ['a']", "true"),
        (
            "[dyn(optional.of(1)), dyn(2)].unwrapOpt() == [1, 2]",
            "not judged: an item that is not optional",
        ),
        (
            "[1].unwrapOpt() == [1]",
            "refused 1:14: found no matching overload for 'unwrapOpt' applied to 'list(int).()'",
        ),
        (
            "math.greatest(1, 2) == 2",
            "refused 1:1: undeclared reference to 'math' (in container '')",
        ),
    ]);
}

#[test]
fn times() {
    check(&[
        (
            "timestamp('2026-01-02T03:04:05.5Z').getFullYear() == 2026 && timestamp('2026-01-02T03:04:05Z').getMonth() == 0",
            "true",
        ),
        (
            "timestamp('2026-01-02T03:04:05Z').getDate() == 2 && timestamp('2026-01-02T03:04:05Z').getDayOfMonth() == 1",
            "true",
        ),
        (
            "timestamp('2026-01-02T03:04:05Z').getDayOfWeek() == 5 && timestamp('2026-01-02T03:04:05Z').getDayOfYear() == 1",
            "true",
        ),
        (
            "timestamp('2026-01-02T03:04:05.25Z').getMilliseconds() == 250 && timestamp('2026-01-02T23:00:00Z').getHours('+02:00') == 1",
            "true",
        ),
        ("timestamp('2026-01-02T00:00:00Z').getHours('/UTC') == 1", "time: invalid location name"),
        (
            "timestamp('2026-01-02T00:00:00Z').getHours('Local') == 1",
            "not judged: the time zone \"Local\" is not known here",
        ),
        (
            "timestamp('2026-01-02T00:00:00Z') + duration('24h') == timestamp('2026-01-03T00:00:00Z')",
            "true",
        ),
        (
            "timestamp('2026-01-03T00:00:00Z') - timestamp('2026-01-02T00:00:00Z') == duration('24h')",
            "true",
        ),
        ("timestamp('9999-12-31T23:59:59Z') + duration('1s') > timestamp(0)", "timestamp overflow"),
        (
            "duration('90s').getMinutes() == 1 && duration('1h').getSeconds() == 3600 && string(duration('1m')) == '60s'",
            "true",
        ),
        ("duration('5') > duration('1s')", "refused 1:10: invalid duration argument"),
        (
            "duration('5' + 'x') > duration('1s')",
            "type conversion error from 'string' to 'google.protobuf.Duration'",
        ),
        (
            "int(duration('1s')) == 1000000000 && int(timestamp('1970-01-01T00:00:01Z')) == 1",
            "true",
        ),
    ]);
}

#[test]
fn libraries() {
    check(&[
        (
            "url('https://a.b:80/c?d=e').getHost() == 'a.b:80' && url('https://a.b/c?d=e').getQuery() == {'d': ['e']}",
            "true",
        ),
        (
            "url('a b').getHost() == ''",
            "URL parse error during conversion from string: parse \"a b\": invalid URI for request",
        ),
        (
            "ip('10.0.0.1').family() == 4 && isIP('::1') && !isIP('1.2.3') && ip.isCanonical('::1') && string(ip('::1')) == '::1'",
            "true",
        ),
        (
            "cidr('10.0.0.0/8').containsIP(ip('10.1.1.1')) && cidr('10.0.0.0/8').prefixLength() == 8 && isCIDR('::/0')",
            "true",
        ),
        (
            "cidr('10.0.0.1/8').masked() == cidr('10.0.0.0/8') && cidr('10.0.0.1/8').ip() == ip('10.0.0.1')",
            "true",
        ),
        (
            "quantity('1Gi').compareTo(quantity('1024Mi')) == 0 && quantity('1').add(1) == quantity('2') && quantity('1k').isInteger()",
            "true",
        ),
        ("quantity('1.5').asInteger() == 1", "cannot convert value to integer"),
        (
            "quantity('1').sign() == 1",
            "refused 1:19: found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'",
        ),
        (
            "isSemver('1.2.3') && semver('1.2.3').major() == 1 && semver('v1', true).minor() == 0 && !isSemver('v1')",
            "true",
        ),
        ("semver('a').major() == 1", "No Major.Minor.Patch elements found"),
        ("format.named('uuid').hasValue() && !format.named('x').hasValue()", "true"),
        ("format.dns1123Label().validate('a-') == optional.none()", "false"),
        ("!format.dns1123LabelPrefix().validate('ab_-').hasValue()", "true"),
        (
            "!format.dns1123LabelPrefix().validate('a-').hasValue() && format.date().validate('x').value() == ['invalid date']",
            "true",
        ),
    ]);
}

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

#[test]
fn messages() {
    let schema = json!({"type": "integer"});
    let cases = [
        (json!({"messageExpression": "'got ' + string(self)"}), "Invalid value: 1: got 1"),
        (
            json!({"messageExpression": "'a\\nb'", "message": "fallback"}),
            "Invalid value: 1: fallback",
        ),
        (json!({"messageExpression": "' '"}), "Invalid value: 1: failed rule: self > 1"),
        (
            json!({"messageExpression": "string(1 / (self - 1))", "message": "fallback"}),
            "Invalid value: 1: fallback",
        ),
        (json!({"reason": "FieldValueForbidden", "message": " no "}), "Forbidden: no"),
        (json!({"reason": "FieldValueDuplicate"}), "Duplicate value: 1"),
    ];
    for (mut rule, expected) in cases {
        rule["rule"] = json!(" self > 1 ");
        assert_eq!(answer_of(36, &schema, json!([rule]), &json!(1), None), expected);
    }
    let refused = [
        (json!({"messageExpression": "self"}), "messageExpression must evaluate to a string"),
        (
            json!({"messageExpression": " "}),
            "Required value: messageExpression must be non-empty if specified",
        ),
        (
            json!({"messageExpression": "self +"}),
            &format!("1:7: Syntax error: mismatched input '<EOF>' expecting {STARTS}"),
        ),
        (json!({"message": "a\nb"}), "Invalid value: \"a\\nb\": must not contain line breaks"),
        (
            json!({"reason": "Odd"}),
            "Unsupported value: \"Odd\": supported values: \"FieldValueDuplicate\", \"FieldValueForbidden\", \"FieldValueInvalid\", \"FieldValueRequired\"",
        ),
        (json!({"message": "a\rb"}), "Invalid value: \"a\\rb\": must not contain line breaks"),
        (json!({"fieldPath": ".b"}), "Invalid value: \".b\": must be a valid path"),
        (json!({"fieldPath": " "}), "Invalid value: \" \": must be non-empty if specified"),
        (json!({"rule": " "}), "Required value: rule is not specified"),
    ];
    for (mut rule, expected) in refused {
        rule.as_object_mut().unwrap().entry("rule").or_insert(json!("self > 1"));
        let answer = answer_of(36, &schema, json!([rule]), &json!(1), None);
        assert!(answer.starts_with("refused") && answer.ends_with(expected), "{answer}");
    }
}

/// Numbers are shown as Go's verb `%v` shows them.
#[test]
fn messages_show_numbers() {
    let schema = json!({"type": "number"});
    for (value, shown) in [
        (json!(1.5), "1.5"),
        (json!(123_456.5), "123456.5"),
        (json!(1_500_000.5), "1.5000005e+06"),
        (json!(1_500_000), "1500000"),
        (json!(0.00001), "1e-05"),
    ] {
        let rules = json!([{"rule": "self < 0.0", "message": "no"}]);
        let expected = format!("Invalid value: {shown}: no");
        assert_eq!(answer_of(36, &schema, rules, &value, None), expected);
    }
}

/// `validationActivationWithoutOldSelf` of apiextensions: the message has an old value only if a rule has one.
#[test]
fn messages_have_an_old_value_if_a_rule_has_one() {
    let schema = json!({"type": "integer"});
    let rule = json!({"rule": "self > 1", "messageExpression": "'was ' + string(oldSelf)", "message": "no"});
    let other = json!({"rule": "self <= oldSelf || true"});
    for (rules, expected) in
        [(json!([rule]), "Invalid value: 1: no"), (json!([rule, other]), "Invalid value: 1: was 7")]
    {
        assert_eq!(answer_of(36, &schema, rules, &json!(1), Some(&json!(7))), expected);
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

/// What an expression begins with, in the words of servers.
const STARTS: &str = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

#[test]
fn errors_of_syntax_have_the_words_of_servers() {
    let starts = |error: &str| format!("refused {error} expecting {STARTS}");
    check(&[
        (
            "self.true == 1",
            "refused 1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER",
        ),
        ("self.in > 0", "refused 1:6: Syntax error: no viable alternative at input '.in'"),
        ("self.k! == '1'", "refused 1:7: Syntax error: mismatched input '!' expecting <EOF>"),
        ("self == '1' )", "refused 1:13: Syntax error: extraneous input ')' expecting <EOF>"),
        ("(self == '1'", "refused 1:13: Syntax error: missing ')' at '<EOF>'"),
        ("1 + * 2 == 3", &starts("1:5: Syntax error: extraneous input '*'")),
        ("self == if", "refused 1:9: reserved identifier: if"),
        ("has(self.`a-b`)", "refused 1:10: unsupported syntax: '`'"),
        ("self == \"abc", "refused 1:9: Syntax error: token recognition error at: '\"abc'"),
    ]);
    let schema = json!({"type": "string", "x-kubernetes-validations": [{"rule": "self == \"abc"}]});
    let scope = RuleScope { release: Release::new(1, 36), is_root: false };
    let errors = Rules::compile(&schema, scope).unwrap_err();
    let second = format!("<input>:1:13: Syntax error: mismatched input '<EOF>' expecting {STARTS}");
    assert!(errors[0].message.contains(&second), "{}", errors[0].message);
}

/// `interpreter.Optimize` of cel-go: conversions of constants are computed when a rule is created.
#[test]
fn constants_are_computed_when_a_rule_is_created() {
    let cases = [
        ("self.size() < int(1e99)", "integer overflow"),
        ("true || int('a') > 1", "type conversion error from 'string' to 'int'"),
        ("double('a') > 1.0", "type conversion error from 'string' to 'double'"),
        ("bool('TrUe') || self == 'x'", "type conversion error from 'string' to 'bool'"),
        ("uint(-1) == 1u", "unsigned integer overflow"),
        ("int(18446744073709551615u) == 1", "integer overflow"),
        ("string(b'\\xff') == ''", "invalid UTF-8 in bytes, cannot convert to string"),
        ("{0: 1}[dyn(b'')] == 1", "invalid qualifier type: types.Bytes"),
        ("self.find(')') == ''", "error parsing regexp: unexpected ): `)`"),
        ("self.findAll(')').size() == 0", "error parsing regexp: unexpected ): `)`"),
    ];
    for (rule, expected) in cases {
        let answer = answer(&json!({"type": "string"}), rule, &json!(""));
        let expected = format!("program instantiation failed: {expected}");
        assert!(answer.ends_with(&expected), "{rule}: {answer}");
    }
    check(&[
        ("timestamp(253402300800) > timestamp(0)", "refused 1:11: invalid timestamp argument"),
        ("timestamp(-62135596801) > timestamp(0)", "refused 1:11: invalid timestamp argument"),
        // These are computed for each value.
        ("1 / 0 == 1", "division by zero"),
        ("[1, 2][3] == 1", "index out of bounds: 3"),
        ("quantity('x') == quantity('1')", QUANTITY),
    ]);
}

const QUANTITY: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

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
fn lists_with_values_that_are_not_a_number_are_sorted() {
    let schema = json!({"type": "array", "items": {"type": "string"}});
    let list = |count: usize| {
        let item =
            |index: usize| if index.is_multiple_of(2) { "NaN".into() } else { index.to_string() };
        Value::Array((0..count).map(|index| json!(item(index))).collect())
    };
    let rule = "self.sortBy(x, double(x))[0] == 'NaN'";
    assert_eq!(answer(&schema, rule, &list(9)), "true");
    let unknown = "not judged: the order of a long list with keys that are not a number";
    assert_eq!(answer(&schema, rule, &list(41)), unknown);
    assert_eq!(answer(&schema, "self.map(x, double(x)).sort().size() == 9", &list(9)), "true");
}

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

#[test]
fn rules_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Rules>();
}

/// Names of zones have a meaning on machines with a database of them (`time.LoadLocation` of Go).
#[test]
fn time_zones_have_names() {
    let has_zones = jiff::tz::TimeZone::get("Europe/Paris").is_ok();
    for (time, hour, zone, expected) in [
        ("2026-01-02T00:00:00Z", 1, "Europe/Paris", "true"),
        ("2026-07-02T00:00:00Z", 2, "Europe/Paris", "true"),
        ("2026-01-02T00:00:00Z", 19, "America/New_York", "true"),
        ("2026-01-02T00:00:00Z", 0, "europe/paris", "unknown time zone europe/paris"),
        ("2026-01-02T00:00:00Z", 0, "Nowhere", "unknown time zone Nowhere"),
    ] {
        let rule = format!("timestamp('{time}').getHours('{zone}') == {hour}");
        let unknown = format!("not judged: the time zone \"{zone}\" is not known here");
        check(&[(&rule, if has_zones { expected } else { &unknown })]);
    }
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

/// The faults of an expression, and the last line of what is said of them.
#[test]
fn a_hundred_faults_are_shown() {
    let last_line = |rule: &str| {
        let schema =
            json!({"type": "string", "x-kubernetes-validations": [{"rule": rule, "message": "M"}]});
        let scope = RuleScope { release: Release::new(1, 36), is_root: false };
        let errors = Rules::compile(&schema, scope).unwrap_err();
        // The rule itself is shown first.
        let (_, shown) = errors[0].message.split_once("compilation failed: ").unwrap();
        let faults = shown.matches("ERROR: ").count();
        (faults, shown.lines().last().unwrap_or_default().to_owned())
    };
    let (faults, last) = last_line(&format!("{}b", "b || ".repeat(2_000)));
    assert_eq!((faults, last.as_str()), (100, "1901 more errors were truncated"));
    assert_eq!(last_line(&format!("{}b", "b || ".repeat(99))).0, 100);
    // Servers read no further after a hundred errors of syntax.
    let (faults, last) = last_line(&"# ".repeat(300));
    assert_eq!((faults, last.as_str()), (100, "1 more errors were truncated"));
    let (faults, last) = last_line(&"a".repeat(100_001));
    let too_long =
        "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000";
    assert_eq!((faults, last.as_str()), (1, too_long));
}

#[test]
fn keys_of_two_types_are_two_keys() {
    check(&[
        ("{dyn(1): 'a', dyn(1u): 'b'}.size() == 2", "true"),
        ("{dyn(1): 'a', dyn(1u): 'b'}[dyn(1u)] == 'b'", "true"),
        ("{dyn(1): 'a', dyn(1u): 'b'}[dyn(1)] == 'a'", "true"),
        ("{dyn(1): 'a', dyn(1.0): 'b', dyn(1): 'c'} == {dyn(1.0): 'b', dyn(1): 'c'}", "true"),
        ("[dyn(9007199254740992.0), dyn(9007199254740993)].distinct().size() == 1", "true"),
    ]);
}

#[test]
fn every_item_of_a_sorted_list_has_an_order() {
    for (rule, is_refused) in [
        ("[dyn(1), dyn(null)].isSorted()", true),
        ("[dyn(1), dyn(2), dyn([1])].isSorted()", true),
        ("[dyn(null)].isSorted()", true),
        ("![dyn(2), dyn(1), dyn(null)].isSorted()", false),
        ("[dyn(1), dyn('a')].isSorted()", false),
    ] {
        let schema = json!({"type": "string", "x-kubernetes-validations": [{"rule": rule}]});
        let scope = RuleScope { release: Release::new(1, 36), is_root: false };
        let outcomes = Rules::compile(&schema, scope).unwrap().judge(&json!(""), None);
        let answer = format!("{outcomes:?}");
        assert_eq!(answer.contains("'no such overload"), is_refused, "{rule}: {answer}");
    }
}

#[test]
fn a_local_time_can_be_after_the_last_year() {
    let sum = "timestamp('9999-12-31T23:00:00+01:00') + duration('1h30m')";
    check(&[(&format!("string({sum}) == '10000-01-01T00:30:00+01:00'"), "true")]);
}
