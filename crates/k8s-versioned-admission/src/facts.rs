//! What differs between the releases of servers.

pub(crate) use k8s_cel::Facts;
use k8s_cel::{Beginning, Behaviour, Since};
use k8s_versioned_core::Release;

/// A behaviour of servers that began with a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerFact {
    /// Messages show lists and objects as JSON; before, in the syntax of Go.
    ValuesAsJson,
    /// Empty fields of an owner reference "must not be empty"; before, the message began with the name of the field.
    OwnersWithoutNames,
    /// An absent type of an embedded object is only a "Required value"; before, it "must not be empty".
    EmbeddedTypesWithoutDetail,
    /// A text that is too long "may not be more than 3 bytes"; before, it "may not be longer than 3".
    LengthsInBytes,
    /// Messages name "a valid label key" with "bytes"; before, "a qualified name" with "characters".
    LabelKeys,
    /// The warning of a finalizer that has a domain and no path asks for a path; before, for a domain.
    FinalizerPaths,
    /// The message about a stored version that a definition lacks gives the reason why the version has to stay.
    StoredVersionsExplained,
}

const V1_31: Release = Release::new(1, 31);
const V1_32: Release = Release::new(1, 32);
const V1_33: Release = Release::new(1, 33);
const V1_34: Release = Release::new(1, 34);
const V1_36: Release = Release::new(1, 36);

/// Each fact with its beginning.
pub const FACTS: &[Beginning<ServerFact>] = &[
    Beginning::recorded(ServerFact::ValuesAsJson, Since::Between(V1_31, V1_34)),
    Beginning::recorded(ServerFact::OwnersWithoutNames, Since::Between(V1_31, V1_34)),
    Beginning::recorded(ServerFact::EmbeddedTypesWithoutDetail, Since::Between(V1_31, V1_34)),
    Beginning::recorded(ServerFact::LengthsInBytes, Since::Between(V1_31, V1_34)),
    Beginning::recorded(ServerFact::LabelKeys, Since::Between(V1_34, V1_36)),
    Beginning::known(
        ServerFact::FinalizerPaths,
        V1_32,
        "the warnings of custom resources in the source of 1.31 and 1.32",
    ),
    Beginning::known(
        ServerFact::StoredVersionsExplained,
        V1_33,
        "kubernetes/kubernetes pull request 128746",
    ),
];

impl Behaviour for ServerFact {
    const TABLE: &'static [Beginning<Self>] = FACTS;
}

#[cfg(test)]
mod tests {
    use k8s_cel::listed_twice;
    use k8s_versioned_core::Release;

    use super::{Facts, ServerFact};

    #[test]
    fn facts_hold_from_their_release_on() {
        let holds = |minor, fact| Facts::at(Release::new(1, minor)).hold(fact);
        assert!(!holds(31, ServerFact::ValuesAsJson) && holds(34, ServerFact::ValuesAsJson));
        assert!(!holds(35, ServerFact::LabelKeys) && holds(37, ServerFact::LabelKeys));
    }

    #[test]
    fn each_fact_is_listed_once() {
        assert_eq!(listed_twice::<ServerFact>(), None);
    }
}
