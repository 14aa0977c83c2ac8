//! The commands of the pages about packages, run as a reader runs them: the files that a page shows are written, and each line
//! `$ …` is a command. A page uses the files and packages of the pages before it.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{documents, server};
use clap::Parser as _;
use k8s_versioned_cli::args::{Cli, Command as Subcommand};
use k8s_versioned_cli::commands::record::serve;
use serde_json::Value;
use tempfile::TempDir;
use testing::specs::groups::custom_documents;
use tokio::net::TcpListener;

/// The part of the page that a test runs: a file to write, or a command with the output that the page shows.
enum Step<'a> {
    Write(&'a str, &'a str),
    Run(&'a str, Vec<&'a str>),
}

/// The pages in `docs`, in the order in which a reader meets them.
const PAGES: [&str; 6] = [
    "get-started/custom-resources.md",
    "get-started/kubernetes-groups.md",
    "guides/conversions.md",
    "guides/operator.md",
    "guides/validate.md",
    "guides/build-script.md",
];

fn pages() -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    PAGES.iter().map(|page| fs::read_to_string(docs.join(page)).unwrap()).collect()
}

/// The steps of the page. A block of YAML, TOML or Rust is the file that the sentence before it names last.
fn steps(page: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let parts: Vec<&str> = page.split("```").collect();
    for pair in parts.chunks_exact(2) {
        let (before, block) = (pair[0], pair[1]);
        let (language, text) = block.split_once('\n').unwrap();
        match language {
            "console" => {
                for line in text.lines() {
                    match (line.strip_prefix("$ "), steps.last_mut()) {
                        (Some(command), _) => steps.push(Step::Run(command, Vec::new())),
                        (None, Some(Step::Run(_, output))) => output.push(line),
                        (None, _) => panic!("{line}"),
                    }
                }
            }
            "rust" | "toml" | "yaml" => {
                let name = before.trim_end().trim_end_matches(':').rsplit('`').nth(1).unwrap();
                steps.push(Step::Write(name, text));
            }
            "sh" | "rust,ignore" => {}
            other => panic!("a block of {other:?}"),
        }
    }
    steps
}

/// The folder of the operator on the page, which compiles `kube`.
const OPERATOR: &str = "backup-operator";

/// Runs the page in a folder, with the commands of Cargo that are chosen by their folder and their name. Returns the number of
/// commands.
fn run(is_chosen: fn(&Path, &str) -> bool) -> usize {
    let folder = TempDir::new().unwrap();
    for release in ["1.35", "1.36"] {
        let checkout = format!("kubernetes-{release}/api/openapi-spec/v3");
        let checkout = folder.path().join(checkout);
        fs::create_dir_all(&checkout).unwrap();
        for (name, text) in documents(&format!("v{release}")) {
            fs::write(checkout.join(name), text).unwrap();
        }
    }
    let mut documents = documents("v1.36");
    documents.extend(custom_documents()["gateway.networking.k8s.io"].clone());
    documents.insert(JOBS.to_owned(), jobs());
    let address = server(documents);
    let (pages, mut here, mut count) = (pages(), folder.path().to_path_buf(), 0);
    let mut recorder = None;
    for step in steps(&pages) {
        match step {
            Step::Write(name, text) => write(&folder.path().join(name), text),
            Step::Run(line, output) => {
                count += 1;
                let line = line.replace("http://127.0.0.1:8001", &address);
                let words: Vec<&str> = line.split_whitespace().collect();
                match words[0] {
                    "cd" => here = here.join(words[1]).canonicalize().unwrap(),
                    "cargo" if !is_chosen(&here, words[1]) => {}
                    "cargo" => run_cargo(&here, &words[1..]),
                    "mkdir" => fs::create_dir_all(here.join(words[2])).unwrap(),
                    "cp" => drop(fs::copy(here.join(words[1]), here.join(words[2])).unwrap()),
                    "k8s-versioned" if words[1] == "record" => {
                        recorder = Some(record(&here, &words, &address));
                    }
                    "k8s-versioned" => run_command(&here, &words[1..], &output),
                    "curl" => curl(recorder.as_ref().unwrap(), &line),
                    // `recorded` may have removed it.
                    "rm" => drop(fs::remove_file(here.join(words[1]))),
                    other => panic!("{other}"),
                }
            }
        }
    }
    count
}

fn run_command(here: &Path, arguments: &[&str], output: &[&str]) {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        let ran = command.args(arguments).current_dir(here).output().unwrap();
        let [text, errors] =
            [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        // The page shows what the command prints, also if it fails.
        if output.is_empty() {
            assert!(ran.status.success(), "k8s-versioned {arguments:?}: {errors}");
        } else {
            assert_eq!(format!("{text}{errors}").lines().collect::<Vec<_>>(), output);
        }
        text
    };
    run(arguments);
    if arguments == ["generate"] {
        // The page says that a second run changes nothing.
        assert!(run(arguments).ends_with("everything is up to date\n"));
    }
}

/// The path of the request that the page records, and its answer.
const JOBS: &str = "/apis/batch/v1/jobs";

fn jobs() -> Vec<u8> {
    let list = include_str!("recordings/batch-types/v1.36/batch/v1/jobs/001-list-two.json");
    let list: Value = serde_json::from_str(list).unwrap();
    list["response"]["json"].to_string().into_bytes()
}

/// A recorder that runs: its address, and its folder.
struct Recorder(SocketAddr, PathBuf);

/// Runs the recorder in front of the server of the test, as the page runs it in front of `kubectl proxy`.
fn record(here: &Path, words: &[&str], server: &str) -> Recorder {
    let (background, words) = words.split_last().unwrap();
    assert_eq!(*background, "&");
    let Subcommand::Record { mut options, to, .. } = Cli::try_parse_from(words).unwrap().command
    else {
        panic!("{words:?}");
    };
    options.server = server.trim_start_matches("http://").parse().unwrap();
    options.to = here.join(to.unwrap());
    let folder = options.to.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || runtime.block_on(serve(listener, options)));
    Recorder(address, folder)
}

/// Sends the request to the recorder, which writes a file.
fn curl(Recorder(address, folder): &Recorder, line: &str) {
    let header = line.split('\'').nth(1).unwrap();
    let (_, path) = line.rsplit_once("http://127.0.0.1:8002").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: */*\r\n{header}\r\n");
    write!(stream, "{head}connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let recorded = |folder: &Path| {
        let files = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
        files.filter(|file| file.file_name().to_string_lossy().ends_with("-list.json")).count()
    };
    let begin = Instant::now();
    while recorded(folder) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(20), "nothing is in {}", folder.display());
        thread::sleep(Duration::from_millis(10));
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Writes a file as the page shows it, with the folder of this workspace.
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text.replace('\u{2026}', workspace().to_str().unwrap())).unwrap();
}

/// The packages in the manifests of the page, with their folders.
const PACKAGES: [(&str, &str); 3] = [
    ("k8s-versioned", "crates/k8s-versioned"),
    ("k8s-versioned-codegen", "codegen"),
    ("k8s-versioned-kube", "crates/k8s-versioned-kube"),
];

/// Builds with the versions of this workspace's lock file, and without a network.
fn run_cargo(here: &Path, arguments: &[&str]) {
    let workspace = workspace();
    fs::copy(workspace.join("Cargo.lock"), here.join("Cargo.lock")).unwrap();
    recorded(here);
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or(workspace.join("target"), PathBuf::from);
    let mut command = Command::new(env!("CARGO"));
    command.arg("--offline").current_dir(here);
    // Once the page names versions, these packages still come from here.
    for (name, folder) in PACKAGES {
        let path = toml::Value::from(workspace.join(folder).display().to_string());
        command.arg("--config").arg(format!("patch.crates-io.{name}.path={path}"));
    }
    // An example has arguments of its own at the end.
    command.args(arguments);
    command.env("CARGO_TARGET_DIR", target.join("generated")).env("CARGO_PROFILE_DEV_DEBUG", "0");
    command.env("RUSTFLAGS", "-D warnings");
    // The program of the page chooses a release by a feature.
    command.env_remove("K8S_OPENAPI_ENABLED_VERSION");
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let ran = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "cargo {arguments:?} in {}: {errors}{ran}", here.display());
    let tested = ran.contains("types_survive_the_recordings ... ok");
    assert!(tested || arguments != ["test"], "{ran}");
}

/// Adds recordings to a package, which then has to pass with them.
fn recorded(package: &Path) {
    let name = package.file_name().unwrap().to_str().unwrap();
    let recordings =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/recordings").join(name);
    if !recordings.is_dir() {
        return;
    }
    drop(fs::remove_file(package.join("specs/not-recorded.toml")));
    for entry in walkdir::WalkDir::new(&recordings) {
        let entry = entry.unwrap();
        let to =
            package.join("tests/recordings").join(entry.path().strip_prefix(&recordings).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&to).unwrap();
        } else {
            fs::copy(entry.path(), &to).unwrap();
        }
    }
}

#[test]
fn the_commands_of_the_page() {
    assert!(run(|_, _| false) >= 44);
}

#[test]
#[ignore = "compiles five packages and a program: `.ci/run --all` has a step for it"]
fn the_packages_of_the_page_compile_and_pass_their_tests() {
    run(|folder, name| matches!(name, "run" | "test") && !folder.ends_with(OPERATOR));
}

#[test]
#[ignore = "compiles the generator for a build script, and `kube`: `.ci/run --all` has a step for it"]
fn the_build_script_and_the_program_of_the_page_compile() {
    run(|_, name| matches!(name, "build" | "check"));
}

#[test]
#[ignore = "compiles `kube`: `.ci/run --all` has a step for it"]
fn the_operator_of_the_page_passes_its_tests() {
    run(|folder, _| folder.ends_with(OPERATOR));
}
