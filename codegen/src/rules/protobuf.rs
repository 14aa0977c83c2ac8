//! `field-numbers.toml` and `protobuf.toml`: what the documents do not state of protobuf. The first has the number of
//! each field, by schema and name, and `cargo xtask import` adds to it; the second states what Go holds by a pointer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Deserialize;

use super::descriptions::Text;
use crate::input::toml_file::optional;
use crate::problem::{Place, RuleCause};
use crate::{Files, Problems};

/// The file of the numbers.
pub const NUMBERS: &str = "field-numbers.toml";

/// The file of the presence.
pub const PRESENCE: &str = "protobuf.toml";

/// The highest number that protobuf allows, and the numbers that it keeps for itself.
const HIGHEST: u32 = (1 << 29) - 1;
const RESERVED: std::ops::RangeInclusive<u32> = 19_000..=19_999;

/// The field numbers, and the presence of the fields.
#[derive(Clone, Debug, Default)]
pub struct ProtobufRules {
    /// The number of each field, by schema and by the name in JSON.
    pub numbers: BTreeMap<Text, BTreeMap<Text, toml::Spanned<u32>>>,
    /// The presence of the fields, by schema.
    pub presence: BTreeMap<Text, PresenceRule>,
}

/// How Go holds the fields of a message. Lists and maps need no rule: each item or entry is a field of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresenceRule {
    /// Fields that are always written, also when they are empty or zero.
    #[serde(default)]
    pub values: Vec<Text>,
    /// Fields that are written if they are set, because Go holds a pointer.
    #[serde(default)]
    pub pointers: Vec<Text>,
    /// Lists that are types of their own in Go, and so messages with the items as field 1.
    #[serde(default, rename = "list-messages")]
    pub list_messages: Vec<Text>,
}

/// Reads both files; `None` if there is neither, so that no code for protobuf is made.
pub(crate) fn read(specs: &Files) -> Result<Option<ProtobufRules>, Problems> {
    if !(specs.contains_key(NUMBERS) || specs.contains_key(PRESENCE)) {
        return Ok(None);
    }
    let mut problems = Problems::new();
    let numbers = problems.keep(optional(specs, NUMBERS));
    let presence = problems.keep(optional(specs, PRESENCE));
    let rules = ProtobufRules {
        numbers: numbers.unwrap_or_default(),
        presence: presence.unwrap_or_default(),
    };
    check_numbers(&rules, &mut problems);
    problems.or(Some(rules))
}

fn check_numbers(rules: &ProtobufRules, problems: &mut Problems) {
    for (schema, fields) in &rules.numbers {
        let mut seen = BTreeSet::new();
        for (name, number) in fields {
            let (place, number) = (Place::of_text(NUMBERS, number), *number.get_ref());
            let name = format!("{}.{}", schema.get_ref(), name.get_ref());
            if number == 0 || number > HIGHEST || RESERVED.contains(&number) {
                problems.push(&place, RuleCause::FieldNumberRange { field: name, number });
            } else if !seen.insert(number) {
                problems.push(&place, RuleCause::FieldNumberTwice { field: name, number });
            }
        }
    }
}

/// The text of the file with these numbers, by schema and name.
pub(crate) fn write_numbers(numbers: &BTreeMap<String, BTreeMap<String, u32>>) -> String {
    let mut text = "\
# The numbers of the fields in protobuf, by schema and by the name in JSON. `cargo xtask import` adds the numbers
# of a release from upstream's `generated.proto`. A number never changes.
"
    .to_owned();
    for (schema, fields) in numbers {
        let mut fields: Vec<_> = fields.iter().collect();
        fields.sort_by_key(|(_, number)| **number);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n[\"{schema}\"]");
        for (name, number) in fields {
            let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            let quoted = toml::Value::from(name.as_str()).to_string();
            let name = if name.bytes().all(is_bare) { name } else { &quoted };
            let _ = writeln!(text, "{name} = {number}");
        }
    }
    text
}
