//! Scenarios of leading by a Lease, as tables of events, requests and states.

use std::fmt::Write;
use std::time::Duration;

use k8s_lease_elector::k8s_coordination::CoordinatedLeaseStrategy;
use k8s_lease_elector::k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_lease_elector::k8s_coordination::meta::v1::ObjectMeta;
use k8s_lease_elector::k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_lease_elector::k8s_coordination::v1beta1::{LeaseCandidate, LeaseCandidateSpec};
use k8s_lease_elector::{
    Call, CallError, CandidateSettings, ElectorAnswer, ElectorEvent, ElectorVerb, LeaderElector,
    Monotonic, Now, Settings, State, Step,
};

use testing::server::{Micros, SECOND, Server, Serves, micros, wall};

/// An elector whose requests wait until the test answers them.
struct Scenario {
    elector: LeaderElector,
    server: Server,
    now: Micros,
    /// The error of the wall clock, in seconds.
    off: i64,
    sent: Vec<Call>,
    table: String,
}

impl Scenario {
    fn new(name: &str, settings: Settings, found: Option<LeaseSpec>) -> Self {
        let candidate = settings.candidate.as_ref();
        let parts = candidate.map(|_| Serves::coordinated(LeaseCandidateVersion::V1beta1));
        let mut server = Server::new(parts.unwrap_or_default());
        if let Some(spec) = found {
            let mut lease = lease(spec);
            lease.metadata.labels.insert("team".to_owned(), "a".to_owned());
            lease.metadata.uid = Some("uid-0".to_owned());
            server.store_lease(lease);
        }
        let now = Now { monotonic: Monotonic::default(), wall: wall(0, 0) };
        let mut scenario = Self {
            elector: LeaderElector::new(settings, now).unwrap(),
            server,
            now: 0,
            off: 0,
            sent: Vec::new(),
            table: format!("# {name}\n"),
        };
        scenario.poll("it starts");
        scenario
    }

    fn clocks(&self) -> Now {
        Now {
            monotonic: Monotonic::since_start(Duration::from_micros(self.now)),
            wall: wall(self.now, self.off),
        }
    }

    /// Polls the elector, and writes a line of the table.
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

    /// Takes the steps of a scenario.
    fn take(mut self, steps: &str) -> Self {
        for step in steps.split(", ").filter(|step| !step.is_empty()) {
            self.step(step);
        }
        self
    }

    /// Takes a step: an answer of the server, a write of another client, or an event of the program.
    fn step(&mut self, step: &str) {
        match step.split_once(' ').unwrap_or((step, "")) {
            ("answer", _) => self.answer(),
            ("answers", _) => {
                while !self.sent.is_empty() {
                    self.answer();
                }
            }
            ("lose", "answer") => _ = self.execute(),
            ("lose", _) => _ = self.sent.remove(0),
            ("404", _) => self.refuse(ElectorAnswer::NotFound),
            ("unknown", _) => self.refuse(ElectorAnswer::NotServed),
            ("serves", version) => self.server.serves.candidates = version.parse().ok(),
            ("break", answer) => self.break_off(answer),
            ("stale", _) => self.refuse(ElectorAnswer::Lease(Box::new(lease(held())))),
            ("labelled", _) => self.other(|_| {}),
            ("taken", _) => self.other(|spec| *spec = held()),
            ("emptied", _) => self.other(|spec| spec.holder_identity = Some(String::new())),
            ("elected", _) => self.other(|spec| *spec = elected()),
            ("preferred", name) => self.other(|spec| spec.preferred_holder = Some(name.to_owned())),
            ("shortened", seconds) => {
                self.other(|spec| spec.lease_duration_seconds = seconds.parse().ok());
            }
            ("deleted", _) => _ = self.server.delete_lease(),
            ("created", _) => _ = self.server.store_lease(lease(held())),
            ("watched", _) => {
                let lease = self.server.lease.clone().map(Box::new);
                self.handle("the watch sees the Lease", ElectorEvent::Lease(lease));
            }
            ("pinged", _) => {
                self.server.ping("me", wall(9 * SECOND, 0));
                self.see_candidate("the watch sees a ping");
            }
            ("seen", _) => self.see_candidate("the watch sees the candidate"),
            ("stopped", _) => self.handle("the work has stopped", ElectorEvent::WorkStopped),
            ("step", seconds) => {
                let rest = Duration::from_secs(seconds.parse().unwrap());
                self.handle("step down", ElectorEvent::StepDown(rest));
            }
            ("shut", _) => self.handle("shut down", ElectorEvent::ShutDown),
            ("pass", seconds) => self.pass(seconds.parse().unwrap()),
            ("wall", off) => self.off = off.parse().unwrap(),
            ("fail", rounds) => {
                for _ in 0..rounds.parse().unwrap() {
                    self.pass(2);
                    while !self.sent.is_empty() {
                        self.fail("503 Service Unavailable");
                    }
                }
            }
            _ => self.fail(step),
        }
    }

    fn see_candidate(&mut self, what: &str) {
        let candidate = self.server.candidates.get("me").cloned().map(Box::new);
        self.handle(what, ElectorEvent::Candidate(candidate));
    }

    fn handle(&mut self, what: &str, event: ElectorEvent) {
        let now = self.clocks();
        self.elector.handle(event, now);
        self.poll(what);
    }

    /// Executes the oldest request.
    fn execute(&mut self) -> (Call, ElectorAnswer) {
        let call = self.sent.remove(0);
        let (answer, _) = self.server.execute(&call.request.verb, wall(self.now, 0));
        (call, answer)
    }

    /// Answers the oldest request a tenth of a second later.
    fn answer(&mut self) {
        self.now += SECOND / 10;
        let (call, answer) = self.execute();
        self.handle(&shown(&answer), ElectorEvent::Answered(call.id, answer));
    }

    /// Answers the oldest request without executing it.
    fn refuse(&mut self, answer: ElectorAnswer) {
        self.now += SECOND / 10;
        let call = self.sent.remove(0);
        self.handle(&shown(&answer), ElectorEvent::Answered(call.id, answer));
    }

    /// Executes the oldest request, and answers it with an error, as if the answer was lost.
    fn break_off(&mut self, answer: &str) {
        let call = self.sent[0].clone();
        self.server.execute(&call.request.verb, wall(self.now, 0));
        self.fail(answer);
    }

    /// Refuses the oldest request with this status and, after `/`, the seconds to wait.
    fn fail(&mut self, status: &str) {
        let (message, wait) = status.split_once(" / ").unwrap_or((status, ""));
        let mut error = CallError::new(message);
        error.retry_after = wait.parse().ok().map(Duration::from_secs);
        self.refuse(ElectorAnswer::Failed(error));
    }

    /// Lets this time pass.
    fn pass(&mut self, seconds: u64) {
        self.now += seconds * SECOND;
        self.poll(&format!("{seconds} s pass"));
    }

    /// Writes the Lease as another client.
    fn other(&mut self, write: impl FnOnce(&mut LeaseSpec)) {
        let mut lease = self.server.lease.clone().unwrap();
        write(&mut lease.spec);
        self.server.store_lease(lease);
    }
}

fn verb(verb: &ElectorVerb) -> String {
    match verb {
        ElectorVerb::ReadLease(_) => "reads".to_owned(),
        ElectorVerb::CreateLease(lease) => format!("creates {}", record(lease)),
        ElectorVerb::TryLease(_) => "tries a Lease".to_owned(),
        ElectorVerb::ReplaceLease(lease) => format!("writes {}", record(lease)),
        ElectorVerb::ReadCandidate(version, name) => format!("reads {version} `{name}`"),
        ElectorVerb::CreateCandidate(_) => "creates its candidate".to_owned(),
        ElectorVerb::ReplaceCandidate(_) => "renews its candidate".to_owned(),
        ElectorVerb::DeleteCandidate(..) => "deletes its candidate".to_owned(),
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

fn shown(answer: &ElectorAnswer) -> String {
    match answer {
        ElectorAnswer::Lease(lease) => {
            let holder = lease.spec.holder_identity.as_deref();
            holder.map_or("the Lease: no holder".to_owned(), |holder| {
                format!("the Lease: `{holder}`")
            })
        }
        ElectorAnswer::Candidate(_) => "the candidate".to_owned(),
        ElectorAnswer::Failed(error) => error.to_string(),
        other => format!("{other:?}"),
    }
}

fn state(state: &State, now: Monotonic) -> String {
    let left = |until: Monotonic| until.since(now).as_secs_f64();
    match state {
        State::Following { leader, .. } => {
            format!("follows {}", leader.as_deref().unwrap_or("no leader"))
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
    let mut settings = Settings::new("default", "work", "me");
    settings.seed = 0;
    settings
}

fn coordinated() -> Settings {
    plain().with_candidate(CandidateSettings::new("1.36.0"))
}

/// A Lease that another process holds.
fn held() -> LeaseSpec {
    LeaseSpec::default()
        .with_holder_identity("other")
        .with_lease_duration_seconds(15)
        .with_acquire_time(wall(0, -100))
        .with_renew_time(wall(0, -1))
        .with_lease_transitions(3)
}

/// A Lease with which the server elects this process.
fn elected() -> LeaseSpec {
    LeaseSpec::default()
        .with_holder_identity("me")
        .with_lease_duration_seconds(5)
        .with_renew_time(wall(0, 0))
        .with_strategy("OldestEmulationVersion")
}

fn lease(spec: LeaseSpec) -> Lease {
    let mut lease = Lease::default().with_spec(spec);
    lease.metadata.name = Some("work".to_owned());
    lease
}

/// An elector without a Lease.
fn absent(name: &str) -> Scenario {
    Scenario::new(name, plain(), None)
}

/// An elector with this Lease.
fn found(name: &str, spec: LeaseSpec) -> Scenario {
    Scenario::new(name, plain(), Some(spec))
}

/// A leader in the first second of its first term.
fn leader(name: &str) -> Scenario {
    absent(name).take("answers")
}

/// A candidate that has read this Lease.
fn candidate(name: &str, spec: LeaseSpec) -> Scenario {
    Scenario::new(name, coordinated(), Some(spec)).take("answers")
}

/// The steps of this number of rounds: in each, these seconds pass and all requests are answered.
fn rounds(count: usize, seconds: u64) -> String {
    vec![format!("pass {seconds}, answers"); count].join(", ")
}

/// The tables of scenarios, each with its steps.
fn tables<'a>(scenarios: impl IntoIterator<Item = (Scenario, &'a str)>) -> String {
    let table = |(scenario, steps): (Scenario, &str)| scenario.take(steps).table;
    scenarios.into_iter().map(table).collect::<Vec<_>>().join("\n")
}

/// A candidate with our name can be of another Lease. It is left to its elector, and the error says what to do.
#[test]
fn a_candidate_of_another_lease() {
    let mut scenario = Scenario::new("", coordinated(), None);
    scenario.server.store(candidate_of("another"));
    let error = |scenario: &Scenario| scenario.elector.candidate_error().cloned();
    scenario = scenario.take(&format!("answers, {}", rounds(3, 2)));
    let found = error(&scenario).unwrap();
    assert_eq!(found.message, "the candidate `me` is of the Lease `another`, not of `work`");
    assert!(found.hint.unwrap().starts_with("give each elector of a process an identity"));
    assert!(!scenario.table.contains("renews its candidate"), "{}", scenario.table);
    // When it is gone, ours comes.
    scenario.server.delete_candidate("me");
    scenario = scenario.take(&rounds(3, 2));
    assert_eq!(error(&scenario), None);
    assert_eq!(scenario.server.candidates["me"].lease_name(), "work");
    // It is not deleted at the end.
    let mut scenario = Scenario::new("", coordinated(), None);
    scenario.server.store(candidate_of("another"));
    scenario = scenario.take(&format!("answers, {}, shut down, answers", rounds(3, 2)));
    assert!(scenario.table.ends_with("| released\n"), "{}", scenario.table);
    assert_eq!(scenario.server.candidates["me"].lease_name(), "another");
}

/// A candidate with our identity of this Lease.
fn candidate_of(lease_name: &str) -> AnyLeaseCandidate {
    let strategy = CoordinatedLeaseStrategy::OldestEmulationVersion;
    let spec = LeaseCandidateSpec::new(lease_name, "1.36.0", strategy);
    let metadata = ObjectMeta::default().with_name("me").with_namespace("default");
    LeaseCandidate::new(spec).with_metadata(metadata).into()
}

#[test]
fn acquiring() {
    let without = |name: &str, change: fn(&mut LeaseSpec)| {
        let mut spec = held();
        change(&mut spec);
        found(name, spec)
    };
    let released = held().with_holder_identity("").with_lease_duration_seconds(1);
    let mut renewed = found("not while the holder renews", held()).take("answers");
    for second in 1..=8 {
        renewed.other(|spec| spec.renew_time = Some(wall(second * SECOND, 0)));
        renewed = renewed.take("pass 3, answers");
    }
    let past = held().with_renew_time(wall(0, -100_000_000));
    let future = held().with_renew_time(wall(0, 100_000_000));
    let mut cautious = plain();
    cautious.wait_for_absent = true;
    let cautious = Scenario::new("with no Lease and `wait_for_absent`", cautious, None);
    let long = format!("answers, {}", rounds(6, 3));
    let table = tables(vec![
        (absent("with no Lease"), "answers"),
        (found("a released Lease", released), "answers"),
        (without("a Lease without a holder", |spec| spec.holder_identity = None), "answers"),
        (found("a Lease with an empty spec", LeaseSpec::default()), "answers"),
        (
            without("a Lease without transitions", |spec| {
                (spec.holder_identity, spec.lease_transitions) = (None, None);
            }),
            "answers",
        ),
        (found("a Lease with a `renewTime` of years ago", past), &long),
        (renewed, ""),
        (found("a `renewTime` in the future changes nothing", future), &long),
        (
            without("a Lease without a duration: the settings count", |spec| {
                spec.lease_duration_seconds = None;
            }),
            &long,
        ),
        (cautious.take("answers"), &rounds(8, 2)),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn acquiring_with_faults() {
    let empty = |name: &str| found(name, LeaseSpec::default());
    let own = found("held by a predecessor of the same name", held().with_holder_identity("me"));
    let table = tables(vec![
        (absent("another client creates the Lease first"), "answer, created, answers"),
        (empty("another client takes the Lease first"), "answer, taken, answers"),
        (
            empty("two conflicts in a row: it waits"),
            "answer, labelled, answer, answer, labelled, answer",
        ),
        (empty("404 between read and update"), "answer, deleted, answers"),
        (absent("403"), "403 Forbidden, pass 5, answers"),
        (absent("the namespace does not exist"), "answer, 404, pass 5, answer"),
        (
            absent("429 and 500 with Retry-After"),
            "429 Too Many Requests / 7, pass 7, 500 Internal Server Error / 9, pass 9, answers",
        ),
        (absent("a request that is lost"), "answer, lose request, pass 5, pass 5, answers"),
        (
            absent("an answer that is lost: the write was carried out"),
            "answer, lose answer, pass 5, pass 5, answers",
        ),
        (
            absent("the same with a watch: it waits before it tries again"),
            "answer, break 502 Bad Gateway, watched, pass 4, answer, break 502 Bad Gateway / 7, watched, pass 6, pass 1, answers",
        ),
        (
            found("an answer is older than what the watch saw", held()),
            "pass 1, emptied, watched, stale answer, answers",
        ),
        (
            absent("429 with Retry-After of 3,000 years: it waits for one duration"),
            "429 Too Many Requests / 99999999999, pass 15, answers",
        ),
        (own.take("answers"), &rounds(6, 3)),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn leading() {
    let table = tables(vec![
        (leader("it renews"), "pass 2, answers, pass 2, answers"),
        (leader("renewals fail for less than the deadline"), "fail 4, pass 2, answers"),
        (leader("renewals fail for longer"), "fail 5, stopped, answers"),
        (
            leader("the answer to a renewal is lost: it reads before it writes again"),
            "pass 2, lose answer, pass 5, answers",
        ),
        (
            leader("another client labels the Lease: conflict, read, write"),
            "labelled, pass 2, answers",
        ),
        (
            leader("another client deletes the Lease"),
            "deleted, pass 2, answers, stopped, answers, pass 2, answers",
        ),
        (leader("another client takes the Lease"), "taken, pass 2, answers, stopped, answers"),
        (leader("another client removes the holder"), "emptied, pass 2, answers, stopped, answers"),
        (leader("the process sleeps for an hour"), "pass 3600, stopped, answers"),
        (
            leader("the wall clock jumps by ten hours"),
            "wall 36000, pass 2, answers, wall -36000, pass 2, answers",
        ),
        (
            leader("another client shortens the duration: the term is shorter until the renewal"),
            "shortened 5, pass 2, answer, answer, answer",
        ),
        (
            leader("the same, and the renewal fails: the work stops before others take the Lease"),
            "shortened 5, pass 2, answer, answer, lose request, pass 2, stopped",
        ),
        (
            leader("429 with a long Retry-After: one more attempt before the deadline"),
            "pass 2, 429 Too Many Requests / 60, pass 4, answers",
        ),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn shutting_down() {
    // A Lease without a holder would tell other processes that all terms are over. The former leader may still lead.
    let again = |name: &str| leader(name).take("deleted, pass 2, answers, stopped, answer");
    let table = tables(vec![
        (found("while it follows", held()), "answers, shut down"),
        (absent("while it takes the Lease"), "answer, shut down, answers"),
        (
            absent("its claim was refused: it has no Lease to release"),
            "answer, 403 Forbidden, shut down, answers",
        ),
        (
            absent("the answer to its claim was lost"),
            "answer, break 503 Service Unavailable, shut down, answers",
        ),
        (leader("while it leads"), "shut down, stopped, answers"),
        (
            leader("while the work stops slowly: the Lease is renewed"),
            "shut down, pass 2, answers, pass 2, answers, stopped, answers",
        ),
        (leader("conflict while it releases"), "shut down, labelled, stopped, answers"),
        (leader("404 while it releases"), "deleted, shut down, stopped, answers"),
        (
            again("before its second term begins: the Lease is left to run out"),
            "answers, shut down, answers",
        ),
        (again("while it takes the Lease for its second term: the same"), "shut down, answers"),
        (
            candidate("elected, before its term begins: the same", held()),
            "elected, watched, answers, shut down, answers",
        ),
        (
            leader("the server hangs"),
            "shut down, stopped, lose request, pass 5, pass 2, lose request, pass 5",
        ),
        (leader("after the renew deadline"), "fail 5, shut down, stopped, answers"),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn stepping_down() {
    let table = tables(vec![
        (found("while it follows", held()), "answers, step 20, pass 2, answers"),
        (absent("while it takes the Lease: it releases the Lease"), "answer, step 20, answers"),
        (
            leader("no other process leads: it leads again after its rest"),
            "step 5, pass 2, answers, stopped, answers, pass 3, answers, pass 2, answers",
        ),
        (
            leader("another process takes the Lease"),
            "step 5, stopped, answers, taken, pass 6, answers",
        ),
        (
            leader("twice: the second rest counts"),
            "step 20, stopped, answers, step 1, pass 2, answers",
        ),
        (leader("shut down in its rest"), "step 20, stopped, answers, shut down, answers"),
        (
            candidate("elected: its candidate is away during its rest", elected()),
            "answers, step 5, stopped, answers, pass 2, answers, pass 3, answers",
        ),
        (
            candidate("the candidate comes back while its deletion hangs", elected()),
            "answers, step 1, stopped, lose request, pass 10, pass 1, answers",
        ),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn coordinated_election() {
    let leads = |name: &str| candidate(name, elected());
    let mut down = leads("a preferred holder: it steps down, and releases the Lease");
    down.server.add_candidate("better", wall(0, 0));
    let mut cautious = coordinated();
    cautious.wait_for_absent = true;
    let name = "elected first, with `wait_for_absent`: it waits for one duration";
    let cautious = Scenario::new(name, cautious, Some(elected()));
    let name = "another client shortens the duration: the term and its times follow the record";
    let long = candidate(name, elected().with_lease_duration_seconds(15));
    let other = candidate("another process led before: it waits until that term is over", held());
    let table = tables(vec![
        (leads("elected: it writes first, then leads"), "pass 1, answers"),
        (candidate("not elected: it never takes the Lease", held()), "pass 30, answers"),
        (other.take("elected, watched, answers"), &rounds(15, 1)),
        (cautious.take("answers"), &rounds(3, 2)),
        (long, "shortened 5, pass 2, answers, pass 1, answers, fail 2"),
        (
            leads(
                "429 for its candidate, with Retry-After of 3,000 years: it waits for one duration",
            ),
            "pinged, 429 Too Many Requests / 99999999999, pass 15, answers",
        ),
        (leads("a ping is answered at once"), "pinged, answers"),
        (
            candidate("without a ping it renews its candidate after 5 min", held()),
            "pass 301, answers",
        ),
        (down, "preferred better, watched, answers, stopped, answers"),
        (
            leads("a preferred holder that is not a candidate: it continues"),
            "preferred better, watched, answers",
        ),
        (
            leads("the server serves another version after an update, and none in between"),
            "serves v1alpha2, pass 2, answers, serves none, pass 2, answers, serves v1beta1, pass 2, answers",
        ),
        (leads("shut down: its candidate is deleted first"), "shut down, stopped, answers"),
        (
            leads("shut down during a renewal of its candidate, which is gone: it creates none"),
            "pinged, shut down, stopped, 404, answers",
        ),
        (
            leads(
                "shut down after an update of the server: its candidate is deleted in the version that is served",
            ),
            "serves v1alpha2, shut down, stopped, answers",
        ),
        (
            leads("the same during a renewal of its candidate"),
            "serves v1alpha1, pinged, shut down, stopped, answers",
        ),
        (
            leads("shut down while the server serves no version: there is no candidate to elect"),
            "serves none, shut down, stopped, answers",
        ),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn without_coordinated_election() {
    let without = |name: &str, fall_back, change: fn(&mut Serves)| {
        let mut settings = coordinated();
        settings.candidate.as_mut().unwrap().fall_back = fall_back;
        let mut scenario = Scenario::new(name, settings, None);
        change(&mut scenario.server.serves);
        scenario
    };
    let no_candidates = |serves: &mut Serves| serves.candidates = None;
    let gate_off = |serves: &mut Serves| serves.gate = false;
    let health = |scenario: &Scenario| {
        let health = scenario.elector.health(scenario.clocks().monotonic);
        health.last_error.unwrap().message
    };
    let tries = "no API for candidates, and it may not fall back: it tries again later";
    let tries = without(tries, false, no_candidates).take("answer, answer, answer, answer, answer");
    assert_eq!(health(&tries), "the server serves no version of LeaseCandidate");
    let patient = without("the gate is off, and it may not fall back", false, gate_off);
    let mut patient = patient.take("answer");
    assert_eq!(health(&patient), "the server has no coordinated election");
    for (steps, settings) in [("", plain()), ("", coordinated()), ("answers, pass 5", plain())] {
        let elsewhere = Scenario::new("", settings, None).take(steps).take("unknown");
        assert_eq!(health(&elsewhere), "the server does not serve `coordination.k8s.io/v1`");
    }
    patient.server.serves.gate = true;
    let plain_one = without("", true, no_candidates).take("answers, pass 2, answers");
    let plain_one = plain_one.elector.health(plain_one.clocks().monotonic);
    let shown = "leads in a plain election, as the server has no coordinated one";
    assert_eq!((plain_one.fell_back, plain_one.to_string()), (true, shown.to_owned()));
    let table = tables(vec![
        (
            without("no API for candidates: plain election", true, no_candidates),
            "answers, pass 2, answers",
        ),
        (without("the feature gate is off: plain election", true, gate_off), "answers"),
        (tries, ""),
        (patient, "pass 5, answers"),
    ]);
    insta::assert_snapshot!(table);
}

#[test]
fn health() {
    let health = |scenario: &Scenario| scenario.elector.health(scenario.clocks().monotonic);
    let scenario = leader("");
    assert_eq!(health(&scenario).to_string(), "leads");
    let scenario = scenario.take("pass 5, lose request");
    assert_eq!(health(&scenario).to_string(), "leads, but has not renewed for 5.1 s");
    let late = health(&scenario.take("pass 2, pass 2, pass 1"));
    assert!(!late.is_good() && !late.leads, "{late}");
    assert!(late.is_alive(), "its term has just ended");

    // Work that does not stop: its term is over 15 s after the last renewal, less the drift.
    for steps in ["fail 5", "shut down"] {
        let mut scenario = leader("").take(steps);
        for (seconds, alive) in [(15, true), (19, true), (20, false), (3_600, false)] {
            scenario.now = seconds * SECOND;
            scenario.poll("the work runs on");
            let health = health(&scenario);
            assert_eq!((health.is_alive(), health.leads), (alive, false), "{steps}: {health}");
        }
        assert!(health(&scenario.take("stopped")).is_alive());
    }

    let mut scenario = candidate("", elected()).take("answers, pinged");
    let renewal = scenario.sent.remove(0);
    assert!(matches!(renewal.request.verb, ElectorVerb::ReplaceCandidate(_)));
    scenario.now += micros(renewal.timeout) + 1;
    scenario.poll("the answer is late");
    let health = scenario.elector.health(scenario.clocks().monotonic);
    let begins = "leads; failed requests in a row: 1, the last: no answer in time (hint: does the API server";
    assert!(health.to_string().starts_with(begins), "{health}");
    // Requests about the Lease that succeed do not hide it.
    let health = scenario.take("answers, pass 1").elector.health(Monotonic::default());
    assert!(health.failures == 1 && health.is_alive() && !health.is_good());
}

/// A successful read before each write does not hide that all writes fail.
#[test]
fn refused_writes_are_failures_in_a_row() {
    let refused = |mut scenario: Scenario, starts: &str| {
        let (mut reads, mut failures) = (0, 0);
        for _ in 0..60 {
            scenario.pass(1);
            while let Some(call) = scenario.sent.first() {
                if matches!(call.request.verb, ElectorVerb::ReadLease(_)) {
                    scenario.answer();
                    reads += 1;
                } else {
                    scenario.fail("403 Forbidden");
                    failures += 1;
                }
                let health = scenario.elector.health(scenario.clocks().monotonic);
                assert_eq!((health.failures, failures > 0), (failures, !health.is_good()));
            }
            if failures == 3 {
                break;
            }
        }
        assert!(failures == 3 && reads > 1, "{failures} failures after {reads} reads");
        let mut scenario = scenario.take(starts);
        while !scenario.sent.is_empty() {
            scenario.answer();
        }
        let health = scenario.elector.health(scenario.clocks().monotonic);
        assert!(health.is_good() && health.leads, "{health}");
    };
    refused(Scenario::new("no permission to create", plain(), None), "pass 5");
    refused(leader("no permission to update"), "pass 2");
}

/// The number of requests in a minute in which reads are answered, and each write is followed by these steps. Each second has
/// rounds of both as long as the elector sends requests.
fn requests_of_a_minute(mut scenario: Scenario, write: &str) -> usize {
    let mut sent = 0;
    let end = scenario.now + 60 * SECOND;
    while scenario.now < end {
        scenario = scenario.take("pass 1");
        for _ in 0..20 {
            let Some(call) = scenario.sent.first() else {
                break;
            };
            sent += 1;
            let reads = matches!(
                call.request.verb,
                ElectorVerb::ReadLease(_) | ElectorVerb::ReadCandidate(..)
            );
            scenario = scenario.take(if reads { "answer" } else { write });
        }
    }
    sent
}

#[test]
fn lost_answers_make_no_storm_of_requests() {
    let mut preferred = candidate("", elected());
    preferred.server.add_candidate("better", wall(0, 0));
    let scenarios = [
        absent(""),
        leader(""),
        preferred.take("preferred better, watched, answers"),
        candidate("", held()).take("pass 301"),
    ];
    for scenario in scenarios {
        let sent = requests_of_a_minute(scenario, "break reset, watched, seen");
        assert!(sent <= 70, "{sent} requests in a minute");
    }
}

/// The leader renews, and looks for the preferred holder, once in each period. The watch sees what it wrote after the answer.
#[test]
fn an_absent_preferred_holder_makes_no_storm_of_requests() {
    let leader = candidate("", elected()).take("answers, preferred gone, watched, answers");
    let sent = requests_of_a_minute(leader, "answer, watched, seen");
    assert!((60..=100).contains(&sent), "{sent} requests in a minute");
}

#[test]
fn a_follower_does_not_follow_itself() {
    let follows =
        |scenario: &Scenario| scenario.elector.state(scenario.clocks().monotonic).to_string();
    let scenario = found("", held()).take("answers");
    assert_eq!(follows(&scenario), "follows `other`");
    let own = found("", held().with_holder_identity("me")).take("answers");
    let waits = "waits until it may lead: the Lease was last seen in its own name, `me`";
    assert_eq!(follows(&own), waits);
    assert_eq!(follows(&leader("").take("fail 5, stopped")), waits);
}

#[test]
fn a_created_lease_has_the_labels_of_the_settings() {
    let settings = plain().with_label("app", "a").with_label("team", "b");
    let released = held().with_holder_identity("");
    // One that exists keeps its own.
    for (found, expected) in
        [(None, r#"{"app": "a", "team": "b"}"#), (Some(released), r#"{"team": "a"}"#)]
    {
        let scenario = Scenario::new("", settings.clone(), found).take("answers");
        let lease = scenario.server.lease.unwrap();
        assert_eq!(lease.spec.holder_identity.as_deref(), Some("me"));
        assert_eq!(format!("{:?}", lease.metadata.labels), expected);
    }
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
}

/// Each renewal changes the record, so a follower sees that the leader renews, however many renewals it misses.
#[test]
fn nobody_takes_the_lease_of_a_leader_whose_wall_clock_stands_still() {
    for seed in 0..20 {
        let mut server = Server::default();
        let now = |seconds| Now {
            monotonic: Monotonic::since_start(Duration::from_secs(seconds)),
            wall: wall(0, 0),
        };
        let mut electors = [("a", 0), ("b", 1)].map(|(name, add)| {
            let mut settings = Settings::new("default", "work", name);
            settings.seed = 2 * seed + add;
            LeaderElector::new(settings, now(0)).unwrap()
        });
        for seconds in 0..600 {
            for elector in &mut electors {
                while let Step::Send(call) = elector.poll(now(seconds)) {
                    let (answer, _) = server.execute(&call.request.verb, wall(0, 0));
                    elector.handle(ElectorEvent::Answered(call.id, answer), now(seconds));
                }
            }
            let lease = server.lease.as_ref().unwrap();
            assert_eq!(lease.spec.holder_identity.as_deref(), Some("a"), "{seed} at {seconds} s");
        }
    }
}
