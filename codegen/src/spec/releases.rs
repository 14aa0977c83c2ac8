//! Sets of releases.

use std::collections::BTreeSet;
use std::fmt;

use k8s_versioned_names::Release;

/// The releases that have a thing. In the model, never empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Releases(BTreeSet<Release>);

impl Releases {
    /// Adds a release.
    pub fn insert(&mut self, release: Release) {
        self.0.insert(release);
    }

    /// Adds the releases of another set.
    pub fn unite(&mut self, others: &Self) {
        self.0.extend(&others.0);
    }

    /// The releases that are not in another set.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        Self(self.0.difference(&others.0).copied().collect())
    }

    /// The releases from `first` on; all if there is no `first`.
    #[must_use]
    pub fn from(&self, first: Option<Release>) -> Self {
        Self(self.iter().filter(|it| first.is_none_or(|first| first <= *it)).collect())
    }

    /// Returns `true` if `release` is among them.
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

    /// The releases as text, among `all`: `since 1.33` if they have no gaps and the newest is among them, else the runs of
    /// releases. So the text stays the same when a new release changes nothing.
    pub fn shown(&self, all: &BTreeSet<Release>) -> String {
        match self.first() {
            Some(first) if all.range(first..).all(|release| self.contains(*release)) => {
                format!("since {first:#}")
            }
            _ => self.to_string(),
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
