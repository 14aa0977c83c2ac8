//! What drafts find of the rules of public projects.

use std::fmt::Write as _;
use std::path::Path;

use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::{Files, Plans};

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
