//! Pages about the API itself: one for each kind and version, and one for the releases with a picture.
//!
//! They show the facts of the documents with this project's descriptions, and link to the recordings that show what
//! servers accept and refuse.

mod book;
mod fields;
mod kind;
mod picture;
mod recorded;
mod releases;

use k8s_versioned_names::Release;
use serde_json::Value;

use crate::input::crd::NO_RELEASE;
use crate::text::{mark, page};
use crate::{Files, Plans, Problems};

pub use book::{book, is_generated};

/// The picture of the releases.
const PICTURE: &str = "releases.svg";

/// A recorded answer to a request, as far as the pages show it.
#[derive(Clone, Debug)]
pub struct RecordedCase {
    /// The relative link to the file from the folder of a version's pages.
    pub link: String,
    /// The release of the server.
    pub release: Release,
    /// The API group.
    pub group: String,
    /// The folder of the API version.
    pub version: String,
    /// The set that the case belongs to.
    pub set: String,
    /// The name of the case.
    pub name: String,
    /// The body of the request, if it is JSON.
    pub sent: Option<Value>,
    /// Whether the server accepted the request.
    pub accepted: bool,
    /// The field and the reason of each cause of a refusal.
    pub causes: Vec<(String, String)>,
}

/// The input of the pages.
struct Input<'a> {
    specs: &'a Files,
    plans: Plans,
    recordings: &'a [RecordedCase],
}

impl Input<'_> {
    /// Returns `true` if the documents name their releases. A single edition of definitions need not.
    fn has_releases(&self) -> bool {
        !self.plans.model.releases.contains(NO_RELEASE)
    }

    fn has_one_group(&self) -> bool {
        self.plans.model.groups.len() == 1
    }
}

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
