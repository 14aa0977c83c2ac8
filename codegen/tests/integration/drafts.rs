//! Drafts of the rules for definitions that have none.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
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

/// Two objects with fields of one name, which another version has beside them: the better guess is taken, and of equally good
/// ones none. By rules for both, a field would be in two places.
#[test]
fn a_field_beside_two_objects() {
    let text = |names: &[&str]| {
        names.iter().map(|name| format!("{name}: {{type: string}}")).collect::<Vec<_>>().join(", ")
    };
    let object = |names: &[&str]| format!("{{type: object, properties: {{{}}}}}", text(names));
    let specs = |one: &[&str], other: &[&str], rules: &str| {
        let old = text(&["url", "tenant", "querier", "token"]);
        let new = format!("manual: {}, simple: {}", object(one), object(other));
        let schema = |server: &str| {
            format!(
                "{{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{server: {{type: object, properties: {{{server}}}}}}}}}}}}}}}"
            )
        };
        let definition = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.dev}}\n\
             spec:\n  group: example.dev\n  scope: Namespaced\n  names: {{kind: Widget, plural: widgets}}\n  versions:\n  \
             - {{name: v1alpha1, served: true, storage: false, schema: {}}}\n  - {{name: v1, served: true, storage: true, schema: {}}}\n",
            schema(&old),
            schema(&new),
        );
        let files = [("widgets.yaml", definition), ("conversions.toml", rules.to_owned())];
        files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect::<Files>()
    };
    let all: &[&str] = &["url", "tenant", "querier"];
    for (simple, nested) in [(&["url", "tenant"][..], 1), (all, 0), (&["token"], 2)] {
        let plans = Plans::read(&specs(all, simple, "")).unwrap();
        let rules = Drafter::new(&plans).drafts(false).unwrap().concat();
        assert_eq!(rules.matches("rule = \"nest\"").count(), nested, "{rules}");
        Plans::read(&specs(all, simple, &rules)).unwrap();
    }
    let rule = |of: &str| {
        format!(
            "\n[[kind.field]]\nrule = \"nest\"\nnames = {{ v1alpha1 = \"spec.server\", v1 = \"spec.server.{of}\" }}\nreason = \"a\"\n"
        )
    };
    let rules = format!(
        "[[kind]]\nkind = \"Widget\"\nversions = [\"v1alpha1\", \"v1\"]\n{}{}",
        rule("manual"),
        rule("simple")
    );
    let problems = Plans::read(&specs(all, &["url"], &rules)).unwrap_err().to_string();
    let why = "`spec.server.url` of v1alpha1 would be in `spec.server.manual` and in `spec.server.simple` of v1";
    assert!(problems.contains(why), "{problems}");
}

/// What a draft finds of the rules of a person, for twelve kinds of public projects, reduced to the fields that differ.
#[test]
fn rules_of_twelve_projects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/drafts");
    let files = testing::specs::files(&folder).unwrap();
    let mut table = String::from(
        "project: rules found of those of a person (keep-aside and absent-to-zero are asked for), other guesses\n",
    );
    let (mut all, mut all_found) = (0, 0);
    for (path, definition) in files.iter().filter(|(path, _)| path.ends_with(".yaml")) {
        let name = path.trim_end_matches(".yaml");
        let specs = |rules: &[u8]| {
            let definition = ("crd.yaml".to_owned(), definition.clone());
            Files::from([definition, ("conversions.toml".to_owned(), rules.to_vec())])
        };
        let by_person = &files[&format!("{name}.toml")];
        Plans::read(&specs(by_person)).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let plans = Plans::read(&specs(b"")).unwrap();
        let text = Drafter::new(&plans).drafts(false).unwrap().concat();
        Plans::read(&specs(text.as_bytes()))
            .unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let (drafted, person) = (rules(&text), rules(str::from_utf8(by_person).unwrap()));
        let wanted: Vec<_> = person.iter().filter(|rule| rule.needs_thought()).collect();
        let found =
            wanted.iter().filter(|rule| drafted.iter().any(|known| known.is_same(rule))).count();
        let (guesses, certain): (Vec<&Rule>, Vec<&Rule>) =
            drafted.iter().partition(|rule| rule.is_guess);
        let is_wrong = |rule: &&&Rule| !person.iter().any(|known| known.is_same(rule));
        let others = guesses.iter().filter(is_wrong).count();
        let _ = writeln!(table, "{name}: {found} of {}, {others}", wanted.len());
        // A rule that a person replaces is a guess, or loses nothing.
        let wrong: Vec<_> =
            certain.iter().filter(is_wrong).filter(|rule| rule.needs_thought()).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?}");
        (all, all_found) = (all + wanted.len(), all_found + found);
    }
    let _ = writeln!(table, "all: {all_found} of {all}");
    insta::assert_snapshot!(table);
    assert!(all_found * 2 >= all, "{table}");
}

/// A rule of a file, without its reason.
#[derive(Debug)]
struct Rule {
    step: String,
    keys: toml::Table,
    is_guess: bool,
}

impl Rule {
    /// Returns `true` for rules that no problem of the generator names.
    fn needs_thought(&self) -> bool {
        !["keep-aside", "absent-to-zero"].contains(&self.step.as_str())
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.step, &self.keys) == (&other.step, &other.keys)
    }
}

fn rules(text: &str) -> Vec<Rule> {
    let file: toml::Table = text.parse().unwrap();
    let fields = file["kind"][0].get("field").and_then(toml::Value::as_array);
    let rule = |field: &toml::Value| {
        let mut keys = field.as_table().unwrap().clone();
        let reason = keys.remove("reason").unwrap();
        let step = keys.remove("rule").unwrap().as_str().unwrap().to_owned();
        Rule { step, keys, is_guess: reason.as_str().unwrap().starts_with("A guess") }
    };
    fields.into_iter().flatten().map(rule).collect()
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

/// The module of a version is a function of its name, so a rule that is certain is no guess, whatever the names of versions are.
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

/// What is in a renamed list is compared with what was in it, and of two lists the one with more in common is taken.
#[test]
fn fields_in_renamed_lists() {
    let list = |name: &str, fields: &str| {
        format!(
            "{name}: {{type: array, items: {{type: object, required: [name], properties: {{name: {{type: string}}, {fields}}}}}}}"
        )
    };
    let res = |name: &str| {
        format!(
            "{name}: {{type: object, properties: {{cpu: {{type: string}}, memory: {{type: string}}}}}}"
        )
    };
    let text = drafted(&kind_of(&[
        ("v1beta1", &list("stepOverrides", &res("resources"))),
        ("v1", &list("stepSpecs", &res("computeResources"))),
    ]));
    let found = guesses(&text).join("\n");
    for names in [
        r#"{ v1beta1 = "spec.stepOverrides", v1 = "spec.stepSpecs" }"#,
        r#"{ v1beta1 = "spec.stepOverrides[].resources", v1 = "spec.stepSpecs[].computeResources" }"#,
    ] {
        assert!(found.contains(names), "{text}");
    }
    let typed = "type: {type: string}, value: {type: string}";
    let old =
        [list("taskResults", typed), list("resourcesResult", "digest: {type: string}")].join("\n");
    let text = drafted(&kind_of(&[("v1beta1", &old), ("v1", &list("results", typed))]));
    let found = guesses(&text).join("\n");
    assert!(found.contains(r#"{ v1beta1 = "spec.taskResults", v1 = "spec.results" }"#), "{text}");
}

/// Words of a renamed field are the same but for case and signs; a version that lacks some shows another one.
#[test]
fn words_of_renamed_fields() {
    let words = |name: &str, words: &str| format!("{name}: {{type: string, enum: [{words}]}}");
    let text = drafted(&kind_of(&[
        ("v1beta1", &words("deliveryMode", "at-most-once, exactly-once")),
        ("v1", &words("delivery", "AtMostOnce, ExactlyOnce")),
    ]));
    assert!(text.contains(r#"words = { v1 = ["AtMostOnce", "ExactlyOnce"], v1beta1 = ["at-most-once", "exactly-once"] }"#), "{text}");
    assert!(
        text.contains(r#"names = { v1beta1 = "spec.deliveryMode", v1 = "spec.delivery" }"#),
        "{text}"
    );
}

/// The words of a field in an object that the versions have in different places: below a new object, and under another name.
#[test]
fn words_of_fields_in_objects_that_move() {
    let words = |words: &str| format!("mode: {{type: string, enum: [{words}]}}");
    let [old, new] = ["at-most-once, WhenIdle", "AtMostOnce, WhenEmptyOrIdle"].map(words);
    let object = |name: &str, inside: &str| {
        format!("{name}: {{type: object, properties: {{keel: {{type: string}}, {inside}}}}}")
    };
    for (before, after, names) in [
        (
            format!("keel: {{type: string}}\n{old}"),
            object("options", &new),
            r#"names = { v1beta1 = "spec.mode", v1 = "spec.options.mode" }"#,
        ),
        (
            object("hull", &old),
            object("hullOptions", &new),
            r#"names = { v1beta1 = "spec.hull.mode", v1 = "spec.hullOptions.mode" }"#,
        ),
    ] {
        let text = drafted(&kind_of(&[("v1beta1", &before), ("v1", &after)]));
        let words = r#"words = { v1 = ["AtMostOnce", "WhenEmptyOrIdle"], v1beta1 = ["at-most-once", "WhenIdle"] }"#;
        assert!(text.contains(&format!("{names}\n{words}")), "{text}");
        assert!(!text.contains("# to state"), "{text}");
    }
}

/// A word that a version does not know becomes its default or its only word, which a person has to confirm. Without these the draft asks.
#[test]
fn words_that_a_version_does_not_know() {
    let words = |words: &str| format!("policy: {{type: string, enum: {words}}}");
    for (old, new, expected) in [
        ("[Borrow, Preempt, Try]", "[Preempt, Try]", "# fallback = { v1 = \"…\" }"),
        ("[Preempt, Try]", "[Borrow, Preempt, Try]", "# fallback = { v1beta1 = \"…\" }"),
        ("[Borrow, Preempt]", "[Preempt]", "fallback = { v1 = \"Preempt\" }"),
        ("[Borrow, Preempt, Try]", "[Preempt, Try], default: Try", "fallback = { v1 = \"Try\" }"),
        (r#"["2.3", "", "-"]"#, r#"["2.3", "-"]"#, "# fallback = { v1 = \"…\" }"),
        (r#"["2.3"]"#, r#"["2.3", "2.4"]"#, "fallback = { v1beta1 = \"2.3\" }"),
        (
            "[Borrow, Try], default: Try",
            "[Preempt, Try], default: Try",
            r#"fallback = { v1 = "Try", v1beta1 = "Try" }"#,
        ),
        ("[Borrow, Try], default: Try", "[Preempt, Try]", "fallback = { v1beta1 = \"Try\" }"),
    ] {
        let text = drafted(&kind_of(&[("v1beta1", &words(old)), ("v1", &words(new))]));
        assert!(text.lines().any(|line| line == expected), "{text}");
        assert!(text.contains("# to state: `fallback`: "), "{text}");
    }
}

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

/// Objects that projects took apart, each with fields that have other names or forms now.
#[test]
fn objects_that_projects_take_apart() {
    let limits = "type: array, items: {type: object, properties: {kind: {type: string}, timeout: {type: string}}}";
    let seconds = limits.replace("timeout: {type: string}", "timeoutSeconds: {type: integer}");
    let keys = "bootTimeout: {type: string}, trips: {type: integer}, lateTrips: {type: integer}, brokenHullLimits:";
    for (old, new, rules) in [
        // Durations, of which one has the name of the object, too.
        (
            "refitTimeout: {type: string}\nrefitDrainTimeout: {type: string}".to_owned(),
            "refit: {type: object, properties: {refitTimeoutSeconds: {type: integer}, refitDrainTimeoutSeconds: {type: integer}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.refit" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.refitTimeout", v1 = "spec.refit.refitTimeoutSeconds" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.refitDrainTimeout", v1 = "spec.refit.refitDrainTimeoutSeconds" }"#,
            ],
        ),
        // Flags.
        (
            "hullReady: {type: boolean}\nready: {type: boolean}".to_owned(),
            "launch: {type: object, properties: {hullProvisioned: {type: boolean}, completed: {type: boolean}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.launch" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.hullReady", v1 = "spec.launch.hullProvisioned" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.ready", v1 = "spec.launch.completed" }"#,
            ],
        ),
        // An object with another name, whose fields are in sub-objects now.
        (
            format!("hullHealthCheck: {{type: object, properties: {{enable: {{type: boolean}}, {keys} {{{limits}}}}}}}"),
            format!(
                "healthCheck: {{type: object, properties: {{enabled: {{type: boolean}}, checks: {{type: object, properties: {{bootTimeoutSeconds: {{type: integer}}, brokenHullLimits: {{{seconds}}}}}}}, remedy: {{type: object, properties: {{trips: {{type: integer}}, at: {{type: object, properties: {{lateInTrips: {{type: integer}}}}}}}}}}}}}}"
            ),
            vec![
                r#"rule = "move" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck.checks" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.hullHealthCheck.bootTimeout", v1 = "spec.healthCheck.checks.bootTimeoutSeconds" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.hullHealthCheck.brokenHullLimits[].timeout", v1 = "spec.healthCheck.checks.brokenHullLimits[].timeoutSeconds" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.hullHealthCheck.enable", v1 = "spec.healthCheck.enabled" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck.remedy" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck.remedy.at" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.hullHealthCheck.lateTrips", v1 = "spec.healthCheck.remedy.at.lateInTrips" }"#,
            ],
        ),
        // An object that moved out, to a place that could hold anything.
        (
            "hull: {type: object, properties: {pace: {type: string}, state: {type: object, properties: {keel: {type: string}, mast: {type: string}}}}}\nstate: {type: object, x-kubernetes-preserve-unknown-fields: true}".to_owned(),
            "hull: {type: object, properties: {pace: {type: string}}}\nstate: {type: object, properties: {keel: {type: string}, mast: {type: string}}}".to_owned(),
            vec![r#"rule = "move" names = { v1beta1 = "spec.hull.state", v1 = "spec.state" }"#],
        ),
    ] {
        assert_guesses((&old, &new), &rules);
    }
}

/// Objects with new objects around and inside of them, and fields whose new place their words or a reference say.
#[test]
fn fields_that_move_into_new_objects() {
    for (old, new, rules) in [
        // Two objects inside of one with another name.
        (
            "check: {type: object, properties: {bootTimeout: {type: string}, mostBroken: {type: string}, range: {type: string}, enable: {type: boolean}}}".to_owned(),
            "hullCheck: {type: object, properties: {enabled: {type: boolean}, at: {type: object, properties: {bootTimeoutSeconds: {type: integer}}}, remedy: {type: object, properties: {ifAny: {type: object, properties: {mostBroken: {type: string}, range: {type: string}}}}}}}".to_owned(),
            vec![
                r#"rule = "move" names = { v1beta1 = "spec.check", v1 = "spec.hullCheck" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.check.enable", v1 = "spec.hullCheck.enabled" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.check", v1 = "spec.hullCheck.at" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.check.bootTimeout", v1 = "spec.hullCheck.at.bootTimeoutSeconds" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.check", v1 = "spec.hullCheck.remedy.ifAny" }"#,
            ],
        ),
        // An object with a new object around it, and new ones in it.
        (
            "hull: {type: object, properties: {keel: {type: string}, mast: {type: string}, oars: {type: integer}, crew: {type: integer}}}".to_owned(),
            "ship: {type: object, properties: {hull: {type: object, properties: {wood: {type: object, properties: {keel: {type: string}, mast: {type: string}}}, men: {type: object, properties: {oars: {type: integer}, crew: {type: integer}}}}}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.ship" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hull", v1 = "spec.ship.hull.wood" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hull", v1 = "spec.ship.hull.men" }"#,
            ],
        ),
        // Words say that it is one field.
        (
            "deletePolicy: {type: string, enum: [Random, Newest, Oldest]}".to_owned(),
            "deletion: {type: object, properties: {order: {type: string, enum: [Random, Newest, Oldest]}, note: {type: string}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.deletion" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.deletePolicy", v1 = "spec.deletion.order" }"#,
            ],
        ),
        // Of two flags, the one with more words of the new one.
        (
            "ready: {type: boolean}\ninitialized: {type: boolean}".to_owned(),
            "launch: {type: object, properties: {hullInitialized: {type: boolean}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.launch" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.initialized", v1 = "spec.launch.hullInitialized" }"#,
            ],
        ),
        // The name of a reference that has more fields.
        (
            "classOfShipName: {type: string}".to_owned(),
            "classOfShipRef: {type: object, required: [group, kind, name], properties: {group: {type: string}, kind: {type: string}, name: {type: string}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.classOfShipRef" }"#,
                r#"rule = "absent-to-zero" names = { v1beta1 = "spec.classOfShipName", v1 = "spec.classOfShipRef.name" }"#,
            ],
        ),
        // The built-in kind of a reference.
        (
            "nodeRef: {type: object, properties: {kind: {type: string}, name: {type: string}, namespace: {type: string}}}".to_owned(),
            "nodeRef: {type: object, properties: {name: {type: string}}}".to_owned(),
            vec![r#"rule = "keep-aside" names = { v1beta1 = "spec.nodeRef.kind" }"#],
        ),
        // A field of another object, which the names of the new object and its field say.
        (
            "join: {type: object, properties: {lookup: {type: object, properties: {timeout: {type: string}, more: {type: boolean}}}}}".to_owned(),
            "join: {type: object, properties: {lookup: {type: object, properties: {more: {type: boolean}}}, timeouts: {type: object, properties: {lookupSeconds: {type: integer}, bootSeconds: {type: integer}}}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec.join", v1 = "spec.join.timeouts" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.join.lookup.timeout", v1 = "spec.join.timeouts.lookupSeconds" }"#,
            ],
        ),
        (
            "ship: {type: object, properties: {crewPerBoat: {type: integer}, name: {type: string}}}".to_owned(),
            "ship: {type: object, properties: {name: {type: string}}}\nboatNeeds: {type: object, properties: {crewCount: {type: integer}, oars: {type: boolean}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.boatNeeds" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.ship.crewPerBoat", v1 = "spec.boatNeeds.crewCount" }"#,
            ],
        ),
    ] {
        assert_guesses((&old, &new), &rules);
    }
}

/// Fields that their words, a word of both names or a namespace beside them pair.
#[test]
fn fields_that_move_by_their_words() {
    for (old, new, rules) in [
        // The same words, in another object.
        (
            "strategy: {type: object, properties: {rolling: {type: object, properties: {deletePolicy: {type: string, enum: [Random, Newest, Oldest]}, surge: {type: string}}}}}\nremoval: {type: object, properties: {grace: {type: integer}}}".to_owned(),
            "strategy: {type: object, properties: {rolling: {type: object, properties: {surge: {type: string}}}}}\nremoval: {type: object, properties: {order: {type: string, enum: [Random, Newest, Oldest]}, grace: {type: integer}}}".to_owned(),
            vec![
                r#"rule = "move" names = { v1beta1 = "spec.strategy.rolling.deletePolicy", v1 = "spec.removal.order" }"#,
            ],
        ),
        // The same words, in a new object.
        (
            "strategy: {type: object, properties: {deletePolicy: {type: string, enum: [Random, Newest, Oldest]}, surge: {type: string}}}".to_owned(),
            "strategy: {type: object, properties: {surge: {type: string}}}\nremoval: {type: object, properties: {order: {type: string, enum: [Random, Newest, Oldest]}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.removal" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.strategy.deletePolicy", v1 = "spec.removal.order" }"#,
            ],
        ),
        // A word of both names, of a type that no other field has.
        (
            "maxLeaky: {x-kubernetes-int-or-string: true}\nrange: {type: string}".to_owned(),
            "remedy: {type: object, properties: {ifAny: {type: object, properties: {leakyAtMost: {x-kubernetes-int-or-string: true}, range: {type: string}}}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.remedy.ifAny" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.maxLeaky", v1 = "spec.remedy.ifAny.leakyAtMost" }"#,
            ],
        ),
        // A name and its namespace.
        (
            "dock: {type: string}\ndockNamespace: {type: string}".to_owned(),
            "dockRef: {type: object, properties: {name: {type: string}, namespace: {type: string}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.dockRef" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.dock", v1 = "spec.dockRef.name" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.dockNamespace", v1 = "spec.dockRef.namespace" }"#,
            ],
        ),
    ] {
        assert_guesses((&old, &new), &rules);
    }
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

/// Of two new objects, none is chosen if their names say the same: the comment names both.
#[test]
fn new_objects_that_are_equally_good() {
    let kind = |more: &str, others: &str| {
        let side = |name: &str| {
            format!("{name}: {{type: object, properties: {{keel: {{type: boolean}}{others}}}}}")
        };
        format!("{more}\n{}\n{}", side("fore"), side("rear"))
    };
    let old = kind(
        "ship: {type: object, properties: {limitOfCrew: {type: string}, a: {type: boolean}}}",
        "",
    );
    let new = kind(
        "ship: {type: object, properties: {a: {type: boolean}}}",
        ", limits: {type: object, properties: {crewSeconds: {type: integer}, ropeSeconds: {type: integer}}}",
    );
    let text = drafted(&kind_of(&[("v1beta1", &old), ("v1", &new)]));
    assert!(guesses(&text).is_empty(), "{text}");
    let both = "# undecided: `spec.fore.limits.crewSeconds` and `spec.rear.limits.crewSeconds` are equally like it";
    assert!(text.contains(both), "{text}");
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
