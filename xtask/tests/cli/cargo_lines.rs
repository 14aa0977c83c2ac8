//! Each line of a page that calls `cargo` names packages, targets, features, files and tests that are there, and the commands of this
//! workspace with their arguments. The other programs that readers are to call are a list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, mem};

use clap::Parser as _;
use serde_json::Value;
use testing::command_lines;
use walkdir::WalkDir;
use xtask::args::Cli;

use crate::workspace::repository;

/// The subcommands of `cargo` whose arguments name what this workspace has.
const CHECKED: [&str; 13] = [
    "bench", "build", "check", "clippy", "doc", "fmt", "install", "metadata", "package", "publish",
    "run", "test", "tree",
];

/// Commands that a reader installs, or that other tests run.
const OTHERS: [(&str, &str); 6] = [
    ("coordination", "an alias: `k8s-coordination-cli` runs its lines"),
    ("deny", "a tool for licences and advisories"),
    ("expand", "a tool that shows what macros write"),
    ("fuzz", "a tool that needs a nightly compiler"),
    ("insta", "a tool for snapshots"),
    ("semver-checks", "a tool that compares two releases of a package"),
];

/// Programs of other projects that stand at the beginning of a line, and what only prepares one.
const PROGRAMS: [&str; 10] =
    ["URL=", "cat", "cd", "cp", "curl", "etcdctl", "kubectl", "mkdir", "openssl", "rm"];

/// A package as `cargo metadata` has it, and the paths of its tests.
struct Package {
    name: String,
    folder: PathBuf,
    targets: BTreeSet<(String, String)>,
    features: BTreeSet<String>,
}

impl Package {
    fn of(value: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let kind = |target: &Value| text(target.pointer("/kind/0").unwrap());
        let targets = value["targets"].as_array().unwrap().iter();
        let targets = targets.map(|target| (kind(target), text(&target["name"])));
        Self {
            name: text(&value["name"]),
            folder: Path::new(value["manifest_path"].as_str().unwrap()).parent().unwrap().into(),
            targets: targets.collect(),
            features: value["features"].as_object().unwrap().keys().cloned().collect(),
        }
    }

    fn tests(&self) -> Vec<Test> {
        let mut tests = Vec::new();
        for folder in ["src", "tests"] {
            let root = self.folder.join(folder);
            let files = WalkDir::new(&root).into_iter().filter_map(Result::ok);
            for file in files
                .filter(|file| file.path().extension().is_some_and(|extension| extension == "rs"))
            {
                let path = file.path().strip_prefix(&root).unwrap().with_extension("");
                let mut modules: Vec<_> =
                    path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                // A file or a folder of `tests` is a target.
                let of = if folder == "tests" { Some(modules.remove(0)) } else { None };
                modules.retain(|module| module != "mod" && module != "main");
                let text = fs::read_to_string(file.path()).unwrap();
                tests.extend(Test::all_of(&text, of.as_deref(), &modules));
            }
        }
        tests
    }
}

/// A test, and why a plain run leaves it out.
#[derive(Debug)]
struct Test {
    /// The integration test that it is in.
    target: Option<String>,
    /// As `module::name`.
    path: String,
    ignored: Option<String>,
}

impl Test {
    /// The tests of a file.
    fn all_of(text: &str, target: Option<&str>, modules: &[String]) -> impl Iterator<Item = Self> {
        let (mut is_test, mut ignored) = (false, None);
        text.lines().filter_map(move |line| {
            let line = line.trim_start();
            is_test |= line == "#[test]" || line.starts_with("#[tokio::test");
            if let Some(reason) = line.strip_prefix("#[ignore") {
                ignored = Some(reason.trim_matches(|sign: char| " =\"]".contains(sign)).to_owned());
            }
            let name = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")?;
            let name = name.split(['(', '<']).next().unwrap_or_default().to_owned();
            let path = [modules, &[name]].concat().join("::");
            let target = target.map(str::to_owned);
            let found = Self { target, path, ignored: ignored.take() };
            mem::take(&mut is_test).then_some(found)
        })
    }
}

fn packages() -> Vec<Package> {
    let mut metadata = Command::new(env::var_os("CARGO").unwrap());
    metadata.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = metadata.current_dir(repository()).output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = value.get("packages").and_then(Value::as_array).unwrap();
    packages.iter().map(Package::of).collect()
}

/// What is wrong with the arguments of `cargo`.
fn fault(packages: &[Package], line: &str) -> Option<String> {
    // `+nightly` names a compiler.
    let words: Vec<&str> = line.split_whitespace().filter(|word| !word.starts_with('+')).collect();
    let (subcommand, arguments) = words.split_first()?;
    if *subcommand == "xtask" {
        let parsed = Cli::try_parse_from(words.iter().copied());
        // A sentence that names a subcommand by one word means it as such.
        return parsed.err().filter(|_| arguments.len() > 1).map(|error| error.to_string());
    }
    if OTHERS.iter().any(|(name, _)| name == subcommand) {
        return None;
    }
    if !CHECKED.contains(subcommand) {
        return Some(format!("`cargo {subcommand}` is not known to this test"));
    }
    let end = arguments.iter().position(|word| *word == "--").unwrap_or(arguments.len());
    let (of_cargo, of_target) = arguments.split_at(end);
    Arguments::read(of_cargo, of_target).fault(packages, subcommand)
}

/// The arguments that name something.
#[derive(Default)]
struct Arguments<'l> {
    packages: Vec<&'l str>,
    targets: Vec<(&'static str, &'l str)>,
    features: Vec<&'l str>,
    path: Option<&'l str>,
    /// The positional arguments, also of the test program.
    names: Vec<&'l str>,
    is_ignored: bool,
}

impl<'l> Arguments<'l> {
    fn read(of_cargo: &[&'l str], of_target: &[&'l str]) -> Self {
        let mut read = Self::default();
        let mut words = of_cargo.iter().copied();
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_default();
            match word {
                "-p" | "--package" => read.packages.push(value()),
                "--test" => read.targets.push(("test", value())),
                "--example" => read.targets.push(("example", value())),
                "--bench" => read.targets.push(("bench", value())),
                "--features" => read.features.extend(value().split(',')),
                "--path" => read.path = Some(value()),
                "--profile" | "-e" | "--target-dir" => drop(value()),
                _ if word.starts_with('-') => {}
                _ => read.names.push(word),
            }
        }
        read.names.extend(of_target.iter().filter(|word| !word.starts_with('-')));
        read.is_ignored = of_target.contains(&"--ignored");
        read
    }

    /// Whether this line of `cargo test` runs a test that a plain run leaves out.
    fn runs(&self, package: &Package, test: &Test) -> bool {
        let has = |names: &[&str], name: &str| names.is_empty() || names.contains(&name);
        let targets: Vec<&str> = self.targets.iter().map(|(_, name)| *name).collect();
        self.is_ignored
            && has(&self.packages, &package.name)
            && has(&targets, test.target.as_deref().unwrap_or_default())
            && (self.names.is_empty() || self.names.iter().any(|name| test.path.contains(name)))
    }

    fn fault(&self, packages: &[Package], subcommand: &str) -> Option<String> {
        let of_path = self.path.filter(|path| path.starts_with("crates/"));
        let in_path = of_path.and_then(|path| path.rsplit('/').next());
        let mut chosen = Vec::new();
        for name in self.packages.iter().copied().chain(in_path) {
            match packages.iter().find(|package| package.name == name) {
                Some(package) => chosen.push(package),
                None => return Some(format!("no package `{name}`")),
            }
        }
        if chosen.is_empty() {
            return None;
        }
        let has = |holds: &dyn Fn(&Package) -> bool| chosen.iter().any(|package| holds(package));
        let no_target = self.targets.iter().find(|(kind, name)| {
            !has(&|package| package.targets.contains(&((*kind).to_owned(), (*name).to_owned())))
        });
        let no_feature = self.features.iter().find(|feature| match feature.split_once('/') {
            Some((of, name)) => !packages
                .iter()
                .any(|package| package.name == of && package.features.contains(name)),
            None => !has(&|package| package.features.contains(**feature)),
        });
        let target =
            self.targets.iter().find_map(|(kind, name)| (*kind == "test").then_some(*name));
        let names = if subcommand == "test" { &self.names[..] } else { &[] };
        let no_test = names.iter().find(|name| {
            !has(&|package| {
                package.tests().iter().any(|test| {
                    target.is_none_or(|target| test.target.as_deref() == Some(target))
                        && (!self.is_ignored || test.ignored.is_some())
                        && test.path.contains(**name)
                })
            })
        });
        no_target
            .map(|(kind, name)| format!("no {kind} `{name}`"))
            .or_else(|| no_feature.map(|name| format!("no feature `{name}`")))
            .or_else(|| no_test.map(|name| format!("no test `{name}`")))
    }
}

#[test]
fn each_line_of_cargo_names_what_is_there() {
    let packages = packages();
    let lines = command_lines::of_pages("cargo");
    assert!(lines.len() > 60, "{lines:#?}");
    let faults = lines.iter().filter_map(|(line, place)| {
        let fault = fault(&packages, line.strip_prefix("cargo ")?)?;
        Some(format!("{place}: {line}: {fault}\n"))
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.concat());
    for (name, _) in OTHERS {
        let calls = |line: &String| line.split_whitespace().take(3).any(|word| word == name);
        assert!(lines.keys().any(calls), "no page has `cargo {name}`");
    }
}

/// What the test above looks for is found: it is no test that cannot fail.
#[test]
fn lines_of_cargo_that_name_what_is_not_there() {
    let packages = packages();
    let faults = [
        "test -p k8s-versioned-klient",
        "test -p k8s-versioned-cli --test unit",
        "test -p k8s-versioned-cli backdoor",
        "test -p k8s-versioned-cli -- --ignored each_command_line_runs",
        "run -p k8s-coordination-kube --example follower",
        "install --path crates/k8s-versioned-cli --features validation",
        "xtask regenerate --chek",
        "frobnicate",
    ];
    let faults =
        faults.map(|line| format!("{line}: {}", fault(&packages, line).unwrap_or_default()));
    insta::assert_snapshot!(faults.join("\n"));
}

/// A test that a plain run leaves out has a step, or its reason is what a machine does not have: a folder, another program.
#[test]
fn each_ignored_test_has_a_step() {
    let script = fs::read_to_string(repository().join(".ci/run")).unwrap().replace("\\\n", " ");
    let steps: Vec<Vec<&str>> = script
        .lines()
        .filter_map(|line| line.split_once("cargo test "))
        .map(|(_, rest)| rest.split_whitespace().collect())
        .collect();
    let steps = steps.iter().map(|words| {
        let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
        let (of_cargo, of_target) = words.split_at(end);
        Arguments::read(of_cargo, of_target)
    });
    let steps: Vec<Arguments<'_>> = steps.collect();
    let mut left_out = Vec::new();
    for package in packages() {
        for test in package.tests() {
            let is_run = steps.iter().any(|step| step.runs(&package, &test));
            let needs = |reason: &String| reason.starts_with("needs ");
            if !is_run && test.ignored.is_some_and(|reason| !needs(&reason)) {
                left_out.push(format!("{} {}", package.name, test.path));
            }
        }
    }
    assert_eq!(left_out, [""; 0], "no step of `.ci/run` runs them");
}

#[test]
fn other_programs_are_listed() {
    let ours = ["cargo", "coordination", "k8s-versioned"];
    let programs = command_lines::programs();
    let is_listed = |program: &str| PROGRAMS.iter().any(|listed| program.starts_with(listed));
    let others = programs.iter().filter(|(program, line)| {
        // `RECORDINGS=DIR cargo test`
        let sets = program.contains('=') && line.contains(" cargo ");
        !ours.contains(&program.as_str()) && !sets && !is_listed(program)
    });
    assert_eq!(others.collect::<Vec<_>>(), [], "programs that readers do not have");
    for listed in PROGRAMS {
        assert!(
            programs.keys().any(|program| program.starts_with(listed)),
            "no page has `{listed}`"
        );
    }
}
