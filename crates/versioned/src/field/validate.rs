//! Kinds whose rules are known.

use super::FieldErrors;

/// A kind that can be checked against the rules of API servers before it is sent.
pub trait Validate {
    /// Checks an object that is to be created.
    ///
    /// # Errors
    ///
    /// Everything that a server would reject, in its order.
    fn validate(&self) -> Result<(), FieldErrors>;

    /// Checks an object that is to replace `old`.
    ///
    /// # Errors
    ///
    /// Everything that a server would reject, in its order, whether it is wrong in itself or must not
    /// change.
    fn validate_update(&self, old: &Self) -> Result<(), FieldErrors>;
}
