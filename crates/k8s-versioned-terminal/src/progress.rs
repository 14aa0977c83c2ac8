//! What a long command works on, on a terminal.

use std::time::Duration;

use indicatif::ProgressBar;

/// A line that says what a command works on. It is on the standard error, and only if that is a terminal.
#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A line that begins now.
    pub fn start() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// No line.
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// Says what the command works on.
    pub fn say(&self, what: impl Into<String>) {
        self.0.set_message(what.into());
    }

    /// Hides the line while other output is written.
    pub fn pause<R>(&self, write: impl FnOnce() -> R) -> R {
        self.0.suspend(write)
    }

    /// Removes the line.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
