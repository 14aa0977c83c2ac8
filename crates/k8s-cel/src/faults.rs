//! What is wrong with an expression, as cel-go keeps and shows it: the first hundred faults, by their places.

use std::fmt::Write as _;

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The offset in the text, in characters; none for the whole text.
    at: Option<usize>,
    message: String,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at: Some(at), message: message.into() }
    }

    pub(crate) const fn at(&self) -> Option<usize> {
        self.at
    }

    /// A fault that has no place.
    pub(crate) fn of_whole(message: String) -> Self {
        Self { at: None, message }
    }
}

/// The faults of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    first: Vec<Fault>,
    /// How many there are, with those that are not kept.
    count: usize,
}

/// How many faults are kept; of the others servers say how many there are.
pub(crate) const MOST: usize = 100;

/// A longer line is not shown, in bytes.
const LONGEST_LINE: usize = 16_384;

impl Faults {
    pub(crate) fn push(&mut self, fault: Fault) {
        self.count += 1;
        if self.first.len() < MOST {
            self.first.push(fault);
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The faults that are kept, as they were found.
    pub(crate) fn into_kept(self) -> Vec<Fault> {
        self.first
    }

    /// The faults that are kept, from left to right. Of one place the first stays the first.
    fn sorted(&self) -> Vec<&Fault> {
        let mut sorted: Vec<&Fault> = self.first.iter().collect();
        sorted.sort_by_key(|fault| fault.at);
        sorted
    }

    /// The faults that are kept, from left to right, with line and column. The whole text is its first character.
    pub(crate) fn located(&self, text: &str) -> Vec<(usize, usize, String)> {
        let lines = Lines::of(text);
        let located = self.sorted().into_iter().map(|fault| {
            let (line, column, _) = lines.place(fault.at.unwrap_or_default());
            (line, column, fault.message.clone())
        });
        located.collect()
    }

    /// All of it, as cel-go shows it.
    pub(crate) fn show(&self, text: &str) -> String {
        let lines = Lines::of(text);
        let mut shown: Vec<String> =
            self.sorted().into_iter().map(|fault| lines.show(fault)).collect();
        let more = self.count - self.first.len();
        if more > 0 {
            shown.push(format!("{more} more errors were truncated"));
        }
        shown.join("\n")
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self::from_iter([fault])
    }
}

impl FromIterator<Fault> for Faults {
    fn from_iter<I: IntoIterator<Item = Fault>>(faults: I) -> Self {
        let mut all = Self::default();
        all.extend(faults);
        all
    }
}

impl Extend<Fault> for Faults {
    fn extend<I: IntoIterator<Item = Fault>>(&mut self, faults: I) {
        faults.into_iter().for_each(|fault| self.push(fault));
    }
}

/// The lines of a text, each with the offset of its first character.
struct Lines<'t>(Vec<(usize, &'t str)>);

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let mut next = 0;
        let lines = text.split('\n').map(|line| {
            let start = next;
            next += line.chars().count() + 1;
            (start, line)
        });
        Self(lines.collect())
    }

    /// The line and the column of a place, from 1, and the text of the line.
    fn place(&self, at: usize) -> (usize, usize, &'t str) {
        let line = self.0.partition_point(|(start, _)| *start <= at);
        let (start, text) = self.0.get(line.saturating_sub(1)).copied().unwrap_or_default();
        (line, at - start + 1, text)
    }

    /// The message, the line, and a mark below the place.
    fn show(&self, fault: &Fault) -> String {
        let Some(at) = fault.at else {
            return format!("ERROR: <input>:-1:0: {}", fault.message);
        };
        let (line, column, source) = self.place(at);
        let mut shown = format!("ERROR: <input>:{line}:{column}: {}", fault.message);
        if source.len() > LONGEST_LINE {
            return shown;
        }
        let source = source.replace('\t', " ");
        let mark = |character: Option<char>, narrow, wide| {
            if character.is_some_and(|own| own.len_utf8() > 1) { wide } else { narrow }
        };
        let before = source.chars().take(column - 1);
        let dots: String = before.map(|character| mark(Some(character), '.', '．')).collect();
        let end = mark(source.chars().nth(column - 1), '^', '＾');
        let _ = write!(shown, "\n | {source}\n | {dots}{end}");
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Faults, LONGEST_LINE, MOST};

    #[test]
    fn faults_have_a_mark() {
        let shown = |text: &str, at| Faults::from(Fault::new(at, "no")).show(text);
        assert_eq!(shown("a ==\nb + c", 7), "ERROR: <input>:2:3: no\n | b + c\n | ..^");
        assert_eq!(shown("", 0), "ERROR: <input>:1:1: no\n | \n | ^");
        assert_eq!(shown("é + a", 4), "ERROR: <input>:1:5: no\n | é + a\n | ．...^");
        let long = format!("{}\nb", "a".repeat(LONGEST_LINE + 1));
        assert_eq!(shown(&long, 0), "ERROR: <input>:1:1: no");
        let of_whole = Faults::from(Fault::of_whole("no".to_owned()));
        assert_eq!(of_whole.show("a"), "ERROR: <input>:-1:0: no");
        assert_eq!(shown(&long, LONGEST_LINE + 2), "ERROR: <input>:2:1: no\n | b\n | ^");
    }

    #[test]
    fn the_first_hundred_are_shown_by_place() {
        let faults: Faults = (0..MOST + 2).rev().map(|at| Fault::new(at, at.to_string())).collect();
        let shown = faults.show(&"a".repeat(MOST + 2));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 3 * MOST + 1);
        assert_eq!(lines.first(), Some(&"ERROR: <input>:1:3: 2"));
        assert_eq!(lines.last(), Some(&"2 more errors were truncated"));
        assert_eq!(faults.located("").len(), MOST);
    }
}
