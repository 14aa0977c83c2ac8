//! Short differences between two texts.

use similar::{ChangeTag, TextDiff};

/// The number of lines of a difference that are shown.
const SHOWN: usize = 20;

/// The first lines of a unified diff, without a header.
///
/// Bytes that are not UTF-8 are shown as replacement characters.
pub fn unified(before: &[u8], after: &[u8]) -> Vec<String> {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = TextDiff::from_lines(&*before, &*after);
    let text = diff.unified_diff().context_radius(2).to_string();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let hidden = lines.len().saturating_sub(SHOWN);
    // A note that replaces one line would not be shorter than the line.
    if hidden > 1 {
        lines.truncate(SHOWN);
        lines.push(format!("… and {hidden} more lines"));
    }
    lines
}

/// The lines that differ, without context: `-` for removed lines, `+` for added ones.
pub fn changed(before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::from_lines(before, after);
    let lines = diff.iter_all_changes();
    let differing = lines.filter(|line| line.tag() != ChangeTag::Equal);
    differing.map(|line| format!("{}{}", line.tag(), line.value().trim_end())).collect()
}
