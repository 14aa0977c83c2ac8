//! Tables of text: for the terminal and for Markdown.

use std::fmt;

use anstyle::Style;

use super::{Counts, Matrix, Report};

/// A table. The first column is aligned to the left, and so is every other that is not a number.
pub(super) struct Table {
    rows: Vec<Vec<Cell>>,
    /// The number of columns with texts; the others hold numbers.
    texts: usize,
}

/// A cell and how it looks on a terminal.
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) style: Style,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), style: Style::new() }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

impl Table {
    /// A table with these titles, the first of them those of texts.
    pub(super) fn new<'a>(texts: usize, titles: impl IntoIterator<Item = &'a str>) -> Self {
        let titles = titles.into_iter().map(Cell::new).collect();
        let rows = vec![titles];
        Self { rows, texts }
    }

    pub(super) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Writes the table as aligned columns; `styled` with the styles of the cells.
    pub(super) fn write_text(&self, f: &mut fmt::Formatter<'_>, styled: bool) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(width.saturating_sub(cell.width()));
                let style = if styled { cell.style } else { Style::new() };
                let text = format!("{style}{}{style:#}", cell.text);
                line += if column == 0 { "" } else { "  " };
                line += &if column < self.texts { text + &padding } else { padding + &text };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Writes the table as Markdown.
    pub(super) fn write_markdown(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| escape(&cell.text)).collect();
            writeln!(f, "| {} |", cells.join(" | "))?;
            if index == 0 {
                let rules =
                    (0..row.len()).map(|column| if column < self.texts { "---" } else { "--:" });
                writeln!(f, "|{}|", rules.collect::<Vec<_>>().join("|"))?;
            }
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(Cell::width).max().unwrap_or_default()
        };
        (0..columns).map(width).collect()
    }
}

/// A text as one cell of Markdown.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// The table of a matrix.
pub(super) fn matrix(matrix: &Matrix, cell: impl Fn(&Counts) -> Cell) -> Table {
    let titles = ["release", "API version"].iter().chain(&matrix.checks);
    let mut table = Table::new(2, titles.copied());
    for (row, counts) in matrix.rows() {
        let mut cells = vec![Cell::new(row.release.to_string()), Cell::new(row.to_string())];
        cells.extend(counts.iter().map(&cell));
        table.push(cells);
    }
    let mut total = vec![Cell::new("all"), Cell::new("")];
    let checks = matrix.checks.iter();
    total.extend(checks.map(|check| cell(&matrix.total(check))));
    table.push(total);
    table
}

/// The table of the checks.
pub(super) fn checks(report: &Report) -> Table {
    let mut table = Table::new(2, ["check", "asks that"]);
    for check in &report.checks {
        table.push(vec![Cell::new(check.name), Cell::new(check.rule)]);
    }
    table
}

/// The table of the reasons for which checks did not apply.
pub(super) fn reasons(report: &Report) -> Table {
    let mut table = Table::new(2, ["check", "not applicable, because", "count"]);
    for entry in report.not_applicable() {
        table.push(vec![
            Cell::new(entry.check),
            Cell::new(entry.reason),
            Cell::new(entry.count.to_string()),
        ]);
    }
    table
}

/// Counts as one short text: what is zero is left out.
pub(super) fn counts(counts: &Counts) -> String {
    let mut parts = Vec::new();
    if counts.failed > 0 {
        parts.push(format!("{} failed", counts.failed));
    }
    if counts.known > 0 {
        parts.push(format!("{} known", counts.known));
    }
    if counts.passed > 0 || counts.not_applicable == 0 {
        parts.push(counts.passed.to_string());
    }
    if counts.not_applicable > 0 {
        parts.push(format!("({})", counts.not_applicable));
    }
    parts.join(" ")
}
