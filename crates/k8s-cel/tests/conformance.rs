//! What expressions mean, as a table: what the specification of CEL and Kubernetes' libraries say, and what servers do.
//!
//! A row agrees with the specification, differs as servers differ from it (with the reason), or is outside: servers lack it.

use k8s_cel::{Environment, EvaluationError, Expression, Release};
use serde_json::{Value, json};

enum Row {
    /// The specification and servers say this value.
    Agrees(&'static str, &'static str),
    /// The specification and servers say that there is no value.
    Fails(&'static str, &'static str),
    /// Servers say this, and not what the specification says, because of the reason.
    Differs(&'static str, &'static str, &'static str),
    /// Servers refuse it, because of the reason.
    Outside(&'static str, &'static str),
}

use Row::{Agrees, Differs, Fails, Outside};

const ROWS: &[Row] = &[
    // Numbers.
    Agrees("7 / 2", "3"),
    Agrees("-7 / 2", "-3"),
    Agrees("-7 % 3", "-1"),
    Agrees("7u / 2u", "3"),
    Agrees("1.0 / 4.0", "0.25"),
    Agrees("0x10 + 1", "17"),
    Agrees("1e3", "1000.0"),
    Agrees("dyn(1) == 1.0", "true"),
    Agrees("dyn(1u) == 1", "true"),
    Agrees("1 < 1.5", "true"),
    Agrees("-9223372036854775808", "-9223372036854775808"),
    Fails("9223372036854775807 + 1", "integer overflow"),
    Fails("-9223372036854775808 - 1", "integer overflow"),
    Fails("0u - 1u", "unsigned integer overflow"),
    Fails("1 / 0", "division by zero"),
    Fails("1 % 0", "modulus by zero"),
    Agrees("1.0 / 0.0 > 1.0", "true"),
    Agrees("double('NaN') == double('NaN')", "false"),
    Outside("1 + 1.0", "an operator has operands of one type"),
    // Texts.
    Agrees("'a' + 'b'", "\"ab\""),
    Agrees("size('é😀')", "2"),
    Agrees("'\\u00e9' == 'é'", "true"),
    Agrees("r'\\n'.size()", "2"),
    Agrees("'abc'.contains('bc') && 'abc'.startsWith('a') && 'abc'.endsWith('c')", "true"),
    Agrees("'abc'.matches('b')", "true"),
    Agrees("'tacocat'.substring(4)", "\"cat\""),
    Agrees("'a,b,c'.split(',', 2)", "[\"a\",\"b,c\"]"),
    Agrees("'a-b'.replace('-', '+')", "\"a+b\""),
    Agrees("'hello mellow'.lastIndexOf('ello')", "7"),
    Agrees("''.lastIndexOf('@@')", "-1"),
    Agrees("'%d %s'.format([1, 'a'])", "\"1 a\""),
    Differs(
        "'%e'.format([1234.5])",
        "\"1.234500×10⁰³\"",
        "servers write numbers as American English does",
    ),
    Outside("'ab'.reverse()", "servers have an older version of the library of texts"),
    // Bytes.
    Agrees("size(b'\\xff')", "1"),
    Agrees("string(b'a')", "\"a\""),
    Agrees("b'a' < b'b'", "true"),
    // Lists and maps.
    Agrees("[1, 2][1]", "2"),
    Agrees("2 in [1, 2]", "true"),
    Agrees("[1] + [2]", "[1,2]"),
    Agrees("{'a': 1}.a", "1"),
    Agrees("'a' in {'a': 1}", "true"),
    Agrees("{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "true"),
    Agrees("[1, 2, 3].filter(x, x > 1)", "[2,3]"),
    Agrees("[1, 2].map(x, x * 2)", "[2,4]"),
    Agrees("[1, 2].all(x, x > 0) && [1, 2].exists(x, x > 1)", "true"),
    Agrees("[1, 2, 2].exists_one(x, x == 2)", "false"),
    Agrees("[1, 2].transformList(i, x, i + x)", "[1,3]"),
    Agrees("{'a': 1}.transformMap(k, v, v + 1)", "{\"a\":2}"),
    Agrees("[3, 1, 2].sort()", "[1,2,3]"),
    Agrees("['bb', 'a'].sortBy(x, x.size())", "[\"a\",\"bb\"]"),
    Agrees("[1, 1, 2].distinct()", "[1,2]"),
    Agrees("[[1], [2]].flatten()", "[1,2]"),
    Agrees("lists.range(3)", "[0,1,2]"),
    Agrees("[1, 2, 3].slice(1, 3)", "[2,3]"),
    Agrees("sets.equivalent([1, 2], [2, 1, 1])", "true"),
    Fails("[1][1]", "index out of bounds: 1"),
    Fails("{'a': 1}.b", "no such key: b"),
    Outside("[1, 'a']", "lists and maps have parts of one type"),
    Outside("{'a': 1, 'b': 'c'}", "lists and maps have parts of one type"),
    // Logic.
    Agrees("true || 1 / 0 == 1", "true"),
    Agrees("1 / 0 == 1 || true", "true"),
    Agrees("false && 1 / 0 == 1", "false"),
    Agrees("true ? 1 : 2", "1"),
    Fails("1 / 0 == 1 && true", "division by zero"),
    // Types and conversions.
    Agrees("type(1) == int", "true"),
    Agrees("int('12') + int(3.9)", "15"),
    Agrees("string(1.0)", "\"1\""),
    Agrees("bool('true')", "true"),
    Outside("int('a')", "servers compute constants when an expression is created"),
    // Optional values.
    Agrees("{'a': 1}.?b.orValue(7)", "7"),
    Agrees("optional.of(1).optMap(x, x + 1).value()", "2"),
    Agrees("[?optional.none(), 1]", "[1]"),
    Fails("optional.none().value()", "optional.none() dereference"),
    // Times.
    Agrees("timestamp('2026-01-02T03:04:05Z').getFullYear()", "2026"),
    Agrees("timestamp('2026-01-02T03:04:05Z').getHours('+02:00')", "5"),
    Agrees("duration('90s').getMinutes()", "1"),
    Agrees(
        "timestamp('2026-01-03T00:00:00Z') - timestamp('2026-01-02T00:00:00Z') == duration('24h')",
        "true",
    ),
    Agrees("optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')) == optional.none()", "true"),
    Fails("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "timestamp overflow"),
    // Kubernetes' libraries.
    Agrees("quantity('1Gi').compareTo(quantity('1024Mi'))", "0"),
    Agrees("quantity('1.5').isInteger()", "false"),
    Agrees("ip('::1').family()", "6"),
    Agrees("cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true"),
    Agrees("isSemver('1.2.3') && semver('v1', true).major() == 1", "true"),
    Agrees("url('https://a.b:80/c').getPort()", "\"80\""),
    Agrees("'a1b22'.findAll('[0-9]+')", "[\"1\",\"22\"]"),
    Agrees("[1, 2].isSorted() && [1, 2].sum() == 3", "true"),
    Agrees("format.dns1123Label().validate('a').hasValue()", "false"),
    Differs(
        "isIP('::ffff:1.2.3.4')",
        "false",
        "servers refuse IPv4 addresses inside of IPv6 addresses",
    ),
    // What servers lack.
    Outside("google.protobuf.Int64Value{value: 1}", "messages of protobuf"),
    Outside("math.greatest(1, 2)", "the library of mathematics"),
    Outside("base64.encode(b'a')", "the library of encoders"),
    Outside("cel.bind(x, 1, x + 1)", "the library of bindings"),
];

fn evaluate(text: &str) -> Result<Result<Value, EvaluationError>, String> {
    let environment = Environment::new(Release::new(1, 36));
    let expression = Expression::compile(text, &environment).map_err(|error| error.to_string())?;
    Ok(expression.evaluate(&[]).map(|evaluation| evaluation.value))
}

#[test]
fn each_row_is_as_the_table_says() {
    let (mut agree, mut differ, mut outside) = (0, 0, 0);
    for row in ROWS {
        match row {
            Agrees(text, expected) => {
                agree += 1;
                assert_eq!(evaluate(text).unwrap().unwrap().to_string(), *expected, "{text}");
            }
            Fails(text, expected) => {
                agree += 1;
                let error = EvaluationError::Failed((*expected).to_owned());
                assert_eq!(evaluate(text).unwrap().unwrap_err(), error, "{text}");
            }
            Differs(text, expected, reason) => {
                differ += 1;
                assert!(!reason.is_empty());
                assert_eq!(evaluate(text).unwrap().unwrap().to_string(), *expected, "{text}");
            }
            Outside(text, reason) => {
                outside += 1;
                assert!(!reason.is_empty());
                assert!(evaluate(text).is_err(), "{text}");
            }
        }
    }
    println!("{agree} agree, {differ} differ, {outside} outside");
    assert_eq!(agree + differ + outside, ROWS.len());
}

/// Variables without a schema have the types of their data.
#[test]
fn data_has_the_type_that_it_is_read_with() {
    let policy = Environment::of_policy(Release::new(1, 36));
    let object =
        json!({"metadata": {"name": "a"}, "spec": {"n": 3, "x": 1.5, "l": [1, 2], "none": null}});
    for (text, expected) in [
        ("object.spec.n == 3 && object.spec.x == 1.5", json!(true)),
        ("object.spec.l.map(x, x + 1)", json!([2, 3])),
        ("has(object.spec.missing)", json!(false)),
        ("object.spec.none == null", json!(true)),
        ("object.metadata", json!({"name": "a"})),
        ("object.spec.l.exists(i, x, i == 1 && x == 2)", json!(true)),
        ("oldObject == null", json!(true)),
    ] {
        let expression = Expression::compile(text, &policy).unwrap();
        let given = [("object", &object), ("oldObject", &Value::Null)];
        assert_eq!(expression.evaluate(&given).unwrap().value, expected, "{text}");
    }
    let missing = Expression::compile("params.a == 1", &policy).unwrap();
    let error = EvaluationError::Failed("no such attribute(s): params".to_owned());
    assert_eq!(missing.evaluate(&[]), Err(error));
    let expensive =
        Expression::compile("params.all(x, params.all(y, x + y >= 0))", &policy).unwrap();
    let numbers = Value::from((0..1000).collect::<Vec<i32>>());
    assert_eq!(expensive.evaluate(&[("params", &numbers)]), Err(EvaluationError::TooExpensive));
}
