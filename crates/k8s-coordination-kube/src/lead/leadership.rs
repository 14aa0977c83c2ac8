//! The argument of the work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use k8s_lease_elector::{ElectorEvent, FencingToken, Health, LeaderElector, Settings, State, Term};
use tokio::sync::{Notify, watch};

use super::LeadMetrics;
use super::clock::Clock;

/// A term of leadership, for the work.
#[derive(Clone, Debug)]
pub struct Leadership {
    pub(super) term: Term,
    pub(super) clock: Clock,
    pub(super) stopping: watch::Receiver<bool>,
}

impl Leadership {
    /// Returns `true` if the term still holds. Call it before each step that only a leader may take.
    pub fn holds(&self) -> bool {
        self.term.holds(self.clock.monotonic())
    }

    /// The fencing token of the term. Send it along with every write of the work.
    pub fn token(&self) -> &FencingToken {
        self.term.token()
    }

    /// Waits until the work must stop. [`holds`](Self::holds) stays `true` until the term is over, so that a running
    /// step can finish.
    pub async fn stopped(&self) {
        // An error means that the driver was dropped: then the work has to stop as well.
        let _ = self.stopping.clone().wait_for(|stopping| *stopping).await;
    }
}

// The handle of a driver, for the rest of the program.

/// A handle for a running driver: state, health, metrics, and stepping down.
///
/// Get it by [`Driver::handle`](super::Driver::handle) before the driver runs. Clones are cheap.
#[derive(Clone, Debug)]
pub struct Handle {
    pub(super) shared: Arc<Shared>,
    pub(super) state: watch::Receiver<State>,
}

/// What a driver and its handles share.
#[derive(Debug)]
pub(super) struct Shared {
    elector: Mutex<LeaderElector>,
    pub(super) clock: Clock,
    /// Counted since the start, without `leads`.
    metrics: Mutex<LeadMetrics>,
    /// Wakes the driver up after an order.
    pub(super) ordered: Notify,
}

impl Shared {
    pub(super) fn new(elector: LeaderElector, clock: Clock, settings: &Settings) -> Self {
        let (namespace, lease_name) = (settings.namespace.clone(), settings.lease_name.clone());
        let metrics = Mutex::new(LeadMetrics { namespace, lease_name, ..LeadMetrics::default() });
        Self { elector: Mutex::new(elector), clock, metrics, ordered: Notify::new() }
    }

    /// The elector, for one call. It has no state that a panic could break.
    pub(super) fn elector(&self) -> MutexGuard<'_, LeaderElector> {
        self.elector.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn handle(&self, event: ElectorEvent) {
        self.elector().handle(event, self.clock.now());
    }

    pub(super) fn state(&self) -> State {
        self.elector().state(self.clock.monotonic())
    }

    fn metrics(&self) -> MutexGuard<'_, LeadMetrics> {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one to a counter.
    pub(super) fn count(&self, counter: fn(&mut LeadMetrics) -> &mut u64) {
        *counter(&mut self.metrics()) += 1;
    }
}

impl Handle {
    /// The state, and its changes; a state that lasted no time may be missing. The channel is closed when the driver has
    /// ended or was dropped.
    pub fn state(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    /// The health at this time, for `/healthz`. It also detects a driver that hangs while it holds the Lease.
    pub fn health(&self) -> Health {
        self.shared.elector().health(self.shared.clock.monotonic())
    }

    /// The metrics at this time, for `/metrics`: see [`LeadMetrics::to_text`].
    pub fn metrics(&self) -> LeadMetrics {
        let leads = matches!(self.shared.state(), State::Leading(_));
        LeadMetrics { leads, ..self.shared.metrics().clone() }
    }

    /// Lets another process lead: the driver stops the work, releases the Lease, and then follows for this time before it
    /// contends again.
    ///
    /// It returns at once; [`state`](Self::state) shows the progress. If no other process contends, nobody leads in this
    /// time, so it should be some seconds. A driver that follows only follows for this time.
    pub fn step_down(&self, follow_for: Duration) {
        self.shared.handle(ElectorEvent::StepDown(follow_for));
        self.shared.ordered.notify_one();
    }
}
