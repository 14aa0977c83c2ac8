//! The input and the output of the generator.

use std::collections::BTreeMap;

/// Files by their path, which is relative to their folder and has `/` between the parts.
pub type Files = BTreeMap<String, Vec<u8>>;
