//! The recorded stories, with the model of the server's elector, and with the elector instead of the recorded programs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use k8s_lease_elector::ElectorVerb;
use k8s_lease_elector::k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_lease_elector::k8s_coordination::meta::v1::MicroTime;
use k8s_lease_elector::k8s_coordination::v1::Lease;
use serde_json::Value;

use testing::server::{Change, Elections, LEASE, Micros, SECOND, Server, Serves};

/// The time until a request reaches the server.
const TRANSIT: Micros = 6_000;

/// The time that a program takes to answer a ping, if the recording does not have it.
const ANSWER: Micros = 3_200;

/// The time that a look of the server's elector takes without pings. The looks in the recordings fit it.
const LOOK: Micros = 2_700;
/// The time that a look takes for each ping.
const PING: Micros = 2_500;

/// The stories in which a look with pings was faster than in all others.
///
/// The elector looks again 5 s after the end of a look, and an answer counts for 5 s. Usually the answer comes before the
/// look ends. Here it came a fraction of a millisecond later, so it still counted at the next look.
const QUICK: [(&str, &str); 1] = [("v1.31", "candidate-gone")];
const QUICK_PING: Micros = 0;

/// A retry period: times may differ by less.
const PERIOD: Micros = 2 * SECOND;

/// A recorded story.
pub(crate) struct Story(pub(crate) Value);

/// All recorded stories.
pub(crate) fn stories() -> Vec<Story> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/stories");
    let mut paths = Vec::new();
    for release in ["v1.31", "v1.36"] {
        let files = fs::read_dir(folder.join(release)).unwrap();
        paths.extend(files.map(|file| file.unwrap().path()));
    }
    paths.sort();
    let read = |path| Story(serde_json::from_slice(&fs::read(path).unwrap()).unwrap());
    paths.iter().map(read).collect()
}

/// The values of the holder, of the preferred holder and of the pings of each candidate, with their times.
type Sequences = BTreeMap<String, Vec<(Micros, String)>>;

impl Story {
    pub(crate) fn name(&self) -> &str {
        self.0["name"].as_str().unwrap()
    }

    pub(crate) fn release(&self) -> &str {
        self.0["release"].as_str().unwrap()
    }

    pub(crate) fn version(&self) -> LeaseCandidateVersion {
        self.0["candidates"].as_str().unwrap().parse().unwrap()
    }

    pub(crate) fn steps(&self) -> impl Iterator<Item = &Value> {
        self.0["steps"].as_array().unwrap().iter()
    }

    fn events(&self) -> impl Iterator<Item = &Value> {
        self.0["events"].as_array().unwrap().iter()
    }

    /// The time on the server's wall clock. The recording has times by both clocks.
    fn wall(&self, time: Micros) -> MicroTime {
        let written = |step: &Value| {
            let written = step["body"]["spec"]["renewTime"].as_str()?.parse::<MicroTime>();
            (step["method"] == "PATCH").then(|| (at(step), written.unwrap()))
        };
        let pinged = |event: &Value| {
            let pinged = event["object"]["spec"]["pingTime"].as_str()?.parse::<MicroTime>();
            Some((at(event) - TRANSIT, pinged.unwrap()))
        };
        let known = self.steps().find_map(written).or_else(|| self.events().find_map(pinged));
        let (known_at, known) = known.unwrap();
        let shift = std::time::Duration::from_micros(known_at.abs_diff(time));
        if time < known_at { known.saturating_sub(shift) } else { known.saturating_add(shift) }
    }

    /// Returns `true` if the program of a candidate answers pings at a time.
    pub(crate) fn answers(&self, candidate: &str, time: Micros) -> bool {
        let answers = format!("{candidate} answers a ping");
        let crashes = format!("{candidate} crashes");
        let has = |what: &str| self.steps().find(|step| what_of(step).starts_with(what));
        has(&answers).is_some() && has(&crashes).is_none_or(|step| time < at(step))
    }

    /// Returns `true` if the candidates had not been renewed for long before the story.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self.name(), "silent-candidate" | "nobody-answers")
    }

    /// The times that the program of a candidate took to answer.
    fn took(&self, candidate: &str) -> Vec<Micros> {
        let time = |value: &Value| value.as_str()?.parse::<MicroTime>().ok();
        let of_it = |event: &&Value| event["object"]["metadata"]["name"] == candidate;
        let pings = self.events().filter(of_it);
        let pings: Vec<_> =
            pings.filter_map(|event| time(&event["object"]["spec"]["pingTime"])).collect();
        let answers = format!("{candidate} answers a ping");
        let answers = self.steps().filter(|step| what_of(step) == answers);
        let took = answers.map(|step| {
            let answer = time(&step["body"]["spec"]["renewTime"]).unwrap();
            let ping = pings.iter().filter(|ping| **ping <= answer).max().unwrap();
            u64::try_from(answer.duration_since(*ping).as_micros()).unwrap()
        });
        took.collect()
    }

    /// The recorded sequences.
    fn recorded(&self) -> Sequences {
        let mut sequences = Sequences::new();
        for event in self.events() {
            let object = &event["object"];
            let gone = event["type"] == "DELETED";
            if event["resource"] == "leases" {
                let lease: Lease = serde_json::from_value(object.clone()).unwrap();
                note_lease(&mut sequences, at(event), Some(&lease).filter(|_| !gone));
            } else if let Some(ping) = object["spec"]["pingTime"].as_str().filter(|_| !gone) {
                let name = object["metadata"]["name"].as_str().unwrap();
                note(&mut sequences, format!("ping of {name}"), at(event), ping);
            }
        }
        sequences
    }

    /// The sequences of the model with the recorded steps of the programs. A ping takes the elector this time.
    fn replayed(&self, ping: Micros) -> Sequences {
        let mut replay = Replay {
            story: self,
            server: Server::new(Serves::coordinated(self.version())),
            elections: Elections::new(LOOK, ping),
            answers: Vec::new(),
            answered: BTreeMap::new(),
            sequences: Sequences::new(),
        };
        let end = self.events().chain(self.steps()).map(at).max().unwrap() + SECOND / 2;
        let mut steps = self.steps().map(|step| (at(step) + TRANSIT, step)).peekable();
        loop {
            let step = steps.peek().map(|(at, _)| *at);
            let answer = replay.answers.iter().map(|(at, _)| *at).min();
            let look = replay.elections.next();
            let Some(now) = [step, answer, look].into_iter().flatten().min() else {
                break;
            };
            if now > end {
                break;
            }
            if step == Some(now) {
                replay.step(now, steps.next().unwrap().1);
            } else if answer == Some(now) {
                replay.answer(now);
            } else {
                let clock = self.wall(now);
                for change in replay.elections.look(&mut replay.server, now, clock) {
                    replay.changed(now, &change);
                }
            }
        }
        replay.sequences
    }
}

/// A story that runs on the model.
struct Replay<'a> {
    story: &'a Story,
    server: Server,
    elections: Elections,
    /// The future answers to pings.
    answers: Vec<(Micros, String)>,
    /// The number of answers of each candidate.
    answered: BTreeMap<String, usize>,
    sequences: Sequences,
}

impl Replay<'_> {
    fn step(&mut self, now: Micros, step: &Value) {
        let path = step["path"].as_str().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap();
        let lease = path.contains("/leases/");
        let change = match step["method"].as_str() {
            Some("POST") => self.create(now, &step["body"]),
            Some("PATCH") if lease => {
                let spec = serde_json::from_value(step["body"]["spec"].clone()).unwrap();
                self.server.patch_lease(&spec).1
            }
            Some("DELETE") if lease => self.server.delete_lease(),
            Some("DELETE") => self.server.delete_candidate(name),
            // Answers to pings follow the pings of the model.
            _ => Change::Nothing,
        };
        self.changed(now, &change);
    }

    fn create(&mut self, now: Micros, body: &Value) -> Change {
        let mut body = body.clone();
        body["spec"]["leaseName"] = LEASE.into();
        let candidate: AnyLeaseCandidate = serde_json::from_value(body).unwrap();
        let clock = self.story.wall(now);
        let verb = ElectorVerb::CreateCandidate(candidate.into());
        self.server.execute(&verb, clock).1
    }

    fn answer(&mut self, now: Micros) {
        let next = (0..self.answers.len()).min_by_key(|index| self.answers[*index].0);
        let (_, name) = self.answers.remove(next.unwrap());
        let clock = self.story.wall(now);
        let change = self.server.answer_ping(&name, clock);
        self.changed(now, &change);
    }

    fn changed(&mut self, now: Micros, change: &Change) {
        self.elections.notice(change, now);
        match change {
            Change::Nothing => {}
            Change::Lease => note_lease(&mut self.sequences, now, self.server.lease.as_ref()),
            Change::Candidate(name) => {
                let Some(ping) = self.server.candidates.get(name).and_then(|one| one.ping_time())
                else {
                    return;
                };
                let ping = ping.to_string();
                let new = note(&mut self.sequences, format!("ping of {name}"), now, &ping);
                if new && self.story.answers(name, now) {
                    let answered = self.answered.entry(name.clone()).or_default();
                    let took = self.story.took(name).get(*answered).copied();
                    *answered += 1;
                    let takes = took.unwrap_or(ANSWER);
                    self.answers.push((now + takes, name.clone()));
                }
            }
        }
    }
}

fn note_lease(sequences: &mut Sequences, at: Micros, lease: Option<&Lease>) {
    let text = |text: Option<&String>| text.cloned().unwrap_or_default();
    let holder = lease.map_or("no Lease".to_owned(), |lease| {
        format!("`{}`", text(lease.spec.holder_identity.as_ref()))
    });
    let preferred = lease.and_then(|lease| lease.spec.preferred_holder.as_ref());
    note(sequences, "holder".to_owned(), at, &holder);
    note(sequences, "preferred".to_owned(), at, &text(preferred));
}

/// Adds a value to its sequence if it differs from the last one. Returns `true` if it does.
fn note(sequences: &mut Sequences, of: String, at: Micros, value: &str) -> bool {
    let sequence = sequences.entry(of).or_default();
    let new = sequence.last().is_none_or(|(_, last)| last != value);
    if new {
        sequence.push((at, value.to_owned()));
    }
    new
}

/// The time of a step or an event.
pub(crate) fn at(value: &Value) -> Micros {
    let micros = value["t"].as_f64().unwrap() * 1e6;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "seconds of a test")]
    let micros = micros as Micros;
    micros
}

/// The description of a step.
pub(crate) fn what_of(step: &Value) -> &str {
    step["what"].as_str().unwrap()
}

/// The model has the same holders, preferred holders and pings, at about the same times.
#[test]
fn the_model_agrees_with_the_recordings() {
    let stories = stories();
    assert_eq!(stories.len(), 23);
    for story in &stories {
        let (recorded, replayed) = (story.recorded(), story.replayed(PING));
        let place = (story.release(), story.name());
        let quick = QUICK.contains(&place);
        let agrees = agree(&recorded, &replayed);
        assert_eq!(agrees, !quick, "{place:?}\nrecorded {recorded:?}\nmodel {replayed:?}");
        assert!(agrees || agree(&recorded, &story.replayed(QUICK_PING)), "{place:?}");
    }
}

/// Returns `true` if two sequences are the same, at times that differ by less than a retry period.
fn agree(recorded: &Sequences, replayed: &Sequences) -> bool {
    recorded.keys().eq(replayed.keys())
        && recorded.iter().zip(replayed.values()).all(|((of, recorded), replayed)| {
            // A ping is named by its time, which may differ.
            let is_ping = of.starts_with("ping");
            let mut pairs = recorded.iter().zip(replayed);
            recorded.len() == replayed.len()
                && pairs.all(|((then, value), (now, same))| {
                    (value == same || is_ping) && then.abs_diff(*now) < PERIOD
                })
        })
}

/// The last holder of each story, recorded and with the elector instead of the recorded programs.
#[test]
fn the_elector_ends_where_the_stories_end_or_better() {
    let mut table = String::new();
    writeln!(table, "{:26}{:8}{:12}{:12}", "story", "release", "recorded", "elector").unwrap();
    // With a custom strategy, another program has to write the holder.
    for story in stories().iter().filter(|story| story.name() != "custom-strategy") {
        let recorded = story.recorded();
        let holders = recorded.get("holder").and_then(|holders| holders.last());
        let recorded = holders.map_or("none".to_owned(), |(_, holder)| holder.replace('`', ""));
        let ends = crate::simulation::leader_with_the_elector(story);
        writeln!(table, "{:26}{:8}{recorded:12}{ends}", story.name(), story.release()).unwrap();
    }
    insta::assert_snapshot!(table);
}
