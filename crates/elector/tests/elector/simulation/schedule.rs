//! A schedule: who takes part, and what goes wrong when. All of it follows from a seed.

use std::fmt;
use std::time::Duration;

use fastrand::Rng;
use k8s_lease_elector::k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_lease_elector::{CandidateSettings, Settings};

use crate::model::{LEASE, Micros, NAMESPACE, SECOND, micros};

/// The schedule of one run.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub(crate) seed: u64,
    pub(crate) coordinated: bool,
    /// The version of `LeaseCandidate` that the server serves.
    pub(crate) serves: LeaseCandidateVersion,
    pub(crate) times: Times,
    pub(crate) processes: Vec<Setup>,
    pub(crate) faults: Vec<Fault>,
    /// From here on nothing goes wrong any more.
    pub(crate) calm: Micros,
    /// Whether all wait before they create a Lease that they never saw.
    pub(crate) wait_for_absent: bool,
}

/// The times in the settings of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) lease_duration: Micros,
    pub(crate) renew_deadline: Micros,
    pub(crate) retry_period: Micros,
}

/// A process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) starts: Micros,
    /// By how many millionths its monotonic clock runs fast.
    pub(crate) drift: i64,
    /// By how many seconds its wall clock is ahead.
    pub(crate) wall: i64,
    /// Whether it has watches.
    pub(crate) watches: bool,
    /// The minor number of the emulation version: the lowest is the best.
    pub(crate) emulation: u8,
    /// Whether it has the identity of the first process.
    pub(crate) twin: bool,
}

/// Something that goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) at: Micros,
    /// The process; for faults of the server, any.
    pub(crate) process: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// The process stands still.
    Pause(Micros),
    /// The process dies, and comes back after this time.
    Crash(Micros),
    /// The process is told to shut down, and started again this time after.
    ShutDown(Micros),
    /// Requests do not reach the server.
    LoseRequests(Micros),
    /// Requests are carried out, and the answers are lost.
    LoseAnswers(Micros),
    /// Requests reach the server so much later.
    Delay(Micros, Micros),
    /// Answers come so much later.
    DelayAnswers(Micros, Micros),
    /// The server answers 429 and asks to wait so many seconds.
    Refuse(Micros, u64),
    /// The work takes so long to stop.
    SlowWork(Micros, Micros),
    /// Watches see nothing.
    BreakWatch(Micros),
    /// Watches see everything so much later.
    DelayWatch(Micros, Micros),
    /// The wall clock of the process jumps by so many seconds.
    Jump(i64),
    /// The wall clock of the server jumps by so many seconds.
    ServerJump(i64),
    /// Somebody changes labels.
    Label,
    /// Somebody deletes the Lease.
    DeleteLease,
    /// Somebody deletes the candidate of the process.
    DeleteCandidate,
}

/// By how much a clock may run fast or slow, in millionths.
pub(crate) const DRIFT: u32 = 10_000;

/// The longest that a request, an answer or an event of a watch is delayed by a fault.
pub(crate) const LONGEST_DELAY: Micros = 6 * SECOND;
/// The longest `Retry-After`.
pub(crate) const LONGEST_RETRY_AFTER: u64 = 4;
/// The longest time that the work takes to stop.
pub(crate) const LONGEST_STOP: Micros = 6 * SECOND;
/// The longest time that a message takes without a fault.
pub(crate) const LATENCY: Micros = 30_000;

impl Schedule {
    /// The schedule of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let coordinated = rng.u8(..6) == 0;
        let times = Times::random(&mut rng);
        let count = 1 + rng.usize(..3);
        let wait_for_absent = rng.u8(..4) == 0;
        let span = times.lease_duration * rng.u64(2..6);
        let mut processes: Vec<_> = (0..count).map(|_| Setup::random(&mut rng, span)).collect();
        if let Some(last) = processes.last_mut().filter(|_| !coordinated && count > 1) {
            last.twin = rng.u8(..8) == 0;
        }
        let mut faults: Vec<_> = (0..rng.usize(0..9))
            .map(|_| Fault::random(&mut rng, count, span, times.lease_duration))
            // Who starts after somebody deleted the Lease cannot know that there was one.
            .filter(|fault| wait_for_absent || !matches!(fault.kind, Kind::DeleteLease))
            .collect();
        // What goes wrong in one process, one upon the other, is worse than what goes wrong here and there.
        for second in 1..faults.len() {
            if rng.bool() {
                let first = faults[second - 1];
                faults[second].process = first.process;
                faults[second].at = first.at + rng.u64(..times.lease_duration);
            }
        }
        faults.sort_by_key(|fault| fault.at);
        let starts: Vec<_> = processes.iter().map(|setup| setup.starts).collect();
        let end = faults
            .iter()
            .map(|fault| fault.at + fault.kind.lasts())
            .max();
        Self {
            seed,
            coordinated,
            serves: LeaseCandidateVersion::ALL[rng.usize(..3)],
            times,
            processes,
            faults,
            calm: end.into_iter().chain(starts).fold(span / 3, Micros::max),
            wait_for_absent,
        }
    }

    /// The name and identity of a process.
    pub(crate) fn name(process: usize) -> &'static str {
        ["a", "b", "c", "d"][process]
    }

    /// The settings of a process.
    pub(crate) fn settings(&self, process: usize, life: u64) -> Settings {
        let twin = self.processes[process].twin;
        let identity = Self::name(if twin { 0 } else { process });
        let mut settings = Settings::new(NAMESPACE, LEASE, identity);
        settings.lease_duration = Duration::from_micros(self.times.lease_duration);
        settings.renew_deadline = Duration::from_micros(self.times.renew_deadline);
        settings.retry_period = Duration::from_micros(self.times.retry_period);
        settings.clock_drift = DRIFT;
        settings.wait_for_absent = self.wait_for_absent;
        settings.seed = self.seed ^ (process as u64) << 32 ^ life << 48;
        if self.coordinated {
            let version = format!("1.{}.0", self.processes[process].emulation);
            let candidate = CandidateSettings::new("1.36.0").with_emulation_version(version);
            settings.candidate = Some(candidate);
        }
        settings
    }
}

impl Times {
    fn random(rng: &mut Rng) -> Self {
        let times = match rng.u8(..8) {
            0 => [15_000, 10_000, 2_000],
            1..4 => [6_000, 4_000, 1_500],
            _ => [4_000, 2_600, 1_200],
        };
        let [lease_duration, renew_deadline, retry_period] =
            times.map(|millis: u64| millis * 1_000);
        Self {
            lease_duration,
            renew_deadline,
            retry_period,
        }
    }
}

impl Setup {
    fn random(rng: &mut Rng, span: Micros) -> Self {
        let drift = i64::from(DRIFT);
        Self {
            starts: if rng.bool() {
                rng.u64(..SECOND)
            } else {
                rng.u64(..span / 2)
            },
            drift: [-drift, 0, drift, rng.i64(-drift..=drift)][rng.usize(..4)],
            wall: if rng.u8(..3) == 0 {
                rng.i64(-7_200..7_200)
            } else {
                0
            },
            watches: rng.bool(),
            emulation: rng.u8(33..=36),
            twin: false,
        }
    }
}

impl Fault {
    fn random(rng: &mut Rng, count: usize, span: Micros, duration: Micros) -> Self {
        Self {
            at: rng.u64(..span),
            process: rng.usize(..count),
            kind: Kind::random(rng, duration, count == 1),
        }
    }
}

impl Kind {
    fn random(rng: &mut Rng, duration: Micros, alone: bool) -> Self {
        let lasts = rng.u64(1_000..duration * 2);
        let delay = rng.u64(1_000..LONGEST_DELAY.min(duration * 3 / 2));
        match rng.u8(..20) {
            0 | 1 if rng.u8(..8) == 0 => Self::Pause(lasts * if alone { 1_000 } else { 8 }),
            0 | 1 => Self::Pause(lasts),
            2 | 3 => Self::Crash(lasts),
            4 => Self::ShutDown(lasts),
            5 | 6 => Self::LoseRequests(lasts),
            7 | 8 => Self::LoseAnswers(lasts),
            9 | 10 => Self::Delay(lasts, delay),
            11 => Self::DelayAnswers(lasts, delay),
            12 => Self::Refuse(lasts, rng.u64(..=LONGEST_RETRY_AFTER)),
            13 => Self::SlowWork(lasts, rng.u64(..LONGEST_STOP)),
            14 => Self::BreakWatch(lasts),
            15 => Self::DelayWatch(lasts, delay),
            16 => Self::Jump(rng.i64(-36_000..36_000)),
            17 => Self::ServerJump(rng.i64(-36_000..36_000)),
            18 => Self::Label,
            _ if rng.bool() => Self::DeleteLease,
            _ => Self::DeleteCandidate,
        }
    }

    /// How long the fault lasts.
    fn lasts(self) -> Micros {
        match self {
            Self::Pause(lasts)
            | Self::Crash(lasts)
            | Self::ShutDown(lasts)
            | Self::LoseRequests(lasts)
            | Self::LoseAnswers(lasts)
            | Self::Delay(lasts, _)
            | Self::DelayAnswers(lasts, _)
            | Self::Refuse(lasts, _)
            | Self::SlowWork(lasts, _)
            | Self::BreakWatch(lasts)
            | Self::DelayWatch(lasts, _) => lasts,
            Self::Jump(_)
            | Self::ServerJump(_)
            | Self::Label
            | Self::DeleteLease
            | Self::DeleteCandidate => 0,
        }
    }
}

impl Schedule {
    /// What is wrong for a process at a time, by a question about one kind of fault.
    pub(crate) fn during<T>(
        &self,
        process: usize,
        now: Micros,
        ask: impl Fn(Kind) -> Option<T>,
    ) -> Option<T> {
        self.faults
            .iter()
            .take_while(|fault| fault.at <= now)
            .filter(|fault| fault.process == process && now < fault.at + fault.kind.lasts())
            .find_map(|fault| ask(fault.kind))
    }

    /// Whether the bounds hold: a server whose clock jumps elects the dead, or takes the living for dead.
    pub(crate) fn has_bounds(&self) -> bool {
        let jumps = |fault: &Fault| matches!(fault.kind, Kind::ServerJump(_));
        !(self.coordinated && self.faults.iter().any(jumps))
    }

    /// After what time of calm nothing is left of what went wrong: late requests, lost ones, waits, work that stops.
    pub(crate) fn quiet_after(&self) -> Micros {
        let timeout = (self.times.renew_deadline / 2).max(SECOND);
        let period = (self.times.retry_period * 11 / 5).max(LONGEST_RETRY_AFTER * SECOND);
        LONGEST_DELAY + timeout + period
    }

    /// Within what time after the calm begins somebody leads. The terms, in the order in which they can add up:
    ///
    /// 1. A request that was delayed reaches the server, and looks like a renewal.
    /// 2. A request that was lost is given up.
    /// 3. The next attempt waits for its period, or for as long as the server asked.
    /// 4. The work of an earlier term stops.
    /// 5. The Lease runs out by a slow clock.
    /// 6. The Lease is read and taken; once more if somebody was faster and gave it back.
    pub(crate) fn leads_within(&self) -> Micros {
        let times = self.times;
        let settings = self.settings(0, 0);
        let timeout = (times.renew_deadline / 2).max(SECOND);
        let period = (times.retry_period * 11 / 5).max(LONGEST_RETRY_AFTER * SECOND);
        let drift = |time: Micros| time * u64::from(1_000_000 + 2 * DRIFT) / 1_000_000;
        let plain = LONGEST_DELAY
            + drift(timeout + period + micros(settings.lease_duration))
            + LONGEST_STOP
            + 8 * LATENCY;
        if self.coordinated {
            // The server waits for the Lease to run out, looks every 5 s, asks and waits twice 5 s; then the holder
            // waits until the term before is over for certain.
            plain + drift(period) + 25 * SECOND
        } else {
            plain
        }
    }

    /// Within what time after a release another one leads, if there is another one.
    pub(crate) fn hands_over_within(&self) -> Micros {
        let times = self.times;
        let period = times.retry_period * 11 / 5;
        let plain = period * u64::from(1_000_000 + 2 * DRIFT) / 1_000_000 + 6 * LATENCY;
        if self.coordinated {
            plain + LONGEST_RETRY_AFTER * SECOND + 15 * SECOND + times.lease_duration
        } else {
            plain
        }
    }
}

/// A length of time, for people.
pub(crate) struct Seconds(pub(crate) Micros);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03} s", self.0 / SECOND, self.0 % SECOND / 1_000)
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let election = if self.coordinated {
            "coordinated"
        } else {
            "plain"
        };
        let times = self.times;
        writeln!(
            f,
            "Election: {election}. Lease duration {}, renew deadline {}, retry period {}.",
            Seconds(times.lease_duration),
            Seconds(times.renew_deadline),
            Seconds(times.retry_period)
        )?;
        for (process, setup) in self.processes.iter().enumerate() {
            write!(
                f,
                "`{}` starts at {}",
                Self::name(process),
                Seconds(setup.starts)
            )?;
            if setup.drift != 0 {
                let pace = if setup.drift > 0 { "fast" } else { "slow" };
                write!(
                    f,
                    "; its clock runs {} millionths {pace}",
                    setup.drift.abs()
                )?;
            }
            if setup.wall != 0 {
                let side = if setup.wall > 0 { "ahead" } else { "behind" };
                write!(f, "; its wall clock is {} s {side}", setup.wall.abs())?;
            }
            if setup.twin {
                write!(f, "; it has the identity of `{}`", Self::name(0))?;
            }
            writeln!(f, ".")?;
        }
        Ok(())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = Seconds;
        match *self {
            Self::Pause(lasts) => write!(f, "stands still for {}", time(lasts)),
            Self::Crash(away) => write!(f, "dies, and comes back after {}", time(away)),
            Self::ShutDown(away) => write!(f, "shuts down, and is started after {}", time(away)),
            Self::LoseRequests(lasts) => write!(f, "loses its requests for {}", time(lasts)),
            Self::LoseAnswers(lasts) => write!(f, "loses the answers for {}", time(lasts)),
            Self::Delay(lasts, by) => {
                write!(
                    f,
                    "sends requests that take {} more, for {}",
                    time(by),
                    time(lasts)
                )
            }
            Self::DelayAnswers(lasts, by) => {
                write!(f, "gets answers {} later, for {}", time(by), time(lasts))
            }
            Self::Refuse(lasts, wait) => {
                write!(f, "gets 429 with Retry-After {wait}, for {}", time(lasts))
            }
            Self::SlowWork(lasts, by) => {
                write!(
                    f,
                    "has work that takes {} to stop, for {}",
                    time(by),
                    time(lasts)
                )
            }
            Self::BreakWatch(lasts) => write!(f, "has no watch for {}", time(lasts)),
            Self::DelayWatch(lasts, by) => {
                write!(
                    f,
                    "has a watch that is {} late, for {}",
                    time(by),
                    time(lasts)
                )
            }
            Self::Jump(by) => write!(f, "has a wall clock that jumps by {by} s"),
            Self::ServerJump(by) => write!(f, "sees the server's wall clock jump by {by} s"),
            Self::Label => f.write_str("sees somebody label the Lease"),
            Self::DeleteLease => f.write_str("sees somebody delete the Lease"),
            Self::DeleteCandidate => f.write_str("sees somebody delete its candidate"),
        }
    }
}
