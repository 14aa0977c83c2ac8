//! What differs between the releases of servers.

use k8s_versioned_core::Release;

use crate::since::{Beginning, Behaviour, Since};

/// A behaviour of servers that began with a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fact {
    /// Formats of numbers are kept, and numbers are compared with the range of their type and format: `int32` beyond its
    /// range is refused.
    NumberFormats,
    /// The formats `k8s-short-name` and `k8s-long-name` are checked.
    KubernetesNames,
    /// Macros with two variables, such as `all(i, x, …)` and `transformList`.
    TwoVariables,
    /// `semver` and `isSemver`.
    Semver,
    /// `sort`, `distinct`, `slice`, `flatten`, `reverse`, `lists.range` and `sortBy`.
    ExtendedLists,
    /// `existsOne` is also a name of `exists_one` with one variable.
    ExistsOneInCamelCase,
    /// `"".indexOf("a")` is -1; before, it failed with "index out of range".
    LenientIndexOf,
    /// A reserved word such as `namespace` can name a field without an escape.
    ReservedWordsAsFields,
    /// `%e` of `format` writes `1×10⁰³`; before, with narrow blanks around `×`.
    ExponentsWithoutBlanks,
    /// `fieldSelector` and `labelSelector` of the authorizer.
    Selectors,
    /// Estimated costs count the texts that functions such as `isIP` and `quantity` read; before, one unit for a call.
    CostOfParsing,
    /// Estimated costs follow the sizes of items into lists and maps that a rule makes.
    CostOfEntries,
    /// Estimated costs count `maxLength` of an int-or-string; before, it had the size of a request.
    CostOfIntOrString,
    /// Estimated costs count `metadata.name` and `metadata.generateName` with at most 253 characters.
    ShortNames,
    /// A set or a map list is not equal to a list with duplicates; before, `[1, 2]` of the object was equal to `[1, 1]`.
    SetsWithoutDuplicates,
    /// Names in backquotes are "unsupported syntax"; before, a backquote was no token.
    QuotedNames,
    /// `containsCIDR` finds every network inside another; before, only those with the same first address.
    NetworksInNetworks,
    /// `first`, `last`, `optional.unwrap` and `unwrapOpt` of lists.
    OptionalItems,
    /// The message of a violated rule names the value; before, its type.
    RulesNameValues,
    /// The message of a refused rule shows it as JSON; before, in the syntax of Go.
    RulesAsJson,
}

const V1_31: Release = Release::new(1, 31);
const V1_32: Release = Release::new(1, 32);
const V1_33: Release = Release::new(1, 33);
const V1_34: Release = Release::new(1, 34);
const V1_35: Release = Release::new(1, 35);
const V1_36: Release = Release::new(1, 36);
const V1_37: Release = Release::new(1, 37);

/// A rule may use what the release before the server's knew, so that a cluster can go back. So a library of CEL, or a format, that
/// Kubernetes lists for a release is usable one release later.
const LISTED: &str = "listed by Kubernetes for the release before; agrees with recordings of 1.31, 1.34, 1.35 and 1.36";

/// The functions of a server's version of cel-go.
const CEL_GO: &str =
    "the version of cel-go in the release; agrees with recordings of 1.31, 1.34, 1.35 and 1.36";

/// A defect that Kubernetes mended, also in patches of earlier releases.
const MENDED: &str =
    "kubernetes/kubernetes pull request 130450, and its copies for earlier releases";

/// Each fact with its beginning.
pub const FACTS: &[Beginning<Fact>] = &[
    recorded(Fact::NumberFormats, Since::Release(V1_36)),
    known(Fact::KubernetesNames, V1_35, LISTED),
    for_rules(Fact::TwoVariables, V1_33),
    for_rules(Fact::Semver, V1_34),
    for_rules(Fact::ExtendedLists, V1_35),
    for_rules(Fact::ReservedWordsAsFields, V1_32),
    for_rules(Fact::Selectors, V1_32),
    known(Fact::ExistsOneInCamelCase, V1_34, CEL_GO),
    known(Fact::LenientIndexOf, V1_34, CEL_GO),
    known(Fact::ExponentsWithoutBlanks, V1_33, "the version of golang.org/x/text in the release"),
    known(Fact::QuotedNames, V1_33, CEL_GO),
    known(Fact::CostOfEntries, V1_34, CEL_GO),
    Beginning::new(
        Fact::CostOfParsing,
        Since::Between(V1_33, V1_36),
        "the estimator of apiserver 1.33 looks for a receiver; definitions judged by a server 1.36.3",
    ),
    known(
        Fact::CostOfIntOrString,
        V1_34,
        "kubernetes/kubernetes pull request 132837, of July 2025; definitions judged by a server 1.36.3",
    ),
    known(Fact::ShortNames, V1_37, "kubernetes/kubernetes pull request 139573"),
    known(Fact::SetsWithoutDuplicates, V1_37, "kubernetes/kubernetes pull request 140293"),
    known(Fact::NetworksInNetworks, V1_33, MENDED),
    Beginning::new(
        Fact::OptionalItems,
        Since::Between(V1_31, V1_34),
        "cel-go 0.20 of 1.31 lacks them, and 0.26 of 1.34 to 1.36 has them",
    ),
    recorded(Fact::RulesNameValues, Since::Release(V1_35)),
    recorded(Fact::RulesAsJson, Since::Between(V1_31, V1_34)),
];

const fn recorded(fact: Fact, since: Since) -> Beginning<Fact> {
    Beginning::recorded(fact, since)
}

const fn known(fact: Fact, release: Release, source: &'static str) -> Beginning<Fact> {
    Beginning::known(fact, release, source)
}

const fn for_rules(fact: Fact, release: Release) -> Beginning<Fact> {
    Beginning::new(fact, Since::NewRules(release), LISTED)
}

impl Behaviour for Fact {
    const TABLE: &'static [Beginning<Self>] = FACTS;
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;

    use super::Fact;
    use crate::since::{Facts, listed_twice};

    #[test]
    fn facts_hold_from_their_release_on() {
        let holds = |minor, fact| Facts::at(Release::new(1, minor)).hold(fact);
        assert!(!holds(34, Fact::RulesNameValues) && holds(35, Fact::RulesNameValues));
        assert!(!holds(32, Fact::TwoVariables) && holds(33, Fact::TwoVariables));
        let of_stored = |minor| Facts::of_stored(Release::new(1, minor)).hold(Fact::TwoVariables);
        assert!(!of_stored(31) && of_stored(32));
        let unknown = |minor, fact| Facts::at(Release::new(1, minor)).are_unknown(fact);
        let minors = [31, 32, 33, 34];
        let of_items = minors.map(|minor| unknown(minor, Fact::OptionalItems));
        assert_eq!(of_items, [false, true, true, false]);
        assert!(!minors.iter().any(|minor| unknown(*minor, Fact::TwoVariables)));
    }

    #[test]
    fn each_fact_is_listed_once() {
        assert_eq!(listed_twice::<Fact>(), None);
    }
}
