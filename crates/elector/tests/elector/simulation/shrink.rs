//! Schedules that fail, made small.

use super::schedule::Schedule;

/// A schedule that fails with as little as possible in it.
pub(crate) fn shrink(mut schedule: Schedule, fails: &impl Fn(&Schedule) -> bool) -> Schedule {
    while let Some(smaller) = smaller(&schedule).into_iter().find(fails) {
        schedule = smaller;
    }
    schedule
}

/// The schedule with one thing less, in each way.
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
    for process in 0..=last {
        let setup = schedule.processes[process];
        if setup.times != schedule.processes[0].times {
            add(&|smaller| smaller.processes[process].times = schedule.processes[0].times);
        }
        if setup.drift != 0 {
            add(&|smaller| smaller.processes[process].drift = 0);
        }
        if setup.wall != 0 {
            add(&|smaller| smaller.processes[process].wall = 0);
        }
        if setup.watches {
            add(&|smaller| smaller.processes[process].watches = false);
        }
        if setup.twin {
            add(&|smaller| smaller.processes[process].twin = false);
        }
        if setup.starts > 0 {
            add(&|smaller| smaller.processes[process].starts = 0);
        }
    }
    all
}
