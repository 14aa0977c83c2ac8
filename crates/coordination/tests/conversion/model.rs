//! What the specification says of a candidate, written down a second time and as plainly as possible, to compare with.

use serde_json::{Value, json};

use crate::support::*;

/// The fields of a candidate that are not the same in all versions, and what its annotation holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    pub(crate) version: Version,
    /// In v1alpha1 all of them, elsewhere one at most.
    pub(crate) strategies: Vec<String>,
    /// Elsewhere than in v1alpha1, an empty one is there, too.
    pub(crate) binary_version: Option<String>,
    pub(crate) emulation_version: Option<String>,
    pub(crate) lease_name: String,
    pub(crate) kept: Kept,
}

/// What the annotation holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Kept {
    pub(crate) list: Option<Vec<String>>,
    /// What the binary version was, and what a policy has put in its place.
    pub(crate) version: Option<(Option<String>, Option<String>)>,
    /// An entry of a version that nobody here knows.
    pub(crate) other: Option<String>,
    /// The text is none that is read.
    pub(crate) garbage: bool,
    /// The annotation is there and holds nothing.
    pub(crate) nothing: bool,
    /// It is in format 1, which has no room for the other entry.
    pub(crate) old: bool,
}

/// The version that the other entry is of.
pub(crate) const OTHER: &str = "v9";

impl Kept {
    /// The text of the annotation.
    pub(crate) fn text(&self) -> Option<String> {
        if self.garbage {
            return Some("garbage".to_owned());
        }
        let mut value = json!({"fields": {"v1alpha1": {}}, "format": 2});
        let fields = &mut value["fields"]["v1alpha1"];
        if let Some(list) = &self.list {
            fields["spec.preferredStrategies"] = json!(list);
        }
        if let Some((was, filled)) = &self.version {
            fields["spec.binaryVersion"] = json!(was);
            if let Some(filled) = filled {
                value["filled"] = json!({"v1alpha1": {"spec.binaryVersion": filled}});
            }
        }
        if let Some(other) = &self.other {
            value["fields"][OTHER] = json!({"spec.other": other});
        }
        if self.list.is_none() && self.version.is_none() && self.other.is_none() {
            return self
                .nothing
                .then(|| r#"{"fields":{},"format":2}"#.to_owned());
        }
        Some(
            if self.old {
                format_1(&value)
            } else {
                sparse(value)
            }
            .to_string(),
        )
    }
}

fn sparse(mut value: Value) -> Value {
    let versions = value["fields"].as_object_mut().unwrap();
    versions.retain(|_, fields| *fields != json!({}));
    value
}

fn format_1(value: &Value) -> Value {
    let mut old =
        json!({"fields": value["fields"]["v1alpha1"], "format": 1, "version": "v1alpha1"});
    if let Some(filled) = value.get("filled") {
        old["filled"] = filled["v1alpha1"].clone();
    }
    old
}

pub(crate) fn first(list: &[String]) -> String {
    list.first().cloned().unwrap_or_default()
}

pub(crate) fn list(first: &str) -> Vec<String> {
    match first {
        "" => vec![],
        first => vec![first.to_owned()],
    }
}

fn is_canonical(strategies: &[String]) -> bool {
    list(&first(strategies)) == strategies
}

fn there(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

const LIST: &str = "spec.preferredStrategies";
const BINARY: &str = "spec.binaryVersion";

impl Model {
    /// What the conversion comes to, and the findings of its report in any order.
    pub(crate) fn convert(mut self, to: Version, policy: &Absent<String>) -> (Self, Vec<String>) {
        let mut told = Vec::new();
        if to != self.version {
            if self.kept.garbage {
                told.push(annotation("malformed"));
                self.kept = Kept::default();
            }
            self.kept.old = false;
            if std::mem::take(&mut self.kept.nothing) {
                told.push(annotation("redundant"));
            }
            if self.version == Version::V1alpha1 {
                self.up(policy, &mut told);
            } else if to == Version::V1alpha1 {
                self.down(&mut told);
            }
            self.version = to;
        }
        self.require(&mut told);
        told.sort();
        (self, told)
    }

    fn up(&mut self, policy: &Absent<String>, told: &mut Vec<String>) {
        // The object itself says what the annotation could say of its version.
        if self.kept.list.take().is_some() | self.kept.version.take().is_some() {
            told.push(annotation("unsupported"));
        }
        if !is_canonical(&self.strategies) {
            self.kept.list = Some(self.strategies.clone());
            told.push(format!("{LIST} preserved"));
        }
        self.strategies = list(&first(&self.strategies));
        if self.binary_version.as_deref().is_none_or(str::is_empty) {
            let fill = match policy {
                Absent::Use(fill) => there(fill),
                Absent::UseOther => self.emulation_version.as_deref().and_then(there),
                _ => None,
            };
            if fill.is_some() || self.binary_version.is_some() {
                self.kept.version = Some((self.binary_version.clone(), fill.clone()));
                told.push(format!("{BINARY} preserved"));
            }
            if fill.is_some() {
                told.push(format!("{BINARY} filled"));
            }
            self.binary_version = fill;
        }
        self.binary_version = Some(self.binary_version.take().unwrap_or_default());
    }

    fn down(&mut self, told: &mut Vec<String>) {
        if let Some(kept) = self.kept.list.take() {
            if !is_canonical(&kept) && first(&kept) == first(&self.strategies) {
                self.strategies = kept;
                told.push(format!("{LIST} restored"));
            } else if kept.is_empty() || kept == self.strategies {
                told.push(format!("{LIST} redundant"));
            } else {
                told.push(format!("{LIST} stale"));
            }
        }
        let live = self.binary_version.clone().unwrap_or_default();
        self.binary_version = there(&live);
        if let Some((was, filled)) = self.kept.version.take() {
            let was_empty = was.as_deref().is_none_or(str::is_empty);
            let impossible = filled
                .as_ref()
                .is_some_and(|it| it.is_empty() || !was_empty);
            let became = filled.clone().or(was.clone()).unwrap_or_default();
            let finding = if impossible {
                "malformed"
            } else if was == self.binary_version || (was.is_none() && filled.is_none()) {
                "redundant"
            } else if became == live {
                self.binary_version = was;
                "restored"
            } else {
                "stale"
            };
            told.push(format!("{BINARY} {finding}"));
        }
    }

    fn require(&self, told: &mut Vec<String>) {
        if self.lease_name.is_empty() {
            told.push("spec.leaseName invalidInTarget".to_owned());
        }
        if self.version != Version::V1alpha1 {
            let empty = [
                (first(&self.strategies).is_empty(), "spec.strategy"),
                (self.binary_version.as_deref() == Some(""), BINARY),
            ];
            let empty = empty.into_iter().filter(|(empty, _)| *empty);
            told.extend(empty.map(|(_, path)| format!("{path} invalidInTarget")));
        }
    }

    /// Writes the fields of the spec into a candidate of the same version.
    pub(crate) fn write(&self, candidate: &mut Any) {
        let strategy = first(&self.strategies);
        let binary_version = self.binary_version.clone().unwrap_or_default();
        match candidate {
            Any::V1alpha1(x) => {
                let strategies = self.strategies.iter().map(|it| it.as_str().into());
                x.spec.preferred_strategies = strategies.collect();
                x.spec.binary_version.clone_from(&self.binary_version);
                x.spec.emulation_version.clone_from(&self.emulation_version);
            }
            Any::V1alpha2(y) => {
                y.spec.strategy = strategy.into();
                y.spec.binary_version = binary_version;
                y.spec.emulation_version.clone_from(&self.emulation_version);
            }
            Any::V1beta1(z) => {
                z.spec.strategy = strategy.into();
                z.spec.binary_version = binary_version;
                z.spec.emulation_version.clone_from(&self.emulation_version);
            }
        }
    }

    /// Whether the annotation holds what a conversion has written, and nobody has edited what it is about.
    pub(crate) fn is_settled(&self, policy: &Absent<String>) -> bool {
        let detour = match self.version {
            Version::V1alpha1 => Version::V1beta1,
            _ => Version::V1alpha1,
        };
        let (there, _) = self.clone().convert(detour, policy);
        let (back, _) = there.convert(self.version, policy);
        !self.kept.garbage && !self.kept.nothing && back == *self
    }
}

fn annotation(finding: &str) -> String {
    format!("metadata.annotations[{K}] {finding}")
}
