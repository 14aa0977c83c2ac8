//! `draft`: the rules that a project lacks, for people to correct.

use k8s_versioned_codegen::tools::draft::{Drafter, proposals};
use k8s_versioned_codegen::{Plans, Problems};
use serde_json::json;

use crate::project::specs::Specs;
use crate::text::output::Output;
use crate::{Error, Project};

/// The rules as text: for the kinds that have several versions and no rules, or else what the problems of the specs ask for.
/// With `explain`, comments show the types of each field. Writes no file.
///
/// # Errors
/// Files cannot be read, or the specs have only problems that no rule solves.
pub fn run(project: &Project, explain: bool) -> Result<Output, Error> {
    let specs = Specs::read(project)?;
    let refused = |problems| specs.refused(problems);
    let text = match Plans::read(&specs.files) {
        Ok(plans) => drafts(&plans, explain).map_err(refused)?,
        Err(problems) => {
            let text = proposals(&problems);
            if text.is_empty() {
                return Err(refused(problems));
            }
            "\n".to_owned() + &text
        }
    };
    let json = json!({ "rules": text });
    Ok(Output { text, json })
}

/// Rules for the conversions of kinds without rules.
fn drafts(plans: &Plans, explain: bool) -> Result<String, Problems> {
    let drafts = Drafter::new(plans).drafts(explain)?;
    Ok(if drafts.is_empty() {
        "# No rules are missing: each kind has rules, or only one version.\n".to_owned()
    } else {
        "\n".to_owned() + &drafts.join("\n")
    })
}
