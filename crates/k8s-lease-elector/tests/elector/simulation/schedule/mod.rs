//! A schedule: the processes, the server and the faults with their times. All of it follows from a seed.

mod bounds;
mod fault;

use std::fmt;
use std::time::Duration;

use fastrand::Rng;
use k8s_lease_elector::k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_lease_elector::{CandidateSettings, Settings};

use testing::server::{LEASE, Micros, NAMESPACE, SECOND, Serves};

pub(crate) use bounds::LATENCY;
pub(crate) use fault::{Fault, Kind, LONGEST_STOP};

/// The schedule of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) seed: u64,
    /// Whether the processes have candidates.
    pub(crate) coordinated: bool,
    pub(crate) serves: Serves,
    pub(crate) processes: Vec<Setup>,
    pub(crate) faults: Vec<Fault>,
    /// The time after the last fault.
    pub(crate) calm: Micros,
    /// The setting `wait_for_absent` of all processes.
    pub(crate) wait_for_absent: bool,
}

/// A process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Setup {
    pub(crate) times: Times,
    pub(crate) starts: Micros,
    /// The drift of its monotonic clock, in millionths: above 0 if it runs fast.
    pub(crate) drift: i64,
    /// The error of its wall clock, in seconds: above 0 if it is ahead.
    pub(crate) wall: i64,
    /// Whether it has watches.
    pub(crate) watches: bool,
    /// The minor number of its emulation version: the lowest is the best.
    pub(crate) emulation: u8,
    /// Whether it has the identity of the first process.
    pub(crate) twin: bool,
}

/// The times in the settings of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Times {
    pub(crate) lease_duration: Micros,
    pub(crate) renew_deadline: Micros,
    pub(crate) retry_period: Micros,
}

/// The most by which a clock may run fast or slow, in millionths.
pub(crate) const DRIFT: u32 = 10_000;

impl Schedule {
    /// The schedule of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let coordinated = rng.u8(..6) == 0;
        let serves = random_server(&mut rng, coordinated);
        let times = Times::random(&mut rng);
        let mixed = rng.u8(..4) == 0;
        let count = 1 + rng.usize(..3);
        let wait_for_absent = rng.u8(..4) == 0;
        let span = times.lease_duration * rng.u64(2..6);
        let mut processes: Vec<_> = (0..count)
            .map(|_| Setup::random(&mut rng, if mixed { None } else { Some(times) }, span))
            .collect();
        if let Some(last) = processes.last_mut().filter(|_| !coordinated && count > 1) {
            last.twin = rng.u8(..8) == 0;
        }
        let mut faults: Vec<_> = (0..rng.usize(0..9))
            .map(|_| Fault::random(&mut rng, count, span, times.lease_duration))
            // A process that starts after a Lease was deleted cannot know its duration.
            .filter(|fault| wait_for_absent && !mixed || !matches!(fault.kind, Kind::DeleteLease))
            .collect();
        if rng.u8(..4) == 0 {
            let more = (0..rng.u8(1..4))
                .map(|_| Fault::of_other_client(&mut rng, coordinated, count, span));
            faults.extend(more);
        }
        // Faults of one process at nearly the same time find more than scattered faults.
        for second in 1..faults.len() {
            if rng.bool() {
                let first = faults[second - 1];
                faults[second].process = first.process;
                faults[second].at = first.at + rng.u64(..times.lease_duration);
            }
        }
        faults.sort_by_key(|fault| fault.at);
        let starts = processes.iter().map(|setup| setup.starts);
        let ends = faults.iter().map(|fault| fault.at + fault.lasts);
        let calm = starts.chain(ends).fold(span / 3, Micros::max);
        let mut schedule =
            Self { seed, coordinated, serves, processes, faults, calm, wait_for_absent };
        schedule.calm += schedule.longest_rest();
        schedule
    }

    /// The name and identity of a process.
    pub(crate) fn name(process: usize) -> &'static str {
        ["a", "b", "c", "d"][process]
    }

    /// The settings of a process.
    pub(crate) fn settings(&self, process: usize, life: u64) -> Settings {
        let setup = self.processes[process];
        let identity = Self::name(if setup.twin { 0 } else { process });
        let mut settings = Settings::new(NAMESPACE, LEASE, identity);
        settings.lease_duration = Duration::from_micros(setup.times.lease_duration);
        settings.renew_deadline = Duration::from_micros(setup.times.renew_deadline);
        settings.retry_period = Duration::from_micros(setup.times.retry_period);
        settings.clock_drift = DRIFT;
        settings.wait_for_absent = self.wait_for_absent;
        settings.seed = self.seed ^ (process as u64) << 32 ^ life << 48;
        if self.coordinated {
            let version = format!("1.{}.0", setup.emulation);
            let candidate = CandidateSettings::new("1.36.0").with_emulation_version(version);
            settings.candidate = Some(candidate);
        }
        settings
    }

    /// Returns `true` if the server elects.
    pub(crate) fn elects(&self) -> bool {
        self.coordinated && self.serves.gate && self.serves.candidates.is_some()
    }

    /// The faults of a process at a time.
    pub(crate) fn faults_of(&self, process: usize, now: Micros) -> impl Iterator<Item = Kind> {
        let begun = self.faults.iter().take_while(move |fault| fault.at <= now);
        begun
            .filter(move |fault| fault.process == process && now < fault.at + fault.lasts)
            .map(|fault| fault.kind)
    }
}

/// A server with coordinated election in most cases, if the processes have candidates.
fn random_server(rng: &mut Rng, coordinated: bool) -> Serves {
    let candidates =
        Some(LeaseCandidateVersion::ALL[rng.usize(..LeaseCandidateVersion::ALL.len())]);
    let case = rng.u8(..8);
    Serves {
        gate: coordinated && case != 0,
        candidates: candidates.filter(|_| coordinated && case != 1),
    }
}

/// The usual times.
impl Default for Times {
    fn default() -> Self {
        Self::of([15_000, 10_000, 2_000])
    }
}

impl Times {
    const fn of([lease_duration, renew_deadline, retry_period]: [Micros; 3]) -> Self {
        Self {
            lease_duration: lease_duration * 1_000,
            renew_deadline: renew_deadline * 1_000,
            retry_period: retry_period * 1_000,
        }
    }

    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..8) {
            0 => Self::default(),
            1..4 => Self::of([6_000, 4_000, 1_500]),
            _ => Self::of([4_000, 2_600, 1_200]),
        }
    }
}

impl Setup {
    /// A process with these times, or with random ones.
    fn random(rng: &mut Rng, times: Option<Times>, span: Micros) -> Self {
        let drift = i64::from(DRIFT);
        let latest = if rng.bool() { SECOND } else { span / 2 };
        Self {
            times: times.unwrap_or_else(|| Times::random(rng)),
            starts: rng.u64(..latest),
            drift: [-drift, 0, drift, rng.i64(-drift..=drift)][rng.usize(..4)],
            wall: if rng.u8(..3) == 0 { rng.i64(-7_200..7_200) } else { 0 },
            watches: rng.bool(),
            emulation: rng.u8(33..=36),
            twin: false,
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
        let election = if self.coordinated { "coordinated" } else { "plain" };
        writeln!(f, "Election: {election}.")?;
        if self.coordinated && !self.elects() {
            writeln!(f, "The server has no coordinated election.")?;
        }
        for (process, setup) in self.processes.iter().enumerate() {
            writeln!(f, "`{}` {setup}.", Self::name(process))?;
        }
        Ok(())
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [duration, deadline, period] =
            [self.times.lease_duration, self.times.renew_deadline, self.times.retry_period]
                .map(Seconds);
        write!(
            f,
            "starts at {} (duration {duration}, deadline {deadline}, period {period})",
            Seconds(self.starts)
        )?;
        if self.drift != 0 {
            let pace = if self.drift > 0 { "fast" } else { "slow" };
            write!(f, "; its clock runs {} millionths {pace}", self.drift.abs())?;
        }
        if self.wall != 0 {
            let side = if self.wall > 0 { "ahead" } else { "behind" };
            write!(f, "; its wall clock is {} s {side}", self.wall.abs())?;
        }
        if self.twin {
            write!(f, "; it has the identity of `{}`", Schedule::name(0))?;
        }
        Ok(())
    }
}
