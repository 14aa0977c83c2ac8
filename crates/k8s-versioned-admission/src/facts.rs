//! What differs between the releases of servers.

use k8s_cel::{NEWEST, Since};
use k8s_versioned_names::Release;

/// A behaviour of servers that began with a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fact {
    /// Messages show lists and objects as JSON; before, in the syntax of Go.
    ValuesAsJson,
    /// Empty fields of an owner reference "must not be empty"; before, the message began with the name of the field.
    OwnersWithoutNames,
    /// An absent type of an embedded object is a "Required value" and nothing else; before, it "must not be empty".
    EmbeddedTypesWithoutDetail,
    /// A text that is too long "may not be more than 3 bytes"; before, it "may not be longer than 3".
    LengthsInBytes,
    /// A label key is called so, and has "bytes"; before, it was "a qualified name" with "characters".
    LabelKeys,
    /// The warning of a finalizer that has a domain and no path asks for a path; before, for a domain.
    FinalizerPaths,
    /// The message about a stored version that a definition lacks says why it has to stay.
    StoredVersionsExplained,
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
const V1_36: Release = Release::new(1, 36);

/// The same requests were sent to servers of 1.31, 1.34, 1.35 and 1.36.
const RECORDED: &str = "recordings of 1.31, 1.34, 1.35 and 1.36";

/// Each fact with its beginning.
pub const FACTS: &[Beginning] = &[
    recorded(Fact::ValuesAsJson, Since::Between(V1_31, V1_34)),
    recorded(Fact::OwnersWithoutNames, Since::Between(V1_31, V1_34)),
    recorded(Fact::EmbeddedTypesWithoutDetail, Since::Between(V1_31, V1_34)),
    recorded(Fact::LengthsInBytes, Since::Between(V1_31, V1_34)),
    recorded(Fact::LabelKeys, Since::Between(V1_34, V1_36)),
    Beginning {
        fact: Fact::FinalizerPaths,
        since: Since::Release(V1_32),
        source: "the warnings of custom resources in the source of 1.31 and 1.32",
    },
    Beginning {
        fact: Fact::StoredVersionsExplained,
        since: Since::Release(V1_33),
        source: "kubernetes/kubernetes pull request 128746",
    },
];

const fn recorded(fact: Fact, since: Since) -> Beginning {
    Beginning { fact, since, source: RECORDED }
}

impl Fact {
    /// The first release for which the fact is taken to hold.
    pub fn first(self) -> Release {
        let beginning = FACTS.iter().find(|beginning| beginning.fact == self);
        beginning.map_or(NEWEST, |beginning| beginning.since.first())
    }
}

/// The facts that hold for a release.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts(Release);

impl Facts {
    pub(crate) const NEWEST: Self = Self(NEWEST);

    pub(crate) const fn at(release: Release) -> Self {
        Self(release)
    }

    pub(crate) const fn release(self) -> Release {
        self.0
    }

    /// Returns `true` if a fact holds.
    pub(crate) fn hold(self, fact: Fact) -> bool {
        self.0 >= fact.first()
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_names::Release;

    use super::{FACTS, Fact, Facts};

    #[test]
    fn facts_hold_from_their_release_on() {
        let holds = |minor, fact| Facts::at(Release::new(1, minor)).hold(fact);
        assert!(!holds(31, Fact::ValuesAsJson) && holds(34, Fact::ValuesAsJson));
        assert!(!holds(35, Fact::LabelKeys) && holds(37, Fact::LabelKeys));
    }

    #[test]
    fn each_fact_is_listed_once() {
        for beginning in FACTS {
            let same = FACTS.iter().filter(|other| other.fact == beginning.fact);
            assert_eq!(same.count(), 1, "{:?}", beginning.fact);
        }
    }
}
