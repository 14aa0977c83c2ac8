//! The pages of a package as a book for `mdbook`, with search and a page to print.

use std::fmt::Write as _;
use std::path::Path;

use crate::Files;
use crate::gather::Gather;
use crate::text::{MARK, has_extension, mark};

/// The file with the chapters of the book.
const SUMMARY: &str = "SUMMARY.md";

/// The page with which a folder begins.
const OVERVIEW: &str = "README.md";

/// Long paths of fields wrap in tables, and the pages are wider than by default.
const STYLE: &str = "\
:root {
    --content-max-width: 1000px;
}
td code {
    white-space: normal;
    overflow-wrap: anywhere;
}
";

/// The files that make the pages of a package a book: settings, style, the first page, and the chapters. A chapter has the title of its
/// page, and the pages of a folder are below its `README.md`.
///
/// `folder` is the folder of the book in the package, and `pages` are relative to it. Only the first page and the chapters have the mark
/// of generated pages ([`is_generated`]).
pub fn book(package: &str, folder: &str, pages: &Files, command: &str) -> Files {
    let mark = mark(command);
    let mut summary = format!("{mark}# Summary\n\n[{package}]({OVERVIEW})\n\n");
    let mut first = format!("{mark}# {package}\n\n");
    for (path, title) in chapters(pages) {
        let indent = if is_below_overview(path, pages) { "  " } else { "" };
        let _ = writeln!(summary, "{indent}- [{title}]({path})");
        // `mdbook` publishes other overviews as `index.html`, where a link to `README.md` does not lead.
        if !path.ends_with(OVERVIEW) {
            let _ = writeln!(first, "- [{title}]({path})");
        }
    }
    first += "\n`cargo doc --open` shows the Rust types.\n";
    let settings = settings(package, folder);
    let style = STYLE.to_owned();
    let files =
        [("book.toml", settings), ("book.css", style), (OVERVIEW, first), (SUMMARY, summary)];
    files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).gather()
}

fn settings(package: &str, folder: &str) -> String {
    let root = "../".repeat(Path::new(folder).components().count());
    format!(
        "# The pages as a book, with search: `mdbook serve {folder}`.\n[book]\ntitle = \"{package}\"\nlanguage = \"en\"\nsrc = \".\"\n\n\
         [build]\nbuild-dir = \"{root}target/book\"\ncreate-missing = false\n\n[output.html]\nadditional-css = [\"book.css\"]\n\n\
         [output.html.print]\nenable = true\n"
    )
}

/// Returns `true` if a page has the mark of generated pages. Without it, the page is the user's.
pub fn is_generated(page: &[u8]) -> bool {
    page.starts_with(MARK.as_bytes())
}

/// The path and the title of each page: folders first, and an overview before the pages of its folder.
fn chapters(pages: &Files) -> Vec<(&str, &str)> {
    pages
        .iter()
        .filter(|(path, _)| has_extension(path, &["md"]))
        .filter_map(|(path, page)| Some((path.as_str(), title(page)?)))
        .sorted_by_key(|(path, _)| (!path.contains('/'), path.replace(OVERVIEW, "")))
}

fn title(page: &[u8]) -> Option<&str> {
    str::from_utf8(page).ok()?.lines().find_map(|line| line.strip_prefix("# "))
}

/// Returns `true` if a folder around the page has an overview.
fn is_below_overview(path: &str, pages: &Files) -> bool {
    let mut folders = Path::new(path).ancestors().skip(1);
    let has_overview =
        |folder: &Path| pages.contains_key(&format!("{}/{OVERVIEW}", folder.display()));
    !path.ends_with(OVERVIEW) && folders.any(has_overview)
}

#[cfg(test)]
mod tests {
    use super::{SUMMARY, book, is_generated};
    use crate::Files;

    #[test]
    fn an_overview_is_before_the_pages_of_its_folder() {
        let page = |path: &str, title: &str| {
            (path.to_owned(), format!("<!-- -->\n\n# {title}\n").into_bytes())
        };
        let mut pages = Files::from([
            page("conversions.md", "Conversions"),
            page("reference/A.md", "a"),
            page("reference/README.md", "All"),
            page("reference/v1/B.md", "b"),
        ]);
        pages.insert("reference/releases.svg".to_owned(), b"# no page".to_vec());
        let files = book("a-package", "docs/api", &pages, "a test");
        let summary = str::from_utf8(&files[SUMMARY]).unwrap();
        let expected = "\n- [All](reference/README.md)\n  - [a](reference/A.md)\n  - [b](reference/v1/B.md)\n- [Conversions](conversions.md)\n";
        assert!(summary.ends_with(expected), "{summary}");
        assert!(is_generated(&files[SUMMARY]) && !is_generated(&files["book.toml"]));
        let settings = str::from_utf8(&files["book.toml"]).unwrap();
        assert!(settings.contains("build-dir = \"../../target/book\""), "{settings}");
    }
}
