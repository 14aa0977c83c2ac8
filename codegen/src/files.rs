//! Files in memory: what goes in, and what comes out.

use std::collections::BTreeMap;

/// Files by their path, relative to the folder that they belong to, with `/` between the parts.
pub type Files = BTreeMap<String, Vec<u8>>;
