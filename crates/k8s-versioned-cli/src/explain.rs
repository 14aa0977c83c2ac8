//! `explain`: what a finding of `diff` means, and what to do about a problem of the generator.

use std::fmt::Write as _;

use k8s_versioned_codegen::diff::{Class, Rule};
use k8s_versioned_codegen::problem::Explanation;
use serde_json::json;

use crate::Error;
use crate::output::Output;

/// Explains the finding or the problem with an identifier.
///
/// # Errors
/// Nothing has the identifier; the error names those that resemble it.
pub fn run(id: &str) -> Result<Output, Error> {
    if let Some(rule) = Rule::all().iter().find(|rule| rule.id == id) {
        return Ok(finding(rule));
    }
    let explanations = Explanation::all();
    if let Some(found) = explanations.iter().find(|found| found.id == id) {
        let Explanation { id, stage, meaning, hint } = found;
        let text = format!("{id}: {meaning}\n  found in {stage}\n  hint: {hint}\n");
        let json = json!({ "id": id, "stage": stage, "meaning": meaning, "hint": hint });
        return Ok(Output { text, json });
    }
    let known = Rule::all().iter().map(|rule| rule.id);
    let mut near: Vec<&str> = known.chain(explanations.iter().map(|found| found.id)).collect();
    near.sort_by_key(|known| common(known, id));
    let near: Vec<&str> = near.into_iter().rev().take(5).collect();
    let message = format!("nothing is called `{id}`; there are {}, \u{2026}", near.join(", "));
    Err(Error::Refusal(message))
}

fn finding(rule: &Rule) -> Output {
    let mut text = format!("{}: {}\n", rule.id, rule.reason);
    let words = |classes: &[Class]| classes.iter().map(Class::to_string).collect::<Vec<_>>();
    let (requests, responses) = (words(rule.in_requests), words(rule.in_responses));
    for (side, classes) in [("requests", &requests), ("responses", &responses)] {
        let _ = writeln!(text, "  in {side}: {}", classes.join(", "));
    }
    let json = json!({ "id": rule.id, "meaning": rule.reason, "requests": requests, "responses": responses });
    Output { text, json }
}

/// The number of words that two identifiers have in common.
fn common(one: &str, other: &str) -> usize {
    one.split('-').filter(|word| other.split('-').any(|it| it == *word)).count()
}
