//! Short differences between two texts.

use similar::{Change, ChangeTag, TextDiff};

/// The most lines of a difference.
const MOST_LINES: usize = 20;

/// The first lines of a unified diff, without a header.
///
/// Bytes that are not UTF-8 are shown as replacement characters.
pub fn unified(before: &[u8], after: &[u8]) -> Vec<String> {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = TextDiff::from_lines(&*before, &*after);
    let text = diff.unified_diff().context_radius(2).to_string();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let hidden = lines.len().saturating_sub(MOST_LINES);
    // A note that replaces one line would not be shorter than the line.
    if hidden > 1 {
        lines.truncate(MOST_LINES);
        lines.push(format!("… and {hidden} more lines"));
    }
    lines
}

/// The lines that differ: `-` for removed lines, `+` for added ones. An indented one comes with the line that it is under.
pub fn changed(before: &str, after: &str) -> Vec<String> {
    let diff = TextDiff::from_lines(before, after);
    let show = |line: Change<&str>| format!("{}{}", line.tag(), line.value().trim_end());
    let (mut lines, mut heading) = (Vec::new(), None);
    for line in diff.iter_all_changes() {
        let is_heading = !line.value().starts_with(' ');
        match line.tag() {
            ChangeTag::Equal if is_heading => heading = Some(line),
            ChangeTag::Equal => {}
            _ => {
                lines.extend(heading.take().filter(|_| !is_heading).map(show));
                lines.push(show(line));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn a_changed_line_comes_with_the_line_that_it_is_under() {
        let before = "A\n  a\n  b\nB\n  a\n";
        let after = "A\n  a\n  b\n  c\n  d\nB\n  a\nC\n  a\n";
        assert_eq!(changed(before, after), [" A", "+  c", "+  d", "+C", "+  a"]);
    }
}
