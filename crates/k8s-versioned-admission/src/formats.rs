//! The formats of strings that API servers check.
