//! No input costs more than its size: each row is an operation whose input doubles five times. What it allocates, in number and in
//! bytes, may not grow faster than the input. That is the same on every machine.
//!
//! Work that allocates nothing shows only in instructions, which `valgrind` counts:
//! `cargo test --profile bench -p k8s-coordination-benches --test growth -- --ignored --nocapture`

#![allow(
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod admission;
mod annotations;
mod cluster;
mod commands;
mod conversions;
mod coordination;
mod definitions;
mod exceptions;
mod row;
mod rules;

use std::collections::BTreeSet;

use clap::CommandFactory as _;
use k8s_coordination_benches::{instructions, meter};
use k8s_versioned_codegen::{RuleKind, on_this_thread};

use exceptions::{GROWS_FASTER, WITHOUT_ROW};
use row::Row;

/// The most that work may grow: with the input, or with the input and its logarithm.
const MOST: f64 = 1.2;

fn all() -> Vec<Row> {
    let of_files = [commands::ROWS, coordination::ROWS, conversions::ROWS, admission::ROWS];
    [&of_files[..], &[cluster::ROWS, rules::ROWS]].concat().concat()
}

/// Checks the exponents of rows against [`MOST`] and the list of exceptions.
fn check<'r>(rows: impl Iterator<Item = &'r Row>) {
    let mut wrong = Vec::new();
    for row in rows {
        let (name, growth) = (row.name, row.allocations());
        println!("growth: {name}: {growth}");
        let exponent = growth.exponent();
        let exception = GROWS_FASTER.iter().find(|exception| exception.row == name);
        let (least, most) = exception.map_or((0.0, MOST), |it| (MOST, it.exponent));
        if !(least..=most).contains(&exponent) {
            wrong.push(format!("{name}: expected {least} to {most}: {growth}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// Several tests, so that they run at the same time: allocations are counted for each thread.

#[test]
fn commands_for_definitions() {
    check(commands::ROWS.iter().filter(|row| !generates(row)));
}

#[test]
fn generation() {
    check(commands::ROWS.iter().filter(|row| generates(row)));
}

/// The rows that take the most time.
fn generates(row: &Row) -> bool {
    row.name.starts_with("k8s-versioned generate")
}

#[test]
fn commands_for_objects() {
    check(coordination::ROWS.iter());
}

#[test]
fn commands_for_clusters() {
    check(cluster::ROWS.iter());
}

#[test]
fn rules_of_conversions() {
    check(rules::ROWS.iter());
}

#[test]
fn conversions_and_decoding() {
    check(conversions::ROWS.iter());
}

#[test]
fn answers_to_requests() {
    check(admission::ROWS.iter());
}

#[test]
fn every_command_has_a_row() {
    let programs = [k8s_versioned_cli::args::Cli::command(), k8s_coordination_cli::Cli::command()];
    let commands = programs.iter().flat_map(|program| {
        let name = program.get_name();
        program.get_subcommands().map(move |command| format!("{name} {}", command.get_name()))
    });
    let rows = all();
    let has_row = |command: &String| rows.iter().any(|row| row.name.starts_with(command.as_str()));
    let without: BTreeSet<String> = commands.filter(|command| !has_row(command)).collect();
    let known = WITHOUT_ROW.iter().map(|(command, _)| (*command).to_owned());
    assert_eq!(without, known.collect());
}

#[test]
fn every_kind_of_rule_has_a_row() {
    for kind in RuleKind::all() {
        let of_kind = format!("rule {}, ", kind.name);
        assert!(rules::ROWS.iter().any(|row| row.name.starts_with(&of_kind)), "{}", kind.name);
    }
}

#[test]
fn exceptions_are_of_rows() {
    let rows = all();
    for exception in GROWS_FASTER {
        assert!(rows.iter().any(|row| row.name == exception.row), "{}", exception.row);
    }
}

#[test]
#[ignore = "it needs `valgrind`, and minutes"]
fn instructions_grow_with_the_input() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut wrong = Vec::new();
    for row in all().iter().filter(|row| row.name.contains(&only)) {
        let (name, growth) = (row.name, row.growth(|size| counted(row.name, size)));
        println!("instructions: {name}: {growth}");
        let exponent = growth.exponent();
        let exception = GROWS_FASTER.iter().find(|exception| exception.row == name);
        if exponent > exception.map_or(MOST, |it| it.exponent) {
            wrong.push(format!("{name}: {growth}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The instructions of a row, counted in another process of this test.
fn counted(row: &str, size: usize) -> [u64; 2] {
    let one = ["--exact", "one_row", "--test-threads=1"];
    let count = instructions::count(&one, &[("ROW", row), ("SIZE", &size.to_string())]).unwrap();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let count = count as u64;
    [count, count]
}

/// Runs the row that the environment variables name; without them nothing.
#[test]
fn one_row() {
    let [name, size] = ["ROW", "SIZE"].map(|name| std::env::var(name).ok());
    if let (Some(name), Some(size)) = (name, size) {
        let rows = all();
        let row = rows.iter().find(|row| row.name == name).unwrap();
        let work = (row.prepare)(size.parse().unwrap());
        on_this_thread(meter::work(work));
    }
}
