//! What a reader does with the items of a list.

/// What happens to the items of the list that a document is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ListMode<P> {
    /// They are read as any other value.
    Read,
    /// They are skipped when they are found.
    Skip,
    /// They were skipped, and are at this place.
    Skipped(P),
}
