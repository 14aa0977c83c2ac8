//! Recordings of real servers: what they answered is what this package answers, as the check `admit` of the kit judges.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod mutants;
mod sample;
mod stored;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use k8s_versioned_admission::NEWEST;
use k8s_versioned_conformance::{Documents, Recordings, Suite, SuiteReport, check};
use k8s_versioned_core::Release;
use sample::Sample;
use serde_json::Value;
use testing::page;

/// Definitions by the paths of their files in a folder `specs`.
type Definitions = BTreeMap<String, Value>;

/// A server's definitions, and its answers.
struct Server {
    release: Release,
    definitions: Definitions,
    recordings: Recordings,
}

impl Server {
    fn judge(&self) -> SuiteReport {
        let text =
            |(path, definition): (&String, &Value)| (path.clone(), definition.to_string().into());
        let documents = Documents::parse(&self.definitions.iter().map(text).collect()).unwrap();
        Suite::new().with(check::admit(&documents, self.release)).run(&self.recordings)
    }
}

const HEAD: &str = "\
# Answers to custom resources

<!-- Written by `UPDATE_DOCS=1 cargo test -p k8s-versioned-admission --test recorded`; do not edit. -->

The recordings of requests for custom resources that are part of `k8s-versioned-admission`: objects of public definitions and of
definitions that were made for the purpose, created and replaced on servers of four releases. The check `admit` of the
[conformance kit](../guides/recordings.md) predicts each answer from the definition, and compares the status, the causes, the warnings
and the stored object.

";

/// The sample is answered as the servers answered, and the page has its counts.
#[test]
fn the_sample_is_answered_as_servers_answer() {
    let sample = Sample::load();
    let mut page = format!(
        "{HEAD}| server | request | status | recordings | differences |\n|---|---|--:|--:|--:|\n"
    );
    let mut count = 0;
    for release in sample.releases() {
        let folder = tempfile::tempdir().unwrap();
        let server = sample.server(release, folder.path());
        let report = server.judge();
        let total = report.total("admit");
        assert!(report.is_success(), "{report}");
        assert_eq!((total.passed, total.not_applicable), (server.recordings.len(), 0), "{report}");
        count += total.passed;
        for ((request, status), number) in counts(&server.recordings) {
            writeln!(page, "| {release} | {request} | {status} | {number} | 0 |").unwrap();
        }
    }
    writeln!(page, "| all | | | {count} | 0 |").unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    page::check(&root.join("docs/reference/custom-resources.md"), &page);
}

/// The numbers of recordings by request and status.
fn counts(recordings: &Recordings) -> BTreeMap<(&'static str, u16), usize> {
    let mut counts = BTreeMap::new();
    for exchange in recordings.iter().filter_map(|recording| recording.exchange()) {
        let request = match exchange.request.method.as_str() {
            "POST" => "create",
            _ if exchange.request.path.ends_with("/status") => "update the status",
            _ => "update",
        };
        *counts.entry((request, exchange.response.status)).or_default() += 1;
    }
    counts
}

/// All recordings of a folder (`RECORDED_CUSTOM`), with the definitions beside them.
#[test]
#[ignore = "needs a folder of recordings, named by RECORDED_CUSTOM"]
fn recordings_of_a_folder() {
    let Ok(folder) = std::env::var("RECORDED_CUSTOM") else {
        println!("RECORDED_CUSTOM is not set");
        return;
    };
    let mut roots = Vec::new();
    find_roots(Path::new(&folder), &mut roots);
    let mut sample = Sample::default();
    for root in roots {
        let server = load(&root);
        println!("{}\n{:#}", root.display(), server.judge());
        sample.take(&server);
    }
    if std::env::var_os("WRITE_SAMPLE").is_some() {
        sample.save();
    }
}

/// The folders with `definitions` and `recordings` inside.
fn find_roots(folder: &Path, roots: &mut Vec<PathBuf>) {
    if folder.join("definitions").is_dir() {
        roots.push(folder.to_owned());
        return;
    }
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|path| path.is_dir()) {
        find_roots(&path, roots);
    }
}

/// The recordings of a server; the name of the folder ends with its release, or it is the newest.
fn load(root: &Path) -> Server {
    let name = root.file_name().unwrap().to_string_lossy();
    let release = name.rsplit_once("-1.").and_then(|(_, minor)| minor.parse().ok());
    let mut definitions = Definitions::new();
    for folder in fs::read_dir(root.join("definitions")).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.strip_prefix(root.join("definitions")).unwrap().with_extension("yaml");
            let text = fs::read(&path).unwrap();
            let definition = serde_json::from_slice(&text).unwrap();
            definitions.insert(name.display().to_string(), sample::without_prose(&definition));
        }
    }
    Server {
        release: release.map_or(NEWEST, |minor| Release::new(1, minor)),
        definitions,
        recordings: Recordings::load(root.join("recordings")).unwrap(),
    }
}
