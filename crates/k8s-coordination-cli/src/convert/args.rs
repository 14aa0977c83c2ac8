//! The arguments of `coordination convert`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use k8s_coordination::conversion::{LeaseCandidatePolicies, LeaseCandidateVersion};
use k8s_versioned::conversion::{Absent, Options};
use k8s_versioned::{ParseError, SemanticVersion};
use k8s_versioned_terminal::{QuietArgs, ReportFormat};

use crate::input::FilesArgs;

const AFTER_HELP: &str = "\
Examples:
  kubectl get leasecandidates --all-namespaces --output yaml | coordination convert --to v1beta1
  coordination convert --to v1beta1 --in-place candidates.yaml
  coordination convert --to v1beta1 --check manifests/

Exit codes: 0 if all objects are converted, with --check if nothing would change; 1 if an object cannot be converted or \
read, or --check finds a change; 2 for wrong usage, or if a file cannot be read.";

/// The arguments of `coordination convert`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct ConvertArgs {
    /// The objects to convert.
    #[command(flatten)]
    pub files: FilesArgs,
    /// The version to convert into.
    #[arg(long, value_name = "VERSION", value_parser = version())]
    pub to: LeaseCandidateVersion,
    /// Write the converted objects back to their files instead of standard output. A field that the object's version lacks
    /// is an error, because it would be lost.
    #[arg(long, group = "rewrites")]
    pub in_place: bool,
    /// With `--in-place` or `--check`: drop the fields that the object's version does not have, as servers do.
    #[arg(long, requires = "rewrites")]
    pub drop_unknown: bool,
    /// Write nothing, and exit with 1 if a conversion would change an input.
    #[arg(long, group = "rewrites")]
    pub check: bool,
    /// Refuse conversions that lose anything, or that leave a required field empty. `validate` judges the result.
    #[arg(long)]
    pub strict: bool,
    /// Prepare all objects of the group for creation in another cluster: leave out the fields that only a server can
    /// set, such as `uid` and `managedFields`.
    #[arg(long)]
    pub migrate: bool,
    /// The value for an absent `binaryVersion`.
    #[command(flatten)]
    pub filling: Filling,
    /// The key of the annotation that keeps what a version cannot hold, under a domain that you control
    /// [default: conversion.k8s-coordination.internal/lease-candidate].
    #[arg(long, value_name = "KEY", value_parser = annotation_key)]
    pub annotation_key: Option<Options<LeaseCandidatePolicies>>,
    /// The format of the report. It goes to the standard error.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::FINDINGS), default_value = "text")]
    pub format: ReportFormat,
    /// What the report leaves out.
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// The values for fields that only the target version requires.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Filling {
    /// The value for an absent `binaryVersion` if the version requires one: a version, or `emulation` for the
    /// `emulationVersion` of the object [default: empty].
    #[arg(long, value_name = "VERSION", value_parser = binary_version)]
    pub binary_version: Option<Absent<String>>,
}

impl Filling {
    /// What to do about an object without a `binaryVersion` that the version requires.
    pub(crate) fn hint(&self) -> &'static str {
        match self.binary_version {
            Some(Absent::UseOther) => {
                "the object has no `emulationVersion`: give a version, such as `--binary-version 1.31.2`"
            }
            _ => "write it, or let `--binary-version` fill it",
        }
    }

    pub(crate) fn policies(&self) -> LeaseCandidatePolicies {
        let binary_version = self.binary_version.clone().unwrap_or_default();
        LeaseCandidatePolicies::default().with_binary_version(binary_version)
    }
}

/// Reads one of the versions.
fn version() -> impl TypedValueParser<Value = LeaseCandidateVersion> {
    let names = LeaseCandidateVersion::ALL.iter().map(|version| version.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<LeaseCandidateVersion>())
}

/// Reads the value for an absent `binaryVersion`: `emulation`, or a version that servers accept.
fn binary_version(text: &str) -> Result<Absent<String>, ParseError> {
    if text == "emulation" {
        return Ok(Absent::UseOther);
    }
    text.parse::<SemanticVersion>()?;
    Ok(Absent::Use(text.to_owned()))
}

/// Reads the key of the annotation into options, which check it.
fn annotation_key(key: &str) -> Result<Options<LeaseCandidatePolicies>, ParseError> {
    Options::default().with_annotation_key(key)
}
