//! The recorded stories with the elector instead of the recorded programs.

use super::schedule::{Fault, Kind, Schedule, Setup};
use super::world::World;
use crate::stories::{Story, at, what_of};
use testing::server::{Micros, SECOND, Serves};

/// The time for which a story continues after its last step.
const LONGER: Micros = 30 * SECOND;

/// Longer than any story.
const FOR_EVER: Micros = 1_000 * SECOND;

/// The leader at the end of a story with the elector instead of the recorded programs.
pub(crate) fn leader_with_the_elector(story: &Story) -> &'static str {
    let end = story.steps().map(at).max().unwrap() + LONGER;
    let mut faults: Vec<_> = story.steps().flat_map(|step| faults(story, step)).collect();
    faults.sort_by_key(|fault| fault.at);
    let schedule = Schedule {
        coordinated: true,
        serves: Serves::coordinated(story.version()),
        processes: story.steps().filter_map(setup).collect(),
        faults,
        calm: FOR_EVER,
        ..Schedule::default()
    };
    World::new(&schedule).leader_at(end).map_or("none", Schedule::name)
}

/// The process that a step starts.
fn setup(step: &serde_json::Value) -> Option<Setup> {
    let version = step["body"]["spec"]["emulationVersion"].as_str()?;
    let minor = version.split('.').nth(1)?;
    let emulation = minor.parse().unwrap();
    Some(Setup { starts: at(step), watches: true, emulation, ..Setup::default() })
}

/// The fault that replaces a step. Renewals and answers are not faults: the elector decides about them.
fn faults(story: &Story, step: &serde_json::Value) -> Vec<Fault> {
    let what = what_of(step);
    let process = usize::from(what.starts_with('b'));
    let shut_down = story.steps().any(|step| what_of(step).contains("gives up"));
    let goes = what.contains("candidate goes");
    let kind = if what.contains("becomes a candidate") {
        // A candidate that was not renewed for 20 minutes and answers no ping has no program.
        let silent = story.is_silent() && !story.answers(Schedule::name(process), 0);
        silent.then_some(Kind::Crash)
    } else if what.contains("crashes") {
        Some(Kind::Crash)
    } else if what.contains("gives up") || (goes && process == 1) {
        Some(Kind::ShutDown)
    } else if goes && !shut_down {
        Some(Kind::DeleteCandidate)
    } else if what.contains("deletes the lease") {
        Some(Kind::DeleteLease)
    } else {
        None
    };
    let silence = if what.contains("becomes") { SECOND / 10 } else { 0 };
    let fault = |kind| Fault { at: at(step) + silence, lasts: FOR_EVER, process, kind };
    kind.map(fault).into_iter().collect()
}
