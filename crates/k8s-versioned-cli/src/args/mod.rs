//! The command line of `k8s-versioned`.

pub(crate) mod completions;

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use k8s_versioned_terminal::{ColorArgs, HelpFiles, Missing, QuietArgs, ReportFormat, candidates};

use crate::commands::diff::DiffArgs;
use crate::commands::explain;
use crate::commands::fetch::FetchArgs;
use crate::commands::new::NewArgs;
use crate::commands::show::ShowArgs;

const HELP: &str = "\
Examples:
  k8s-versioned show widget.yaml
  k8s-versioned new widget-types --crds widget.yaml
  k8s-versioned new batch-types --group batch --release v1.36 --folder kubernetes
  k8s-versioned --root batch-types generate --check
  kubectl get crds,backups --all-namespaces --output yaml | k8s-versioned validate -

Exit codes: 0 for success; 1 for failure, with the reason in the output: problems in specs, files that are not up to date, \
an object that is not valid; 2 for wrong usage, or if the arguments name what does not exist.";

const NEW: &str = "\
Examples:
  k8s-versioned new batch-types --group batch --release v1.36 --folder kubernetes
  k8s-versioned new widget-types --crds widget.yaml
  k8s-versioned new backup-types --release 1.15.0 --crds crds/
  k8s-versioned new backup-operator --template operator --release 1.15.0 --crds crds/

Exit codes: 0 if the package is made; 1 if the documents have problems; 2 for wrong usage, or if the source does not exist.";

const SHOW: &str = "\
Examples:
  k8s-versioned show widget.yaml
  kubectl get crd widgets.example.com --output yaml | k8s-versioned show -
  k8s-versioned show crds/ --kind Widget --api-version v1beta1

Exit codes: 0 if the types are shown; 1 if the definitions have problems; 2 for wrong usage, or if a file, a kind or a version does not exist.";

const FETCH: &str = "\
Examples:
  k8s-versioned fetch --release v1.37 --folder kubernetes
  k8s-versioned fetch --release 1.16.0 --crds crds/

Exit codes: 0 if the documents are there; 1 if they have problems; 2 for wrong usage, or if the source does not exist.";

const GENERATE: &str = "\
Examples:
  k8s-versioned generate
  k8s-versioned --root batch-types generate --check

Exit codes: 0 if everything is up to date, or was written; 1 if specs have problems, or with --check a file differs; 2 for wrong usage.";

const DRAFT: &str = "\
Example: k8s-versioned draft >> specs/conversions.toml

Exit codes: 0 for success, also if nothing is to be drafted; 1 if specs have problems that no rule solves; 2 for wrong usage.";

const DIFF: &str = "\
Examples:
  k8s-versioned diff v1.36 v1.37
  k8s-versioned diff v1.36/v1beta1 v1.36/v1 --format markdown
  k8s-versioned diff old/widgets.yaml new/widgets.yaml --fail-on breaking
  k8s-versioned diff crd.yaml --between v1beta1 v1

Exit codes: 0 for success, whatever changed, unless `--fail-on` names an effect; 1 if a change has that effect, or specs or definitions \
have problems; 2 for wrong usage, or a release that specs lack.";

const EXPLAIN: &str = "\
Examples:
  k8s-versioned explain field-removed
  k8s-versioned explain not-judged
  k8s-versioned explain

Exit codes: 0 for success; 2 if nothing has this identifier.";

#[cfg(feature = "review")]
const CHECK_REVIEW: &str = "\
Example: k8s-versioned check-review request.json answer.json

Exit codes: 0 if a server accepts the answer; 1 if it refuses it, with all reasons, or a file is not a review; 2 for wrong usage, or if a file \
cannot be opened.";

/// The parts that need a client.
pub(crate) const CLUSTER: Missing = Missing {
    ability: "use clusters",
    parts: "`record`, `fetch --context` and `fetch --server`",
    feature: "cluster",
    install: "cargo install --locked --path crates/k8s-versioned-cli",
};

/// The parts that need the runtime of conversions.
pub(crate) const REVIEW: Missing = Missing {
    ability: "judge reviews",
    parts: "`check-review`",
    feature: "review",
    install: "cargo install --locked --path crates/k8s-versioned-cli --no-default-features --features review",
};

/// The parts that need a validator of schemas.
const SCHEMAS: Missing = Missing {
    ability: "compare objects with documents",
    parts: "`validate` for built-in kinds",
    feature: "validate",
    install: "cargo install --locked --path crates/k8s-versioned-cli --features validate",
};

/// The examples, the exit codes, and what this build lacks.
fn help() -> String {
    let lacks = [
        (cfg!(feature = "cluster"), CLUSTER),
        (cfg!(feature = "review"), REVIEW),
        (cfg!(feature = "validate"), SCHEMAS),
    ];
    let lacks = lacks.iter().filter(|(is_built, _)| !is_built);
    lacks.fold(HELP.to_owned(), |help, (_, missing)| format!("{help}\n\n{}", missing.help()))
}

/// Makes a Rust package with every version of a Kubernetes API, from CustomResourceDefinitions or OpenAPI documents, and keeps it up to
/// date.
#[derive(Clone, Debug, Parser)]
#[command(name = "k8s-versioned", version, propagate_version = true, after_help = help())]
pub struct Cli {
    /// The folder of the package.
    #[command(flatten)]
    pub root: RootArgs,
    /// When the output has colours.
    #[command(flatten)]
    pub color: ColorArgs,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The option `--root`, before the subcommand or after it.
#[derive(Clone, Debug, Default, Args)]
pub struct RootArgs {
    /// The folder of the package [default: the current folder].
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// The form of an answer.
#[derive(Clone, Debug, Default, Args)]
pub struct AnswerArgs {
    /// The form of the output.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::ANSWER), default_value = "text")]
    pub format: ReportFormat,
}

/// A command.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Show the Rust types of CustomResourceDefinitions, without making a package.
    #[command(after_help = SHOW)]
    Show {
        /// The definitions.
        #[command(flatten)]
        args: ShowArgs,
        /// The form of the output.
        #[command(flatten)]
        answer: AnswerArgs,
    },
    /// Make a package.
    #[command(after_help = NEW)]
    New {
        /// The package.
        #[command(flatten)]
        args: NewArgs,
        /// The form of the output.
        #[command(flatten)]
        answer: AnswerArgs,
    },
    /// Fetch the documents of a release: from a folder, from CustomResourceDefinitions, or from a cluster.
    #[command(after_help = FETCH)]
    Fetch {
        /// The documents.
        #[command(flatten)]
        args: FetchArgs,
        /// The folder of the package.
        #[command(flatten)]
        root: RootArgs,
        /// The form of the output.
        #[command(flatten)]
        answer: AnswerArgs,
    },
    /// Write the code and the pages.
    #[command(after_help = GENERATE)]
    Generate {
        /// Write nothing; fail and name every file that differs, is missing or is surplus.
        #[arg(long)]
        check: bool,
        /// The folder of the package.
        #[command(flatten)]
        root: RootArgs,
        /// What the report leaves out.
        #[command(flatten)]
        quiet: QuietArgs,
        /// The form of the output; `github` and `gitlab` have only the problems and warnings.
        #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::ANSWER_ABOUT_FILES), default_value = "text")]
        format: ReportFormat,
    },
    /// Draft the rules that the specs lack, as text for the rule files: for the conversions of kinds that have several versions and
    /// no rules, and for what stops `generate`, such as a new field.
    #[command(after_help = DRAFT)]
    Draft {
        /// Show the types of each field as comments.
        #[arg(long)]
        explain: bool,
        /// The folder of the package.
        #[command(flatten)]
        root: RootArgs,
        /// The form of the output.
        #[command(flatten)]
        answer: AnswerArgs,
    },
    /// Show the changes between two releases, or two versions of the API, with their effects on programs.
    #[command(after_help = DIFF)]
    Diff {
        /// The two sides.
        #[command(flatten)]
        args: DiffArgs,
        /// The folder of the package.
        #[command(flatten)]
        root: RootArgs,
    },
    /// Explain a finding, a problem that the generator reports, or a rule of conversions.
    #[command(after_help = EXPLAIN)]
    Explain {
        /// The identifier, such as `field-removed`, `name-clash` or `not-judged`. Without it, all are listed. `rules` lists all rules of
        /// `conversions.toml` with examples, and the name of a rule, such as `move`, only that one; `conversions.schema.json`
        /// is the JSON Schema of the file, for editors.
        #[arg(add = candidates(explain::identifiers))]
        id: Option<String>,
        /// The form of the output.
        #[command(flatten)]
        answer: AnswerArgs,
    },
    /// Record requests to an API server and its answers, for the conformance kit: a proxy.
    #[cfg(feature = "cluster")]
    Record {
        /// What to record.
        #[command(flatten)]
        options: crate::commands::record::RecordArgs,
        /// The folder of recordings [default: that of the package, `tests/recordings`].
        #[arg(long, value_name = "DIR")]
        to: Option<PathBuf>,
        /// The folder of the package.
        #[command(flatten)]
        root: RootArgs,
    },
    /// A subcommand of another build, which says what it needs.
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true, disable_help_flag = true)]
    Record(NotRead),
    /// Check any conversion webhook's response against the API server's rules.
    #[cfg(feature = "review")]
    #[command(after_help = CHECK_REVIEW)]
    CheckReview {
        /// The two halves.
        #[command(flatten)]
        args: crate::commands::check_review::CheckReviewArgs,
        /// The form of the output.
        #[command(flatten)]
        answer: AnswerArgs,
    },
    /// A subcommand of another build, which says what it needs.
    #[cfg(not(feature = "review"))]
    #[command(hide = true, disable_help_flag = true)]
    CheckReview(NotRead),
    /// Say how a server would judge objects and definitions: of files, of a chart, or of a dump of a cluster.
    Validate {
        /// The objects.
        #[command(flatten)]
        args: crate::commands::validate::ValidateArgs,
        /// The folder of the package.
        #[command(flatten)]
        root: RootArgs,
    },
    /// Completions and man pages.
    #[command(flatten)]
    HelpFiles(HelpFiles),
}

/// The arguments of a subcommand that this build lacks.
#[cfg(not(all(feature = "cluster", feature = "review")))]
#[derive(Clone, Debug, Args)]
pub struct NotRead {
    /// They are not read.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<std::ffi::OsString>,
}

impl Cli {
    /// The folder of the package, if the arguments name it.
    pub fn root(&self) -> Option<&Path> {
        let own = match &self.command {
            Command::Fetch { root, .. }
            | Command::Generate { root, .. }
            | Command::Draft { root, .. }
            | Command::Diff { root, .. }
            | Command::Validate { root, .. } => root.root.as_deref(),
            #[cfg(feature = "cluster")]
            Command::Record { root, .. } => root.root.as_deref(),
            _ => None,
        };
        own.or(self.root.root.as_deref())
    }
}

impl Command {
    /// The form of the output.
    pub fn format(&self) -> ReportFormat {
        match self {
            Self::Show { answer, .. }
            | Self::New { answer, .. }
            | Self::Fetch { answer, .. }
            | Self::Draft { answer, .. }
            | Self::Explain { answer, .. } => answer.format,
            #[cfg(feature = "review")]
            Self::CheckReview { answer, .. } => answer.format,
            Self::Diff { args, .. } => args.format,
            Self::Generate { format, .. } => *format,
            Self::Validate { args, .. } => args.format,
            _ => ReportFormat::Text,
        }
    }

    /// Returns `true` if the command runs until it is stopped, and reports its work itself.
    pub fn is_server(&self) -> bool {
        matches!(self, Self::Record { .. })
    }
}
