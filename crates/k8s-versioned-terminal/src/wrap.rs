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
    let Some(width) = width.filter(|width| *width >= NARROWEST) else { return text.to_owned() };
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        let Some(hint) = line.strip_prefix(BEGIN).filter(|_| line.chars().count() > width) else {
            wrapped += line;
            continue;
        };
        wrapped += BEGIN.trim_end();
        let mut column = BEGIN.len() - 1;
        for word in hint.split_whitespace() {
            let length = word.chars().count() + 1;
            if column + length > width && column >= BEGIN.len() {
                wrapped += "\n       ";
                column = BEGIN.len() - 1;
            }
            wrapped += " ";
            wrapped += word;
            column += length;
        }
        wrapped.push('\n');
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::wrap_hints;

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
}
