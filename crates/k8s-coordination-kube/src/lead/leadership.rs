//! The argument of the work.

use k8s_lease_elector::{FencingToken, Term};
use tokio::sync::watch;

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

    /// Waits until the work has to stop.
    pub async fn stopped(&self) {
        // An error means that the driver was dropped: then the work has to stop as well.
        let _ = self.stopping.clone().wait_for(|stopping| *stopping).await;
    }
}
