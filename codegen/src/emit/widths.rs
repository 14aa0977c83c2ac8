//! Where lines of generated Rust end.
//!
//! `prettyplease` formats tokens. Text that never was tokens breaks its lines at the same widths; a test compares the two.

/// The longest line that `prettyplease` leaves whole: its `MARGIN`.
pub(super) const LINE: usize = 89;
/// The longest struct literal that `prettyplease` leaves in one line, without the last brace.
pub(super) const LITERAL: usize = 34;
/// The bytes of names in a line of a list, without the indent. `prettyplease` gives each name a line.
pub(super) const NAMES: usize = 80;
/// The bytes of words in a line of one string literal, without the indent. `prettyplease` breaks no literal.
pub(super) const WORDS: usize = 100;
