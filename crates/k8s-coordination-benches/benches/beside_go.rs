//! Prints what reading, writing and converting takes beside Go's machinery for Kubernetes (`k8s.io/apimachinery`), if Go is installed:
//! microseconds of both, and the ratio.
//!
//! It writes the lists to a folder, measures this side, lets the program in `go/` read the same files and measure its own, and
//! measures this side once more, so that load shows. Each figure is the median of fifteen runs. Objects are freed inside of the
//! measured time, because a garbage collector does that, too.

#![allow(
    clippy::expect_used,
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

/// The number of runs of a row.
const ROUNDS: usize = 15;

type OldClaims = List<dra::v1beta1::ResourceClaim>;
type NewClaims = List<dra::v1::ResourceClaim>;

fn main() {
    let folder = env::temp_dir().join(format!("beside-go-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let before = ours(&folder);
    let go = go(&folder);
    let after = ours(&folder);
    fs::remove_dir_all(&folder).unwrap();
    println!("| row | ours, µs, before and after | Go, µs | ratio |\n|---|--:|--:|--:|");
    for ((name, first), (_, second)) in before.iter().zip(&after) {
        let (go, ratio) = match go.get(*name) {
            Some(go) => (format!("{go:.0}"), format!("{:.2}", (first + second) / 2.0 / go)),
            None => ("not run".to_owned(), String::new()),
        };
        println!("| {name} | {first:.0}, {second:.0} | {go} | {ratio} |");
    }
}

/// The rows of the program in Go; none if it does not run.
fn go(folder: &Path) -> HashMap<String, f64> {
    let program = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("go");
    let mut command = Command::new("go");
    // The checksums of the modules are not in this repository: they are written on the first run.
    command.args(["run", "-mod=mod", "."]).arg(folder).current_dir(program);
    let Ok(output) = command.output() else {
        eprintln!("`go` is not installed: only this side is measured");
        return HashMap::new();
    };
    if !output.status.success() {
        eprintln!("the program in Go fails: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.lines().map(|line| line.split_once('\t').expect(line));
    rows.map(|(name, time)| (name.to_owned(), time.parse().unwrap())).collect()
}

fn ours(folder: &Path) -> Vec<(&'static str, f64)> {
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
    let from_json_to_json = || json(&convert(serde_json::from_slice(&text).unwrap()));
    all.push(("claims of v1beta1, from JSON to JSON of v1", median(from_json_to_json)));
    all.push(("convert claims, with the copy", median(|| convert(old.clone()))));
    all
}

/// Decoding and encoding a list: JSON, then protobuf.
fn lists<T>(path: &Path, text: &str, names: Vec<&'static str>) -> Vec<(&'static str, f64)>
where
    T: Resource,
    List<T>: protobuf::Message,
{
    let list: List<T> = serde_json::from_str(text).unwrap();
    let body = protobuf::encode(&list);
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
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            drop(std::hint::black_box(work()));
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    *times.get(ROUNDS / 2).unwrap()
}
