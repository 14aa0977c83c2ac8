//! Fields that have another form or another meaning in another version.

use std::collections::BTreeSet;

use super::{assert_guesses, drafted, guesses, kind_of};

/// What a reference says of its object: the group with or without its version, a kind that its name says, and the object's own namespace.
#[test]
fn references() {
    let of = |fields: &str, required: &str| {
        format!("{{type: object, required: [{required}], properties: {{{fields}}}}}")
    };
    let text = |names: &[&str]| {
        names.iter().map(|name| format!("{name}: {{type: string}}")).collect::<Vec<_>>().join(", ")
    };
    let full = of(&text(&["apiVersion", "kind", "name", "namespace"]), "apiVersion, kind, name");
    let short = of(&text(&["group", "kind", "name"]), "group, kind, name");
    let draft = drafted(&kind_of(&[
        ("v1beta1", &format!("classRef: {full}\nsecretRef: {}", of(&text(&["name"]), "name"))),
        (
            "v1",
            &format!(
                "classRef: {short}\nsecretRef: {}",
                of(&text(&["name", "kind"]), "name, kind")
            ),
        ),
    ]));
    for rule in [
        "# to state: `rest`: without it, a text ends with the separator where none is kept\n\
         [[kind.field]]\nrule = \"part-of-text\"\nnames = { v1beta1 = \"spec.classRef.apiVersion\", v1 = \"spec.classRef.group\" }",
        "names = { v1beta1 = \"spec.classRef.namespace\" }\nfill-from = \"metadata.namespace\"",
        "# to state: `fill`: the name of the reference says this kind\n[[kind.field]]\nrule = \"keep-aside\"\n\
         names = { v1 = \"spec.secretRef.kind\" }\nfill = \"Secret\"",
    ] {
        assert!(draft.contains(rule), "{draft}");
    }
    // Nothing says which object it is.
    let draft = drafted(&kind_of(&[
        ("v1beta1", "a: {type: string}"),
        ("v1", &format!("a: {{type: string}}\nclassRef: {short}")),
    ]));
    assert!(!draft.contains("fill = \"\""), "{draft}");
}

/// What projects turn a field into: an object that has it, objects with a name, a field of an object beside it or of several new ones.
#[test]
fn forms_that_projects_give_a_field() {
    let texts = "type: array, items: {type: string}";
    let named = "type: array, items: {type: object, required: [name], properties: {name: {type: string}, on: {type: string}}}";
    let of = |own: &str| {
        format!(
            "type: array, items: {{type: object, properties: {{type: {{type: string}}, status: {{type: string}}, {own}: {{type: string}}}}}}"
        )
    };
    let (before, now) = (of("severity"), of("observed"));
    for (old, new, rules) in [
        (
            format!("hosts: {{{texts}}}"),
            format!("hosts: {{type: object, properties: {{names: {{{texts}}}}}}}"),
            vec![r#"rule = "wrap" names = { v1beta1 = "spec.hosts", v1 = "spec.hosts" }"#],
        ),
        (
            format!("secrets: {{{texts}}}"),
            format!("secretRefs: {{{named}}}"),
            vec![r#"rule = "wrap" names = { v1beta1 = "spec.secrets[]", v1 = "spec.secretRefs[]" }"#],
        ),
        (
            format!("checks: {{{texts}}}"),
            format!("checksStrategy: {{type: object, properties: {{checks: {{{named}}}}}}}"),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.checksStrategy" }"#,
                r#"rule = "wrap" names = { v1beta1 = "spec.checks[]", v1 = "spec.checksStrategy.checks[]" }"#,
            ],
        ),
        (
            "from: {type: object, required: [route], properties: {route: {type: string}}}".to_owned(),
            "from: {type: object, required: [routes], properties: {routes: {type: object, properties: {default: {type: string}, other: {type: integer}}}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec.from", v1 = "spec.from.routes" }"#,
                r#"rule = "absent-to-zero" names = { v1beta1 = "spec.from.route", v1 = "spec.from.routes.default" }"#,
            ],
        ),
        (
            "phase: {type: string}".to_owned(),
            "deprecated: {type: object, properties: {v1beta1: {type: object, properties: {phase: {type: string}}}}}".to_owned(),
            vec![r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.deprecated.v1beta1" }"#],
        ),
        // One name, and another meaning in each version.
        (
            format!("conditions: {{{before}}}\nv1: {{type: object, properties: {{conditions: {{{now}}}}}}}"),
            format!(
                "conditions: {{{now}}}\ndeprecated: {{type: object, properties: {{v1beta1: {{type: object, properties: {{conditions: {{{before}}}}}}}}}}}"
            ),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.deprecated.v1beta1" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.v1", v1 = "spec" }"#,
            ],
        ),
        // The field has the same meaning in both, and the object is new.
        (
            format!("conditions: {{{before}}}\nv1: {{type: object, properties: {{conditions: {{{now}}}}}}}"),
            format!("conditions: {{{before}}}"),
            vec![],
        ),
    ] {
        assert_guesses((&old, &new), &rules);
    }
}

/// A field of another type, which no rule converts, is not said to be absent; the draft names the rule that takes functions.
#[test]
fn fields_of_another_type() {
    let text = drafted(&kind_of(&[
        ("v1alpha1", "since: {type: integer}\nrope: {type: string}"),
        ("v1beta1", "since: {type: boolean}\nrope: {type: boolean}"),
        ("v1", "since: {type: boolean}"),
    ]));
    for rule in [
        "# if its types mean the same, functions of your program convert it: the rule `custom`\n[[kind.field]]\nrule = \"keep-aside\"\n\
         names = { v1alpha1 = \"spec.since\" }\nreason = \"A draft: of another type or meaning in v1beta1 and v1.\"",
        "names = { v1alpha1 = \"spec.rope\" }\nreason = \"A draft: not in v1, of another type or meaning in v1beta1.\"",
    ] {
        assert!(text.contains(rule), "{text}");
    }
    assert_eq!(text.matches("functions of your program").count(), 1, "{text}");
}

/// A field that the oldest of three versions lacks has the rule that it would have without that version: there it is kept aside.
#[test]
fn fields_that_a_version_lacks() {
    let old = "mode: {type: string, enum: [fast, slow]}\ntimeoutSeconds: {type: integer}\nport: {type: string}";
    let new =
        "mode: {type: string, enum: [Fast, Slow]}\ntimeout: {type: string}\nport: {type: integer}";
    let text =
        drafted(&kind_of(&[("v1alpha1", "size: {type: integer}"), ("v1beta1", old), ("v1", new)]));
    for rule in [
        "rule = \"words\"\nnames = { v1beta1 = \"spec.mode\", v1 = \"spec.mode\" }",
        "rule = \"units\"\nnames = { v1beta1 = \"spec.timeoutSeconds\", v1 = \"spec.timeout\" }",
        "rule = \"text\"\nnames = { v1beta1 = \"spec.port\", v1 = \"spec.port\" }",
    ] {
        assert!(text.contains(rule), "{text}");
    }
    assert!(!text.contains("# to state"), "{text}");
}

/// A list has another meaning in the newest of three versions. What is inside of it needs no rules.
#[test]
fn another_meaning_in_the_newest_version() {
    let of = |own: &str| {
        format!(
            "type: array, items: {{type: object, properties: {{type: {{type: string}}, status: {{type: string}}, {own}: {{type: string}}}}}}"
        )
    };
    let (before, now) = (of("severity"), of("observed"));
    let old = format!("conditions: {{{before}}}");
    let new = format!(
        "conditions: {{{now}}}\ndeprecated: {{type: object, properties: {{v1beta1: {{type: object, properties: {{conditions: {{{before}}}}}}}}}}}"
    );
    let text = drafted(&kind_of(&[("v1alpha1", &old), ("v1beta1", &old), ("v1", &new)]));
    let rules = text.matches("\nrule = ").count();
    assert_eq!((guesses(&text).len(), rules), (1, 2), "{text}");
    assert!(text.contains("names = { v1 = \"spec.conditions\" }"), "{text}");
}

/// The same where a version has the new list under the name of the next one, and the oldest has neither.
#[test]
fn another_meaning_that_versions_lack() {
    let of = |own: &str| {
        format!(
            "conditions: {{type: array, items: {{type: object, properties: {{type: {{type: string}}, status: {{type: string}}, {own}: {{type: string}}}}}}}}"
        )
    };
    let object =
        |name: &str, inside: &str| format!("{name}: {{type: object, properties: {{{inside}}}}}");
    let (before, now) = (of("severity"), of("observed"));
    let middle = format!("{before}\n{}", object("v1", &now));
    let new = format!("{now}\n{}", object("deprecated", &object("v1beta1", &before)));
    for (oldest, own) in [
        (before.as_str(), None),
        (
            "other: {type: boolean}",
            Some(
                r#"rule = "keep-aside" names = { v1beta1 = "spec.conditions", v1 = "spec.deprecated.v1beta1.conditions" }"#,
            ),
        ),
    ] {
        let text = drafted(&kind_of(&[("v1alpha1", oldest), ("v1beta1", &middle), ("v1", &new)]));
        let always = [
            r#"rule = "nest" names = { v1alpha1 = "spec", v1beta1 = "spec", v1 = "spec.deprecated.v1beta1" }"#,
            r#"rule = "nest" names = { v1alpha1 = "spec", v1beta1 = "spec.v1", v1 = "spec" }"#,
            r#"rule = "keep-aside" names = { v1beta1 = "spec.v1.conditions", v1 = "spec.conditions" }"#,
        ];
        let expected: BTreeSet<String> = always.into_iter().chain(own).map(str::to_owned).collect();
        assert_eq!(guesses(&text).into_iter().collect::<BTreeSet<_>>(), expected, "{text}");
    }
}

/// A value of a required field fits in each version that has it, so the rule is one for all of these.
#[test]
fn a_fill_that_one_version_refuses() {
    let of = |checks: &str| format!("dock: {{type: string{checks}}}\nhull: {{type: string}}");
    let [old, new] = [", minLength: 1", ""].map(of);
    let versions = [("v1alpha1", &*old), ("v1beta1", &new), ("v1", "hull: {type: string}")];
    let definition = kind_of(&versions).replace(
        "            type: object\n            properties:\n              dock",
        "            type: object\n            required: [dock]\n            properties:\n              dock",
    );
    let text = drafted(&definition);
    assert!(
        text.contains(r#"names = { v1alpha1 = "spec.dock", v1beta1 = "spec.dock" }"#),
        "{text}"
    );
    assert!(!text.contains("fill ="), "{text}");
}
