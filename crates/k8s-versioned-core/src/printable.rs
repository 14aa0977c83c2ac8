//! Printable characters.

use std::ops::RangeInclusive;

/// The first character that is not printable: a control or format character, white space other than a plain blank, or a
/// character for private use.
///
/// Servers also refuse characters that Unicode had not assigned when they were built. Those pass here.
pub fn first_unprintable(text: &str) -> Option<char> {
    // Nearly every text. Hot path, row `validate` of the benches.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return None;
    }
    text.chars().find(|&character| !is_printable(character))
}

/// Returns `true` for a character that controls how the text around it is displayed: a control character, or one of Unicode's marks
/// of direction, with which a text looks like another.
pub fn is_display_control(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

fn is_printable(character: char) -> bool {
    let listed = |range: &RangeInclusive<char>| range.contains(&character);
    character == ' '
        || !(character.is_control()
            || character.is_whitespace()
            || FORMAT.iter().any(listed)
            || PRIVATE.iter().any(listed))
}

/// General category Cf.
const FORMAT: [RangeInclusive<char>; 20] = [
    '\u{ad}'..='\u{ad}',
    '\u{600}'..='\u{605}',
    '\u{61c}'..='\u{61c}',
    '\u{6dd}'..='\u{6dd}',
    '\u{70f}'..='\u{70f}',
    '\u{890}'..='\u{891}',
    '\u{8e2}'..='\u{8e2}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{110bd}'..='\u{110bd}',
    '\u{110cd}'..='\u{110cd}',
    '\u{13430}'..='\u{1343f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0001}'..='\u{e007f}',
];

/// General category Co.
const PRIVATE: [RangeInclusive<char>; 3] =
    ['\u{e000}'..='\u{f8ff}', '\u{f0000}'..='\u{ffffd}', '\u{100000}'..='\u{10fffd}'];

#[cfg(test)]
mod tests {
    use super::first_unprintable;

    #[test]
    fn the_first_unprintable_character_is_found() {
        for text in ["", "kubectl 1.31 (linux/amd64)", "žluťoučký", "e\u{301}", "漢字🙂"] {
            assert_eq!(first_unprintable(text), None, "{text:?}");
        }
        for bad in
            ['\0', '\n', '\t', '\u{7f}', '\u{85}', '\u{a0}', '\u{2028}', '\u{200b}', '\u{e000}']
        {
            assert_eq!(first_unprintable(&format!("a {bad}\n")), Some(bad));
            assert_eq!(first_unprintable(&format!("a{bad}")), Some(bad));
        }
    }
}
