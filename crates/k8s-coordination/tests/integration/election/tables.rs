//! One case for each rule, and for behaviour that recordings cannot show.

use std::collections::BTreeSet;

use k8s_coordination::CoordinatedLeaseStrategy as Strategy;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{CandidateOutcome, Decision, ElectionError, ElectionOutcome};
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta};
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_coordination::v1beta1;
use serde_json::{Map, Value};

use super::{NOW, elect, elect_for, object};
use testing::table::rows;

const OLDEST: Strategy = Strategy::OldestEmulationVersion;

fn time(text: &str) -> MicroTime {
    text.parse().unwrap()
}

/// A candidate from its name, emulation version and binary version (`-` is an empty text), and other fields, such as
/// `lease=other`. Without that it is eligible and asks for `OldestEmulationVersion`.
fn candidate(text: &str) -> AnyLeaseCandidate {
    let mut words = text.split_whitespace().map(|word| if word == "-" { "" } else { word });
    let [name, emulation, binary] = [(); 3].map(|()| words.next().unwrap());
    let mut metadata = ObjectMeta::default().with_name(name).with_namespace("ns");
    let mut spec = v1beta1::LeaseCandidateSpec::new("lock", binary, OLDEST)
        .with_emulation_version(emulation)
        .with_renew_time(time(NOW));
    let mut list = None;
    for word in words {
        let (field, value) = word.split_once('=').unwrap();
        match field {
            "namespace" => metadata.namespace = Some(value.to_owned()),
            "lease" => spec.lease_name = value.into(),
            "renewed" => spec.renew_time = Some(value).filter(|text| !text.is_empty()).map(time),
            "pinged" => spec.ping_time = Some(time(value)),
            "created" => metadata.creation_timestamp = Some(value.parse().unwrap()),
            "asks" => spec.strategy = value.into(),
            "lists" => list = Some(strategies(value)),
            other => panic!("{other}"),
        }
    }
    object(metadata, spec, list)
}

fn strategies(list: &str) -> Vec<Strategy> {
    list.split(',').filter(|strategy| !strategy.is_empty()).map(Strategy::from).collect()
}

/// Candidates with `;` between them.
fn candidates(text: &str) -> Vec<AnyLeaseCandidate> {
    text.split(';').filter(|text| !text.trim().is_empty()).map(candidate).collect()
}

/// An election without a Lease. Its candidates are not freed: the outcome borrows them.
fn elect_first(text: &str) -> ElectionOutcome<'static> {
    elect(candidates(text).leak(), None)
}

/// The fields of a lease that `holder` holds and that has not expired.
fn held(holder: &str) -> Map<String, Value> {
    let spec = LeaseSpec::default()
        .with_holder_identity(holder)
        .with_lease_duration_seconds(60)
        .with_renew_time(time(NOW))
        .with_acquire_time(time(NOW))
        .with_lease_transitions(7)
        .with_strategy(OLDEST);
    fields(&spec)
}

fn fields(spec: &LeaseSpec) -> Map<String, Value> {
    let json = serde_json::to_value(spec).unwrap();
    json.as_object().unwrap().clone()
}

/// A lease with some fields changed, such as `preferredHolder=a`, or removed, such as `renewTime=`.
fn lease(mut fields: Map<String, Value>, changes: &str) -> Lease {
    for change in changes.split_whitespace() {
        let (name, value) = change.split_once('=').unwrap();
        let value = match value {
            "" => Value::Null,
            "''" => "".into(),
            value => value.into(),
        };
        fields.insert(name.to_owned(), value);
    }
    Lease::default().with_spec(serde_json::from_value(fields.into()).unwrap())
}

/// The changes that make one `spec` the other.
fn changes(before: &LeaseSpec, after: &LeaseSpec) -> String {
    let (before, after) = (fields(before), fields(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = names.iter().filter(|name| before.get(**name) != after.get(**name));
    let change = |name: &&String| match after.get(*name) {
        None => format!("{name}="),
        Some(Value::String(text)) => format!("{name}={text}"),
        Some(value) => format!("{name}={value}"),
    };
    changed.map(change).collect::<Vec<_>>().join(" ")
}

/// Candidates, and the reasons why they are not eligible, as programs read them.
const INELIGIBLE: &str = r#"
a 1.0.0 1.0.0                                     |
a 1.0.0 1.0.0 namespace=other                     | {"standing":"otherNamespace"}
a 1.0.0 1.0.0 lease=other                         | {"standing":"otherLease","leaseName":"other"}
- 1.0.0 1.0.0                                     | {"standing":"unnamed"}
a 1.0.0 1.0.0 renewed=                            | {"standing":"neverRenewed"}
a 1.0.0 1.0.0 renewed=2026-01-01T11:30:00Z        |
a 1.0.0 1.0.0 renewed=2026-01-01T11:29:59.999999Z | {"standing":"expired","renewed":"2026-01-01T11:29:59.999999Z"}
a 1.0.0 1.0.0 renewed=9999-12-30T22:00:00Z        |
a 1.0.0 1.0.0 renewed=0000-01-01T00:00:00Z        | {"standing":"expired","renewed":"0000-01-01T00:00:00.000000Z"}
"#;

#[test]
fn candidates_that_are_not_eligible() {
    for [candidate, expected] in rows(INELIGIBLE) {
        let outcome = elect_first(candidate);
        let standing = outcome.candidates[0].standing;
        let json = serde_json::to_string(&standing).unwrap();
        assert_eq!(if standing.is_eligible() { "" } else { &json }, expected, "{candidate}");
        let is_idle = outcome.decision == Decision::NoCandidates;
        assert_eq!(is_idle, !expected.is_empty(), "{candidate}");
    }
}

/// Lists with `;` between them, and the strategy that comes out or the sort of error.
const LISTS: &str = "
x/a                                         | x/a
OldestEmulationVersion                      | OldestEmulationVersion
x/a,x/b,x/c                                 | x/a
x/a; x/a                                    | x/a
x/a; x/b,x/a                                | x/b
x/a,x/b; x/b,x/c; x/c,x/d                   | x/a
x/a,x/b; OldestEmulationVersion,x/a; x/b    | OldestEmulationVersion
x/a,x/b; x/a,x/c; x/b,x/d; x/c,x/d          | x/a
# The same preference twice is one.
x/a,x/b; x/a,x/b                            | x/a
x/a; x/b                                    | unrelated
x/a,x/c; x/b,x/c                            | unrelated
x/a,x/b; x/b,x/a                            | cycle
x/a,x/a                                     | cycle
x/a,x/b,x/a                                 | cycle
# A cycle anywhere, also below a single root or next to another.
x/a,x/b,x/c,x/b                             | cycle
x/a; x/b,x/c,x/b                            | cycle
x/a,x/b,x/a; x/a,x/c                        | cycle
                                            | no preference
x/a;                                        | no preference
x/a,x/b; x/b,x/c; x/c,x/a; x/d              | cycle
";

#[test]
fn strategy_of_lists() {
    for [lists, expected] in rows(LISTS) {
        let of_list = |list: &str| candidate(&format!("c - - lists={}", list.trim()));
        let mut candidates: Vec<_> = lists.split(';').map(of_list).collect();
        for _ in 0..2 {
            let outcome = elect(&candidates, None);
            let found = match outcome.error() {
                Some(ElectionError::NoPreference { .. }) => "no preference",
                Some(ElectionError::Cycle { .. }) => "cycle",
                Some(ElectionError::Unrelated { .. }) => "unrelated",
                _ => outcome.strategy.as_ref().unwrap().as_str(),
            };
            assert_eq!(found, expected, "{lists}");
            candidates.reverse();
        }
    }
}

/// Binary versions with strategies, and the strategy that comes out; `disputed` where a server could stop.
const VOTES: &str = "
c - 1.0.0 asks=x/a                                                   | x/a
c - 1.0.0 asks=x/a; c - 1.0.1 asks=x/b                               | x/b
c - 1.1.10 asks=x/a; c - 1.1.2 asks=x/b                              | x/a
c - 1.0.0-rc asks=x/a; c - 1.0.0 asks=x/b                            | x/b
c - 1.0.0 asks=x/a; c - 1.0.0 asks=x/a                               | x/a
c - 1.0.0 asks=x/a; c - 1.0.0+build asks=x/b                         |
c - v1.0 asks=x/a; c - 1.0.0 asks=x/b                                |
# A version that cannot be read, or is empty, is 0.0.0.
c - x asks=x/a; c - 0.0.1 asks=x/b                                   | x/b
c - - asks=x/a; c - x asks=x/b                                       |
c - x asks=x/a; c - 0.0.0-rc asks=x/b                                | x/a
# The documented rule; a server that sees the first two first stops there.
c - 1.0.0 asks=x/a; c - 1.0.0 asks=x/b; c - 2.0.0 asks=x/a           | x/a disputed
c - 1.0.0 asks=x/b; c - 1.0.0 asks=x/b; c - 2.0.0 asks=x/a           | x/a
c - 1.0.0 asks=x/a; c - 2.0.0 asks=x/a; c - 2.0.0 asks=x/b           |
";

#[test]
fn strategy_of_the_highest_binary_version() {
    for [votes, expected] in rows(VOTES) {
        let mut candidates = candidates(votes);
        for _ in 0..2 {
            let outcome = elect(&candidates, None);
            let disputed = if outcome.disputed().is_some() { " disputed" } else { "" };
            let found = outcome
                .strategy
                .as_ref()
                .map(|strategy| format!("{}{disputed}", strategy.as_str()));
            assert_eq!(found.unwrap_or_default(), expected, "{votes}");
            candidates.reverse();
        }
    }
}

/// Candidates, and the best.
const BEST: &str = "
a 1.2.0 1.2.0; b 1.1.0 1.3.0                                                          | b
a 1.10.0 1.10.0; b 1.9.0 1.9.0                                                        | b
a 1.1.0-rc 1.1.0; b 1.1.0 1.1.0                                                       | a
a 1.1.0 1.3.0; b 1.1.0 1.2.0                                                          | b
a 1.1.0+x 1.2.0; b 1.1.0+y 1.1.0                                                      | b
a 1.1.0 1.1.0 created=2026-01-01T02:00:00Z; b 1.1.0 1.1.0 created=2026-01-01T01:00:00Z | b
a 1.1.0 1.1.0 created=2026-01-01T02:00:00Z; b 1.1.0 1.1.0                             | b
a 1.1.0 1.1.0 created=2026-01-01T01:00:00Z; b 1.0.0 1.1.0 created=2026-01-01T02:00:00Z | b
a 1.1.0 1.1.0; b 1.1.0 1.1.0                                                          | a
# Read tolerantly, or not at all.
a v1.2 1.2; b 1.1 01.1                                                                | b
a 1.2.0 1.2.0; b - 1.1.0                                                              | a
a 1.2.0 1.2.0; b 1.1.0 -                                                              | a
a 1.2.0 1.2.0; b V1.1 1.1.0                                                           | a
a 0.0.0 0.0.0; b 0.0.1 0.0.1                                                          | a
a - -; b x y                                                                          |
# The strategy that the leader itself asks for makes no difference, unless it decides: then no leader is picked.
a 1.0.0 1.0.0 asks=x/a; b 1.1.0 1.1.0                                                 | a
a 1.0.0 1.0.0 asks=x/a; b 1.1.0 1.1.0; c 1.2.0 1.2.0 asks=x/a                         |
";

#[test]
fn leader() {
    for [candidates, expected] in rows(BEST) {
        let outcome = elect_first(candidates);
        assert_eq!(outcome.best.unwrap_or_default(), expected, "{candidates}");
        let written = outcome.written().map(|lease| &lease.spec);
        let overruled = written.filter(|_| expected.is_empty());
        match outcome.error() {
            Some(error) => assert_eq!(error, &ElectionError::NoneComparable),
            None => assert!(overruled.is_none_or(|spec| spec.holder_identity.is_none())),
        }
    }
}

/// Lists count with their first strategy as soon as one eligible candidate is of a later version.
const MIXED: &str = "
a 1.0.0 1.0.0 lists=x/a,OldestEmulationVersion; b 1.0.0 1.1.0 lists=OldestEmulationVersion,x/a | the preferences contradict each other:
a 1.0.0 1.0.0 lists=x/a,OldestEmulationVersion; c 1.0.0 1.0.0 | binary version `1.0.0` is the highest, and the candidates that have it disagree:
a 1.0.0 1.0.0 lists=x/a,OldestEmulationVersion; b 1.0.0 1.1.0 lists=OldestEmulationVersion,x/a; c 1.0.0 1.0.0 | OldestEmulationVersion
a 1.0.0 1.0.0 lists=x/a,OldestEmulationVersion; b 1.0.0 1.1.0 lists=OldestEmulationVersion,x/a; c 1.0.0 1.0.0 renewed= | the preferences contradict each other:
";

#[test]
fn mixed_versions() {
    for [candidates, expected] in rows(MIXED) {
        let outcome = elect_first(candidates);
        let error = outcome.error().map(ToString::to_string);
        let found = error.unwrap_or_else(|| outcome.strategy.unwrap().to_string());
        assert!(found.starts_with(expected), "{found}");
    }
}

/// The reason why an election is due, and the candidate or the holder that it names.
fn due(outcome: &ElectionOutcome<'_>) -> String {
    let due = serde_json::to_value(&outcome.due).unwrap();
    let words =
        ["reason", "candidate", "holder", "renewed", "seconds"].map(|name| match &due[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
    words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Changes of a lease that the best candidate holds and that has not expired, the last renewal of the other candidate,
/// and the reason why an election is due. If there are several, it is the first that a server checks.
const DUE: &str = "
                                                        | 12:00:00        |
                                                        | 11:45:00        |
                                                        | 11:44:59.999999 | notRenewed worse
renewTime=                                              | 12:00:00        | noRenewTime
leaseDurationSeconds=                                   | 12:00:00        | noDuration
renewTime=2026-01-01T11:59:00Z                          | 12:00:00        |
renewTime=2026-01-01T11:58:59.999999Z                   | 12:00:00        | expired 2026-01-01T11:58:59.999999Z 60
holderIdentity=''                                       | 12:00:00        | noHolder
holderIdentity=                                         | 12:00:00        | noHolder
holderIdentity=worse                                    | 12:00:00        | notTheBest worse
holderIdentity=stranger                                 | 12:00:00        | notEligible stranger
# Several reasons.
renewTime= leaseDurationSeconds=                        | 12:00:00        | noRenewTime
leaseDurationSeconds= renewTime=2026-01-01T11:00:00Z holderIdentity='' | 12:00:00 | noDuration
renewTime=2026-01-01T11:58:59.999999Z holderIdentity='' | 11:44:59.999999 | expired 2026-01-01T11:58:59.999999Z 60
holderIdentity=''                                       | 11:44:59.999999 | noHolder
holderIdentity=worse                                    | 11:44:59.999999 | notRenewed worse
";

#[test]
fn reasons_why_an_election_is_due() {
    let both = |renewed: &str| {
        candidates(&format!("best 1.0.0 1.0.0; worse 1.1.0 1.1.0 renewed=2026-01-01T{renewed}Z"))
    };
    for [changes, renewed, expected] in rows(DUE) {
        let (candidates, lease) = (both(renewed), lease(held("best"), changes));
        let outcome = elect(&candidates, Some(&lease));
        assert_eq!(due(&outcome), expected, "{changes}");
        let is_idle = outcome.decision == Decision::BestHolds;
        assert_eq!(is_idle, expected.is_empty(), "{changes}");
    }
    assert_eq!(due(&elect(&both("12:00:00"), None)), "noLease");
}

#[test]
fn a_held_lease_that_is_left_alone() {
    let lease = lease(held("other"), "");
    let decision = |text| elect(candidates(text).leak(), Some(&lease)).decision;
    assert_eq!(decision("a 1.0.0 1.0.0 asks=x/a"), Decision::OtherStrategy);
    assert_eq!(decision("a - -"), Decision::NoneComparable);
    let disagree = decision("a 1.0.0 1.0.0 asks=x/a; b 1.0.0 1.0.0 asks=x/b");
    assert!(matches!(disagree, Decision::Failed { error } if error.is_about_strategy()));
}

/// The holder of the lease, other fields before, and the fields that the election of `a` writes. `gone` is a preferred holder that is
/// out of date: it stays until the lease is handed over.
const CHANGES: &str = "
b |                      | preferredHolder=a
b | preferredHolder=gone | preferredHolder=a
b | preferredHolder=a    |
a | preferredHolder=gone |
a |                      |
  |                      | acquireTime= holderIdentity=a leaseDurationSeconds=5
  | preferredHolder=gone | acquireTime= holderIdentity=a leaseDurationSeconds=5 preferredHolder=
b | renewTime=2026-01-01T11:00:00Z | acquireTime= holderIdentity=a leaseDurationSeconds=5 renewTime=2026-01-01T12:00:00.000000Z
b | renewTime=2026-01-01T11:00:00Z preferredHolder=gone | acquireTime= holderIdentity=a leaseDurationSeconds=5 preferredHolder= renewTime=2026-01-01T12:00:00.000000Z
# The holder of an expired lease that is the best has to renew it itself.
a | renewTime=2026-01-01T11:00:00Z |
a | renewTime=2026-01-01T11:00:00Z preferredHolder=gone |
a | renewTime=2026-01-01T11:00:00Z strategy=x/a | strategy=OldestEmulationVersion
b | strategy=x/a | preferredHolder=a strategy=OldestEmulationVersion
";

#[test]
fn changes_of_the_lease() {
    let a = [candidate("a 1.0.0 1.0.0")];
    for [holder, before, expected] in rows(CHANGES) {
        let lease = lease(held(holder), before);
        let outcome = elect(&a, Some(&lease));
        let written = outcome.written().map(|written| changes(&lease.spec, &written.spec));
        assert_eq!(written.unwrap_or_default(), expected, "{holder} {before}\n{outcome}");
    }
}

#[test]
fn a_lease_that_is_created() {
    let outcome = elect_first("a 1.0.0 1.0.0");
    assert_eq!(
        serde_json::to_string(outcome.written().unwrap()).unwrap(),
        r#"{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"lock","namespace":"ns"},"spec":{"holderIdentity":"a","leaseDurationSeconds":5,"renewTime":"2026-01-01T12:00:00.000000Z","strategy":"OldestEmulationVersion"}}"#
    );
}

/// With a custom strategy nothing else is changed, not even a holder that is absent.
#[test]
fn other_strategies_and_existing_leases() {
    let a = [candidate("a 1.0.0 1.0.0 asks=x/a")];
    for holder in ["holderIdentity=", "holderIdentity=''"] {
        let before = lease(held(""), holder);
        let outcome = elect(&a, Some(&before));
        let written = &outcome.written().unwrap().spec;
        assert_eq!(changes(&before.spec, written), "strategy=x/a");
        let same = lease(fields(written), "");
        assert_eq!(elect(&a, Some(&same)).decision, Decision::Unchanged);
    }
}

/// The other object on which servers crash, an empty list of preferences, is among the lists.
#[test]
fn a_lease_on_which_servers_crash() {
    let absent = lease(held(""), "holderIdentity=");
    let a = [candidate("a 1.0.0 1.0.0")];
    let outcome = elect(&a, Some(&absent));
    assert_eq!(outcome.error(), Some(&ElectionError::HolderAbsent));
    assert_eq!(outcome.best, Some("a"));
}

/// A name; a strategy: servers reject an empty one, but a candidate may come from a file; and a broken lease.
#[test]
fn leases_that_cannot_be_written() {
    let candidates = [candidate("a 1.0.0 1.0.0 lease=Upper_case")];
    let outcome = elect_for(["ns", "Upper_case"], &candidates, None);
    assert!(outcome.to_string().ends_with(
        "Nothing is written: the Lease cannot be written: metadata.name: invalid value \"Upper_case\": \
         write `upper-case`: it must consist of words of lower-case letters, digits and `-`, joined by `.`, \
         each with a letter or digit at both ends, such as `example.com`.\n"
    ));
    let mut broken = lease(held("b"), "");
    broken.spec.lease_transitions = Some(-1);
    let a = [candidate("a 1.0.0 1.0.0")];
    for outcome in [elect_first("a 1.0.0 1.0.0 asks="), elect(&a, Some(&broken))] {
        let error = outcome.error();
        assert!(matches!(error, Some(ElectionError::InvalidLease(_))), "{error:?}");
    }
}

/// Candidates, and the holder and the changes of a lease, if there is one. The snapshot has the explanations.
const STORIES: &str = "
|
b 1.1.0 1.1.0 namespace=other; c 1.1.0 1.1.0 lease=other; d 1.1.0 1.1.0 renewed=; e 1.1.0 1.1.0 renewed=2026-01-01T10:00:00Z |
b 1.1.0 1.1.0 namespace=other; c 1.1.0 1.1.0 lease=other; d 1.1.0 1.1.0 renewed=; e 1.1.0 1.1.0 renewed=2026-01-01T10:00:00Z; a 1.1.0 1.1.0; f - 1.0.0; g 1.0.0 one |
a 1.1.0 1.1.0; b 1.1.0 1.1.0 |
f - 1.0.0; g 1.0.0 one |
f - 1.0.0; g 1.0.0 one | z
a 1.1.0 1.1.0 asks=x/a; b 1.1.0 1.1.0 asks=x/b; c 1.1.0 1.2.0 |
a 1.1.0 1.1.0 asks=x/a; b 1.1.0 1.1.0 asks=x/b | z
a - - lists=x/a,x/b; b - - lists= |
a - - lists=x/a,x/b; b - - lists=x/b |
a - - lists=x/a,x/b; b - - lists=x/b,x/a |
a - - lists=x/a,x/b,x/c,x/b |
a - - lists=x/a,x/c; b - - lists=x/b; c - - lists=x/c |
a 1.1.0 1.1.0; b 1.2.0 1.2.0 |
d 1.2.0 1.3.0; c 1.2.0 1.2.0; b 1.1.0 1.2.0; a 1.1.0 1.1.0; e 1.1.0 1.1.0 |
a 1.1.0 1.1.0 asks=x/a | ''
a 1.1.0 1.1.0 | '' holderIdentity=
a 1.1.0 1.1.0 renewed=2026-01-01T11:40:00Z | a
a 1.1.0 1.1.0 renewed=2026-01-01T11:40:00Z | a strategy=x/a
a 1.1.0 1.1.0 | z
a 1.1.0 1.1.0 | z preferredHolder=a
a 1.1.0 1.1.0 | a renewTime=2026-01-01T11:00:00Z
a 1.1.0 1.1.0 | z renewTime=2026-01-01T11:00:00Z
| z
a 1.1.0 1.1.0 renewed=2026-01-01T11:59:00Z pinged=2026-01-01T11:59:58Z |
a 1.1.0 1.1.0 renewed=2026-01-01T11:59:00Z pinged=2026-01-01T11:59:58Z | z renewTime=2026-01-01T11:00:00Z
a 1.1.0 1.1.0 renewed=2026-01-01T11:59:00Z pinged=2026-01-01T11:59:50Z; b 1.2.0 1.2.0 pinged=2026-01-01T11:59:50Z |
a 1.1.0 1.1.0 renewed=2026-01-01T11:59:00Z pinged=2026-01-01T11:59:50Z; b 1.2.0 1.2.0 | a
";

/// The explanations that no recording shows.
#[test]
fn stories() {
    let explained = rows(STORIES).map(|[candidates_, lease_]| {
        let lease = lease_.split(' ').next().filter(|holder| !holder.is_empty()).map(|holder| {
            let changes = lease_.strip_prefix(holder).unwrap();
            lease(held(holder.trim_matches('\'')), changes)
        });
        elect(&candidates(candidates_), lease.as_ref()).to_string()
    });
    insta::assert_snapshot!(explained.collect::<Vec<_>>().join("\n"));
}

#[test]
fn tied_candidates() {
    let outcome = elect_first(
        "late 1.32.0 1.32.0; two 1.31.0 1.31.0; other-lease 1.30.0 1.30.0 lease=other; one 1.31.0 1.31.0; \
         other-namespace 1.30.0 1.30.0 namespace=other; gone 1.30.0 1.30.0 renewed=",
    );
    assert_eq!(outcome.best, Some("two"));
    assert_eq!(outcome.tied(), ["two", "one"]);
    let name = |of: &CandidateOutcome<'static>| of.candidate.name();
    assert!(outcome.eligible().map(name).eq(["late", "two", "one"]));
    assert_eq!(elect_first("late 1.32.0 1.32.0; one 1.31.0 1.31.0").tied(), [""; 0]);
    assert_eq!(outcome.disputed(), None);
}
