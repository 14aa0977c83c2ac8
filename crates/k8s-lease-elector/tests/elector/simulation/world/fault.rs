//! The effects of the faults.

use k8s_lease_elector::ElectorEvent;

use super::{Happens, What, World};
use crate::simulation::schedule::{Kind, Schedule};
use testing::server::duration;

impl World<'_> {
    pub(super) fn fault(&mut self, index: usize) {
        let fault = self.schedule.faults[index];
        let (process, lasts) = (fault.process, fault.lasts);
        self.tell(|| format!("`{}` {fault}", Schedule::name(process)));
        let it = &mut self.processes[process];
        let life = it.life;
        match fault.kind {
            Kind::Pause => it.paused_until = it.paused_until.max(self.now + lasts),
            Kind::Crash => {
                it.end();
                self.push(self.now + lasts, What::Start(process));
            }
            Kind::ShutDown => {
                it.shuts_down = true;
                let event = Happens::Event(Box::new(ElectorEvent::ShutDown));
                self.push(self.now, What::Process(process, life, event));
                self.push(self.now + lasts, What::Start(process));
            }
            // A process that is paused calls no function.
            Kind::StepDown(rest) if it.paused_until <= self.now => {
                let event = ElectorEvent::StepDown(duration(rest));
                self.push(self.now, What::Process(process, life, Happens::Event(Box::new(event))));
            }
            Kind::BreakWatch => self.push(self.now + lasts, What::Watches(process, life)),
            Kind::Jump(by) => it.wall += by,
            Kind::ServerJump(by) => self.server_wall += by,
            Kind::Label => self.label(),
            Kind::DeleteLease if self.server.lease.is_some() => {
                let change = self.server.delete_lease();
                self.changed(&change);
            }
            Kind::Uncounted => self.push(self.now, What::Uncounted(index)),
            Kind::Count(number) => self.count(number),
            Kind::DeleteCandidate => {
                let change = self.server.delete_candidate(Schedule::name(process));
                self.changed(&change);
            }
            _ => {}
        }
    }

    pub(super) fn label(&mut self) {
        let Some(mut lease) = self.server.lease.clone() else {
            return;
        };
        self.labels += 1;
        let label = format!("example.com/{}", self.labels);
        lease.metadata.labels.insert(label, "kept".to_owned());
        let (_, change) = self.server.store_lease(lease);
        self.changed(&change);
    }
}
