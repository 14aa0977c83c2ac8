//! `explain`: what a finding means, what to do about a problem of the generator, and how to write the rules of conversions.

use std::cmp::Reverse;
use std::fmt::Write as _;

use k8s_versioned_codegen::tools::diff::{ChangeKind, Class};
use k8s_versioned_codegen::{Explanation, RuleKind, rules_schema};
use k8s_versioned_core::nearest::nearest;
use serde_json::json;

use crate::Error;
use crate::text::finding_kinds::{self, FindingKind};
use crate::text::output::Output;

/// The identifier for all rules of conversions.
pub(crate) const RULES: &str = "rules";

/// The identifier of the JSON Schema of `conversions.toml`.
pub(crate) const SCHEMA: &str = "conversions.schema.json";

/// Every identifier that `explain` accepts.
pub(crate) fn identifiers() -> Vec<String> {
    let rules = RuleKind::all().iter().map(|rule| rule.name);
    let changes = ChangeKind::all().iter().map(|change| change.id);
    let problems = Explanation::all().into_iter().map(|explanation| explanation.id);
    let others = finding_kinds::all().map(|kind| kind.id);
    let own = [RULES, SCHEMA].into_iter();
    own.chain(changes).chain(problems).chain(others).chain(rules).map(str::to_owned).collect()
}

/// Explains the finding, the problem or the rule with an identifier; without one, lists all findings and problems.
///
/// # Errors
/// Nothing has the identifier; the error names those that resemble it.
pub fn run(id: Option<&str>) -> Result<Output, Error> {
    let Some(id) = id else {
        return Ok(list());
    };
    if let Some(rule) = ChangeKind::all().iter().find(|rule| rule.id == id) {
        return Ok(finding(rule));
    }
    let explanations = Explanation::all();
    if let Some(explanation) = explanations.iter().find(|explanation| explanation.id == id) {
        let Explanation { id, stage, is_warning, meaning, hint } = explanation;
        let severity = if *is_warning { "warning" } else { "error" };
        let text = format!("{id} ({severity}): {meaning}\n  found in {stage}\n  hint: {hint}\n");
        let json = json!({ "id": id, "severity": severity, "stage": stage, "meaning": meaning, "hint": hint });
        return Ok(Output { text, json });
    }
    if let Some(kind) = finding_kinds::all().find(|kind| kind.id == id) {
        return Ok(finding_kind(kind));
    }
    let guides = RuleKind::all();
    if id == SCHEMA {
        let json = rules_schema();
        return Ok(Output { text: format!("{json:#}\n"), json });
    } else if id == RULES {
        return Ok(guide(guides));
    } else if let Some(rule) = guides.iter().position(|rule| rule.name == id) {
        return Ok(guide(guides.get(rule..=rule).unwrap_or_default()));
    }
    let all = identifiers();
    if let Some(near) = nearest(id, all.iter().map(String::as_str)) {
        return Err(Error::Usage(format!(
            "no finding, no problem and no rule is called `{id}`; did you mean `{near}`?"
        )));
    }
    let mut near = all;
    near.retain(|known| common(known, id) > 0);
    near.sort_by_key(|known| Reverse((common(known, id), prefix(known, id))));
    near.truncate(5);
    let near =
        if near.is_empty() { String::new() } else { format!("; similar: {}", near.join(", ")) };
    Err(Error::Usage(format!(
        "no finding, no problem and no rule is called `{id}`; `explain` alone lists all, and `explain rules` the rules{near}"
    )))
}

/// All identifiers with their meanings: of the changes that `diff` finds, then of problems, then of other findings.
fn list() -> Output {
    let changes = ChangeKind::all().iter().map(|rule| (rule.id, rule.reason));
    let problems =
        Explanation::all().into_iter().map(|explanation| (explanation.id, explanation.meaning));
    let others = finding_kinds::all().map(|kind| (kind.id, kind.meaning));
    let (mut text, mut all) = (String::new(), Vec::new());
    for (id, meaning) in changes.chain(problems).chain(others) {
        let _ = writeln!(text, "{id}: {meaning}");
        all.push(json!({ "id": id, "meaning": meaning }));
    }
    Output { text, json: json!(all) }
}

fn finding(rule: &ChangeKind) -> Output {
    let mut text = format!("{}: {}\n", rule.id, rule.reason);
    let words = |classes: &[Class]| classes.iter().map(Class::to_string).collect::<Vec<_>>();
    let (requests, responses) = (words(rule.in_requests), words(rule.in_responses));
    for (side, classes) in [("requests", &requests), ("responses", &responses)] {
        let _ = writeln!(text, "  in {side}: {}", classes.join(", "));
    }
    let json = json!({ "id": rule.id, "meaning": rule.reason, "requests": requests, "responses": responses });
    Output { text, json }
}

fn finding_kind(kind: &FindingKind) -> Output {
    let FindingKind { id, meaning, hint } = kind;
    let text = format!("{id}: {meaning}\n  hint: {hint}\n");
    Output { text, json: json!({ "id": id, "meaning": meaning, "hint": hint }) }
}

/// Rules of conversions with examples: for each its effect, its fields and its keys.
fn guide(rules: &[&RuleKind]) -> Output {
    let (mut texts, mut all) = (Vec::new(), Vec::new());
    for RuleKind { name, meaning, takes, keys, example, .. } in rules {
        let mut text = format!("{name}: {meaning}\n  {takes}.\n");
        for key in *keys {
            let _ = writeln!(text, "  {}: {}", key.name, key.meaning);
        }
        let _ = write!(text, "\n    [[kind.field]]\n    {}\n", example.replace('\n', "\n    "));
        texts.push(text);
        let keys = keys.iter().map(|key| (key.name.to_owned(), json!(key.meaning)));
        let keys = keys.collect::<serde_json::Map<_, _>>();
        all.push(json!({ "id": name, "meaning": meaning, "takes": takes, "keys": keys, "example": example }));
    }
    Output { text: texts.join("\n"), json: json!(all) }
}

/// The number of bytes with which two identifiers begin in the same way.
fn prefix(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

/// The number of words that two identifiers have in common.
fn common(one: &str, other: &str) -> usize {
    one.split('-').filter(|word| other.split('-').any(|known| known == *word)).count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use k8s_versioned_admission::{Reason, ServerAnswer};
    use k8s_versioned_terminal::input::files_in;

    use super::{identifiers, run};
    use crate::commands::validate::servers::kebab;

    #[test]
    fn every_identifier_has_one_meaning_and_an_explanation() {
        let all = identifiers();
        let distinct: BTreeSet<&String> = all.iter().collect();
        let repeated = all.iter().filter(|id| all.iter().filter(|other| other == id).count() > 1);
        assert_eq!(distinct.len(), all.len(), "{:?}", repeated.collect::<Vec<_>>());
        for id in &all {
            let explained = run(Some(id)).unwrap();
            assert!(explained.text.ends_with('\n') && !explained.json.is_null(), "{id}");
        }
    }

    #[test]
    fn the_reasons_of_servers_are_explained() {
        let of_status = ServerAnswer::REASONS.map(|(_, reason)| reason);
        let reasons = Reason::ALL.map(Reason::as_str).into_iter().chain(of_status);
        let unknown: Vec<String> =
            reasons.map(kebab).filter(|id| !identifiers().contains(id)).collect();
        assert_eq!(unknown, Vec::<String>::new());
    }

    /// A finding with a text as its identifier would not be in the list.
    #[test]
    fn findings_are_made_with_listed_identifiers() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = files_in(&source, &["rs"], true).unwrap();
        let mut made = 0;
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for arguments in text.split("Finding::new(").skip(1) {
                let (_, id) = arguments.split_once(',').unwrap();
                made += 1;
                assert!(!id.trim_start().starts_with('"'), "{}: {id:.40}", file.display());
            }
        }
        assert!(made > 10, "{made}");
    }
}
