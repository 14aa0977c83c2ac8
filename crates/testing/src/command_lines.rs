//! The command lines that people find: in the Markdown and the doc comments of the workspace, also in sentences and lists, and in the
//! help of a command.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The folders whose texts are not for people, or are generated.
const LEFT_OUT: [&str; 5] = ["target", "api", "fixtures", "cases", "generated"];

/// The languages of blocks that show no commands.
const CODE: [&str; 3] = ["rust", "toml", "json"];

/// The command lines of a command in the texts of the workspace, each with the file that has it first: a pipeline is several. A
/// sentence names a subcommand by one word.
#[must_use]
pub fn of_pages(tool: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let root = root();
    for page in pages(&root) {
        let text = text(&page);
        let place = page.strip_prefix(&root).unwrap_or(&page).display().to_string();
        for line in shell_lines(&text).iter().flat_map(|line| calls(line, tool)) {
            all.entry(line).or_insert_with(|| place.clone());
        }
    }
    all
}

/// The command lines of a command in its help, which also states its usage.
#[must_use]
pub fn of_help(text: &str, tool: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("Usage: "));
    lines.flat_map(|line| calls(line, tool)).collect()
}

/// The first words of all lines that readers type into a shell, each with the line.
#[must_use]
pub fn programs() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for page in pages(&root()) {
        for line in text(&page).lines().filter_map(|line| line.trim_start().strip_prefix("$ ")) {
            let program = line.split_whitespace().next().unwrap_or_default();
            all.entry(program.to_owned()).or_insert_with(|| line.to_owned());
        }
    }
    all
}

/// The root of the workspace.
fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut pages = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let is_hidden = name.starts_with('.');
        if path.is_dir() && !is_hidden && !LEFT_OUT.contains(&name.as_str()) {
            pages.extend(self::pages(&path));
        } else if (name.ends_with(".md") && name != "CHANGELOG.md") || name.ends_with(".rs") {
            pages.push(path);
        }
    }
    pages
}

/// The text of a page; of Rust the doc comments, whose blocks without a language are also Rust.
fn text(page: &Path) -> String {
    let text = fs::read_to_string(page).unwrap_or_default();
    if page.extension().is_some_and(|extension| extension == "md") {
        return text;
    }
    let docs = text.lines().filter_map(|line| {
        let line = line.trim_start();
        let doc = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))?;
        Some(doc.strip_prefix(' ').unwrap_or(doc))
    });
    let docs = docs.map(|doc| if doc.trim() == "```" { "```rust" } else { doc });
    docs.collect::<Vec<_>>().join("\n")
}

/// The lines of blocks, with those that a backslash continues, and what sentences have between backticks.
fn shell_lines(page: &str) -> Vec<String> {
    let (mut lines, mut sentences, mut block) = (Vec::new(), String::new(), None);
    let mut begun = String::new();
    for line in page.lines() {
        let text = line.trim();
        match (text.strip_prefix("```"), block) {
            (Some(language), None) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (None, Some(language)) if CODE.iter().any(|code| language.starts_with(code)) => {}
            // The output of a command is not a command.
            (None, Some("console")) if page.contains("\n$ ") && !text.starts_with("$ ") => {}
            (None, is_block) if is_block.is_some() || is_indented(line) => {
                begun += text.strip_prefix("$ ").unwrap_or(text);
                match begun.strip_suffix('\\') {
                    Some(more) => begun = more.to_owned(),
                    None => lines.push(std::mem::take(&mut begun)),
                }
            }
            _ => sentences.extend([" ", text]),
        }
    }
    lines.extend(sentences.split('`').skip(1).step_by(2).map(str::to_owned));
    lines
}

/// A block without a fence: sentences of lists are also indented, and have backticks.
fn is_indented(line: &str) -> bool {
    line.starts_with("    ") && !line.contains('`')
}

/// The calls of a command in a line, without comments, redirections and what runs it.
fn calls(line: &str, tool: &str) -> Vec<String> {
    // A comment, or the next column of a picture.
    let line = [" # ", "  #", "   "]
        .iter()
        .fold(line, |line, end| line.split(end).next().unwrap_or_default());
    let parts = line.replace("&&", "\n").replace("$(", "\n").replace("<(", "\n");
    let parts = parts.split(['\n', ';']).flat_map(|part| part.split(" | "));
    parts.filter_map(|part| call(part, tool)).collect()
}

fn call(part: &str, tool: &str) -> Option<String> {
    let part = part.split(" >").next()?.trim().trim_end_matches([')', '&']).trim_end();
    // `cargo run --package NAME-cli … -- ARGUMENTS`, and a name that may follow others: `docker run NAME ARGUMENTS`.
    let by_cargo =
        part.contains(&format!("{tool}-cli ")).then(|| part.split_once(" -- ")).flatten();
    let arguments = by_cargo.map(|(_, arguments)| arguments).or_else(|| {
        let (before, arguments) = part.split_once(&format!("{tool} "))?;
        (before.is_empty() || before.ends_with([' ', '/'])).then_some(arguments)
    })?;
    let is_call = ["--root", "+"].iter().any(|begin| arguments.starts_with(begin))
        || arguments.starts_with(char::is_lowercase);
    is_call.then(|| format!("{tool} {}", arguments.trim()))
}
