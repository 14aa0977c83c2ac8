//! Drafts of the rules for definitions that have none.

mod forms;
mod objects;
mod projects;
mod signals;
mod words;

use std::slice;

use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::tools::reference;
use k8s_versioned_codegen::{Builder, Files, Plans, Problem, generate};

/// A kind of two versions, in which each field of `v1beta1` has another form in `v1`.
pub(crate) const DEFINITION: &str = r"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.ops.example.org}
spec:
  group: ops.example.org
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              volume: {type: string}
              resourcegroup: {type: string}
              mode: {type: string, enum: [readOnly, readWrite]}
              size: {type: integer, format: int32}
              port: {type: string}
              secret: {type: string}
              schedule: {type: string}
              retention: {type: integer, format: int32}
              logging: {type: array, items: {type: object, properties: {level: {type: string}}}}
              left: {type: boolean}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              volumeName: {type: string}
              resourceGroup: {type: string}
              mode: {type: string, enum: [ReadOnly, ReadWrite]}
              size: {type: integer, format: int64}
              port: {type: integer, format: int32}
              secretRef: {type: object, required: [name], properties: {name: {type: string}, namespace: {type: string}}}
              backup:
                type: object
                properties:
                  schedule: {type: string}
                  retention: {type: integer, format: int32}
                  paused: {type: boolean}
              logging: {type: object, properties: {level: {type: string}}}
              right: {type: boolean}
              above: {type: boolean}
";

#[test]
fn guesses_as_a_person_would() {
    let specs = |rules: &str| {
        let files = [("widgets.yaml", DEFINITION), ("conversions.toml", rules)];
        files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect::<Files>()
    };
    let plans = Plans::read(&specs("")).unwrap();
    let text = |explain| Drafter::new(&plans).drafts(explain).unwrap().concat();
    insta::assert_snapshot!(text(true));
    // Each comment says more, and nothing else.
    let without = |text: &str| {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without(&text(true)), without(&text(false)));
    Plans::read(&specs(&text(false))).unwrap();
}

/// A definition of a kind with two or more versions, each with the fields of its `spec` as YAML.
pub(crate) fn kind_of(versions: &[(&str, &str)]) -> String {
    let version = |(index, (name, fields)): (usize, &(&str, &str))| {
        format!(
            "  - name: {name}\n    served: true\n    storage: {}\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
             properties:\n          spec:\n            type: object\n            properties:\n              {}\n",
            index == 0,
            fields.trim().replace('\n', "\n              "),
        )
    };
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.dev}}\nspec:\n  \
         group: example.dev\n  scope: Namespaced\n  names: {{kind: Widget, plural: widgets}}\n  versions:\n{}",
        versions.iter().enumerate().map(version).collect::<String>()
    )
}

/// The files of a project with a definition and rules.
pub(crate) fn project(definition: &str, rules: &str) -> Files {
    let files = [("widgets.yaml", definition), ("conversions.toml", rules)];
    files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect()
}

/// The draft for the only kind of a definition. The generator takes it.
pub(crate) fn drafted(definition: &str) -> String {
    let plans = Plans::read(&project(definition, "")).unwrap();
    let text = Drafter::new(&plans).drafts(false).unwrap().concat();
    Plans::read(&project(definition, &text))
        .unwrap_or_else(|problems| panic!("{text}\n{problems}"));
    text
}

/// A bar in the name of a field or in a word ends no cell of a table.
#[test]
fn bars_in_tables() {
    let fields = |name: &str| {
        format!("\"{name}\": {{type: string, enum: [\"x|y\", z]}}\nkept: {{type: string}}")
    };
    let definition =
        kind_of(&[("v1", &fields("a|b")), ("v2", "\"a|c\": {type: string, enum: [\"X|Y\", z]}")]);
    let rules = drafted(&definition);
    let specs = project(&definition, &rules);
    let made = generate(&specs, &testing::specs::options()).unwrap();
    let pages = reference::pages(&specs, &[], "a test").unwrap();
    let mut rows = 0;
    for (path, text) in made.files.iter().chain(&made.pages).chain(&pages) {
        let text = String::from_utf8_lossy(text);
        let row = |line: &str| {
            let line = line.trim_start_matches(['/', ' ']);
            let bars = line.replace("\\|", "").matches('|').count();
            line.starts_with("| ").then_some(bars)
        };
        let all: Vec<Option<usize>> = text.lines().map(row).collect();
        for (line, pair) in text.lines().skip(1).zip(all.windows(2)) {
            if let [Some(before), Some(bars)] = pair {
                assert_eq!(before, bars, "{path}: {line}");
                rows += 1;
            }
        }
    }
    assert!(rows > 5, "{rows}");
}

/// A rule that is certain is no guess, whatever characters the names of the versions have.
#[test]
fn versions_with_dashes() {
    let sub = "pace: {type: object, properties: {rate: {type: integer, format: int32}}}";
    let other = "pace: {type: object, properties: {rate: {type: integer, format: int32}, left: {type: boolean}}}";
    let names = |names: [&str; 3]| {
        let [one, two, three] = names;
        drafted(&kind_of(&[(one, sub), (two, other), (three, "pace: {type: string}")]))
    };
    let (plain, dashes) = (names(["v1", "v2", "v3"]), names(["a-b", "c-d", "e-f"]));
    let steps = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| line.starts_with("rule = ") || line.starts_with("# a guess"));
        lines.map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(steps(&plain), steps(&dashes), "{plain}\n{dashes}");
}

/// The rules of a draft that are guesses, with their names.
pub(crate) fn guesses(text: &str) -> Vec<String> {
    let rules: Vec<&str> = text.split("\n\n").filter(|rule| rule.contains("# a guess: ")).collect();
    let line = |rule: &&str, key: &str| {
        rule.lines().find(|line| line.starts_with(key)).unwrap_or_default().to_owned()
    };
    rules
        .iter()
        .map(|rule| format!("{} {}", line(rule, "rule = "), line(rule, "names = ")))
        .collect()
}

/// Two fields of one type are not paired unless names, patterns or words agree. The draft names both.
#[test]
fn unlike_fields_are_not_paired() {
    for (one, other) in [
        ("checksum: {type: string}", "digest: {type: string, pattern: '^[a-f0-9]{64}$'}"),
        ("severity: {type: string, enum: [low, high]}", "reason: {type: string}"),
        ("fast: {type: boolean}", "quiet: {type: boolean}"),
    ] {
        let text = drafted(&kind_of(&[("v1beta1", one), ("v1", other)]));
        assert_eq!(guesses(&text), [""; 0], "{text}");
        assert_eq!(text.matches("# undecided: `spec.").count(), 2, "{text}");
    }
    // The only ones of their type that could be it are a guess: whether or not a pattern agrees.
    let text = drafted(&kind_of(&[
        ("v1beta1", "checksum: {type: string}\nsize: {type: integer, format: int32}"),
        ("v1", "digest: {type: string}\nfast: {type: boolean}"),
    ]));
    assert_eq!(guesses(&text).len(), 1, "{text}");
    let digest = "type: string, pattern: '^[a-f0-9]{64}$'";
    let text = drafted(&kind_of(&[
        ("v1beta1", &format!("checksum: {{{digest}}}")),
        ("v1", &format!("digest: {{{digest}}}")),
    ]));
    assert_eq!(guesses(&text).len(), 1, "{text}");
    // A number of seconds is not `text` of a duration.
    let timeout = "timeoutSeconds: {type: integer, format: int32}";
    let text = drafted(&kind_of(&[("v1beta1", "timeout: {type: string}"), ("v1", timeout)]));
    assert!(text.contains(r#"units = { v1 = "seconds", v1beta1 = "duration" }"#), "{text}");
}

/// Rules that several kinds have in common are written once, except where a name does not say which kind it is.
#[test]
fn rules_that_kinds_share() {
    let fields = "a: {type: string}\nb: {type: boolean}";
    let plain = kind_of(&[("v1beta1", fields), ("v1", "c: {type: integer}")]);
    let kind = |name: &str, group: &str, more: &str| {
        let text = plain.replace(
            "            properties:\n              a:",
            &format!("            properties:\n              {more}a:"),
        );
        let text =
            text.replace("widgets.example.dev", &format!("{}s.{group}", name.to_lowercase()));
        text.replace("example.dev", group)
            .replace("widgets", &format!("{}s", name.to_lowercase()))
            .replace("Widget", name)
    };
    let draft = |kinds: &[String]| {
        let definition = kinds.join("---\n");
        let plans = Plans::read(&project(&definition, "")).unwrap();
        let text = Drafter::new(&plans).drafts(false).unwrap().join("\n");
        let plans = Plans::read(&project(&definition, &text))
            .unwrap_or_else(|problems| panic!("{text}\n{problems}"));
        (text, plans.comparable_rules())
    };
    let ships = [
        kind("Boat", "example.dev", ""),
        kind("Ship", "example.dev", "d: {type: boolean}\n              "),
    ];
    let (text, together) = draft(&ships);
    assert_eq!(text.matches("[[shared]]").count(), 1, "{text}");
    assert!(
        text.contains("kinds = [\"Boat\", \"Ship\"]\nversions = [\"v1beta1\", \"v1\"]\n"),
        "{text}"
    );
    assert_eq!(text.matches("[[shared.field]]").count(), 3, "{text}");
    assert_eq!(text.matches("[[kind.field]]").count(), 1, "{text}");
    let apart = ships.iter().flat_map(|ship| draft(slice::from_ref(ship)).1).collect();
    assert_eq!(together, apart);
    let (text, _) = draft(&[kind("Boat", "lake.dev", ""), kind("Boat", "sea.dev", "")]);
    assert!(!text.contains("shared"), "{text}");
}

/// A draft for a kind with such a `spec` in two versions has these guesses, and no others.
#[track_caller]
pub(crate) fn assert_guesses((old, new): (&str, &str), rules: &[&str]) {
    let text = drafted(&kind_of(&[("v1beta1", old), ("v1", new)]));
    let found = guesses(&text);
    for rule in rules {
        assert!(found.iter().any(|found| found == rule), "{rule}\n{found:#?}\n{text}");
    }
    assert_eq!(found.len(), rules.len(), "{found:#?}\n{text}");
}

/// An annotation has the domain of the group, also below domains of Kubernetes.
#[test]
fn annotations_of_approved_groups() {
    let long = format!("{}example.org", format!("{}.", "a".repeat(57)).repeat(4));
    for group in
        ["cluster.x-k8s.io", "snapshot.storage.k8s.io", "example.org", "store.example.com", &long]
    {
        let definition = kind_of(&[("v1beta1", "a: {type: string}"), ("v1", "b: {type: boolean}")]);
        let definition = definition.replace("example.dev", group);
        let text = drafted(&definition);
        let is_long = group == long;
        assert_eq!(text.contains("# Write a domain of your own"), is_long, "{text}");
        let domain = if is_long { "example.com" } else { group };
        let line = format!("\nannotation = \"conversion.{domain}/widget\"\n");
        assert!(text.contains(&line), "{text}");
    }
}

/// There is a conversion between each two versions, so their number is bounded.
#[test]
fn a_kind_with_too_many_versions() {
    let names: Vec<String> = (1..=25).map(|at| format!("v{at}")).collect();
    let versions = |count: usize| -> Vec<(&str, &str)> {
        names.iter().take(count).map(|name| (name.as_str(), "a: {type: string}")).collect()
    };
    let rules =
        |count: usize| format!("[[kind]]\nkind = \"Widget\"\nversions = {:?}\n", &names[..count]);
    let generated =
        |count| Builder::new(project(&kind_of(&versions(count)), &rules(count))).generate();
    assert_eq!(generated(24).unwrap().summary.conversions, 24 * 23);
    let problems = generated(25).unwrap_err();
    let causes: Vec<String> = problems.iter().map(Problem::message).collect();
    assert_eq!(
        causes,
        ["`Widget` has 25 versions: conversions are between each two of at most 24"]
    );
}

/// The work of a draft grows with the fields, the kinds and the versions, and not with their pairs.
#[test]
fn work_grows_with_the_input() {
    let work = |definition: &str| {
        let plans = Plans::read(&project(definition, "")).unwrap();
        let drafter = Drafter::new(&plans);
        drafter.drafts(false).unwrap();
        drafter.work()
    };
    let fields = |count: usize, name: &str, of: &str| -> String {
        let fields = (0..count).map(|at| format!("{name}{at}: {{{of}}}\n"));
        fields.collect::<Vec<_>>().concat()
    };
    let texts = |count: usize| {
        kind_of(&[
            ("v1beta1", &fields(count, "left", "type: string")),
            ("v1", &fields(count, "right", "type: string")),
        ])
    };
    let objects = |count: usize| {
        let of = "type: object, properties: {a: {type: string}, b: {type: string}}";
        kind_of(&[("v1beta1", &fields(count, "left", of)), ("v1", &fields(count, "leftOf", of))])
    };
    let kinds = |count: usize| {
        let kind = |at: usize| {
            let text = kind_of(&[("v1beta1", "a: {type: string}"), ("v1", "b: {type: string}")]);
            text.replace("widgets", &format!("widgets{at}"))
                .replace("Widget", &format!("Widget{at}"))
        };
        (0..count).map(kind).collect::<Vec<_>>().join("---\n")
    };
    let tables: [(&str, &dyn Fn(usize) -> String); 3] =
        [("texts", &texts), ("objects", &objects), ("kinds", &kinds)];
    for (what, make) in tables {
        let counts = [8, 16, 32, 64].map(|count| work(&make(count)));
        let [.., before, after] = counts;
        assert!(after * 10 <= before * 24, "{what}: {counts:?}");
    }
}
