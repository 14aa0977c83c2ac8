//! Random candidates.

use k8s_coordination::k8s_versioned::MicroTime;
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};

use crate::model::{Kept, Model, first, list};
use crate::support::*;

/// A number of cases: the usual one, or what the variable says. The seed is printed, and can be given.
pub(crate) fn config(usual: u32) -> Config {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let cases = number("CONVERSION_CASES").and_then(|cases| u32::try_from(cases).ok());
    let seed = number("CONVERSION_SEED").unwrap_or_else(rand_seed);
    let config = Config {
        cases: cases.unwrap_or(usual),
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    println!("{} cases, CONVERSION_SEED={seed}", config.cases);
    config
}

fn rand_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(())
}

/// A text: few, so that they meet again, and now and then any.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(&["", A, B, C, "odd"][..]).prop_map(str::to_owned),
        1 => any_text(),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..6).prop_map(String::from_iter)
}

pub(crate) fn version() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(&["", "1.31.0", "1.32.0", "v1.31", "0.0.0"][..]).prop_map(str::to_owned),
        1 => any_text(),
    ]
}

fn time() -> impl Strategy<Value = Option<MicroTime>> {
    // From years before 0 to years after 9999, as servers hand them out.
    let seconds = -70_000_000_000..300_000_000_000_i64;
    let time = (seconds, 0..1_000_000_u32).prop_filter_map("a time", |(second, micro)| {
        MicroTime::from_unix(second, micro)
    });
    prop::option::of(time)
}

/// Metadata without the annotation.
fn metadata() -> impl Strategy<Value = ObjectMeta> {
    let annotations = prop::collection::btree_map(any_text(), text(), 0..3);
    let name = prop::option::of(text());
    (annotations, name, any::<bool>()).prop_map(|(annotations, name, managed)| {
        let mut metadata = ObjectMeta::default()
            .with_annotations(annotations)
            .with_managed_fields(managed.then(managed_fields));
        metadata.name = name;
        metadata
    })
}

fn managed_fields() -> ManagedFieldsEntry {
    let fields = FieldsV1::from_json(r#"{"f:spec":{"f:preferredStrategies":{}}}"#).unwrap();
    ManagedFieldsEntry::default()
        .with_api_version("coordination.k8s.io/v1alpha1")
        .with_fields_v1(fields)
}

/// A candidate of the first version, without the annotation: lists of 0 to 8 strategies, often with doubles.
pub(crate) fn candidate() -> impl Strategy<Value = X> {
    let spec = (
        prop::collection::vec(text(), 0..=8),
        prop::option::of(version()),
        prop::option::of(version()),
        (text(), time(), time()),
    );
    (spec, metadata()).prop_map(
        |((strategies, binary_version, emulation_version, rest), metadata)| {
            let (lease_name, ping_time, renew_time) = rest;
            let mut spec = v1alpha1::LeaseCandidateSpec::new(lease_name, strategies);
            spec.binary_version = binary_version;
            spec.emulation_version = emulation_version;
            spec.ping_time = ping_time;
            spec.renew_time = renew_time;
            X::new(spec).with_metadata(metadata)
        },
    )
}

/// What the caller chooses about absent binary versions.
pub(crate) fn policy() -> impl Strategy<Value = Absent<String>> {
    prop_oneof![
        2 => Just(Absent::KeepEmpty),
        1 => version().prop_map(Absent::Use),
        1 => Just(Absent::UseOther),
    ]
}

/// What a client may do to a candidate.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Strategies(Vec<String>),
    BinaryVersion(Option<String>),
    EmulationVersion(Option<String>),
    /// What the annotation holds then.
    Annotation(Kept),
}

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        3 => prop::collection::vec(text(), 0..4).prop_map(Edit::Strategies),
        2 => prop::option::of(version()).prop_map(Edit::BinaryVersion),
        1 => prop::option::of(version()).prop_map(Edit::EmulationVersion),
        3 => kept().prop_map(Edit::Annotation),
    ]
}

/// What the annotation may hold: what a conversion may have written, what is near to it, and what is unreadable.
fn kept() -> impl Strategy<Value = Kept> {
    let list = prop::option::of(prop::collection::vec(text(), 0..4));
    let filled = prop::option::weighted(0.3, version());
    let version = prop::option::of((prop::option::of(version()), filled));
    let other = prop::option::weighted(0.3, text());
    let entries =
        (list, version, other, any::<bool>()).prop_map(|(list, version, other, old)| Kept {
            old: old && other.is_none() && (list.is_some() || version.is_some()),
            list,
            version,
            other,
            ..Kept::default()
        });
    let garbage = Kept {
        garbage: true,
        ..Kept::default()
    };
    let nothing = Kept {
        nothing: true,
        ..Kept::default()
    };
    prop_oneof![8 => entries, 1 => Just(garbage), 1 => Just(nothing)]
}

impl Edit {
    pub(crate) fn apply(&self, candidate: &mut Any, model: &mut Model) {
        match self {
            Self::Strategies(list) => model.strategies.clone_from(list),
            Self::BinaryVersion(version) => model.binary_version.clone_from(version),
            Self::EmulationVersion(version) => model.emulation_version.clone_from(version),
            Self::Annotation(kept) => {
                model.kept = kept.clone();
                let text = kept.text();
                let annotations = &mut candidate.metadata_mut().annotations;
                annotations.remove(K);
                annotations.extend(text.map(|text| (K.to_owned(), text)));
            }
        }
        if model.version != Version::V1alpha1 {
            model.strategies = list(&first(&model.strategies));
            model.binary_version = Some(model.binary_version.take().unwrap_or_default());
        }
        model.write(candidate);
    }
}
