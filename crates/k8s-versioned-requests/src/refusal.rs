//! Combinations of parameters that servers refuse for any objects.

use super::{ListParameters, RequestError};
use k8s_versioned::field::{FieldError, FieldErrors};
use k8s_versioned::meta::v1::{DeleteOptions, ResourceVersionMatch};

/// A rule: `true` if it is broken, the parameter, and the text after "servers refuse `parameter`".
type Rule = (bool, &'static str, &'static str);

type Checked = Result<(), RequestError>;

/// Returns an error with all broken rules.
fn check(rules: impl IntoIterator<Item = Rule>) -> Checked {
    let broken = rules.into_iter().filter(|(broken, ..)| *broken);
    let errors = broken.map(|(_, parameter, reason)| FieldError::forbidden(parameter, reason));
    FieldErrors::check(errors).map_err(RequestError::Refused)
}

/// True if a parameter is set. For servers an empty text is absent.
fn is_set(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.is_empty())
}

fn matching(parameters: &ListParameters) -> Option<&ResourceVersionMatch> {
    let matching = parameters.resource_version_match.as_ref();
    matching.filter(|matching| !matching.is_empty())
}

/// Checks the parameters of a list.
pub(super) fn of_list(parameters: &ListParameters) -> Checked {
    check(rules_of_list(parameters))
}

fn rules_of_list(parameters: &ListParameters) -> [Rule; 5] {
    let version = parameters.resource_version.as_deref();
    let (version_set, token_set) = (is_set(version), is_set(parameters.r#continue.as_deref()));
    let matching = matching(parameters);
    let exact = matching == Some(&ResourceVersionMatch::Exact);
    [
        (matching.is_some() && !version_set, "resourceVersionMatch", "without `resourceVersion`"),
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
            parameters.send_initial_events.is_some(),
            "sendInitialEvents",
            "for a list: it is for a watch",
        ),
    ]
}

/// Checks the parameters of a watch.
pub(super) fn of_watch(parameters: &ListParameters) -> Checked {
    let matching = matching(parameters);
    let initial = parameters.send_initial_events.is_some();
    let not_older = matching == Some(&ResourceVersionMatch::NotOlderThan);
    check([
        (initial && !not_older, "sendInitialEvents", "without `resourceVersionMatch=NotOlderThan`"),
        (
            matching.is_some() && !initial,
            "resourceVersionMatch",
            "for a watch without `sendInitialEvents`",
        ),
        (
            matching.is_some() && is_set(parameters.r#continue.as_deref()),
            "resourceVersionMatch",
            "with `continue`: the token contains the state",
        ),
    ])
}

/// Checks the selection and the options of a deletion.
pub(super) fn of_deletion(selection: Option<&ListParameters>, options: &DeleteOptions) -> Checked {
    let bookmarks = selection.is_some_and(|selection| selection.allow_watch_bookmarks.is_some());
    let orphans = options.orphan_dependents.is_some() && options.propagation_policy.is_some();
    let own = [
        (bookmarks, "allowWatchBookmarks", "for a deletion: it is for a watch"),
        (orphans, "orphanDependents", "with `propagationPolicy`, which replaces it"),
    ];
    check(selection.map(rules_of_list).into_iter().flatten().chain(own))
}
