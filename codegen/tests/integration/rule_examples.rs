//! The examples of `docs/reference/conversion-rules.md`: the generator takes each of them for the fields that the page says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use k8s_versioned_codegen::{Plans, RuleKind};

use crate::drafts::project;

/// The fields of v1beta1 and v1 that the example of a rule is about, as YAML of the properties of an object.
const FIELDS: &[(&str, [&str; 2])] = &[
    (
        "move",
        [
            r"spec: {type: object, properties: {volume: {type: string}}}",
            r"spec: {type: object, properties: {volumeName: {type: string}}}",
        ],
    ),
    (
        "keep-aside",
        [
            r"spec: {type: object, properties: {a: {type: string}}}",
            r"spec: {type: object, required: [schedule], properties: {a: {type: string}, schedule: {type: string}}}",
        ],
    ),
    (
        "in-metadata",
        [
            r"spec: {type: object, properties: {a: {type: string}}}",
            r"spec: {type: object, properties: {a: {type: string}, mode: {type: string}}}",
        ],
    ),
    (
        "first-of-list",
        [
            r"spec: {type: object, properties: {strategies: {type: array, items: {type: string}}}}",
            r"spec: {type: object, properties: {strategy: {type: string}}}",
        ],
    ),
    (
        "keyed-list",
        [
            r"spec: {type: object, properties: {domains: {type: object, additionalProperties: {type: object, properties: {a: {type: boolean}}}}}}",
            r"spec: {type: object, properties: {domains: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, a: {type: boolean}}}}}}",
        ],
    ),
    (
        "named-values",
        [
            r"spec: {type: object, properties: {extraArgs: {type: object, additionalProperties: {type: string}}}}",
            r"spec: {type: object, properties: {extraArgs: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}}}}",
        ],
    ),
    (
        "absent-to-zero",
        [
            r"spec: {type: object, properties: {keep: {type: integer}, most: {type: integer}}}",
            r"spec: {type: object, required: [keep], properties: {keep: {type: integer}, most: {type: integer}}}",
        ],
    ),
    (
        "nest",
        [
            r"spec: {type: object, properties: {size: {type: string}}}",
            r"spec: {type: object, properties: {storage: {type: object, properties: {size: {type: string}}}}}",
        ],
    ),
    (
        "words",
        [
            r"spec: {type: object, properties: {mode: {type: string, enum: [fast]}}}",
            r"spec: {type: object, properties: {mode: {type: string, enum: [Quick, Slow]}}}",
        ],
    ),
    (
        "text",
        [
            r"spec: {type: object, properties: {port: {type: string}}}",
            r"spec: {type: object, properties: {port: {type: integer}}}",
        ],
    ),
    (
        "narrow",
        [
            r"spec: {type: object, required: [keep], properties: {keep: {type: integer, format: int32}}}",
            r"spec: {type: object, required: [keep], properties: {keep: {type: integer, format: int64}}}",
        ],
    ),
    (
        "units",
        [
            r"spec: {type: object, properties: {timeout: {type: string}}}",
            r"spec: {type: object, properties: {timeoutSeconds: {type: integer}}}",
        ],
    ),
    (
        "part-of-text",
        [
            r"spec: {type: object, properties: {ref: {type: object, required: [apiVersion], properties: {apiVersion: {type: string}}}}}",
            r"spec: {type: object, properties: {ref: {type: object, required: [apiGroup], properties: {apiGroup: {type: string}}}}}",
        ],
    ),
    (
        "pattern",
        [
            r"spec: {type: object, properties: {mode: {type: string}}}",
            r"spec: {type: object, properties: {modes: {type: array, items: {type: string}}}}",
        ],
    ),
    (
        "schema",
        [
            r"status: {type: object, x-kubernetes-preserve-unknown-fields: true}",
            r"status: {type: object, properties: {ready: {type: boolean}}}",
        ],
    ),
    (
        "wrap",
        [
            r"spec: {type: object, properties: {nodes: {type: array, items: {type: string}}}}",
            r"spec: {type: object, properties: {nodes: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, zone: {type: string}}}}}}",
        ],
    ),
    (
        "embedded",
        [
            r"status: {type: object, properties: {taskSpec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}",
            r"status: {type: object, properties: {taskSpec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}",
        ],
    ),
    (
        "custom",
        [
            r"status: {type: object, properties: {slices: {type: array, items: {type: string}}}}",
            r"status: {type: object, properties: {slices: {type: object, properties: {all: {type: string}}}}}",
        ],
    ),
];

/// The definition of a kind with these fields in v1beta1 and v1.
fn definition(kind: &str, fields: [&str; 2]) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    let version = |(name, storage, fields): (&str, bool, &str)| {
        format!(
            "  - name: {name}\n    served: true\n    storage: {storage}\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
             properties:\n          {fields}\n"
        )
    };
    let [old, new] = fields;
    let versions: String =
        [("v1beta1", false, old), ("v1", true, new)].into_iter().map(version).collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.example.dev}}\nspec:\n  \
         group: example.dev\n  scope: Namespaced\n  names: {{kind: {kind}, plural: {plural}}}\n  versions:\n{versions}"
    )
}

/// A kind that `embedded` names, with a rule.
fn task() -> (String, &'static str) {
    let fields = FIELDS.iter().find(|(rule, _)| *rule == "move").unwrap().1;
    let rules = "[[kind]]\nkind = \"Task\"\nversions = [\"v1beta1\", \"v1\"]\n\
                 field = [{ rule = \"move\", names = [\"spec.volume\", \"spec.volumeName\"] }]\n";
    (definition("Task", fields), rules)
}

/// The rows of the table of rules: the rule, and the parts in code of its example.
fn rows(page: &str) -> Vec<(String, Vec<String>)> {
    let row = |line: &str| {
        let line = line.strip_prefix("| `")?;
        let (rule, _) = line.split_once('`')?;
        let example = line.trim_end_matches(" |").rsplit_once(" | ")?.1;
        let code = example.split('`').skip(1).step_by(2).map(str::to_owned);
        RuleKind::all()
            .iter()
            .any(|kind| kind.name == rule)
            .then(|| (rule.to_owned(), code.collect()))
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn the_generator_takes_each_example_of_the_page() {
    let path = "../docs/reference/conversion-rules.md";
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let rows = rows(&page);
    for (rule, code) in &rows {
        let [names, keys @ ..] = code.as_slice() else { panic!("{rule} has no example") };
        let (_, fields) = FIELDS.iter().find(|(known, _)| known == rule).unwrap();
        let annotation = "annotation = \"conversion.example.dev/widget\"\n";
        let (task, rules_of_task) = task();
        let read = |annotation: &str| {
            let rules = format!(
                "{rules_of_task}[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\n{annotation}\n[[kind.field]]\nrule = \
                 \"{rule}\"\nnames = {names}\n{}\nreason = \"Seen.\"\n",
                keys.join("\n"),
            );
            let text = format!("{task}---\n{}", definition("Widget", *fields));
            Plans::read(&project(&text, &rules)).map_err(|problems| format!("{rules}\n{problems}"))
        };
        // Rules without kept values need no annotation.
        let found = read(annotation).or_else(|with| read("").map_err(|without| with + &without));
        assert!(found.is_ok(), "{rule}: {}", found.err().unwrap_or_default());
    }
    let of_page: BTreeSet<&str> = rows.iter().map(|(rule, _)| rule.as_str()).collect();
    let all: BTreeSet<&str> = RuleKind::all().iter().map(|kind| kind.name).collect();
    assert_eq!(of_page, all, "each rule has one row");
    assert_eq!(rows.len(), all.len(), "each rule has one row");
}

/// Rules of objects that each kind has in places of its own, and in the object itself (`.`).
#[test]
fn shared_rules_in_the_objects_of_each_kind() {
    let object = |inside: &str| format!("{{type: object, properties: {{{inside}}}}}");
    let [old, new] = [
        object("size: {type: string}, note: {type: string}"),
        object("note: {type: string}, hull: {type: object, properties: {bulk: {type: string}}}"),
    ];
    let of = |kind: &str, path: &str| {
        let at = |fields: &str| {
            let names = path.rsplit('.');
            names.fold(fields.to_owned(), |inside, name| object(&format!("{name}: {inside}")))
        };
        let inside = |fields: &str| {
            let all = at(fields);
            let fields = all.strip_prefix("{type: object, properties: {").unwrap();
            fields.strip_suffix("}}").unwrap().to_owned()
        };
        definition(kind, [&inside(&old), &inside(&new)])
    };
    let text = format!("{}---\n{}", of("Boat", "spec"), of("Ship", "spec.fore"));
    let kind = |kind: &str| {
        format!(
            "[[kind]]\nkind = \"{kind}\"\nversions = [\"v1beta1\", \"v1\"]\nannotation = \"conversion.example.dev/kept\"\n"
        )
    };
    let kinds = kind("Boat") + &kind("Ship");
    let shared = |under: &str| {
        format!(
            "{kinds}[[shared]]\nversions = [\"v1beta1\", \"v1\"]\n{under}\nfield = [\n  {{ rule = \"nest\", names = [\".\", \"hull\"] }},\n  \
             {{ rule = \"move\", names = [\"size\", \"hull.bulk\"] }},\n]\n"
        )
    };
    let own = |of: &str, path: &str| {
        format!(
            "{}field = [\n  {{ rule = \"nest\", names = [\"{path}\", \"{path}.hull\"] }},\n  \
             {{ rule = \"move\", names = [\"{path}.size\", \"{path}.hull.bulk\"] }},\n]\n",
            kind(of)
        )
    };
    let rules = |toml: &str| {
        Plans::read(&project(&text, toml))
            .map(|plans| plans.comparable_rules())
            .map_err(|problems| problems.to_string())
    };
    let by_kind = rules(&shared("under.Boat = [\"spec\"]\nunder.Ship = [\"spec.fore\"]"));
    assert_eq!(by_kind, rules(&(own("Boat", "spec") + &own("Ship", "spec.fore"))));
    assert!(by_kind.is_ok(), "{by_kind:?}");
    for (under, place) in [
        ("", "nest"),
        ("under.Boat = [\"spec\"]\nunder.Raft = [\"spec\"]", "Raft"),
        ("under.Boat = []", "`under` has no path in `Boat`"),
    ] {
        let problems = rules(&shared(under)).unwrap_err();
        assert!(problems.contains(place), "{under}: {problems}");
    }
}
