//! The arguments of `validate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use k8s_versioned_admission as admission;
use k8s_versioned_core::Release;
use k8s_versioned_core::findings::Severity;
use k8s_versioned_terminal::{QuietArgs, ReportFormat, candidates};

use super::servers::{FromCluster, Sending};
use crate::args::completions;

const HELP: &str = "\
An object of a definition in `specs`, in `--crds` or in the input itself is judged as a server would: decoding, defaults, metadata, \
schema, lists and CEL. A definition in the input is judged, too: as a server answers to its creation, or with `--old` to its update. \
Objects of a dump of a cluster are judged as they stand. Webhooks, policies, quotas and permissions are not known here. The kinds of \
OpenAPI documents are compared with their schemas, if this build has the feature `validate`.

Exit codes: 0 if all objects are valid; 1 if one is not, if a file has a syntax error, if there are no objects (but for \
`--skip-unknown`), or if a finding is as grave as `--fail-on` says; 2 for wrong usage, or if a file, the package or the release does not exist.

Examples:
  kubectl get backups --all-namespaces --output yaml | k8s-versioned validate --crds crd.yaml -
  k8s-versioned validate --crds crd.yaml nightly.yaml
  k8s-versioned validate chart/
  helm template --include-crds CHART | k8s-versioned validate --skip-unknown -
  k8s-versioned validate --explain-cost crd.yaml";

/// The objects to validate.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub struct ValidateArgs {
    /// Files of objects in YAML or JSON, and folders with such files at any depth; `-` is the standard input. Definitions among them
    /// judge the others. Of a Helm chart in a folder, only `crds` are read; of a kustomization, not the patches.
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Judge by CustomResourceDefinitions instead of a package: by a file, or by the files in a folder at any depth; may be
    /// repeated.
    #[arg(long, value_name = "PATH")]
    pub(super) crds: Vec<PathBuf>,
    /// The release of the server, whose definitions and schemas count if `specs` has it; for several, each finding names its
    /// releases. A release of another product selects definitions alone [default: for each kind, the newest release that has
    /// it, on the newest server].
    #[arg(long, value_name = "RELEASE", add = candidates(completions::releases))]
    pub(super) release: Vec<Release>,
    /// How unknown fields are treated; `kubectl` uses `strict`.
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub(super) field_validation: FieldValidation,
    /// The objects that the server has: files, or folders with files. An object with the same group, kind, namespace and name is
    /// an update of one; others are created.
    #[arg(long, value_name = "PATH")]
    pub(super) old: Vec<PathBuf>,
    /// Which objects come from a cluster, as in a dump. They are judged as they stand, with their status and the metadata that servers
    /// set; others are created or updated.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    pub(super) from_cluster: FromCluster,
    /// Send the objects to a subresource. Without `--old`, the server has the same objects without a status.
    #[arg(long, value_name = "NAME", value_enum)]
    pub(super) subresource: Option<Subresource>,
    /// Print the objects as the server would store them, in YAML, if it accepts all; findings are comments.
    #[arg(long)]
    pub(super) as_stored: bool,
    /// Say of the definitions in the files what their rules are estimated to cost, and which limits would lower it.
    #[arg(long, conflicts_with_all = ["crds", "old", "subresource", "as_stored"])]
    pub(super) explain_cost: bool,
    /// The least grave finding that fails the command.
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t)]
    pub(super) fail_on: FailOn,
    /// Skip kinds of other API groups, and what has no kind; without it they are errors. An input with nothing else is valid.
    #[arg(long)]
    pub(super) skip_unknown: bool,
    /// The form of the report.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::FINDINGS), default_value = "text")]
    pub(crate) format: ReportFormat,
    /// What the report leaves out.
    #[command(flatten)]
    pub(super) quiet: QuietArgs,
}

/// The treatment of fields that the server does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FieldValidation {
    /// It refuses the object.
    #[default]
    Strict,
    /// It drops them, and warns.
    Warn,
    /// It drops them.
    Ignore,
}

/// The least grave finding that fails the command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A server refuses the object.
    #[default]
    Error,
    /// A server warns, or what it accepts without a word is seldom wanted.
    Warning,
}

impl FailOn {
    /// The least grave severity.
    pub(super) fn severity(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
        }
    }
}

/// A subresource to which whole objects are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Subresource {
    /// The status: no other part of the object is replaced.
    Status,
}

impl ValidateArgs {
    pub(super) fn sending(&self) -> Sending {
        let field_validation = match self.field_validation {
            FieldValidation::Strict => &admission::FieldValidation::Strict,
            FieldValidation::Warn => &admission::FieldValidation::Warn,
            FieldValidation::Ignore => &admission::FieldValidation::Ignore,
        };
        let is_status = self.subresource == Some(Subresource::Status);
        Sending { field_validation, is_status, from_cluster: self.from_cluster }
    }
}
