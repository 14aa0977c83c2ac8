//! What servers check of the fields of custom resources, as rustdoc. They refuse other values; the types hold them.

use serde_json::Value;

use crate::spec::{Facts, Field};
use crate::text::join;

/// The most words of one note.
const MOST_WORDS: usize = 20;

/// The notes about a field and about its items.
pub(super) fn of_field(field: &Field) -> Vec<String> {
    let mut notes = of_value(&field.facts);
    let items = of_value(&field.item_facts);
    if !items.is_empty() {
        notes.push(format!("Each item: {}", items.join(" ")));
    }
    notes
}

/// The notes about a value.
pub(super) fn of_value(facts: &Facts) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    notes.extend(words(facts));
    let unit = |of: &str| format!(" {of}");
    notes.extend(limits(facts, ["minLength", "maxLength"], &unit("characters")));
    notes.extend(limits(facts, ["minItems", "maxItems"], &unit("items")));
    notes.extend(limits(facts, ["minProperties", "maxProperties"], &unit("members")));
    notes.extend(limits(facts, ["minimum", "maximum"], ""));
    for (keyword, text) in [
        ("exclusiveMinimum", "The minimum itself is not allowed."),
        ("exclusiveMaximum", "The maximum itself is not allowed."),
        ("uniqueItems", "No item occurs twice."),
    ] {
        notes.extend(facts.get(keyword).filter(|it| **it == true).map(|_| text.to_owned()));
    }
    notes.extend(facts.get("multipleOf").map(|of| format!("A multiple of {of}.")));
    notes.extend(
        facts.get("pattern").and_then(Value::as_str).map(|it| format!("Matches {}.", code(it))),
    );
    let combined = ["allOf", "anyOf", "oneOf", "not"].into_iter();
    let combined = join(combined.filter(|it| facts.contains_key(it)).map(code), ", ");
    if !combined.is_empty() && !is_int_or_string(facts) {
        notes.push(format!("Servers also check {combined} of its schema."));
    }
    notes.extend(rules(facts));
    notes
}

/// The known words and numbers.
fn words(facts: &Facts) -> Option<String> {
    let words = facts.get("enum")?.as_array()?;
    let shown = words.iter().take(MOST_WORDS).map(|word| match word {
        Value::String(text) => code(text),
        other => code(&other.to_string()),
    });
    let more = if words.len() > MOST_WORDS { ", and others" } else { "" };
    Some(format!("One of {}{more}.", join(shown, ", ")))
}

fn limits(facts: &Facts, [least, most]: [&str; 2], unit: &str) -> Option<String> {
    match (facts.get(least), facts.get(most)) {
        (Some(least), Some(most)) if least == most => Some(format!("Exactly {least}{unit}.")),
        (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}.")),
        (Some(least), None) => Some(format!("At least {least}{unit}.")),
        (None, Some(most)) => Some(format!("At most {most}{unit}.")),
        (None, None) => None,
    }
}

/// The rules in the Common Expression Language, each with its message.
fn rules(facts: &Facts) -> impl Iterator<Item = String> {
    let rules = facts.get("x-kubernetes-validations").and_then(Value::as_array);
    rules.into_iter().flatten().filter_map(|rule| {
        let text = |key| rule.get(key).and_then(Value::as_str).map(str::trim);
        let message = text("message").filter(|message| !message.is_empty());
        let message = message.map(|message| format!(" ({})", super::prose::line(message)));
        Some(format!("Rule: {}{}.", code(text("rule")?), message.unwrap_or_default()))
    })
}

/// Returns `true` if the only alternatives are a number and a text.
fn is_int_or_string(facts: &Facts) -> bool {
    let of = facts.get("anyOf").and_then(Value::as_array);
    of.is_some_and(|of| {
        of.iter()
            .all(|it| it.as_object().is_some_and(|it| it.len() == 1 && it.contains_key("type")))
    })
}

/// A text as code in rustdoc, in one line.
fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ticks = if line.contains("``") {
        return format!("`{}`", line.replace('`', "'"));
    } else if line.contains('`') {
        "``"
    } else {
        "`"
    };
    let space = if ticks.len() > 1 || line.is_empty() { " " } else { "" };
    format!("{ticks}{space}{line}{space}{ticks}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::of_value;

    #[test]
    fn checks_as_text() {
        let facts = [
            ("enum", json!(["A", 1])),
            ("minLength", json!(1)),
            ("maxLength", json!(63)),
            ("maximum", json!(3.5)),
            ("pattern", json!("^a`b$")),
            ("not", json!({})),
            (
                "x-kubernetes-validations",
                json!([{"rule": "self.a ==\n self.b", "message": "<a> is b"}]),
            ),
        ];
        let notes = of_value(&facts.into_iter().collect());
        let expected = [
            "One of `A`, `1`.",
            "1 to 63 characters.",
            "At most 3.5.",
            "Matches `` ^a`b$ ``.",
            "Servers also check `not` of its schema.",
            "Rule: `self.a == self.b` (\\<a\\> is b).",
        ];
        assert_eq!(notes, expected);
    }
}
