//! Each command line of a page and of the help runs, in a folder with the files that it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use testing::command_lines;

use crate::command::{Ran, command, root};

const TOOL: &str = "coordination";

/// The command lines that do not run here, with the reason.
const LISTED: [(&str, &str); 5] = [
    ("conform --compare v1.36 v1.37", "there are no recordings of 1.37 yet"),
    ("elect --cluster", "it needs a cluster; `tests/cluster/elect.rs` plays one"),
    ("lead --lease", "it needs a cluster; `tests/cluster/processes.rs` plays one"),
    ("migrate --", "it needs two clusters; `tests/cluster/migrate.rs` plays them"),
    ("COMMAND", "it names no subcommand"),
];

/// A candidate of a version, renewed shortly before the examples elect one.
fn candidate(version: &str, strategy: &str) -> String {
    format!(
        "apiVersion: coordination.k8s.io/{version}\nkind: LeaseCandidate\nmetadata: {{name: a, namespace: kube-system}}\n\
         spec: {{leaseName: scheduler, binaryVersion: 1.31.2, emulationVersion: 1.31.2, renewTime: \"2026-01-02T03:04:00.000000Z\", {strategy}}}\n"
    )
}

fn prepare(folder: &Path) {
    let oldest = candidate("v1alpha1", "preferredStrategies: [OldestEmulationVersion]");
    let newest = candidate("v1beta1", "strategy: OldestEmulationVersion");
    for folder in ["manifests", "candidates"].map(|name| folder.join(name)) {
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("a.yaml"), &newest).unwrap();
    }
    for name in ["candidate.yaml", "candidates.yaml", "objects.yaml"] {
        fs::write(folder.join(name), &oldest).unwrap();
    }
    for name in ["new.yaml", "dump.yaml"] {
        fs::write(folder.join(name), &newest).unwrap();
    }
}

/// The command lines of all pages and of each help, without the name of the command, each with its place.
fn all() -> BTreeMap<String, String> {
    let mut all = command_lines::of_pages(TOOL);
    let help = Ran::run(&mut command(&["--help"])).stdout;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for command_name in commands.filter(|name| !name.is_empty() && *name != "help").chain([""]) {
        let arguments: Vec<&str> = command_name.split_whitespace().chain(["--help"]).collect();
        let help = Ran::run(&mut command(&arguments)).stdout;
        for line in command_lines::of_help(&help, TOOL) {
            all.entry(line).or_insert_with(|| format!("{command_name} --help"));
        }
    }
    let arguments = |line: String| line.split_once(' ').unwrap().1.to_owned();
    all.into_iter().map(|(line, place)| (arguments(line), place)).collect()
}

#[test]
fn each_command_line_runs() {
    let all = all();
    assert!(all.len() > 20, "{all:#?}");
    let is_listed = |line: &str| LISTED.iter().any(|(begin, _)| line.starts_with(begin));
    let mut wrong = Vec::new();
    for (line, place) in all.iter().filter(|(line, _)| !is_listed(line)) {
        let folder = TempDir::new().unwrap();
        prepare(folder.path());
        // Of alternatives, as in `completions bash|zsh`, the first runs.
        let words = line.split_whitespace().filter_map(|word| word.split('|').next());
        let mut words: Vec<&str> = words.collect();
        // A sentence that names a subcommand alone means its help.
        if words.len() == 1 && words[0] != "help" {
            words.push("--help");
        }
        let here = if words[0] == "conform" { root() } else { folder.path().to_path_buf() };
        let input = fs::File::open(folder.path().join("dump.yaml")).unwrap();
        let ran = Ran::run(command(&words).current_dir(here).stdin(input));
        if ran.code != 0 {
            wrong.push(format!(
                "{place}: {TOOL} {line}: {}\n{}{}\n",
                ran.code, ran.stdout, ran.stderr
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
