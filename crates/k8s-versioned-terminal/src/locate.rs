//! The places of fields: from the path in a server's answer to the value in the text.

use k8s_versioned_source::{Kind, Value};

/// The value at a field path of a server, such as `spec.ports[0].name` or `metadata.labels[a.b/c]`; of a field that is absent,
/// the value that would have it.
///
/// Servers write the key of a map in brackets, or after a dot like a field. A key can have dots, so the longest one counts.
pub(crate) fn locate<'a>(object: Value<'a>, path: &str) -> Value<'a> {
    let (mut value, mut rest) = (object, path);
    while let Some((next, after)) = step(value, rest.strip_prefix('.').unwrap_or(rest)) {
        (value, rest) = (next, after);
    }
    value
}

/// The value that a path begins with, and the rest of the path.
fn step<'a, 'p>(value: Value<'a>, path: &'p str) -> Option<(Value<'a>, &'p str)> {
    if value.kind() == Kind::Array {
        let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
        return Some((value.item(index.parse().ok()?)?, rest));
    }
    let fits = value.members()?.filter_map(|(key, member)| Some((key, member, after(path, key)?)));
    let (_, member, rest) = fits.max_by_key(|(key, ..)| key.len())?;
    Some((member, rest))
}

/// The rest of a path that begins with a key.
fn after<'p>(path: &'p str, key: &str) -> Option<&'p str> {
    let in_brackets = || path.strip_prefix('[')?.strip_prefix(key)?.strip_prefix(']');
    let is_end = |rest: &&str| rest.is_empty() || rest.starts_with(['.', '[']);
    // An empty key would take no part of the path.
    let plain = || path.strip_prefix(key).filter(|rest| !key.is_empty() && is_end(rest));
    in_brackets().or_else(plain)
}

#[cfg(test)]
mod tests {
    use k8s_versioned_source::{Limits, documents};

    use super::locate;

    #[test]
    fn a_path_leads_to_the_value_in_the_text() {
        let text =
            "metadata:\n  labels: {a.b/c: x, a: y, '': z}\nspec:\n  ports:\n  - name: p\n  - {}\n";
        let tree = documents("a.yaml", text.as_bytes(), &Limits::MANIFESTS);
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
            ("<nil>", "1:1"),
        ] {
            let start = locate(tree.root(), path).span().start;
            assert_eq!(tree.position(start).to_string(), expected, "{path}");
        }
    }
}
