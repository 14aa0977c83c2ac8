//! The state of an elector.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};
use std::time::Duration;

use k8s_coordination::Quoted;
use k8s_coordination::meta::v1::MicroTime;
use thiserror::Error;

use crate::CallError;

/// The state of an elector. States with the same term are equal while it is renewed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It does not lead.
    Following {
        /// The holder of the Lease, as far as the elector knows.
        leader: Option<String>,
        /// Whether the holder has the name of this process: its former term may not be over yet, its new one has not begun, or
        /// [another process](Health::identity_is_shared) has this name.
        own: bool,
    },
    /// It leads until the term ends: run the work.
    Leading(Term),
    /// The work has to stop: stop it, then send [`WorkStopped`](crate::ElectorEvent::WorkStopped). While the term still holds, the
    /// work can finish a step.
    Stopping(Term, StopCause),
    /// The work has stopped, and the elector releases the Lease, which is its own.
    Releasing,
    /// The elector is done: the process may end.
    Released,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Following { leader: Some(leader), own: true } => {
                let own = Quoted(leader);
                write!(f, "waits until it may lead: the Lease was last seen in its own name, {own}")
            }
            Self::Following { leader: Some(leader), .. } => write!(f, "follows {}", Quoted(leader)),
            Self::Following { leader: None, .. } => f.write_str("follows no leader"),
            Self::Leading(term) => write!(f, "leads, term {}", term.token()),
            Self::Stopping(_, cause) => write!(f, "stops: {cause}"),
            Self::Releasing => f.write_str("releases the Lease"),
            Self::Released => f.write_str("done"),
        }
    }
}

/// The reason why the work must stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopCause {
    /// The process shuts down.
    ShutDown,
    /// The work ended by itself.
    WorkEnded,
    /// The work panicked.
    WorkPanicked,
    /// The process steps down, and contends again later.
    StepDown,
    /// The server prefers this candidate.
    Preferred(String),
    /// No renewal succeeded before the renew deadline.
    RenewDeadline,
    /// Another client wrote the Lease: it has this holder now, or none.
    Taken(Option<String>),
    /// The Lease was deleted.
    Deleted,
}

impl StopCause {
    /// Returns `true` if the elector still holds the Lease and keeps it until the work has stopped.
    pub(crate) fn is_voluntary(&self) -> bool {
        !matches!(self, Self::RenewDeadline | Self::Taken(_) | Self::Deleted)
    }

    /// Returns `true` if the term ends as planned, `false` if the Lease was lost or the work panicked.
    pub fn is_planned(&self) -> bool {
        self.is_voluntary() && *self != Self::WorkPanicked
    }
}

impl fmt::Display for StopCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShutDown => f.write_str("this process shuts down"),
            Self::WorkEnded => f.write_str("the work ended"),
            Self::WorkPanicked => f.write_str("the work panicked"),
            Self::StepDown => f.write_str("this process steps down"),
            Self::Preferred(name) => write!(f, "the server prefers {}", Quoted(name)),
            Self::RenewDeadline => f.write_str("no renewal succeeded in time"),
            Self::Taken(Some(holder)) => write!(f, "{} holds the Lease now", Quoted(holder)),
            Self::Taken(None) => f.write_str("another client removed the holder of the Lease"),
            Self::Deleted => f.write_str("the Lease was deleted"),
        }
    }
}

// A term of leadership: the guard for the work, and the fencing token for its writes.

/// The time for which one process leads: from taking the Lease until losing or releasing it.
///
/// A clone is the same term: it sees every renewal, and the end. Terms are equal if their tokens are. Call [`holds`](Self::holds) before each step that
/// only a leader may take.
#[derive(Clone, Debug)]
pub struct Term {
    token: FencingToken,
    /// The end, in microseconds since the start of the clock; 0 when the term is over.
    until: Arc<AtomicU64>,
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.token == other.token
    }
}

impl Eq for Term {}

impl Term {
    pub(crate) fn new(token: FencingToken, until: Monotonic) -> Self {
        let until = Arc::new(AtomicU64::new(micros(until)));
        Self { token, until }
    }

    /// Returns `true` if the term still holds: no other process that follows the rules leads at this time.
    pub fn holds(&self, now: Monotonic) -> bool {
        now < self.valid_until()
    }

    /// The end of the term unless the Lease is renewed. When the term is over, the start of the clock.
    pub fn valid_until(&self) -> Monotonic {
        let until = self.until.load(atomic::Ordering::Acquire);
        Monotonic::since_start(Duration::from_micros(until))
    }

    /// The fencing token, which names the term.
    pub fn token(&self) -> &FencingToken {
        &self.token
    }

    pub(crate) fn extend(&self, until: Monotonic) {
        self.until.store(micros(until), atomic::Ordering::Release);
    }

    pub(crate) fn end(&self) {
        self.until.store(0, atomic::Ordering::Release);
    }
}

fn micros(time: Monotonic) -> u64 {
    u64::try_from(time.passed().as_micros()).unwrap_or(u64::MAX)
}

/// The unique name of a term: the Lease's `metadata.uid`, and its `metadata.resourceVersion` as the write that took the Lease left it.
///
/// Send it along with every write, and let the receiver refuse a token that is older than any token that it has seen. That
/// stops a process that was suspended between a check of its term and the write, and no longer leads.
///
/// Every write of a Lease raises its `resourceVersion`, whoever writes. So a later term has a later token, whatever other clients
/// do with `leaseTransitions`, and also if the Lease was deleted and created again. [KEP-5504] guarantees that since Kubernetes
/// 1.35; API servers before it that keep their objects in etcd number them in the same way.
///
/// Tokens are of one cluster: tokens of two clusters have no order, although they compare. `partial_cmp` gives `None`, and `<` and `>`
/// are both `false`, if a `resourceVersion` is not a decimal number, or two Leases have the same one. A receiver should refuse such
/// a token.
///
/// A receiver in another process reads the token from its text:
///
/// ```
/// # use k8s_lease_elector::FencingToken;
/// let seen: FencingToken = "0e4cf61a-5b7d-4f0e-9d5c-3a2f6f1c8e11/998".parse()?;
/// let next: FencingToken = "0e4cf61a-5b7d-4f0e-9d5c-3a2f6f1c8e11/1004".parse()?;
/// assert!(seen < next);
/// # Ok::<(), k8s_lease_elector::FencingTokenError>(())
/// ```
///
/// [KEP-5504]: https://www.kubernetes.dev/resources/keps/5504/
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FencingToken {
    /// `metadata.uid` of the Lease.
    pub uid: Arc<str>,
    /// `metadata.resourceVersion` of the Lease after the write that took it.
    pub resource_version: Arc<str>,
}

impl PartialOrd for FencingToken {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        // As decimal numbers of any length.
        let number = |token: &Self| {
            let text = Arc::clone(&token.resource_version);
            is_decimal(&text).then_some((text.len(), text))
        };
        Some(number(self)?.cmp(&number(other)?)).filter(|order| order.is_ne())
    }
}

/// Returns `true` if a resource version can be compared: a number above 0 without leading zeros.
fn is_decimal(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for FencingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.uid, self.resource_version)
    }
}

impl FromStr for FencingToken {
    type Err = FencingTokenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (uid, resource_version) = text.rsplit_once('/').ok_or(FencingTokenError)?;
        if uid.is_empty() || resource_version.is_empty() {
            return Err(FencingTokenError);
        }
        Ok(Self { uid: uid.into(), resource_version: resource_version.into() })
    }
}

/// A text that is not a [`FencingToken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a fencing token is the `uid` of a Lease, `/`, and a `resourceVersion` of it")]
pub struct FencingTokenError;

// The times that the caller passes in.

/// A time on a clock that never goes back: the time since a start.
///
/// The caller chooses the start, once. The clock must also count the time for which the machine is suspended:
/// on Linux that is `CLOCK_BOOTTIME`. [`std::time::Instant`] does not count it there, so a program on a machine
/// that can be suspended must not use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monotonic(Duration);

impl Monotonic {
    /// The time that is this much after the start.
    pub const fn since_start(passed: Duration) -> Self {
        Self(passed)
    }

    /// The time since the start.
    pub const fn passed(self) -> Duration {
        self.0
    }

    /// The time that is this much later.
    #[must_use]
    pub const fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }

    /// The time since an earlier time; zero if that time is later.
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// The times on the clocks of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The clock by which the elector decides.
    pub monotonic: Monotonic,
    /// The wall clock. The elector only writes it into the Lease, for people and for the server, and decides nothing
    /// by it.
    pub wall: MicroTime,
}

// The health of an elector.

/// The time after the end of a term in which a driver notices that the work has stopped.
const GRACE: Duration = Duration::from_secs(5);

/// The health of an elector, for a health check.
///
/// | question | answer |
/// |---|---|
/// | should the process be started again (`livenessProbe`)? | unless [`is_alive`](Self::is_alive) |
/// | should someone look (an alert, a status page)? | unless [`is_good`](Self::is_good) |
///
/// A new start does not help against an API server that refuses requests, so the first answer does not depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// Whether it leads.
    pub leads: bool,
    /// The reason why the work must stop, until it has stopped. The Lease is held until then, unless it was lost.
    pub stops: Option<StopCause>,
    /// The time since the last successful renewal was sent, if it holds the Lease.
    pub not_renewed_for: Option<Duration>,
    /// The number of requests that have failed since the last success.
    pub failures: u32,
    /// The error of the last of them, with a hint.
    pub last_error: Option<CallError>,
    /// Whether the election is plain although the settings ask for coordinated election: the server has none, and
    /// [`fall_back`](crate::CandidateSettings::fall_back) is `true`.
    pub fell_back: bool,
    /// Whether another process has the same identity and renews the Lease under it. Known only in plain election.
    pub identity_is_shared: bool,
    /// The longest time between two renewals of a healthy elector: two retry periods.
    pub(crate) late: Duration,
    /// The time after a renewal at which a term is over.
    pub(crate) over: Duration,
}

impl Health {
    /// Returns `true` unless the elector holds a Lease whose term is over: then its driver hangs, or the work does not stop.
    pub fn is_alive(&self) -> bool {
        self.not_renewed_for.is_none_or(|passed| passed <= self.over + GRACE)
    }

    /// Returns `true` if requests succeed, renewals come in time, and no other process has this identity.
    pub fn is_good(&self) -> bool {
        let alone = self.failures == 0 && !self.identity_is_shared;
        alone && self.not_renewed_for.is_none_or(|passed| passed <= self.late)
    }
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stops {
            Some(cause) => {
                let holds = if cause.is_voluntary() { "holds the Lease, and " } else { "" };
                write!(f, "{holds}stops: {cause}")?;
            }
            None => f.write_str(if self.leads { "leads" } else { "follows" })?,
        }
        if self.fell_back {
            f.write_str(" in a plain election, as the server has no coordinated one")?;
        }
        if self.identity_is_shared {
            f.write_str(", and another process has its identity")?;
        }
        if let Some(passed) = self.not_renewed_for.filter(|passed| *passed > self.late) {
            let but = if self.stops.is_some() { "and" } else { "but" };
            write!(f, ", {but} has not renewed for {:.1} s", passed.as_secs_f64())?;
        }
        match &self.last_error {
            Some(error) => {
                write!(f, "; failed requests in a row: {}, the last: {error}", self.failures)?;
                error.hint.as_ref().map_or(Ok(()), |hint| write!(f, " (hint: {hint})"))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_from_its_text() {
        let token = FencingToken { uid: "a/b".into(), resource_version: "7".into() };
        assert_eq!(token.to_string().parse(), Ok(token));
        for text in ["", "/", "uid", "uid/", "/1"] {
            assert_eq!(text.parse::<FencingToken>(), Err(FencingTokenError), "{text}");
        }
    }

    #[test]
    fn tokens_are_ordered_by_the_number() {
        let order = |one: &str, other: &str| {
            let token = |text: &str| text.parse::<FencingToken>().unwrap();
            token(one).partial_cmp(&token(other))
        };
        for (one, other, expected) in [
            ("a/9", "a/10", Some(Ordering::Less)),
            ("a/10", "a/9", Some(Ordering::Greater)),
            ("a/10", "a/10", Some(Ordering::Equal)),
            // Created again.
            ("b/9", "a/10", Some(Ordering::Less)),
            ("b/10", "a/10", None),
            // Longer than any integer of Rust.
            ("a/9", "a/99999999999999999999999999999999999999999", Some(Ordering::Less)),
            // Not of a server that numbers its objects.
            ("a/x9", "a/10", None),
            ("a/x9", "a/x9", Some(Ordering::Equal)),
            ("a/010", "a/9", None),
            ("a/0", "a/9", None),
        ] {
            assert_eq!(order(one, other), expected, "{one} and {other}");
        }
    }
}
