//! What a driver logs of its elector, each fact once.

use k8s_lease_elector::{CallError, LeaderElector, Monotonic};

/// What was logged.
#[derive(Default)]
pub(super) struct Log {
    /// The messages of the last errors: of requests about the Lease, and about our candidate.
    errors: [Option<String>; 2],
    fell_back: bool,
    identity_is_shared: bool,
}

impl Log {
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
        let [lease, candidate] = elector.errors();
        let [lease_before, candidate_before] = &mut self.errors;
        report_error("", lease, lease_before);
        // After the fallback there are no such requests any more.
        if !health.fell_back {
            report_error(" about the candidate", candidate, candidate_before);
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
