//! Sets of releases.

use std::collections::BTreeSet;
use std::fmt;

use k8s_versioned::Release;

/// The releases that have something; never empty once something is in the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Releases(BTreeSet<Release>);

impl Releases {
    /// Adds one.
    pub fn insert(&mut self, release: Release) {
        self.0.insert(release);
    }

    /// Adds all of others.
    pub fn unite(&mut self, others: &Self) {
        self.0.extend(&others.0);
    }

    /// Those that are not among others.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        Self(self.0.difference(&others.0).copied().collect())
    }

    /// Those from a release on; all if there is none to begin with.
    #[must_use]
    pub fn from(&self, first: Option<Release>) -> Self {
        Self(self.iter().filter(|it| first.is_none_or(|first| first <= *it)).collect())
    }

    /// Tells if `release` is among them.
    pub fn contains(&self, release: Release) -> bool {
        self.0.contains(&release)
    }

    /// The oldest.
    pub fn first(&self) -> Option<Release> {
        self.0.first().copied()
    }

    /// The newest.
    pub fn last(&self) -> Option<Release> {
        self.0.last().copied()
    }

    /// The releases as text that stays the same when a release comes that changes nothing: `since 1.33` if
    /// `newest` is among them and none is left out, else the runs of releases.
    pub fn shown(&self, newest: Option<Release>) -> String {
        let runs = self.to_string();
        match self.first() {
            Some(first) if self.last() == newest && !runs.contains(',') => {
                format!("since {first:#}")
            }
            _ => runs,
        }
    }

    /// All, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Release> + '_ {
        self.0.iter().copied()
    }
}

impl From<Release> for Releases {
    fn from(release: Release) -> Self {
        Self(BTreeSet::from([release]))
    }
}

/// `1.31`, `1.31–1.33`, or each run of releases, separated by commas.
impl fmt::Display for Releases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.iter().copied().peekable();
        let mut separator = "";
        while let Some(first) = rest.next() {
            let mut last = first;
            while let Some(next) = rest.next_if(|next| last.next() == *next) {
                last = next;
            }
            write!(f, "{separator}{first:#}")?;
            if last != first {
                write!(f, "\u{2013}{last:#}")?;
            }
            separator = ", ";
        }
        Ok(())
    }
}
