//! The patterns of an expression, compiled once.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::regex::{Pattern, PatternError};

/// Compiled patterns of the constants in an expression.
#[derive(Debug, Default)]
pub(crate) struct Patterns(BTreeMap<String, Arc<Pattern>>);

impl Patterns {
    /// Compiles a constant.
    pub(super) fn add(&mut self, pattern: &str) -> Result<(), PatternError> {
        if !self.0.contains_key(pattern) {
            self.0.insert(pattern.to_owned(), Arc::new(Pattern::compile(pattern)?));
        }
        Ok(())
    }

    pub(crate) fn get(&self, pattern: &str) -> Option<&Arc<Pattern>> {
        self.0.get(pattern)
    }
}
