//! The command line of `k8s-versioned`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use k8s_versioned_codegen::diff::Selection;
use k8s_versioned_codegen::diff::report::Format;
use strum::{EnumMessage, ParseError, VariantArray};

use crate::fetch::FetchArgs;
use crate::new::NewArgs;

/// Makes a Rust package of versioned types from the OpenAPI documents of a Kubernetes API, and keeps it up to date.
#[derive(Clone, Debug, Parser)]
#[command(name = "k8s-versioned", version)]
pub struct Cli {
    /// The folder of the package [default: the current folder].
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The output format. Markdown is for `diff`; other commands print text.
    #[arg(long, global = true, value_parser = one_of::<Format>(), default_value = "text")]
    pub format: Format,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// A command.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Make a package.
    New(NewArgs),
    /// Fetch the documents of a release: from a folder, from CustomResourceDefinitions, or from a cluster.
    Fetch(FetchArgs),
    /// Write the code and the pages.
    Generate {
        /// Write nothing; fail and name every file that differs, is missing or is surplus.
        #[arg(long)]
        check: bool,
    },
    /// Draft the rules that the specs lack, as text for the rule files: for the conversions of kinds that have several versions and
    /// no rules, and for what stops `generate`, such as a new field.
    Draft,
    /// Show the changes between two releases, or two versions of the API, with their effects on programs.
    Diff(DiffArgs),
    /// Explain a finding of `diff`, or a problem that the generator reports, by its identifier.
    Explain {
        /// The identifier, such as `field-removed` or `name-clash`. Without it, all are listed.
        id: Option<String>,
    },
    /// Record requests to an API server and its answers, for the conformance kit: a proxy.
    #[cfg(feature = "cluster")]
    Record(crate::record::Options),
    /// Check any conversion webhook's response against the API server's rules.
    #[cfg(feature = "review")]
    CheckReview(crate::check_review::CheckReviewArgs),
    /// Say how a server would judge objects: by the definitions of the package, or by the schemas of its documents.
    Validate(crate::validate::ValidateArgs),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

impl Command {
    /// Returns `true` if the command runs until it is ended, and says itself what it does.
    pub fn is_server(&self) -> bool {
        #[cfg(feature = "cluster")]
        let is_server = matches!(self, Self::Record(_));
        #[cfg(not(feature = "cluster"))]
        let is_server = false;
        is_server
    }
}

/// The two sides of a comparison.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// The older side: a release or a version of the API in it, for example `v1.35` or `v1.31/v1alpha1`.
    pub old: Selection,
    /// The newer side, for example `v1.36` or `v1.36/v1beta1`.
    pub new: Selection,
}

/// The values of an enum by their names; their docs are the help.
pub fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: Copy + EnumMessage + FromStr<Err = ParseError> + VariantArray + Send + Sync,
    &'static str: From<T>,
{
    let values = T::VARIANTS.iter().map(|value| {
        let docs = value.get_documentation().unwrap_or_default();
        PossibleValue::new(<&str>::from(*value)).help(docs.trim_end_matches('.'))
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse())
}
