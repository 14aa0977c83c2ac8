//! Circles of imports.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::read::Imports;

/// A short circle through each group of files that import each other: a line for each import.
pub(super) fn circles(imports: &Imports) -> Vec<String> {
    let (mut circles, mut seen) = (Vec::new(), BTreeSet::new());
    for file in imports.keys() {
        let circle = circle(imports, file);
        if circle.iter().any(|file| seen.contains(file)) {
            continue;
        }
        if !circle.is_empty() {
            let lines = circle.iter().zip(circle.iter().cycle().skip(1)).map(|(file, other)| {
                let items = imports.get(*file).and_then(|others| others.get(*other));
                let items = items.into_iter().flatten().map(|item| format!("`{item}`"));
                format!("  {file} imports {} of {other}", items.collect::<Vec<_>>().join(", "))
            });
            circles.push(lines.collect::<Vec<_>>().join("\n"));
        }
        seen.extend(circle);
    }
    circles
}

/// The files of a shortest circle through a file, which is the first of them; empty if there is none.
fn circle<'i>(imports: &'i Imports, file: &'i str) -> Vec<&'i str> {
    let mut importers: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([file]);
    while let Some(next) = queue.pop_front() {
        for other in imports.get(next).into_iter().flat_map(BTreeMap::keys) {
            if other == file {
                let above = std::iter::successors(Some(next), |at| importers.get(at).copied());
                let mut circle: Vec<&str> = above.collect();
                circle.reverse();
                return circle;
            }
            if !importers.contains_key(&**other) {
                importers.insert(other, next);
                queue.push_back(other);
            }
        }
    }
    Vec::new()
}
