//! What recorded servers answered to objects of a kind.

use std::fmt::Write as _;

use k8s_versioned_core::Release;
use litemap::LiteMap;

use super::input::{Input, RecordedCase};
use crate::model::Resource;
use crate::text::join;

/// The answers of the newest recorded server to requests that create objects of the kind.
pub(super) struct Recorded<'a> {
    release: Option<Release>,
    accepted: Vec<&'a RecordedCase>,
    /// The cases that were refused, by field and reason.
    refused: LiteMap<(String, String), Vec<&'a RecordedCase>>,
}

impl<'a> Recorded<'a> {
    pub(super) fn of_kind(input: &Input<'a>, resource: &Resource) -> Self {
        let set = format!("{}-validation", resource.plural);
        let cases = input.recordings.iter();
        let cases = cases.filter(|case| {
            let kind = &resource.kind;
            (&case.group, &case.set) == (&kind.group, &set) && case.version == kind.version
        });
        let release = cases.clone().map(|case| case.release).max();
        let mut recorded = Self { release, accepted: Vec::new(), refused: LiteMap::new() };
        for case in cases.filter(|case| Some(case.release) == release) {
            if case.accepted {
                recorded.accepted.push(case);
            }
            for cause in &case.causes {
                recorded.refused.entry(cause.clone()).or_default().push(case);
            }
        }
        for (_, cases) in recorded.refused.iter_mut() {
            cases.dedup_by_key(|case| &case.link);
        }
        recorded
    }

    /// The smallest object that a server accepted.
    pub(super) fn example(&self) -> Option<String> {
        let bodies = self.accepted.iter().filter_map(|case| {
            let json = case.sent.as_ref()?;
            Some((serde_json::to_string_pretty(json).ok()?, *case))
        });
        let (body, case) = bodies.min_by_key(|(body, _)| body.len())?;
        let link = link(case);
        Some(format!(
            "The smallest object that a server accepted: {link}.\n\n```json\n{body}\n```\n"
        ))
    }

    /// The fields that servers refused, with `[]` for items, and a sentence for each reason.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (String, String)> {
        self.refused.iter().map(|((field, reason), cases)| {
            let links = join(cases.iter().map(|case| link(case)), ", ");
            (without_indices(field), format!("Servers reject ({reason}): {links}."))
        })
    }

    pub(super) fn write_accepted(&self, text: &mut String) {
        let (Some(release), false) = (self.release, self.accepted.is_empty()) else {
            return;
        };
        let links = join(self.accepted.iter().map(|case| link(case)), ", ");
        let _ = write!(text, "\n## Accepted by servers\n\nRecorded with {release}: {links}.\n");
    }
}

fn link(case: &RecordedCase) -> String {
    format!("[{}]({})", case.name, case.link)
}

/// The path of all items, as the pages write it: `spec.list[].name` for `spec.list[2].name`.
fn without_indices(field: &str) -> String {
    let mut parts = field.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| {
        let rest = part.split_once(']').map_or(part, |(_, rest)| rest);
        path + "[]" + rest
    })
}
