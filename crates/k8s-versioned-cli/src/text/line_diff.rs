//! Short differences between two texts.

use std::convert::Infallible;
use std::ops::Range;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{Change, ChangeTag, DiffOp, group_diff_ops};

/// The most lines of a difference.
const MOST_LINES: usize = 20;

/// The equal lines around a change.
const AROUND: usize = 2;

/// The first lines of a unified diff, without a header.
///
/// Bytes that are not UTF-8 are shown as replacement characters.
pub fn unified(before: &[u8], after: &[u8]) -> Vec<String> {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = Diff::new(&before, &after);
    let mut lines = Vec::new();
    for hunk in group_diff_ops(diff.ops.clone(), AROUND) {
        lines.extend(header(&hunk));
        for line in diff.changes(&hunk) {
            let value = line.value();
            lines.push(format!("{}{}", line.tag(), value.trim_end_matches(['\r', '\n'])));
            if !value.ends_with('\n') {
                lines.push("\\ No newline at end of file".to_owned());
            }
        }
    }
    let hidden = lines.len().saturating_sub(MOST_LINES);
    // A note that replaces one line would not be shorter than the line.
    if hidden > 1 {
        lines.truncate(MOST_LINES);
        lines.push(format!("… and {hidden} more lines"));
    }
    lines
}

/// The lines of a hunk in both texts, as `diff -u` writes them.
fn header(hunk: &[DiffOp]) -> Option<String> {
    let (first, last) = (hunk.first()?, hunk.last()?);
    let old = range(first.old_range().start..last.old_range().end);
    let new = range(first.new_range().start..last.new_range().end);
    Some(format!("@@ -{old} +{new} @@"))
}

/// The first line and the number of lines: no number is one line, and no lines are after the first one.
fn range(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}

/// The lines that differ: `-` for removed lines, `+` for added ones. An indented one comes with the line that it is under.
pub fn changed(before: &str, after: &str) -> Vec<String> {
    let diff = Diff::new(before, after);
    let show = |line: Change<&str>| format!("{}{}", line.tag(), line.value().trim_end());
    let (mut lines, mut heading) = (Vec::new(), None);
    for line in diff.changes(&diff.ops) {
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

/// The differences between the lines of two texts.
///
/// `similar::TextDiff` would do, but brings each algorithm of the package several times: half a megabyte of an installed program, and
/// 8 seconds of its compiling.
struct Diff<'a> {
    before: Vec<&'a str>,
    after: Vec<&'a str>,
    ops: Vec<DiffOp>,
}

impl<'a> Diff<'a> {
    fn new(before: &'a str, after: &'a str) -> Self {
        let lines = |text: &'a str| text.split_inclusive('\n').collect::<Vec<_>>();
        let (before, after) = (lines(before), lines(after));
        let capture = Replace::new(Capture::new());
        let mut changes = Compact::new(capture, before.as_slice(), after.as_slice());
        let (all_before, all_after) = (0..before.len(), 0..after.len());
        let result: Result<(), Infallible> =
            myers::diff(&mut changes, before.as_slice(), all_before, after.as_slice(), all_after);
        let Ok(()) = result;
        let ops = changes.into_inner().into_inner().into_ops();
        Self { before, after, ops }
    }

    fn changes(&self, ops: &[DiffOp]) -> impl Iterator<Item = Change<&'a str>> {
        let (before, after) = (self.before.as_slice(), self.after.as_slice());
        ops.iter().flat_map(move |op| op.iter_changes(before, after))
    }
}

#[cfg(test)]
mod tests {
    use super::{changed, unified};

    #[test]
    fn a_difference_has_two_lines_around_it() {
        let before = b"a\nb\nc\nd\ne\nf\n";
        let after = b"a\nb\nc\nD \ne\nf";
        let expected = [
            "@@ -2,5 +2,5 @@",
            " b",
            " c",
            "-d",
            "+D ",
            " e",
            "-f",
            "+f",
            "\\ No newline at end of file",
        ];
        assert_eq!(unified(before, after), expected);
        assert!(unified(before, before).is_empty());
        assert_eq!(unified(b"", b"a\n"), ["@@ -0,0 +1 @@", "+a"]);
        assert_eq!(unified(b"a\n", b"a\nb\n"), ["@@ -1 +1,2 @@", " a", "+b"]);
    }

    #[test]
    fn a_changed_line_comes_with_the_line_that_it_is_under() {
        let before = "A\n  a\n  b\nB\n  a\n";
        let after = "A\n  a\n  b\n  c\n  d\nB\n  a\nC\n  a\n";
        assert_eq!(changed(before, after), [" A", "+  c", "+  d", "+C", "+  a"]);
    }
}
