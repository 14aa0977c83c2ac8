#![doc = include_str!("../README.md")]

mod color;
mod format;
pub mod input;
mod locate;
mod outcome;
mod pages;
mod place;
mod progress;
mod report;

pub use color::{Color, ColorArgs};
pub use format::Format;
pub use outcome::Outcome;
pub use pages::{Pages, PagesError};
pub use place::Place;
pub use progress::Progress;
pub use report::{Report, write_json};
