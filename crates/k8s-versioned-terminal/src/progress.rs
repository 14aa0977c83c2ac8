//! What a long command works on, on a terminal.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use crate::wrap::stderr_width;

/// Begins a line again, and removes what it has.
const CLEAR: &str = "\r\u{1b}[2K";

/// A line that says what a command works on. It is on the standard error, and only if that is a terminal.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The line, empty if none is shown; `None` if there is no terminal.
    line: Option<Arc<Mutex<String>>>,
}

impl Progress {
    /// A line that begins now.
    pub fn start() -> Self {
        let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
        let is_shown = io::stderr().is_terminal() && !is_dumb;
        Self { line: is_shown.then(Arc::default) }
    }

    /// No line.
    pub fn hidden() -> Self {
        Self { line: None }
    }

    /// Says what the command works on.
    pub fn say(&self, what: impl Into<String>) {
        self.change(|line| {
            *line = what.into();
            // A longer line would go on in the next one, and stay there.
            let width = stderr_width().filter(|width| *width > 0).unwrap_or(usize::MAX);
            let visible = line.chars().filter(|char| !char.is_control());
            visible.take(width.saturating_sub(1)).collect()
        });
    }

    /// Hides the line while other output is written.
    pub fn pause<R>(&self, write: impl FnOnce() -> R) -> R {
        self.change(|_| String::new());
        let result = write();
        self.change(|line| line.clone());
        result
    }

    /// Removes the line.
    pub fn end(&self) {
        self.change(|line| {
            line.clear();
            String::new()
        });
    }

    /// Changes the line. `change` returns the text to write.
    fn change(&self, change: impl FnOnce(&mut String) -> String) {
        let Some(line) = &self.line else { return };
        let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
        let text = change(&mut line);
        let mut out = anstream::stderr().lock();
        // A closed standard error must not stop the command.
        let _ = write!(out, "{CLEAR}{text}").and_then(|()| out.flush());
    }
}
