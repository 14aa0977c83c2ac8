//! What the generator makes of documents and rules that nobody wrote.
//!
//! Each mutant is the real input with one to three changes, made from a seed. The generator must not panic:
//! it yields Rust (which it parses itself before it formats it), or problems that name a file of the input.
//!
//! `MUTANTS=1000000 cargo test -p coordination-codegen --test mutation -- --nocapture` runs a million;
//! `MUTANT_SEED=42` begins with another seed. A mutant that fails is printed with its seed; put the seed into
//! `regressions.txt` beside this file, which every run tries first.

#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::indexing_slicing,
    clippy::match_wild_err_arm,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod change;
mod input;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use input::{Input, Mutant};

const REGRESSIONS: &str = include_str!("regressions.txt");

#[test]
fn mutants_yield_rust_or_problems_with_a_place() {
    let count = variable("MUTANTS").unwrap_or(500);
    let first = variable("MUTANT_SEED").unwrap_or(0);
    let input = Input::real();
    for seed in REGRESSIONS.lines().filter_map(|line| line.parse().ok()) {
        try_one(&mut input.clone(), seed);
    }
    let (next, start) = (AtomicU64::new(first), Instant::now());
    let end = first + count;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let outcomes = std::thread::scope(|scope| {
        let worker = || {
            let mut input = input.clone();
            let mut outcomes = Outcomes::default();
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= end {
                    return outcomes;
                }
                outcomes.add(try_one(&mut input, seed));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let finished = workers.into_iter().map(|worker| worker.join().unwrap());
        finished.fold(Outcomes::default(), Outcomes::and)
    });
    println!("{count} mutants from seed {first} in {:?}: {:#?}", start.elapsed(), outcomes.0);
    // Both must happen, or the changes are too small or too large to show anything.
    assert!(outcomes.of("generated") * 100 > count, "hardly a mutant generates");
    assert!(outcomes.of("refused") * 100 > count, "hardly a mutant is refused");
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Makes the mutant of `seed` and generates from it; what came of it.
fn try_one(input: &mut Input, seed: u64) -> &'static str {
    let mut random = fastrand::Rng::with_seed(seed);
    let mutant = Mutant::new(input, &mut random);
    match catch_unwind(AssertUnwindSafe(|| mutant.generate(input))) {
        Ok(Ok(_)) => "generated",
        Ok(Err(problems)) => {
            assert!(!problems.is_empty(), "seed {seed}: refused without a problem");
            for problem in &problems {
                let known = input.knows(&problem.place.file);
                assert!(known, "seed {seed}: no such file: {problem}\nchanges: {mutant}");
            }
            "refused"
        }
        Err(_) => panic!("seed {seed} panics; changes: {mutant}"),
    }
}

/// How many mutants came to what.
#[derive(Default)]
struct Outcomes(BTreeMap<&'static str, u64>);

impl Outcomes {
    fn add(&mut self, outcome: &'static str) {
        *self.0.entry(outcome).or_default() += 1;
    }

    fn of(&self, outcome: &str) -> u64 {
        self.0.get(outcome).copied().unwrap_or_default()
    }

    fn and(mut self, other: Self) -> Self {
        for (outcome, count) in other.0 {
            *self.0.entry(outcome).or_default() += count;
        }
        self
    }
}
