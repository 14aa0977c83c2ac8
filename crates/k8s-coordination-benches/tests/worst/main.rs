//! The worst inputs that somebody thinks up: for each keyword of schemas, each format and each kind of file, what fits into 256 KiB and
//! costs the most. Each is answered within a second and in bounded memory.
//!
//! `TMPDIR=/dev/shm cargo test --release -p k8s-coordination-benches --test worst -- --ignored --nocapture` prints the slowest; on a disk,
//! files that earlier inputs have left cost time. `ROUNDS` is the number of
//! rounds, which differ in how an input divides its bytes among its parts; `ONLY` is a part of the names to run. `MINUTES` is how long
//! random combinations of the inputs are tried, and `SEED` the first of them.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

#[path = "../growth/annotations.rs"]
mod annotations;
#[allow(dead_code, reason = "the other test has all of it")]
#[path = "../growth/definitions.rs"]
mod definitions;
mod files;
mod names;
mod random;
mod schemas;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use allocation_counter::measure;
use k8s_versioned_codegen::on_this_thread;

/// The bytes of an input.
pub(crate) const BYTES: usize = 256 << 10;

/// The most memory of an answer.
const MOST_BYTES: u64 = 512 << 20;

/// The most time of an answer in a release build.
const MOST_TIME: Duration = Duration::from_secs(1);

/// How often an answer that takes too long is measured.
const ATTEMPTS: usize = 3;

/// The answers of some rows, each of which may take the time: to a definition and to two requests for an object; to `show`, `new`,
/// `draft` and `generate` of a definition; to `generate` and `draft` with a rule file; to `new`, `draft` and `generate`, or in the
/// library and by the command.
const ANSWERS: [(&str, u32); 6] = [
    ("keyword ", 3),
    ("pattern ", 3),
    ("format ", 3),
    ("definition, ", 4),
    ("rule file, ", 2),
    ("a long name, ", 3),
];

/// What is measured. Its input is made before.
pub(crate) type Work = Box<dyn Fn()>;

/// Makes an input for a share of the definition, in sixteenths, and the work that it causes.
pub(crate) type Make = Box<dyn Fn(usize) -> Work>;

/// An input by its name.
pub(crate) type Case = (String, Make);

/// The time that the processor has spent on this thread, so that a busy machine changes no figure.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

/// A number in a variable of the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// The time and the memory of an answer. One that takes too long is given again: on a busy machine, one and the same answer took 1.4 and
/// 12.6 seconds of the processor, which other programs make slower and never faster.
fn measured(make: impl Fn() -> Work, most: Duration) -> (Duration, u64) {
    let once = || {
        let (work, start) = (make(), processor_time());
        let used = measure(|| on_this_thread(&work)).bytes_max;
        (processor_time().saturating_sub(start), used)
    };
    let (mut time, mut used) = once();
    for _ in 1..ATTEMPTS {
        if time > most {
            let again = once();
            (time, used) = (time.min(again.0), used.max(again.1));
        }
    }
    (time, used)
}

#[test]
#[ignore = "for release builds, on Linux"]
fn the_worst_inputs_are_answered_soon() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let (mut figures, mut wrong) = (Vec::new(), Vec::new());
    for round in 0..number("ROUNDS").unwrap_or(1) {
        // The share of the definition, in sixteenths.
        let share = [8, 4, 12, 1, 15, 2, 14, 6][usize::try_from(round % 8).unwrap()];
        let cases = schemas::cases().into_iter().chain(files::cases()).chain(names::cases());
        for (name, make) in cases.filter(|(name, _)| name.contains(&only)) {
            let answers = ANSWERS.iter().find(|(part, _)| name.starts_with(part));
            let most = MOST_TIME * answers.map_or(1, |(_, answers)| *answers);
            let (time, used) = measured(|| make(share), most);
            let figure = format!("{time:?}, {} MiB: {name}, {share}/16", used >> 20);
            if time > most || used > MOST_BYTES {
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

/// Random combinations of the worst inputs, for some minutes. Each is made from a seed, which a failure names.
#[test]
#[ignore = "for release builds, on Linux"]
fn random_combinations_are_answered_soon() {
    /// The answers to a definition and to two requests for an object.
    const COUNT: u32 = 3;
    let (first, minutes) = (number("SEED").unwrap_or(1), number("MINUTES").unwrap_or(1));
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let (mut seed, mut slowest) = (first, (Duration::ZERO, first));
    while seed == first || Instant::now() < end {
        let answer = || measured(|| random::case(seed), MOST_TIME * COUNT);
        let answered = catch_unwind(AssertUnwindSafe(answer));
        let (time, used) = answered.unwrap_or_else(|_| panic!("SEED={seed} panics"));
        assert!(time <= MOST_TIME * COUNT, "SEED={seed} MINUTES=0: {time:?}");
        assert!(used <= MOST_BYTES, "SEED={seed} MINUTES=0: {} MiB", used >> 20);
        slowest = slowest.max((time, seed));
        seed += 1;
    }
    println!("{} inputs; the slowest takes {:?}: SEED={}", seed - first, slowest.0, slowest.1);
}
