//! The argument of the work.

use k8s_lease_elector::{FencingToken, Term};
use tokio::sync::watch;

use super::clock::Clock;

/// A term of leadership, for the work: whether it still holds, and when to stop.
#[derive(Clone, Debug)]
pub struct Leadership {
    pub(super) term: Term,
    pub(super) clock: Clock,
    pub(super) stopping: watch::Receiver<bool>,
}

impl Leadership {
    /// True if leading still holds. Ask before each step that only a leader may take.
    pub fn holds(&self) -> bool {
        self.term.holds(self.clock.monotonic())
    }

    /// The name of the term, which only grows. Send it along with what the work writes.
    pub fn token(&self) -> &FencingToken {
        self.term.token()
    }

    /// Waits until the work has to stop.
    pub async fn stopped(&self) {
        // An error says that the driver is gone, which ends the work as well.
        let _ = self.stopping.clone().wait_for(|stopping| *stopping).await;
    }
}
