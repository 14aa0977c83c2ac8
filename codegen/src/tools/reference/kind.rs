//! The page of one kind in one version.

use std::fmt::Write as _;

use super::fields;
use super::input::{Input, PICTURE};
use super::recorded::Recorded;
use k8s_versioned_core::quoted::listed;

use crate::conversion;
use crate::model::Resource;
use crate::plan::code;
use crate::spec::{GroupVersionKind, Operation};
use crate::text::join;

/// The path of the page in the folder of the pages.
pub(super) fn path(input: &Input<'_>, resource: &Resource) -> String {
    let GroupVersionKind { group, version, kind } = &resource.kind;
    match group.as_str() {
        _ if input.has_one_group() => format!("{version}/{kind}.md"),
        "" => format!("core/{version}/{kind}.md"),
        group => format!("{group}/{version}/{kind}.md"),
    }
}

/// The path from a page to the folder of the pages.
fn to_folder(input: &Input<'_>) -> &'static str {
    if input.has_one_group() { "../" } else { "../../" }
}

/// The page; `None` if the kind has no type.
pub(super) fn page(input: &Input<'_>, resource: &Resource) -> Option<String> {
    let kind = &resource.kind;
    let (name, object) = input.plans.model.object(kind)?;
    let mut text = format!("# {}, {}\n", kind.kind, kind.api_version());
    if let Some(description) = fields::description(input, name, None, object.description.as_deref())
    {
        let _ = write!(text, "\n{description}\n");
    }
    let planned = input.plans.items.structs().find(|planned| planned.schema == name);
    let lifecycle = planned.and_then(|planned| planned.lifecycle);
    if let Some(lifecycle) = lifecycle.filter(|_| input.has_releases()) {
        let picture = format!("{}{PICTURE}", to_folder(input));
        let _ = write!(text, "\nThe kind is {lifecycle} ([picture]({picture})).\n");
    }
    let recorded = Recorded::of_kind(input, resource);
    if let Some(example) = recorded.example() {
        let _ = write!(text, "\n## Example\n\n{example}");
    }
    fields::write(&mut text, input, &recorded, name, object);
    recorded.write_accepted(&mut text);
    write_operations(&mut text, input, resource);
    write_conversions(&mut text, input, resource);
    Some(text)
}

fn write_operations(text: &mut String, input: &Input<'_>, resource: &Resource) {
    let model = &input.plans.model;
    let of_kind = model
        .operations
        .values()
        .filter(|operation| operation.kind.as_ref() == Some(&resource.kind));
    let mut rows: Vec<String> = of_kind
        .map(|operation| {
            let Operation { method, path, releases, .. } = operation;
            let query = join(operation.query().map(|(name, _)| format!("`{name}`")), ", ");
            let mut row = format!("| {method} | `{path}` | {query} |");
            if input.has_releases() {
                let _ = write!(row, " {} |", releases.shown(&model.releases));
            }
            row + "\n"
        })
        .collect();
    rows.sort();
    text.push_str("\n## Operations\n\n");
    text.push_str(if input.has_releases() {
        "| method | path | query | served |\n|---|---|---|---|\n"
    } else {
        "| method | path | query |\n|---|---|---|\n"
    });
    text.push_str(&rows.concat());
}

fn write_conversions(text: &mut String, input: &Input<'_>, resource: &Resource) {
    let mut kinds = input.plans.conversions.iter();
    let GroupVersionKind { group, version, kind } = &resource.kind;
    let Some(kind) = kinds.find(|other| (&other.group, &other.kind) == (group, kind)) else {
        return;
    };
    let others = kind.pairs.iter().filter(|pair| pair.from == *version);
    let others = listed(others.map(|pair| code(&pair.to)), "and");
    let page = format!("{}../conversions.md#{}", to_folder(input), conversion::anchor(kind));
    let _ = write!(text, "\n## In other versions\n\n[Conversions]({page}) to {others}.\n");
}
