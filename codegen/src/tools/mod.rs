//! Tools beside the stages: they use the stages, and no stage uses a tool.
//!
//! | module | purpose |
//! |---|---|
//! | [`import`] | turns upstream's documents into vendored ones |
//! | [`diff`] | finds the changes between two releases or two versions |
//! | [`draft`] | writes rules for conversions, and the rules that problems ask for |
//! | [`reference`](mod@reference) | writes pages about the API |
//! | [`overview`] | shows the types of definitions |

pub mod diff;
pub mod draft;
pub mod import;
pub mod overview;
pub mod reference;
