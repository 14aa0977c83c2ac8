//! All errors of an object.

use std::collections::HashSet;
use std::ops::Deref;

use serde::Serialize;
use thiserror::Error;

use super::FieldError;

/// All errors of an object, in the order of servers; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{}", lines(.0))]
#[serde(transparent)]
pub struct FieldErrors(Vec<FieldError>);

impl FieldErrors {
    /// Collects errors. Of equal errors one remains: servers check some fields more than once.
    ///
    /// # Errors
    ///
    /// There are errors.
    pub fn check(found: impl IntoIterator<Item = FieldError>) -> Result<(), Self> {
        let mut errors: Vec<FieldError> = Vec::new();
        let mut seen = HashSet::new();
        errors.extend(found.into_iter().filter(|error| seen.insert(error.clone())));
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }
}

impl Deref for FieldErrors {
    type Target = [FieldError];

    fn deref(&self) -> &[FieldError] {
        &self.0
    }
}

impl IntoIterator for FieldErrors {
    type Item = FieldError;
    type IntoIter = std::vec::IntoIter<FieldError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a FieldErrors {
    type Item = &'a FieldError;
    type IntoIter = std::slice::Iter<'a, FieldError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One line for each error.
fn lines(errors: &[FieldError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use crate::field::{FieldError, FieldErrors, FieldPath};

    #[test]
    fn equal_errors_count_once() {
        let [a, b] = ["a", "b"].map(|field| FieldError::required(FieldPath::new(field), "give it"));
        let found = [&b, &a, &b, &a, &a].map(Clone::clone);
        let errors = FieldErrors::check(found).unwrap_err();
        assert_eq!(*errors, [b, a]);
        assert_eq!(FieldErrors::check([]), Ok(()));
    }
}
