//! The language and its libraries, rule by rule.

mod bounds;
mod messages;
mod schemas;
mod values;

use k8s_versioned_core::Release;
use serde_json::{Value, json};

use super::{RuleOutcome, RuleScope, Rules};

/// What an expression begins with, in the words of servers.
const STARTS: &str = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

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
