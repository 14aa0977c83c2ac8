//! The picture that shows which release serves which kind in which version.

use std::fmt::Write as _;

use k8s_versioned_core::{Lifecycle, Release, ReleaseForm, Version};

use super::input::Input;
use crate::gather::Gather;
use crate::spec::GroupVersionKind;

/// The width of one release, and the height of one version.
const CELL: (usize, usize) = (72, 40);
/// The space for the releases above.
const TOP: usize = 56;
/// The space before and after a name, and the mean width of its letters.
const NAME: (usize, usize) = (12, 8);

const BLACK: &str = "black";
const GREY: &str = "#666";
const SERVED: &str = "#4c9f70";
const DEPRECATED: &str = "#f2b134";
const REMOVED: &str = "#b00020";
/// The most columns for releases to come.
const MOST_EXPECTED: u16 = 20;
/// The attributes of a cell about a release to come.
const EXPECTED: &str = " fill-opacity=\"0.35\" stroke=\"#666\" stroke-dasharray=\"4 3\"";

/// A point of the picture, from its upper left corner.
#[derive(Clone, Copy)]
struct Point {
    x: usize,
    y: usize,
}

/// Draws a row for each kind of a version and a column for each release: a bar where the kind is served, in another colour
/// where servers warn, and dashed for future releases.
pub(super) fn draw(input: &Input<'_>) -> String {
    let rows = rows(input);
    let releases = columns(input, &rows);
    let longest = rows.iter().map(|(kind, _)| kind.kind.len().max(kind.version.len())).max();
    let left = 2 * NAME.0 + NAME.1 * longest.unwrap_or_default();
    let width = (left + CELL.0 * releases.len()).max(legend_width()) + NAME.0;
    let height = TOP + CELL.1 * (rows.len() + 1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n\
         <title>Which release serves which version of {}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
        escaped(&input.plans.model.title())
    );
    let product = input.plans.rules.group.product();
    let title = format!("{} in the releases of {product}", input.plans.model.title());
    start(&mut text, Point { x: NAME.0, y: 22 }, BLACK, &title);
    let newest = input.plans.model.releases.last();
    for (column, release) in releases.iter().enumerate() {
        let colour = if newest < Some(*release) { GREY } else { BLACK };
        let point = Point { x: left + CELL.0 * column, y: 46 };
        middle(&mut text, point, colour, &format!("{release:#}"));
    }
    for (row, (kind, lifecycle)) in rows.iter().enumerate() {
        let y = TOP + CELL.1 * row;
        start(&mut text, Point { x: NAME.0, y: y + 17 }, BLACK, &kind.version);
        start(&mut text, Point { x: NAME.0, y: y + 32 }, GREY, &kind.kind);
        for (column, release) in releases.iter().enumerate() {
            let expected = newest < Some(*release);
            let corner = Point { x: left + CELL.0 * column, y };
            cell(&mut text, corner, &kind.version, lifecycle, *release, expected);
        }
        let first = releases.first().copied();
        let introduced = lifecycle.introduced_in();
        if first.is_some_and(|first| introduced < first) {
            let point = Point { x: left, y: y + 22 };
            middle(&mut text, point, "white", &format!("since {introduced:#}"));
        }
    }
    write_legend(&mut text, TOP + CELL.1 * rows.len() + 24);
    text + "</svg>\n"
}

/// A kind of a version.
type Row<'a> = (&'a GroupVersionKind, Lifecycle);

/// The kinds of all versions, lowest version first.
fn rows<'a>(input: &'a Input<'_>) -> Vec<Row<'a>> {
    let first = input.plans.model.releases.first().map(Lifecycle::introduced);
    let kinds = input
        .plans
        .items
        .structs()
        .filter_map(|planned| Some((&planned.resource()?.gvk, planned.lifecycle.or(first)?)));
    kinds.sorted_by_key(|(kind, _)| (kind.version.parse::<Version>().ok(), &kind.kind))
}

/// The releases that were read, and future releases until the last announced removal.
fn columns(input: &Input<'_>, rows: &[Row<'_>]) -> Vec<Release> {
    let mut releases: Vec<Release> = input.plans.model.releases.iter().collect();
    let removed = rows.iter().filter_map(|(_, lifecycle)| lifecycle.removed_in()).max();
    if let (Some(last), Some(removed)) = (releases.last().copied(), removed) {
        releases.extend(up_to(last, removed));
    }
    releases
}

/// The releases after the last one, up to a later one, which may be the only one that is known.
fn up_to(last: Release, removed: Release) -> Vec<Release> {
    // Only minor releases have a number that gives the next release, and none says which one is the last before another major
    // number.
    let ([major, minor, _], [of_removed, end, _]) = (last.numbers(), removed.numbers());
    let is_known = [last, removed].iter().all(|release| release.form() == ReleaseForm::Minor)
        && major == of_removed
        && end.saturating_sub(minor) <= MOST_EXPECTED;
    if is_known {
        (minor..end).map(|minor| Release::new(major, minor).next()).collect()
    } else {
        Some(removed).filter(|removed| last < *removed).into_iter().collect()
    }
}

/// Draws one release in a row. `expected` is `true` for a future release.
fn cell(
    text: &mut String,
    corner: Point,
    version: &str,
    lifecycle: &Lifecycle,
    release: Release,
    expected: bool,
) {
    let (class, fill) = if lifecycle.removed_in() == Some(release) {
        return middle(text, Point { y: corner.y + 22, ..corner }, REMOVED, "removed");
    } else if !lifecycle.is_served_in(release) {
        return;
    } else if lifecycle.is_deprecated_in(release) {
        ("deprecated", DEPRECATED)
    } else {
        ("served", SERVED)
    };
    let (x, y, width) = (corner.x, corner.y + 6, CELL.0 - 2);
    let expected = if expected { EXPECTED } else { "" };
    let _ = writeln!(
        text,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"24\" fill=\"{fill}\"{expected}>\
         <title>{} in {release:#}: {class}</title></rect>",
        escaped(version)
    );
}

/// The colour, the further attributes and the meaning of each kind of cell.
const LEGEND: [(&str, &str, &str); 3] = [
    (SERVED, "", "served"),
    (DEPRECATED, "", "deprecated: servers warn"),
    ("white", EXPECTED, "a release to come"),
];

/// The width of an entry of the legend.
const fn entry_width(meaning: &str) -> usize {
    40 + NAME.1 * meaning.len()
}

fn legend_width() -> usize {
    NAME.0 + LEGEND.iter().map(|(_, _, meaning)| entry_width(meaning)).sum::<usize>()
}

fn write_legend(text: &mut String, y: usize) {
    let mut x = NAME.0;
    for (fill, attributes, meaning) in LEGEND {
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{fill}\"{attributes}/>",
            y - 11
        );
        start(text, Point { x: x + 20, y }, BLACK, meaning);
        x += entry_width(meaning);
    }
}

/// A text of XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writes a label that begins at a point.
fn start(text: &mut String, point: Point, fill: &str, label: &str) {
    let (Point { x, y }, label) = (point, escaped(label));
    let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\">{label}</text>");
}

/// Writes a label in the middle of the column that begins at a point.
fn middle(text: &mut String, point: Point, fill: &str, label: &str) {
    let (x, y, label) = (point.x + CELL.0 / 2 - 1, point.y, escaped(label));
    let _ = writeln!(
        text,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{fill}\">{label}</text>"
    );
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;

    use super::{escaped, up_to};

    #[test]
    fn columns_end() {
        let minors = |minors: &[u16]| -> Vec<Release> {
            minors.iter().map(|minor| Release::new(1, *minor)).collect()
        };
        let last = Release::new(1, 36);
        assert_eq!(up_to(last, Release::new(1, 39)), minors(&[37, 38, 39]));
        assert_eq!(up_to(last, Release::new(1, 36)), []);
        assert_eq!(up_to(last, Release::new(1, 30)), []);
        assert_eq!(up_to(last, Release::new(1, u16::MAX)), minors(&[u16::MAX]));
        assert_eq!(up_to(last, Release::new(2, 0)), [Release::new(2, 0)]);
        let [old, new] = [Release::version(1, 2, 3), Release::version(1, 2, 9)];
        assert_eq!(up_to(old, new), [new]);
        assert_eq!(up_to(new, old), []);
    }

    #[test]
    fn texts_are_no_xml() {
        assert_eq!(escaped("R&D <Tools>"), "R&amp;D &lt;Tools&gt;");
    }
}
