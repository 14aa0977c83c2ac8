//! Generated items have the lines that the formatter gives them, though most are not formatted.

use k8s_versioned_codegen::Files;

/// Compares the items of the files with their formatted text, and returns how many were compared.
pub(crate) fn check(files: &Files) -> usize {
    let rust = files.iter().filter(|(path, _)| path.ends_with(".rs"));
    let items = rust.flat_map(|(path, text)| {
        let items = items(str::from_utf8(text).unwrap()).into_iter();
        items.map(move |item| (path, item))
    });
    let items = items.filter(|(_, it)| it.starts_with("impl") || it.contains("\npub struct"));
    let mut checked = 0;
    for (path, item) in items {
        let formatted = prettyplease::unparse(&syn::parse_file(&item).unwrap());
        assert_eq!(lines(&item), lines(&formatted), "{path}");
        checked += 1;
    }
    checked
}

/// The items of a file, which have blank lines between them.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for part in text.split("\n\n") {
        match items.last_mut() {
            Some(item) if part.starts_with(' ') => item.extend(["\n\n", part]),
            _ => items.push(part.to_owned()),
        }
    }
    items
}

/// The lines of an item. Blank lines, and how many names of a list are in a line, are not the formatter's.
fn lines(item: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut in_list = false;
    for line in item.lines().filter(|line| !line.is_empty()) {
        in_list = in_list && line != "    ];";
        if in_list {
            lines.extend(line.split_whitespace());
        } else {
            lines.push(line);
        }
        in_list = in_list || line.ends_with(": &'static [&'static str] = &[");
    }
    lines
}
