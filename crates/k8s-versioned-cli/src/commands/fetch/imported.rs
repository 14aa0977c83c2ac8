//! What an import has changed, as text and as JSON.

use std::collections::BTreeSet;
use std::fmt::{self, Formatter, Write as _};

use k8s_versioned_codegen::tools::diff::comparison::{Comparison, DiffFormat};
use k8s_versioned_core::Release;
use k8s_versioned_core::findings::count;
use serde_json::json;

use crate::project::changes::Changes;
use crate::text::output::Output;

/// The most names in a line.
const MOST_NAMES: usize = 8;

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    /// The release; `None` for definitions of no release.
    pub(crate) release: Option<Release>,
    /// The number of documents of the release, in all projects.
    pub(crate) documents: usize,
    /// How many of them are new or changed.
    pub(crate) written: usize,
    /// The number of documents that the release had and lacks now.
    pub(crate) removed: usize,
    /// The changes by project.
    pub(crate) changes: Vec<Changes>,
    /// The changes of the release: of the first project, and of each other project with further changes.
    pub(crate) news: Vec<Comparison>,
    /// Resources of definitions that were there, and that this release lacks.
    pub(crate) absent: Vec<String>,
    /// Messages and fields of protobuf that no type has, so that their numbers are left out.
    pub(crate) without_type: BTreeSet<String>,
    /// Groups without documents, and documents that are of no group and version.
    pub(crate) left_out: BTreeSet<String>,
    /// The differences to the documents of the release that were there; `None` if there were none.
    pub(crate) differences: Option<Vec<String>>,
    /// The command to run next.
    pub(crate) next: String,
}

impl From<Imported> for Output {
    fn from(report: Imported) -> Self {
        let text = report.to_string();
        let Imported { release, documents, changes, news, .. } = report;
        let Imported { absent, without_type, left_out, differences, .. } = report;
        let diff = news.first();
        let json = json!({
            "release": release, "documents": documents, "changes": changes, "diff": diff, "absent": absent,
            "without_type": without_type, "left_out": left_out, "differences": differences,
        });
        Self { text, json }
    }
}

/// The changed files, the news of the release, and the warnings.
impl fmt::Display for Imported {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let title = self.title();
        if self.changes.iter().all(Changes::is_empty) {
            let is = if self.release.is_some() { "is" } else { "are" };
            return writeln!(f, "{title} {is} already imported: nothing changed");
        }
        self.write_changes(&title, f)?;
        self.write_news(f)?;
        self.write_warnings(&title, f)?;
        self.write_without_type(f)?;
        writeln!(f, "next: `{}`", self.next)
    }
}

impl Imported {
    fn title(&self) -> String {
        self.release.map_or_else(|| "definitions".to_owned(), |release| release.to_string())
    }

    /// Writes the files that were written and removed, and how the documents differ from the replaced ones.
    fn write_changes(&self, title: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { documents, written, removed, .. } = self;
        let unchanged = documents - written;
        let written = count(*written, "document");
        writeln!(f, "{title}: {written} written, {unchanged} unchanged, {removed} removed")?;
        self.changes.iter().try_for_each(|changes| write!(f, "{changes}"))?;
        match self.differences.as_deref() {
            None => Ok(()),
            Some([]) => writeln!(f, "\nThe documents that were replaced describe the same API."),
            Some(lines) => {
                writeln!(f, "\nThe documents that were replaced differ:\n{}", lines.join("\n"))
            }
        }
    }

    fn write_news(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for news in &self.news {
            write!(f, "\n{}", news.write(DiffFormat::Text))?;
        }
        if self.news.is_empty() { Ok(()) } else { f.write_char('\n') }
    }

    fn write_warnings(&self, title: &str, f: &mut Formatter<'_>) -> fmt::Result {
        for name in &self.absent {
            writeln!(
                f,
                "warning: {title} lacks `{name}`, which was there before\n  hint: if it was forgotten, fetch the release again \
                 with the files of all definitions; `groups` in `specs/group.toml` leaves out the other groups"
            )?;
        }
        for name in &self.left_out {
            writeln!(
                f,
                "warning: {title} has no document of `{name}`, which is left out\n  hint: `kubectl api-versions` lists what a cluster \
                 serves; servers reject other names of groups and versions"
            )?;
        }
        Ok(())
    }

    fn write_without_type(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.without_type.is_empty() {
            return Ok(());
        }
        let first: Vec<_> = self.without_type.iter().take(MOST_NAMES).map(String::as_str).collect();
        let more = self.without_type.len() - first.len();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        writeln!(
            f,
            "no type has these messages and fields of protobuf, so their numbers are left out: {}{more}",
            first.join(", ")
        )
    }
}
