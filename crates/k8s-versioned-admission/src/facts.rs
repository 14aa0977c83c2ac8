//! What differs between the releases of servers.

use k8s_versioned_names::Release;

/// A behaviour of servers that began with a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Formats of numbers are kept, and numbers are compared with the range of their type and format: `int32` beyond its
    /// range is refused.
    NumberFormats,
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
}

/// When a behaviour began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// With this release.
    Release(Release),
    /// After the first of these releases, and with the second at the latest. In between it is taken as not there.
    Between(Release, Release),
}

const V1_31: Release = Release::new(1, 31);
const V1_34: Release = Release::new(1, 34);
const V1_36: Release = Release::new(1, 36);

/// The newest release of the table, and the one that answers are for if none is named.
pub const NEWEST: Release = V1_36;

/// The oldest release whose servers were recorded. Older ones are not known.
pub const OLDEST: Release = V1_31;

/// Each fact with its beginning. The source of each is recordings of the same requests at 1.31, 1.34, 1.35 and 1.36.
pub const FACTS: [(Fact, Since); 6] = [
    (Fact::NumberFormats, Since::Release(V1_36)),
    (Fact::ValuesAsJson, Since::Between(V1_31, V1_34)),
    (Fact::OwnersWithoutNames, Since::Between(V1_31, V1_34)),
    (Fact::EmbeddedTypesWithoutDetail, Since::Between(V1_31, V1_34)),
    (Fact::LengthsInBytes, Since::Between(V1_31, V1_34)),
    (Fact::LabelKeys, Since::Between(V1_34, V1_36)),
];

/// The facts that hold for a release.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts(Release);

impl Facts {
    pub(crate) const NEWEST: Self = Self(NEWEST);

    pub(crate) const fn of(release: Release) -> Self {
        Self(release)
    }

    /// Returns `true` if a fact holds.
    pub(crate) fn hold(self, fact: Fact) -> bool {
        FACTS.iter().any(|(listed, since)| {
            let (Since::Release(first) | Since::Between(_, first)) = since;
            *listed == fact && *first <= self.0
        })
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_names::Release;

    use super::{Fact, Facts};

    #[test]
    fn facts_hold_from_their_release_on() {
        let holds = |minor, fact| Facts::of(Release::new(1, minor)).hold(fact);
        assert!(!holds(35, Fact::NumberFormats) && holds(36, Fact::NumberFormats));
        assert!(!holds(31, Fact::ValuesAsJson) && holds(34, Fact::ValuesAsJson));
        assert!(holds(37, Fact::NumberFormats));
    }
}
