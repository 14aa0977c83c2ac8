//! What servers check in the values of custom resources: formats, limits, patterns, known words, alternatives and CEL rules.

use std::collections::BTreeSet;

use k8s_versioned_admission::formats::Format;
use k8s_versioned_core::Short;
use litemap::LiteMap;
use serde_json::{Value, json};

use super::ChangeKind;
use super::change_kinds::{
    ALTERNATIVES_CHANGED, ALTERNATIVES_NARROWER, ALTERNATIVES_WIDER, EMBEDDED, FORMAT_ADDED,
    FORMAT_CHANGED, FORMAT_REMOVED, FORMAT_UNKNOWN, ITEMS_REPEAT, LIMIT_CHANGED, LIMIT_NARROWER,
    LIMIT_WIDER, NOT_EMBEDDED, PATTERN_ADDED, PATTERN_CHANGED, PATTERN_REMOVED, RULE_ADDED,
    RULE_ANSWER, RULE_OLD_SELF, RULE_REMOVED, SELECTABLE_ADDED, SELECTABLE_REMOVED, UNIQUE_ITEMS,
    WORDS_ADDED, WORDS_REMOVED,
};
use super::finding::pairs;
use crate::gather::Gather;
use crate::spec::{LIST_MAP_KEYS, flag, is_int_or_string};
use crate::text::join;

/// A change of a check.
pub(super) struct Change {
    pub(super) rule: ChangeKind,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
}

/// The rules about one keyword: it was added, it was removed, or it is another one.
type Rules = [ChangeKind; 3];

/// Compares what servers check in a value itself, not in its parts.
pub(super) fn compare(was: &Value, is: &Value) -> Vec<Change> {
    let mut changes = words(was, is);
    changes.extend(format(was, is));
    changes.extend(other(was, is, "pattern", [PATTERN_ADDED, PATTERN_REMOVED, PATTERN_CHANGED]));
    changes.extend(limits(was, is));
    changes.extend(alternatives(was, is));
    changes.extend(rules(was, is));
    changes.extend(selectable_fields(was, is));
    let flags = [
        ("uniqueItems", UNIQUE_ITEMS, ITEMS_REPEAT),
        ("x-kubernetes-embedded-resource", EMBEDDED, NOT_EMBEDDED),
    ];
    for (keyword, added, removed) in flags {
        match (flag(was, keyword), flag(is, keyword)) {
            (false, true) => changes.push(Change { rule: added, old: None, new: None }),
            (true, false) => changes.push(Change { rule: removed, old: None, new: None }),
            _ => {}
        }
    }
    changes
}

/// The change of a keyword whose two values cannot be compared.
fn other(was: &Value, is: &Value, keyword: &str, rules: Rules) -> Option<Change> {
    let [before, after] = [was, is].map(|schema| schema.get(keyword));
    let [added, removed, changed] = rules;
    let rule = match (before, after) {
        (None, Some(_)) => added,
        (Some(_), None) => removed,
        (before, after) if before != after => changed,
        _ => return None,
    };
    let text = |value: Option<&Value>| value.map(|value| short(&format!("{keyword} {value}")));
    Some(Change { rule, old: text(before), new: text(after) })
}

fn short(text: &str) -> String {
    Short(text).to_string()
}

// Known words.

fn words(was: &Value, is: &Value) -> Vec<Change> {
    let words = |schema: &Value| -> Option<BTreeSet<String>> {
        let words = schema.get("enum")?.as_array()?;
        Some(words.iter().map(ToString::to_string).collect())
    };
    let text = |words: &mut dyn Iterator<Item = &String>| {
        let text = join(words, ", ");
        (!text.is_empty()).then(|| short(&text))
    };
    let any = || Some("any value".to_owned());
    let change = |rule, old, new| Change { rule, old, new };
    match (words(was), words(is)) {
        (Some(was), Some(is)) => {
            let added = text(&mut is.difference(&was));
            let removed = text(&mut was.difference(&is));
            let added = added.map(|words| change(WORDS_ADDED, None, Some(words)));
            let removed = removed.map(|words| change(WORDS_REMOVED, Some(words), None));
            added.into_iter().chain(removed).collect()
        }
        (None, Some(words)) => vec![change(WORDS_REMOVED, any(), text(&mut words.iter()))],
        (Some(words), None) => vec![change(WORDS_ADDED, text(&mut words.iter()), any())],
        (None, None) => Vec::new(),
    }
}

// Formats.

/// The format that servers check, if they know it. That of a whole number is its size, a part of its type, and every text is a
/// `password`.
fn known_format(schema: &Value) -> Option<&str> {
    let format = schema.get("format")?.as_str()?;
    match schema.get("type").and_then(Value::as_str) {
        Some("number") => (format == "float").then_some(format),
        Some("integer") => None,
        _ => Format::named(format).filter(|known| *known != Format::Password).map(|_| format),
    }
}

fn format(was: &Value, is: &Value) -> Option<Change> {
    let [before, after] = [was, is].map(|schema| schema.get("format").and_then(Value::as_str));
    let size = |schema: &Value| schema.get("type").is_some_and(|of_type| of_type == "integer");
    if before == after || size(was) && size(is) || is_int_or_string(is) {
        return None;
    }
    let rule = match (known_format(was), known_format(is)) {
        (None, None) => FORMAT_UNKNOWN,
        (None, Some(_)) => FORMAT_ADDED,
        (Some(_), None) => FORMAT_REMOVED,
        (Some(was), Some(is)) if Format::named(was) == Format::named(is) => FORMAT_UNKNOWN,
        _ => FORMAT_CHANGED,
    };
    let text = |format: Option<&str>| Some(short(format.unwrap_or("no format")));
    Some(Change { rule, old: text(before), new: text(after) })
}

// Limits.

/// The keywords with the most and the least that servers accept.
const MOST: [&str; 4] = ["maxItems", "maxLength", "maxProperties", "maximum"];
const LEAST: [&str; 4] = ["minItems", "minLength", "minProperties", "minimum"];

/// A limit: the number, and whether it is outside.
type Limit = Option<(f64, bool)>;

fn limits(was: &Value, is: &Value) -> Vec<Change> {
    let most = MOST.iter().map(|keyword| (*keyword, 1.0));
    let all = most.chain(LEAST.iter().map(|keyword| (*keyword, -1.0)));
    let of_keyword = |(keyword, sign): (&str, f64)| {
        let (before, after) = (limit(was, keyword), limit(is, keyword));
        let rule = match (before, after) {
            (None, None) => return None,
            (None, Some(_)) => LIMIT_NARROWER,
            (Some(_), None) => LIMIT_WIDER,
            (Some((was, was_outside)), Some((is, is_outside))) => {
                // A limit that is outside is the tighter one of two that are equal.
                let tighter = is_outside.cmp(&was_outside).reverse();
                match (sign * is).total_cmp(&(sign * was)).then(tighter) {
                    std::cmp::Ordering::Less => LIMIT_NARROWER,
                    std::cmp::Ordering::Equal => return None,
                    std::cmp::Ordering::Greater => LIMIT_WIDER,
                }
            }
        };
        let text = |limit: Limit| match limit {
            None => Some(format!("no {keyword}")),
            Some((limit, outside)) => {
                let inside = if outside { " (excluded)" } else { "" };
                Some(format!("{keyword} {limit}{inside}"))
            }
        };
        Some(Change { rule, old: text(before), new: text(after) })
    };
    all.filter_map(of_keyword).chain(multiples(was, is)).collect()
}

fn limit(schema: &Value, keyword: &str) -> Limit {
    let limit = schema.get(keyword)?.as_f64()?;
    let outside = match keyword {
        "maximum" => flag(schema, "exclusiveMaximum"),
        "minimum" => flag(schema, "exclusiveMinimum"),
        // A text has at least no characters.
        _ if keyword.starts_with("min") && limit <= 0.0 => return None,
        _ => false,
    };
    Some((limit + 0.0, outside))
}

fn multiples(was: &Value, is: &Value) -> Option<Change> {
    let rules = [LIMIT_NARROWER, LIMIT_WIDER, LIMIT_CHANGED];
    let mut change = other(was, is, "multipleOf", rules)?;
    let whole = |schema: &Value| schema.get("multipleOf")?.as_u64().filter(|factor| *factor > 0);
    if let (Some(was), Some(is)) = (whole(was), whole(is)) {
        change.rule = match (was.checked_rem(is), is.checked_rem(was)) {
            (Some(0), _) => LIMIT_WIDER,
            (_, Some(0)) => LIMIT_NARROWER,
            _ => LIMIT_CHANGED,
        };
    }
    Some(change)
}

// Alternatives.

fn alternatives(was: &Value, is: &Value) -> Vec<Change> {
    let [was, is] = [was, is].map(stated_alternatives);
    let rules = [ALTERNATIVES_NARROWER, ALTERNATIVES_WIDER, ALTERNATIVES_CHANGED];
    let of_keyword = |keyword: &&str| {
        let mut change = other(&was, &is, keyword, rules)?;
        let list = |side: &Value| side.get(*keyword).and_then(Value::as_array).cloned();
        if let (Some(was), Some(is)) = (list(&was), list(&is)) {
            let has_all = |one: &[Value], all: &[Value]| one.iter().all(|word| all.contains(word));
            change.rule = match (*keyword, has_all(&was, &is), has_all(&is, &was)) {
                ("allOf" | "anyOf", true, true) => return None,
                ("allOf", true, _) | ("anyOf", _, true) => ALTERNATIVES_NARROWER,
                ("allOf", _, true) | ("anyOf", true, _) => ALTERNATIVES_WIDER,
                _ => ALTERNATIVES_CHANGED,
            };
        }
        Some(change)
    };
    ["allOf", "anyOf", "not", "oneOf"].iter().filter_map(of_keyword).collect()
}

/// The alternatives that the author of a schema stated, without the types of a whole number or a text.
fn stated_alternatives(schema: &Value) -> Value {
    let mut stated = serde_json::Map::new();
    let types = json!([{"type": "integer"}, {"type": "string"}]);
    let is_types = |alternatives: &Value| is_int_or_string(schema) && *alternatives == types;
    for keyword in ["allOf", "anyOf", "not", "oneOf"] {
        let Some(mut value) = schema.get(keyword).filter(|value| !is_types(value)).cloned() else {
            continue;
        };
        if let Value::Array(all) = &mut value {
            all.retain(|schema| !schema.get("anyOf").is_some_and(is_types));
            if all.is_empty() {
                continue;
            }
        }
        stated.insert(keyword.to_owned(), value);
    }
    stated.into()
}

// CEL rules.

fn rules(was: &Value, is: &Value) -> Vec<Change> {
    let (before, after) = (by_text(was), by_text(is));
    let mut changes = Vec::new();
    for (text, was, is) in pairs(&before, &after) {
        let text = Some(short(text));
        match (was, is) {
            (Some(_), None) => changes.push(Change { rule: RULE_REMOVED, old: text, new: None }),
            (None, Some(_)) => changes.push(Change { rule: RULE_ADDED, old: None, new: text }),
            (Some(was), Some(is)) => {
                let fields = ["fieldPath", "message", "messageExpression", "reason"];
                let differs = |field: &&str| was.get(*field) != is.get(*field);
                let answers = join(fields.iter().filter(|field| differs(field)), ", ");
                if differs(&"optionalOldSelf") {
                    changes.push(Change { rule: RULE_OLD_SELF, old: None, new: text });
                } else if !answers.is_empty() {
                    let new = text.map(|text| format!("{answers} of {text}"));
                    changes.push(Change { rule: RULE_ANSWER, old: None, new });
                }
            }
            (None, None) => {}
        }
    }
    changes
}

/// The rules by their texts, without the space around.
fn by_text(schema: &Value) -> LiteMap<&str, &Value> {
    let rules = schema.get("x-kubernetes-validations").and_then(Value::as_array);
    let rules = rules.into_iter().flatten();
    rules.filter_map(|rule| Some((rule.get("rule")?.as_str()?.trim(), rule))).gather()
}

/// The fields by which lists can be selected, of a kind.
fn selectable_fields(was: &Value, is: &Value) -> Vec<Change> {
    let paths = |schema: &Value| -> BTreeSet<String> {
        let fields = schema.get("x-kubernetes-selectable-fields").and_then(Value::as_array);
        let paths =
            fields.into_iter().flatten().filter_map(|field| field.get("fieldPath")?.as_str());
        paths.map(str::to_owned).gather()
    };
    let (was, is) = (paths(was), paths(is));
    let removed = was.difference(&is).cloned();
    let removed =
        removed.map(|path| Change { rule: SELECTABLE_REMOVED, old: Some(path), new: None });
    let added = is.difference(&was).cloned();
    let added = added.map(|path| Change { rule: SELECTABLE_ADDED, old: None, new: Some(path) });
    removed.chain(added).collect()
}

// Lists.

fn list_type(schema: &Value) -> &str {
    let stated = schema.get("x-kubernetes-list-type").and_then(Value::as_str);
    stated.filter(|stated| *stated != "atomic").unwrap_or_default()
}

/// Returns `true` if servers compare the items of a list by a rule that they did not have.
pub(super) fn narrows_list(was: &Value, is: &Value) -> bool {
    !list_type(is).is_empty() && list_type(was) != list_type(is)
}

/// Returns `true` if items that had different keys can have equal ones.
pub(super) fn narrows_keys(was: &Value, is: &Value) -> bool {
    let keys = |schema: &Value| -> Vec<Value> {
        schema.get(LIST_MAP_KEYS).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let (before, after) = (keys(was), keys(is));
    list_type(was) == "map"
        && list_type(is) == "map"
        && !before.iter().all(|key| after.contains(key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::known_format;

    #[test]
    fn formats_that_change_nothing_are_not_known() {
        let known =
            |of_type, format| known_format(&json!({"type": of_type, "format": format})).is_some();
        assert!(
            known("string", "date-time") && known("string", "uuid") && known("number", "float")
        );
        for name in ["password", "binary", "DateTime", "int32"] {
            assert!(!known("string", name), "{name}");
        }
        assert!(!known("integer", "int32") && !known("number", "double"));
    }
}
