//! The scenarios of leading by a Lease, one by one: what happens, what the elector sends, where it stands.

use std::fmt::Write;
use std::time::Duration;

use k8s_lease_elector::k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_lease_elector::k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_lease_elector::{
    Answer, Call, CandidateSettings, Cause, Event, Failure, LeaderElector, Monotonic, Now,
    Settings, State, Step, Verb,
};

use crate::model::{Micros, SECOND, Server, Serves, wall};

/// An elector on a desk: its requests wait until the test answers them.
struct Desk {
    elector: LeaderElector,
    server: Server,
    now: Micros,
    /// By how many seconds the wall clock is off.
    off: i64,
    sent: Vec<Call>,
    table: String,
}

impl Desk {
    fn new(name: &str, settings: Settings, lease: Option<LeaseSpec>) -> Self {
        let candidate = settings.candidate.as_ref();
        let parts = candidate.map(|_| Serves::coordinated(LeaseCandidateVersion::V1beta1));
        let mut server = Server::new(parts.unwrap_or_default());
        if let Some(spec) = lease {
            let mut lease = Lease::default().with_spec(spec);
            lease.metadata.name = Some("work".to_owned());
            lease.metadata.labels.insert("team".to_owned(), "a".to_owned());
            lease.metadata.uid = Some("uid-0".to_owned());
            server.store_lease(lease);
        }
        let now = Now { monotonic: Monotonic::default(), wall: wall(0, 0) };
        let mut desk = Self {
            elector: LeaderElector::new(settings, now).unwrap(),
            server,
            now: 0,
            off: 0,
            sent: Vec::new(),
            table: format!("# {name}\n"),
        };
        desk.poll("it starts");
        desk
    }

    fn clocks(&self) -> Now {
        Now {
            monotonic: Monotonic::since_start(Duration::from_micros(self.now)),
            wall: wall(self.now, self.off),
        }
    }

    /// Asks what comes next, and writes a line of the table.
    fn poll(&mut self, event: &str) {
        let now = self.clocks();
        let mut sends = Vec::new();
        let wait = loop {
            match self.elector.poll(now) {
                Step::Send(call) => {
                    sends.push(verb(&call.request.verb));
                    self.sent.push(call);
                }
                Step::Wait(until) => break Some(until),
                _ => break None,
            }
        };
        let out = match (sends.is_empty(), wait) {
            (false, _) => sends.join(", "),
            (true, None) => "ends".to_owned(),
            (true, Some(until)) => match until.since(now.monotonic).as_secs_f64() {
                seconds if seconds < 1e6 => format!("waits {seconds:.1} s"),
                _ => "waits for an event".to_owned(),
            },
        };
        let state = state(&self.elector.state(now.monotonic), now.monotonic);
        let at = Duration::from_micros(self.now).as_secs_f64();
        writeln!(self.table, "{at:7.1} | {event:34} | {out:28} | {state}").unwrap();
    }

    fn handle(&mut self, what: &str, event: Event) -> &mut Self {
        let now = self.clocks();
        self.elector.handle(event, now);
        self.poll(what);
        self
    }

    /// The server carries the oldest request out and answers, a tenth of a second later.
    fn answer(&mut self) -> &mut Self {
        self.now += SECOND / 10;
        let call = self.sent.remove(0);
        let (answer, _) = self.server.execute(&call.request.verb, wall(self.now, 0));
        self.take(&call, answer)
    }

    /// Answers all requests, as they come.
    fn answer_all(&mut self) -> &mut Self {
        while !self.sent.is_empty() {
            self.answer();
        }
        self
    }

    /// The oldest request is answered with something else, and not carried out.
    fn refuse(&mut self, answer: Answer) -> &mut Self {
        self.now += SECOND / 10;
        let call = self.sent.remove(0);
        self.take(&call, answer)
    }

    fn take(&mut self, call: &Call, answer: Answer) -> &mut Self {
        let what = said(&answer);
        self.handle(&what, Event::Answered(call.id, answer))
    }

    /// The oldest request is carried out, and the answer is lost.
    fn lose_answer(&mut self) -> &mut Self {
        let call = self.sent.remove(0);
        self.server.execute(&call.request.verb, wall(self.now, 0));
        self
    }

    /// The oldest request is lost.
    fn lose(&mut self) -> &mut Self {
        self.sent.remove(0);
        self
    }

    /// Time passes, until something is to be done or it is over.
    fn pass(&mut self, seconds: u64) -> &mut Self {
        self.now += seconds * SECOND;
        self.poll(&format!("{seconds} s pass"));
        self
    }

    /// Time passes in rounds of so many seconds, and all requests are answered.
    fn rounds(&mut self, count: usize, seconds: u64) -> &mut Self {
        for _ in 0..count {
            self.pass(seconds).answer_all();
        }
        self
    }

    /// All requests fail, in rounds of 2 s.
    fn fail(&mut self, rounds: usize) -> &mut Self {
        for _ in 0..rounds {
            self.pass(2);
            while !self.sent.is_empty() {
                self.refuse(failed("503 Service Unavailable", None));
            }
        }
        self
    }

    /// Somebody else writes the Lease.
    fn other(&mut self, write: impl FnOnce(&mut LeaseSpec)) -> &mut Self {
        let mut lease = self.server.lease.clone().unwrap();
        write(&mut lease.spec);
        self.server.store_lease(lease);
        self
    }

    fn stopped(&mut self) -> &mut Self {
        self.handle("the work has stopped", Event::WorkStopped)
    }

    fn shut_down(&mut self) -> &mut Self {
        self.handle("shut down", Event::ShutDown)
    }

    fn watched(&mut self) -> &mut Self {
        let lease = self.server.lease.clone().map(Box::new);
        self.handle("the watch sees the Lease", Event::Lease(lease))
    }
}

fn verb(verb: &Verb) -> String {
    match verb {
        Verb::ReadLease(_) => "reads".to_owned(),
        Verb::CreateLease(lease) => format!("creates {}", record(lease)),
        Verb::TryLease(_) => "tries a Lease".to_owned(),
        Verb::ReplaceLease(lease) => format!("writes {}", record(lease)),
        Verb::ReadCandidate(version, name) => format!("reads {version} `{name}`"),
        Verb::CreateCandidate(_) => "creates its candidate".to_owned(),
        Verb::ReplaceCandidate(_) => "renews its candidate".to_owned(),
        Verb::DeleteCandidate(..) => "deletes its candidate".to_owned(),
    }
}

fn record(lease: &Lease) -> String {
    let spec = &lease.spec;
    let holder = spec.holder_identity.as_deref().unwrap_or_default();
    format!(
        "`{holder}` {} s, term {}",
        spec.lease_duration_seconds.unwrap(),
        spec.lease_transitions.unwrap()
    )
}

fn said(answer: &Answer) -> String {
    match answer {
        Answer::Lease(lease) => {
            let holder = lease.spec.holder_identity.as_deref().unwrap_or("nobody");
            format!("the Lease: `{holder}`")
        }
        Answer::Candidate(_) => "the candidate".to_owned(),
        Answer::Failed(failure) => failure.message.clone(),
        other => format!("{other:?}"),
    }
}

fn state(state: &State, now: Monotonic) -> String {
    let left = |until: Monotonic| until.since(now).as_secs_f64();
    match state {
        State::Following { leader } => {
            format!("follows {}", leader.as_deref().unwrap_or("nobody"))
        }
        State::Leading(term) => {
            format!("LEADS {:.1} s, {}", left(term.valid_until()), term.token())
        }
        State::Stopping(term, cause) => {
            format!("stops within {:.1} s: {cause}", left(term.valid_until()))
        }
        State::Releasing => "releases".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn plain() -> Settings {
    Settings::new("default", "work", "me")
}

fn coordinated() -> Settings {
    plain().with_candidate(CandidateSettings::new("1.36.0"))
}

/// A Lease that another holds.
fn held() -> LeaseSpec {
    LeaseSpec::default()
        .with_holder_identity("other")
        .with_lease_duration_seconds(15)
        .with_acquire_time(wall(0, -100))
        .with_renew_time(wall(0, -1))
        .with_lease_transitions(3)
}

fn failed(message: &str, retry_after: Option<u64>) -> Answer {
    let mut failure = Failure::new(message);
    failure.retry_after = retry_after.map(Duration::from_secs);
    Answer::Failed(failure)
}

/// A leader in the first second of its first term.
fn leader(name: &str) -> Desk {
    let mut desk = Desk::new(name, plain(), None);
    desk.answer_all();
    desk
}

fn told(desks: impl IntoIterator<Item = Desk>) -> String {
    let tables: Vec<_> = desks.into_iter().map(|desk| desk.table).collect();
    tables.join("\n")
}

#[test]
fn acquiring() {
    let start = |name: &str, spec: LeaseSpec| {
        let mut desk = Desk::new(name, plain(), Some(spec));
        desk.answer_all();
        desk
    };
    let mut released = held().with_holder_identity("");
    released.lease_duration_seconds = Some(1);
    let without = |change: fn(&mut LeaseSpec)| {
        let mut spec = held();
        change(&mut spec);
        spec
    };
    let mut expired = start(
        "from one that expired years ago, first seen now",
        held().with_renew_time(wall(0, -100_000_000)),
    );
    expired.rounds(6, 3);
    let mut valid = start("not from one that is renewed", held());
    for second in 1..=8 {
        valid.other(|spec| spec.renew_time = Some(wall(second * SECOND, 0)));
        valid.pass(3).answer_all();
    }
    let mut future = start(
        "a `renewTime` in the future changes nothing",
        held().with_renew_time(wall(0, 100_000_000)),
    );
    future.rounds(6, 3);
    let mut no_duration = start(
        "from one without a duration: ours counts",
        without(|spec| spec.lease_duration_seconds = None),
    );
    no_duration.rounds(6, 3);
    let mut cautious = plain();
    cautious.wait_for_absent = true;
    let mut cautious = Desk::new("from nothing, with caution", cautious, None);
    cautious.answer_all();
    cautious.rounds(8, 2);
    insta::assert_snapshot!(told(vec![
        leader("from nothing"),
        start("from a released one", released),
        start("from one without holder", without(|spec| spec.holder_identity = None)),
        start("from an empty one", LeaseSpec::default()),
        start(
            "from one without transitions",
            without(|spec| {
                spec.holder_identity = None;
                spec.lease_transitions = None;
            })
        ),
        expired,
        valid,
        future,
        no_duration,
        cautious,
    ]));
}

#[test]
fn what_goes_wrong_while_acquiring() {
    let mut create = Desk::new("somebody creates the Lease first", plain(), None);
    create.answer();
    create.server.execute(&Verb::CreateLease(Box::new(lease_of_other())), wall(0, 0));
    create.answer_all();

    let mut update =
        Desk::new("somebody takes the Lease first", plain(), Some(LeaseSpec::default()));
    update.answer().other(|spec| *spec = held()).answer_all();

    let mut gone = Desk::new("404 between read and update", plain(), Some(LeaseSpec::default()));
    gone.answer();
    gone.server.delete_lease();
    gone.answer_all();

    let mut forbidden = Desk::new("403", plain(), None);
    forbidden.refuse(failed("403 Forbidden", None)).pass(5).answer_all();

    let mut nowhere = Desk::new("the namespace does not exist", plain(), None);
    nowhere.answer().refuse(Answer::NotFound).pass(5).answer();

    let mut busy = Desk::new("429 and 500 with Retry-After", plain(), None);
    busy.refuse(failed("429 Too Many Requests", Some(7))).pass(7);
    busy.refuse(failed("500 Internal Server Error", Some(9))).pass(9).answer_all();

    let mut before = Desk::new("a request that is lost", plain(), None);
    before.answer().lose().pass(5).pass(5).answer_all();

    let mut after = Desk::new("an answer that is lost: the write was carried out", plain(), None);
    after.answer().lose_answer().pass(5).pass(5).answer_all();

    let own = held().with_holder_identity("me");
    let mut own = Desk::new("held by a predecessor of the same name", plain(), Some(own));
    own.answer_all();
    own.rounds(6, 3);
    insta::assert_snapshot!(told(vec![
        create, update, gone, forbidden, nowhere, busy, before, after, own
    ]));
}

fn lease_of_other() -> Lease {
    let mut lease = Lease::default().with_spec(held());
    lease.metadata.name = Some("work".to_owned());
    lease
}

#[test]
fn leading() {
    let mut renews = leader("it renews");
    renews.rounds(2, 2);

    let mut short = leader("renewals fail for less than the deadline");
    short.fail(4).pass(2).answer_all();

    let mut long = leader("renewals fail for longer");
    long.fail(5).stopped().answer_all();

    let mut lost = leader("the answer to a renewal is lost: it reads before it writes again");
    lost.pass(2).lose_answer().pass(5).answer_all();

    let mut conflict = leader("somebody labels the Lease: conflict, read, write");
    conflict.other(|_| {}).pass(2).answer_all();

    let mut deleted = leader("somebody deletes the Lease");
    deleted.server.delete_lease();
    deleted.pass(2).answer_all().stopped().answer_all().pass(2).answer_all();

    let mut taken = leader("another takes the Lease");
    taken.other(|spec| *spec = held()).pass(2).answer_all().stopped().answer_all();

    let mut slept = leader("the process sleeps for an hour");
    slept.pass(3_600).stopped().answer_all();

    let mut jumps = leader("the wall clock jumps by ten hours");
    jumps.off = 36_000;
    jumps.pass(2).answer_all();
    jumps.off = -36_000;
    jumps.pass(2).answer_all();

    let mut waits = leader("429 with a long Retry-After: one more attempt before the deadline");
    waits.pass(2).refuse(failed("429 Too Many Requests", Some(60))).pass(4).answer_all();
    insta::assert_snapshot!(told(vec![
        renews, short, long, lost, conflict, deleted, taken, slept, jumps, waits
    ]));
}

#[test]
fn shutting_down() {
    let mut acquiring = Desk::new("while it follows", plain(), Some(held()));
    acquiring.answer_all().shut_down();

    let mut claiming = Desk::new("while it takes the Lease", plain(), None);
    claiming.answer().shut_down().answer_all();

    let mut leads = leader("while it leads");
    leads.shut_down().stopped().answer_all();

    let mut slow = leader("while the work stops slowly: the Lease is renewed");
    slow.shut_down().rounds(2, 2).stopped().answer_all();

    let mut conflict = leader("conflict while it releases");
    conflict.shut_down().other(|_| {}).stopped().answer_all();

    let mut gone = leader("404 while it releases");
    gone.server.delete_lease();
    gone.shut_down().stopped().answer_all();

    // A Lease without a holder would tell the others that no term is left. The leader before may not know of it yet.
    let deleted = |name: &str| {
        let mut desk = leader(name);
        desk.server.delete_lease();
        desk.pass(2).answer_all().stopped().answer();
        desk
    };
    let mut early = deleted("before its second term begins: the Lease is left to run out");
    early.answer_all().shut_down().answer_all();

    let mut earlier = deleted("while it takes the Lease for its second term: the same");
    earlier.shut_down().answer_all();

    let mut given = Desk::new(
        "before a term begins that the server gave it: the same",
        coordinated(),
        Some(held()),
    );
    given.answer_all().other(elect).watched().answer_all();
    given.shut_down().answer_all();

    let mut hangs = leader("the server hangs");
    hangs.shut_down().stopped().lose().pass(5).pass(2).lose().pass(5);

    let mut lost = leader("after the renew deadline");
    lost.fail(5).shut_down().stopped().answer_all();
    insta::assert_snapshot!(told(vec![
        acquiring, claiming, leads, slow, conflict, gone, early, earlier, given, hangs, lost
    ]));
}

/// Writes as the server's elector does when it elects this process.
fn elect(spec: &mut LeaseSpec) {
    *spec = LeaseSpec::default()
        .with_holder_identity("me")
        .with_lease_duration_seconds(5)
        .with_renew_time(wall(0, 0))
        .with_strategy("OldestEmulationVersion");
}

#[test]
fn coordinated_election() {
    let elected = |name: &str| {
        let mut spec = LeaseSpec::default();
        elect(&mut spec);
        let mut desk = Desk::new(name, coordinated(), Some(spec));
        desk.answer_all();
        desk
    };
    let mut first = elected("elected: it writes first, then leads");
    first.pass(1).answer_all();

    let mut never =
        Desk::new("it never takes what is not given to it", coordinated(), Some(held()));
    never.answer_all().pass(30).answer_all();

    let mut other = Desk::new(
        "another led before: it waits until that term is over",
        coordinated(),
        Some(held()),
    );
    other.answer_all().other(elect).watched().answer_all();
    other.rounds(15, 1);

    let mut ping = elected("a ping is answered at once");
    ping.server.ping("me", wall(9 * SECOND, 0));
    let candidate = ping.server.candidate("me").cloned().map(Box::new);
    ping.handle("the watch sees a ping", Event::Candidate(candidate)).answer_all();

    let mut down = elected("a preferred holder: it steps down, and gives the Lease back");
    down.server.add_candidate("better", wall(0, 0));
    down.other(|spec| spec.preferred_holder = Some("better".to_owned()));
    down.watched().answer_all().stopped().answer_all();

    let mut stale = elected("a preferred holder that is gone: it goes on");
    stale.other(|spec| spec.preferred_holder = Some("better".to_owned()));
    stale.watched().answer_all();

    let mut end = elected("shut down: the candidate goes first");
    end.shut_down().stopped().answer_all();

    let mut none = Desk::new("no API for candidates: plain election", coordinated(), None);
    none.server.serves.candidates = None;
    none.answer_all();

    let mut off = Desk::new("the feature gate is off: plain election", coordinated(), None);
    off.server.serves.gate = false;
    off.answer_all();
    let mut patient = coordinated();
    patient.candidate.as_mut().unwrap().fall_back = false;
    let mut patient = Desk::new("the gate is off, and it may not fall back", patient, None);
    patient.server.serves.gate = false;
    patient.answer();
    let health = patient.elector.health(patient.clocks().monotonic);
    assert_eq!(health.last_failure.unwrap(), "the server has no coordinated election");
    patient.server.serves.gate = true;
    patient.rounds(1, 5);
    insta::assert_snapshot!(told(vec![
        first, never, other, ping, down, stale, end, none, off, patient
    ]));
}

#[test]
fn health() {
    let mut desk = leader("");
    let health = |desk: &Desk| desk.elector.health(desk.clocks().monotonic).to_string();
    assert_eq!(health(&desk), "leads");
    desk.pass(5).lose();
    assert_eq!(health(&desk), "leads, but has not renewed for 5.1 s");
    desk.pass(2);
    desk.pass(2).pass(1);
    let health = desk.elector.health(desk.clocks().monotonic);
    assert!(!health.is_good() && !health.leads, "{health}");
}

#[test]
fn settings_are_checked_as_a_whole() {
    let mut settings = Settings::new("Default", "Work", "");
    settings.lease_duration = Duration::from_millis(2_500);
    settings.renew_deadline = Duration::from_millis(2_499);
    settings.retry_period = Duration::from_secs(3);
    settings.clock_drift = 200_000;
    settings.candidate = Some(CandidateSettings::new("v1"));
    let now = Now { monotonic: Monotonic::default(), wall: wall(0, 0) };
    let errors = LeaderElector::new(settings, now).unwrap_err();
    insta::assert_snapshot!(errors);
    assert_eq!(Cause::ShutDown.to_string(), "the program shuts down");
}
