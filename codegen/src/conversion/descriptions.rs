//! Descriptions of the steps of conversions. The tables of the plans show these words.
//!
//! They are in the folder of the steps, and need no feature: the generator uses them.

/// The description of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Description {
    /// The result for the field.
    pub(super) how: &'static str,
    /// The values that are lost, kept or missing.
    pub(super) loss: &'static str,
}

/// `first_of_list::first`.
pub(super) const FIRST_OF_LIST: Description = Description {
    how: "the first element, empty if there is none",
    loss: "any other list than its first element alone is kept in the annotation",
};

/// `first_of_list::list`.
pub(super) const LIST_OF_FIRST: Description = Description {
    how: "the kept list if it begins with this value; else a list of this value alone, empty if the value is empty",
    loss: "lossless",
};

/// `absent_to_zero::fill`.
pub(super) const ABSENT_TO_ZERO: Description = Description {
    how: "empty if absent, unless a policy fills it: with a given value",
    loss: "filled; the annotation keeps an empty value, and an absent one that a policy fills",
};

/// `absent_to_zero::restore`.
pub(super) const ZERO_TO_ABSENT: Description = Description {
    how: "absent if it is empty, unless an empty value is kept; absent again if a policy filled it",
    loss: "lossless",
};

/// `only_here::keep`.
pub(super) const KEEP_ASIDE: Description =
    Description { how: "has no counterpart", loss: "kept in the annotation, unless it is empty" };

/// `only_here::restore`.
pub(super) const TAKE_BACK: Description =
    Description { how: "the kept value, else empty", loss: "filled" };
