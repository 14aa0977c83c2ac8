//! The page of one kind in one version.

use std::fmt::Write as _;

use super::recorded::Recorded;
use super::{Input, fields};
use crate::conversion;
use crate::model::{Model, Resource};
use crate::spec::Operation;
use crate::text::join;

/// The page's path in the folder.
pub(super) fn name(resource: &Resource) -> String {
    format!("{}/{}.md", resource.kind.version, resource.kind.kind)
}

/// The page; `None` if the kind has no type.
pub(super) fn page(input: &Input<'_>, resource: &Resource) -> Option<String> {
    let kind = &resource.kind;
    let (name, object) = input.plans.model.object(kind)?;
    let mut text = format!("# {}, {}/{}\n", kind.kind, kind.group, kind.version);
    if let Some(description) = fields::description(input, name, None) {
        let _ = write!(text, "\n{description}\n");
    }
    let planned = input.plans.items.structs().find(|planned| planned.schema == name);
    if let Some(lifecycle) = planned.and_then(|planned| planned.lifecycle) {
        let _ = write!(text, "\nThe kind is {lifecycle} ([picture](../README.md)).\n");
    }
    let recorded = Recorded::of_kind(input, resource);
    if let Some(example) = recorded.example() {
        let _ = write!(text, "\n## Example\n\n{example}");
    }
    fields::write(&mut text, input, &recorded, name, object);
    recorded.write_accepted(&mut text);
    write_operations(&mut text, &input.plans.model, resource);
    write_conversions(&mut text, input, resource);
    Some(text)
}

fn write_operations(text: &mut String, model: &Model, resource: &Resource) {
    let of_kind = model
        .operations
        .values()
        .filter(|operation| operation.kind.as_ref() == Some(&resource.kind));
    let mut rows: Vec<String> = of_kind
        .map(|operation| {
            let Operation { method, path, releases, .. } = operation;
            let query = join(operation.query().map(|(name, _)| format!("`{name}`")), ", ");
            format!("| {method} | `{path}` | {query} | {} |\n", releases.shown(&model.releases))
        })
        .collect();
    rows.sort();
    text.push_str("\n## Operations\n\n| method | path | query | served |\n|---|---|---|---|\n");
    text.push_str(&rows.concat());
}

fn write_conversions(text: &mut String, input: &Input<'_>, resource: &Resource) {
    let mut kinds = input.plans.conversions.iter();
    let of = (&resource.kind.group, &resource.kind.kind);
    let Some(kind) = kinds.find(|kind| (&kind.group, &kind.kind) == of) else {
        return;
    };
    let from = kind.pairs.iter();
    let from = from.filter(|pair| pair.from == resource.kind.version);
    text.push_str("\n## In other versions\n\n[Explanation](../../conversions.md).\n");
    for pair in from {
        let _ = write!(text, "\n### As {}\n\n{}", pair.to, conversion::table(kind, pair));
    }
}
