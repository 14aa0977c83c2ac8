//! Names that fit in a URL.

use super::{Part, Rule, Violation, broken};

/// Checks a name as a segment of a path: not `.` or `..`, no `/` and no `%`.
pub fn path_segment(text: &str) -> Vec<Violation> {
    if text == "." || text == ".." {
        return broken(Part::Whole, [(true, Rule::NotDots)]);
    }
    path_segment_prefix(text)
}

/// Checks the start of such a name, which may be `.` or `..`.
pub fn path_segment_prefix(text: &str) -> Vec<Violation> {
    let without = |character| (text.contains(character), Rule::Without(character));
    broken(Part::Whole, [without('/'), without('%')])
}
