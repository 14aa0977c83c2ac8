//! The times without a leader by the usual settings: the figures in `docs/explanations/leader-election.md`.

use std::fmt::Write;

use fastrand::Rng;
use k8s_lease_elector::k8s_coordination::conversion::LeaseCandidateVersion;

use super::schedule::{DRIFT, Fault, Kind, Schedule, Setup};
use super::world::World;
use testing::server::{Micros, SECOND, Serves};

/// The runs of each case. Four times as many give the same times but for a fifth.
const RUNS: u64 = 250;

/// The name of a case, true if the server elects, true if there are watches, and the fault of the leader.
const CASES: [(&str, bool, bool, Option<Kind>); 6] = [
    ("a crash", false, true, Some(Kind::Crash)),
    ("a release, with watches", false, true, Some(Kind::ShutDown)),
    ("a release, without watches", false, false, Some(Kind::ShutDown)),
    ("a crash, coordinated", true, true, Some(Kind::Crash)),
    ("a release, coordinated", true, true, Some(Kind::ShutDown)),
    ("a better candidate, coordinated", true, true, None),
];

/// The time from the fault until the second process leads. Without a fault, the second process is a better candidate
/// that starts at that time.
fn takes(seed: u64, coordinated: bool, watches: bool, fault: Option<Kind>) -> Micros {
    let mut rng = Rng::with_seed(seed);
    let at = rng.u64(30 * SECOND..60 * SECOND);
    let second = if fault.is_some() { (5 * SECOND, 35) } else { (at, 33) };
    let drift = i64::from(DRIFT);
    let mut setup = |(starts, emulation)| {
        let drift = rng.i64(-drift..=drift);
        Setup { starts, drift, watches, emulation, ..Setup::default() }
    };
    let end = at + 120 * SECOND;
    let schedule = Schedule {
        seed,
        coordinated,
        serves: if coordinated {
            Serves::coordinated(LeaseCandidateVersion::V1beta1)
        } else {
            Serves::default()
        },
        processes: vec![setup((0, 34)), setup(second)],
        faults: fault.map(|kind| Fault { at, lasts: end, process: 0, kind }).into_iter().collect(),
        calm: 2 * end,
        ..Schedule::default()
    };
    World::new(&schedule).first_term(1, end).unwrap() - at
}

#[test]
fn the_page_has_the_times_of_the_usual_settings() {
    let mut table = format!("| after | median | maximum of {RUNS} |\n|---|---|---|\n");
    let sorted = |(what, coordinated, watches, fault)| {
        let times = (0..RUNS).map(|seed| takes(seed, coordinated, watches, fault));
        let mut times: Vec<_> = times.collect();
        times.sort_unstable();
        (what, times)
    };
    let cases: Vec<(&str, Vec<Micros>)> = std::thread::scope(|scope| {
        let threads = CASES.map(|case| scope.spawn(move || sorted(case)));
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (what, times) in cases {
        let seconds = |index: usize| {
            format!("{}.{:02} s", times[index] / SECOND, times[index] % SECOND / 10_000)
        };
        writeln!(table, "| {what} | {} | {} |", seconds(times.len() / 2), seconds(times.len() - 1))
            .unwrap();
    }
    println!("{table}");
    let page = include_str!("../../../../../docs/explanations/leader-election.md");
    assert!(
        page.contains(&table),
        "docs/explanations/leader-election.md should have this:\n{table}"
    );
}
