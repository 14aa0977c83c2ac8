//! The releases that serve an API version.

use std::fmt;

use crate::Release;

/// The releases that serve a version of an API: from the first, through deprecation, to removal.
///
/// ```
/// use k8s_versioned_names::{Lifecycle, Release};
///
/// const BETA: Lifecycle = Lifecycle::introduced(Release::new(1, 33))
///     .deprecated(Release::new(1, 36))
///     .removed(Release::new(1, 39));
///
/// assert!(!BETA.is_served_in(Release::new(1, 32)));
/// assert!(BETA.is_served_in(Release::new(1, 36)));
/// assert!(BETA.is_deprecated_in(Release::new(1, 36)));
/// assert!(!BETA.is_served_in(Release::new(1, 39)));
/// assert_eq!(
///     BETA.to_string(),
///     "introduced in 1.33, deprecated since 1.36, removed in 1.39"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lifecycle {
    introduced: Release,
    deprecated: Option<Release>,
    removed: Option<Release>,
}

impl Lifecycle {
    /// A version that `release` is the first to serve.
    pub const fn introduced(release: Release) -> Self {
        Self { introduced: release, deprecated: None, removed: None }
    }

    /// Sets the first release that warns of its use.
    #[must_use]
    pub const fn deprecated(self, release: Release) -> Self {
        Self { deprecated: Some(release), ..self }
    }

    /// Sets the first release that no longer serves it.
    #[must_use]
    pub const fn removed(self, release: Release) -> Self {
        Self { removed: Some(release), ..self }
    }

    /// The first release that serves it.
    pub const fn introduced_in(&self) -> Release {
        self.introduced
    }

    /// The first release that warns of its use, if it is known.
    pub const fn deprecated_in(&self) -> Option<Release> {
        self.deprecated
    }

    /// The first release that no longer serves it, if it is known.
    pub const fn removed_in(&self) -> Option<Release> {
        self.removed
    }

    /// Returns `true` if `release` can serve it. The flags of a server decide whether it does.
    pub fn is_served_in(&self, release: Release) -> bool {
        self.introduced <= release && self.removed.is_none_or(|removed| release < removed)
    }

    /// Returns `true` if some release can serve both.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.is_served_in(other.introduced) || other.is_served_in(self.introduced)
    }

    /// Returns `true` if `release` serves it and warns of its use.
    pub fn is_deprecated_in(&self, release: Release) -> bool {
        let deprecated = |deprecated| deprecated <= release;
        self.is_served_in(release) && self.deprecated.is_some_and(deprecated)
    }
}

impl fmt::Display for Lifecycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "introduced in {:#}", self.introduced)?;
        if let Some(deprecated) = self.deprecated {
            write!(f, ", deprecated since {deprecated:#}")?;
        }
        if let Some(removed) = self.removed {
            write!(f, ", removed in {removed:#}")?;
        }
        Ok(())
    }
}
