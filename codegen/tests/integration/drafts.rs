//! Drafts of the rules for definitions that have none.

use std::fmt::Write as _;
use std::path::Path;

use k8s_versioned_codegen::conversion::unconverted;
use k8s_versioned_codegen::tools::draft::draft;
use k8s_versioned_codegen::{Files, Plans};

/// A kind of two versions, in which each field of `v1beta1` has another form in `v1`.
const DEFINITION: &str = r"
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
    let kinds = unconverted(&plans.items, &plans.rules);
    let text = |explain| draft(&kinds[0], &plans.items, &plans.rules, explain).unwrap();
    insta::assert_snapshot!(text(true));
    // Each comment says more, and nothing else.
    let without = |text: &str| {
        text.lines().filter(|it| !it.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without(&text(true)), without(&text(false)));
    Plans::read(&specs(&text(false))).unwrap();
}

/// Two objects with fields of one name, which another version has beside them: the better guess is taken, and of equally good
/// ones none. By rules for both, a field would be in two places.
#[test]
fn a_field_beside_two_objects() {
    let text = |names: &[&str]| {
        names.iter().map(|it| format!("{it}: {{type: string}}")).collect::<Vec<_>>().join(", ")
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
        let kinds = unconverted(&plans.items, &plans.rules);
        let rules = draft(&kinds[0], &plans.items, &plans.rules, false).unwrap();
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
        let kinds = unconverted(&plans.items, &plans.rules);
        let text = draft(&kinds[0], &plans.items, &plans.rules, false).unwrap();
        Plans::read(&specs(text.as_bytes()))
            .unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let (drafted, person) = (rules(&text), rules(str::from_utf8(by_person).unwrap()));
        let wanted: Vec<_> = person.iter().filter(|rule| rule.needs_thought()).collect();
        let found = wanted.iter().filter(|rule| drafted.iter().any(|it| it.is_same(rule))).count();
        let (guesses, certain): (Vec<&Rule>, Vec<&Rule>) =
            drafted.iter().partition(|rule| rule.is_guess);
        let is_wrong = |rule: &&&Rule| !person.iter().any(|it| it.is_same(rule));
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
