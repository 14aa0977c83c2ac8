//! When behaviours of servers began: what the tables of facts have in common.

use k8s_versioned_core::Release;

/// The newest release of the tables. Answers are for it if none is named.
pub const NEWEST: Release = Release::new(1, 36);

/// The oldest release whose servers were recorded. Older ones are not known.
pub const OLDEST: Release = Release::new(1, 31);

/// When a behaviour began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Since {
    /// With this release.
    Release(Release),
    /// For new rules with this release, and for stored ones with the release before: a cluster can go back by one release.
    NewRules(Release),
    /// After the first of these releases, and with the second at the latest. Between them it counts as absent.
    Between(Release, Release),
}

impl Since {
    /// The first release for which the behaviour counts as present.
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
pub struct Beginning<B> {
    /// The behaviour.
    pub fact: B,
    /// The first release.
    pub since: Since,
    /// How it is known.
    pub source: &'static str,
}

/// The same requests were sent to servers of 1.31, 1.34, 1.35 and 1.36.
const RECORDED: &str = "recordings of 1.31, 1.34, 1.35 and 1.36";

impl<B> Beginning<B> {
    /// A beginning that recordings show.
    #[doc(hidden)]
    pub const fn recorded(fact: B, since: Since) -> Self
    where
        B: Copy,
    {
        Self { fact, since, source: RECORDED }
    }

    /// A beginning with a release that a source names.
    #[doc(hidden)]
    pub const fn known(fact: B, release: Release, source: &'static str) -> Self
    where
        B: Copy,
    {
        Self { fact, since: Since::Release(release), source }
    }

    /// A beginning with another source.
    #[doc(hidden)]
    pub const fn new(fact: B, since: Since, source: &'static str) -> Self
    where
        B: Copy,
    {
        Self { fact, since, source }
    }
}

/// A behaviour of servers whose beginning a table knows.
pub trait Behaviour: Copy + PartialEq + 'static {
    /// Each behaviour of this type with its beginning.
    const TABLE: &'static [Beginning<Self>];

    /// When the behaviour began.
    fn since(self) -> Option<Since> {
        Self::TABLE.iter().find(|beginning| beginning.fact == self).map(|beginning| beginning.since)
    }

    /// The first release for which the behaviour counts as present.
    fn first(self) -> Release {
        self.since().map_or(NEWEST, Since::first)
    }
}

/// The facts that hold for a release.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    release: Release,
    /// Whether the facts are for what a server has already stored.
    of_stored: bool,
}

impl Facts {
    /// The facts of the newest release that is known.
    pub const NEWEST: Self = Self::at(NEWEST);

    /// The facts for what a request brings.
    pub const fn at(release: Release) -> Self {
        Self { release, of_stored: false }
    }

    /// The facts for what a server has stored.
    pub const fn of_stored(release: Release) -> Self {
        Self { release, of_stored: true }
    }

    /// The release.
    pub const fn release(self) -> Release {
        self.release
    }

    /// Returns `true` if the servers have a behaviour.
    pub fn hold(self, fact: impl Behaviour) -> bool {
        let first = fact.first();
        let is_early = self.of_stored && matches!(fact.since(), Some(Since::NewRules(_)));
        // Releases of one major version.
        if is_early { self.release.next() >= first } else { self.release >= first }
    }

    /// Returns `true` if it is not known whether the servers have a behaviour.
    pub fn are_unknown(self, fact: impl Behaviour) -> bool {
        fact.since().is_some_and(|since| since.is_unknown(self.release))
    }
}

/// Returns a behaviour that a table lists twice.
#[doc(hidden)]
pub fn listed_twice<B: Behaviour>() -> Option<B> {
    let facts = || B::TABLE.iter().map(|beginning| beginning.fact);
    facts().find(|fact| facts().filter(|other| other == fact).count() > 1)
}
