//! `cargo xtask book`: the preprocessor of the book in `docs`, which `mdbook` runs.
//!
//! Pages link to files of the repository. A book does not hold them, so such a link leads to the repository's address, which
//! `git-repository-url` in `docs/book.toml` states. Without it, only the text of the link stays. `mdbook` names the page of a
//! `README.md` `index.html`, but does not change the links to it.

use std::fmt::Write as _;

use serde_json::Value;

/// Returns the book with its links to files outside of it replaced.
///
/// `input` is what `mdbook` gives to a preprocessor: a list of the context and the book, as JSON.
///
/// # Errors
/// The input is not such a list.
pub fn run(input: &str) -> Result<String, serde_json::Error> {
    let (context, mut book): (Value, Value) = serde_json::from_str(input)?;
    let address = context.pointer("/config/output/html/git-repository-url").and_then(Value::as_str);
    replace_links(&mut book, address);
    serde_json::to_string(&book)
}

/// Replaces the links of all chapters of a part of the book.
fn replace_links(part: &mut Value, address: Option<&str>) {
    match part {
        Value::Array(parts) => parts.iter_mut().for_each(|part| replace_links(part, address)),
        Value::Object(members) => {
            let path = members.get("path").and_then(Value::as_str).unwrap_or_default();
            let folders = path.matches('/').count();
            if let Some(Value::String(content)) = members.get_mut("content") {
                *content = inside(content, folders, address);
            }
            members.values_mut().for_each(|part| replace_links(part, address));
        }
        _ => {}
    }
}

/// The text of a page, which is so many folders below the book's, with links that work in the book.
fn inside(content: &str, folders: usize, address: Option<&str>) -> String {
    let up = "../".repeat(folders + 1);
    let mut text = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = rest.split_once("](") {
        let (target, end) = after.split_once(')').unwrap_or((after, ""));
        text.push_str(before);
        match (target.strip_prefix(&up), address, text.rfind('[')) {
            (Some(file), Some(address), _) => {
                let address = address.trim_end_matches('/');
                let _ = write!(text, "]({address}/blob/main/{file})");
            }
            (Some(_), None, Some(bracket)) => {
                text.remove(bracket);
            }
            _ => {
                let _ = write!(text, "]({})", in_book(target));
            }
        }
        rest = end;
    }
    text + rest
}

/// A link inside of the book, which names the page of a `README.md` differently. Other links stay.
fn in_book(target: &str) -> String {
    let (path, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    let folder = path
        .strip_suffix("README.md")
        .filter(|folder| !folder.contains("://") && (folder.is_empty() || folder.ends_with('/')));
    folder.map_or_else(|| target.to_owned(), |folder| format!("{folder}index.md{anchor}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn book(page: &str, address: Option<&str>) -> String {
        let context = json!({"config": {"output": {"html": {"git-repository-url": address}}}});
        let chapter = json!({"path": "reference/a.md", "content": page, "sub_items": []});
        let input = json!([context, {"items": [{"Chapter": chapter}]}]).to_string();
        let book: Value = serde_json::from_str(&run(&input).unwrap()).unwrap();
        book.pointer("/items/0/Chapter/content").unwrap().as_str().unwrap().to_owned()
    }

    #[test]
    fn links_to_overviews() {
        let table = [
            ("README.md", "index.md"),
            ("../a/README.md#b", "../a/index.md#b"),
            ("NOT-README.md", "NOT-README.md"),
            ("README.md/a.md", "README.md/a.md"),
            ("https://example.com/README.md", "https://example.com/README.md"),
        ];
        for (target, expected) in table {
            assert_eq!(in_book(target), expected);
        }
    }

    #[test]
    fn links_that_leave_the_book() {
        let page = "See [a](b.md#c), [d](../README.md) and [`f`](../../src/f.rs).";
        let text = book(page, None);
        assert_eq!(text, "See [a](b.md#c), [d](../index.md) and `f`.");
        let text = book(page, Some("https://example.com/repository/"));
        let link = "https://example.com/repository/blob/main/src/f.rs";
        assert_eq!(text, format!("See [a](b.md#c), [d](../index.md) and [`f`]({link})."));
    }
}
