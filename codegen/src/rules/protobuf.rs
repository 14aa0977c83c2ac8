//! `field-numbers.toml` and `protobuf.toml`: what the documents do not state of protobuf. The first has the number of
//! each field, by schema and name, and `cargo xtask import` adds to it; the second states what Go holds by a pointer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use serde::Deserialize;

use crate::gather::Gather;
use crate::input::toml_file::{key, optional};
use crate::problem::{Place, RuleCause};
use crate::text::join;
use crate::{Files, Problems};
use toml::Spanned;

/// The file of the numbers.
pub(crate) const NUMBERS: &str = "field-numbers.toml";

/// The file of the presence.
pub(crate) const PRESENCE: &str = "protobuf.toml";

/// The highest number that protobuf allows, and the numbers that it keeps for itself.
const HIGHEST: u32 = (1 << 29) - 1;
const RESERVED: std::ops::RangeInclusive<u32> = 19_000..=19_999;

/// The most messages around a field that are not objects in JSON. Upstream has two.
pub(crate) const MOST_EMBEDDED: usize = 4;

/// The number of a field in its message. Go embeds structs in structs: their fields are fields of the outer object in JSON, and
/// in protobuf they are in a message of their own. Such a field has the numbers that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(from = "OneOrMore")]
pub(crate) struct FieldNumber(pub(crate) Vec<u32>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(u32),
    More(Vec<u32>),
}

impl From<OneOrMore> for FieldNumber {
    fn from(number: OneOrMore) -> Self {
        match number {
            OneOrMore::One(number) => Self(vec![number]),
            OneOrMore::More(numbers) => Self(numbers),
        }
    }
}

impl fmt::Display for FieldNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [number] => number.fmt(f),
            numbers => write!(f, "[{}]", join(numbers, ", ")),
        }
    }
}

/// The field numbers, and the presence of the fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProtobufRules {
    /// The number of each field, by schema and by the name in JSON.
    pub(crate) numbers: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<FieldNumber>>>,
    /// The presence of the fields, by schema.
    pub(crate) presence: BTreeMap<Spanned<String>, PresenceRule>,
}

/// How Go holds the fields of a message. Lists and maps need no rule: each item or entry is a field of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PresenceRule {
    /// Fields that are always written, also when they are empty or zero.
    #[serde(default)]
    pub(crate) values: Vec<Spanned<String>>,
    /// Fields that are written if they are set, because Go holds a pointer.
    #[serde(default)]
    pub(crate) pointers: Vec<Spanned<String>>,
    /// Lists that are types of their own in Go, and so messages with the items as field 1.
    #[serde(default, rename = "list-messages")]
    pub(crate) list_messages: Vec<Spanned<String>>,
    /// Fields whose numbers are not known yet: bodies in protobuf leave them out.
    #[serde(default, rename = "without-number")]
    pub(crate) without_number: Vec<Spanned<String>>,
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
        let mut seen: Vec<&[u32]> = Vec::new();
        for (name, number) in fields {
            let (place, number) = (Place::of_text(NUMBERS, number), number.get_ref());
            let field = format!("{}.{}", schema.get_ref(), name.get_ref());
            let is_wrong =
                |number: &u32| *number == 0 || *number > HIGHEST || RESERVED.contains(number);
            let wrong = number.0.iter().find(|number| is_wrong(number)).copied();
            let is_long = !(1..=MOST_EMBEDDED).contains(&number.0.len());
            if let Some(number) = wrong.or_else(|| is_long.then_some(0)) {
                problems.push(&place, RuleCause::FieldNumberRange { field, number });
            } else if seen.iter().any(|other| overlap(other, &number.0)) {
                let number = number.to_string();
                problems.push(&place, RuleCause::FieldNumberTwice { field, number });
            }
            seen.push(&number.0);
        }
    }
}

/// Returns `true` if one of two numbers leads to the other.
fn overlap(one: &[u32], other: &[u32]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// The text of the file with these numbers, by schema and name.
pub(crate) fn write_numbers(numbers: &BTreeMap<String, BTreeMap<String, FieldNumber>>) -> String {
    let mut text = "\
# The numbers of the fields in protobuf, by schema and by the name in JSON. `cargo xtask import` adds the numbers
# of a release from upstream's `generated.proto`. A number never changes. Several numbers lead to a field of a struct that Go
# embeds, which is a message in protobuf.
"
    .to_owned();
    for (schema, fields) in numbers {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n[\"{schema}\"]");
        for (name, number) in fields.iter().sorted_by_key(|(_, number)| *number) {
            let _ = writeln!(text, "{} = {number}", key(name));
        }
    }
    text
}

/// The presence of the fields of a schema, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Presence {
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) values: BTreeSet<String>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) pointers: BTreeSet<String>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) list_messages: BTreeSet<String>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) without_number: BTreeSet<String>,
}

impl From<&PresenceRule> for Presence {
    fn from(rule: &PresenceRule) -> Self {
        let names = |of: &[Spanned<String>]| of.iter().map(|name| name.get_ref().clone()).gather();
        Self {
            values: names(&rule.values),
            pointers: names(&rule.pointers),
            list_messages: names(&rule.list_messages),
            without_number: names(&rule.without_number),
        }
    }
}

/// The text of the file of the presence. The comment at the head of the present text is kept.
pub(crate) fn write_presence(presence: &BTreeMap<String, Presence>, now: Option<&str>) -> String {
    let head = now.map(|text| text.split_once("\n[").map_or(text, |(head, _)| head));
    let head = head.map_or(
        "# How Go holds the fields that protobuf writes, from upstream's `types.go`.",
        str::trim_end,
    );
    // TOML can hold every value of this type.
    let body = toml::to_string(presence).unwrap_or_default();
    format!("{head}\n\n{body}")
}
