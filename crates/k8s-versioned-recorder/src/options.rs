//! The options.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Parser;
use k8s_versioned_names::Release;

/// Records requests to a Kubernetes API server and its answers, for the conformance kit.
#[derive(Clone, Debug, Parser)]
#[command(name = "k8s-versioned-recorder", version)]
#[non_exhaustive]
pub struct Options {
    /// The address of the server, which speaks HTTP without TLS: for example `kubectl proxy`.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8001")]
    pub server: SocketAddr,
    /// The context of the kubeconfig whose cluster is the server. It is reached over TLS, with the credentials of the
    /// context: everything that connects to the recorder has them.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "CONTEXT", conflicts_with = "server")]
    pub context: Option<String>,
    /// The address at which the recorder listens.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8002")]
    pub listen: SocketAddr,
    /// The release whose documents describe the answers: of the server, for example `v1.36`; for custom resources of the
    /// product that defines them, for example `1.0.0`.
    #[arg(long)]
    pub release: Release,
    /// The API group whose requests are recorded.
    #[arg(long)]
    pub group: String,
    /// The set that the recordings belong to: the name of their folder.
    #[arg(long)]
    pub set: String,
    /// The folder of recordings.
    #[arg(long, value_name = "DIR", default_value = "fixtures")]
    pub to: PathBuf,
    /// Pass requests of all methods, not only `GET`.
    #[arg(long)]
    pub allow_writes: bool,
}

impl Options {
    /// The options with their defaults, for the API group of a server of this release.
    pub fn new(release: Release, group: impl Into<String>, set: impl Into<String>) -> Self {
        Self {
            server: (Ipv4Addr::LOCALHOST, 8001).into(),
            #[cfg(feature = "cluster")]
            context: None,
            listen: (Ipv4Addr::LOCALHOST, 8002).into(),
            release,
            group: group.into(),
            set: set.into(),
            to: "fixtures".into(),
            allow_writes: false,
        }
    }
}
