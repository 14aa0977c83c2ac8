//! What a driver logs of its elector, each fact once.

use std::time::Duration;

use k8s_lease_elector::{CallError, LeaderElector, Monotonic, Settings, State};

/// What was logged.
#[derive(Default)]
pub(super) struct Log {
    /// The messages of the last errors: of requests about the Lease, and about our candidate.
    errors: [Option<String>; 2],
    fell_back: bool,
    identity_is_shared: bool,
    /// The time since which nobody is elected although we are a candidate.
    unelected_since: Option<Monotonic>,
    /// Whether that was logged.
    unelected: bool,
    /// The time after which it is logged.
    patience: Duration,
}

impl Log {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { patience: settings.lease_duration * 2, ..Self::default() }
    }

    /// Logs a failed request whenever the error changes, that requests succeed again, the fallback to a plain election, and
    /// another process with our identity.
    pub(super) fn report(&mut self, elector: &LeaderElector, now: Monotonic) {
        let health = elector.health(now);
        if health.identity_is_shared && !self.identity_is_shared {
            let hint =
                "give each process its own: `POD_NAME` in a pod, or `Settings::default_identity`";
            tracing::warn!(hint, "another process has the identity of this one");
        }
        if health.fell_back && !self.fell_back {
            tracing::warn!(
                "the server has no coordinated election: this process contends in a plain one"
            );
        }
        (self.identity_is_shared, self.fell_back) = (health.identity_is_shared, health.fell_back);
        let (lease, candidate) = (elector.lease_error(), elector.candidate_error());
        let [lease_before, candidate_before] = &mut self.errors;
        report_error("", lease, lease_before);
        // After the fallback, the elector sends no requests about the candidate.
        if !health.fell_back {
            report_error(" about the candidate", candidate, candidate_before);
        }
        let nobody = matches!(elector.state(now), State::Following { leader: None, .. });
        self.report_unelected(nobody && elector.is_candidate() && health.failures == 0, now);
    }

    /// Logs once that nobody is elected for long.
    fn report_unelected(&mut self, unelected: bool, now: Monotonic) {
        let since = *self.unelected_since.get_or_insert(now);
        if !unelected {
            (self.unelected_since, self.unelected) = (None, false);
        } else if now.since(since) > self.patience && !self.unelected {
            self.unelected = true;
            let hint =
                "does the server run coordinated leader election? `coordination doctor` finds out";
            tracing::warn!(
                hint,
                "this process is a candidate, but no leader has been elected for a long time"
            );
        }
    }
}

/// Logs the error of the last request of a kind, if it is another one than before.
fn report_error(about: &str, error: Option<&CallError>, before: &mut Option<String>) {
    if error.map(|error| &error.message) == before.as_ref() {
        return;
    }
    if let Some(CallError { message, hint, .. }) = error {
        tracing::warn!(error = message, hint, "a request{about} failed; the elector tries again");
    } else {
        tracing::info!("requests{about} succeed again");
    }
    *before = error.map(|error| error.message.clone());
}
