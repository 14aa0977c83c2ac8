//! Sequences of conversions and edits, each compared with the specification written down a second time.

use proptest::prelude::*;

use crate::model::{Earlier, Later};
use crate::random::{Edit, config, earlier, edit, text, version};
use crate::support::*;

#[derive(Clone, Debug)]
enum Step {
    To(Version),
    Edit(Edit),
    Strategies(Vec<String>),
    BinaryVersion(Option<String>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => prop::sample::select(Version::ALL).prop_map(Step::To),
        3 => edit().prop_map(Step::Edit),
        1 => prop::collection::vec(text(), 0..4).prop_map(Step::Strategies),
        1 => prop::option::of(version()).prop_map(Step::BinaryVersion),
    ]
}

/// What the specification expects of a candidate.
#[derive(Clone, Debug, PartialEq)]
enum Model {
    Earlier(Earlier),
    Later(Later),
}

impl Model {
    fn of(candidate: &Any) -> Self {
        match candidate {
            Any::V1alpha1(x) => Self::Earlier(Earlier::of(x)),
            Any::V1alpha2(y) => Self::Later(Later::of(&across(y))),
            Any::V1beta1(z) => Self::Later(Later::of(z)),
        }
    }

    fn convert(self, to: Version) -> Self {
        match (self, to) {
            (Self::Earlier(model), Version::V1alpha1) => Self::Earlier(Earlier {
                kept: None,
                ..model
            }),
            (Self::Earlier(model), _) => Self::Later(model.up(None)),
            (Self::Later(model), Version::V1alpha1) => Self::Earlier(model.down()),
            (Self::Later(model), _) => Self::Later(model),
        }
    }
}

fn across(y: &Y) -> Z {
    Z::new(y.spec.clone().into()).with_metadata(y.metadata.clone())
}

/// Applies a step to a candidate, if it is one for its version.
fn apply(candidate: Any, step: &Step) -> Any {
    match (candidate, step) {
        (Any::V1beta1(mut z), Step::Edit(edit)) => {
            edit.apply(&mut z);
            Any::V1beta1(z)
        }
        (Any::V1alpha2(y), Step::Edit(edit)) => {
            let mut z = across(&y);
            edit.apply(&mut z);
            Any::V1alpha2(Y::new(z.spec.into()).with_metadata(z.metadata))
        }
        (Any::V1alpha1(mut x), Step::Edit(Edit::Write(text))) => {
            x.metadata.annotations.insert(K.to_owned(), text.clone());
            Any::V1alpha1(x)
        }
        (Any::V1alpha1(mut x), Step::Strategies(strategies)) => {
            x.spec.preferred_strategies = strategies.iter().map(|it| it.as_str().into()).collect();
            Any::V1alpha1(x)
        }
        (Any::V1alpha1(mut x), Step::BinaryVersion(version)) => {
            x.spec.binary_version.clone_from(version);
            Any::V1alpha1(x)
        }
        (candidate, _) => candidate,
    }
}

proptest! {
    #![proptest_config(config(50_000))]

    #[test]
    fn conversions_and_edits_in_any_order(x in earlier(), steps in prop::collection::vec(step(), 1..=8)) {
        let mut candidate = Any::from(x);
        for step in &steps {
            let before = Model::of(&candidate);
            if let Step::To(version) = step {
                candidate = candidate.convert_to(*version).0;
                prop_assert_eq!(Model::of(&candidate), before.convert(*version));
            } else {
                candidate = apply(candidate, step);
            }
        }
        // Wherever it has got to, going up and down once more changes nothing.
        let (x, _): (X, _) = candidate.convert();
        prop_assert!(!x.metadata.annotations.contains_key(K));
        prop_assert_eq!(&down(&up(&x).0).0, &x);
    }
}
