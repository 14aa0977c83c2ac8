//! The world: true time, processes with clocks of their own, a network, and a server.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;
use std::mem;

use fastrand::Rng;
use k8s_lease_elector::{Answer, Event, Failure, FencingToken, Monotonic, Now};

use super::participant::{Id, Next, Participant, Sent, Work};
use super::schedule::{Kind, LATENCY, LONGEST_STOP, Schedule, Seconds};
use crate::model::{Change, Elections, Micros, SECOND, Server, duration, micros, wall};

/// A run of a schedule.
pub(crate) struct World<'a, P> {
    schedule: &'a Schedule,
    now: Micros,
    queue: BinaryHeap<Reverse<Entry>>,
    entries: u64,
    rng: Rng,
    server: Server,
    elections: Elections,
    server_wall: i64,
    processes: Vec<Process<P>>,
    goal: Goal,
    /// How many labels the Lease has.
    labels: usize,
    /// The times at which terms began, with the processes.
    begins: Vec<(Micros, usize)>,
    /// The last term of each Lease object.
    terms: Vec<FencingToken>,
    pub(crate) found: Found,
    story: Option<String>,
    last_told: String,
}

/// What came out of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) violation: Option<String>,
    pub(crate) events: u64,
    pub(crate) terms: u64,
    /// How long after the calm somebody led, in thousandths of the bound.
    pub(crate) led_after: Option<u64>,
    /// How long after a release another one led, in thousandths of the bound.
    pub(crate) handed_over_after: Option<u64>,
}

/// What is to be reached in the calm.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Calm,
    Leader {
        by: Micros,
    },
    Quiet {
        at: Micros,
    },
    Release {
        of: usize,
        by: Micros,
    },
    Successor {
        of: usize,
        since: Micros,
        by: Micros,
    },
    Done,
}

struct Process<P> {
    life: u64,
    participant: Option<P>,
    paused_until: Micros,
    wall: i64,
    /// The wake-up that counts.
    wake: Micros,
    runs: bool,
    stops: bool,
    shuts_down: bool,
    /// Events of a watch come in order.
    watched_until: Micros,
}

struct Entry {
    at: Micros,
    number: u64,
    what: What,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

/// What happens.
enum What {
    Start(usize),
    Fault(usize),
    /// To a process in one of its lives.
    Process(usize, u64, Happens),
    Arrives(Box<Message>),
    Watches(usize, u64),
    Server,
    Goal,
}

/// What happens to a process.
enum Happens {
    Wake(Micros),
    Answer(Id, Box<Answer>),
    Event(Box<Event>),
    WorkStops,
}

struct Message {
    from: usize,
    life: u64,
    id: Id,
    sent: Sent,
}

impl<'a, P: Participant> World<'a, P> {
    pub(crate) fn new(schedule: &'a Schedule, tell: bool) -> Self {
        let mut world = Self {
            schedule,
            now: 0,
            queue: BinaryHeap::new(),
            entries: 0,
            rng: Rng::with_seed(!schedule.seed),
            server: Server::new(schedule.serves),
            elections: Elections::new(4_000, 0),
            server_wall: 0,
            processes: Vec::new(),
            goal: Goal::Calm,
            labels: 0,
            begins: Vec::new(),
            terms: Vec::new(),
            found: Found::default(),
            story: tell.then(|| schedule.to_string()),
            last_told: String::new(),
        };
        for (process, setup) in schedule.processes.iter().enumerate() {
            world.processes.push(Process::new(setup.wall));
            world.push(setup.starts, What::Start(process));
        }
        for (fault, happens) in schedule.faults.iter().enumerate() {
            world.push(happens.at, What::Fault(fault));
        }
        world.push(schedule.calm, What::Goal);
        world
    }

    /// Runs to the end, or to the first violation.
    pub(crate) fn run(mut self) -> (Found, Option<String>) {
        while self.found.violation.is_none() && !matches!(self.goal, Goal::Done) {
            let Some(Reverse(entry)) = self.queue.pop() else {
                break;
            };
            self.now = entry.at;
            self.found.events += 1;
            self.happen(entry.what);
        }
        if let Some(violation) = self.found.violation.clone() {
            self.tell(|| format!("VIOLATION: {violation}"));
        }
        (self.found, self.story)
    }

    /// Runs until a time. Returns the leader then, and the beginnings of all terms.
    pub(crate) fn run_until(mut self, end: Micros) -> (Option<usize>, Vec<(Micros, usize)>) {
        while let Some(Reverse(entry)) = self.queue.pop().filter(|entry| entry.0.at <= end) {
            self.now = entry.at;
            self.happen(entry.what);
        }
        assert_eq!(self.found.violation, None);
        let leader = (0..self.processes.len()).find(|process| self.leads(*process));
        (leader, self.begins)
    }

    fn push(&mut self, at: Micros, what: What) {
        self.entries += 1;
        let number = self.entries;
        self.queue.push(Reverse(Entry { at, number, what }));
    }

    /// Adds a line to the story, if one is told.
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
            What::Server => self.look(),
            What::Goal => self.pursue(),
        }
    }
}

/// Processes.
impl<P: Participant> World<'_, P> {
    fn clocks(&self, process: usize) -> Now {
        Now {
            monotonic: Monotonic::since_start(duration(self.local(process, self.now))),
            wall: wall(self.now, self.processes[process].wall),
        }
    }

    /// What the monotonic clock of a process shows. Each has another start.
    fn local(&self, process: usize, time: Micros) -> Micros {
        let drift = self.schedule.processes[process].drift;
        let rate = u64::try_from(1_000_000 + drift).unwrap();
        (process as Micros + 1) * 1_000 * SECOND + time * rate / 1_000_000
    }

    /// When the monotonic clock of a process shows a time.
    fn true_time(&self, process: usize, local: Micros) -> Micros {
        let drift = self.schedule.processes[process].drift;
        let rate = u64::try_from(1_000_000 + drift).unwrap();
        let passed = local.saturating_sub((process as Micros + 1) * 1_000 * SECOND);
        u64::try_from(u128::from(passed) * 1_000_000 / u128::from(rate)).unwrap() + 1
    }

    fn start_process(&mut self, process: usize) {
        if self.processes[process].participant.is_some() && !self.processes[process].shuts_down {
            return;
        }
        let life = self.processes[process].life + 1;
        let now = self.clocks(process);
        let participant = P::start(self.schedule, process, life, now);
        self.processes[process].begin(life, participant);
        self.tell(|| format!("`{}` starts", Schedule::name(process)));
        self.watch_again(process, life);
        self.settle(process);
    }

    fn happen_to(&mut self, process: usize, life: u64, happens: Happens) {
        let it = &mut self.processes[process];
        if it.life != life {
            return;
        }
        if it.paused_until > self.now {
            let until = it.paused_until;
            self.push(until, What::Process(process, life, happens));
            return;
        }
        let now = self.clocks(process);
        let it = &mut self.processes[process];
        let Some(participant) = &mut it.participant else {
            return;
        };
        match happens {
            Happens::Wake(at) if at != it.wake => return,
            Happens::Wake(_) => {}
            Happens::Answer(id, answer) => participant.answer(id, *answer, now),
            Happens::Event(event) => participant.event(*event, now),
            Happens::WorkStops => {
                (it.runs, it.stops) = (false, false);
                participant.event(Event::WorkStopped, now);
                self.tell(|| format!("the work of `{}` has stopped", Schedule::name(process)));
            }
        }
        self.settle(process);
    }

    /// Lets a process do all that it has to do now.
    fn settle(&mut self, process: usize) {
        let now = self.clocks(process);
        loop {
            let Some(participant) = &mut self.processes[process].participant else {
                return;
            };
            match participant.next(now) {
                Next::Send(id, sent) => self.send(process, id, sent),
                Next::Wait(until) => {
                    let at = self
                        .true_time(process, micros(until.passed()))
                        .max(self.now + 1);
                    let it = &mut self.processes[process];
                    if it.wake != at {
                        it.wake = at;
                        let life = it.life;
                        self.push(at, What::Process(process, life, Happens::Wake(at)));
                    }
                    break;
                }
                Next::Finished => break,
            }
        }
        self.work(process);
        self.check_leaders(process);
        self.check_goal(process);
        let it = &mut self.processes[process];
        if it.participant.as_ref().is_some_and(P::is_released) {
            it.participant = None;
            self.tell(|| format!("`{}` has ended", Schedule::name(process)));
        }
    }

    /// Starts and stops the work, as the participant says.
    fn work(&mut self, process: usize) {
        let it = &mut self.processes[process];
        let Some(participant) = &it.participant else {
            return;
        };
        match participant.work() {
            Work::Run(token) if !it.runs => {
                it.runs = true;
                self.begin_term(process, token);
            }
            Work::Stop if it.runs && !it.stops => {
                it.stops = true;
                let life = it.life;
                let slow = self.schedule.during(process, self.now, |kind| match kind {
                    Kind::SlowWork(by) => Some(by),
                    _ => None,
                });
                let takes = slow.unwrap_or_else(|| self.rng.u64(..SECOND / 5));
                debug_assert!(takes < LONGEST_STOP);
                self.tell(|| {
                    let takes = Seconds(takes);
                    format!(
                        "`{}` stops its work, which takes {takes}",
                        Schedule::name(process)
                    )
                });
                let at = self.now + takes;
                self.push(at, What::Process(process, life, Happens::WorkStops));
            }
            Work::None if it.runs && P::WAITS => {
                let name = Schedule::name(process);
                self.violated(format!("`{name}` goes on before its work has stopped"));
            }
            Work::None if it.runs => {
                it.runs = false;
                self.tell(|| format!("the work of `{}` stops at once", Schedule::name(process)));
            }
            _ => {}
        }
    }

    fn begin_term(&mut self, process: usize, token: Option<FencingToken>) {
        self.found.terms += 1;
        self.begins.push((self.now, process));
        self.tell(|| {
            let term = token.as_ref().map(|token| format!(", term {token}"));
            format!(
                "`{}` LEADS{}",
                Schedule::name(process),
                term.unwrap_or_default()
            )
        });
        let Some(token) = token else {
            return;
        };
        let Some(last) = self.terms.iter_mut().find(|last| last.uid == token.uid) else {
            self.terms.push(token);
            return;
        };
        if *last >= token {
            let message = format!("the term {token} begins after {last}");
            self.violated(message);
        } else {
            *last = token;
        }
    }

    fn believes(&self, process: usize) -> bool {
        let it = &self.processes[process];
        let now = || Monotonic::since_start(duration(self.local(process, self.now)));
        it.runs
            && it
                .participant
                .as_ref()
                .is_some_and(|one| one.believes(now()))
    }

    /// Safety. Whoever begins to believe does so in an event of its own, so that looking then is enough.
    fn check_leaders(&mut self, process: usize) {
        if !self.believes(process) {
            return;
        }
        let other =
            (0..self.processes.len()).find(|other| *other != process && self.believes(*other));
        if let Some(other) = other {
            let names = (Schedule::name(process), Schedule::name(other));
            self.violated(format!(
                "`{}` and `{}` both believe to lead",
                names.0, names.1
            ));
        }
    }
}

/// The network and the server.
impl<P: Participant> World<'_, P> {
    fn latency(&mut self) -> Micros {
        self.rng.u64(500..LATENCY)
    }

    fn send(&mut self, process: usize, id: Id, sent: Sent) {
        let lost = self.schedule.during(process, self.now, |kind| {
            matches!(kind, Kind::LoseRequests).then_some(())
        });
        if lost.is_some() {
            return;
        }
        let late = self.schedule.during(process, self.now, |kind| match kind {
            Kind::Delay(by) => Some(by),
            _ => None,
        });
        let life = self.processes[process].life;
        let at = self.now + self.latency() + late.unwrap_or_default();
        let message = Message {
            from: process,
            life,
            id,
            sent,
        };
        self.push(at, What::Arrives(Box::new(message)));
    }

    fn arrive(&mut self, message: &Message) {
        let refused = self
            .schedule
            .during(message.from, self.now, |kind| match kind {
                Kind::Refuse(status, seconds) => Some(refusal(status, seconds)),
                _ => None,
            });
        let broken = self.schedule.during(message.from, self.now, |kind| {
            matches!(kind, Kind::Break).then(|| refusal(500, 0))
        });
        let answer = refused.unwrap_or_else(|| {
            let answer = self.carry_out(message);
            broken.unwrap_or(answer)
        });
        let lost = self.schedule.during(message.from, self.now, |kind| {
            matches!(kind, Kind::LoseAnswers).then_some(())
        });
        if lost.is_some() {
            return;
        }
        let late = self
            .schedule
            .during(message.from, self.now, |kind| match kind {
                Kind::DelayAnswers(by) => Some(by),
                _ => None,
            });
        let at = self.now + self.latency() + late.unwrap_or_default();
        let happens = Happens::Answer(message.id, Box::new(answer));
        self.push(at, What::Process(message.from, message.life, happens));
    }

    fn carry_out(&mut self, message: &Message) -> Answer {
        let clock = wall(self.now, self.server_wall);
        let before = self
            .server
            .lease
            .as_ref()
            .map(|lease| lease.spec.lease_transitions);
        let (answer, change) = match &message.sent {
            Sent::Verb(verb) => self.server.execute(verb, clock),
            Sent::Patch(spec) => self.server.patch_lease(spec),
        };
        if change != Change::Nothing {
            let from = Schedule::name(message.from);
            self.tell_change(from, &change);
            if change == Change::Lease {
                self.check_write(from, before.flatten());
            }
            self.changed(&change);
        }
        answer
    }

    /// What a write must not do: take fields of others away, or count back.
    fn check_write(&mut self, from: &str, before: Option<i32>) {
        let Some(lease) = &self.server.lease else {
            return;
        };
        if lease.metadata.labels.len() != self.labels {
            self.violated(format!("`{from}` takes a label away"));
        } else if lease.spec.lease_transitions < before {
            self.violated(format!("`{from}` counts the terms back"));
        }
    }

    fn changed(&mut self, change: &Change) {
        if self.server.lease.is_none() {
            self.labels = 0;
        }
        if self.schedule.elects() {
            self.elections.notice(change, self.now);
            self.plan_look();
        }
        for process in 0..self.processes.len() {
            let life = self.processes[process].life;
            if self.sees(process) {
                self.deliver(process, life, change);
            }
        }
    }

    fn plan_look(&mut self) {
        if let Some(next) = self.elections.next() {
            self.push(next, What::Server);
        }
    }

    fn look(&mut self) {
        let clock = wall(self.now, self.server_wall);
        if self.elections.next().is_none_or(|next| next > self.now) {
            return;
        }
        let changes = self.elections.look(&mut self.server, self.now, clock);
        for change in changes {
            self.tell_change("the server", &change);
            self.changed(&change);
        }
        self.plan_look();
    }

    fn sees(&self, process: usize) -> bool {
        let broken = self.schedule.during(process, self.now, |kind| {
            matches!(kind, Kind::BreakWatch).then_some(())
        });
        self.schedule.processes[process].watches
            && self.processes[process].participant.is_some()
            && broken.is_none()
    }

    /// A new watch begins with what is there.
    fn watch_again(&mut self, process: usize, life: u64) {
        if self.processes[process].life == life && self.sees(process) {
            if self.server.lease.is_some() {
                self.deliver(process, life, &Change::Lease);
            }
            let name = Schedule::name(process);
            if self.server.candidate(name).is_some() {
                self.deliver(process, life, &Change::Candidate(name.to_owned()));
            }
        }
    }

    fn deliver(&mut self, process: usize, life: u64, change: &Change) {
        let event = match change {
            Change::Lease => Event::Lease(self.server.lease.clone().map(Box::new)),
            Change::Candidate(name) if name == Schedule::name(process) => {
                Event::Candidate(self.server.candidate(name).cloned().map(Box::new))
            }
            _ => return,
        };
        let late = self.schedule.during(process, self.now, |kind| match kind {
            Kind::DelayWatch(by) => Some(by),
            _ => None,
        });
        let at = self.now + self.latency() + late.unwrap_or_default();
        let it = &mut self.processes[process];
        it.watched_until = it.watched_until.max(at) + 1;
        let at = it.watched_until;
        self.push(
            at,
            What::Process(process, life, Happens::Event(Box::new(event))),
        );
    }

    /// Tells of a write. Of those that repeat the one before, the first is told.
    fn tell_change(&mut self, from: &str, change: &Change) {
        if self.story.is_some() {
            let text = format!(
                "{from} writes {}",
                super::story::change(&self.server, change)
            );
            if self.last_told != text {
                self.last_told.clone_from(&text);
                self.tell(|| text);
            }
        }
    }
}

fn refusal(status: u16, seconds: u64) -> Answer {
    let mut failure = Failure::new(status.to_string());
    failure.retry_after = (seconds > 0).then(|| duration(seconds * SECOND));
    Answer::Failed(failure)
}

/// What goes wrong.
impl<P: Participant> World<'_, P> {
    fn fault(&mut self, fault: usize) {
        let fault = self.schedule.faults[fault];
        let (process, lasts) = (fault.process, fault.lasts);
        self.tell(|| format!("`{}` {fault}", Schedule::name(process)));
        let it = &mut self.processes[process];
        let life = it.life;
        match fault.kind {
            Kind::Pause => it.paused_until = it.paused_until.max(self.now + lasts),
            Kind::Crash => {
                it.end();
                self.push(self.now + lasts, What::Start(process));
            }
            Kind::ShutDown => {
                it.shuts_down = true;
                let event = Happens::Event(Box::new(Event::ShutDown));
                self.push(self.now, What::Process(process, life, event));
                self.push(self.now + lasts, What::Start(process));
            }
            Kind::BreakWatch => self.push(self.now + lasts, What::Watches(process, life)),
            Kind::Jump(by) => it.wall += by,
            Kind::ServerJump(by) => self.server_wall += by,
            Kind::Label => self.label(),
            Kind::DeleteLease if self.server.lease.is_some() => {
                let change = self.server.delete_lease();
                self.changed(&change);
            }
            Kind::DeleteCandidate => {
                let change = self.server.delete_candidate(Schedule::name(process));
                self.changed(&change);
            }
            _ => {}
        }
    }

    fn label(&mut self) {
        let Some(mut lease) = self.server.lease.clone() else {
            return;
        };
        self.labels += 1;
        let label = format!("example.com/{}", self.labels);
        lease.metadata.labels.insert(label, "kept".to_owned());
        let (_, change) = self.server.store_lease(lease);
        self.changed(&change);
    }
}

/// What has to happen in the calm.
impl<P: Participant> World<'_, P> {
    /// The time of a goal has come.
    fn pursue(&mut self) {
        match self.goal {
            Goal::Calm if !self.schedule.has_bounds() => self.goal = Goal::Done,
            Goal::Calm => {
                let by = self.now + self.schedule.leads_within();
                self.goal = Goal::Leader { by };
                self.push(by, What::Goal);
                for process in 0..self.processes.len() {
                    self.check_goal(process);
                }
            }
            Goal::Leader { by } if by <= self.now => {
                let bound = Seconds(self.schedule.leads_within());
                self.violated(format!("nobody leads {bound} after the calm began"));
            }
            Goal::Quiet { at } if at <= self.now => self.release(),
            Goal::Release { of, by } if by <= self.now => {
                let name = Schedule::name(of);
                self.violated(format!("`{name}` does not give the Lease back"));
            }
            Goal::Successor { by, .. } if by <= self.now => {
                let bound = Seconds(self.schedule.hands_over_within());
                self.violated(format!("nobody leads {bound} after the release"));
            }
            _ => {}
        }
    }

    fn leads(&self, process: usize) -> bool {
        let it = &self.processes[process];
        self.believes(process) && !it.stops && !it.shuts_down
    }

    /// Tells the leader to shut down, if somebody else is there.
    fn release(&mut self) {
        let leader = (0..self.processes.len()).find(|process| self.leads(*process));
        let lives = |it: &&Process<P>| it.participant.is_some() && !it.shuts_down;
        let lives = self.processes.iter().filter(lives).count();
        let Some(leader) = leader.filter(|_| lives > 1) else {
            self.goal = Goal::Done;
            return;
        };
        let it = &mut self.processes[leader];
        it.shuts_down = true;
        let life = it.life;
        let event = Happens::Event(Box::new(Event::ShutDown));
        self.tell(|| format!("`{}` shuts down", Schedule::name(leader)));
        self.push(self.now, What::Process(leader, life, event));
        let by = self.now + self.schedule.releases_within();
        self.goal = Goal::Release { of: leader, by };
        self.push(by, What::Goal);
    }

    /// Whether an event of a process has reached the goal.
    fn check_goal(&mut self, process: usize) {
        match self.goal {
            Goal::Leader { .. } if self.leads(process) => {
                let after = self.now - self.schedule.calm;
                self.found.led_after = Some(after * 1_000 / self.schedule.leads_within());
                let at = self
                    .now
                    .max(self.schedule.calm + self.schedule.quiet_after());
                self.goal = Goal::Quiet { at };
                self.push(at, What::Goal);
            }
            Goal::Release { of, .. } if of == process => {
                let participant = self.processes[of].participant.as_ref();
                if participant.is_none_or(P::is_released) {
                    let by = self.now + self.schedule.hands_over_within();
                    let since = self.now;
                    self.goal = Goal::Successor { of, since, by };
                    self.push(by, What::Goal);
                }
            }
            Goal::Successor { of, since, .. } if process != of && self.leads(process) => {
                let after = (self.now - since) * 1_000;
                self.found.handed_over_after = Some(after / self.schedule.hands_over_within());
                self.goal = Goal::Done;
            }
            _ => {}
        }
    }
}

impl<P> Process<P> {
    fn new(wall: i64) -> Self {
        Self {
            life: 0,
            participant: None,
            paused_until: 0,
            wall,
            wake: 0,
            runs: false,
            stops: false,
            shuts_down: false,
            watched_until: 0,
        }
    }

    fn begin(&mut self, life: u64, participant: P) {
        let old = mem::replace(self, Self::new(self.wall));
        self.life = life;
        self.participant = Some(participant);
        self.paused_until = old.paused_until;
    }

    fn end(&mut self) {
        let life = self.life + 1;
        *self = Self::new(self.wall);
        self.life = life;
    }
}
