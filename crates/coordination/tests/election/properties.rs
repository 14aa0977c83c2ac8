//! What holds for all elections.

use std::collections::BTreeSet;

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_coordination::election::leader::{Rank, TieBreak};
use k8s_coordination::election::{Candidate, Decision, Election, Outcome, Preference, Standing};
use k8s_coordination::meta::v1::{MicroTime, Time};
use k8s_coordination::v1::{Lease, LeaseSpec};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const NOW: &str = "2026-01-01T12:00:00Z";

/// A candidate that owns what the view borrows.
#[derive(Clone, Debug)]
struct Owned {
    name: String,
    namespace: String,
    lease_name: String,
    versions: [String; 2],
    strategies: Vec<CoordinatedLeaseStrategy>,
    is_list: bool,
    created: Option<Time>,
    renewed: Option<MicroTime>,
}

impl Owned {
    fn view(&self) -> Candidate<'_> {
        let preference = match self.strategies.first() {
            Some(strategy) if !self.is_list => Preference::One(strategy),
            _ => Preference::List(&self.strategies),
        };
        Candidate {
            namespace: &self.namespace,
            name: &self.name,
            creation_timestamp: self.created,
            lease_name: &self.lease_name,
            binary_version: &self.versions[0],
            emulation_version: &self.versions[1],
            preference,
            renew_time: self.renewed,
        }
    }
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

/// A candidate for the lease; its name is that of its place, so that no two are the same.
fn owned(is_list: impl Strategy<Value = bool>) -> impl Strategy<Value = Owned> {
    let versions = [version(), version()];
    let created = option::of(select(vec!["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]));
    (versions, vec(strategy(), 1..4), is_list, created, time()).prop_map(
        |(versions, strategies, is_list, created, renewed)| Owned {
            name: String::new(),
            namespace: "ns".to_owned(),
            lease_name: "lock".to_owned(),
            versions,
            strategies,
            is_list,
            created: created.map(|time| time.parse().unwrap()),
            renewed: Some(renewed),
        },
    )
}

fn named(mut candidates: Vec<Owned>) -> Vec<Owned> {
    for (number, candidate) in candidates.iter_mut().enumerate() {
        candidate.name = format!("c{number}");
    }
    candidates
}

/// Candidates of the early version, of the later ones, or of both.
fn candidates() -> impl Strategy<Value = Vec<Owned>> {
    prop_oneof![
        vec(owned(Just(true)), 0..5),
        vec(owned(Just(false)), 0..5),
        vec(owned(any::<bool>()), 0..5),
    ]
    .prop_map(named)
}

fn lease() -> impl Strategy<Value = Option<Lease>> {
    let holder = option::of(select(vec!["", "c0", "c1", "stranger"]));
    let seconds = option::of(select(vec![-1, 1, 3600, i32::MAX]));
    let preferred = option::of(select(vec!["c0", "gone"]));
    let spec = (
        holder,
        seconds,
        option::of(time()),
        option::of(strategy()),
        preferred,
    );
    option::of(
        spec.prop_map(|(holder, seconds, renewed, strategy, preferred)| {
            Lease::default().with_spec(LeaseSpec {
                holder_identity: holder.map(str::to_owned),
                lease_duration_seconds: seconds,
                renew_time: renewed,
                strategy,
                preferred_holder: preferred.map(str::to_owned),
                ..LeaseSpec::default()
            })
        }),
    )
}

fn elect(candidates: &[Owned], lease: Option<&Lease>) -> Outcome {
    let candidates: Vec<_> = candidates.iter().map(Owned::view).collect();
    let now = NOW.parse().unwrap();
    let (namespace, lease_name) = ("ns", "lock");
    Election {
        namespace,
        lease_name,
        candidates: &candidates,
        lease,
        now,
    }
    .outcome()
}

fn is_tied(outcome: &Outcome) -> bool {
    let tied = [
        Rank::Best(Some(TieBreak::Order)),
        Rank::Beaten(TieBreak::Order),
    ];
    outcome
        .standings
        .iter()
        .any(|of| matches!(&of.standing, Standing::Ranked { rank, .. } if tied.contains(rank)))
}

/// What is decided, without the words for it.
fn decided(
    outcome: &Outcome,
) -> (
    Option<&str>,
    Option<&CoordinatedLeaseStrategy>,
    Option<&Lease>,
    bool,
) {
    let strategy = outcome.choice.as_ref().map(|choice| &choice.strategy);
    (
        outcome.leader.as_deref(),
        strategy,
        outcome.written(),
        outcome.error().is_some(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_order_of_candidates_decides_ties_alone(
        (candidates, shuffled) in candidates().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        lease in lease(),
    ) {
        let (one, other) = (elect(&candidates, lease.as_ref()), elect(&shuffled, lease.as_ref()));
        prop_assert_eq!(is_tied(&one), is_tied(&other));
        if !is_tied(&one) {
            prop_assert_eq!(decided(&one), decided(&other));
        }
    }

    #[test]
    fn who_takes_no_part_changes_nothing(
        candidates in candidates(),
        mut other in owned(any::<bool>()),
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
        let mut outcome = elect(&more, lease.as_ref());
        outcome.standings.remove(place);
        prop_assert_eq!(outcome, elect(&candidates, lease.as_ref()));
    }

    #[test]
    fn outcomes_are_sound(candidates in candidates(), lease in lease()) {
        let outcome = elect(&candidates, lease.as_ref());
        let names: BTreeSet<_> = candidates.iter().map(|candidate| candidate.name.as_str()).collect();
        prop_assert!(outcome.leader.as_deref().is_none_or(|leader| names.contains(leader)));
        prop_assert_eq!(outcome.standings.len(), candidates.len());
        let best = |of: &&k8s_coordination::election::StandingOf| {
            matches!(of.standing, Standing::Ranked { rank: Rank::Best(_), .. })
        };
        let best: Vec<_> = outcome.standings.iter().filter(best).map(|of| of.candidate.as_str()).collect();
        prop_assert_eq!(best, Vec::from_iter(outcome.leader.as_deref()));
        prop_assert!(outcome.to_string().ends_with(".\n"));
        if let Some(written) = outcome.written() {
            prop_assert_ne!(Some(written), lease.as_ref());
            prop_assert_eq!(written.spec.strategy.as_ref(), outcome.choice.as_ref().map(|choice| &choice.strategy));
        }
    }

    /// What an election has written needs no change at once.
    #[test]
    fn elections_settle(candidates in candidates(), lease in lease()) {
        let outcome = elect(&candidates, lease.as_ref());
        if let Some(written) = outcome.written() {
            let again = elect(&candidates, Some(written));
            let settled = matches!(again.decision, Decision::NotDue(_) | Decision::Unchanged);
            prop_assert!(settled, "{outcome}\n{again}");
        }
    }

    /// Lists of one strategy that is the same for all are like that strategy.
    #[test]
    fn both_rules_agree_where_all_agree(
        candidates in vec(owned(Just(true)), 1..5).prop_map(named),
        strategy in strategy(),
        lease in lease(),
    ) {
        let agreed = |is_list| -> Vec<Owned> {
            let agreed = candidates.iter().cloned();
            agreed.map(|candidate| Owned { is_list, strategies: vec![strategy.clone()], ..candidate }).collect()
        };
        let (early, late) = (elect(&agreed(true), lease.as_ref()), elect(&agreed(false), lease.as_ref()));
        prop_assert_eq!(early, late);
    }
}

/// Time that grows much faster than the input would show here as a test that does not end.
#[test]
fn large_elections_take_no_long_time() {
    const MANY: usize = 20_000;
    let chain: Vec<CoordinatedLeaseStrategy> = (0..MANY)
        .map(|number| format!("x/s{number}").into())
        .collect();
    let circle: Vec<_> = chain
        .iter()
        .cloned()
        .chain(chain.first().cloned())
        .collect();
    let owned = |strategies: &[CoordinatedLeaseStrategy], number: usize| Owned {
        name: format!("c{number}"),
        namespace: "ns".to_owned(),
        lease_name: "lock".to_owned(),
        versions: [format!("1.0.{number}"), "1.0.0".to_owned()],
        strategies: strategies.to_vec(),
        is_list: true,
        created: None,
        renewed: Some(NOW.parse().unwrap()),
    };
    assert_eq!(elect(&[owned(&chain, 0)], None).error(), None);
    let error = elect(&[owned(&circle, 0)], None);
    assert!(error.error().unwrap().to_string().len() > MANY);
    let crowd = |is_list| -> Vec<Owned> {
        let strategy = |number: usize| &chain[number..=number];
        (0..MANY)
            .map(|number| Owned {
                is_list,
                ..owned(strategy(number), number)
            })
            .collect()
    };
    assert!(elect(&crowd(true), None).error().is_some());
    assert!(elect(&crowd(false), None).to_string().lines().count() > MANY);
}
