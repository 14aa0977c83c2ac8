//! How the commands find a cluster: by a context of the kubeconfig or by an address, for the client of `kube`.

use std::env;
use std::error::Error as StdError;

use hyper_util::client::proxy::matcher::Matcher;
use k8s_versioned_core::quoted::Quoted;
use kube::Config;
use kube::config::{KubeConfigOptions, KubeconfigError};

/// The reason why a cluster cannot be used. No message has a password.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The kubeconfig has no context of this name.
    #[error("the kubeconfig has no context {}", Quoted(.0))]
    NoContext(String),
    /// There is no kubeconfig, or it cannot be used.
    #[error(transparent)]
    Kubeconfig(Box<dyn StdError + Send + Sync>),
    /// The address is not a URL.
    #[error(transparent)]
    Address(http::uri::InvalidUri),
    /// The address has no scheme.
    #[error("`{0}`: the address has no `http://` or `https://`")]
    Scheme(String),
    /// The address has the name or password of a user.
    #[error(
        "the address of the server has the name of a user: a kubeconfig has credentials, not an address"
    )]
    UserInAddress,
    /// Credentials would be sent without TLS.
    #[error(
        "`{0}`: the user of the context has credentials, which are not sent over `http://`, where others can read them"
    )]
    NotSecret(String),
}

/// How to reach the cluster of a context, by default of the current one, or the cluster in which the program runs.
///
/// # Errors
/// The kubeconfig has no such context, or cannot be used.
pub async fn of_context(context: Option<&str>) -> Result<Config, ConfigError> {
    let mut config = match context {
        None => Config::infer().await.map_err(|error| ConfigError::Kubeconfig(error.into()))?,
        Some(context) => {
            let context = Some(context.to_owned());
            let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
            Config::from_kubeconfig(&options).await.map_err(|error| match error {
                // Its message takes every context for the current one.
                KubeconfigError::LoadContext(name) => ConfigError::NoContext(name),
                error => ConfigError::Kubeconfig(error.into()),
            })?
        }
    };
    check(&config)?;
    if is_excepted(&config) {
        config.proxy_url = None;
    }
    Ok(config)
}

/// How to reach a server that needs no credentials, such as `kubectl proxy`.
///
/// # Errors
/// The address is not a URL.
pub fn at(address: &str) -> Result<Config, ConfigError> {
    let config = Config::new(address.parse().map_err(ConfigError::Address)?);
    check(&config)?;
    Ok(config)
}

/// Refuses an address with which the client would panic, and what would show credentials to others.
fn check(config: &Config) -> Result<(), ConfigError> {
    let url = &config.cluster_url;
    if url.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(ConfigError::UserInAddress);
    }
    let scheme = url.scheme_str().filter(|_| url.host().is_some_and(|host| !host.is_empty()));
    let user = &config.auth_info;
    let has_credentials = user.token.is_some()
        || user.token_file.is_some()
        || user.username.is_some()
        || user.password.is_some()
        || user.exec.is_some()
        || user.auth_provider.is_some();
    match scheme {
        Some("http") if has_credentials => Err(ConfigError::NotSecret(url.to_string())),
        Some("http" | "https") => Ok(()),
        _ => Err(ConfigError::Scheme(url.to_string())),
    }
}

/// Returns `true` if `NO_PROXY` excepts the cluster from the proxy of the environment: `kube` looks whether it excepts the
/// proxy.
fn is_excepted(config: &Config) -> bool {
    let variable = |names: [&str; 2]| {
        names.iter().find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
    };
    let Some(proxy) = variable(["HTTPS_PROXY", "https_proxy"]) else {
        return false;
    };
    let excepted = variable(["NO_PROXY", "no_proxy"]).unwrap_or_default();
    // Only the exceptions count here.
    let matcher = Matcher::builder().all("http://proxy").no(excepted).build();
    config.proxy_url == proxy.parse().ok() && matcher.intercept(&config.cluster_url).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_never_sent_in_plain_text_or_shown() {
        assert!(at("http://127.0.0.1:8001").is_ok() && at("https://[::1]:6443/a").is_ok());
        for (address, reason) in [
            ("http://user:hunter2@127.0.0.1", "the name of a user"),
            ("https://hunter2@127.0.0.1", "the name of a user"),
            ("127.0.0.1:8001", "has no `http://`"),
            ("batch", "has no `http://`"),
            ("ftp://127.0.0.1", "has no `http://`"),
        ] {
            let error = at(address).unwrap_err().to_string();
            assert!(error.contains(reason) && !error.contains("hunter2"), "{address}: {error}");
        }
        let mut config = at("http://127.0.0.1:8001").unwrap();
        config.auth_info.token_file = Some("token".to_owned());
        assert!(matches!(check(&config), Err(ConfigError::NotSecret(_))));
    }
}
