//! The keys of two sides, and findings that many operations share.

use std::collections::BTreeMap;

use super::{Finding, Tree};

/// The values of each key on the old and the new side: first the keys of the old side, then the keys that only the new side has.
pub(super) fn pairs<'a, K: Ord, V>(
    old: &'a BTreeMap<K, V>,
    new: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = (&'a K, Option<&'a V>, Option<&'a V>)> {
    let before = old.iter().map(|(key, was)| (key, Some(was), new.get(key)));
    let added = new.iter().filter(|(key, _)| !old.contains_key(key));
    before.chain(added.map(|(key, is)| (key, None, Some(is))))
}

/// Findings, each with everything that it reaches.
///
/// When many operations change in the same way, such as by a new parameter, one finding reaches them all.
#[derive(Default)]
pub(super) struct Changes(Vec<Finding>);

impl Changes {
    /// Adds a finding that reaches `text` and its `child`, or adds these to an equal finding.
    pub(super) fn push(&mut self, finding: Finding, text: String, child: Option<&str>) {
        let says = |it: &Finding| (it.rule, it.subject.clone(), it.old.clone(), it.new.clone());
        let index = self.0.iter().position(|other| says(other) == says(&finding));
        let index = index.unwrap_or_else(|| {
            self.0.push(Finding { classes: Vec::new(), ..finding.clone() });
            self.0.len() - 1
        });
        let Some(same) = self.0.get_mut(index) else {
            return;
        };
        same.classes.extend(finding.classes);
        same.classes.sort_unstable();
        same.classes.dedup();
        let child = child.map(Tree::leaf);
        match same.reaches.last_mut().filter(|last| last.text == text) {
            Some(last) => last.children.extend(child),
            None => same.reaches.push(Tree { text, children: child.into_iter().collect() }),
        }
    }

    /// All findings, sorted.
    pub(super) fn findings(mut self) -> Vec<Finding> {
        self.0
            .sort_by(|a, b| (a.rule.id, &a.subject, &a.new).cmp(&(b.rule.id, &b.subject, &b.new)));
        self.0
    }
}
