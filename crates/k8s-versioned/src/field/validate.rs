//! Kinds whose rules are known.

use super::FieldErrors;

/// A kind with known rules: its objects can be checked as API servers check them, before they are sent.
pub trait Validate {
    /// Checks an object that is to be created.
    ///
    /// # Errors
    ///
    /// All errors for which a server would reject the object, in the order of servers.
    fn validate(&self) -> Result<(), FieldErrors>;

    /// Checks an object that is to replace `old`.
    ///
    /// # Errors
    ///
    /// All errors for which a server would reject the update, in the order of servers: wrong values, and changes that
    /// are not allowed.
    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors>;
}
