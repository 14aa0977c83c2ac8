//! What people read about a cause.

/// The identifier of a cause, its meaning and its hint.
///
/// The causes of a stage have theirs in one long `match`: a row for each variant, which the compiler asks for. A list beside the enum
/// would be as long, would have to repeat the variants or their numbers, and could miss one. To read the texts from the docs of the
/// variants takes a procedural macro.
pub(super) type Texts = (&'static str, &'static str, &'static str);
