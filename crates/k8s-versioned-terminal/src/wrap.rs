//! Lines that fit on the terminal.

use std::io;

use terminal_size::{Width, terminal_size_of};

/// The narrowest terminal for which lines are wrapped, in columns.
const NARROWEST: usize = 40;

/// The number of columns of the terminal that is the standard output; `None` if it is not a terminal.
pub fn stdout_width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(Width(width), _)| width.into())
}

/// The number of columns of the terminal that is the standard error; `None` if it is not a terminal.
pub fn stderr_width() -> Option<usize> {
    terminal_size_of(io::stderr()).map(|(Width(width), _)| width.into())
}

/// A text whose lines of hints are not longer than the terminal. A line goes on under the text of the hint. Other lines stay: they
/// have places and values that programs and people search for.
pub fn wrap_hints(text: &str, width: Option<usize>) -> String {
    const BEGIN: &str = "  hint: ";
    let below = format!("\n{:indent$}", "", indent = BEGIN.len());
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        let fits = width.is_none_or(|width| line.trim_end().chars().count() <= width);
        let Some(hint) = line.strip_prefix(BEGIN).filter(|_| !fits) else {
            wrapped += line;
            continue;
        };
        wrapped += BEGIN;
        wrapped += &wrap(hint, width, BEGIN.len()).replace('\n', &below);
        wrapped.push('\n');
    }
    wrapped
}

/// A text in lines that fit on the terminal beside an indent. A longer word has a line of its own. Without a width, and on a terminal
/// that is too narrow, the text is one line.
pub fn wrap(text: &str, width: Option<usize>, indent: usize) -> String {
    let room = width.filter(|width| *width >= NARROWEST).map(|width| width.saturating_sub(indent));
    let (mut wrapped, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 {
            let fits = room.is_none_or(|room| column + 1 + length <= room);
            wrapped.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        wrapped += word;
        column += length;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::{wrap, wrap_hints};

    #[test]
    fn hints_wrap_under_their_text() {
        let text = "error[a]: a line that is longer than the terminal stays as it is\n  hint: write the value in quotes: it is a text\n";
        let wrapped = wrap_hints(text, Some(40));
        let expected = "stays as it is\n  hint: write the value in quotes: it is\n        a text\n";
        assert!(wrapped.ends_with(expected), "{wrapped}");
        assert!(wrapped.lines().skip(1).all(|line| line.len() <= 40));
        assert_eq!(wrap_hints(text, None), text);
        assert_eq!(wrap_hints(text, Some(200)), text);
    }

    #[test]
    fn text_wraps_beside_an_indent() {
        assert_eq!(wrap("one two three", Some(40), 33), "one two\nthree");
        assert_eq!(wrap("one two three", Some(40), 60), "one\ntwo\nthree");
        assert_eq!(wrap("one two three", Some(10), 5), "one two three");
        assert_eq!(wrap("one two three", None, 5), "one two three");
    }
}
