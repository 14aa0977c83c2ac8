//! Pictures of boxes and arrows as SVG, from facts that a test has found.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::page;

/// The distance between the middles of two neighbours.
const STEP: (i32, i32) = (250, 92);
/// Half the size of a box.
const HALF: (i32, i32) = (104, 24);
/// The space around the boxes.
const MARGIN: (i32, i32) = (120, 44);

/// Boxes in a grid, and arrows between them.
pub struct Picture {
    title: String,
    boxes: BTreeMap<String, Place>,
    arrows: Vec<(String, String, String)>,
}

/// The middle of a box, and the second line of its text.
struct Place {
    middle: (i32, i32),
    note: String,
}

impl Picture {
    /// An empty picture.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), boxes: BTreeMap::new(), arrows: Vec::new() }
    }

    /// Adds a box. `column` and `row` are in halves of the distance between neighbours.
    pub fn add(&mut self, name: &str, (column, row): (i32, i32), note: &str) {
        let middle = (MARGIN.0 + STEP.0 * column / 2, MARGIN.1 + 30 + STEP.1 * row / 2);
        self.boxes.insert(name.to_owned(), Place { middle, note: note.to_owned() });
    }

    /// Adds an arrow between two boxes.
    pub fn arrow(&mut self, from: &str, to: &str, label: &str) {
        self.arrows.push((from.to_owned(), to.to_owned(), label.to_owned()));
    }

    /// Compares the picture with a file. `UPDATE_DOCS=1` writes the file instead.
    pub fn check(&self, path: &Path) {
        page::check(path, &self.to_svg());
    }

    fn to_svg(&self) -> String {
        let right = self.boxes.values().map(|place| place.middle.0).max().unwrap();
        let bottom = self.boxes.values().map(|place| place.middle.1).max().unwrap();
        let (width, height) = (right + MARGIN.0, bottom + MARGIN.1);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n\
             <title>{0}</title>\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#666\"/></marker></defs>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
             <text x=\"12\" y=\"22\" font-weight=\"bold\">{0}</text>\n",
            self.title
        );
        for (from, to, label) in &self.arrows {
            self.write_arrow(&mut text, from, to, label);
        }
        for (name, Place { middle: (x, y), note }) in &self.boxes {
            let (left, top, name_y) =
                (x - HALF.0, y - HALF.1, if note.is_empty() { y + 5 } else { y - 2 });
            let (width, height) = (2 * HALF.0, 2 * HALF.1);
            let _ = writeln!(
                text,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#e8f1ec\" stroke=\"#4c9f70\"/>\n\
                 <text x=\"{x}\" y=\"{name_y}\" text-anchor=\"middle\" font-size=\"12\">{name}</text>\n\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#666\">{note}</text>",
                y + 13
            );
        }
        text + "</svg>\n"
    }

    /// An arrow between the edges of two boxes. Two arrows in opposite directions each keep to their right.
    fn write_arrow(&self, text: &mut String, from: &str, to: &str, label: &str) {
        let (start, end) = (self.boxes[from].middle, self.boxes[to].middle);
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let back = self.arrows.iter().any(|arrow| arrow.0 == to && arrow.1 == from);
        let aside = |along: i32| if back { 10 * along.signum() } else { 0 };
        let shift = (-aside(dy), aside(dx));
        // The part of the way after which the line leaves a box, in thousandths.
        let inside =
            |half: i32, along: i32| if along == 0 { i32::MAX } else { half * 1000 / along.abs() };
        let leaves = inside(HALF.0 - shift.0.abs(), dx).min(inside(HALF.1 - shift.1.abs(), dy));
        let at = |part: i32| {
            (start.0 + shift.0 + dx * part / 1000, start.1 + shift.1 + dy * part / 1000)
        };
        let ((x1, y1), (x2, y2)) = (at(leaves), at(1000 - leaves));
        let _ = writeln!(
            text,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#666\" marker-end=\"url(#tip)\"/>"
        );
        let lines: Vec<&str> = label.lines().collect();
        let above = 7 * i32::try_from(lines.len()).unwrap();
        let x = i32::midpoint(x1, x2) + if dy == 0 { 0 } else { 6 };
        let top = i32::midpoint(y1, y2) - if dy == 0 { 2 * above - 8 } else { above - 11 };
        let anchor = if dy == 0 { "middle" } else { "start" };
        for (line, words) in (0..).zip(lines) {
            let _ = writeln!(
                text,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"11\" fill=\"#333\">{words}</text>",
                top + 14 * line
            );
        }
    }
}
