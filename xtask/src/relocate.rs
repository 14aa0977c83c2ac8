//! From places in documents that are not written to places in those that they were to be made from.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use coordination_codegen::json::{self, Node, Value};
use coordination_codegen::{Files, Problems};
use k8s_versioned::Release;

/// The same problems; those in the documents of `release` are now in the files of `from`.
///
/// When an import fails, the documents that it would have written exist nowhere. A person has those
/// that were to be imported: the same values, with prose and in another layout.
pub(crate) fn relocate(problems: &Problems, release: Release, from: &Files) -> Problems {
    let mut relocated = Problems::new();
    let mut documents = BTreeMap::new();
    for problem in problems {
        let mut place = problem.place.clone();
        if let Some(name) = in_release(&problem.place.file, release) {
            let document = documents.entry(name).or_insert_with(|| parse(name, from));
            place.span = document.as_ref().and_then(|root| find(root, &place.pointer.to_string()));
            place.file = Arc::from(name);
        }
        relocated.push(place, problem.cause.clone());
    }
    relocated
}

/// The name of a release's document; nothing for the release's folder.
fn in_release(file: &str, release: Release) -> Option<&str> {
    let inside = file.strip_prefix(&release.to_string())?;
    if inside.is_empty() { Some(inside) } else { inside.strip_prefix('/') }
}

fn parse(name: &str, from: &Files) -> Option<Node> {
    json::parse(&Arc::from(name), from.get(name)?).ok()
}

/// Where the value is that a JSON pointer leads to. The whole document has no place of its own.
fn find(root: &Node, pointer: &str) -> Option<Range<usize>> {
    let mut node = root;
    for step in pointer.strip_prefix('/')?.split('/') {
        let step = step.replace("~1", "/").replace("~0", "~");
        node = match &node.value {
            Value::Object(members) => &members.iter().find(|member| member.key == step)?.node,
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(node.span.clone())
}

#[cfg(test)]
mod tests {
    use super::{find, in_release, parse};
    use coordination_codegen::{Files, Place};

    #[test]
    fn finds_what_a_pointer_leads_to() {
        let text = r#"{"a/b": {"~": [10, 20]}, "c": "d"}"#;
        let files = Files::from([("x.json".to_owned(), text.into())]);
        let root = parse("x.json", &files).unwrap();
        let cases = [
            ("/a~1b/~0/1", Some("20")),
            ("/a~1b/~0", Some("[10, 20]")),
            ("/c", Some("\"d\"")),
            ("", None),
            ("/c/d", None),
            ("/a~1b/~0/2", None),
            ("/a~1b/~0/x", None),
            ("/z", None),
        ];
        for (pointer, expected) in cases {
            assert_eq!(find(&root, pointer).and_then(|span| text.get(span)), expected, "{pointer}");
        }
    }

    #[test]
    fn knows_the_documents_of_the_release() {
        let cases = [
            ("v1.3/x.json", Some("x.json")),
            ("v1.3", Some("")),
            ("v1.36/x.json", None),
            ("manifest.toml", None),
        ];
        for (file, expected) in cases {
            let place = Place::file(file);
            assert_eq!(in_release(&place.file, "v1.3".parse().unwrap()), expected, "{file}");
        }
    }
}
