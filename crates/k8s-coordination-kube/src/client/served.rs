//! The versions of `LeaseCandidate` that a cluster serves.

use std::fmt;

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion};
use k8s_coordination::prelude::Resource;
use k8s_coordination::requests::Request;
use k8s_coordination::{Kinds, Registry, Release};
use kube::Client;
use thiserror::Error;

use super::{Error, send};

/// The versions that a cluster serves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Served {
    /// The versions of `LeaseCandidate`, lowest first.
    pub versions: Vec<LeaseCandidateVersion>,
    /// The release of the cluster, if it is known.
    pub release: Option<Release>,
}

/// Asks a cluster which versions of `LeaseCandidate` it serves.
///
/// It reads the discovery of the group and of each version that can have candidates, and the release. By default a client of
/// `kube` sends a refused request (429, 503, 504) again for minutes; with `default_retry = false` in its `Config` the refusal is
/// an error at once.
///
/// # Errors
///
/// The errors of [`send`]. An unknown release is not an error.
pub async fn served(client: &Client) -> Result<Served, Error> {
    let name = AnyLeaseCandidate::GROUP;
    let group = send(client, &Request::api_group(name)).await?.body;
    let mut versions = Vec::new();
    for version in LeaseCandidateVersion::ALL {
        let listed = |served: &str| served == version.as_str();
        if group.versions.iter().any(|served| listed(&served.version)) {
            let request = Request::api_resource_list(name, version.as_str());
            let resources = send(client, &request).await?.body.resources;
            let plural = <AnyLeaseCandidate as AnyVersion>::Newest::PLURAL;
            versions.extend(
                resources.iter().any(|resource| resource.name == plural).then_some(*version),
            );
        }
    }
    let release = client.apiserver_version().await.ok();
    // Managed clusters write a minor number such as `33+`.
    let release = release.and_then(|info| {
        format!("v{}.{}", info.major, info.minor.trim_end_matches('+')).parse().ok()
    });
    Ok(Served { versions, release })
}

impl Served {
    /// The newest version that the cluster serves.
    ///
    /// # Errors
    ///
    /// The cluster serves none. The error says how to enable the API.
    pub fn choose(&self) -> Result<LeaseCandidateVersion, NotServed> {
        self.versions.iter().max().copied().ok_or_else(|| NotServed(self.clone()))
    }
}

/// The cluster serves no version of `LeaseCandidate`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct NotServed(Served);

impl NotServed {
    /// The versions that the cluster serves.
    pub fn served(&self) -> &Served {
        &self.0
    }
}

impl fmt::Display for NotServed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let release = &self.0.release;
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
