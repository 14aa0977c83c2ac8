//! The end of a process without a lost request.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

/// Ends the servers of a process. Clones share one state.
#[derive(Clone, Debug)]
pub struct Drain {
    phase: watch::Sender<Phase>,
    notice: Duration,
    finish: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Serving,
    /// Not ready; answers ask clients to connect elsewhere.
    Noticed,
    /// No new connections; requests under way are answered.
    Closed,
}

impl Drain {
    /// `notice` is the time from [`begin`](Self::begin) until listeners close, in which Services forget the pod: some seconds. `finish` is the time after it
    /// for requests under way. The grace period of the pod has to be longer than both together.
    pub fn new(notice: Duration, finish: Duration) -> Self {
        Self { phase: watch::Sender::new(Phase::Serving), notice, finish }
    }

    /// Begins: the process is unready at once, and listeners close after the notice, when this function returns. Each
    /// [`serve`](crate::WebhookServer::serve) then returns when its last request is answered.
    pub async fn begin(&self) {
        self.phase.send_if_modified(|phase| {
            let begins = *phase == Phase::Serving;
            if begins {
                *phase = Phase::Noticed;
            }
            begins
        });
        tracing::info!(notice = ?self.notice, "unready: connections close soon");
        sleep(self.notice).await;
        self.phase.send_replace(Phase::Closed);
    }

    /// Returns `true` once the process ends.
    pub fn has_begun(&self) -> bool {
        *self.phase.borrow() != Phase::Serving
    }

    /// The time for requests under way.
    pub(crate) const fn finish_time(&self) -> Duration {
        self.finish
    }

    /// Waits until listeners close.
    pub(crate) async fn wait_closed(&self) {
        let mut phases = self.phase.subscribe();
        // An error would mean that there is no sender: `self` has one.
        let _ = phases.wait_for(|phase| *phase == Phase::Closed).await;
    }
}
