//! Prints what reading, writing and converting takes beside Go's machinery for Kubernetes (`k8s.io/apimachinery`), if Go is installed:
//! milliseconds of both, and the ratio.
//!
//! It writes the lists to a folder, compiles the programs in `go/`, and lets both sides measure the same files in turn, in five rounds,
//! so that load shows. A figure of a round is the median of fifteen runs. Objects are freed inside of the measured time, because a
//! garbage collector does that, too. A folder as the argument keeps the files.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use k8s_coordination::List;
use k8s_coordination::conversion::ConvertObject as _;
use k8s_coordination::{v1, v1beta1};
use k8s_coordination_benches::{candidates, leases, rows};
use k8s_resource as dra;
use k8s_versioned::{Resource, protobuf};
use serde::Serialize;

/// The number of runs of a row in a round.
const RUNS: usize = 15;

/// The number of rounds.
const ROUNDS: usize = 5;

/// The programs in `go/`: each one prints rows.
const PROGRAMS: [&str; 2] = ["lists", "claims"];

/// The names of rows and their microseconds.
type Rows = Vec<(&'static str, f64)>;

type OldClaims = List<dra::v1beta1::ResourceClaim>;
type NewClaims = List<dra::v1::ResourceClaim>;

fn main() {
    let kept = env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let temporary = || env::temp_dir().join(format!("beside-go-{}", std::process::id()));
    let folder = kept.as_ref().map_or_else(temporary, PathBuf::from);
    fs::create_dir_all(&folder).unwrap();
    let folder = fs::canonicalize(folder).unwrap();
    let programs: Vec<PathBuf> =
        PROGRAMS.iter().filter_map(|name| compiled(name, &folder)).collect();
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (ours(&folder), go(&programs, &folder))).collect();
    if kept.is_none() {
        fs::remove_dir_all(&folder).unwrap();
    }
    print(&rounds);
}

/// Prints a line for each row: the medians of the rounds, and the range of the ratios.
fn print(rounds: &[(Rows, HashMap<String, f64>)]) {
    println!("| row | ours, ms | Go, ms | ours / Go | of the rounds |\n|---|--:|--:|--:|--:|");
    for (row, (name, _)) in rounds[0].0.iter().enumerate() {
        let ours = sorted(rounds.iter().map(|(ours, _)| ours[row].1));
        print!("| {name} | {:.2} ", middle(&ours) / 1e3);
        let go = sorted(rounds.iter().filter_map(|(_, go)| go.get(*name)).copied());
        if go.is_empty() {
            println!("| not run | | |");
            continue;
        }
        let ratios = sorted(rounds.iter().map(|(ours, go)| ours[row].1 / go[*name]));
        let (least, greatest) = (ratios[0], ratios[ratios.len() - 1]);
        let (go, ratio) = (middle(&go) / 1e3, middle(&ratios));
        println!("| {go:.2} | {ratio:.2} | {least:.2} to {greatest:.2} |");
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn middle(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

/// The path of a program of `go/`, compiled; `None`, and a message, if that fails.
fn compiled(name: &str, folder: &Path) -> Option<PathBuf> {
    let program = folder.join(name);
    let mut command = Command::new("go");
    // The checksums of the modules are not in this repository: they are written on the first run.
    command.args(["build", "-mod=mod", "-o"]).arg(&program).arg(format!("./{name}"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("go"));
    match command.status() {
        Ok(status) if status.success() => return Some(program),
        Ok(_) => eprintln!("`{name}` does not compile: its rows are measured on this side alone"),
        Err(error) => eprintln!("`go` does not start ({error}): only this side is measured"),
    }
    None
}

/// The rows of the programs in Go, in microseconds.
fn go(programs: &[PathBuf], folder: &Path) -> HashMap<String, f64> {
    let mut rows = HashMap::new();
    for program in programs {
        let output = Command::new(program).arg(folder).env("GOMAXPROCS", "1").output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {message}", program.display());
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().map(|line| line.split_once('\t').expect(line));
        rows.extend(lines.map(|(name, time)| (name.to_owned(), time.parse::<f64>().unwrap())));
    }
    rows
}

/// The rows of this side, in microseconds. Their files are written before.
fn ours(folder: &Path) -> Rows {
    let names = ["decode candidates", "encode candidates"];
    let as_protobuf = ["decode candidates, as protobuf", "encode candidates, as protobuf"];
    let path = folder.join("candidates");
    let mut all =
        lists::<v1beta1::LeaseCandidate>(&path, &candidates(), [names, as_protobuf].concat());
    let names = ["decode Leases", "encode Leases"];
    let as_protobuf = ["decode Leases, as protobuf", "encode Leases, as protobuf"];
    let path = folder.join("Leases");
    all.extend(lists::<v1::Lease>(&path, &leases(), [names, as_protobuf].concat()));
    let old: OldClaims = List::new(rows::claims());
    let text = json(&old);
    fs::write(folder.join("claims.json"), &text).unwrap();
    fs::write(folder.join("claims.v1.json"), json(&convert(old.clone()))).unwrap();
    let from_json_to_json = || json(&convert(serde_json::from_slice(&text).unwrap()));
    all.push(("claims of v1beta1, from JSON to JSON of v1", median(from_json_to_json)));
    all.push(("convert claims, with the copy", median(|| convert(old.clone()))));
    all
}

/// Decoding and encoding a list: JSON, then protobuf.
fn lists<T>(path: &Path, text: &str, names: Vec<&'static str>) -> Rows
where
    T: Resource,
    List<T>: protobuf::Message,
{
    let list: List<T> = serde_json::from_str(text).unwrap();
    let body = protobuf::encode(&list);
    // Go writes the text itself, this side the same fields in another order.
    assert_eq!(json(&list).len(), text.trim_end().len());
    fs::write(path.with_extension("json"), text).unwrap();
    fs::write(path.with_extension("pb"), &body).unwrap();
    let times = [
        median(|| serde_json::from_slice::<List<T>>(text.as_bytes()).unwrap()),
        median(|| json(&list)),
        median(|| protobuf::decode::<List<T>>(&body).unwrap()),
        median(|| protobuf::encode(&list)),
    ];
    names.into_iter().zip(times).collect()
}

fn convert(claims: OldClaims) -> NewClaims {
    List::new(claims.items.into_iter().map(|claim| claim.convert().0))
}

fn json<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

fn median<T>(work: impl Fn() -> T) -> f64 {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        drop(std::hint::black_box(work()));
        start.elapsed().as_secs_f64() * 1e6
    });
    middle(&sorted(times))
}
