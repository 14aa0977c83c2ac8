//! What the README shows of the command is what it does.

use std::fs;

use tempfile::TempDir;

use crate::command::{coordination, text};

const README: &str = include_str!("../../../../README.md");
const PROMPT: &str = "$ coordination ";

/// The first block of a language whose text begins like this.
fn block(language: &str, beginning: &str) -> String {
    let (_, text) = README
        .split_once(&format!("```{language}\n{beginning}"))
        .unwrap();
    let (text, _) = text.split_once("```").unwrap();
    beginning.to_owned() + text
}

#[test]
fn what_the_readme_shows_is_what_happens() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("candidate.yaml"), block("yaml", "")).unwrap();
    let mut count = 0;
    for shown in block("console", PROMPT).split(PROMPT).skip(1) {
        let (command, expected) = shown.split_once('\n').unwrap();
        let args: Vec<&str> = command.split(' ').collect();
        let output = coordination(folder.path(), &args);
        let found = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(
            found.trim_end(),
            expected.trim_end(),
            "coordination {command}"
        );
        count += 1;
    }
    assert_eq!(count, 3);
}
