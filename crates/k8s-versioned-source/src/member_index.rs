//! The places of fields: from a JSON pointer, or the path in a server's answer, to the value in the text.

use std::cell::RefCell;
use std::collections::HashMap;

use k8s_versioned_core::pointer::unescaped;

use crate::tree::{Member, NodeId, TreeValue, ValueKind};

/// The members of the objects of a document in the order of their names, for the objects that were asked for: many findings about one
/// large object cost no more than reading it.
#[derive(Debug, Default)]
pub struct MemberIndex(RefCell<HashMap<NodeId, Vec<u32>>>);

impl MemberIndex {
    /// The value at a field path of a server, such as `spec.ports[0].name` or `metadata.labels[a.b/c]`; of a field that is absent,
    /// the value that would have it.
    ///
    /// Servers write the key of a map in brackets, or after a dot like a field. A key can have dots, so the longest one counts.
    pub fn locate<'a>(&self, object: TreeValue<'a>, path: &str) -> TreeValue<'a> {
        let (mut value, mut rest) = (object, path);
        while let Some((next, after)) = self.step(value, rest.strip_prefix('.').unwrap_or(rest)) {
            (value, rest) = (next, after);
        }
        value
    }

    /// The value at a JSON pointer.
    pub fn pointer<'a>(&self, value: TreeValue<'a>, pointer: &str) -> Option<TreeValue<'a>> {
        let mut tokens = pointer.split('/');
        tokens.next().filter(|first| first.is_empty())?;
        tokens.try_fold(value, |value, token| {
            let token = unescaped(token);
            match value.kind() {
                ValueKind::Array => value.item(token.parse().ok()?),
                _ => self.get(value, &token),
            }
        })
    }

    /// The value of a member of an object.
    pub fn get<'a>(&self, object: TreeValue<'a>, name: &str) -> Option<TreeValue<'a>> {
        self.longest(object, name, str::is_empty).map(|(value, _)| value)
    }

    /// The value that a path begins with, and the rest of the path.
    fn step<'a, 'p>(
        &self,
        value: TreeValue<'a>,
        path: &'p str,
    ) -> Option<(TreeValue<'a>, &'p str)> {
        if value.kind() == ValueKind::Array {
            let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
            return Some((value.item(index.parse().ok()?)?, rest));
        }
        let inner = path.strip_prefix('[');
        let in_brackets = inner.and_then(|inner| {
            let (value, rest) = self.longest(value, inner, |rest| rest.starts_with(']'))?;
            Some((value, rest.strip_prefix(']')?))
        });
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
        // An empty key would take no part of the path.
        let plain = self.longest(value, path, |rest| rest.len() < path.len() && is_end(rest));
        match (in_brackets, plain) {
            (Some(one), Some(other)) if other.1.len() < one.1.len() => Some(other),
            (one, other) => one.or(other),
        }
    }

    /// The member with the longest name that the text begins with and after which the rest fits, and the rest.
    fn longest<'a, 'p>(
        &self,
        object: TreeValue<'a>,
        text: &'p str,
        fits: impl Fn(&str) -> bool,
    ) -> Option<(TreeValue<'a>, &'p str)> {
        if object.kind() != ValueKind::Object {
            return None;
        }
        let members = object.tree().members_of(object.id());
        let mut names = self.0.borrow_mut();
        let order = names.entry(object.id()).or_insert_with(|| order(members));
        let member = |at: &u32| members.get(*at as usize);
        // All names that the text begins with are prefixes of this.
        let mut bound = text;
        loop {
            let is_before = |at: &u32| member(at).is_some_and(|member| *member.key <= *bound);
            let last = order.partition_point(is_before).checked_sub(1)?;
            let found = order.get(last).and_then(member)?;
            let rest = text.strip_prefix(&*found.key);
            if let Some(rest) = rest.filter(|rest| fits(rest)) {
                return Some((object.tree().value(found.node), rest));
            }
            bound = common(&found.key, bound, rest.is_some())?;
        }
    }
}

/// The indexes of members in the order of their names.
fn order(members: &[Member<'_>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(members.len()).collect();
    let key = |at: &u32| members.get(*at as usize).map(|member| &*member.key);
    order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    order
}

/// What both texts begin with; `None` if there is nothing shorter to begin with.
fn common<'t>(name: &str, text: &'t str, is_prefix: bool) -> Option<&'t str> {
    let both = name.chars().zip(text.chars()).take_while(|(one, other)| one == other);
    let mut length: usize = both.map(|(one, _)| one.len_utf8()).sum();
    if is_prefix {
        length -= name.chars().next_back()?.len_utf8();
    }
    text.get(..length)
}

#[cfg(test)]
mod tests {
    use super::MemberIndex;
    use crate::tree::TreeValue;
    use crate::{ReadLimits, documents};

    #[test]
    fn a_path_leads_to_the_value_in_the_text() {
        let text =
            "metadata:\n  labels: {a.b/c: x, a: y, '': z}\nspec:\n  ports:\n  - name: p\n  - {}\n";
        let tree = documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS);
        let tree = tree.into_iter().next().unwrap().unwrap();
        for (path, expected) in [
            ("", "1:1"),
            ("metadata.labels", "2:11"),
            ("metadata.labels[a.b/c]", "2:19"),
            ("metadata.labels.a.b/c", "2:19"),
            (".metadata.labels.a", "2:25"),
            ("metadata.labels[]", "2:32"),
            ("metadata.name", "2:3"),
            ("spec.ports[0].name", "5:11"),
            ("spec.ports[1].name", "6:5"),
            ("spec.ports[2]", "5:5"),
            ("spec.ports[x", "5:5"),
            ("spec.ports.[0]", "5:5"),
            ("<nil>", "1:1"),
        ] {
            let start = MemberIndex::default().locate(tree.root(), path).span().start;
            assert_eq!(tree.position(start).to_string(), expected, "{path}");
        }
        let index = MemberIndex::default();
        for pointer in [
            "",
            "/metadata/labels/a.b~1c",
            "/spec/ports/0/name",
            "/spec/ports/2",
            "/spec/x",
            "spec",
        ] {
            let found = index.pointer(tree.root(), pointer).map(TreeValue::id);
            assert_eq!(found, tree.root().pointer(pointer).map(TreeValue::id), "{pointer}");
        }
    }
}
