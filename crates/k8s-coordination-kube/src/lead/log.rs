//! What a driver logs of its elector, each fact once.

use std::time::Duration;

use k8s_lease_elector::{CallError, LeaderElector, Monotonic, Settings, State};
use tracing::dispatcher::get_default;
use tracing::subscriber::NoSubscriber;

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
            let what = "another process has the identity of this one";
            tracing::warn!(hint, "{what}");
            to_stderr_if_unheard(what, None, Some(hint));
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
            let what =
                "this process is a candidate, but no leader has been elected for a long time";
            tracing::warn!(hint, "{what}");
            to_stderr_if_unheard(what, None, Some(hint));
        }
    }
}

/// Logs the error of the last request of a kind, if it differs from the error before.
fn report_error(about: &str, error: Option<&CallError>, before: &mut Option<String>) {
    if error.map(|error| &error.message) == before.as_ref() {
        return;
    }
    if let Some(CallError { message, hint, .. }) = error {
        let what = format!("a request{about} failed; the elector tries again");
        tracing::warn!(error = message, hint, "{what}");
        to_stderr_if_unheard(&what, Some(message), hint.as_deref());
    } else {
        tracing::info!("requests{about} succeed again");
    }
    *before = error.map(|error| error.message.clone());
}

/// Writes a warning to the standard error of a program that has no subscriber of `tracing`. A permission that is missing would be
/// silence for ever there.
pub(super) fn to_stderr_if_unheard(what: &str, error: Option<&str>, hint: Option<&str>) {
    if !is_heard() {
        eprintln!("{}", line(what, error, hint));
    }
}

/// Returns `true` if the program has a subscriber, even one that shows nothing.
fn is_heard() -> bool {
    get_default(|subscriber| !subscriber.is::<NoSubscriber>())
}

fn line(what: &str, error: Option<&str>, hint: Option<&str>) -> String {
    let parts = [Some(what), error, hint].into_iter().flatten().collect::<Vec<_>>();
    format!("leader election: {}", parts.join(": "))
}

#[cfg(test)]
mod tests {
    use tracing::subscriber::with_default;

    use super::{is_heard, line};

    #[test]
    fn a_program_without_a_subscriber_hears_nothing() {
        assert!(!is_heard());
        with_default(tracing_subscriber::fmt().finish(), || assert!(is_heard()));
    }

    #[test]
    fn the_line_says_what_to_do() {
        assert_eq!(
            line("a request failed", Some("403 Forbidden"), Some("allow `get` of leases")),
            "leader election: a request failed: 403 Forbidden: allow `get` of leases"
        );
        assert_eq!(line("nobody leads", None, None), "leader election: nobody leads");
    }
}
