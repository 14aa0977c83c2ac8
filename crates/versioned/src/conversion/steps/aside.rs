//! Keeping values aside on the way to a version that cannot hold them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::envelope::{ANNOTATIONS_LIMIT, Envelope};
use crate::conversion::{Finding, Report, path};
use crate::field::FieldPath;

/// Values of a version that another version cannot hold. Empty, which costs no allocation, for most objects.
#[derive(Debug)]
pub struct Aside(Envelope);

impl Aside {
    /// Nothing yet of an object of `version`.
    pub fn new(version: &'static str) -> Self {
        Self(Envelope::new(version))
    }

    /// Keeps the value of a field.
    pub fn keep(&mut self, path: &'static str, value: &impl Serialize) {
        self.0.fields.insert(Cow::Borrowed(path), json(value));
    }

    /// Remembers what a policy put in the place of a kept value, so that the way back can tell whether
    /// somebody has edited it.
    pub fn fill(&mut self, path: &'static str, value: &impl Serialize) {
        self.0.filled.insert(Cow::Borrowed(path), json(value));
    }

    /// Puts what there is into the annotation `key`. If the annotations would become larger than servers
    /// allow, they stay as they are and the values are lost.
    ///
    /// There is one annotation. What it holds of yet another version has to make room, which is reported.
    pub fn store(self, annotations: &mut BTreeMap<String, String>, key: &str, report: &mut Report) {
        if self.0.fields.is_empty() {
            return;
        }
        let before = annotations.remove(key);
        let text = self.0.write();
        let text = text.filter(|text| has_room(annotations, key.len() + text.len()));
        let stored = text.is_some();
        if stored && let Some(text) = &before {
            let (text, reason) = (
                text.clone(),
                "there is room for one version only".to_owned(),
            );
            report.add(path::annotation(key), Finding::Unsupported { text, reason });
        }
        annotations.extend(text.or(before).map(|text| (key.to_owned(), text)));
        self.report(report, |value| {
            if stored {
                Finding::Preserved { value }
            } else {
                Finding::TooLarge { value }
            }
        });
    }

    /// Reports what there is as lost: where there are no annotations.
    pub fn lose(self, report: &mut Report) {
        self.report(report, |value| Finding::Lost { value });
    }

    fn report(self, report: &mut Report, finding: impl Fn(Value) -> Finding) {
        for (path, value) in self.0.fields {
            let path = match path {
                Cow::Borrowed(path) => FieldPath::from(path),
                Cow::Owned(path) => FieldPath::from(path),
            };
            report.add(path, finding(value));
        }
    }
}

/// Discards the annotation `key` of an object of a version that never carries it.
pub fn discard(annotations: &mut BTreeMap<String, String>, key: &str, report: &mut Report) {
    if let Some(text) = annotations.remove(key) {
        let finding = Finding::ReservedKeyDiscarded { text };
        report.add(path::annotation(key), finding);
    }
}

fn has_room(annotations: &BTreeMap<String, String>, size: usize) -> bool {
    let sizes = annotations
        .iter()
        .map(|(key, value)| key.len() + value.len());
    sizes.sum::<usize>() + size <= ANNOTATIONS_LIMIT
}

/// Fields of API objects have strings as keys, which is all that this can fail for.
pub(super) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{ANNOTATIONS_LIMIT, Aside, Report, discard};
    use std::collections::BTreeMap;

    const KEY: &str = "example.com/kept";

    fn aside() -> Aside {
        let mut aside = Aside::new("v1");
        aside.keep("spec.names", &["a", "b"]);
        aside
    }

    fn others(bytes: usize) -> BTreeMap<String, String> {
        BTreeMap::from([("k".to_owned(), "v".repeat(bytes - 1))])
    }

    #[test]
    fn only_what_there_is_is_stored() {
        let (mut annotations, mut report) = (BTreeMap::new(), Report::new());
        Aside::new("v1").store(&mut annotations, KEY, &mut report);
        assert!(annotations.is_empty() && report.is_empty());
        aside().store(&mut annotations, KEY, &mut report);
        let text = r#"{"fields":{"spec.names":["a","b"]},"format":1,"version":"v1"}"#;
        assert_eq!(
            annotations,
            BTreeMap::from([(KEY.to_owned(), text.to_owned())])
        );
        assert_eq!(
            report.to_string(),
            r#"spec.names: kept in an annotation: ["a","b"]"#
        );
    }

    #[test]
    fn the_limit_is_exact() {
        let text = r#"{"fields":{"spec.names":["a","b"]},"format":1,"version":"v1"}"#;
        let room = ANNOTATIONS_LIMIT - KEY.len() - text.len();
        for (bytes, fits) in [
            (room, true),
            (room + 1, false),
            (2 * ANNOTATIONS_LIMIT, false),
        ] {
            let (mut annotations, mut report) = (others(bytes), Report::new());
            aside().store(&mut annotations, KEY, &mut report);
            assert_eq!(annotations.contains_key(KEY), fits, "{bytes}");
            assert_eq!(report.to_string().contains("lost"), !fits, "{report}");
        }
    }

    #[test]
    fn what_was_kept_of_another_version_makes_room() {
        let mut annotations = BTreeMap::from([(KEY.to_owned(), "old".to_owned())]);
        let mut report = Report::new();
        aside().store(&mut annotations, KEY, &mut report);
        assert!(annotations[KEY].contains("spec.names"));
        assert!(
            report
                .to_string()
                .contains("room for one version only): old"),
            "{report}"
        );
        annotations.extend(others(ANNOTATIONS_LIMIT));
        let before = annotations.clone();
        aside().store(&mut annotations, KEY, &mut Report::new());
        assert_eq!(annotations, before);
    }

    #[test]
    fn the_reserved_key_is_discarded_whatever_it_holds() {
        let mut annotations = others(3);
        let mut report = Report::new();
        discard(&mut annotations, KEY, &mut report);
        assert!(report.is_empty());
        annotations.insert(KEY.to_owned(), "x".to_owned());
        discard(&mut annotations, KEY, &mut report);
        assert_eq!(annotations, others(3));
        assert_eq!(
            report.to_string(),
            "metadata.annotations[example.com/kept]: discarded, as objects of this version do not carry it: x"
        );
    }
}
