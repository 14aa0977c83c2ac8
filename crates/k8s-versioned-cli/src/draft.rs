//! `draft`: rules for the conversions of the kinds that have several versions and no rules, for people to correct.

use k8s_versioned_codegen::Plans;
use k8s_versioned_codegen::draft::{draft, unconverted};
use serde_json::json;

use crate::output::Output;
use crate::specs::Specs;
use crate::{Error, Project};

/// The rules as text for `specs/conversions.toml`. Writes no file.
///
/// # Errors
/// Files cannot be read, or the specs have problems.
pub fn run(project: &Project) -> Result<Output, Error> {
    let specs = Specs::read(project)?;
    let refused = |problems| specs.refused(problems);
    let plans = Plans::read(&specs.files).map_err(refused)?;
    let kinds = unconverted(&plans.items, &plans.rules);
    let drafts = kinds.iter().map(|kind| draft(kind, &plans.items, &plans.rules));
    let drafts = drafts.collect::<Result<Vec<String>, _>>().map_err(refused)?;
    let text = if drafts.is_empty() {
        "# Each kind with several versions has rules.\n".to_owned()
    } else {
        "\n".to_owned() + &drafts.join("\n")
    };
    let json = json!({ "rules": text });
    Ok(Output { text, json })
}
