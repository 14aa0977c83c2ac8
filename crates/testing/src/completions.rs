//! A shell that asks a command for completions.

use std::path::Path;
use std::process::Command;

/// The values that the command `program` completes in a folder at the end of these words, as it answers `bash`.
pub fn completed(program: &str, folder: &Path, words: &[&str]) -> Vec<String> {
    let output = Command::new(program)
        .env("COMPLETE", "bash")
        .env("_CLAP_IFS", "\n")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .args(["--", program])
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}
