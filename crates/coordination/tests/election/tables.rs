//! One case for each rule, and for what recordings cannot show.

use std::collections::BTreeSet;

use k8s_coordination::CoordinatedLeaseStrategy as Strategy;
use k8s_coordination::election::{
    Absence, Basis, Candidate, Decision, Election, ElectionError, NotDue, Outcome, Preference,
    Standing, StrategyError,
};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::v1::{Lease, LeaseSpec};
use serde_json::{Map, Value};

const NOW: &str = "2026-01-01T12:00:00Z";
const OLDEST: Strategy = Strategy::OldestEmulationVersion;

fn time(text: &str) -> MicroTime {
    text.parse().unwrap()
}

/// A candidate that is alive and asks for `OldestEmulationVersion`.
fn candidate<'a>(name: &'a str, emulation: &'a str, binary: &'a str) -> Candidate<'a> {
    let mut candidate = Candidate::new("ns", name, "lock", Preference::One(&OLDEST));
    candidate.binary_version = binary;
    candidate.emulation_version = emulation;
    candidate.renew_time = Some(time(NOW));
    candidate
}

/// The same candidate with one field changed: a row of a table fits on a line.
trait With<'a>: Sized {
    fn name(self, name: &'a str) -> Self;
    fn namespace(self, namespace: &'a str) -> Self;
    fn lease(self, lease_name: &'a str) -> Self;
    fn renewed(self, time: Option<&str>) -> Self;
    fn created(self, time: &str) -> Self;
    fn asks(self, strategy: &'a Strategy) -> Self;
    fn lists(self, strategies: &'a [Strategy]) -> Self;
}

impl<'a> With<'a> for Candidate<'a> {
    fn name(mut self, name: &'a str) -> Self {
        self.name = name;
        self
    }

    fn namespace(mut self, namespace: &'a str) -> Self {
        self.namespace = namespace;
        self
    }

    fn lease(mut self, lease_name: &'a str) -> Self {
        self.lease_name = lease_name;
        self
    }

    fn renewed(mut self, time: Option<&str>) -> Self {
        self.renew_time = time.map(|time| time.parse().unwrap());
        self
    }

    fn created(mut self, time: &str) -> Self {
        self.creation_timestamp = Some(time.parse().unwrap());
        self
    }

    fn asks(mut self, strategy: &'a Strategy) -> Self {
        self.preference = Preference::One(strategy);
        self
    }

    fn lists(mut self, strategies: &'a [Strategy]) -> Self {
        self.preference = Preference::List(strategies);
        self
    }
}

fn elect(candidates: &[Candidate<'_>], lease: Option<&Lease>) -> Outcome {
    Election::new("ns", "lock", candidates, time(NOW)).with_lease(lease).outcome()
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

#[test]
fn absent_candidates() {
    let mine = candidate("a", "1.0.0", "1.0.0");
    let (early, ancient) = ("2026-01-01T11:29:59.999999Z", "0000-01-01T00:00:00Z");
    let expired = |renewed| Some(Absence::Expired { renewed: time(renewed) });
    let lease_name = "other".to_owned();
    let table = [
        (mine, None),
        (mine.namespace("other"), Some(Absence::OtherNamespace)),
        (mine.lease("other"), Some(Absence::OtherLease { lease_name })),
        (mine.name(""), Some(Absence::Unnamed)),
        (mine.renewed(None), Some(Absence::NeverRenewed)),
        (mine.renewed(Some("2026-01-01T11:30:00Z")), None),
        (mine.renewed(Some(early)), expired(early)),
        (mine.renewed(Some("9999-12-30T22:00:00Z")), None),
        (mine.renewed(Some(ancient)), expired(ancient)),
    ];
    for (candidate, expected) in table {
        let outcome = elect(&[candidate], None);
        let absence = match &outcome.standings[0].standing {
            Standing::Absent(absence) => Some(absence.clone()),
            _ => None,
        };
        assert_eq!(absence, expected, "{candidate:?}");
        let reason = NotDue::NoCandidates;
        let idle = outcome.decision == Decision::NotDue { reason };
        assert_eq!(idle, expected.is_some(), "{candidate:?}");
    }
}

/// The strategy that comes out of lists, or the sort of error.
fn of_lists(lists: &[&str]) -> String {
    let split = |list: &&str| list.split_whitespace().map(Strategy::from).collect();
    let lists: Vec<Vec<Strategy>> = lists.iter().map(split).collect();
    let candidates = lists.iter().map(|list| candidate("c", "1.0.0", "1.0.0").lists(list));
    let outcome = elect(&candidates.collect::<Vec<_>>(), None);
    match outcome.error() {
        Some(ElectionError::Strategy(error)) => match error {
            StrategyError::NoPreference { .. } => "no preference",
            StrategyError::Circle { .. } => "circle",
            StrategyError::Unrelated { .. } => "unrelated",
            other => panic!("{other}"),
        }
        .to_owned(),
        _ => outcome.choice.unwrap().strategy.to_string(),
    }
}

#[test]
fn strategy_of_lists() {
    let oldest = "OldestEmulationVersion";
    let table: [(&[&str], &str); 19] = [
        (&["x/a"], "x/a"),
        (&[oldest], oldest),
        (&["x/a x/b x/c"], "x/a"),
        (&["x/a", "x/a"], "x/a"),
        (&["x/a", "x/b x/a"], "x/b"),
        (&["x/a x/b", "x/b x/c", "x/c x/d"], "x/a"),
        (&["x/a x/b", "OldestEmulationVersion x/a", "x/b"], oldest),
        (&["x/a x/b", "x/a x/c", "x/b x/d", "x/c x/d"], "x/a"),
        // The same preference twice is one.
        (&["x/a x/b", "x/a x/b"], "x/a"),
        (&["x/a", "x/b"], "unrelated"),
        (&["x/a x/c", "x/b x/c"], "unrelated"),
        (&["x/a x/b", "x/b x/a"], "circle"),
        (&["x/a x/a"], "circle"),
        (&["x/a x/b x/a"], "circle"),
        // A circle anywhere, also below a single root or next to another.
        (&["x/a x/b x/c x/b"], "circle"),
        (&["x/a", "x/b x/c x/b"], "circle"),
        (&[""], "no preference"),
        (&["x/a", ""], "no preference"),
        (&["x/a x/b", "x/b x/c", "x/c x/a", "x/d"], "circle"),
    ];
    for (lists, expected) in table {
        assert_eq!(of_lists(lists), expected, "{lists:?}");
        let reversed: Vec<&str> = lists.iter().rev().copied().collect();
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
        // A version that cannot be read, or is empty, is 0.0.0.
        (&[("x", a), ("0.0.1", b)], Some((b, false))),
        (&[("", a), ("x", b)], None),
        (&[("x", a), ("0.0.0-rc", b)], Some((a, false))),
        // The documented rule; a server that sees the first two first stops there.
        (&[("1.0.0", a), ("1.0.0", b), ("2.0.0", a)], Some((a, true))),
        (&[("1.0.0", b), ("1.0.0", b), ("2.0.0", a)], Some((a, false))),
        (&[("1.0.0", a), ("2.0.0", a), ("2.0.0", b)], None),
    ];
    for (rows, expected) in table {
        let strategies: Vec<Strategy> = rows.iter().map(|(_, it)| (*it).into()).collect();
        let each = rows.iter().zip(&strategies);
        let mut candidates: Vec<_> = each
            .map(|((binary, _), strategy)| candidate("c", "1.0.0", binary).asks(strategy))
            .collect();
        for _ in 0..2 {
            let outcome = elect(&candidates, None);
            let found = outcome.choice.as_ref().map(|choice| {
                let basis = &choice.basis;
                let disputed =
                    matches!(basis, Basis::HighestBinaryVersion { disputed: Some(_), .. });
                (choice.strategy.as_str(), disputed)
            });
            assert_eq!(found, expected, "{rows:?}");
            candidates.reverse();
        }
    }
}

#[test]
fn leader() {
    let created =
        |hour: &str, of: Candidate<'static>| of.created(&format!("2026-01-01T{hour}:00:00Z"));
    let a = |emulation, binary| candidate("a", emulation, binary);
    let b = |emulation, binary| candidate("b", emulation, binary);
    let same = [a("1.1.0", "1.1.0"), b("1.1.0", "1.1.0")];
    let table = [
        ([a("1.2.0", "1.2.0"), b("1.1.0", "1.3.0")], Some("b")),
        ([a("1.10.0", "1.10.0"), b("1.9.0", "1.9.0")], Some("b")),
        ([a("1.1.0-rc", "1.1.0"), b("1.1.0", "1.1.0")], Some("a")),
        ([a("1.1.0", "1.3.0"), b("1.1.0", "1.2.0")], Some("b")),
        ([a("1.1.0+x", "1.2.0"), b("1.1.0+y", "1.1.0")], Some("b")),
        ([created("02", same[0]), created("01", same[1])], Some("b")),
        ([created("02", same[0]), same[1]], Some("b")),
        ([created("01", same[0]), created("02", b("1.0.0", "1.1.0"))], Some("b")),
        (same, Some("a")),
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

/// The strategy that the leader itself asks for makes no difference.
#[test]
fn leader_that_is_overruled() {
    let other = Strategy::from("x/a");
    let early = candidate("a", "1.0.0", "1.0.0").asks(&other);
    let outcome = elect(&[early, candidate("b", "1.1.0", "1.1.0")], None);
    assert_eq!(outcome.best.as_deref(), Some("a"));
    // Where it decides, nobody is picked.
    let late = candidate("c", "1.2.0", "1.2.0").asks(&other);
    let outcome = elect(&[early, candidate("b", "1.1.0", "1.1.0"), late], None);
    assert_eq!(outcome.best, None);
    let created = &outcome.written().unwrap().spec;
    assert_eq!(created.strategy, Some(other));
    assert_eq!(created.holder_identity, None);
}

/// Lists count with their first strategy as soon as one candidate is of a later version.
#[test]
fn mixed_versions() {
    let lists = [["x/a".into(), OLDEST], [OLDEST, "x/a".into()]];
    let old = [
        candidate("a", "1.0.0", "1.0.0").lists(&lists[0]),
        candidate("b", "1.0.0", "1.1.0").lists(&lists[1]),
    ];
    let error = |candidates: &[Candidate<'_>]| elect(candidates, None).error().unwrap().to_string();
    let circle = "the preferences contradict each other: ";
    assert!(error(&old).starts_with(circle));
    let newer = candidate("c", "1.0.0", "1.0.0");
    let conflict = "binary version `1.0.0` is the highest, and those who have it disagree: ";
    assert!(error(&[old[0], newer]).starts_with(conflict));
    let outcome = elect(&[old[0], old[1], newer], None);
    assert_eq!(outcome.choice.unwrap().strategy, OLDEST);
    // An absent candidate decides nothing.
    assert!(error(&[old[0], old[1], newer.renewed(None)]).starts_with(circle));
}

/// The reason why an election is due, and the candidate or the holder that it names.
fn due(outcome: &Outcome) -> String {
    let due = serde_json::to_value(&outcome.due).unwrap();
    let words =
        ["reason", "candidate", "holder", "renewed", "seconds"].map(|name| match &due[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
    words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lease is held by the best candidate and has not expired, but for these changes. Of several reasons, the first
/// that a server looks at is told.
#[test]
fn reasons_why_an_election_is_due() {
    let best = candidate("best", "1.0.0", "1.0.0");
    let worse = candidate("worse", "1.1.0", "1.1.0");
    let silent = worse.renewed(Some("2026-01-01T11:44:59.999999Z"));
    let speaking = worse.renewed(Some("2026-01-01T11:45:00Z"));
    let expired = "expired 2026-01-01T11:58:59.999999Z 60";
    let table = [
        ("", worse, ""),
        ("", speaking, ""),
        ("", silent, "silent worse"),
        ("renewTime=", worse, "noRenewTime"),
        ("leaseDurationSeconds=", worse, "noDuration"),
        ("renewTime=2026-01-01T11:59:00Z", worse, ""),
        ("renewTime=2026-01-01T11:58:59.999999Z", worse, expired),
        ("holderIdentity=''", worse, "noHolder"),
        ("holderIdentity=", worse, "noHolder"),
        ("holderIdentity=worse", worse, "notTheBest worse"),
        ("holderIdentity=stranger", worse, "notACandidate stranger"),
        // Several reasons.
        ("renewTime= leaseDurationSeconds=", worse, "noRenewTime"),
        (
            "leaseDurationSeconds= renewTime=2026-01-01T11:00:00Z holderIdentity=''",
            worse,
            "noDuration",
        ),
        ("renewTime=2026-01-01T11:58:59.999999Z holderIdentity=''", silent, expired),
        ("holderIdentity=''", silent, "noHolder"),
        ("holderIdentity=worse", silent, "silent worse"),
    ];
    for (changes, other, expected) in table {
        let outcome = elect(&[best, other], Some(&lease(held("best"), changes)));
        assert_eq!(due(&outcome), expected, "{changes}");
        let reason = NotDue::BestHolds;
        let idle = outcome.decision == Decision::NotDue { reason };
        assert_eq!(idle, expected.is_empty(), "{changes}");
    }
    assert_eq!(due(&elect(&[best, worse], None)), "noLease");
}

#[test]
fn a_held_lease_that_is_left_alone() {
    let lease = lease(held("somebody"), "");
    let [x, y] = ["x/a", "x/b"].map(Strategy::from);
    let asks = |name, strategy| candidate(name, "1.0.0", "1.0.0").asks(strategy);
    let decision = |candidates: &[Candidate<'_>]| elect(candidates, Some(&lease)).decision;
    let not_due = |reason| Decision::NotDue { reason };
    assert_eq!(decision(&[asks("a", &x)]), not_due(NotDue::OtherStrategy));
    assert_eq!(decision(&[candidate("a", "", "")]), not_due(NotDue::NobodyToCompare));
    let Decision::Failed { error } = decision(&[asks("a", &x), asks("b", &y)]) else {
        panic!("they disagree");
    };
    assert!(matches!(error, ElectionError::Strategy(_)));
}

#[test]
fn changes_of_the_lease() {
    const HANDED_OVER: &str = "acquireTime= holderIdentity=a leaseDurationSeconds=5";
    let a = candidate("a", "1.0.0", "1.0.0");
    let old = "renewTime=2026-01-01T11:00:00Z";
    let (now, oldest) =
        ("renewTime=2026-01-01T12:00:00.000000Z", "strategy=OldestEmulationVersion");
    // The holder, other fields before, and what is written. `gone` is a preferred holder that is out of date: it stays
    // until the lease is handed over.
    let table = [
        ("b", "", "preferredHolder=a"),
        ("b", "preferredHolder=gone", "preferredHolder=a"),
        ("b", "preferredHolder=a", ""),
        ("a", "preferredHolder=gone", ""),
        ("a", "", ""),
        ("", "", HANDED_OVER),
        ("", "preferredHolder=gone", &format!("{HANDED_OVER} preferredHolder=")),
        ("b", old, &format!("{HANDED_OVER} {now}")),
        (
            "b",
            &format!("{old} preferredHolder=gone"),
            &format!("{HANDED_OVER} preferredHolder= {now}"),
        ),
        // The holder of an expired lease that is the best has to renew it itself.
        ("a", old, ""),
        ("a", &format!("{old} preferredHolder=gone"), ""),
        ("a", &format!("{old} strategy=x/a"), oldest),
        ("b", "strategy=x/a", &format!("preferredHolder=a {oldest}")),
    ];
    for (holder, before, expected) in table {
        let lease = lease(held(holder), before);
        let outcome = elect(&[a], Some(&lease));
        let written = outcome.written().map(|written| changes(&lease.spec, &written.spec));
        assert_eq!(written.unwrap_or_default(), expected, "{holder} {before}\n{outcome}");
    }
}

#[test]
fn a_lease_that_is_created() {
    let outcome = elect(&[candidate("a", "1.0.0", "1.0.0")], None);
    let created = serde_json::to_value(outcome.written().unwrap()).unwrap();
    let expected = serde_json::json!({
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "lock", "namespace": "ns"},
        "spec": {
            "holderIdentity": "a",
            "leaseDurationSeconds": 5,
            "renewTime": "2026-01-01T12:00:00.000000Z",
            "strategy": "OldestEmulationVersion",
        },
    });
    assert_eq!(created, expected);
}

/// With a strategy of one's own nothing else is changed, not even a holder that is absent.
#[test]
fn other_strategies_and_existing_leases() {
    let other = Strategy::from("x/a");
    let a = candidate("a", "1.0.0", "1.0.0").asks(&other);
    for holder in ["holderIdentity=", "holderIdentity=''"] {
        let before = lease(held(""), holder);
        let outcome = elect(&[a], Some(&before));
        let written = &outcome.written().unwrap().spec;
        assert_eq!(changes(&before.spec, written), "strategy=x/a");
        let same = lease(fields(written), "");
        assert_eq!(elect(&[a], Some(&same)).decision, Decision::Unchanged);
    }
}

/// The other object on which servers crash, an empty list of preferences, is among the lists.
#[test]
fn a_lease_on_which_servers_crash() {
    let absent = lease(held(""), "holderIdentity=");
    let outcome = elect(&[candidate("a", "1.0.0", "1.0.0")], Some(&absent));
    assert_eq!(outcome.error(), Some(&ElectionError::HolderAbsent));
    assert_eq!(outcome.best.as_deref(), Some("a"));
}

#[test]
fn a_name_that_no_lease_can_have() {
    let outcome = Election::new(
        "ns",
        "Upper_case",
        &[candidate("a", "1.0.0", "1.0.0").lease("Upper_case")],
        time(NOW),
    )
    .outcome();
    assert!(outcome.to_string().ends_with(
        "Nothing is written: the Lease cannot be written: metadata.name: invalid value \"Upper_case\": \
         write `upper-case`: it must consist of words of lower-case letters, digits and `-`, joined by `.`, \
         each with a letter or digit at both ends, such as `example.com`.\n"
    ));
}

/// A candidate of a later version without a strategy: servers reject it, but it may come from a file.
#[test]
fn a_strategy_that_no_lease_can_have() {
    let none = Strategy::from("");
    let outcome = elect(&[candidate("a", "1.0.0", "1.0.0").asks(&none)], None);
    let error = outcome.error();
    assert!(matches!(error, Some(ElectionError::InvalidLease(_))), "{error:?}");
}

/// The explanations that no recording shows.
#[test]
fn stories() {
    let [x, y] = ["x/a", "x/b"].map(Strategy::from);
    let listed = [vec![x.clone(), y.clone()], vec![]];
    let a = candidate("a", "1.1.0", "1.1.0");
    let asks = |name, binary, strategy| candidate(name, "1.1.0", binary).asks(strategy);
    let lists = |name, list| candidate(name, "", "").lists(list);
    let absent = [
        a.name("b").namespace("other"),
        a.name("c").lease("other"),
        a.name("d").renewed(None),
        a.name("e").renewed(Some("2026-01-01T10:00:00Z")),
    ];
    let odd = [a, candidate("f", "", "1.0.0"), candidate("g", "1.0.0", "one")];
    let silent = a.renewed(Some("2026-01-01T11:40:00Z"));
    let headless = lease(held(""), "holderIdentity=");
    let [by_z, by_nobody, by_a] = ["z", "", "a"].map(|holder| lease(held(holder), ""));
    let [ax, by, bc] =
        [asks("a", "1.1.0", &x), asks("b", "1.1.0", &y), asks("c", "1.2.0", &OLDEST)];
    let told = [
        elect(&[], None),
        elect(&absent, None),
        elect(&[&absent[..], &odd[..]].concat(), None),
        elect(&[a, a.name("b")], None),
        elect(&odd[1..], None),
        elect(&odd[1..], Some(&by_z)),
        elect(&[ax, by, bc], None),
        elect(&[ax, by], Some(&by_z)),
        elect(&[lists("a", &listed[0]), lists("b", &listed[1])], None),
        elect(&[ax], Some(&by_nobody)),
        elect(&[a], Some(&headless)),
        elect(&[silent], Some(&by_a)),
        elect(&[a], Some(&by_z)),
        elect(&[a], Some(&lease(held("z"), "preferredHolder=a"))),
        elect(&[a], Some(&lease(held("a"), "renewTime=2026-01-01T11:00:00Z"))),
        elect(&[a], Some(&lease(held("z"), "renewTime=2026-01-01T11:00:00Z"))),
        elect(&[], Some(&by_z)),
    ];
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn tied_and_foreign_candidates() {
    let [one, two] = ["one", "two"].map(|name| candidate(name, "1.31.0", "1.31.0"));
    let late = candidate("late", "1.32.0", "1.32.0");
    let early = |name| candidate(name, "1.30.0", "1.30.0");
    let other_lease = early("other-lease").lease("other");
    let other_namespace = early("other-namespace").namespace("other");
    let gone = early("gone").renewed(None);
    let outcome = elect(&[late, two, other_lease, one, other_namespace, gone], None);
    assert_eq!(outcome.best.as_deref(), Some("two"));
    assert_eq!(outcome.tied(), ["two", "one"]);
    let participants = outcome.participants().map(|of| of.candidate.as_str());
    assert!(participants.eq(["late", "two", "one"]));
    let foreign = outcome.foreign().map(|of| of.candidate.as_str());
    assert!(foreign.eq(["other-lease", "other-namespace"]));
    assert_eq!(elect(&[late, one], None).tied(), [""; 0]);
    assert_eq!(outcome.disputed(), None);
}
