//! `fetch`: the documents of a release, from a folder, from CustomResourceDefinitions, or from a cluster.

#[cfg(feature = "cluster")]
mod cluster_documents;
pub mod import;
pub mod imported;

use std::path::PathBuf;

use clap::Args;
use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_core::Release;
use k8s_versioned_terminal::candidates;

use crate::args::completions;
use crate::error::SourceFolder;
use crate::input::read_paths;
use crate::{Error, Project};
#[cfg(feature = "cluster")]
use cluster_documents::{Cluster, documents_of, release_of};
use import::Origin;
use imported::Imported;

/// The source of the documents.
#[derive(Clone, Debug, Default, Args)]
pub struct FetchArgs {
    /// The release of the documents: `v1.36` of Kubernetes; a version such as `1.15.0` or a date such as `2026-01-31` of
    /// another product. Not needed with a cluster, which reports its release, and for the first definitions of a package.
    #[arg(long, value_name = "RELEASE", add = candidates(completions::releases))]
    pub release: Option<Release>,
    /// A checkout of Kubernetes, which also has the facts about protobuf; or a folder of OpenAPI v3 documents.
    #[arg(long, value_name = "DIR", group = "source")]
    folder: Option<PathBuf>,
    /// Files of CustomResourceDefinitions in YAML or JSON, and folders with such files at any depth; `-` is the standard
    /// input. Other objects in them are skipped. May be repeated.
    #[arg(long, value_name = "PATH", group = "source")]
    crds: Vec<PathBuf>,
    /// A context of the kubeconfig.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "CONTEXT", group = "source")]
    context: Option<String>,
    /// The address of a server that needs no credentials, such as `http://127.0.0.1:8001` of `kubectl proxy`.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "URL", group = "source")]
    server: Option<String>,
}

impl FetchArgs {
    /// Returns `true` if the arguments name a release or a source.
    pub fn is_given(&self) -> bool {
        #[cfg(feature = "cluster")]
        let cluster = self.context.is_some() || self.server.is_some();
        #[cfg(not(feature = "cluster"))]
        let cluster = false;
        cluster || self.release.is_some() || self.folder.is_some() || !self.crds.is_empty()
    }
}

/// Brings the documents of a release into the project.
///
/// # Errors
/// The source cannot be read, or the documents have problems. Nothing has been written then, unless a write failed.
#[cfg_attr(not(feature = "cluster"), expect(unused_variables, reason = "only a cluster is slow"))]
pub fn run(
    project: &Project,
    args: &FetchArgs,
    progress: &dyn Fn(&str),
) -> Result<Imported, Error> {
    #[cfg(feature = "cluster")]
    if let Some(cluster) = of_cluster(args)? {
        let get = |path: &str, limit| cluster.get(path, limit);
        let release = args.release.map_or_else(|| release_of(&cluster.name, &get), Ok)?;
        let source = documents_of(project, &get, &cluster.name, progress)?;
        return import::run(project, &[], Origin::Documents(release, SourceKind::Cluster, &source));
    }
    let Some(folder) = &args.folder else {
        if args.crds.is_empty() {
            let message =
                "name a source of the documents: `--folder`, `--crds`, `--context` or `--server`";
            return Err(Error::Usage(message.to_owned()));
        }
        let (files, _) = read_paths(&args.crds)?;
        let source = SourceFolder { label: String::new(), files };
        return import::run(project, &[], Origin::Definitions(args.release, &source));
    };
    let release = args.release.ok_or_else(|| {
        let message = "name the release that the documents are of, such as `--release v1.36` for Kubernetes or \
                       `--release 1.15.0` for another product";
        Error::Usage(message.to_owned())
    })?;
    let source = import::read_release(folder, &[])?;
    import::run(project, &[], Origin::Documents(release, SourceKind::SourceTree, &source))
}

#[cfg(feature = "cluster")]
fn of_cluster(args: &FetchArgs) -> Result<Option<Cluster>, Error> {
    match (&args.context, &args.server) {
        (Some(context), _) => Cluster::of_context(context).map(Some),
        (None, Some(address)) => Cluster::at(address).map(Some),
        (None, None) => Ok(None),
    }
}
