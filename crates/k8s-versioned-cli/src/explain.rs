//! `explain`: what a finding of `diff` means.

use std::fmt::Write as _;

use k8s_versioned_codegen::diff::{Class, Rule};

use crate::Error;

/// Explains the findings with an identifier.
///
/// # Errors
/// No finding has the identifier; the error names those that resemble it.
pub fn run(id: &str) -> Result<String, Error> {
    let Some(rule) = Rule::all().iter().find(|rule| rule.id == id) else {
        let mut near: Vec<&str> = Rule::all().iter().map(|rule| rule.id).collect();
        near.sort_by_key(|known| common(known, id));
        let near: Vec<&str> = near.into_iter().rev().take(5).collect();
        let message = format!("no finding is called `{id}`; there are {}, …", near.join(", "));
        return Err(Error::Refusal(message));
    };
    let mut text = format!("{id}: {}\n", rule.reason);
    for (side, classes) in [("requests", rule.in_requests), ("responses", rule.in_responses)] {
        let classes: Vec<String> = classes.iter().map(Class::to_string).collect();
        let _ = writeln!(text, "  in {side}: {}", classes.join(", "));
    }
    Ok(text)
}

/// The number of words that two identifiers have in common.
fn common(one: &str, other: &str) -> usize {
    one.split('-').filter(|word| other.split('-').any(|it| it == *word)).count()
}
