//! The lines of the generated conversions, which `docs/explanations/performance.md` states.

use std::fs;
use std::path::Path;

/// The number of pairs of versions in the folders of kinds, or in the folder that they share, and their lines.
fn pairs(shared: bool) -> (usize, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/generated/conversion");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let folders = folders.filter(|path| path.is_dir() && path.ends_with("equal") == shared);
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.to_string_lossy().contains("_to_"));
    let lines = files.map(|path| fs::read_to_string(path).unwrap().lines().count());
    lines.fold((0, 0), |(pairs, sum), lines| (pairs + 1, sum + lines))
}

#[test]
fn the_lines_of_a_pair_are_stated() {
    let ((pairs, lines), (equal, shared)) = (pairs(false), pairs(true));
    let tens = |number: usize| (number + 5) / 10 * 10;
    let stated = format!(
        "{pairs} pairs of versions have {} lines on average, and the {equal} modules of equal types that they share {}",
        tens(lines / pairs),
        tens(shared / equal),
    );
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/explanations/performance.md");
    let page = fs::read_to_string(page).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(&stated), "docs/explanations/performance.md does not state: {stated}");
}
