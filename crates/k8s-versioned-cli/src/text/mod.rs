//! What commands print: their output, errors, differences between texts, and colours.

pub mod errors;
pub mod finding_kinds;
pub mod findings;
pub mod line_diff;
pub mod output;
pub(crate) mod rust_colors;
