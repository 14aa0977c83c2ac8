//! Properties of all elections.

use std::collections::BTreeSet;
use std::fmt::Debug;

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{CandidateOutcome, Decision, Due, ElectionOutcome, Standing};
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta, Time};
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_coordination::v1beta1;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{NOW, elect, elect_for};

/// The data of a candidate.
#[derive(Clone, Debug)]
struct Data {
    name: String,
    namespace: String,
    lease_name: String,
    versions: [String; 2],
    strategies: Vec<CoordinatedLeaseStrategy>,
    is_list: bool,
    created: Option<Time>,
    renewed: Option<MicroTime>,
}

impl Data {
    fn object(&self) -> AnyLeaseCandidate {
        let mut metadata =
            ObjectMeta::default().with_name(&self.name).with_namespace(&self.namespace);
        metadata.creation_timestamp = self.created;
        let [binary, emulation] = &self.versions;
        let first = self.strategies.first().map_or("", CoordinatedLeaseStrategy::as_str);
        let mut spec = v1beta1::LeaseCandidateSpec::new(&self.lease_name, binary, first)
            .with_emulation_version(emulation);
        spec.renew_time = self.renewed;
        super::object(metadata, spec, self.is_list.then(|| self.strategies.clone()))
    }
}

fn objects(candidates: &[Data]) -> Vec<AnyLeaseCandidate> {
    candidates.iter().map(Data::object).collect()
}

fn version() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(&["1.0.0", "1.1.0", "1.1.0-rc", "v1.1", "1.2.0+b", "0.0.0"][..]).prop_map(str::to_owned),
        1 => Just(String::new()),
        1 => any::<String>(),
    ]
}

fn strategy() -> impl Strategy<Value = CoordinatedLeaseStrategy> {
    prop_oneof![
        6 => Just("OldestEmulationVersion".into()),
        3 => select(&["x/a", "x/b", "x/c"][..]).prop_map(Into::into),
        1 => any::<String>().prop_map(Into::into),
    ]
}

fn time() -> impl Strategy<Value = MicroTime> {
    let times = [
        "2026-01-01T12:00:00Z",
        "2026-01-01T11:59:58Z",
        "2026-01-01T11:40:00Z",
        "2030-01-01T00:00:00Z",
    ];
    select(times.to_vec()).prop_map(|time| time.parse().unwrap())
}

/// A candidate for the lease; its name is made from its place, so that no two are the same.
fn data(is_list: impl Strategy<Value = bool>) -> impl Strategy<Value = Data> {
    let versions = [version(), version()];
    let created = option::of(select(vec!["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]));
    (versions, vec(strategy(), 1..4), is_list, created, time()).prop_map(
        |(versions, strategies, is_list, created, renewed)| Data {
            versions,
            created: created.map(|time| time.parse().unwrap()),
            renewed: Some(renewed),
            ..eligible("", "", &strategies, is_list)
        },
    )
}

fn named(mut candidates: Vec<Data>) -> Vec<Data> {
    for (number, candidate) in candidates.iter_mut().enumerate() {
        candidate.name = format!("c{number}");
    }
    candidates
}

/// Candidates of the early version, of the later ones, or of both.
fn candidates() -> impl Strategy<Value = Vec<Data>> {
    prop_oneof![
        vec(data(Just(true)), 0..5),
        vec(data(Just(false)), 0..5),
        vec(data(any::<bool>()), 0..5),
    ]
    .prop_map(named)
}

fn lease() -> impl Strategy<Value = Option<Lease>> {
    let holder = option::of(select(vec!["", "c0", "c1", "stranger"]));
    let seconds = option::of(select(vec![-1, 1, 3600, i32::MAX]));
    let preferred = option::of(select(vec!["c0", "gone"]));
    let spec = (holder, seconds, option::of(time()), option::of(strategy()), preferred);
    option::of(spec.prop_map(|(holder, seconds, renewed, strategy, preferred)| {
        let mut spec = LeaseSpec::default();
        spec.holder_identity = holder.map(str::to_owned);
        spec.lease_duration_seconds = seconds;
        spec.renew_time = renewed;
        spec.strategy = strategy;
        spec.preferred_holder = preferred.map(str::to_owned);
        Lease::default().with_spec(spec)
    }))
}

/// The decision without its explanation.
fn decided<'a>(outcome: &'a ElectionOutcome<'_>) -> impl PartialEq + Debug + 'a {
    let strategy = &outcome.strategy;
    let failed = outcome.error().is_some();
    (outcome.best, strategy, outcome.written(), failed)
}

proptest! {
    #[test]
    fn the_order_of_candidates_decides_ties_alone(
        (candidates, shuffled) in candidates().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        lease in lease(),
    ) {
        let [candidates, shuffled] = [candidates, shuffled].map(|all| objects(&all));
        let (one, other) = (elect(&candidates, lease.as_ref()), elect(&shuffled, lease.as_ref()));
        prop_assert_eq!(one.tied().is_empty(), other.tied().is_empty());
        if one.tied().is_empty() {
            prop_assert_eq!(decided(&one), decided(&other));
        }
    }

    #[test]
    fn a_candidate_that_is_not_eligible_changes_nothing(
        candidates in candidates(),
        mut other in data(any::<bool>()),
        reason in 0..4,
        place in any::<prop::sample::Index>(),
        lease in lease(),
    ) {
        match reason {
            0 => other.renewed = None,
            1 => other.renewed = Some("2026-01-01T11:29:59Z".parse().unwrap()),
            2 => other.namespace.push('x'),
            _ => other.lease_name.push('x'),
        }
        let place = place.index(candidates.len() + 1);
        let mut more = candidates.clone();
        more.insert(place, other);
        let [candidates, more] = [candidates, more].map(|all| objects(&all));
        let mut outcome = elect(&more, lease.as_ref());
        outcome.candidates.remove(place);
        prop_assert_eq!(outcome, elect(&candidates, lease.as_ref()));
    }

    #[test]
    fn outcomes_are_sound(candidates in candidates(), lease in lease()) {
        let candidates = objects(&candidates);
        let outcome = elect(&candidates, lease.as_ref());
        let names: BTreeSet<_> = candidates.iter().map(|candidate| candidate.by_ref().name()).collect();
        prop_assert!(outcome.best.is_none_or(|best| names.contains(best)));
        prop_assert_eq!(outcome.candidates.len(), candidates.len());
        let best = |of: &&CandidateOutcome<'_>| matches!(of.standing, Standing::Best { .. });
        let best: Vec<_> = outcome.candidates.iter().filter(best).map(|of| of.candidate.name()).collect();
        prop_assert_eq!(best, Vec::from_iter(outcome.best));
        let compared = |of: &CandidateOutcome<'_>| !matches!(of.standing, Standing::NotCompared { .. });
        prop_assert!(outcome.best.is_none() || outcome.eligible().all(compared));
        prop_assert!(outcome.to_string().ends_with(".\n"));
        if let Some(written) = outcome.written() {
            prop_assert_ne!(Some(written), lease.as_ref());
            prop_assert_eq!(&written.spec.strategy, &outcome.strategy);
        }
    }

    /// A second election right after the first changes nothing.
    #[test]
    fn elections_settle(candidates in candidates(), lease in lease()) {
        let candidates = objects(&candidates);
        let outcome = elect(&candidates, lease.as_ref());
        if let Some(written) = outcome.written() {
            let again = elect(&candidates, Some(written));
            let settled = again.due.is_none() && again.error().is_none();
            prop_assert!(settled || again.decision == Decision::Unchanged, "{outcome}\n{again}");
        }
    }

    /// Lists of one strategy that is the same for all are like that strategy.
    #[test]
    fn both_rules_agree_where_all_agree(
        candidates in vec(data(Just(true)), 1..5).prop_map(named),
        strategy in strategy(),
        lease in lease(),
    ) {
        let outcome_of = |is_list| {
            let agreed = candidates.iter().cloned();
            let agreed = agreed.map(|candidate| Data { is_list, strategies: vec![strategy.clone()], ..candidate });
            let objects = objects(&agreed.collect::<Vec<_>>());
            serde_json::to_value(elect(&objects, lease.as_ref())).unwrap()
        };
        prop_assert_eq!(outcome_of(true), outcome_of(false));
    }
}

/// Texts that look like lines of an explanation, and any others.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".to_owned()),
        Just(String::new()),
        Just("b at 2026: no candidate is eligible.\n\nLease x/y at 2026: mallory leads".to_owned()),
        Just("\u{1b}[2J\u{9b}2J\r\u{85}\u{2028}\u{202e}".to_owned()),
        "[\\PC\n\r\u{1b}\u{2028}]{0,9}",
        any::<String>(),
    ]
}

proptest! {
    /// No text of a candidate adds a line to the explanation.
    #[test]
    fn no_text_of_an_object_adds_a_line(
        candidates in candidates(),
        texts in vec([hostile(), hostile(), hostile(), hostile()], 5),
        namespace in hostile(),
        lease_name in hostile(),
        lease in lease(),
        holder in hostile(),
    ) {
        let mut candidates = candidates;
        for (candidate, [name, other, strategy, version]) in candidates.iter_mut().zip(texts) {
            candidate.name = name;
            candidate.namespace.clone_from(&namespace);
            let leaves = candidate.versions[0].is_empty();
            candidate.lease_name = if leaves { other } else { lease_name.clone() };
            candidate.strategies.push(strategy.into());
            candidate.versions[1].push_str(&version);
        }
        let lease = lease.map(|lease| {
            let spec = lease.spec.with_holder_identity(holder);
            Lease::default().with_spec(spec)
        });
        let candidates = objects(&candidates);
        let outcome = elect_for([&namespace, &lease_name], &candidates, lease.as_ref());
        let story = outcome.to_string();
        let odd = |c: char| c != '\n' && (c.is_control() || "\u{2028}\u{202e}".contains(c));
        prop_assert!(!story.contains(odd), "{story:?}");
        prop_assert_eq!(story.lines().count(), lines(&outcome), "{}", story);
    }
}

/// The number of lines in the explanation of an outcome.
fn lines(outcome: &ElectionOutcome<'_>) -> usize {
    let expired =
        matches!(outcome.due, Some(Due::Expired { .. } | Due::NoRenewTime | Due::NoDuration));
    let stays = expired && outcome.best.is_some() && outcome.best == outcome.holder;
    let decision = match &outcome.decision {
        Decision::Update { before, lease } => {
            let (before, after) = (&before.spec, &lease.spec);
            let strategy = before.strategy != after.strategy;
            let holders =
                |spec: &LeaseSpec| (spec.holder_identity.clone(), spec.preferred_holder.clone());
            [strategy, holders(before) != holders(after), stays].into_iter().map(usize::from).sum()
        }
        _ => 1,
    };
    let reasons = usize::from(outcome.basis.is_some()) + usize::from(outcome.due.is_some());
    1 + outcome.candidates.len() + reasons + decision
}

/// With so many candidates, quadratic time takes most of a minute.
const MANY: usize = 25_000;

fn crowd(count: usize, of: impl Fn(usize) -> Data) -> Vec<AnyLeaseCandidate> {
    (0..count).map(|number| of(number).object()).collect()
}

/// An eligible candidate with both versions.
fn eligible(
    name: &str,
    version: &str,
    strategies: &[CoordinatedLeaseStrategy],
    is_list: bool,
) -> Data {
    Data {
        name: name.to_owned(),
        namespace: "ns".to_owned(),
        lease_name: "lock".to_owned(),
        versions: ["1.0.0".to_owned(), version.to_owned()],
        strategies: strategies.to_vec(),
        is_list,
        created: None,
        renewed: Some(NOW.parse().unwrap()),
    }
}

/// The best is the last in order: to look for it again for each loser takes longest.
#[test]
fn a_story_of_many_losers_ends() {
    let oldest = [CoordinatedLeaseStrategy::OldestEmulationVersion];
    let candidates = crowd(MANY, |number| {
        let version = format!("1.0.{}", MANY - number);
        eligible(&version, &version, &oldest, false)
    });
    let outcome = elect(&candidates, None);
    assert_eq!(outcome.best, Some("1.0.1"));
    assert_eq!(outcome.to_string().lines().count(), MANY + 4);
}

#[test]
fn elections_of_many_strategies_end() {
    let strategies: Vec<CoordinatedLeaseStrategy> =
        (0..=MANY).map(|number| format!("x/{number}").into()).collect();
    // Each candidate asks for something else.
    let asking = |is_list| {
        crowd(MANY, |number| {
            let own = &strategies[number..=number];
            eligible(own[0].as_str(), "1.0.0", own, is_list)
        })
    };
    assert!(elect(&asking(true), None).error().is_some());
    assert!(elect(&asking(false), None).to_string().lines().count() > MANY);
    // Each ranks two, and together they make a chain.
    let chain = crowd(MANY, |number| {
        let pair = &strategies[number..number + 2];
        eligible(pair[0].as_str(), "1.0.0", pair, true)
    });
    let outcome = elect(&chain, None);
    assert_eq!(outcome.error(), None);
    assert!(outcome.to_string().lines().count() > MANY);
}

#[test]
fn a_long_list_of_strategies_ends() {
    let mut strategies: Vec<CoordinatedLeaseStrategy> =
        (0..MANY).map(|number| format!("x/{number}").into()).collect();
    let one = |strategies: &[_]| [eligible("a", "1.0.0", strategies, true).object()];
    assert_eq!(elect(&one(&strategies), None).error(), None);
    strategies.push("x/0".into());
    let candidates = one(&strategies);
    let cycle = elect(&candidates, None);
    assert!(cycle.error().unwrap().to_string().len() > MANY);
}
