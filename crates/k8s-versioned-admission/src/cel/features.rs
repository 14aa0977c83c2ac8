//! What the releases of servers know of CEL.

use k8s_versioned_names::Release;

/// What a release knows beyond what all releases from 1.31 on know.
///
/// A rule that is new to a server may use what the release before the server's knew, so that a cluster can go back: a
/// library that Kubernetes lists for 1.34 is first usable in definitions that are created at 1.35.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Features {
    /// `all(i, x, …)`, `transformList` and so on. Listed for 1.32; recorded: absent at 1.31, present at 1.34.
    pub(super) two_variable_comprehensions: bool,
    /// `semver`, `isSemver`. Listed for 1.33; recorded: absent at 1.31, present at 1.34.
    pub(super) semver: bool,
    /// `sort`, `distinct`, `slice`, `flatten`, `reverse`, `lists.range`, `sortBy`. Listed for 1.34; recorded: absent at
    /// 1.34, present at 1.35.
    pub(super) extended_lists: bool,
    /// `existsOne` is `exists_one` with one variable, too: in the versions of cel-go since the one of 1.34.
    pub(super) exists_one_in_camel_case: bool,
    /// `"".indexOf("a")` is -1, where older servers fail with "index out of range": cel-go since the one of 1.34.
    pub(super) lenient_index_of: bool,
    /// The message of a violated rule names the value, and not its type. Recorded: the type at 1.34, the value at 1.35.
    pub(super) names_values: bool,
    /// A refused rule is printed as JSON. At 1.31 it is printed as Go prints a struct; recorded: JSON at 1.34.
    pub(super) rules_as_json: bool,
}

impl Features {
    pub(super) fn of(release: Release) -> Self {
        let since = |minor| release >= Release::new(1, minor);
        Self {
            two_variable_comprehensions: since(33),
            semver: since(34),
            extended_lists: since(35),
            exists_one_in_camel_case: since(34),
            lenient_index_of: since(34),
            names_values: since(35),
            rules_as_json: since(32),
        }
    }
}
