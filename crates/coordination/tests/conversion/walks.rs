//! Walks: candidates that go from version to version, with edits between the conversions. After each conversion the
//! candidate, its annotation and the report are what the model says.
//!
//! `CONVERSION_CASES=10000000` takes ten million walks; the seed is printed, and `CONVERSION_SEED` repeats it.

use std::collections::BTreeMap;

use k8s_coordination::k8s_versioned::MicroTime;
use proptest::prelude::*;
use proptest::sample::select;

use crate::model::{Kept, Model};
use crate::random::{Edit, candidate, config, edit, policy};
use crate::support::*;

#[derive(Clone, Debug)]
enum Step {
    To(Version),
    Edit(Edit),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let to = select(Version::ALL).prop_map(Step::To);
    let edits = prop::collection::vec(edit().prop_map(Step::Edit), 0..3);
    let edits = prop_oneof![2 => Just(Vec::new()), 1 => edits];
    let legs = prop::collection::vec((edits, to), 1..=12);
    legs.prop_map(|legs| {
        let legs = legs.into_iter();
        legs.flat_map(|(edits, to)| edits.into_iter().chain([to]))
            .collect()
    })
}

/// A candidate on its way, and what the specification says of it.
struct Walk {
    candidate: Any,
    model: Model,
    options: Options<Policies>,
    /// How the candidate was in each version, since the last edit.
    seen: BTreeMap<Version, Any>,
}

impl Walk {
    fn new(candidate: X, policy: Absent<String>) -> Self {
        let model = Model {
            version: Version::V1alpha1,
            strategies: strategies(&candidate)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            binary_version: candidate.spec.binary_version.clone(),
            emulation_version: candidate.spec.emulation_version.clone(),
            lease_name: candidate.spec.lease_name.clone(),
            kept: Kept::default(),
        };
        Self {
            candidate: candidate.into(),
            model,
            options: Options::new(Policies {
                binary_version: policy,
            }),
            seen: BTreeMap::new(),
        }
    }

    fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match step {
            Step::To(version) => self.convert(*version),
            Step::Edit(edit) => {
                edit.apply(&mut self.candidate, &mut self.model);
                self.seen.clear();
                Ok(())
            }
        }
    }

    fn convert(&mut self, to: Version) -> Result<(), TestCaseError> {
        let policy = &self.options.policies.binary_version;
        if self.model.is_settled(policy) {
            let own = self.candidate.version();
            self.seen.insert(own, self.candidate.clone());
        }
        let mut report = ConversionReport::new();
        let before = self.candidate.clone();
        let after = before
            .clone()
            .convert_to_reporting(to, &self.options, &mut report);
        let (expected, told) = self.model.clone().convert(to, policy);
        prop_assert_eq!(fields(&after), expected_fields(&expected));
        let mut found = findings(&report);
        found.sort();
        prop_assert_eq!(found, told, "{}", report);
        prop_assert_eq!(rest(&after), rest(&before), "everything else is the same");
        if let Some(seen) = self.seen.get(&to) {
            prop_assert_eq!(&after, seen, "it comes back as it left");
        }
        (self.candidate, self.model) = (after, expected);
        Ok(())
    }
}

/// The fields that the model has.
fn fields(candidate: &Any) -> (Vec<String>, Option<String>, Option<String>) {
    let (strategies, binary_version): (Vec<&str>, _) = match candidate {
        Any::V1alpha1(x) => (strategies(x), x.spec.binary_version.clone()),
        Any::V1alpha2(y) => (
            vec![y.spec.strategy.as_str()],
            Some(y.spec.binary_version.clone()),
        ),
        Any::V1beta1(z) => (
            vec![z.spec.strategy.as_str()],
            Some(z.spec.binary_version.clone()),
        ),
    };
    let kept = candidate.metadata().annotations.get(K).cloned();
    let strategies = strategies.into_iter().map(str::to_owned);
    (strategies.collect(), binary_version, kept)
}

fn expected_fields(model: &Model) -> (Vec<String>, Option<String>, Option<String>) {
    let strategies = match model.version {
        Version::V1alpha1 => model.strategies.clone(),
        _ => vec![crate::model::first(&model.strategies)],
    };
    (strategies, model.binary_version.clone(), model.kept.text())
}

/// Everything else.
#[derive(Debug, PartialEq)]
struct Rest {
    metadata: ObjectMeta,
    emulation_version: Option<String>,
    lease_name: String,
    times: [Option<MicroTime>; 2],
}

fn rest(candidate: &Any) -> Rest {
    let mut metadata = candidate.metadata().clone();
    metadata.annotations.remove(K);
    Rest {
        metadata,
        emulation_version: candidate.emulation_version().map(str::to_owned),
        lease_name: candidate.lease_name().to_owned(),
        times: [
            candidate.ping_time().copied(),
            candidate.renew_time().copied(),
        ],
    }
}

proptest! {
    #![proptest_config(config(100_000))]

    #[test]
    fn of_conversions_and_edits(candidate in candidate(), policy in policy(), steps in steps()) {
        let mut walk = Walk::new(candidate, policy);
        for step in &steps {
            walk.take(step)?;
        }
    }
}
