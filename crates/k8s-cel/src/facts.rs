//! What differs between the releases of servers.
//!
//! Each package has its own table of facts; [`Since`] says when they hold.

use k8s_versioned_names::Release;

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
    /// `existsOne` is `exists_one` with one variable, too.
    ExistsOneInCamelCase,
    /// `"".indexOf("a")` is -1; before, it failed with "index out of range".
    LenientIndexOf,
    /// A reserved word such as `namespace` is the name of a field without an escape, too.
    ReservedWordsAsFields,
    /// `%e` of `format` writes `1×10⁰³`; before, with narrow blanks around `×`.
    ExponentsWithoutBlanks,
    /// `fieldSelector` and `labelSelector` of the authorizer.
    Selectors,
    /// Estimated costs count the texts that `isIP`, `quantity` and the like read; before, one unit for a call.
    CostOfParsing,
    /// Estimated costs follow the sizes of items into lists and maps that a rule makes.
    CostOfEntries,
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

/// When a behaviour began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Since {
    /// With this release.
    Release(Release),
    /// For new rules with this release, and for stored ones with the release before: a cluster can go back by one release.
    NewRules(Release),
    /// After the first of these releases, and with the second at the latest. In between it is taken as not there.
    Between(Release, Release),
}

impl Since {
    /// The first release for which the behaviour is taken to be there.
    pub const fn first(self) -> Release {
        let (Self::Release(first) | Self::NewRules(first) | Self::Between(_, first)) = self;
        first
    }

    /// Returns `true` if it is not known whether servers of a release have the behaviour.
    pub fn is_unknown(self, release: Release) -> bool {
        matches!(self, Self::Between(not, first) if release > not && release < first)
    }
}

/// When a behaviour began, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Beginning {
    /// The behaviour.
    pub fact: Fact,
    /// The first release.
    pub since: Since,
    /// How it is known.
    pub source: &'static str,
}

const V1_31: Release = Release::new(1, 31);
const V1_32: Release = Release::new(1, 32);
const V1_33: Release = Release::new(1, 33);
const V1_34: Release = Release::new(1, 34);
const V1_35: Release = Release::new(1, 35);
const V1_36: Release = Release::new(1, 36);

/// The newest release of the table, and the one that answers are for if none is named.
pub const NEWEST: Release = V1_36;

/// The oldest release whose servers were recorded. Older ones are not known.
pub const OLDEST: Release = V1_31;

/// The same requests were sent to servers of 1.31, 1.34, 1.35 and 1.36.
const RECORDED: &str = "recordings of 1.31, 1.34, 1.35 and 1.36";

/// A rule may use what the release before the server's knew, so that a cluster can go back. So a library of CEL, or a format, that
/// Kubernetes lists for a release is usable one release later.
const LISTED: &str = "listed by Kubernetes for the release before; agrees with recordings of 1.31, 1.34, 1.35 and 1.36";

/// The functions of a server's version of cel-go.
const CEL_GO: &str =
    "the version of cel-go in the release; agrees with recordings of 1.31, 1.34, 1.35 and 1.36";

/// A defect that Kubernetes mended, in patches of earlier releases, too.
const MENDED: &str =
    "kubernetes/kubernetes pull request 130450, and its copies for earlier releases";

/// Each fact with its beginning.
pub const FACTS: &[Beginning] = &[
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
    Beginning {
        fact: Fact::CostOfParsing,
        since: Since::Between(V1_33, V1_36),
        source: "the estimator of apiserver 1.33 looks for a receiver; definitions judged by a server 1.36.3",
    },
    known(Fact::NetworksInNetworks, V1_33, MENDED),
    Beginning {
        fact: Fact::OptionalItems,
        since: Since::Between(V1_31, V1_34),
        source: "cel-go 0.20 of 1.31 lacks them, and 0.26 of 1.34 to 1.36 has them",
    },
    recorded(Fact::RulesNameValues, Since::Release(V1_35)),
    recorded(Fact::RulesAsJson, Since::Between(V1_31, V1_34)),
];

const fn recorded(fact: Fact, since: Since) -> Beginning {
    Beginning { fact, since, source: RECORDED }
}

const fn known(fact: Fact, release: Release, source: &'static str) -> Beginning {
    Beginning { fact, since: Since::Release(release), source }
}

const fn for_rules(fact: Fact, release: Release) -> Beginning {
    Beginning { fact, since: Since::NewRules(release), source: LISTED }
}

impl Fact {
    fn since(self) -> Option<Since> {
        FACTS.iter().find(|beginning| beginning.fact == self).map(|beginning| beginning.since)
    }

    /// The first release for which the fact is taken to hold.
    pub fn first(self) -> Release {
        self.since().map_or(NEWEST, Since::first)
    }
}

/// The facts that hold for a release.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    release: Release,
    /// The facts are asked for what a server has already stored.
    of_stored: bool,
}

impl Facts {
    #[cfg(test)]
    pub(crate) const NEWEST: Self = Self::at(NEWEST);

    /// The facts for what a request brings.
    pub(crate) const fn at(release: Release) -> Self {
        Self { release, of_stored: false }
    }

    /// The facts for what a server has stored.
    pub(crate) const fn of_stored(release: Release) -> Self {
        Self { release, of_stored: true }
    }

    /// Returns `true` if a fact holds.
    pub(crate) fn hold(self, fact: Fact) -> bool {
        let first = fact.first();
        let is_early = self.of_stored && matches!(fact.since(), Some(Since::NewRules(_)));
        // Releases of one major version.
        if is_early { self.release.next() >= first } else { self.release >= first }
    }

    /// Returns `true` if it is not known whether a fact holds.
    pub(crate) fn are_unknown(self, fact: Fact) -> bool {
        fact.since().is_some_and(|since| since.is_unknown(self.release))
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_names::Release;

    use super::{FACTS, Fact, Facts};

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
        for beginning in FACTS {
            let same = FACTS.iter().filter(|other| other.fact == beginning.fact);
            assert_eq!(same.count(), 1, "{:?}", beginning.fact);
        }
    }
}
