//! Credentials: fixed, in a file that another program replaces, or from a plugin that gives new ones before the old expire.
//!
//! Plugins: <https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins>.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hyper::header::{HeaderValue, InvalidHeaderValue};
use jiff::{SignedDuration, Timestamp};
use k8s_versioned_source::{Limits, documents};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use super::Failure;
use super::tls::Identity;

/// Credentials that expire within this time are replaced.
const EARLY: SignedDuration = SignedDuration::from_secs(60);

/// The reason why credentials cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CredentialsError {
    /// The file of a token cannot be read.
    #[error("the token in {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A plugin cannot be started.
    #[error("the plugin `{}` for credentials: {source}{hint}", command.display())]
    Start { command: PathBuf, source: io::Error, hint: String },
    /// A plugin fails.
    #[error("the plugin `{}` for credentials fails: {status}", command.display())]
    Failed { command: PathBuf, status: ExitStatus },
    /// A plugin does not print credentials.
    #[error("the plugin `{}` for credentials does not print an `ExecCredential`: {message}", command.display())]
    Output { command: PathBuf, message: String },
    /// A token cannot be in a header.
    #[error("the token cannot be sent in a header")]
    Token(#[from] InvalidHeaderValue),
}

/// Who a user is.
#[derive(Debug, Default)]
pub(super) struct User {
    pub(super) source: Source,
    pub(super) identity: Option<Identity>,
}

/// Where the header `authorization` comes from.
#[derive(Debug, Default)]
pub(super) enum Source {
    /// There is none.
    #[default]
    None,
    Fixed(HeaderValue),
    /// A file with a token.
    File(PathBuf),
    Plugin(Plugin),
}

/// The value of the header `authorization` for a token.
pub(super) fn bearer(token: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    secret(&format!("Bearer {}", token.trim()))
}

/// The value of the header `authorization` for a name and a password.
pub(super) fn basic(name: &str, password: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    secret(&format!("Basic {}", BASE64_STANDARD.encode(format!("{name}:{password}"))))
}

fn secret(text: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(text)?;
    // It is not in the text that `Debug` writes.
    value.set_sensitive(true);
    Ok(value)
}

/// The credentials of a user.
pub(super) enum Credentials {
    None,
    Fixed(HeaderValue),
    File(PathBuf),
    Plugin(Arc<Plugin>, Mutex<Lent>),
}

/// What a plugin has given.
pub(super) struct Lent {
    header: Option<HeaderValue>,
    expires: Option<Timestamp>,
}

impl Credentials {
    /// The credentials and the certificate of a user. A plugin runs at once, because it can give the certificate.
    pub(super) fn new(user: User) -> Result<(Self, Option<Identity>), CredentialsError> {
        let credentials = match user.source {
            Source::None => Self::None,
            Source::Fixed(header) => Self::Fixed(header),
            Source::File(path) => Self::File(path),
            Source::Plugin(plugin) => {
                let (lent, identity) = plugin.run()?;
                let credentials = Self::Plugin(Arc::new(plugin), Mutex::new(lent));
                return Ok((credentials, identity.or(user.identity)));
            }
        };
        Ok((credentials, user.identity))
    }

    /// The value of the header `authorization` now.
    pub(super) async fn header(&self) -> Result<Option<HeaderValue>, Failure> {
        match self {
            Self::None => Ok(None),
            Self::Fixed(header) => Ok(Some(header.clone())),
            Self::File(path) => {
                let token = std::fs::read_to_string(path)
                    .map_err(|source| CredentialsError::File { path: path.clone(), source })?;
                Ok(Some(bearer(&token)?))
            }
            Self::Plugin(plugin, lent) => {
                let mut lent = lent.lock().await;
                if lent.expires.is_some_and(|expires| expires < Timestamp::now() + EARLY) {
                    let plugin = Arc::clone(plugin);
                    // It can wait for the network, or for the user.
                    (*lent, _) = tokio::task::spawn_blocking(move || plugin.run()).await??;
                }
                Ok(lent.header.clone())
            }
        }
    }
}

/// A program that prints credentials.
#[derive(Debug)]
pub(super) struct Plugin {
    pub(super) command: PathBuf,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) api_version: String,
    /// Whether it may ask the user, if there is a terminal.
    pub(super) may_ask: bool,
    /// What it learns about the cluster if it asks.
    pub(super) cluster: Option<Value>,
    /// The advice if it is not installed.
    pub(super) install_hint: Option<String>,
}

#[derive(Deserialize)]
struct ExecCredential {
    status: Status,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    expiration_timestamp: Option<String>,
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
}

impl Plugin {
    fn run(&self) -> Result<(Lent, Option<Identity>), CredentialsError> {
        let asks = self.may_ask && io::stdin().is_terminal();
        let mut spec = Map::from_iter([("interactive".to_owned(), json!(asks))]);
        if let Some(cluster) = &self.cluster {
            spec.insert("cluster".to_owned(), cluster.clone());
        }
        let (kind, version) = ("ExecCredential", &self.api_version);
        let info = json!({"kind": kind, "apiVersion": version, "spec": spec});
        let mut command = Command::new(&self.command);
        command.args(&self.args).envs(self.env.iter().map(|(name, value)| (name, value)));
        command.env("KUBERNETES_EXEC_INFO", info.to_string()).stderr(Stdio::inherit());
        command.stdin(if asks { Stdio::inherit() } else { Stdio::null() });
        let path = || self.command.clone();
        let output = command.output().map_err(|source| {
            let hint = self.install_hint.as_ref().map(|hint| format!("; {}", hint.trim()));
            CredentialsError::Start { command: path(), source, hint: hint.unwrap_or_default() }
        })?;
        if !output.status.success() {
            return Err(CredentialsError::Failed { command: path(), status: output.status });
        }
        let status = status(&output.stdout)
            .map_err(|message| CredentialsError::Output { command: path(), message })?;
        let expires = status.expiration_timestamp.map(|time| time.parse()).transpose();
        let expires = expires.map_err(|error: jiff::Error| CredentialsError::Output {
            command: path(),
            message: format!("expirationTimestamp: {error}"),
        })?;
        let header = status.token.as_deref().map(bearer).transpose()?;
        let identity = status.client_certificate_data.zip(status.client_key_data);
        let identity = identity.map(|(certificates, key)| Identity {
            certificates: certificates.into_bytes(),
            key: key.into_bytes(),
        });
        Ok((Lent { header, expires }, identity))
    }
}

/// The credentials in the output of a plugin: JSON, or YAML as `kubectl` accepts it.
fn status(output: &[u8]) -> Result<Status, String> {
    let document = documents("its output", output, &Limits::OBJECTS).next();
    let document = document.ok_or("it prints nothing")?.map_err(|error| error.to_string())?;
    let printed = ExecCredential::deserialize(document.root().to_json());
    printed.map(|printed| printed.status).map_err(|error| error.to_string())
}
