//! Tables in text.

/// The rows of a table: a line each, `|` between the cells, `#` before a comment. `same` repeats the cell before.
pub fn rows<const CELLS: usize>(
    table: &'static str,
) -> impl Iterator<Item = [&'static str; CELLS]> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let mut cells: [&str; CELLS] = [""; CELLS];
        let mut found = line.split('|').map(str::trim);
        for index in 0..CELLS {
            let cell = found.next().unwrap_or_else(|| panic!("too few cells: {line}"));
            cells[index] = if cell == "same" { cells[index - 1] } else { cell };
        }
        assert_eq!(found.next(), None, "too many cells: {line}");
        cells
    })
}
