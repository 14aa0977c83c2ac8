//! Faults.

use std::fmt;

use fastrand::Rng;

use super::Seconds;
use testing::server::{Micros, SECOND};

/// A fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) at: Micros,
    pub(crate) lasts: Micros,
    /// The process; for faults of the server, any.
    pub(crate) process: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// The process pauses.
    Pause,
    /// The process crashes, and starts again.
    Crash,
    /// The process shuts down, and starts again.
    ShutDown,
    /// The process steps down, and then only follows for this time.
    StepDown(Micros),
    /// Requests do not reach the server.
    LoseRequests,
    /// The server executes requests, and the answers are lost.
    LoseAnswers,
    /// The server executes requests, and answers 500.
    Break,
    /// The server executes writes, and resets the connection instead of an answer; reads succeed.
    ResetWrites,
    /// Requests reach the server with this delay.
    Delay(Micros),
    /// Answers come with this delay.
    DelayAnswers(Micros),
    /// The server refuses requests with this status and this `Retry-After` in seconds.
    Refuse(u16, u64),
    /// The work takes this time to stop.
    SlowWork(Micros),
    /// Watches see no event.
    BreakWatch,
    /// Watches see each event with this delay.
    DelayWatch(Micros),
    /// The wall clock of the process jumps by these seconds.
    Jump(i64),
    /// The wall clock of the server jumps by these seconds.
    ServerJump(i64),
    /// Another client labels the Lease.
    Label,
    /// Another client deletes the Lease.
    DeleteLease,
    /// Another client deletes the candidate of the process.
    DeleteCandidate,
    /// A program that does not count terms takes the Lease as soon as it is free. It adopts a Lease of the process that does not run:
    /// then it has the identity of the process.
    Uncounted,
    /// Another client writes this number of transitions.
    Count(Option<i32>),
}

/// The longest delay of a request, an answer or an event of a watch.
pub(super) const LONGEST_DELAY: Micros = 6 * SECOND;
/// The longest `Retry-After`.
pub(super) const LONGEST_RETRY_AFTER: u64 = 4;
/// The longest time that the work takes to stop.
pub(crate) const LONGEST_STOP: Micros = 6 * SECOND;

impl Fault {
    pub(super) fn random(rng: &mut Rng, count: usize, span: Micros, duration: Micros) -> Self {
        let lasts = rng.u64(1_000..duration * 2);
        let kind = Kind::random(rng, duration);
        let long = matches!(kind, Kind::Pause) && rng.u8(..8) == 0;
        Self {
            at: rng.u64(..span),
            process: rng.usize(..count),
            lasts: match kind {
                // For hours, if no other process has to be simulated in this time.
                _ if long => lasts * if count == 1 { 1_000 } else { 8 },
                _ if kind.is_instant() => 0,
                _ => lasts,
            },
            kind,
        }
    }
}

impl Fault {
    /// A client that does not count terms, or that changes the number. In a coordinated election the elector knows by the
    /// number whether the last term is over, so there the number does not go back.
    pub(super) fn of_other_client(
        rng: &mut Rng,
        coordinated: bool,
        count: usize,
        span: Micros,
    ) -> Self {
        let kind = match rng.u8(..4) {
            _ if coordinated => Kind::Count(Some(i32::MAX)),
            0 => Kind::Count(Some(i32::MAX)),
            1 => Kind::Count(None),
            _ => Kind::Uncounted,
        };
        let lasts = if kind.is_instant() { 0 } else { rng.u64(1_000..span) };
        Self { at: rng.u64(..span), lasts, process: rng.usize(..count), kind }
    }
}

impl Kind {
    fn random(rng: &mut Rng, duration: Micros) -> Self {
        let delay = rng.u64(1_000..LONGEST_DELAY.min(duration * 3 / 2));
        match rng.u8(..22) {
            0 | 1 => Self::Pause,
            2 | 3 => Self::Crash,
            4 => Self::ShutDown,
            5 | 6 => Self::LoseRequests,
            7 | 8 => Self::LoseAnswers,
            9 | 10 => Self::Delay(delay),
            11 => Self::DelayAnswers(delay),
            12 => match rng.u8(..4) {
                0 => Self::Refuse(403, 0),
                1 => Self::Refuse(500, 0),
                _ => Self::Refuse(429, rng.u64(..=LONGEST_RETRY_AFTER)),
            },
            13 => Self::SlowWork(rng.u64(..LONGEST_STOP)),
            14 => Self::BreakWatch,
            15 => Self::DelayWatch(delay),
            16 => Self::Jump(rng.i64(-36_000..36_000)),
            17 => Self::ServerJump(rng.i64(-36_000..36_000)),
            18 => Self::Label,
            19 if delay.is_multiple_of(2) => Self::ResetWrites,
            19 => Self::Break,
            20 => Self::StepDown(rng.u64(..duration * 3)),
            _ if rng.bool() => Self::DeleteLease,
            _ => Self::DeleteCandidate,
        }
    }

    fn is_instant(self) -> bool {
        use Kind::{Count, DeleteCandidate, DeleteLease, Jump, Label, ServerJump, StepDown};
        matches!(
            self,
            StepDown(_)
                | Jump(_)
                | ServerJump(_)
                | Label
                | DeleteLease
                | DeleteCandidate
                | Count(_)
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lasts = Seconds(self.lasts);
        match self.kind {
            Kind::Pause => write!(f, "pauses for {lasts}"),
            Kind::Crash => write!(f, "crashes, and starts again after {lasts}"),
            Kind::ShutDown => write!(f, "shuts down, and starts again after {lasts}"),
            Kind::StepDown(rest) => {
                write!(f, "steps down, and only follows for {}", Seconds(rest))
            }
            Kind::LoseRequests => write!(f, "loses its requests for {lasts}"),
            Kind::LoseAnswers => write!(f, "loses the answers for {lasts}"),
            Kind::Break => write!(f, "gets 500 for {lasts}, although its requests are executed"),
            Kind::ResetWrites => {
                write!(f, "gets no answer to its writes for {lasts}, although they are executed")
            }
            Kind::Delay(by) => {
                write!(f, "sends requests that take {} more, for {lasts}", Seconds(by))
            }
            Kind::DelayAnswers(by) => write!(f, "gets answers {} later, for {lasts}", Seconds(by)),
            Kind::Refuse(status, wait) => {
                write!(f, "gets {status} with Retry-After {wait}, for {lasts}")
            }
            Kind::SlowWork(by) => {
                write!(f, "has work that takes {} to stop, for {lasts}", Seconds(by))
            }
            Kind::BreakWatch => write!(f, "has no watch for {lasts}"),
            Kind::DelayWatch(by) => {
                write!(f, "has a watch that is {} late, for {lasts}", Seconds(by))
            }
            Kind::Jump(by) => write!(f, "has a wall clock that jumps by {by} s"),
            Kind::ServerJump(by) => write!(f, "sees the server's wall clock jump by {by} s"),
            Kind::Label => f.write_str("sees another client label the Lease"),
            Kind::DeleteLease => f.write_str("sees another client delete the Lease"),
            Kind::DeleteCandidate => f.write_str("sees another client delete its candidate"),
            Kind::Uncounted => {
                write!(f, "contends with a program that does not count terms, for {lasts}")
            }
            Kind::Count(Some(number)) => write!(f, "sees another client count {number} terms"),
            Kind::Count(None) => f.write_str("sees another client remove the number of terms"),
        }
    }
}
