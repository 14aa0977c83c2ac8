//! One case for each rule, and for what recordings cannot show.

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_coordination::election::strategy::{Basis, StrategyError};
use k8s_coordination::election::{
    Absence, Candidate, Decision, Due, Election, ElectionError, NotDue, Outcome, Preference,
    Standing,
};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::v1::{Lease, LeaseSpec};

const NOW: &str = "2026-01-01T12:00:00Z";
const OLDEST: CoordinatedLeaseStrategy = CoordinatedLeaseStrategy::OldestEmulationVersion;

fn time(text: &str) -> MicroTime {
    text.parse().unwrap()
}

fn at(clock: &str) -> MicroTime {
    time(&format!("2026-01-01T{clock}Z"))
}

/// A candidate that is alive and asks for `OldestEmulationVersion`.
fn candidate<'a>(name: &'a str, emulation: &'a str, binary: &'a str) -> Candidate<'a> {
    Candidate {
        namespace: "ns",
        name,
        creation_timestamp: None,
        lease_name: "lock",
        binary_version: binary,
        emulation_version: emulation,
        preference: Preference::One(&OLDEST),
        renew_time: Some(time(NOW)),
    }
}

fn elect(candidates: &[Candidate<'_>], lease: Option<&Lease>) -> Outcome {
    Election {
        namespace: "ns",
        lease_name: "lock",
        candidates,
        lease,
        now: time(NOW),
    }
    .outcome()
}

/// A lease that is held and alive.
fn held_by(holder: &str) -> Lease {
    let spec = LeaseSpec::default()
        .with_holder_identity(holder)
        .with_lease_duration_seconds(60)
        .with_renew_time(time(NOW))
        .with_acquire_time(time(NOW))
        .with_lease_transitions(7)
        .with_strategy(OLDEST);
    Lease::default().with_spec(spec)
}

#[test]
fn who_takes_part() {
    let mine = candidate("a", "1.0.0", "1.0.0");
    let renewed = |renew_time| Candidate { renew_time, ..mine };
    let (early, ancient) = (at("11:29:59.999999"), time("0000-01-01T00:00:00Z"));
    let table = [
        (mine, None),
        (
            Candidate {
                namespace: "other",
                ..mine
            },
            Some(Absence::OtherNamespace),
        ),
        (
            Candidate {
                lease_name: "other",
                ..mine
            },
            Some(Absence::OtherLease {
                lease_name: "other".to_owned(),
            }),
        ),
        (Candidate { name: "", ..mine }, Some(Absence::Unnamed)),
        (renewed(None), Some(Absence::NeverRenewed)),
        (renewed(Some(at("11:30:00"))), None),
        (
            renewed(Some(early)),
            Some(Absence::Expired { renewed: early }),
        ),
        (renewed(Some(time("9999-12-30T22:00:00Z"))), None),
        (
            renewed(Some(ancient)),
            Some(Absence::Expired { renewed: ancient }),
        ),
    ];
    for (candidate, expected) in table {
        let outcome = elect(&[candidate], None);
        let absence = match &outcome.standings[0].standing {
            Standing::Absent(absence) => Some(absence.clone()),
            _ => None,
        };
        assert_eq!(absence, expected, "{candidate:?}");
        let idle = outcome.decision
            == Decision::NotDue {
                reason: NotDue::NoCandidates,
            };
        assert_eq!(idle, expected.is_some(), "{candidate:?}");
    }
}

/// The strategy that comes out of lists, or what kind of error.
fn of_lists(lists: &[&[&str]]) -> Result<String, &'static str> {
    let lists: Vec<Vec<CoordinatedLeaseStrategy>> = lists
        .iter()
        .map(|list| list.iter().map(|&strategy| strategy.into()).collect())
        .collect();
    let names: Vec<String> = (0..lists.len())
        .map(|number| format!("c{number}"))
        .collect();
    let candidates: Vec<Candidate<'_>> = lists
        .iter()
        .zip(&names)
        .map(|(list, name)| Candidate {
            preference: Preference::List(list),
            ..candidate(name, "1.0.0", "1.0.0")
        })
        .collect();
    let outcome = elect(&candidates, None);
    match outcome.decision {
        Decision::Failed {
            error: ElectionError::Strategy(error),
        } => Err(match error {
            StrategyError::NoCandidates => "no candidates",
            StrategyError::NoPreference { .. } => "no preference",
            StrategyError::Circle { .. } => "circle",
            StrategyError::Unrelated { .. } => "unrelated",
            StrategyError::Conflict { .. } => "conflict",
            other => panic!("{other}"),
        }),
        _ => Ok(outcome.choice.unwrap().strategy.to_string()),
    }
}

/// Lists, and what comes out of them.
type Lists<'a> = (&'a [&'a [&'a str]], Result<&'a str, &'a str>);

#[test]
fn strategy_of_lists() {
    let (a, b, c, d) = ("x/a", "x/b", "x/c", "x/d");
    let oldest = "OldestEmulationVersion";
    let table: [Lists<'_>; 19] = [
        (&[&[a]], Ok(a)),
        (&[&[oldest]], Ok(oldest)),
        (&[&[a, b, c]], Ok(a)),
        (&[&[a], &[a]], Ok(a)),
        (&[&[a], &[b, a]], Ok(b)),
        (&[&[a, b], &[b, c], &[c, d]], Ok(a)),
        (&[&[a, b], &[oldest, a], &[b]], Ok(oldest)),
        (&[&[a, b], &[a, c], &[b, d], &[c, d]], Ok(a)),
        // The same preference twice is one.
        (&[&[a, b], &[a, b]], Ok(a)),
        (&[&[a], &[b]], Err("unrelated")),
        (&[&[a, c], &[b, c]], Err("unrelated")),
        (&[&[a, b], &[b, a]], Err("circle")),
        (&[&[a, a]], Err("circle")),
        (&[&[a, b, a]], Err("circle")),
        // A circle anywhere, also below a single root or next to another.
        (&[&[a, b, c, b]], Err("circle")),
        (&[&[a], &[b, c, b]], Err("circle")),
        (&[&[]], Err("no preference")),
        (&[&[a], &[]], Err("no preference")),
        (&[&[a, b], &[b, c], &[c, a], &[d]], Err("circle")),
    ];
    for (lists, expected) in table {
        let expected = expected.map(str::to_owned);
        assert_eq!(of_lists(lists), expected, "{lists:?}");
        let reversed: Vec<&[&str]> = lists.iter().rev().copied().collect();
        assert_eq!(of_lists(&reversed), expected, "{reversed:?}");
    }
}

/// Binary versions and strategies; the strategy that comes out, and whether a server could stop.
type Votes<'a> = (&'a [(&'a str, &'a str)], Option<(&'a str, bool)>);

#[test]
fn strategy_of_the_highest_binary_version() {
    let (a, b) = ("x/a", "x/b");
    let table: [Votes<'_>; 13] = [
        (&[("1.0.0", a)], Some((a, false))),
        (&[("1.0.0", a), ("1.0.1", b)], Some((b, false))),
        (&[("1.1.10", a), ("1.1.2", b)], Some((a, false))),
        (&[("1.0.0-rc", a), ("1.0.0", b)], Some((b, false))),
        (&[("1.0.0", a), ("1.0.0", a)], Some((a, false))),
        (&[("1.0.0", a), ("1.0.0+build", b)], None),
        (&[("v1.0", a), ("1.0.0", b)], None),
        // What cannot be read, and what is empty, is 0.0.0.
        (&[("x", a), ("0.0.1", b)], Some((b, false))),
        (&[("", a), ("x", b)], None),
        (&[("x", a), ("0.0.0-rc", b)], Some((a, false))),
        // The documented rule; a server that sees the first two first stops there.
        (&[("1.0.0", a), ("1.0.0", b), ("2.0.0", a)], Some((a, true))),
        (
            &[("1.0.0", b), ("1.0.0", b), ("2.0.0", a)],
            Some((a, false)),
        ),
        (&[("1.0.0", a), ("2.0.0", a), ("2.0.0", b)], None),
    ];
    for (rows, expected) in table {
        let strategies: Vec<CoordinatedLeaseStrategy> = rows
            .iter()
            .map(|(_, strategy)| (*strategy).into())
            .collect();
        let each = rows.iter().zip(&strategies);
        let mut candidates: Vec<Candidate<'_>> = each
            .map(|((binary, _), strategy)| Candidate {
                preference: Preference::One(strategy),
                ..candidate("c", "1.0.0", binary)
            })
            .collect();
        for _ in 0..2 {
            let outcome = elect(&candidates, None);
            let found = outcome.choice.as_ref().map(|choice| {
                let disputed = matches!(
                    &choice.basis,
                    Basis::HighestBinaryVersion {
                        disputed: Some(_),
                        ..
                    }
                );
                (choice.strategy.as_str(), disputed)
            });
            assert_eq!(found, expected, "{rows:?}");
            candidates.reverse();
        }
    }
}

#[test]
fn leader() {
    let created = |clock: &str, of| Candidate {
        creation_timestamp: Some(format!("2026-01-01T{clock}Z").parse().unwrap()),
        ..of
    };
    let a = |emulation, binary| candidate("a", emulation, binary);
    let b = |emulation, binary| candidate("b", emulation, binary);
    let table = [
        ([a("1.2.0", "1.2.0"), b("1.1.0", "1.3.0")], Some("b")),
        ([a("1.10.0", "1.10.0"), b("1.9.0", "1.9.0")], Some("b")),
        ([a("1.1.0-rc", "1.1.0"), b("1.1.0", "1.1.0")], Some("a")),
        ([a("1.1.0", "1.3.0"), b("1.1.0", "1.2.0")], Some("b")),
        ([a("1.1.0+x", "1.2.0"), b("1.1.0+y", "1.1.0")], Some("b")),
        (
            [
                created("02:00:00", a("1.1.0", "1.1.0")),
                created("01:00:00", b("1.1.0", "1.1.0")),
            ],
            Some("b"),
        ),
        (
            [
                created("02:00:00", a("1.1.0", "1.1.0")),
                b("1.1.0", "1.1.0"),
            ],
            Some("b"),
        ),
        (
            [
                created("01:00:00", a("1.1.0", "1.1.0")),
                created("02:00:00", b("1.0.0", "1.1.0")),
            ],
            Some("b"),
        ),
        ([a("1.1.0", "1.1.0"), b("1.1.0", "1.1.0")], Some("a")),
        // Read tolerantly, or not at all.
        ([a("v1.2", "1.2"), b(" 1.1 ", "01.1")], Some("b")),
        ([a("1.2.0", "1.2.0"), b("", "1.1.0")], Some("a")),
        ([a("1.2.0", "1.2.0"), b("1.1.0", "")], Some("a")),
        ([a("1.2.0", "1.2.0"), b("V1.1", "1.1.0")], Some("a")),
        ([a("0.0.0", "0.0.0"), b("0.0.1", "0.0.1")], Some("a")),
        ([a("", ""), b("x", "y")], None),
    ];
    for (candidates, expected) in table {
        let outcome = elect(&candidates, None);
        assert_eq!(outcome.best.as_deref(), expected, "{candidates:?}");
        if expected.is_none() {
            assert_eq!(outcome.error(), Some(&ElectionError::NobodyEligible));
        }
    }
}

/// Which strategy the leader itself asks for makes no difference.
#[test]
fn leader_that_is_overruled() {
    let other = CoordinatedLeaseStrategy::from("x/a");
    let early = Candidate {
        preference: Preference::One(&other),
        ..candidate("a", "1.0.0", "1.0.0")
    };
    let outcome = elect(&[early, candidate("b", "1.1.0", "1.1.0")], None);
    assert_eq!(outcome.best.as_deref(), Some("a"));
    // Where it decides, nobody is picked.
    let late = Candidate {
        preference: Preference::One(&other),
        ..candidate("c", "1.2.0", "1.2.0")
    };
    let outcome = elect(&[early, candidate("b", "1.1.0", "1.1.0"), late], None);
    assert_eq!(outcome.best, None);
    let created = outcome.written().unwrap();
    assert_eq!(created.spec.strategy, Some(other));
    assert_eq!(created.spec.holder_identity, None);
}

/// Lists count with their first strategy as soon as one candidate is of a later version.
#[test]
fn mixed_versions() {
    let lists = [vec!["x/a".into(), OLDEST], vec![OLDEST, "x/a".into()]];
    let listed = |name, binary, list| Candidate {
        preference: Preference::List(list),
        ..candidate(name, "1.0.0", binary)
    };
    let old = [
        listed("a", "1.0.0", &lists[0]),
        listed("b", "1.1.0", &lists[1]),
    ];
    let circle = elect(&old, None);
    assert!(matches!(
        circle.error(),
        Some(ElectionError::Strategy(StrategyError::Circle { .. }))
    ));
    let newer = candidate("c", "1.0.0", "1.0.0");
    let conflict = elect(&[old[0], newer], None);
    assert!(matches!(
        conflict.error(),
        Some(ElectionError::Strategy(StrategyError::Conflict { .. }))
    ));
    let outcome = elect(&[old[0], old[1], newer], None);
    assert_eq!(outcome.choice.unwrap().strategy, OLDEST);
    // One that takes no part decides nothing.
    let gone = Candidate {
        renew_time: None,
        ..newer
    };
    assert_eq!(
        elect(&[old[0], old[1], gone], None).decision,
        circle.decision
    );
}

/// A lease that the best holds, with a change.
fn best_holds(change: fn(LeaseSpec) -> LeaseSpec) -> Lease {
    Lease::default().with_spec(change(held_by("best").spec))
}

#[test]
fn when_an_election_is_due() {
    let changed = |change: fn(LeaseSpec) -> LeaseSpec| Some(best_holds(change));
    let best = candidate("best", "1.0.0", "1.0.0");
    let worse = candidate("worse", "1.1.0", "1.1.0");
    let silent = Candidate {
        renew_time: Some(at("11:44:59.999999")),
        ..worse
    };
    let speaking = Candidate {
        renew_time: Some(at("11:45:00")),
        ..worse
    };
    let not_the_best = Due::NotTheBest {
        holder: "worse".to_owned(),
    };
    let stranger = Due::NotACandidate {
        holder: "stranger".to_owned(),
    };
    let expired = Due::Expired {
        renewed: at("11:58:59.999999"),
        seconds: 60,
    };
    let silence = Due::Silent {
        candidate: "worse".to_owned(),
    };
    let table = [
        (None, worse, Some(Due::NoLease)),
        (
            changed(|mut spec| {
                spec.renew_time = None;
                spec
            }),
            worse,
            Some(Due::NoRenewTime),
        ),
        (
            changed(|mut spec| {
                spec.lease_duration_seconds = None;
                spec
            }),
            worse,
            Some(Due::NoDuration),
        ),
        (
            changed(|spec| spec.with_renew_time(at("11:59:00"))),
            worse,
            None,
        ),
        (
            changed(|spec| spec.with_renew_time(at("11:58:59.999999"))),
            worse,
            Some(expired),
        ),
        (
            changed(|spec| spec.with_holder_identity("")),
            worse,
            Some(Due::NoHolder),
        ),
        (
            changed(|mut spec| {
                spec.holder_identity = None;
                spec
            }),
            worse,
            Some(Due::NoHolder),
        ),
        (changed(|spec| spec), silent, Some(silence)),
        (changed(|spec| spec), speaking, None),
        (
            changed(|spec| spec.with_holder_identity("worse")),
            worse,
            Some(not_the_best),
        ),
        (
            changed(|spec| spec.with_holder_identity("stranger")),
            worse,
            Some(stranger),
        ),
        (changed(|spec| spec), worse, None),
    ];
    for (lease, other, expected) in table {
        let outcome = elect(&[best, other], lease.as_ref());
        assert_eq!(outcome.due, expected, "{lease:?}");
        if expected.is_none() {
            assert_eq!(
                outcome.decision,
                Decision::NotDue {
                    reason: NotDue::BestHolds
                }
            );
        }
    }
}

/// Of several reasons it is the first that a server looks at.
#[test]
fn why_an_election_is_due() {
    let best = candidate("best", "1.0.0", "1.0.0");
    let worse = candidate("worse", "1.1.0", "1.1.0");
    let silent = Candidate {
        renew_time: Some(at("11:40:00")),
        ..worse
    };
    let expired = Due::Expired {
        renewed: at("11:58:59.999999"),
        seconds: 60,
    };
    let silence = Due::Silent {
        candidate: "worse".to_owned(),
    };
    let table = [
        (
            best_holds(|mut spec| {
                spec.renew_time = None;
                spec.lease_duration_seconds = None;
                spec
            }),
            worse,
            Due::NoRenewTime,
        ),
        (
            best_holds(|mut spec| {
                spec.lease_duration_seconds = None;
                spec.with_renew_time(at("11:00:00"))
                    .with_holder_identity("")
            }),
            worse,
            Due::NoDuration,
        ),
        (
            best_holds(|spec| {
                spec.with_renew_time(at("11:58:59.999999"))
                    .with_holder_identity("")
            }),
            silent,
            expired,
        ),
        (
            best_holds(|spec| spec.with_holder_identity("")),
            silent,
            Due::NoHolder,
        ),
        (
            best_holds(|spec| spec.with_holder_identity("worse")),
            silent,
            silence,
        ),
    ];
    for (lease, other, expected) in table {
        let outcome = elect(&[best, other], Some(&lease));
        assert_eq!(outcome.due, Some(expected), "{lease:?}");
    }
}

#[test]
fn when_a_held_lease_is_left_alone() {
    let lease = held_by("somebody");
    let other = CoordinatedLeaseStrategy::from("x/a");
    let another = CoordinatedLeaseStrategy::from("x/b");
    let asks = |name, strategy| Candidate {
        preference: Preference::One(strategy),
        ..candidate(name, "1.0.0", "1.0.0")
    };
    let decision = |candidates: &[Candidate<'_>]| elect(candidates, Some(&lease)).decision;
    assert_eq!(
        decision(&[asks("a", &other)]),
        Decision::NotDue {
            reason: NotDue::OtherStrategy
        }
    );
    assert_eq!(
        decision(&[candidate("a", "", "")]),
        Decision::NotDue {
            reason: NotDue::NobodyToCompare
        }
    );
    assert!(matches!(
        decision(&[asks("a", &other), asks("b", &another)]),
        Decision::Failed {
            error: ElectionError::Strategy(_)
        }
    ));
}

#[test]
fn what_becomes_of_the_lease() {
    let a = candidate("a", "1.0.0", "1.0.0");
    let expired = |holder| held_by(holder).spec.with_renew_time(at("11:00:00"));
    let mut handed_over = held_by("a").spec.with_lease_duration_seconds(5);
    handed_over.acquire_time = None;
    let stale = |spec: LeaseSpec| spec.with_preferred_holder("gone");
    // The spec before, the spec that is written.
    let table = [
        (
            held_by("b").spec,
            Some(held_by("b").spec.with_preferred_holder("a")),
        ),
        (
            stale(held_by("b").spec),
            Some(held_by("b").spec.with_preferred_holder("a")),
        ),
        (held_by("b").spec.with_preferred_holder("a"), None),
        // A preferred holder that is out of date stays until the lease is handed over.
        (stale(held_by("a").spec), None),
        (held_by("a").spec, None),
        (held_by("").spec, Some(handed_over.clone())),
        (stale(held_by("").spec), Some(handed_over.clone())),
        (expired("b"), Some(handed_over.clone())),
        (stale(expired("b")), Some(handed_over)),
        // Who holds an expired lease and is the best has to renew it itself.
        (expired("a"), None),
        (stale(expired("a")), None),
        (expired("a").with_strategy("x/a"), Some(expired("a"))),
        (
            held_by("b").spec.with_strategy("x/a"),
            Some(held_by("b").spec.with_preferred_holder("a")),
        ),
    ];
    for (before, expected) in table {
        let lease = Lease::default().with_spec(before);
        let outcome = elect(&[a], Some(&lease));
        let written = outcome.written().map(|lease| &lease.spec);
        assert_eq!(written, expected.as_ref(), "{:?}\n{outcome}", lease.spec);
    }
}

#[test]
fn what_is_created() {
    let outcome = elect(&[candidate("a", "1.0.0", "1.0.0")], None);
    let created = outcome.written().unwrap();
    let spec = LeaseSpec::default()
        .with_holder_identity("a")
        .with_lease_duration_seconds(5)
        .with_renew_time(time(NOW))
        .with_strategy(OLDEST);
    assert_eq!(created.spec, spec);
    let (name, namespace) = (&created.metadata.name, &created.metadata.namespace);
    assert_eq!(
        (name.as_deref(), namespace.as_deref()),
        (Some("lock"), Some("ns"))
    );
}

/// Somebody's own strategy touches nothing else, not even a holder that is absent.
#[test]
fn other_strategies_and_existing_leases() {
    let other = CoordinatedLeaseStrategy::from("x/a");
    let a = Candidate {
        preference: Preference::One(&other),
        ..candidate("a", "1.0.0", "1.0.0")
    };
    for holder in [None, Some(String::new())] {
        let mut before = held_by("").spec;
        before.holder_identity = holder;
        let lease = Lease::default().with_spec(before.clone());
        let outcome = elect(&[a], Some(&lease));
        assert_eq!(
            outcome.written().unwrap().spec,
            before.clone().with_strategy("x/a")
        );
        let lease = Lease::default().with_spec(before.with_strategy("x/a"));
        assert_eq!(elect(&[a], Some(&lease)).decision, Decision::Unchanged);
    }
}

#[test]
fn what_servers_crash_on() {
    let mut absent = held_by("");
    absent.spec.holder_identity = None;
    let outcome = elect(&[candidate("a", "1.0.0", "1.0.0")], Some(&absent));
    assert_eq!(outcome.error(), Some(&ElectionError::HolderAbsent));
    assert_eq!(outcome.best.as_deref(), Some("a"));
    // The other one, an empty list of preferences, is among those of lists.
}

#[test]
fn what_no_lease_can_be_called() {
    let outcome = Election {
        namespace: "ns",
        lease_name: "Upper_case",
        candidates: &[Candidate {
            lease_name: "Upper_case",
            ..candidate("a", "1.0.0", "1.0.0")
        }],
        lease: None,
        now: time(NOW),
    }
    .outcome();
    assert!(outcome.to_string().ends_with(
        "Nothing is written: the Lease cannot be written: metadata.name: invalid value \"Upper_case\": \
         write `upper-case`: it must consist of words of lower-case letters, digits and `-`, joined by `.`, \
         each with a letter or digit at both ends, such as `example.com`.\n"
    ));
}

/// A candidate of a later version that asks for nothing: servers reject it, but it may come from a file.
#[test]
fn a_strategy_that_no_lease_can_have() {
    let none = CoordinatedLeaseStrategy::from("");
    let a = Candidate {
        preference: Preference::One(&none),
        ..candidate("a", "1.0.0", "1.0.0")
    };
    let outcome = elect(&[a], None);
    assert!(matches!(
        outcome.error(),
        Some(ElectionError::InvalidLease(_))
    ));
}

/// The stories that no recording tells.
#[test]
fn stories() {
    let x = CoordinatedLeaseStrategy::from("x/a");
    let y = CoordinatedLeaseStrategy::from("x/b");
    let listed = [vec![x.clone(), y.clone()], vec![]];
    let a = candidate("a", "1.1.0", "1.1.0");
    let asks = |name, binary, strategy| Candidate {
        preference: Preference::One(strategy),
        ..candidate(name, "1.1.0", binary)
    };
    let lists = |name, list| Candidate {
        preference: Preference::List(list),
        ..candidate(name, "", "")
    };
    let absent = [
        Candidate {
            name: "b",
            namespace: "other",
            ..a
        },
        Candidate {
            name: "c",
            lease_name: "other",
            ..a
        },
        Candidate {
            name: "d",
            renew_time: None,
            ..a
        },
        Candidate {
            name: "e",
            renew_time: Some(at("10:00:00")),
            ..a
        },
    ];
    let odd = [
        a,
        candidate("f", "", "1.0.0"),
        candidate("g", "1.0.0", "one"),
    ];
    let silent = Candidate {
        renew_time: Some(at("11:40:00")),
        ..a
    };
    let mut headless = held_by("");
    headless.spec.holder_identity = None;
    let held = held_by("z");
    let told = [
        elect(&[], None),
        elect(&absent, None),
        elect(&[&absent[..], &odd[..]].concat(), None),
        elect(&[a, Candidate { name: "b", ..a }], None),
        elect(&odd[1..], None),
        elect(&odd[1..], Some(&held)),
        elect(
            &[
                asks("a", "1.1.0", &x),
                asks("b", "1.1.0", &y),
                asks("c", "1.2.0", &OLDEST),
            ],
            None,
        ),
        elect(
            &[asks("a", "1.1.0", &x), asks("b", "1.1.0", &y)],
            Some(&held),
        ),
        elect(&[lists("a", &listed[0]), lists("b", &listed[1])], None),
        elect(&[asks("a", "1.1.0", &x)], Some(&held_by(""))),
        elect(&[a], Some(&headless)),
        elect(&[silent], Some(&held_by("a"))),
    ];
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn who_is_tied_and_who_is_foreign() {
    let one = candidate("one", "1.31.0", "1.31.0");
    let two = candidate("two", "1.31.0", "1.31.0");
    let late = candidate("late", "1.32.0", "1.32.0");
    let other_lease = Candidate {
        lease_name: "other",
        ..candidate("other-lease", "1.30.0", "1.30.0")
    };
    let other_namespace = Candidate {
        namespace: "other",
        ..candidate("other-namespace", "1.30.0", "1.30.0")
    };
    let gone = Candidate {
        renew_time: None,
        ..candidate("gone", "1.30.0", "1.30.0")
    };
    let outcome = elect(&[late, two, other_lease, one, other_namespace, gone], None);
    assert_eq!(outcome.best.as_deref(), Some("two"));
    assert_eq!(outcome.tied(), ["two", "one"]);
    let names = |of: Vec<&str>| of.join(" ");
    let participants = outcome.participants().map(|of| of.candidate.as_str());
    assert_eq!(names(participants.collect()), "late two one");
    let foreign = outcome.foreign().map(|of| of.candidate.as_str());
    assert_eq!(names(foreign.collect()), "other-lease other-namespace");
    assert_eq!(elect(&[late, one], None).tied(), [""; 0]);
    assert_eq!(outcome.disputed(), None);
}
