//! The scenarios of leading by a Lease, one by one: what happens, what the elector sends, where it stands.

use std::fmt::Write;
use std::time::Duration;

use k8s_lease_elector::k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_lease_elector::k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_lease_elector::{
    Answer, Call, CallError, CandidateSettings, Cause, Event, LeaderElector, Monotonic, Now,
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

    fn handle(mut self, what: &str, event: Event) -> Self {
        let now = self.clocks();
        self.elector.handle(event, now);
        self.poll(what);
        self
    }

    /// The server carries the oldest request out and answers, a tenth of a second later.
    fn answer(mut self) -> Self {
        self.now += SECOND / 10;
        let call = self.sent.remove(0);
        let (answer, _) = self.server.execute(&call.request.verb, wall(self.now, 0));
        self.take(&call, answer)
    }

    /// Answers all requests, as they come.
    fn answer_all(mut self) -> Self {
        while !self.sent.is_empty() {
            self = self.answer();
        }
        self
    }

    /// The oldest request is answered with something else, and not carried out.
    fn refuse(mut self, answer: Answer) -> Self {
        self.now += SECOND / 10;
        let call = self.sent.remove(0);
        self.take(&call, answer)
    }

    fn take(self, call: &Call, answer: Answer) -> Self {
        let what = said(&answer);
        self.handle(&what, Event::Answered(call.id, answer))
    }

    /// The oldest request is carried out, and the answer is lost.
    fn lose_answer(mut self) -> Self {
        let call = self.sent.remove(0);
        self.server.execute(&call.request.verb, wall(self.now, 0));
        self
    }

    /// The oldest request is lost.
    fn lose(mut self) -> Self {
        self.sent.remove(0);
        self
    }

    /// Time passes, until something is to be done or it is over.
    fn pass(mut self, seconds: u64) -> Self {
        self.now += seconds * SECOND;
        self.poll(&format!("{seconds} s pass"));
        self
    }

    /// Time passes in rounds of so many seconds, and all requests are answered.
    fn rounds(mut self, count: usize, seconds: u64) -> Self {
        for _ in 0..count {
            self = self.pass(seconds).answer_all();
        }
        self
    }

    /// All requests fail, in rounds of 2 s.
    fn fail(mut self, rounds: usize) -> Self {
        for _ in 0..rounds {
            self = self.pass(2);
            while !self.sent.is_empty() {
                self = self.refuse(failed("503 Service Unavailable"));
            }
        }
        self
    }

    /// Something happens on the server.
    fn on_server(mut self, happens: impl FnOnce(&mut Server)) -> Self {
        happens(&mut self.server);
        self
    }

    /// Somebody else writes the Lease.
    fn other(self, write: impl FnOnce(&mut LeaseSpec)) -> Self {
        self.on_server(|server| {
            let mut lease = server.lease.clone().unwrap();
            write(&mut lease.spec);
            server.store_lease(lease);
        })
    }

    /// Somebody deletes the Lease.
    fn deleted(self) -> Self {
        self.on_server(|server| _ = server.delete_lease())
    }

    /// The wall clock is off by so many seconds.
    fn with_wall(self, off: i64) -> Self {
        Self { off, ..self }
    }

    fn stopped(self) -> Self {
        self.handle("the work has stopped", Event::WorkStopped)
    }

    fn shut_down(self) -> Self {
        self.handle("shut down", Event::ShutDown)
    }

    fn watched(self) -> Self {
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
        other => panic!("{other:?}"),
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
        Answer::Failed(error) => error.to_string(),
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

fn failed(message: &str) -> Answer {
    Answer::Failed(CallError::new(message))
}

fn failed_for(message: &str, seconds: u64) -> Answer {
    Answer::Failed(CallError::new(message).with_retry_after(Duration::from_secs(seconds)))
}

/// A leader in the first second of its first term.
fn leader(name: &str) -> Desk {
    Desk::new(name, plain(), None).answer_all()
}

fn told(desks: impl IntoIterator<Item = Desk>) -> String {
    let tables: Vec<_> = desks.into_iter().map(|desk| desk.table).collect();
    tables.join("\n")
}

#[test]
fn acquiring() {
    let start = |name: &str, spec: LeaseSpec| Desk::new(name, plain(), Some(spec)).answer_all();
    let without = |change: fn(&mut LeaseSpec)| {
        let mut spec = held();
        change(&mut spec);
        spec
    };
    let mut valid = start("not from one that is renewed", held());
    for second in 1..=8 {
        valid = valid.other(|spec| spec.renew_time = Some(wall(second * SECOND, 0)));
        valid = valid.pass(3).answer_all();
    }
    let mut cautious = plain();
    cautious.wait_for_absent = true;
    let table = told(vec![
        leader("from nothing"),
        start(
            "from a released one",
            held().with_holder_identity("").with_lease_duration_seconds(1),
        ),
        start("from one without holder", without(|spec| spec.holder_identity = None)),
        start("from an empty one", LeaseSpec::default()),
        start(
            "from one without transitions",
            without(|spec| (spec.holder_identity, spec.lease_transitions) = (None, None)),
        ),
        start(
            "from one that expired years ago, first seen now",
            held().with_renew_time(wall(0, -100_000_000)),
        )
        .rounds(6, 3),
        valid,
        start(
            "a `renewTime` in the future changes nothing",
            held().with_renew_time(wall(0, 100_000_000)),
        )
        .rounds(6, 3),
        start(
            "from one without a duration: ours counts",
            without(|spec| spec.lease_duration_seconds = None),
        )
        .rounds(6, 3),
        Desk::new("from nothing, with caution", cautious, None).answer_all().rounds(8, 2),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn what_goes_wrong_while_acquiring() {
    let empty = |name: &str| Desk::new(name, plain(), Some(LeaseSpec::default())).answer();
    let absent = |name: &str| Desk::new(name, plain(), None);
    let created = |server: &mut Server| {
        let mut lease = Lease::default().with_spec(held());
        lease.metadata.name = Some("work".to_owned());
        server.execute(&Verb::CreateLease(Box::new(lease)), wall(0, 0));
    };
    let own = held().with_holder_identity("me");
    let table = told(vec![
        absent("somebody creates the Lease first").answer().on_server(created).answer_all(),
        empty("somebody takes the Lease first").other(|spec| *spec = held()).answer_all(),
        empty("404 between read and update").deleted().answer_all(),
        absent("403").refuse(failed("403 Forbidden")).pass(5).answer_all(),
        absent("the namespace does not exist").answer().refuse(Answer::NotFound).pass(5).answer(),
        absent("429 and 500 with Retry-After")
            .refuse(failed_for("429 Too Many Requests", 7))
            .pass(7)
            .refuse(failed_for("500 Internal Server Error", 9))
            .pass(9)
            .answer_all(),
        absent("a request that is lost").answer().lose().pass(5).pass(5).answer_all(),
        absent("an answer that is lost: the write was carried out")
            .answer()
            .lose_answer()
            .pass(5)
            .pass(5)
            .answer_all(),
        Desk::new("an answer is older than what the watch saw", plain(), Some(held()))
            .pass(1)
            .other(|spec| spec.holder_identity = Some(String::new()))
            .watched()
            .refuse(Answer::Lease(Box::new(Lease::default().with_spec(held()))))
            .answer_all(),
        Desk::new("held by a predecessor of the same name", plain(), Some(own))
            .answer_all()
            .rounds(6, 3),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn leading() {
    let table = told(vec![
        leader("it renews").rounds(2, 2),
        leader("renewals fail for less than the deadline").fail(4).pass(2).answer_all(),
        leader("renewals fail for longer").fail(5).stopped().answer_all(),
        leader("the answer to a renewal is lost: it reads before it writes again")
            .pass(2)
            .lose_answer()
            .pass(5)
            .answer_all(),
        leader("somebody labels the Lease: conflict, read, write")
            .other(|_| {})
            .pass(2)
            .answer_all(),
        leader("somebody deletes the Lease")
            .deleted()
            .rounds(1, 2)
            .stopped()
            .answer_all()
            .rounds(1, 2),
        leader("another takes the Lease")
            .other(|spec| *spec = held())
            .rounds(1, 2)
            .stopped()
            .answer_all(),
        leader("the process sleeps for an hour").pass(3_600).stopped().answer_all(),
        leader("the wall clock jumps by ten hours")
            .with_wall(36_000)
            .rounds(1, 2)
            .with_wall(-36_000)
            .rounds(1, 2),
        leader("429 with a long Retry-After: one more attempt before the deadline")
            .pass(2)
            .refuse(failed_for("429 Too Many Requests", 60))
            .pass(4)
            .answer_all(),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn shutting_down() {
    // A Lease without a holder would tell the others that no term is left. The leader before may not know of it yet.
    let again = |name: &str| leader(name).deleted().rounds(1, 2).stopped().answer();
    let table = told(vec![
        Desk::new("while it follows", plain(), Some(held())).answer_all().shut_down(),
        Desk::new("while it takes the Lease", plain(), None).answer().shut_down().answer_all(),
        leader("while it leads").shut_down().stopped().answer_all(),
        leader("while the work stops slowly: the Lease is renewed")
            .shut_down()
            .rounds(2, 2)
            .stopped()
            .answer_all(),
        leader("conflict while it releases").shut_down().other(|_| {}).stopped().answer_all(),
        leader("404 while it releases").deleted().shut_down().stopped().answer_all(),
        again("before its second term begins: the Lease is left to run out")
            .answer_all()
            .shut_down()
            .answer_all(),
        again("while it takes the Lease for its second term: the same").shut_down().answer_all(),
        contender("before a term begins that the server gave it: the same", held())
            .other(elect)
            .watched()
            .answer_all()
            .shut_down()
            .answer_all(),
        leader("the server hangs").shut_down().stopped().lose().pass(5).pass(2).lose().pass(5),
        leader("after the renew deadline").fail(5).shut_down().stopped().answer_all(),
    ]);
    insta::assert_snapshot!(table);
}

/// Writes as the server's elector does when it elects this process.
fn elect(spec: &mut LeaseSpec) {
    *spec = LeaseSpec::default()
        .with_holder_identity("me")
        .with_lease_duration_seconds(5)
        .with_renew_time(wall(0, 0))
        .with_strategy("OldestEmulationVersion");
}

/// A contender in a coordinated election, with a Lease that is there.
fn contender(name: &str, lease: LeaseSpec) -> Desk {
    Desk::new(name, coordinated(), Some(lease)).answer_all()
}

#[test]
fn coordinated_election() {
    let elected = |name: &str| {
        let mut spec = LeaseSpec::default();
        elect(&mut spec);
        contender(name, spec)
    };
    let prefer = |spec: &mut LeaseSpec| spec.preferred_holder = Some("better".to_owned());
    let without = |name: &str, settings, change: fn(&mut Serves)| {
        Desk::new(name, settings, None).on_server(|server| change(&mut server.serves))
    };
    let pinged = elected("a ping is answered at once")
        .on_server(|server| _ = server.ping("me", wall(9 * SECOND, 0)));
    let ping = Event::Candidate(pinged.server.candidates.get("me").cloned().map(Box::new));
    let mut patient = coordinated();
    patient.candidate.as_mut().unwrap().fall_back = false;
    let gate_off = |serves: &mut Serves| serves.gate = false;
    let patient = without("the gate is off, and it may not fall back", patient, gate_off).answer();
    let health = patient.elector.health(patient.clocks().monotonic);
    let message = health.last_error.unwrap().to_string();
    assert_eq!(message, "the server has no coordinated election");
    let table = told(vec![
        elected("elected: it writes first, then leads").rounds(1, 1),
        contender("it never takes what is not given to it", held()).rounds(1, 30),
        contender("another led before: it waits until that term is over", held())
            .other(elect)
            .watched()
            .answer_all()
            .rounds(15, 1),
        pinged.handle("the watch sees a ping", ping).answer_all(),
        elected("a preferred holder: it steps down, and gives the Lease back")
            .on_server(|server| server.add_candidate("better", wall(0, 0)))
            .other(prefer)
            .watched()
            .answer_all()
            .stopped()
            .answer_all(),
        elected("a preferred holder that is gone: it goes on").other(prefer).watched().answer_all(),
        elected("shut down: the candidate goes first").shut_down().stopped().answer_all(),
        without("no API for candidates: plain election", coordinated(), |serves| {
            serves.candidates = None;
        })
        .answer_all(),
        without("the feature gate is off: plain election", coordinated(), gate_off).answer_all(),
        patient.on_server(|server| server.serves.gate = true).rounds(1, 5),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn health() {
    let health = |desk: &Desk| desk.elector.health(desk.clocks().monotonic);
    let desk = leader("");
    assert_eq!(health(&desk).to_string(), "leads");
    let desk = desk.pass(5).lose();
    assert_eq!(health(&desk).to_string(), "leads, but has not renewed for 5.1 s");
    let health = health(&desk.pass(2).pass(2).pass(1));
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
