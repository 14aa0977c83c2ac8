//! What expressions and rules mean, as two tables: what the specification of CEL and Kubernetes say, and what servers do.
//!
//! A line of a table is a sign, an expression and its value, and a reason if there is one. `=`: the specification and servers
//! say this value. `!`: they say that there is none, because of this error. `~`: servers say this value, and not what the
//! specification says. `x`: servers reject the expression, or this package does not judge it. Lines with `#` name a section;
//! lines with `$` say which schema, value, earlier value and release the rules below have. `CONFORMANCE.md` has the counts;
//! `UPDATE_DOCS=1` writes it.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "helpers of tests")]

use std::fmt::Write as _;
use std::path::Path;

use k8s_cel::{Environment, EvaluationError, Expression, Release, RuleOutcome, RuleScope, Rules};
use serde_json::{Value, json};

const EXPRESSIONS: &str = include_str!("expressions.txt");
const RULES: &str = include_str!("rules.txt");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Agrees,
    Fails,
    Differs,
    Refused,
}

/// A line of a table.
#[derive(Debug)]
struct Row {
    section: String,
    sign: Sign,
    text: String,
    expected: String,
    reason: String,
    given: Given,
}

/// What the rules of a section are about.
#[derive(Clone, Debug)]
struct Given {
    schema: Value,
    value: Value,
    old: Option<Value>,
    minor: u16,
}

fn rows(table: &str) -> Vec<Row> {
    let none =
        || Given { schema: json!({"type": "string"}), value: json!(""), old: None, minor: 36 };
    let (mut section, mut given, mut rows) = (String::new(), none(), Vec::<Row>::new());
    for line in table.lines() {
        let (sign, text) = line.split_once(' ').unwrap_or((line, ""));
        let sign = match sign {
            "#" => {
                (section, given) = (text.to_owned(), none());
                continue;
            }
            "$" => {
                let (name, text) = text.split_once(' ').unwrap();
                let value: Value = serde_json::from_str(text).unwrap();
                match name {
                    "schema" => given = Given { schema: value, ..none() },
                    "value" => (given.value, given.old) = (value, None),
                    "old" => given.old = Some(value),
                    _ => given.minor = value.as_u64().unwrap().try_into().unwrap(),
                }
                continue;
            }
            "=" => Sign::Agrees,
            "!" => Sign::Fails,
            "~" => Sign::Differs,
            "x" => Sign::Refused,
            _ => {
                // An expression of several lines.
                if let Some(row) = rows.last_mut().filter(|_| !line.is_empty()) {
                    (row.text, row.expected, row.reason) = parts(&format!("{}\n{line}", row.text));
                }
                continue;
            }
        };
        let (text, expected, reason) = parts(text);
        rows.push(Row {
            section: section.clone(),
            sign,
            text,
            expected,
            reason,
            given: given.clone(),
        });
    }
    rows
}

fn parts(text: &str) -> (String, String, String) {
    let (text, reason) = text.rsplit_once(" -- ").unwrap_or((text, ""));
    let (text, expected) = text.rsplit_once(" => ").unwrap_or((text, ""));
    (text.to_owned(), expected.to_owned(), reason.to_owned())
}

fn evaluate(text: &str) -> Result<Result<Value, EvaluationError>, String> {
    let environment = Environment::new(Release::new(1, 36));
    let expression = Expression::compile(text, &environment).map_err(|error| error.to_string())?;
    Ok(expression.evaluate(&[]).map(|evaluation| evaluation.value))
}

#[test]
fn each_expression_is_as_the_table_says() {
    let mut wrong = Vec::new();
    for row in rows(EXPRESSIONS) {
        let own = evaluate(&row.text);
        let is_right = match row.sign {
            Sign::Agrees | Sign::Differs => {
                let expected = if row.expected.is_empty() { "true" } else { &row.expected };
                own == Ok(Ok(evaluate(expected).unwrap().unwrap()))
            }
            Sign::Fails => own == Ok(Err(EvaluationError::Failed(row.expected.clone()))),
            Sign::Refused => !matches!(own, Ok(Ok(_))),
        };
        if !is_right || matches!(row.sign, Sign::Differs | Sign::Refused) == row.reason.is_empty() {
            wrong.push(format!("{}: {}\n  {own:?}", row.section, row.text));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a server says of a rule on a value: `true`, `false`, the error, or why it refuses the rule.
fn answer(row: &Row) -> String {
    let Given { schema, value, old, minor } = &row.given;
    let mut schema = schema.clone();
    let mut rule = json!({"rule": row.text, "message": "M"});
    if row.text.contains("oldSelf.hasValue()") {
        rule["optionalOldSelf"] = json!(true);
    }
    schema["x-kubernetes-validations"] = json!([rule]);
    let is_root = schema["properties"].get("spec").is_some();
    let scope = RuleScope { release: Release::new(1, *minor), is_root };
    let rules = match Rules::compile(&schema, scope) {
        Ok(rules) => rules,
        Err(errors) => {
            let error = errors.first().map_or("", |error| error.message.as_str());
            let located = error.split("<input>:").nth(1).or_else(|| error.split("}: ").nth(1));
            let error = located.unwrap_or(error);
            return error.lines().next().unwrap_or_default().to_owned();
        }
    };
    match rules.judge(value, old.as_ref()).as_slice() {
        [] => "true".to_owned(),
        [RuleOutcome::Violated(violation)] => match violation
            .message
            .strip_suffix(" evaluating rule: M")
        {
            Some(error) => error.split_once("\": ").map_or(error, |(_, error)| error).to_owned(),
            // Servers explain this error.
            None if violation.message.contains("'no such overload'") => {
                "no such overload".to_owned()
            }
            None => "false".to_owned(),
        },
        other => format!("{other:?}"),
    }
}

#[test]
fn each_rule_is_as_the_table_says() {
    let mut wrong = Vec::new();
    for row in rows(RULES) {
        let own = answer(&row);
        let is_right = own == row.expected;
        if !is_right || matches!(row.sign, Sign::Differs | Sign::Refused) == row.reason.is_empty() {
            wrong.push(format!("{}: {}\n  {own}\n  {}", row.section, row.text, row.expected));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// The page that says how many rows agree, and why the others do not.
fn page() -> String {
    let mut page = String::from(
        "# Conformance\n\n\
         Made by `UPDATE_DOCS=1 cargo test -p k8s-cel --test conformance`, of the tables in `tests/conformance`, which hold for each row\n\
         what the specification of CEL, or Kubernetes, says. The expectations were compared with the code of API servers of 1.36.\n\
         *Agree* means the value or the error of the specification. *Differ* means that servers answer otherwise than the\n\
         specification, and this package as servers do. *Outside* means that servers reject it, and this package, too, or says that it\n\
         does not judge it.\n",
    );
    let mut reasons = String::new();
    for (title, table) in [("Expressions", EXPRESSIONS), ("Rules on values", RULES)] {
        let rows = rows(table);
        write!(page, "\n## {title}\n\n| section | agree | differ | outside |\n|---|--:|--:|--:|\n")
            .unwrap();
        let count = |section: Option<&str>, signs: &[Sign]| {
            let is_counted = |row: &&Row| {
                section.is_none_or(|section| row.section == section) && signs.contains(&row.sign)
            };
            rows.iter().filter(is_counted).count()
        };
        let mut sections: Vec<&str> = rows.iter().map(|row| row.section.as_str()).collect();
        sections.dedup();
        let sections = sections.into_iter().map(Some).chain([None]);
        for section in sections {
            let [agree, differ, outside] =
                [&[Sign::Agrees, Sign::Fails][..], &[Sign::Differs], &[Sign::Refused]]
                    .map(|signs| count(section, signs));
            let section = section.unwrap_or("**together**");
            writeln!(page, "| {section} | {agree} | {differ} | {outside} |").unwrap();
        }
        for row in rows.iter().filter(|row| row.sign == Sign::Differs) {
            writeln!(reasons, "- `{}` is `{}`: {}.", row.text, row.expected, row.reason).unwrap();
        }
        for row in rows.iter().filter(|row| row.sign == Sign::Refused) {
            writeln!(reasons, "- `{}` is outside: {}.", row.text.replace('\n', " "), row.reason)
                .unwrap();
        }
    }
    write!(page, "\n## Why rows differ or are outside\n\n{reasons}").unwrap();
    page
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("CONFORMANCE.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "run it with UPDATE_DOCS=1");
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
