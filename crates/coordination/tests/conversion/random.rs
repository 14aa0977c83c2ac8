//! Random candidates.

use k8s_coordination::k8s_versioned::MicroTime;
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};

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
pub(crate) fn earlier() -> impl Strategy<Value = X> {
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

/// What a client may do to a candidate of a later version, or to the annotation.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Strategy(String),
    BinaryVersion(String),
    Drop,
    Write(String),
    Cut(prop::sample::Index),
}

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        3 => text().prop_map(Edit::Strategy),
        2 => version().prop_map(Edit::BinaryVersion),
        1 => Just(Edit::Drop),
        2 => annotation().prop_map(Edit::Write),
        1 => any::<prop::sample::Index>().prop_map(Edit::Cut),
    ]
}

/// What the annotation may hold: what a conversion may have written, what is near to it, and anything.
pub(crate) fn annotation() -> impl Strategy<Value = String> {
    let list = prop::collection::vec(text(), 0..4);
    let version = prop::option::of(prop::option::of(version()));
    let filled = prop::option::weighted(0.2, self::version());
    let near = (prop::option::of(list), version, filled).prop_map(|(list, version, filled)| {
        let version =
            version.map(|it| format!(r#""spec.binaryVersion":{}"#, serde_json::json!(it)));
        let list =
            list.map(|it| format!(r#""spec.preferredStrategies":{}"#, serde_json::json!(it)));
        let fields: Vec<String> = version.into_iter().chain(list).collect();
        let filled = filled.map(|it| format!(r#""spec.binaryVersion":{}"#, serde_json::json!(it)));
        kept(&fields.join(","), &filled.unwrap_or_default())
    });
    prop_oneof![8 => near, 1 => any_text(), 1 => Just(r#"{"format":7}"#.to_owned())]
}

impl Edit {
    pub(crate) fn apply(&self, z: &mut Z) {
        let annotations = &mut z.metadata.annotations;
        match self {
            Self::Strategy(strategy) => z.spec.strategy = strategy.as_str().into(),
            Self::BinaryVersion(version) => z.spec.binary_version.clone_from(version),
            Self::Drop => drop(annotations.remove(K)),
            Self::Write(text) => drop(annotations.insert(K.to_owned(), text.clone())),
            Self::Cut(index) => {
                if let Some(text) = annotations.get_mut(K) {
                    let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).collect();
                    if !ends.is_empty() {
                        text.truncate(*index.get(&ends));
                    }
                }
            }
        }
    }
}

/// A candidate of a later version: one that came up from the first and was edited, or not.
pub(crate) fn later() -> impl Strategy<Value = Z> {
    let fill = prop::option::weighted(0.3, version());
    let edits = prop::collection::vec(edit(), 0..3);
    (earlier(), fill, edits).prop_map(|(x, fill, edits)| {
        let binary_version = fill.map_or(Absent::KeepEmpty, Absent::Use);
        let options = Options::new(Policies { binary_version });
        let (mut z, _): (Z, _) = x.convert_with(&options).unwrap();
        for edit in edits {
            edit.apply(&mut z);
        }
        z
    })
}
