//! `explain`: what a finding of `diff` means, what to do about a problem of the generator, and how to write the rules of
//! conversions.

use std::cmp::Reverse;
use std::fmt::Write as _;

use k8s_versioned_codegen::tools::diff::{ChangeKind, Class};
use k8s_versioned_codegen::{Explanation, RuleKind, rules_schema};
use serde_json::json;

use crate::Error;
use crate::text::output::Output;

/// The identifier for all rules of conversions.
pub(crate) const RULES: &str = "rules";

/// The identifier of the JSON Schema of `conversions.toml`.
pub(crate) const SCHEMA: &str = "conversions.schema.json";

/// Every identifier that `explain` accepts.
pub(crate) fn identifiers() -> Vec<String> {
    let rules = RuleKind::all().iter().map(|rule| rule.name);
    let own = [RULES, SCHEMA].into_iter().chain(ChangeKind::all().iter().map(|rule| rule.id));
    let problems = Explanation::all().into_iter().map(|explanation| explanation.id);
    own.chain(problems).chain(rules).map(str::to_owned).collect()
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
    let guides = RuleKind::all();
    if id == SCHEMA {
        let json = rules_schema();
        return Ok(Output { text: format!("{json:#}\n"), json });
    } else if id == RULES {
        return Ok(guide(guides));
    } else if let Some(rule) = guides.iter().position(|rule| rule.name == id) {
        return Ok(guide(guides.get(rule..=rule).unwrap_or_default()));
    }
    let mut near = identifiers();
    near.retain(|known| common(known, id) > 0);
    near.sort_by_key(|known| Reverse((common(known, id), prefix(known, id))));
    near.truncate(5);
    let near =
        if near.is_empty() { String::new() } else { format!("; similar: {}", near.join(", ")) };
    Err(Error::Usage(format!(
        "no finding of `diff`, no problem and no rule is called `{id}`; `explain` alone lists all, and `explain rules` the rules{near}"
    )))
}

/// All identifiers with their meanings: of findings, then of problems.
fn list() -> Output {
    let findings = ChangeKind::all().iter().map(|rule| (rule.id, rule.reason));
    let problems =
        Explanation::all().into_iter().map(|explanation| (explanation.id, explanation.meaning));
    let (mut text, mut all) = (String::new(), Vec::new());
    for (id, meaning) in findings.chain(problems) {
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
