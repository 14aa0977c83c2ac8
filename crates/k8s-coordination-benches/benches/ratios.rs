//! Prints a table: the cost of reading, writing, checking and electing, as ratios to `k8s-openapi`.
//!
//! Each row is a process of its own, so that no row finds the heap of another. The two sides of a row run alternately in
//! it, so a busy machine disturbs both. With `--instructions` each side runs under callgrind. A part of a row's name chooses
//! rows.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

use std::process::Command;

use k8s_coordination_benches::row::Row;
use k8s_coordination_benches::{instructions, rows};

const ROUNDS: usize = 31;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|text| text != "--bench").collect();
    let rows = rows::all();
    let row = |index: &str| &rows[index.parse::<usize>().unwrap()];
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--once", index, side] => return row(index).run(side),
        ["--measure", index] => return println!("{}", row(index).measure(ROUNDS)),
        _ => {}
    }
    let count = arguments.iter().any(|text| text == "--instructions");
    let chosen = arguments.iter().find(|text| !text.starts_with("--"));
    println!("| row | goal | ratio | |\n|---|---|---|---|");
    for (index, row) in rows.iter().enumerate() {
        if chosen.is_none_or(|part| row.name.contains(part.as_str())) {
            let index = index.to_string();
            print(row, if count { counted(row, &index) } else { measured(&index) });
        }
    }
}

fn counted(row: &Row, index: &str) -> f64 {
    let [ours, peer] = ["ours", "peer"]
        .map(|side| instructions::count(&["--once", index, side], &[]).expect("valgrind"));
    row.goal.ratio(ours, peer)
}

fn measured(index: &str) -> f64 {
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).args(["--measure", index]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().expect("a ratio")
}

fn print(row: &Row, ratio: f64) {
    let verdict = if row.goal.is_met(ratio) { "" } else { "missed" };
    println!("| {} | {} | {ratio:.3} | {verdict} |", row.name, row.goal);
}
