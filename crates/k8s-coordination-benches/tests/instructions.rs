//! Limits for hot rows of the table: the number of instructions, as a share of the peer's decode. Time depends
//! on the machine and its load, this share only on the compiler.
//!
//! Debug builds say nothing about speed, so the test skips them:
//! `cargo test --profile bench -p k8s-coordination-benches --test instructions -- --nocapture`

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

use std::process::Command;

use k8s_coordination_benches::{instructions, rows};

/// The row whose peer is the measure of all rows.
const MEASURE: &str = "decode candidates, from a text";

/// Rows, and the known number of instructions of each, as a share of the measure.
const KNOWN: [(&str, f64); 12] = [
    (MEASURE, 0.730),
    ("decode Leases, from a text", 0.853),
    ("encode candidates", 0.402),
    ("decode candidates, as protobuf", 0.255),
    ("encode candidates, as protobuf", 0.104),
    ("the tolerant list, to the typed one", 0.746),
    ("watch in chunks of 1,400 bytes, to its lines", 0.907),
    ("clone candidates", 0.125),
    ("convert candidates", 0.034),
    ("validate candidates", 0.078),
    ("elect, with the explanation", 0.080),
    ("convert claims of 32 requests, to encoding them", 0.080),
];

/// The limit as a multiple of the known number, because compilers differ.
const SLACK: f64 = 1.15;

#[test]
fn no_row_needs_more_instructions() {
    // Cargo names the folder after the kind of profile.
    let program = std::env::current_exe().unwrap();
    if program.ancestors().nth(2).is_some_and(|folder| folder.ends_with("debug")) {
        println!("instructions: not counted, this is a debug build");
        return;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("instructions: not counted, valgrind is not installed");
        return;
    }
    let rows = rows::all();
    let place = |name: &str| rows.iter().position(|row| row.name == name).expect(name);
    let measure = count(place(MEASURE), "peer");
    let mut grown = Vec::new();
    for (name, known) in KNOWN {
        let share = count(place(name), "ours") / measure;
        println!("instructions: {name}: {share:.4}, known {known}");
        if share > known * SLACK {
            grown.push(name);
        }
    }
    assert!(grown.is_empty(), "these rows need more instructions than before: {grown:?}");
}

/// The instructions of a side of a row, counted in another process of this test.
fn count(row: usize, side: &str) -> f64 {
    let one = ["--exact", "one_side", "--test-threads=1"];
    instructions::count(&one, &[("ROW", &row.to_string()), ("SIDE", side)]).unwrap()
}

/// Runs the side that the environment variables name; without them nothing.
#[test]
fn one_side() {
    let [row, side] = ["ROW", "SIDE"].map(|name| std::env::var(name).ok());
    if let (Some(row), Some(side)) = (row, side) {
        rows::all()[row.parse::<usize>().unwrap()].run(&side);
    }
}
