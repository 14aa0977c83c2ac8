//! The messages of servers.

use k8s_versioned_core::Release;
use serde_json::json;

use super::{STARTS, answer_of, check};
use crate::rules::{RuleScope, Rules};

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
