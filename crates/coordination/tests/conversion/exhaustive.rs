//! Every case of a small scope, against the specification written down a second time.

use crate::model::{Earlier, Later, first, is_canonical, list};
use crate::support::*;

const SYMBOLS: [&str; 5] = ["", A, B, C, "odd"];
const BINARY_VERSIONS: [Option<&str>; 3] = [None, Some(""), Some("1.31.0")];

/// All lists of up to `longest` symbols.
fn lists(longest: usize) -> Vec<Vec<String>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..longest {
        let longer = last.iter().flat_map(|list: &Vec<String>| {
            SYMBOLS.map(|symbol| [&list[..], &[symbol.to_owned()]].concat())
        });
        last = longer.collect();
        all.extend(last.clone());
    }
    all
}

/// What can happen to a candidate of a later version between two conversions.
fn edits(target: &Later) -> Vec<Later> {
    let mut edited = vec![target.clone()];
    edited.extend(SYMBOLS.map(|strategy| Later {
        strategy: strategy.to_owned(),
        ..target.clone()
    }));
    edited.extend(["", "1.31.0", "1.32.0"].map(|binary_version| Later {
        binary_version: binary_version.to_owned(),
        ..target.clone()
    }));
    edited.extend([None, Some("garbage".to_owned())].map(|kept| Later {
        kept,
        ..target.clone()
    }));
    edited
}

fn later(of: &Later) -> Z {
    z(&of.strategy, &of.binary_version, of.kept.as_deref())
}

fn earlier(of: &Earlier) -> X {
    let strategies: Vec<&str> = of.strategies.iter().map(String::as_str).collect();
    let mut x = x(&strategies, of.binary_version.as_deref());
    x.metadata
        .annotations
        .extend(of.kept.clone().map(|text| (K.to_owned(), text)));
    x
}

#[test]
fn every_small_candidate_of_v1alpha1() {
    let mut cases = 0;
    for strategies in lists(4) {
        for binary_version in BINARY_VERSIONS {
            for kept in [None, Some("garbage".to_owned()), Some(kept_list(&[A, B]))] {
                let source = Earlier {
                    strategies: strategies.clone(),
                    binary_version: binary_version.map(str::to_owned),
                    kept,
                };
                cases += check_up(&source);
            }
        }
    }
    println!("{cases} cases");
    assert_eq!(cases, 781 * 3 * 3 * 11);
}

/// Checks the way up, and the way down after each edit; returns how many edits there are.
fn check_up(source: &Earlier) -> usize {
    let (expected, candidate) = (source.up(None), earlier(source));
    let (target, report) = up(&candidate);
    assert_eq!(target, later(&expected), "{source:?}");
    let (second, second_report): (Y, _) = (&candidate).convert();
    let (across, _): (Z, _) = second.convert();
    assert_eq!((&across, &second_report), (&target, &report), "{source:?}");

    let invalid = expected.strategy.is_empty() || expected.binary_version.is_empty();
    let accepted = Convert::<Z>::convert_strict(&candidate).is_ok();
    assert_eq!(
        accepted,
        !invalid && source.kept.is_none(),
        "{source:?}: {report}"
    );

    let edited = edits(&expected);
    for edit in &edited {
        let (back, _) = down(&later(edit));
        assert_eq!(back, earlier(&edit.down()), "{source:?} {edit:?}");
        if *edit == expected {
            let unchanged = Earlier {
                kept: None,
                ..source.clone()
            };
            assert_eq!(back, earlier(&unchanged), "comes back unchanged");
        }
        if edit.strategy != first(&source.strategies) {
            assert_eq!(
                Earlier::of(&back).strategies,
                list(&edit.strategy),
                "live fields win"
            );
        }
    }
    edited.len()
}

#[test]
fn every_small_candidate_of_a_later_version() {
    let mut cases = 0;
    for strategy in SYMBOLS {
        for binary_version in ["", "1.31.0", "1.32.0"] {
            for kept in annotations() {
                check_down(&Later {
                    strategy: strategy.to_owned(),
                    binary_version: binary_version.to_owned(),
                    kept,
                });
                cases += 1;
            }
        }
    }
    println!("{cases} cases");
    assert_eq!(cases, 5 * 3 * (5 + 157 * 8));
}

/// What the annotation can hold: nothing, something unreadable, or a list, a version and what fills it.
fn annotations() -> Vec<Option<String>> {
    let other_version = kept_list(&[A, B]).replace("v1alpha1", "v1alpha2");
    let mut all = vec![
        None,
        Some(String::new()),
        Some("garbage".to_owned()),
        Some(r#"{"format":2}"#.to_owned()),
        Some(other_version),
    ];
    let lists = lists(3).into_iter().map(Some).chain([None]);
    for list in lists {
        let list =
            list.map(|list| format!(r#""spec.preferredStrategies":{}"#, serde_json::json!(list)));
        for version in ["", "null", r#""""#, r#""1.31.0""#] {
            let version =
                (!version.is_empty()).then(|| format!(r#""spec.binaryVersion":{version}"#));
            let fields: Vec<String> = version.into_iter().chain(list.clone()).collect();
            for filled in ["", r#""spec.binaryVersion":"1.31.0""#] {
                all.push(Some(kept(&fields.join(","), filled)));
            }
        }
    }
    all
}

fn check_down(source: &Later) {
    let candidate = later(source);
    let (target, report) = down(&candidate);
    let expected = source.down();
    assert_eq!(target, earlier(&expected), "{source:?}");
    let (second, _): (Y, _) = (&candidate).convert();
    let (through, second_report): (X, _) = second.convert();
    assert_eq!((&through, &second_report), (&target, &report), "{source:?}");
    if source.kept.is_none() {
        assert!(report.is_empty() && is_canonical(&expected.strategies));
        assert_eq!(up(&target).0, candidate);
    }
    let (again, _) = down(&up(&target).0);
    assert_eq!(again, target, "{source:?}");
}
