//! Short forms for the tests of the rules.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Aside, Kept};
use crate::conversion::Report;

const KEY: &str = "example.com/kept";

/// What was kept of a field: its JSON, and ` as ` with the value in its place; empty if nothing was.
pub(super) fn stored(aside: Aside, path: &str) -> String {
    let mut annotations = BTreeMap::new();
    aside.store(&mut annotations, KEY, &mut Report::new());
    let Some(text) = annotations.get(KEY) else {
        return String::new();
    };
    let stored: Value = serde_json::from_str(text).unwrap();
    let kept = &stored["fields"][path];
    match stored["filled"].get(path) {
        Some(filled) => format!("{kept} as {filled}"),
        None => kept.to_string(),
    }
}

/// What `Kept` makes of an annotation with one field, given as JSON. No annotation for an empty text.
pub(super) fn kept(path: &str, value: &str, filled: &str) -> Kept {
    let mut annotations = BTreeMap::new();
    if !value.is_empty() {
        let filled = if filled.is_empty() {
            String::new()
        } else {
            format!(r#""filled":{{"{path}":{filled}}},"#)
        };
        let text =
            format!(r#"{{"fields":{{"{path}":{value}}},{filled}"format":1,"version":"v1"}}"#);
        annotations.insert(KEY.to_owned(), text);
    }
    let mut report = Report::new();
    let kept = Kept::take(&mut annotations, KEY, &["v1"], &mut report);
    assert!(report.is_empty() && annotations.is_empty(), "{report}");
    kept
}
