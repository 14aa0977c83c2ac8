//! The goals: a process leads in the calm, and another one after a release.

use k8s_lease_elector::ElectorEvent;

use super::{Goal, Happens, Process, What, World};
use crate::simulation::schedule::{Schedule, Seconds};
use testing::server::duration;

impl World<'_> {
    /// Begins the next goal at its time, or reports a goal that was not reached in time.
    pub(super) fn pursue(&mut self) {
        match self.goal {
            Goal::Calm if !self.schedule.has_bounds() => self.goal = Goal::Done,
            Goal::Calm => {
                let by = self.now + self.schedule.leads_within();
                self.goal = Goal::Leader { by };
                self.push(by, What::Goal);
                for process in 0..self.processes.len() {
                    self.check_goal(process);
                }
            }
            Goal::Leader { by } if by <= self.now => {
                let bound = Seconds(self.schedule.leads_within());
                self.violated(format!("no process leads {bound} after the calm began"));
            }
            Goal::Quiet { at } if at <= self.now => self.release(),
            Goal::Release { of, by } if by <= self.now => {
                let name = Schedule::name(of);
                self.violated(format!("`{name}` does not release the Lease"));
            }
            Goal::Successor { by, .. } if by <= self.now => {
                let bound = Seconds(self.schedule.hands_over_within());
                self.violated(format!("no process leads {bound} after the release"));
            }
            _ => {}
        }
    }

    pub(super) fn leads(&self, process: usize) -> bool {
        let it = &self.processes[process];
        self.believes(process) && !it.stops && !it.shuts_down
    }

    /// Lets the leader shut down, or step down, if another process runs.
    pub(super) fn release(&mut self) {
        let leader = (0..self.processes.len()).find(|process| self.leads(*process));
        let runs = |it: &&Process| it.participant.is_some() && !it.shuts_down;
        let running = self.processes.iter().filter(runs).count();
        let Some(leader) = leader.filter(|_| running > 1) else {
            self.goal = Goal::Done;
            return;
        };
        let steps_down = self.schedule.seed.is_multiple_of(3);
        let it = &mut self.processes[leader];
        it.shuts_down = !steps_down;
        let life = it.life;
        let (event, does) = if steps_down {
            let rest = self.schedule.releases_within() + self.schedule.hands_over_within();
            (ElectorEvent::StepDown(duration(rest)), "steps")
        } else {
            (ElectorEvent::ShutDown, "shuts")
        };
        let event = Happens::Event(Box::new(event));
        self.tell(|| format!("`{}` {does} down", Schedule::name(leader)));
        self.push(self.now, What::Process(leader, life, event));
        let by = self.now + self.schedule.releases_within();
        self.goal = Goal::Release { of: leader, by };
        self.push(by, What::Goal);
    }

    /// Begins the next goal if this process has reached the present one.
    pub(super) fn check_goal(&mut self, process: usize) {
        match self.goal {
            Goal::Leader { .. } if self.leads(process) => {
                let after = self.now - self.schedule.calm;
                self.found.led_after = Some(after * 1_000 / self.schedule.leads_within());
                let at = self.now.max(self.schedule.calm + self.schedule.quiet_after());
                self.goal = Goal::Quiet { at };
                self.push(at, What::Goal);
            }
            Goal::Release { of, .. } if of == process => {
                let participant = self.processes[of].participant.as_ref();
                if participant.is_none_or(|one| one.is_released() || one.follows()) {
                    let by = self.now + self.schedule.hands_over_within();
                    let since = self.now;
                    self.goal = Goal::Successor { of, since, by };
                    self.push(by, What::Goal);
                }
            }
            Goal::Successor { of, since, .. } if process != of && self.leads(process) => {
                let after = (self.now - since) * 1_000;
                self.found.handed_over_after = Some(after / self.schedule.hands_over_within());
                self.goal = Goal::Done;
            }
            _ => {}
        }
    }
}
