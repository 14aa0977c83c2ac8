//! The running work.

use k8s_lease_elector::Term;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

use super::Leadership;
use super::clock::Clock;
use super::metrics::Counters;

/// The work of one term. Dropping it aborts the work.
pub(super) struct Work {
    /// A set with one task.
    task: JoinSet<()>,
    term: Term,
    stop: watch::Sender<bool>,
    aborted: bool,
}

impl Work {
    pub(super) fn start<F>(term: Term, clock: &Clock, work: impl FnOnce(Leadership) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (stop, stopping) = watch::channel(false);
        let leadership = Leadership { term: term.clone(), clock: clock.clone(), stopping };
        let mut task = JoinSet::new();
        task.spawn(work(leadership));
        let aborted = false;
        Self { task, term, stop, aborted }
    }

    /// Asks the work to stop, and aborts it when its term is over.
    pub(super) fn stop(&mut self, clock: &Clock, counters: &Counters) {
        self.stop.send_replace(true);
        if !self.aborted && !self.term.holds(clock.monotonic()) {
            self.task.abort_all();
            self.aborted = true;
            counters.aborted.add_one();
        }
    }

    /// Waits for the end of the work.
    pub(super) async fn ended(&mut self) -> Result<(), JoinError> {
        self.task.join_next().await.unwrap_or(Ok(()))
    }
}
