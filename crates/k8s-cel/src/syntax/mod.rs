//! From text to syntax tree.

pub(crate) mod ast;
pub(crate) mod escape;
pub(crate) mod lexer;
pub(crate) mod macros;
pub(crate) mod parser;
pub(crate) mod reserved;
