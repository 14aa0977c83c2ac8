//! Walks over kinds with fields that one version alone has: what is kept of several versions is carried along.
//!
//! `CONVERSION_CASES=10000000` takes ten million random walks; the seed is printed, and `CONVERSION_SEED` repeats it.

use std::collections::BTreeMap;

use coordination_codegen_cases::walks::conversion::{AnyKite, KiteVersion};
use coordination_codegen_cases::weight::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_versioned::conversion::{AnyVersion, ConversionReport};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Map, Value, json};

use KiteVersion::{V1, V1alpha1, V1alpha2, V1beta1};

const KEY: &str = "conversion.example.internal/kite";

/// A field: the versions that have it in its fuller form with its path there, and what the other versions make of it.
struct Field {
    fuller: &'static [(KiteVersion, &'static str)],
    less: Less,
}

#[derive(Clone, Copy, PartialEq)]
enum Less {
    First(&'static str),
    Zero(&'static str),
    Absent,
}

const FIELDS: [Field; 6] = [
    Field {
        fuller: &[(V1alpha1, "spec.colors")],
        less: Less::First("spec.color"),
    },
    Field {
        fuller: &[(V1alpha1, "spec.length"), (V1alpha2, "spec.length")],
        less: Less::Zero("spec.length"),
    },
    Field {
        fuller: &[(V1alpha1, "spec.glue")],
        less: Less::Absent,
    },
    Field {
        fuller: &[(V1alpha2, "spec.rope.strands")],
        less: Less::Absent,
    },
    Field {
        fuller: &[(V1beta1, "spec.reel")],
        less: Less::Absent,
    },
    Field {
        fuller: &[(V1, "status.gusts")],
        less: Less::Absent,
    },
];

impl Field {
    fn fuller_in(&self, version: KiteVersion) -> Option<&'static str> {
        let found = self.fuller.iter().find(|(other, _)| *other == version);
        found.map(|(_, path)| *path)
    }

    /// What becomes of the fuller value where there is less of it.
    fn less(&self, value: &Value) -> Value {
        match self.less {
            Less::First(_) => value.get(0).cloned().unwrap_or_else(|| json!("")),
            Less::Zero(_) if value.is_null() => json!(0),
            Less::Zero(_) => value.clone(),
            Less::Absent => Value::Null,
        }
    }

    /// The fuller value that one would take it for.
    fn fuller(&self, less: &Value) -> Value {
        match self.less {
            Less::First(_) if *less == json!("") => json!([]),
            Less::First(_) => json!([less]),
            Less::Zero(_) if *less == json!(0) => Value::Null,
            Less::Zero(_) => less.clone(),
            Less::Absent => Value::Null,
        }
    }

    /// A value of the field, in the form that it has in a version.
    fn value(&self, version: KiteVersion, seed: u8) -> Value {
        let colors = ["", "red", "blue"].map(|color| json!(color));
        let color = |at: u8| colors[usize::from(at % 3)].clone();
        let full = match self.less {
            Less::First(_) => match seed % 4 {
                0 => json!([]),
                1 => json!([color(seed / 4)]),
                2 => json!([color(seed / 4), color(seed / 12)]),
                _ => json!([color(seed / 4), color(seed / 12), color(seed / 36)]),
            },
            _ if self.fuller[0].1 == "spec.glue" && seed.is_multiple_of(3) => Value::Null,
            _ if self.fuller[0].1 == "spec.glue" => color(seed),
            _ if seed.is_multiple_of(4) => Value::Null,
            _ => json!(seed % 4 - 1),
        };
        if self.fuller_in(version).is_some() {
            full
        } else {
            self.less(&full)
        }
    }
}

/// A kite as the specification has it: its fields, and what is kept of each.
#[derive(Clone)]
struct Model {
    version: KiteVersion,
    fields: Vec<Value>,
    kept: Vec<Option<Value>>,
    cloth: u8,
}

impl Model {
    /// Converts; returns the paths and findings.
    fn convert(&mut self, to: KiteVersion) -> Vec<String> {
        let mut told = Vec::new();
        for (index, field) in FIELDS.iter().enumerate() {
            let live = self.fields[index].clone();
            match (field.fuller_in(self.version), field.fuller_in(to)) {
                (Some(path), None) => {
                    self.fields[index] = field.less(&live);
                    if field.fuller(&self.fields[index]) != live {
                        self.kept[index] = Some(live);
                        told.push(format!("{path} preserved"));
                    }
                }
                (None, Some(path)) => {
                    self.fields[index] = field.fuller(&live);
                    if let Some(kept) = self.kept[index].take() {
                        if field.less == Less::Absent || field.less(&kept) == live {
                            self.fields[index] = kept;
                            told.push(format!("{path} restored"));
                        } else if kept == self.fields[index] {
                            told.push(format!("{path} redundant"));
                        } else {
                            told.push(format!("{path} stale"));
                        }
                    }
                }
                _ => {}
            }
        }
        self.version = to;
        told.sort();
        told
    }

    /// Whether nothing that is kept is out of date.
    fn is_settled(&self) -> bool {
        let settled = |(index, kept): (usize, &Option<Value>)| {
            let field = &FIELDS[index];
            kept.as_ref().is_none_or(|kept| {
                field.less == Less::Absent || field.less(kept) == self.fields[index]
            })
        };
        self.kept.iter().enumerate().all(settled)
    }

    fn annotation(&self) -> Option<String> {
        let mut versions = Map::new();
        for (field, kept) in FIELDS.iter().zip(&self.kept) {
            if let Some(kept) = kept {
                let (version, path) = field.fuller[0];
                let entry = versions
                    .entry(version.as_str())
                    .or_insert_with(|| json!({}));
                entry[path] = kept.clone();
            }
        }
        (!versions.is_empty()).then(|| json!({"fields": versions, "format": 2}).to_string())
    }

    fn kite(&self) -> AnyKite {
        let mut kite = json!({
            "apiVersion": self.version.api_version(), "kind": "Kite",
            "metadata": {"name": "a"}, "spec": {"pilot": "p", "rope": {"material": "hemp"}},
            "status": {"height": 3},
        });
        let old = [V1alpha1, V1alpha2].contains(&self.version);
        kite["spec"][if old { "sail" } else { "cloth" }] = json!(self.cloth.to_string());
        for (field, value) in FIELDS.iter().zip(&self.fields) {
            let path = match (field.fuller_in(self.version), field.less) {
                (Some(path), _) | (None, Less::First(path) | Less::Zero(path)) => path,
                (None, Less::Absent) => continue,
            };
            let pointer = format!("/{}", path.replace('.', "/"));
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            kite.pointer_mut(parent).unwrap()[name] = value.clone();
        }
        if let Some(text) = self.annotation() {
            kite["metadata"]["annotations"] = json!({KEY: text});
        }
        AnyKite::from_value(&kite, &mut ConversionReport::new()).unwrap()
    }
}

fn findings(report: &ConversionReport) -> Vec<String> {
    let entry = |entry: Value| {
        let text = |name: &str| entry[name].as_str().unwrap().to_owned();
        format!("{} {}", text("path"), text("finding"))
    };
    let entries = serde_json::to_value(report).unwrap();
    let mut found: Vec<String> = entries
        .as_array()
        .unwrap()
        .iter()
        .cloned()
        .map(entry)
        .collect();
    found.sort();
    found
}

/// Edits of fields, then the version to go to.
type Leg = (Vec<(usize, u8)>, KiteVersion);

fn walk(legs: &[Leg]) -> Result<(), TestCaseError> {
    let value = |field: &Field| field.value(V1alpha1, 0);
    let mut model = Model {
        version: V1alpha1,
        fields: FIELDS.iter().map(value).collect(),
        kept: vec![None; FIELDS.len()],
        cloth: 0,
    };
    let mut seen: BTreeMap<KiteVersion, AnyKite> = BTreeMap::new();
    for (edits, to) in legs {
        for (index, seed) in edits {
            let field = &FIELDS[*index];
            if field.fuller_in(model.version).is_some() || field.less != Less::Absent {
                model.fields[*index] = field.value(model.version, *seed);
                model.cloth = seed % 7;
                seen.clear();
            }
        }
        let kite = model.kite();
        if model.is_settled() {
            seen.insert(model.version, kite.clone());
        }
        let told = model.convert(*to);
        let (kite, report) = kite.convert_to(*to);
        prop_assert_eq!(&kite, &model.kite());
        prop_assert_eq!(findings(&report), told);
        if let Some(before) = seen.get(to) {
            prop_assert_eq!(&kite, before, "it comes back as it left");
        }
    }
    Ok(())
}

fn legs() -> impl Strategy<Value = Vec<Leg>> {
    let edit = (0..FIELDS.len(), any::<u8>());
    let edits = prop_oneof![
        1 => Just(Vec::new()),
        1 => prop::collection::vec(edit, 1..5),
    ];
    let to = prop::sample::select(KiteVersion::ALL);
    prop::collection::vec((edits, to), 1..=12)
}

fn config() -> Config {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let cases = number("CONVERSION_CASES").unwrap_or(100_000);
    let seed = number("CONVERSION_SEED").unwrap_or_else(|| {
        use std::hash::{BuildHasher, RandomState};
        RandomState::new().hash_one(())
    });
    println!("{cases} cases, CONVERSION_SEED={seed}");
    Config {
        cases: u32::try_from(cases).unwrap(),
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn over_four_versions(legs in legs()) {
        walk(&legs)?;
    }
}

/// The candidate after these conversions.
fn over(object: &Value, versions: &[LeaseCandidateVersion]) -> Value {
    let mut candidate =
        AnyLeaseCandidate::from_value(object, &mut ConversionReport::new()).unwrap();
    for version in versions {
        let (converted, report) = candidate.convert_to(*version);
        let lost = report.severity() >= Some(k8s_versioned::conversion::Severity::Loss);
        assert!(!lost, "{report}");
        candidate = converted;
    }
    serde_json::to_value(candidate).unwrap()
}

/// A field that a release adds to one version survives a walk over the others, and so does what these keep.
#[test]
fn with_a_weight_in_v1beta1() {
    use LeaseCandidateVersion::{V1alpha1, V1alpha2, V1beta1};

    let object = |version: &str, spec: Value| {
        json!({
            "apiVersion": format!("coordination.k8s.io/{version}"), "kind": "LeaseCandidate",
            "metadata": {"name": "a"}, "spec": spec,
        })
    };
    let list = object(
        "v1alpha1",
        json!({"binaryVersion": "1.31.0", "leaseName": "l", "preferredStrategies": ["x.example/a", "x.example/b"]}),
    );
    assert_eq!(over(&list, &[V1alpha2, V1beta1, V1alpha1]), list);
    let weight = object(
        "v1beta1",
        json!({"binaryVersion": "1.31.0", "leaseName": "l", "strategy": "x.example/a", "weight": 5}),
    );
    assert_eq!(over(&weight, &[V1alpha2, V1alpha1, V1beta1]), weight);
}
