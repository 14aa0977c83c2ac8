//! The time that a generation takes for each file of CustomResourceDefinitions in a folder: the best of five, in the process of
//! a warm command, which has the same allocator.
//!
//!     cargo bench -p k8s-versioned-codegen --bench definitions -- FOLDER

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use k8s_versioned_codegen::Builder;
use walkdir::WalkDir;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The goal of each file.
const GOAL: Duration = Duration::from_millis(50);

const RUNS: usize = 5;

/// The number of files that are printed.
const SHOWN: usize = 5;

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let Some(folder) = std::env::args().skip(1).find(|argument| argument != "--bench") else {
        eprintln!("name a folder of CustomResourceDefinitions, after `--`");
        return ExitCode::from(2);
    };
    let files = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = files.filter(|file| file.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let mut times: Vec<(Duration, PathBuf)> =
        files.filter_map(|file| Some((time(&file)?, file))).collect();
    times.sort();
    let total: Duration = times.iter().map(|(time, _)| *time).sum();
    let above = times.iter().filter(|(time, _)| *time > GOAL).count();
    println!("{} files, {total:.2?} together, {above} above {GOAL:?}; the slowest:", times.len());
    for (time, file) in times.iter().rev().take(SHOWN) {
        println!("{time:.1?} {}", file.display());
    }
    ExitCode::SUCCESS
}

/// The shortest time for a file; `None` if it has no definitions that can be read.
fn time(file: &PathBuf) -> Option<Duration> {
    let bytes = fs::read(file).ok()?;
    let run = |_| {
        let specs = BTreeMap::from([("definitions.yaml".to_owned(), bytes.clone())]);
        let start = Instant::now();
        let generated = Builder::new(specs).root("crate").generate();
        let time = start.elapsed();
        generated.ok().map(|_| time)
    };
    (0..RUNS).map(run).min()?
}
