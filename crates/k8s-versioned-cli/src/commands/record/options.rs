//! The options.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use hyper::Uri;
use hyper::http::uri::Authority;
use k8s_versioned_conformance::recordings::is_folder_name;
use k8s_versioned_core::Release;
use k8s_versioned_core::syntax::dns1123_subdomain;
use k8s_versioned_terminal::candidates;

use crate::args::completions;

const HELP: &str = "\
Example: k8s-versioned record --release v1.36 --group batch --set jobs --to tests/recordings

It runs until Ctrl-C. Exit codes: 1 if the address to listen on is not free; 2 for wrong usage.";

/// What to record, and where.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
#[non_exhaustive]
pub struct RecordArgs {
    /// The address of the server, which speaks HTTP without TLS: for example `kubectl proxy`. May also be a URL.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8001")]
    pub server: ServerAddress,
    /// The context of the kubeconfig whose cluster is the server. It is reached over TLS, with the credentials of the
    /// context: everything that connects to the recorder has them.
    #[arg(long, value_name = "CONTEXT", conflicts_with = "server")]
    pub context: Option<String>,
    /// The address at which the recorder listens.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8002")]
    pub listen: SocketAddr,
    /// A name by which clients may call the recorder, in the header `Host`; may be repeated. `localhost` and the address at which it
    /// listens are always allowed. A page in a browser, which uses a name of its own, cannot reach the server through the recorder.
    #[arg(long, value_name = "NAME")]
    pub accept_host: Vec<String>,
    /// The release whose documents describe the answers: of the server, for example `v1.36`; for custom resources of the
    /// product that defines them, for example `1.0.0`.
    #[arg(long, add = candidates(completions::releases))]
    pub release: Release,
    /// The API group whose requests are recorded.
    #[arg(long, value_parser = group_name)]
    pub group: String,
    /// The set that the recordings belong to: the name of their folder.
    #[arg(long, value_parser = set_name)]
    pub set: String,
    /// The folder of recordings.
    #[arg(skip)]
    pub to: PathBuf,
    /// Pass requests of all methods, not only `GET`.
    #[arg(long)]
    pub allow_writes: bool,
}

impl RecordArgs {
    /// The options with their defaults, for the API group of a server of this release, and a folder of recordings.
    pub fn new(
        release: Release,
        group: impl Into<String>,
        set: impl Into<String>,
        to: impl Into<PathBuf>,
    ) -> Self {
        Self {
            server: SocketAddr::from((Ipv4Addr::LOCALHOST, 8001)).into(),
            context: None,
            listen: (Ipv4Addr::LOCALHOST, 8002).into(),
            accept_host: Vec::new(),
            release,
            group: group.into(),
            set: set.into(),
            to: to.into(),
            allow_writes: false,
        }
    }

    /// Returns `true` if clients may call the recorder by this name or address, which can have a port.
    pub(crate) fn accepts_host(&self, authority: &str) -> bool {
        let authority: Option<Authority> = authority.parse().ok();
        let Some(host) = authority.as_ref().map(Authority::host) else { return false };
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_own = |address: IpAddr| address.is_loopback() || address == self.listen.ip();
        address.is_ok_and(is_own)
            || host.eq_ignore_ascii_case("localhost")
            || self.accept_host.iter().any(|accepted| host.eq_ignore_ascii_case(accepted))
    }

    /// The reason why nothing could be recorded under the names of the group and the set.
    pub(crate) fn check_names(&self) -> Result<(), String> {
        group_name(&self.group).and_then(|_| set_name(&self.set)).map(drop)
    }
}

fn group_name(text: &str) -> Result<String, String> {
    let valid = dns1123_subdomain(text).is_empty();
    valid.then(|| text.to_owned()).ok_or_else(|| {
        "not a group: write a group, such as `coordination.k8s.io`, without a version".to_owned()
    })
}

fn set_name(text: &str) -> Result<String, String> {
    is_folder_name(text).then(|| text.to_owned()).ok_or_else(|| {
        "not the name of a folder: write letters, digits, `-`, `_` and `.`, such as `leases`"
            .to_owned()
    })
}

/// The address of a server that speaks HTTP without TLS: a host and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServerAddress(String);

impl ServerAddress {
    /// The host and the port.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<SocketAddr> for ServerAddress {
    fn from(address: SocketAddr) -> Self {
        Self(address.to_string())
    }
}

impl FromStr for ServerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected =
            "write a host and a port, such as `localhost:8001` or `http://localhost:8001`";
        let url: Uri = text.parse().map_err(|error| format!("{error}: {expected}"))?;
        if url.scheme_str().is_some_and(|scheme| scheme != "http") {
            let instead = "use `kubectl proxy`, or `--context`";
            return Err(format!("the server must speak HTTP without TLS: {instead}"));
        }
        if !matches!(url.path(), "" | "/") || url.query().is_some() {
            return Err(format!("a path is not possible: {expected}"));
        }
        let default = url.scheme().map(|_| 80);
        match (url.host(), url.port_u16().or(default)) {
            (Some(host), Some(port)) if !host.is_empty() => Ok(Self(format!("{host}:{port}"))),
            _ => Err(expected.to_owned()),
        }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;

    use super::{RecordArgs, ServerAddress};

    #[test]
    fn a_name_that_a_browser_resolves_is_refused() {
        let mut options =
            RecordArgs::new(Release::new(1, 36), "example.com", "widgets", "fixtures");
        options.accept_host.push("recorder".to_owned());
        for own in ["127.0.0.1:8002", "localhost", "LOCALHOST:1", "[::1]:8002", "Recorder:80"] {
            assert!(options.accepts_host(own), "{own}");
        }
        for other in
            ["", "example.com", "127.0.0.1.example.com:8002", "localhost.example.com", "10.0.0.1"]
        {
            assert!(!options.accepts_host(other), "{other}");
        }
    }

    #[test]
    fn addresses_of_servers() {
        let read = |text: &str| text.parse::<ServerAddress>().map(|address| address.0);
        for (text, address) in [
            ("127.0.0.1:8001", "127.0.0.1:8001"),
            ("localhost:8001", "localhost:8001"),
            ("http://127.0.0.1:8001", "127.0.0.1:8001"),
            ("http://localhost/", "localhost:80"),
            ("[::1]:8001", "[::1]:8001"),
            ("http://[::1]:8001", "[::1]:8001"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(address), "{text}");
        }
        for (text, reason) in [
            ("localhost", "write a host and a port"),
            ("", "write a host and a port"),
            ("/apis", "a path is not possible"),
            ("http://localhost:8001/apis", "a path is not possible"),
            (
                "https://localhost:6443",
                "the server must speak HTTP without TLS: use `kubectl proxy`",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
