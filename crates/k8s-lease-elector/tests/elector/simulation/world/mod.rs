//! The world: true time, processes with their clocks, a network, and a server.

mod fault;
mod goal;
mod network;
mod process;
mod uncounted;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use fastrand::Rng;
use k8s_lease_elector::{CallId, ElectorAnswer, ElectorEvent, ElectorVerb, FencingToken};

use crate::simulation::participant::{Broken, Change, Participant};
use crate::simulation::schedule::{Schedule, Seconds};
use testing::server::{Elections, Micros, Server};

/// A run of a schedule.
pub(crate) struct World<'a> {
    schedule: &'a Schedule,
    /// The rule that the drivers break.
    broken: Option<Broken>,
    now: Micros,
    /// The future events by their times; events of one time are in the order in which they were pushed.
    queue: BTreeMap<(Micros, u64), What>,
    pushed: u64,
    rng: Rng,
    server: Server,
    elections: Elections,
    server_wall: i64,
    processes: Vec<Process>,
    goal: Goal,
    /// The number of labels of the Lease.
    labels: usize,
    /// The times at which terms began, with the processes.
    begins: Vec<(Micros, usize)>,
    /// The token of the last term, of any Lease object and any program.
    last_token: Option<FencingToken>,
    /// The time of the last change of the Lease's spec.
    record_since: Micros,
    pub(crate) found: Found,
    story: Option<String>,
    last_told: String,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) violation: Option<String>,
    pub(crate) events: u64,
    pub(crate) terms: u64,
    /// The time from the calm until a process led, in thousandths of the bound.
    pub(crate) led_after: Option<u64>,
    /// The time from a release until another one led, in thousandths of the bound.
    pub(crate) handed_over_after: Option<u64>,
    /// The most requests that a process sent in ten seconds.
    pub(crate) most_requests: usize,
    /// The changes of the states of all electors.
    pub(crate) changes: BTreeSet<Change>,
}

/// The goal in the calm.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Calm,
    Leader { by: Micros },
    Quiet { at: Micros },
    Release { of: usize, by: Micros },
    Successor { of: usize, since: Micros, by: Micros },
    Done,
}

#[derive(Default)]
struct Process {
    life: u64,
    participant: Option<Participant>,
    paused_until: Micros,
    wall: i64,
    /// The time of the next wake-up. One at another time is ignored.
    wake: Micros,
    runs: bool,
    stops: bool,
    shuts_down: bool,
    /// The time before which no term may begin, as the process has stepped down.
    rests_until: Micros,
    /// The times of its requests in the last ten seconds.
    sent: Vec<Micros>,
    /// The time of the last event of its watches: they come in order.
    watched_until: Micros,
}

/// An event of the world.
enum What {
    Start(usize),
    Fault(usize),
    /// An event of a process in one of its lives.
    Process(usize, u64, Happens),
    Arrives(Box<Message>),
    Watches(usize, u64),
    /// The program of this fault, which does not count terms, tries to take the Lease.
    Uncounted(usize),
    Server,
    Goal,
}

/// An event of a process.
enum Happens {
    Wake(Micros),
    Answer(CallId, Box<ElectorAnswer>),
    Event(Box<ElectorEvent>),
    WorkStops,
}

struct Message {
    from: usize,
    life: u64,
    id: CallId,
    verb: ElectorVerb,
}

impl<'a> World<'a> {
    pub(crate) fn new(schedule: &'a Schedule) -> Self {
        let mut world = Self {
            schedule,
            broken: None,
            now: 0,
            queue: BTreeMap::new(),
            pushed: 0,
            rng: Rng::with_seed(!schedule.seed),
            server: Server::new(schedule.serves),
            elections: Elections::new(4_000, 0),
            server_wall: 0,
            processes: Vec::new(),
            goal: Goal::Calm,
            labels: 0,
            begins: Vec::new(),
            last_token: None,
            record_since: 0,
            found: Found::default(),
            story: None,
            last_told: String::new(),
        };
        for (process, setup) in schedule.processes.iter().enumerate() {
            world.processes.push(Process { wall: setup.wall, ..Process::default() });
            world.push(setup.starts, What::Start(process));
        }
        for (fault, happens) in schedule.faults.iter().enumerate() {
            world.push(happens.at, What::Fault(fault));
        }
        world.push(schedule.calm, What::Goal);
        world
    }

    /// Makes all drivers break this rule.
    pub(crate) fn breaking(self, broken: Broken) -> Self {
        Self { broken: Some(broken), ..self }
    }

    /// Makes the run tell a story.
    pub(crate) fn with_story(self) -> Self {
        Self { story: Some(self.schedule.to_string()), ..self }
    }

    /// Runs until the last goal or the first violation. Returns the story, if the run tells one.
    pub(crate) fn run(mut self) -> (Found, Option<String>) {
        while self.found.violation.is_none() && !matches!(self.goal, Goal::Done) {
            let Some(((at, _), what)) = self.queue.pop_first() else {
                break;
            };
            self.now = at;
            self.found.events += 1;
            self.happen(what);
        }
        if let Some(violation) = self.found.violation.clone() {
            self.tell(|| format!("VIOLATION: {violation}"));
        }
        (self.found, self.story)
    }

    /// Runs until a time. Returns the leader then.
    pub(crate) fn leader_at(mut self, end: Micros) -> Option<usize> {
        while self.happens_before(end) {}
        (0..self.processes.len()).find(|process| self.leads(*process))
    }

    /// Runs until the first term of a process, at most until a time. Returns the start of the term.
    pub(crate) fn first_term(mut self, process: usize, end: Micros) -> Option<Micros> {
        loop {
            if let Some((start, _)) = self.begins.iter().find(|(_, leader)| *leader == process) {
                return Some(*start);
            }
            if !self.happens_before(end) {
                return None;
            }
        }
    }

    /// Lets the next thing happen, if that is not after `end`.
    fn happens_before(&mut self, end: Micros) -> bool {
        let Some(((at, _), what)) = self.queue.pop_first().filter(|((at, _), _)| *at <= end) else {
            return false;
        };
        self.now = at;
        self.happen(what);
        assert_eq!(self.found.violation, None);
        true
    }

    fn push(&mut self, at: Micros, what: What) {
        self.pushed += 1;
        self.queue.insert((at, self.pushed), what);
    }

    /// Adds a line to the story, if there is one.
    fn tell(&mut self, line: impl FnOnce() -> String) {
        if let Some(story) = &mut self.story {
            let now = Seconds(self.now).to_string();
            writeln!(story, "{now:>12}  {}", line()).unwrap();
        }
    }

    fn violated(&mut self, violation: String) {
        self.found.violation.get_or_insert(violation);
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Start(process) => self.start_process(process),
            What::Fault(fault) => self.fault(fault),
            What::Process(process, life, happens) => self.happen_to(process, life, happens),
            What::Arrives(message) => self.arrive(&message),
            What::Watches(process, life) => self.watch_again(process, life),
            What::Uncounted(fault) => self.try_uncounted(fault),
            What::Server => self.look(),
            What::Goal => self.pursue(),
        }
    }
}

impl Process {
    fn begin(&mut self, life: u64, participant: Participant) {
        let Self { wall, paused_until, .. } = *self;
        let participant = Some(participant);
        *self = Self { life, participant, paused_until, wall, ..Self::default() };
    }

    fn end(&mut self) {
        *self = Self { life: self.life + 1, wall: self.wall, ..Self::default() };
    }
}
