#![doc = include_str!("../README.md")]

mod color;
mod complete;
mod format;
pub mod input;
#[cfg(feature = "cluster")]
pub mod kubeconfig;
pub mod lock;
mod man_pages;
mod missing;
mod outcome;
mod output;
mod place;
mod progress;
mod report;
pub mod temporary;
mod wrap;

pub use color::{Color, ColorArgs};
pub use complete::{Shell, answer_shell, candidates, value_of_option, words_to_complete};
pub use format::ReportFormat;
pub use man_pages::{HelpFiles, PagesError};
pub use missing::Missing;
pub use outcome::Outcome;
pub use place::{InputPlace, quotes_hint};
pub use progress::Progress;
pub use report::{QuietArgs, Report, write_json};
pub use wrap::{stderr_width, stdout_width, wrap, wrap_findings};
