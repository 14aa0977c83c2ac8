//! What drafts find in forms that a person reads at once: conditions, references, parts of other kinds, words in another order.

use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::{Builder, Plans};

use super::{assert_guesses, drafted, guesses, kind_of, project};

/// Conditions that have another form only in the newest of three versions, where the older form is `deprecated`.
#[test]
fn conditions_of_a_third_version() {
    let conditions = |fields: &str| {
        format!(
            "conditions: {{type: array, items: {{type: object, required: [status, type], properties: {{status: {{type: string}}, \
             type: {{type: string}}, {fields}}}}}}}"
        )
    };
    let [old, new] = ["severity: {type: string}", "generation: {type: integer}"].map(conditions);
    let object =
        |name: &str, fields: &str| format!("{name}: {{type: object, properties: {{{fields}}}}}");
    let newest = format!("{new}\n{}", object("deprecated", &object("v1beta1", &old)));
    let text = drafted(&kind_of(&[("v1alpha1", &old), ("v1beta1", &old), ("v1beta2", &newest)]));
    let nest = r#"rule = "nest" names = { v1alpha1 = "spec", v1beta1 = "spec", v1beta2 = "spec.deprecated.v1beta1" }"#;
    assert_eq!(guesses(&text), [nest], "{text}");
    assert!(text.contains(r#"names = { v1beta2 = "spec.conditions" }"#), "{text}");
    // The version in the middle has the newer form, too.
    let both = format!("{old}\n{}", object("v1beta2", &new));
    let text = drafted(&kind_of(&[("v1alpha1", &old), ("v1beta1", &both), ("v1beta2", &newest)]));
    assert!(guesses(&text).contains(&nest.to_owned()), "{text}");
    let names = r#"names = { v1beta1 = "spec.v1beta2.conditions", v1beta2 = "spec.conditions" }"#;
    assert!(text.contains(names), "{text}");
}

/// An object in a template is beside it in the newer version, and its only field has another name.
#[test]
fn objects_out_of_a_template() {
    let reference = |more: &str| {
        format!(
            "{{type: object, properties: {{kind: {{type: string}}, name: {{type: string}}, {more}}}}}"
        )
    };
    let meta = "metadata: {type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}}";
    let boot = |name: &str, more: &str| {
        format!("boot: {{type: object, properties: {{{name}: {}}}}}", reference(more))
    };
    let list = |fields: &str| {
        format!("sets: {{type: array, items: {{type: object, properties: {{{fields}}}}}}}")
    };
    let old = boot("ref", "uid: {type: string}");
    let old = list(&format!("template: {{type: object, properties: {{{meta}, {old}}}}}"));
    let new = list(&format!("{meta}, {}", boot("templateRef", "size: {type: integer}")));
    let rules = [
        r#"rule = "nest" names = { v1beta1 = "spec.sets[].template", v1 = "spec.sets[]" }"#,
        r#"rule = "move" names = { v1beta1 = "spec.sets[].template.boot.ref", v1 = "spec.sets[].boot.templateRef" }"#,
    ];
    assert_guesses((&old.replace("uid: {type: string}", "size: {type: integer}"), &new), &rules);
    let text = drafted(&kind_of(&[("v1beta1", &old), ("v1", &new)]));
    assert!(guesses(&text).contains(&rules[0].to_owned()), "{text}");
}

/// The names of two kinds in the definitions of [`ships`].
const KINDS: [(&str, &str); 2] = [("Widget", "widget"), ("Hull", "hull")];

/// Two kinds: the first has values of any JSON, the second the object that their names mean.
fn ships(values: [&str; 2], spec: [&str; 2]) -> String {
    let [(kind, lower), (other, other_lower)] = KINDS;
    let widget = kind_of(&[("v1beta1", values[0]), ("v1", values[1])]);
    let hull = kind_of(&[("v1beta1", spec[0]), ("v1", spec[1])]);
    widget + "---\n" + &hull.replace(kind, other).replace(lower, other_lower)
}

/// The drafts for all kinds of a definition. The generator takes them.
fn all_drafts(definition: &str) -> String {
    let plans = Plans::read(&project(definition, "")).unwrap();
    let text = Drafter::new(&plans).drafts(false).unwrap().join("\n");
    let generated = Builder::new(project(definition, &text)).generate();
    assert!(generated.is_ok(), "{text}\n{}", generated.err().unwrap_or_default());
    text
}

/// A value without a schema is the spec of a kind that its name says, at any depth; where one version has a schema, too.
#[test]
fn specs_of_other_kinds() {
    let any = "{type: object, x-kubernetes-preserve-unknown-fields: true}";
    let value = format!(
        "hullSpec: {any}\nships: {{type: array, items: {{type: object, properties: {{hullSpec: {any}}}}}}}"
    );
    let spec = ["keel: {type: string}", "keelName: {type: string}"];
    let text = all_drafts(&ships([&value, &value], spec));
    for path in ["spec.hullSpec", "spec.ships[].hullSpec"] {
        let rule = format!(
            "rule = \"embedded\"\nnames = {{ v1beta1 = \"{path}\", v1 = \"{path}\" }}\nkind = \"Hull\"\npath = \"spec\""
        );
        assert!(text.contains(&rule), "{rule}\n{text}");
    }
    let with_schema = "hullSpec: {type: object, properties: {keelName: {type: string}}}";
    let text = all_drafts(&ships([&format!("hullSpec: {any}"), with_schema], spec));
    assert_eq!(text.matches("rule = \"embedded\"").count(), 1, "{text}");
    assert!(!text.contains("rule = \"schema\""), "{text}");
    // Nothing differs in that kind, it is of another name, or the value has a schema.
    for (value, spec) in [
        (format!("hullSpec: {any}"), ["keel: {type: string}"; 2]),
        (format!("hulkSpec: {any}"), spec),
        ("hullSpec: {type: string}".to_owned(), spec),
    ] {
        let text = all_drafts(&ships([&value, &format!("{value}\nx: {{type: string}}")], spec));
        assert!(!text.contains("embedded"), "{text}");
    }
}

/// A field moves out of the spec of the other kind, so nothing converts the spec on its own.
#[test]
fn specs_that_do_not_convert_on_their_own() {
    let any = "hullSpec: {type: object, x-kubernetes-preserve-unknown-fields: true}";
    let status =
        "status: {type: object, properties: {phase: {type: string}, error: {type: string}}}";
    let spec = [format!("keel: {{type: string}}\n{status}"), "keelName: {type: string}".to_owned()];
    let definition = ships([any, any], [&spec[0], &spec[1]]);
    // Only the second version of the second kind has a status with fields.
    let (start, end) = definition.rsplit_once("          spec:\n").unwrap();
    let definition = format!("{start}          {status}\n          spec:\n{end}");
    let (start, end) = definition.split_once("kind: Hull").unwrap();
    let end = end.replacen("          spec:\n", "          status: {type: object, x-kubernetes-preserve-unknown-fields: true}\n          spec:\n", 1);
    let text = all_drafts(&format!("{start}kind: Hull{end}"));
    assert!(text.contains(r#"names = { v1beta1 = "spec.status", v1 = "status" }"#), "{text}");
    assert!(!text.contains("embedded"), "{text}");
}

/// A field that is like others in nothing but its type has no list of them; one that shares a word has.
#[test]
fn fields_that_only_their_type_makes_alike() {
    let texts = |names: &[&str]| {
        let lines = names.iter().map(|name| format!("{name}: {{type: string}}\n"));
        lines.collect::<Vec<_>>().concat()
    };
    let new = texts(&["assignAddress", "reservation", "placement"]);
    let text = drafted(&kind_of(&[("v1beta1", &texts(&["failureDomain"])), ("v1", &new)]));
    assert!(!text.contains("undecided") && guesses(&text).is_empty(), "{text}");
    let new = texts(&["domainName", "domainRef", "placement"]);
    let text = drafted(&kind_of(&[("v1beta1", &texts(&["failureDomain"])), ("v1", &new)]));
    let undecided = "# undecided: `spec.domainName` and `spec.domainRef` are equally like it";
    assert!(text.contains(undecided), "{text}");
    let old = "severity: {type: string}";
    let text = drafted(&kind_of(&[("v1beta1", old), ("v1", "generation: {type: integer}")]));
    assert!(!text.contains("undecided"), "{text}");
}

/// Names with the same words in another order; of several, the one with most words in common.
#[test]
fn words_in_another_order() {
    for (old, new, rule) in [
        (
            "maxUnavailable",
            "unavailableMax",
            r#"{ v1beta1 = "spec.maxUnavailable", v1 = "spec.unavailableMax" }"#,
        ),
        (
            "replicasReady",
            "readyReplicas",
            r#"{ v1beta1 = "spec.replicasReady", v1 = "spec.readyReplicas" }"#,
        ),
    ] {
        let number =
            |name: &str| format!("{name}: {{type: integer}}\nother{name}: {{type: string}}");
        let text = drafted(&kind_of(&[("v1beta1", &number(old)), ("v1", &number(new))]));
        assert!(text.contains(rule), "{text}");
    }
    assert_guesses(
        (
            "timeoutNodeDrain: {type: string}\nsecondsTimeout: {type: integer}",
            "nodeDrainTimeoutSeconds: {type: integer}\nwait: {type: boolean}",
        ),
        &[
            r#"rule = "units" names = { v1beta1 = "spec.timeoutNodeDrain", v1 = "spec.nodeDrainTimeoutSeconds" }"#,
        ],
    );
}
