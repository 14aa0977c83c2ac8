//! Prints a table: the cost of reading, writing, checking and electing, as ratios to `k8s-openapi`.
//!
//! The two sides of a row run alternately in one process, so a busy machine disturbs both. With `--instructions` each
//! side runs under callgrind. A part of a row's name chooses rows.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

use k8s_coordination_benches::row::Row;
use k8s_coordination_benches::{instructions, rows};

const ROUNDS: usize = 31;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|text| text != "--bench").collect();
    let rows = rows::all();
    if let [once, row, side] = arguments.as_slice()
        && once == "--once"
    {
        return rows[row.parse::<usize>().unwrap()].run(side);
    }
    let count = arguments.iter().any(|text| text == "--instructions");
    let chosen = arguments.iter().find(|text| !text.starts_with("--"));
    println!("| row | goal | ratio | |\n|---|---|---|---|");
    for (index, row) in rows.iter().enumerate() {
        if chosen.is_none_or(|part| row.name.contains(part.as_str())) {
            print(index, row, count);
        }
    }
}

fn print(index: usize, row: &Row, count: bool) {
    let ratio = if count {
        let [ours, peer] = ["ours", "peer"].map(|side| {
            instructions::count(&["--once", &index.to_string(), side], &[]).expect("valgrind")
        });
        row.goal.ratio(ours, peer)
    } else {
        row.measure(ROUNDS)
    };
    let verdict = if row.goal.is_met(ratio) { "" } else { "missed" };
    println!("| {} | {} | {ratio:.3} | {verdict} |", row.name, row.goal);
}
