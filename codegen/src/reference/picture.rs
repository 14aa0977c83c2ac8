//! The picture of which release serves which version.

use std::fmt::Write as _;

use k8s_versioned::{Lifecycle, Release, Version};

use super::Sources;

/// The width of one release, and the height of one version.
const CELL: (usize, usize) = (64, 36);
/// The room for the names on the left, and for the releases above.
const MARGIN: (usize, usize) = (96, 40);

/// A row for each version, a column for each release: a bar where the version is served, in another colour where
/// servers warn of it, and dashed where that is announced.
pub(super) fn draw(sources: &Sources<'_>) -> String {
    let rules = &sources.rules.lifecycle;
    let releases = columns(sources);
    let (width, height) = (
        MARGIN.0 + CELL.0 * releases.len() + 8,
        MARGIN.1 + CELL.1 * (rules.len() + 1),
    );
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n\
         <title>Which release serves which version of {}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
        sources.model.group
    );
    let newest = sources.model.releases.last().copied();
    for (column, release) in releases.iter().enumerate() {
        let x = MARGIN.0 + CELL.0 * column + CELL.0 / 2;
        let shown = format!("{release:#}");
        let colour = if newest.is_some_and(|newest| newest < *release) {
            "#888"
        } else {
            "black"
        };
        write_text(&mut text, (x, 24), "middle", colour, &shown);
    }
    for (row, rule) in rules.iter().enumerate() {
        let y = MARGIN.1 + CELL.1 * row;
        write_text(
            &mut text,
            (12, y + 22),
            "start",
            "black",
            &rule.version.to_string(),
        );
        for (column, release) in releases.iter().enumerate() {
            let x = MARGIN.0 + CELL.0 * column;
            write_cell(
                &mut text,
                (x, y),
                rule.version,
                &rule.lifecycle,
                *release,
                newest,
            );
        }
    }
    write_legend(&mut text, MARGIN.1 + CELL.1 * rules.len() + 22);
    text + "</svg>\n"
}

/// The releases that were read, and those until the last announced removal.
fn columns(sources: &Sources<'_>) -> Vec<Release> {
    let mut releases: Vec<Release> = sources.model.releases.iter().copied().collect();
    let rules = sources.rules.lifecycle.iter();
    let removed = rules.filter_map(|rule| rule.lifecycle.removed_in()).max();
    while let (Some(last), Some(removed)) = (releases.last().copied(), removed)
        && last < removed
    {
        releases.push(last.next());
    }
    releases
}

fn write_cell(
    text: &mut String,
    (x, y): (usize, usize),
    version: Version,
    lifecycle: &Lifecycle,
    release: Release,
    newest: Option<Release>,
) {
    let (class, fill) = if lifecycle.removed_in() == Some(release) {
        write_text(
            text,
            (x + CELL.0 / 2, y + 22),
            "middle",
            "#b00020",
            "removed",
        );
        return;
    } else if !lifecycle.is_served_in(release) {
        return;
    } else if lifecycle.is_deprecated_in(release) {
        ("deprecated", "#f2b134")
    } else {
        ("served", "#4c9f70")
    };
    let announced = newest.is_some_and(|newest| newest < release);
    let dashes = if announced {
        " fill-opacity=\"0.35\" stroke=\"#888\" stroke-dasharray=\"4 3\""
    } else {
        ""
    };
    let _ = writeln!(
        text,
        "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"22\" fill=\"{fill}\"{dashes}>\
         <title>{version} in {release:#}: {class}</title></rect>",
        y + 6,
        CELL.0 - 2
    );
}

fn write_legend(text: &mut String, y: usize) {
    let entries = [
        ("#4c9f70", "served"),
        ("#f2b134", "deprecated: servers warn"),
    ];
    let mut x = MARGIN.0;
    for (fill, shown) in entries {
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{fill}\"/>",
            y - 11
        );
        write_text(text, (x + 20, y), "start", "black", shown);
        x += 40 + 8 * shown.len();
    }
    write_text(text, (x, y), "start", "#888", "pale: announced");
}

fn write_text(text: &mut String, (x, y): (usize, usize), anchor: &str, fill: &str, shown: &str) {
    let _ = writeln!(
        text,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{shown}</text>"
    );
}
