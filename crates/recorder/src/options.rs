//! What a user chooses.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;
use k8s_versioned::Release;

/// Records what a Kubernetes API server is sent and answers, for the conformance kit.
#[derive(Clone, Debug, Parser)]
#[command(name = "k8s-versioned-recorder", version)]
pub struct Options {
    /// Where the server listens for HTTP without TLS, for example `kubectl proxy`.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8001")]
    pub server: SocketAddr,
    /// Where the recorder listens.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8002")]
    pub listen: SocketAddr,
    /// The release of the server, for example `v1.36`.
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
    /// Pass requests that change something, too.
    #[arg(long)]
    pub allow_writes: bool,
}
