//! The processes of the world, and their work.

use std::cmp::Ordering;

use k8s_lease_elector::{ElectorEvent, FencingToken, Monotonic, Now, Step};

use super::{Happens, What, World};
use crate::simulation::participant::{Participant, Work};
use crate::simulation::schedule::{Kind, LONGEST_STOP, Schedule, Seconds};
use testing::server::{Micros, SECOND, duration, micros, wall};

impl World<'_> {
    pub(super) fn clocks(&self, process: usize) -> Now {
        Now {
            monotonic: Monotonic::since_start(duration(self.local(process, self.now))),
            wall: wall(self.now, self.processes[process].wall),
        }
    }

    /// The time on the monotonic clock of a process. Each clock has another start.
    fn local(&self, process: usize, time: Micros) -> Micros {
        let drift = self.schedule.processes[process].drift;
        let rate = u64::try_from(1_000_000 + drift).unwrap();
        (process as Micros + 1) * 1_000 * SECOND + time * rate / 1_000_000
    }

    /// The true time at which the monotonic clock of a process shows a time.
    fn true_time(&self, process: usize, local: Micros) -> Micros {
        let drift = self.schedule.processes[process].drift;
        let rate = u64::try_from(1_000_000 + drift).unwrap();
        let passed = local.saturating_sub((process as Micros + 1) * 1_000 * SECOND);
        u64::try_from(u128::from(passed) * 1_000_000 / u128::from(rate)).unwrap() + 1
    }

    pub(super) fn start_process(&mut self, process: usize) {
        if self.processes[process].participant.is_some() && !self.processes[process].shuts_down {
            return;
        }
        let life = self.processes[process].life + 1;
        let now = self.clocks(process);
        let participant = Participant::start(self.schedule, self.broken, process, life, now);
        self.processes[process].begin(life, participant);
        self.tell(|| format!("`{}` starts", Schedule::name(process)));
        self.watch_again(process, life);
        self.settle(process);
    }

    pub(super) fn happen_to(&mut self, process: usize, life: u64, happens: Happens) {
        let it = &mut self.processes[process];
        if it.life != life {
            return;
        }
        if it.paused_until > self.now {
            let until = it.paused_until;
            self.push(until, What::Process(process, life, happens));
            return;
        }
        let now = self.clocks(process);
        let it = &mut self.processes[process];
        let Some(participant) = &mut it.participant else {
            return;
        };
        match happens {
            Happens::Wake(at) if at != it.wake => return,
            Happens::Wake(_) => {}
            Happens::Answer(id, answer) => participant.answer(id, *answer, now),
            Happens::Event(event) => {
                if let ElectorEvent::StepDown(rest) = &*event {
                    // Its clock may run fast.
                    it.rests_until = self.now + micros(*rest) * 98 / 100;
                }
                participant.event(*event, now);
            }
            Happens::WorkStops => {
                (it.runs, it.stops) = (false, false);
                participant.event(ElectorEvent::WorkStopped, now);
                self.tell(|| format!("the work of `{}` has stopped", Schedule::name(process)));
            }
        }
        self.settle(process);
    }

    /// Lets a process take all steps that are due.
    fn settle(&mut self, process: usize) {
        let now = self.clocks(process);
        loop {
            let Some(participant) = &mut self.processes[process].participant else {
                return;
            };
            let step = participant.next(now);
            self.found.changes.extend(participant.take_change());
            match step {
                Step::Send(call) => self.send(process, call.id, call.request.verb),
                Step::Wait(until) => {
                    let at = self.true_time(process, micros(until.passed())).max(self.now + 1);
                    let it = &mut self.processes[process];
                    if it.wake != at {
                        it.wake = at;
                        let life = it.life;
                        self.push(at, What::Process(process, life, Happens::Wake(at)));
                    }
                    break;
                }
                _ => break,
            }
        }
        self.work(process);
        self.check_leaders(process);
        self.check_goal(process);
        self.check_health(process);
        let it = &mut self.processes[process];
        if it.participant.as_ref().is_some_and(Participant::is_released) {
            it.participant = None;
            self.tell(|| format!("`{}` has ended", Schedule::name(process)));
        }
    }

    /// Starts and stops the work, as the participant says.
    pub(super) fn work(&mut self, process: usize) {
        let it = &mut self.processes[process];
        let Some(participant) = &it.participant else {
            return;
        };
        match participant.work() {
            Work::Run(token) if !it.runs => {
                it.runs = true;
                self.begin_term(process, &token);
            }
            Work::Stop if it.runs && !it.stops => {
                it.stops = true;
                let life = it.life;
                let slow = self.faults(process).find_map(|kind| match kind {
                    Kind::SlowWork(by) => Some(by),
                    _ => None,
                });
                let takes = slow.unwrap_or_else(|| self.rng.u64(..SECOND / 5));
                assert!(takes < LONGEST_STOP);
                self.tell(|| {
                    let takes = Seconds(takes);
                    format!("`{}` stops its work, which takes {takes}", Schedule::name(process))
                });
                let at = self.now + takes;
                self.push(at, What::Process(process, life, Happens::WorkStops));
            }
            Work::None if it.runs => {
                let name = Schedule::name(process);
                self.violated(format!("`{name}` leaves its term before its work has stopped"));
            }
            _ => {}
        }
    }

    /// Checks the health that a process shows. A broken driver may leave the term while its work runs.
    fn check_health(&mut self, process: usize) {
        let (now, it) = (self.clocks(process).monotonic, &self.processes[process]);
        let participant = it.participant.as_ref().filter(|_| self.broken.is_none());
        if let Some(wrong) = participant.and_then(|one| one.wrong_health(it.runs, now)) {
            self.violated(format!("`{}` {wrong}", Schedule::name(process)));
        }
    }

    fn begin_term(&mut self, process: usize, token: &FencingToken) {
        self.found.terms += 1;
        self.begins.push((self.now, process));
        self.tell(|| format!("`{}` LEADS, term {token}", Schedule::name(process)));
        if self.now < self.processes[process].rests_until {
            let name = Schedule::name(process);
            self.violated(format!("`{name}` leads, although it has stepped down"));
        }
        self.check_token(token, "begins");
    }

    /// Checks that a token is later than the tokens of all terms before, whoever led.
    pub(super) fn check_token(&mut self, token: &FencingToken, does: &str) {
        let last = self.last_token.replace(token.clone());
        if let Some(last) = last
            && last.partial_cmp(token) != Some(Ordering::Less)
        {
            self.violated(format!("the term {token} {does} after {last}"));
        }
    }

    pub(super) fn believes(&self, process: usize) -> bool {
        let it = &self.processes[process];
        let now = || Monotonic::since_start(duration(self.local(process, self.now)));
        it.runs && it.participant.as_ref().is_some_and(|one| one.believes(now()))
    }

    /// Checks that no two processes believe that they lead. A process begins to believe it only in its own events, so a
    /// check after each of them is enough.
    fn check_leaders(&mut self, process: usize) {
        if !self.believes(process) {
            return;
        }
        let other =
            (0..self.processes.len()).find(|other| *other != process && self.believes(*other));
        if let Some(other) = other {
            let names = (Schedule::name(process), Schedule::name(other));
            self.violated(format!("`{}` and `{}` both believe that they lead", names.0, names.1));
        }
    }
}
