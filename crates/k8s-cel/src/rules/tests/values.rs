//! Values, operators and functions, and what servers make of them.

use k8s_versioned_core::Release;
use serde_json::{Value, json};

use super::{answer, check};
use crate::rules::{RuleScope, Rules};

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
fn a_local_time_can_be_after_the_last_year() {
    let sum = "timestamp('9999-12-31T23:00:00+01:00') + duration('1h30m')";
    check(&[(&format!("string({sum}) == '10000-01-01T00:30:00+01:00'"), "true")]);
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
