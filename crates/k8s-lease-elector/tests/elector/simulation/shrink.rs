//! Shrinking of schedules that fail.

use super::schedule::{Schedule, Setup};

/// The smallest schedule that still fails.
pub(crate) fn shrink(mut schedule: Schedule, fails: &impl Fn(&Schedule) -> bool) -> Schedule {
    while let Some(smaller) = smaller(&schedule).into_iter().find(fails) {
        schedule = smaller;
    }
    schedule
}

/// The schedules with one process, fault or property less.
fn smaller(schedule: &Schedule) -> Vec<Schedule> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Schedule)| {
        let mut smaller = schedule.clone();
        change(&mut smaller);
        all.push(smaller);
    };
    let last = schedule.processes.len() - 1;
    if last > 0 && schedule.faults.iter().all(|fault| fault.process < last) {
        add(&|smaller| smaller.processes.truncate(last));
    }
    for fault in 0..schedule.faults.len() {
        add(&|smaller| _ = smaller.faults.remove(fault));
    }
    let times = schedule.processes[0].times;
    for process in 0..=last {
        let it = schedule.processes[process];
        for simpler in [
            Setup { times, ..it },
            Setup { drift: 0, ..it },
            Setup { wall: 0, ..it },
            Setup { watches: false, ..it },
            Setup { twin: false, ..it },
            Setup { starts: 0, ..it },
        ] {
            if simpler != it {
                add(&|smaller| smaller.processes[process] = simpler);
            }
        }
    }
    all
}
