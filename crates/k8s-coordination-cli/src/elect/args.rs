//! The arguments of `coordination elect`.

use k8s_versioned::MicroTime;
use k8s_versioned_terminal::{QuietArgs, ReportFormat};

#[cfg(feature = "cluster")]
use crate::cluster::{REQUEST_TIMEOUT, seconds};
use crate::input::FilesArgs;

const AFTER_HELP: &str = "\
Examples:
  kubectl get leases,leasecandidates --all-namespaces --output yaml | coordination elect
  coordination elect --lease kube-system/scheduler --now 2026-01-02T03:04:05Z dump.yaml

Exit codes: 0 if each Lease has a holder after the election; 1 if one has none, no candidate answers, there are no \
candidates, or an object cannot be read; 2 for wrong usage, or if a file or the cluster cannot be read, with `--watch` at \
the first attempt; 130 after Ctrl-C.";

/// What only an election by files has. Options that need `--cluster` conflict with it, too: `clap` requires nothing that conflicts with
/// what is there.
const FILES: [&str; 2] = ["paths", "now"];

/// The arguments of `coordination elect`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct ElectArgs {
    /// The objects that take part in the election.
    #[command(flatten)]
    pub files: FilesArgs,
    /// The namespace for objects without one
    /// [default: default]. With `--cluster`, the only namespace to read.
    #[arg(long, short, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// The cluster to read.
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub source: SourceArgs,
    /// The cluster of another build.
    #[cfg(not(feature = "cluster"))]
    #[command(flatten)]
    pub source: NotBuilt,
    /// The `Lease` to judge; it need not exist [default: all that have candidates].
    #[arg(long, value_name = "[NAMESPACE/]NAME")]
    pub lease: Option<String>,
    /// The time of the election, for example `2026-01-02T03:04:05Z` [default: now]. For an old dump give the time of the dump.
    #[arg(long, value_name = "TIME")]
    pub now: Option<MicroTime>,
    /// The format of the output; `github` and `gitlab` are for files.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::ANSWER_ABOUT_FILES), default_value = "text")]
    pub format: ReportFormat,
    /// What the report leaves out.
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// Options of another build, which says what they need.
#[cfg(not(feature = "cluster"))]
#[derive(Clone, Debug, Default, clap::Args)]
pub struct NotBuilt {
    /// Read a cluster.
    #[arg(long, hide = true, conflicts_with_all = FILES)]
    pub cluster: bool,
    /// The context of the kubeconfig.
    #[arg(long, hide = true, value_name = "CONTEXT", requires = "cluster", conflicts_with_all = FILES)]
    pub context: Option<String>,
    /// The time for an answer.
    #[arg(long, hide = true, value_name = "SECONDS", requires = "cluster", conflicts_with_all = FILES)]
    pub request_timeout: Option<u32>,
    /// Read the cluster again.
    #[arg(long, short, hide = true, requires = "cluster", conflicts_with_all = FILES)]
    pub watch: bool,
}

/// The source of the objects.
#[cfg(feature = "cluster")]
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SourceArgs {
    /// Read the Leases and candidates of a cluster instead of files, by default of all namespaces.
    #[arg(long, conflicts_with_all = FILES)]
    pub cluster: bool,
    /// The context of the kubeconfig.
    #[arg(long, value_name = "CONTEXT", requires = "cluster", conflicts_with_all = FILES)]
    pub context: Option<String>,
    /// Give up when the API server sends nothing for this time; 0 waits forever.
    #[arg(long, value_name = "SECONDS", requires = "cluster", conflicts_with_all = FILES, default_value_t = REQUEST_TIMEOUT, value_parser = seconds::<u32>)]
    pub request_timeout: u32,
    /// Write the elections again whenever a candidate or a holder changes, until Ctrl-C. Once they are written, errors
    /// of the cluster go to the standard error, and the cluster is read again.
    #[arg(long, short, requires = "cluster", conflicts_with_all = FILES)]
    pub watch: bool,
}
