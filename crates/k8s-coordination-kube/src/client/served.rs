//! The versions of `LeaseCandidate` that a cluster serves.

use std::fmt;

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion};
use k8s_coordination::prelude::Resource;
use k8s_coordination::requests::{ApiError, Request};
use k8s_coordination::{Kinds, Registry, Release};
use kube::Client;

use super::{Error, send};

/// The versions that a cluster serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Served {
    /// The versions of `LeaseCandidate`, lowest first.
    pub versions: Vec<LeaseCandidateVersion>,
    /// The release of the cluster, if it is known.
    pub release: Option<Release>,
    /// The versions of `LeaseCandidate` that are unknown to this program, if the cluster serves only such versions.
    pub unknown: Vec<String>,
    /// Whether the server has the group at all.
    pub has_group: bool,
}

/// Asks a cluster which versions of `LeaseCandidate` it serves.
///
/// It reads the discovery of the group and of each version that can have candidates, and the release. By default a client of
/// `kube` sends a refused request (429, 503, 504) again for minutes; with `default_retry = false` in its `Config` the refusal is
/// an error at once.
///
/// # Errors
///
/// The errors of [`send`]. An unknown release is not an error, and neither is a server without the group: [`Served::choose`]
/// says so.
pub async fn served(client: &Client) -> Result<Served, Error> {
    let name = AnyLeaseCandidate::GROUP;
    let mut served = Served::default();
    let group = match send(client, &Request::api_group(name)).await {
        Ok(response) => response.body,
        Err(error) if error.api().is_some_and(ApiError::is_not_served) => return Ok(served),
        Err(error) => return Err(error),
    };
    served.has_group = true;
    let versions: Vec<_> = group.versions.into_iter().map(|served| served.version).collect();
    for version in LeaseCandidateVersion::ALL {
        if versions.iter().any(|served| served == version.as_str())
            && has_candidates(client, version.as_str()).await?
        {
            served.versions.push(*version);
        }
    }
    let is_known =
        |name: &String| LeaseCandidateVersion::ALL.iter().any(|known| known.as_str() == name);
    for version in versions.iter().filter(|name| served.versions.is_empty() && !is_known(name)) {
        if has_candidates(client, version).await? {
            served.unknown.push(version.clone());
        }
    }
    let release = client.apiserver_version().await.ok();
    // Managed clusters write a minor number such as `33+`.
    served.release = release.and_then(|info| {
        format!("v{}.{}", info.major, info.minor.trim_end_matches('+')).parse().ok()
    });
    Ok(served)
}

/// Returns `true` if the cluster serves candidates in this version of the group.
async fn has_candidates(client: &Client, version: &str) -> Result<bool, Error> {
    let request = Request::api_resource_list(AnyLeaseCandidate::GROUP, version);
    let resources = send(client, &request).await?.body.resources;
    let plural = <AnyLeaseCandidate as AnyVersion>::Newest::PLURAL;
    Ok(resources.iter().any(|resource| resource.name == plural))
}

impl Served {
    /// The newest version that the cluster serves. Its servers can warn that a later release removes it: see
    /// [`deprecation`](Self::deprecation).
    ///
    /// # Errors
    ///
    /// The cluster serves no version that this program knows. The error says how to enable the API, or what else is wrong.
    pub fn choose(&self) -> Result<LeaseCandidateVersion, NotServed> {
        self.versions.iter().max().copied().ok_or_else(|| NotServed(self.clone()))
    }

    /// The warning of the cluster's servers about the [chosen](Self::choose) version, with the release that removes it; `None` if
    /// they do not warn. If the release of the cluster is unknown, the warning of later releases.
    pub fn deprecation(&self) -> Option<String> {
        let version = self.choose().ok()?;
        let entry = Kinds.find(version.api_version(), AnyLeaseCandidate::KIND)?;
        let release = self.release.or_else(|| entry.lifecycle()?.deprecated_in())?;
        entry.deprecation_warning(release)
    }
}

/// The cluster serves no version of `LeaseCandidate` that this program knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotServed(Served);

impl From<NotServed> for Error {
    fn from(error: NotServed) -> Self {
        Self::NotServed(Box::new(error))
    }
}

impl NotServed {
    /// The versions that the cluster serves.
    pub fn served(&self) -> &Served {
        &self.0
    }
}

impl fmt::Display for NotServed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Served { release, unknown, has_group, .. } = &self.0;
        if !has_group {
            let group = AnyLeaseCandidate::GROUP;
            return write!(
                f,
                "the server does not serve the group `{group}`: is it an API server? Check `server` in the kubeconfig, and \
                 the proxy before it"
            );
        }
        if !unknown.is_empty() {
            let versions = unknown.join(", ");
            return write!(
                f,
                "the cluster serves `LeaseCandidate` in {versions}, which this program does not know: update it"
            );
        }
        f.write_str(
            "the cluster serves no version of `LeaseCandidate`, which is off by default; ",
        )?;
        match release {
            None => f.write_str("its API servers need ")?,
            Some(release) => write!(f, "API servers of {release:#} need ")?,
        }
        let has = |version: &&LeaseCandidateVersion| {
            let entry = Kinds.find(version.api_version(), AnyLeaseCandidate::KIND);
            release.is_none_or(|release| entry.is_some_and(|entry| entry.is_served_in(release)))
        };
        // If the release is unknown, the newest version is the best guess.
        let newest = LeaseCandidateVersion::ALL.iter().rfind(has);
        match newest {
            None => f.write_str("an upgrade: their release has no `LeaseCandidate`"),
            Some(version) => write!(
                f,
                "`--runtime-config={}=true --feature-gates=CoordinatedLeaderElection=true`",
                version.api_version()
            ),
        }
    }
}
