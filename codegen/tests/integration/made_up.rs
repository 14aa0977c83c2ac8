//! Values that rules state or make up, and that servers refuse.

use k8s_versioned_codegen::{Plans, Problem};

use crate::drafts::{kind_of, project};

/// What the generator says of rules between these fields of two versions, of which servers require those of `required`.
fn said(fields: [&str; 2], required: &str, rules: &str) -> Vec<String> {
    let [old, new] = fields.map(|fields| {
        let fields = fields.replace('\n', "\n    ");
        format!("of:\n  type: object\n  required: [{required}]\n  properties:\n    {fields}")
    });
    // What only the newer version requires.
    let old = old.replace(&format!("required: [{required}]"), "required: []");
    let definition = kind_of(&[("v1beta1", &old), ("v1", &new)]);
    let rules = format!(
        "[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\nannotation = \"conversion.example.dev/widget\"\nfield = [\n{rules}\n]\n"
    );
    let problems = match Plans::read(&project(&definition, &rules)) {
        Ok(plans) => plans.warnings,
        Err(problems) => problems,
    };
    let said = problems.iter().map(Problem::message);
    said.filter(|message| !message.contains("have no limit")).collect()
}

/// Each rule that can leave a zero or nothing where servers refuse it.
#[test]
fn zeros_that_servers_refuse() {
    let table = [
        (
            ["a: {type: string}", "a: {type: integer, minimum: 1}"],
            r#"{ rule = "units", names = "spec.of.a", units = { v1beta1 = "duration", v1 = "seconds" } }"#,
        ),
        (
            ["a: {type: string}", "a: {type: string, minLength: 1}"],
            r#"{ rule = "part-of-text", names = "spec.of.a", separator = "/", part = { v1 = "before" }, rest = { default = "v1" }, reason = "." }"#,
        ),
        (
            [
                "a: {type: array, items: {type: object, properties: {b: {type: string}}}}",
                "a: {type: array, minItems: 1, items: {type: object, properties: {b: {type: string}}}}",
            ],
            r#"{ rule = "absent-to-zero", names = "spec.of.a" }"#,
        ),
    ];
    let said: Vec<String> = table
        .iter()
        .map(|(fields, rules)| format!("{rules}\n  {}\n", said(*fields, "a", rules).join("\n  ")))
        .collect();
    insta::assert_snapshot!(said.concat());
}

/// A pattern whose values servers refuse never fits.
#[test]
fn patterns_that_servers_refuse() {
    let fields = [
        "a: {type: string}",
        "src: {type: string, enum: [a, b]}\nref:\n  type: object\n  required: [kind, name]\n  properties: {kind: {type: string, enum: [A]}, name: {type: string}}\n\
         list: {type: array, items: {type: integer, minimum: 1}}",
    ];
    let patterns = [
        r#"{ src = "c" }"#,
        r#"{ ref = { name = "$a" } }"#,
        r#"{ ref = { kind = "B", name = "$a" } }"#,
        r"{ list = [0] }",
        r#"{ ref = { kind = "A", name = "$a" } }"#,
    ];
    let said = patterns.map(|pattern| {
        let rule = format!(
            r#"{{ rule = "pattern", names = "spec.of", same = [{{ v1beta1 = {{ a = "$a" }}, v1 = {pattern} }}] }}, {{ rule = "keep-aside", names = ["", "spec.of.src"] }}, {{ rule = "keep-aside", names = ["", "spec.of.ref"] }}, {{ rule = "keep-aside", names = ["", "spec.of.list"] }}"#
        );
        let own = pattern.split_whitespace().nth(1).unwrap_or_default();
        let other = format!(r#"{{ rule = "keep-aside", names = ["", "spec.of.{own}"] }}"#);
        let rule = rule.replace(&format!(", {other}"), "");
        format!("{pattern}\n  {}\n", said(fields, "", &rule).join("\n  "))
    });
    insta::assert_snapshot!(said.concat());
}
