//! The report of a conversion.

use std::collections::HashSet;
use std::fmt;

use k8s_versioned_core::findings::Severity;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::field::{FieldPath, join};
use crate::quoted::Short;

/// The report of a conversion: findings, each with its field.
///
/// It is empty, without an allocation, if all fields are the same in both versions. The report of a list has all
/// findings of its items, with paths such as `items[3].spec.strategy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversionReport {
    entries: Vec<Entry>,
}

impl ConversionReport {
    /// A report without findings.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Returns `true` if there are no findings.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of findings.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The findings, each with its field, in the order in which the conversion makes them.
    ///
    /// A path belongs to the version that has the field: the source for a value that the annotation keeps, the target for a
    /// value that is missing there.
    pub fn iter(&self) -> impl Iterator<Item = (&FieldPath, &ConversionFinding)> {
        self.entries.iter().map(|entry| (&entry.path, &entry.finding))
    }

    /// The severity of the gravest finding.
    pub fn severity(&self) -> Option<Severity> {
        self.entries.iter().map(|entry| entry.finding.severity()).min()
    }

    /// The findings about an item of a list; paths begin at the item.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        let of_item = |entry: &Entry| {
            let (found, path) = split_item(&entry.path)?;
            let finding = entry.finding.clone();
            (found == index).then_some(Entry { path, finding })
        };
        let entries = self.entries.iter().filter_map(of_item).collect();
        Self { entries }
    }

    /// The findings of at least this severity.
    #[must_use]
    pub fn at_least(&self, severity: Severity) -> Self {
        // The gravest severity is the first.
        let severe = |entry: &&Entry| entry.finding.severity() <= severity;
        let entries = self.entries.iter().filter(severe).cloned().collect();
        Self { entries }
    }

    /// Adds a finding.
    pub fn add(&mut self, path: impl Into<FieldPath>, finding: ConversionFinding) {
        let path = path.into();
        self.entries.push(Entry { path, finding });
    }

    /// Reports a field that servers of the target version require, unless it is there.
    #[doc(hidden)]
    #[inline]
    pub fn require(&mut self, path: &'static str, is_present: bool) {
        // Hot path, row `convert` of the benches.
        if !is_present {
            self.missing(path);
        }
    }

    #[cold]
    fn missing(&mut self, path: &'static str) {
        let path = FieldPath::new(path);
        let entry = Entry { path, finding: ConversionFinding::InvalidInTarget };
        if !self.entries.contains(&entry) {
            self.entries.push(entry);
        }
    }

    /// Takes back the reports of missing fields inside an object that is not there. The first findings are not about it.
    pub(crate) fn take_back_inside(&mut self, object: &str, first: usize) {
        let last = self.entries.split_off(first);
        self.entries.extend(last.into_iter().filter(|Entry { path, finding }| {
            *finding != ConversionFinding::InvalidInTarget
                || *path == *object
                || !path.is_in(object)
        }));
    }

    /// Takes back the last report that a field is filled.
    pub(crate) fn take_back_filled(&mut self, field: &str) {
        let is_of_field = |entry: &Entry| {
            entry.path.as_str() == field
                && matches!(entry.finding, ConversionFinding::Filled { .. })
        };
        if let Some(last) = self.entries.iter().rposition(is_of_field) {
            self.entries.remove(last);
        }
    }

    /// Takes back the reports of missing fields after the first findings.
    pub(crate) fn take_back_lacking(&mut self, first: usize) {
        let last = self.entries.split_off(first.min(self.entries.len()));
        let others = |entry: &Entry| entry.finding != ConversionFinding::InvalidInTarget;
        self.entries.extend(last.into_iter().filter(others));
    }

    /// Removes the findings that a field, or a field inside it, is missing: its value is passed on as it is.
    pub(crate) fn is_passed_on(&mut self, field: &FieldPath) {
        self.entries.retain(|Entry { path, finding }| {
            let is_missing =
                matches!(finding, ConversionFinding::InvalidInTarget | ConversionFinding::Missing);
            !is_missing || !path.is_in(field.as_str())
        });
    }

    /// Takes back that servers of the target version would refuse these fields: a step of the program has changed their values.
    pub(crate) fn are_filled(&mut self, fields: &HashSet<FieldPath>) {
        self.entries.retain(|Entry { path, finding }| {
            *finding != ConversionFinding::InvalidInTarget || !fields.contains(path)
        });
    }

    /// Adds the findings of `work`, as findings about an item of a list.
    pub fn of_item<T>(&mut self, index: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut inner = Self::new();
        let result = work(&mut inner);
        self.add_at(item(index).as_str(), inner);
        result
    }

    /// Adds the findings about an object that is at `path`.
    pub(crate) fn add_at(&mut self, path: &str, inner: Self) {
        self.entries.extend(inner.entries.into_iter().map(|entry| Entry {
            path: join(path, entry.path.as_str()).into(),
            finding: entry.finding,
        }));
    }
}

/// One line for each finding.
impl fmt::Display for ConversionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.entries.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Entry {
    path: FieldPath,
    #[serde(flatten)]
    finding: ConversionFinding,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.finding)
    }
}

// Paths of annotations, and of fields in the items of a list.

const ITEMS: FieldPath = FieldPath::new("items");

/// The path of an annotation.
pub(crate) fn annotation(key: &str) -> FieldPath {
    FieldPath::from(format!("metadata.annotations[{key}]"))
}

/// The path of an item of a list.
pub(crate) fn item(index: usize) -> FieldPath {
    ITEMS.index(index)
}

/// The index of the item that the field is in, and the path of the field in that item. `None` if the field is not in an
/// item of a list.
pub(crate) fn split_item(path: &FieldPath) -> Option<(usize, FieldPath)> {
    let rest = path.as_str().strip_prefix(ITEMS.as_str())?;
    let (index, field) = rest.strip_prefix('[')?.split_once(']')?;
    let field = field.strip_prefix('.').unwrap_or(field);
    Some((index.parse().ok()?, field.to_owned().into()))
}

/// A finding about a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ConversionFinding {
    /// The target cannot hold the value; it is kept in the annotation for the way back.
    Preserved {
        /// The value; `null` for an absent one.
        value: Value,
    },
    /// The value came back from the annotation.
    Restored {
        /// The value; `null` for an absent one.
        value: Value,
    },
    /// The source had no value; a policy supplied one, or the rule of the field.
    Filled {
        /// The value of the policy or the rule.
        value: Value,
    },
    /// The target does not have the field, and its value is the one with which the rule fills it on the way back: it is not kept.
    Implied {
        /// The value.
        value: Value,
    },
    /// A kept value does not agree with the live field, which was edited since. The kept value is discarded.
    Stale {
        /// The kept value, discarded.
        kept: Value,
        /// The live value, which stays.
        live: Value,
    },
    /// The annotation holds a text that no conversion writes. It is discarded.
    Malformed {
        /// The text, discarded.
        text: String,
        /// The reason why it cannot be read.
        reason: String,
    },
    /// The annotation holds values that can be read and that no conversion keeps. They are discarded.
    Unsupported {
        /// The text, discarded.
        text: String,
        /// The reason why it is not used.
        reason: String,
    },
    /// A kept value adds nothing to the live field. It is discarded.
    Redundant {
        /// The discarded value.
        value: Value,
    },
    /// The value is not kept, because the annotations would be larger than servers allow. An annotation marks the field.
    TooLarge {
        /// The value, which is not in the target.
        value: Value,
    },
    /// The object was read in a version that could not show these fields, because the annotations had no room for their values. The
    /// object of which it was made has them; this one does not.
    NotShown {
        /// The fields by version and path, with the bytes of their values.
        value: Value,
    },
    /// The annotation of an earlier webhook was read: the values that the source cannot hold are kept values from now on.
    Adopted {
        /// The values by version and path.
        value: Value,
    },
    /// The annotations have no room for the one of an earlier webhook, which the rules let conversions write. Nothing is lost, unless
    /// that webhook takes over again.
    NotHandedBack {
        /// The bytes of its text.
        bytes: usize,
    },
    /// The target cannot hold the value, and there is no annotation to keep it in.
    Lost {
        /// The value, lost.
        value: Value,
    },
    /// Servers of the target version require the field, and there is no value for it.
    InvalidInTarget,
    /// The source has no value for the field, and the policy refuses such objects.
    Refused,
    /// The source lacks a part of the object, or a field that its version requires: it counts as empty. Objects that are read as
    /// JSON have this finding; a typed object cannot tell.
    Missing,
    /// The value is not of the type that the source version declares. It is passed on unchanged. Conversions of JSON have this
    /// finding, and so conversion webhooks.
    OtherType {
        /// The value, at the same place of the target.
        value: Value,
    },
    /// The source version does not have the field, so it is dropped, as servers do.
    UnknownField {
        /// The value, dropped.
        value: Value,
    },
    /// The source lacks more parts, whose paths are too long together: a long name can be around many.
    MoreMissing {
        /// The number of these parts.
        count: usize,
    },
    /// The source has more fields that its version does not have. Their paths together are too long to list.
    MoreUnknownFields {
        /// The number of these fields.
        count: usize,
    },
}

impl ConversionFinding {
    /// The severity: an error if a policy of the caller refuses the object; a warning if a value is lost, or if servers of
    /// the target version will reject the object; otherwise a note.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Preserved { .. }
            | Self::Restored { .. }
            | Self::Filled { .. }
            | Self::Implied { .. }
            | Self::Redundant { .. }
            | Self::Adopted { .. }
            | Self::NotHandedBack { .. }
            | Self::Missing
            | Self::MoreMissing { .. } => Severity::Note,
            Self::InvalidInTarget
            | Self::Stale { .. }
            | Self::Malformed { .. }
            | Self::Unsupported { .. }
            | Self::TooLarge { .. }
            | Self::NotShown { .. }
            | Self::Lost { .. }
            | Self::OtherType { .. }
            | Self::UnknownField { .. }
            | Self::MoreUnknownFields { .. } => Severity::Warning,
            Self::Refused => Severity::Error,
        }
    }
}

impl fmt::Display for ConversionFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut with = |text: &str, value: &Value| write!(f, "{text} {}", Shown(value));
        match self {
            Self::Preserved { value } => with("kept in an annotation:", value),
            Self::Restored { value } => with("restored from the annotation:", value),
            Self::Filled { value } => with("had no value, filled with", value),
            Self::Implied { value } => {
                with("not kept, as the conversion back fills it with", value)
            }
            Self::Redundant { value } => with("redundant in the annotation:", value),
            Self::TooLarge { value } => {
                with("not kept because the annotations have no room for it:", value)
            }
            Self::NotShown { value } => {
                with("the version in which it was read could not show", value)
            }
            Self::Adopted { value } => {
                with("read once, and kept in annotations of ours from now on:", value)
            }
            Self::Lost { value } => with("lost:", value),
            Self::Stale { kept, live } => {
                let (kept, live) = (Shown(kept), Shown(live));
                write!(f, "edited: the kept value {kept} is discarded, the live value {live} stays")
            }
            Self::Malformed { text, reason } => discarded(f, "cannot be read", (text, reason)),
            Self::Unsupported { text, reason } => discarded(f, "cannot be used", (text, reason)),
            Self::NotHandedBack { bytes } => {
                write!(f, "not written for the earlier webhook: no room for its {bytes} bytes")
            }
            Self::OtherType { value } => {
                let value = value.to_string();
                write!(f, "not of the declared type, passed on unchanged: {}", Short(&value))
            }
            Self::UnknownField { value } => {
                let value = value.to_string();
                write!(f, "not a field of this version, dropped: {}", Short(&value))
            }
            Self::MoreMissing { count } => {
                write!(f, "{count} parts more are absent, whose paths are too long together")
            }
            Self::MoreUnknownFields { count } => {
                write!(f, "{count} fields more are not of this version, dropped: ")?;
                f.write_str("their paths are too long together")
            }
            Self::InvalidInTarget => {
                f.write_str("empty, but servers of the target version require it")
            }
            Self::Refused => f.write_str("has no value, but the caller requires one"),
            Self::Missing => f.write_str("absent, counts as empty"),
        }
    }
}

/// Writes why a text of an annotation is discarded.
fn discarded(f: &mut fmt::Formatter<'_>, what: &str, (text, reason): (&str, &str)) -> fmt::Result {
    write!(f, "discarded because it {what} ({}): {}", Short(reason), Short(text))
}

/// The value of a field.
struct Shown<'a>(&'a Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("absent"),
            value => Short(&value.to_string()).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldPath, item, join, split_item};

    #[test]
    fn items_can_be_split_off() {
        let table = [
            ("spec.strategy", "items[12].spec.strategy"),
            (r#"["odd ] key"].a"#, r#"items[12]["odd ] key"].a"#),
            ("", "items[12]"),
        ];
        for (field, expected) in table {
            let field = FieldPath::new(field);
            let path = FieldPath::from(join(item(12).as_str(), field.as_str()));
            assert_eq!(path, expected);
            assert_eq!(split_item(&path), Some((12, field.clone())));
            assert_eq!(split_item(&field), None);
        }
        assert_eq!(split_item(&FieldPath::new("items[x].spec")), None);
    }
}
