//! The report of a conversion.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Finding, Severity, path};
use k8s_versioned::field::FieldPath;

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
    pub fn iter(&self) -> impl Iterator<Item = (&FieldPath, &Finding)> {
        self.entries.iter().map(|entry| (&entry.path, &entry.finding))
    }

    /// The highest severity of the findings.
    pub fn severity(&self) -> Option<Severity> {
        self.entries.iter().map(|entry| entry.finding.severity()).max()
    }

    /// The findings about an item of a list; paths begin at the item.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        let of_item = |entry: &Entry| {
            let (found, path) = path::split_item(&entry.path)?;
            let finding = entry.finding.clone();
            (found == index).then_some(Entry { path, finding })
        };
        let entries = self.entries.iter().filter_map(of_item).collect();
        Self { entries }
    }

    /// The findings of at least this severity.
    #[must_use]
    pub fn at_least(&self, severity: Severity) -> Self {
        let severe = |entry: &&Entry| entry.finding.severity() >= severity;
        let entries = self.entries.iter().filter(severe).cloned().collect();
        Self { entries }
    }

    /// Adds a finding.
    pub fn add(&mut self, path: impl Into<FieldPath>, finding: Finding) {
        let path = path.into();
        self.entries.push(Entry { path, finding });
    }

    /// Reports a field that servers of the target version require, unless it is there.
    #[doc(hidden)]
    pub fn require(&mut self, path: &'static str, there: bool) {
        if !there {
            self.add(path, Finding::InvalidInTarget);
        }
    }

    /// Adds the findings of `work`, as findings about an item of a list.
    pub fn of_item<T>(&mut self, index: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut inner = Self::new();
        let result = work(&mut inner);
        self.add_at(path::item(index).as_str(), inner);
        result
    }

    /// Adds the findings about an object that is at `path`.
    pub(crate) fn add_at(&mut self, path: &str, inner: Self) {
        self.entries.extend(inner.entries.into_iter().map(|entry| Entry {
            path: path::join(path, entry.path.as_str()).into(),
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
    finding: Finding,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.finding)
    }
}
