//! The worst inputs that somebody thinks up: for each keyword of schemas, each format and each kind of file, what fits into 256 KiB and
//! costs the most. Each is answered within a second and in bounded memory, but for products of a definition and an object.
//!
//! `cargo test --release -p k8s-coordination-benches --test worst -- --ignored --nocapture` prints the slowest. `ROUNDS` is the number of
//! rounds, which differ in how an input divides its bytes among its parts; `ONLY` is a part of the names to run.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

#[allow(dead_code, reason = "the other test has all of it")]
#[path = "../growth/definitions.rs"]
mod definitions;
mod files;
mod schemas;

use std::time::{Duration, Instant};

use allocation_counter::measure;
use k8s_versioned_codegen::on_this_thread;

/// The bytes of an input.
pub(crate) const BYTES: usize = 256 << 10;

/// The most memory of an answer.
const MOST_BYTES: u64 = 512 << 20;

/// The most time of an answer in a release build.
const MOST_TIME: Duration = Duration::from_secs(1);

/// Inputs in which each part of an object is compared with each part of a definition, as servers do: the work is the product of both. They
/// are measured, and have no limit.
const PRODUCTS: &[&str] = &[
    "keyword allOf",
    "keyword alternatives",
    "keyword anyOf",
    "keyword enum",
    "keyword a list with many keys",
    "keyword maxLength",
    "keyword minLength",
    "keyword oneOf",
    "keyword properties with defaults",
    "keyword required",
    "keyword rules of items",
    " often",
    " repeated",
    ", many texts",
];

/// What is measured. Its input is made before.
pub(crate) type Work = Box<dyn Fn()>;

/// An input by its name, and the work that it causes.
pub(crate) type Case = (String, Work);

#[test]
#[ignore = "for release builds"]
fn the_worst_inputs_are_answered_soon() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let only = std::env::var("ONLY").unwrap_or_default();
    let (mut figures, mut wrong) = (Vec::new(), Vec::new());
    for round in 0..number("ROUNDS").unwrap_or(1) {
        // The share of the definition, in sixteenths.
        let share = [8, 4, 12, 1, 15, 2, 14, 6][round % 8];
        for make in schemas::cases().iter().chain(&files::cases()) {
            let (name, work) = make(share);
            if !name.contains(&only) {
                continue;
            }
            let start = Instant::now();
            let used = measure(|| on_this_thread(&work)).bytes_max;
            let time = start.elapsed();
            let figure = format!("{time:?}, {} MiB: {name}, {share}/16", used >> 20);
            let is_product = PRODUCTS.iter().any(|it| name.starts_with(it) || name.ends_with(it));
            if !is_product && (time > MOST_TIME || used > MOST_BYTES) {
                println!("TOO MUCH: {figure}");
                wrong.push(figure.clone());
            }
            figures.push((time, figure));
        }
    }
    figures.sort();
    for (_, figure) in figures.iter().rev().take(20) {
        println!("{figure}");
    }
    println!("{} inputs", figures.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
