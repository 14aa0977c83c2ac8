//! Pages about the API itself: one for each kind and version, and one for the releases with a picture.
//!
//! They show the facts of the documents with this project's descriptions, and link to the recordings that show what
//! servers accept and refuse.

mod book;
mod fields;
mod input;
mod kind;
mod picture;
mod recorded;
mod releases;

use crate::text::{mark, page};
use crate::{Files, Plans, Problems};

pub use book::{book, is_generated};
pub use input::RecordedCase;
use input::{Input, PICTURE};

/// The pages, relative to the folder `docs/reference`.
///
/// # Errors
/// All problems in the documents and rules.
pub fn pages(specs: &Files, recordings: &[RecordedCase], command: &str) -> Result<Files, Problems> {
    let input = Input { specs, plans: Plans::read(specs)?, recordings };
    let mark = mark(command);
    let mut pages = Files::new();
    let mut add = |name: String, text: String| pages.insert(name, page(text));
    for resource in &input.plans.model.resources {
        if let Some(text) = kind::page(&input, resource) {
            add(kind::path(&input, resource), mark.clone() + &text);
        }
    }
    add("README.md".to_owned(), mark + &releases::page(&input)?);
    if input.has_releases() {
        add(PICTURE.to_owned(), picture::draw(&input));
    }
    Ok(pages)
}
