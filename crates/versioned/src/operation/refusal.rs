//! Combinations of parameters that servers refuse, whatever the objects are.

use std::fmt;

use super::{DeleteParameters, ListParameters};
use crate::meta::v1::ResourceVersionMatch;

/// A parameter that servers refuse beside the others of a request, whatever the objects are.
///
/// The rules are those of the API servers of all known releases. A request that breaks one is not built; where that is
/// wanted all the same, [`Request::with_parameter`](super::Request::with_parameter) sets the parameter.
///
/// | refused | answer of a server | known from |
/// |---|---|---|
/// | list: `resourceVersionMatch` without `resourceVersion` | 422 | recordings |
/// | list: `resourceVersionMatch` with `continue` | 422 | the source of the API server |
/// | list: `resourceVersionMatch=Exact` with `resourceVersion=0` | 422 | the source |
/// | list: `resourceVersion` other than `0` with `continue` | 400 | the source |
/// | list: `sendInitialEvents` | 422 | the source |
/// | watch: `sendInitialEvents` without `resourceVersionMatch=NotOlderThan` | 422 | the source |
/// | watch: `resourceVersionMatch` without `sendInitialEvents` | 422 | the source |
/// | watch: `resourceVersionMatch` with `continue` | 422 | the source |
/// | deletion: `orphanDependents` with `propagationPolicy` | 422 | the source |
///
/// What servers refuse of patches is in [`RequestError`](super::RequestError).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Refusal {
    /// The parameter.
    pub parameter: &'static str,
    /// What is wrong with it; it completes "servers refuse … ".
    pub reason: &'static str,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "servers refuse `{}` {}", self.parameter, self.reason)
    }
}

/// The refusals whose condition holds.
fn collect<const N: usize>(rules: [(bool, &'static str, &'static str); N]) -> Vec<Refusal> {
    let broken = rules.into_iter().filter(|(broken, ..)| *broken);
    broken.map(|(_, parameter, reason)| Refusal { parameter, reason }).collect()
}

/// Servers take an empty text for an absent one.
fn is_set(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.is_empty())
}

impl ListParameters {
    fn matching(&self) -> Option<&ResourceVersionMatch> {
        let matching = self.resource_version_match.as_ref();
        matching.filter(|matching| !matching.is_empty())
    }

    /// What a server refuses of a list.
    pub(super) fn refused_for_list(&self) -> Vec<Refusal> {
        let version = self.resource_version.as_deref();
        let (version_set, token_set) = (is_set(version), is_set(self.r#continue.as_deref()));
        let matching = self.matching();
        let exact = matching == Some(&ResourceVersionMatch::Exact);
        collect([
            (
                matching.is_some() && !version_set,
                "resourceVersionMatch",
                "without `resourceVersion`",
            ),
            (
                matching.is_some() && token_set,
                "resourceVersionMatch",
                "with `continue`: the token contains the state",
            ),
            (
                exact && version == Some("0"),
                "resourceVersionMatch",
                "`Exact` with the `resourceVersion` `0`, which is any state",
            ),
            (
                version_set && version != Some("0") && token_set,
                "resourceVersion",
                "with `continue`: the token contains the state",
            ),
            (
                self.send_initial_events.is_some(),
                "sendInitialEvents",
                "for a list: it is for a watch",
            ),
        ])
    }

    /// What a server refuses of a watch.
    pub(super) fn refused_for_watch(&self) -> Vec<Refusal> {
        let matching = self.matching();
        let initial = self.send_initial_events.is_some();
        let not_older = matching == Some(&ResourceVersionMatch::NotOlderThan);
        collect([
            (
                initial && !not_older,
                "sendInitialEvents",
                "without `resourceVersionMatch=NotOlderThan`",
            ),
            (
                matching.is_some() && !initial,
                "resourceVersionMatch",
                "for a watch without `sendInitialEvents`",
            ),
            (
                matching.is_some() && is_set(self.r#continue.as_deref()),
                "resourceVersionMatch",
                "with `continue`: the token contains the state",
            ),
        ])
    }

    /// What a server refuses of the selection of a deletion, and what it does not know there.
    pub(super) fn refused_for_deletion(&self) -> Vec<Refusal> {
        let mut refused = self.refused_for_list();
        refused.extend(collect([(
            self.allow_watch_bookmarks.is_some(),
            "allowWatchBookmarks",
            "for a deletion: it is for a watch",
        )]));
        refused
    }
}

impl DeleteParameters {
    /// What a server refuses of a deletion.
    pub(super) fn refused(&self) -> Vec<Refusal> {
        collect([(
            self.orphan_dependents.is_some() && self.propagation_policy.is_some(),
            "orphanDependents",
            "with `propagationPolicy`, which replaces it",
        )])
    }
}
