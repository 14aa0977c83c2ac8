//! What the README shows of the command is what it does.

use std::fs;

use tempfile::TempDir;

use crate::command::{coordination, text};

const README: &str = include_str!("../../../../README.md");
const PROMPT: &str = "$ coordination ";

/// The first block of a language whose text begins like this.
fn block(language: &str, beginning: &str) -> &'static str {
    let opening = format!("```{language}\n{beginning}");
    let start = README.find(&opening).unwrap() + opening.len() - beginning.len();
    let text = &README[start..];
    text.split("```").next().unwrap()
}

#[test]
fn what_the_readme_shows_is_what_happens() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("candidate.yaml"), block("yaml", "")).unwrap();
    let commands = block("console", PROMPT).split(PROMPT).skip(1);
    let mut count = 0;
    for shown in commands {
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
