//! Names that fit in a URL.

use super::{Part, Rule, Violation, broken};

/// Checks a name that becomes a segment of a path: not `.` or `..`, no `/` and no `%`.
pub fn path_segment(text: &str) -> Vec<Violation> {
    if text == "." || text == ".." {
        return broken(Part::Whole, [(true, Rule::NotDots)]);
    }
    path_segment_prefix(text)
}

/// Checks the start of such a name, which may be dots.
pub fn path_segment_prefix(text: &str) -> Vec<Violation> {
    let without = |character| (text.contains(character), Rule::Without(character));
    broken(Part::Whole, [without('/'), without('%')])
}

#[cfg(test)]
mod tests {
    use super::{Rule, path_segment, path_segment_prefix};
    use crate::names::violation::tests::rules;

    #[test]
    fn rules_are_counted() {
        let (slash, percent) = (Rule::Without('/'), Rule::Without('%'));
        let table = [
            ("a", vec![], vec![]),
            ("", vec![], vec![]),
            ("Bad name \u{1f600}", vec![], vec![]),
            ("...", vec![], vec![]),
            (".", vec![Rule::NotDots], vec![]),
            ("..", vec![Rule::NotDots], vec![]),
            ("a/b", vec![slash], vec![slash]),
            ("100%", vec![percent], vec![percent]),
            ("%/%/", vec![slash, percent], vec![slash, percent]),
        ];
        for (text, whole, prefix) in table {
            assert_eq!(rules(&path_segment(text)), whole, "{text:?}");
            assert_eq!(rules(&path_segment_prefix(text)), prefix, "{text:?}");
        }
    }
}
