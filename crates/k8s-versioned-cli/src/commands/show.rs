//! `show`: the Rust types of definitions, to look at before there is a package.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use k8s_versioned_codegen::GroupVersionKind;
use k8s_versioned_codegen::tools::overview::Overview;
use k8s_versioned_core::Version;
use k8s_versioned_core::findings::Finding;
use k8s_versioned_core::nearest::nearest;
use k8s_versioned_core::quoted::alternatives;
use k8s_versioned_terminal::candidates;
use serde_json::json;

use crate::Error;
use crate::args::completions;
use crate::error::{Refused, SourceFolder};
use crate::input::read_paths;
use crate::text::errors;
use crate::text::output::Output;
use crate::text::rust_colors;

/// The most names in a hint.
const MOST_NAMES: usize = 8;

/// The definitions, and the part of them to look at.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// Files of CustomResourceDefinitions in YAML or JSON, and folders with such files at any depth; `-` is the standard
    /// input. Other objects in them are skipped.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// A kind, such as `Widget`; may be repeated. Without it, all kinds are shown.
    #[arg(long, value_name = "KIND", add = candidates(completions::kinds))]
    pub kind: Vec<String>,
    /// A version, such as `v1beta1`; may be repeated. Without it, each kind is shown in its most stable version.
    #[arg(long, value_name = "VERSION", add = candidates(completions::versions))]
    pub api_version: Vec<Version>,
}

/// Shows the types of definitions, without the code that decodes and encodes them.
///
/// # Errors
/// The files cannot be read, or have problems; no definition has a kind or version that the arguments name.
pub fn run(args: &ShowArgs, is_coloured: bool) -> Result<Output, Error> {
    let (files, notes) = read_paths(&args.paths)?;
    let sources = || vec![SourceFolder { label: String::new(), files: files.clone() }];
    let refused = |problems| Error::refused(problems, sources());
    let overview = Overview::read(&files).map_err(refused)?;
    let Choice { chosen, others } = choose(args, overview.kinds(), overview.unserved())?;
    let modules = overview.text(&chosen).map_err(refused)?;
    let texts = modules.values().map(|text| String::from_utf8_lossy(text).into_owned());
    let types = texts.collect::<Vec<_>>().join("\n");
    let problems = overview.warnings.clone();
    let warnings = Refused { problems, sources: sources(), advice: None, writes: false };
    let warnings: Vec<Finding> = errors::findings(&warnings).chain(notes).collect();
    let mut text = types.clone();
    for note in others.iter().cloned().chain(warnings.iter().map(ToString::to_string)) {
        text += "\n";
        text.extend(note.lines().map(|line| format!("// {line}\n")));
    }
    let json = json!({ "kinds": chosen.iter().map(|kind| named(kind)).collect::<Vec<_>>(), "types": types, "findings": warnings });
    let text = if is_coloured { rust_colors::declarations(&text) } else { text };
    Ok(Output { text, json })
}

fn named(kind: &GroupVersionKind) -> serde_json::Value {
    json!({ "apiVersion": kind.api_version(), "kind": kind.kind })
}

/// The kinds to show.
struct Choice<'k> {
    chosen: Vec<&'k GroupVersionKind>,
    /// A note for each kind with versions that are not shown.
    others: Vec<String>,
}

fn choose<'k>(
    args: &ShowArgs,
    kinds: impl Iterator<Item = &'k GroupVersionKind>,
    unserved: impl Iterator<Item = &'k GroupVersionKind>,
) -> Result<Choice<'k>, Error> {
    let mut all: BTreeMap<(&str, &str), BTreeMap<Version, &GroupVersionKind>> = BTreeMap::new();
    for kind in kinds {
        let Ok(version) = kind.version.parse() else { continue };
        all.entry((&kind.kind, &kind.group)).or_default().insert(version, kind);
    }
    check(&args.kind, "kind", &all.keys().map(|(kind, _)| *kind).collect(), &BTreeSet::new())?;
    all.retain(|(kind, _), _| args.kind.is_empty() || args.kind.iter().any(|known| known == kind));
    let known: BTreeSet<String> =
        all.values().flat_map(|versions| versions.keys().map(Version::to_string)).collect();
    let versions: Vec<String> = args.api_version.iter().map(Version::to_string).collect();
    let unserved = unserved.filter(|it| all.contains_key(&(&*it.kind, &*it.group)));
    let unserved = unserved.map(|it| it.version.as_str()).collect();
    check(&versions, "version", &known.iter().map(String::as_str).collect(), &unserved)?;
    let mut choice = Choice { chosen: Vec::new(), others: Vec::new() };
    for ((kind, _), versions) in all {
        let newest = versions.last_key_value().map(|(version, _)| *version);
        let is_shown = |version: &Version| match args.api_version.as_slice() {
            [] => Some(*version) == newest,
            named => named.contains(version),
        };
        let (chosen, others): (Vec<_>, Vec<_>) =
            versions.into_iter().rev().partition(|(version, _)| is_shown(version));
        choice.chosen.extend(chosen.iter().map(|(_, kind)| *kind));
        if !chosen.is_empty() && !others.is_empty() {
            let others: Vec<String> =
                others.iter().map(|(version, _)| format!("`{version}`")).collect();
            choice.others.push(format!(
                "{kind} is also in {}: `--api-version` shows another version",
                others.join(", ")
            ));
        }
    }
    Ok(choice)
}

/// Refuses names that no definition has, or that servers do not serve.
fn check(
    named: &[String],
    what: &str,
    known: &BTreeSet<&str>,
    unserved: &BTreeSet<&str>,
) -> Result<(), Error> {
    let Some(unknown) = named.iter().find(|name| !known.contains(name.as_str())) else {
        return Ok(());
    };
    let is_unserved = unserved.contains(unknown.as_str());
    let first: Vec<&str> = known.iter().copied().take(MOST_NAMES).collect();
    let hint = match nearest(unknown, known.iter().copied()) {
        Some(near) if !is_unserved => format!("did you mean `{near}`?"),
        _ if known.len() > MOST_NAMES => {
            format!("there are {}, such as {}", known.len(), alternatives(&first))
        }
        _ => format!("there is {}", alternatives(&first)),
    };
    if is_unserved {
        return Err(Error::Usage(format!("the {what} `{unknown}` has `served: false`; {hint}")));
    }
    Err(Error::Usage(format!("no definition has the {what} `{unknown}`; {hint}")))
}
