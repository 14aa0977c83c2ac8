//! A value that functions of the program convert.

pub use super::there_and_back::there_and_back as convert;
