//! The settings of a program that runs in a pod.

use std::{env, fmt, fs, io};

use thiserror::Error;

use crate::Settings;

/// The file with the namespace of a pod, in the volume of its service account.
const NAMESPACE_FILE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/// The file with the host name on Linux. The host name of a pod is its name.
const HOST_NAME_FILE: &str = "/proc/sys/kernel/hostname";

/// A setting that is missing from the environment of the process.
#[derive(Error)]
#[non_exhaustive]
pub enum InClusterError {
    /// The namespace is not known.
    #[error(
        "the namespace is not known: the variable `POD_NAMESPACE` is not set, and `{NAMESPACE_FILE}` cannot be read: {0}; \
         set `POD_NAMESPACE` by `fieldRef: metadata.namespace`, or let the pod mount the token of its service account"
    )]
    Namespace(#[source] io::Error),
    /// The identity is not known.
    #[error(
        "the identity is not known: neither `POD_NAME` nor `HOSTNAME` is set, and `{HOST_NAME_FILE}` cannot be read: {0}; \
         set `POD_NAME` by `fieldRef: metadata.name`"
    )]
    Identity(#[source] io::Error),
}

/// A `main` that returns the error prints it by `Debug`: people read the message.
impl fmt::Debug for InClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Settings {
    /// The settings of a program that runs in a pod, for plain election with the usual times.
    ///
    /// | setting | from |
    /// |---|---|
    /// | namespace | the variable `POD_NAMESPACE`; else the file of the service account |
    /// | identity | the variable `POD_NAME`; else the host name (the variable `HOSTNAME`, or the name that Linux reports) with a random suffix |
    ///
    /// Two electors with a [candidate](Self::with_candidate) in one pod need two identities: see [`identity`](Self::identity).
    ///
    /// # Errors
    ///
    /// The namespace or the identity is not known: the process does not run in a pod. The error says what to set.
    pub fn in_cluster(lease_name: impl Into<String>) -> Result<Self, InClusterError> {
        Self::from_environment(
            lease_name.into(),
            |name| env::var(name).ok(),
            |file| fs::read_to_string(file),
        )
    }

    /// Only the identity of [`in_cluster`](Self::in_cluster), for a program that can also run outside a cluster.
    ///
    /// # Errors
    ///
    /// Neither variable is set, and the host name cannot be read.
    pub fn default_identity() -> Result<String, InClusterError> {
        identity(&|name: &str| env::var(name).ok(), &|file: &str| fs::read_to_string(file))
    }

    fn from_environment(
        lease_name: String,
        variable: impl Fn(&str) -> Option<String>,
        read: impl Fn(&str) -> io::Result<String>,
    ) -> Result<Self, InClusterError> {
        let namespace = non_empty_variable(&variable, "POD_NAMESPACE")
            .map_or_else(|| read_non_empty(&read, NAMESPACE_FILE), Ok);
        let namespace = namespace.map_err(InClusterError::Namespace)?;
        let identity = identity(&variable, &read)?;
        Ok(Self::new(namespace, lease_name, identity))
    }
}

/// The text of a variable that is set and not empty.
fn non_empty_variable(variable: &impl Fn(&str) -> Option<String>, name: &str) -> Option<String> {
    variable(name).filter(|text| !text.is_empty())
}

/// The text of a file that is not empty.
fn read_non_empty(read: &impl Fn(&str) -> io::Result<String>, path: &str) -> io::Result<String> {
    let text = read(path)?.trim().to_owned();
    if text.is_empty() { Err(io::Error::other("it is empty")) } else { Ok(text) }
}

fn identity(
    variable: &impl Fn(&str) -> Option<String>,
    read: &impl Fn(&str) -> io::Result<String>,
) -> Result<String, InClusterError> {
    if let Some(name) = non_empty_variable(variable, "POD_NAME") {
        return Ok(name);
    }
    let host = non_empty_variable(variable, "HOSTNAME")
        .map_or_else(|| read_non_empty(read, HOST_NAME_FILE), Ok);
    let host = host.map_err(InClusterError::Identity)?.to_lowercase();
    Ok(format!("{host}-{:08x}", fastrand::u32(..)))
}

#[cfg(test)]
mod tests {
    use std::io;

    use crate::Settings;

    fn settings(variables: &[(&str, &str)], files: &[(&str, &str)]) -> Result<Settings, String> {
        let find = |of: &[(&str, &str)], wanted: &str| {
            let found = of.iter().find(|(name, _)| wanted.ends_with(name));
            found.map(|(_, text)| (*text).to_owned())
        };
        let read = |path: &str| find(files, path).ok_or_else(|| io::ErrorKind::NotFound.into());
        Settings::from_environment("work".to_owned(), |name| find(variables, name), read)
            .map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn a_pod_knows_its_namespace_and_its_name() {
        let account = [("serviceaccount/namespace", "team\n"), ("hostname", "Node-1\n")];
        let found = settings(&[], &account).unwrap();
        assert_eq!((&*found.namespace, &*found.lease_name), ("team", "work"));
        assert!(found.identity.starts_with("node-1-") && found.identity.len() == 15);
        let again = settings(&[], &account).unwrap();
        assert!(again.identity != found.identity && again.seed != found.seed);

        let variables = [("POD_NAMESPACE", "other"), ("POD_NAME", "pod-1")];
        let found = settings(&variables, &account).unwrap();
        assert_eq!((&*found.namespace, &*found.identity), ("other", "pod-1"));
    }

    #[test]
    fn without_a_pod_the_error_says_what_to_set() {
        let error = settings(&[], &[("namespace", " \n")]).unwrap_err();
        assert!(error.contains("it is empty; set `POD_NAMESPACE` by `fieldRef"), "{error}");
        let error = settings(&[("POD_NAMESPACE", "team")], &[]).unwrap_err();
        assert!(error.contains("not found; set `POD_NAME` by `fieldRef"), "{error}");
    }
}
