//! The laws of the specification, on random candidates.
//!
//! `CONVERSION_CASES=10000000` tries ten million of each; the seed is printed, and `CONVERSION_SEED` repeats
//! it.

use proptest::prelude::*;

use crate::model::{Earlier, Later, first, is_canonical, list};
use crate::random::{annotation, config, earlier, later, text, version};
use crate::support::*;

const CASES: u32 = 100_000;

fn up2(x: &X) -> Y {
    x.convert().0
}

fn up3(x: &X) -> Z {
    x.convert().0
}

fn down2(y: &Y) -> X {
    y.convert().0
}

fn down3(z: &Z) -> X {
    z.convert().0
}

fn across(y: &Y) -> Z {
    y.convert().0
}

fn across_back(z: &Z) -> Y {
    z.convert().0
}

/// The same candidate without the annotation.
fn bare(z: &Z) -> Z {
    split(z).1
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn l1_up_and_down_is_where_it_was(x in earlier()) {
        prop_assert_eq!(&down3(&up3(&x)), &x);
        prop_assert_eq!(&down2(&up2(&x)), &x);
    }

    #[test]
    fn l2_down_and_up_is_where_it_was(z in later()) {
        let x = down3(&z);
        // A policy that was undone on the way down has to be asked for again on the way up.
        let undone = Later::of(&z).binary_version != x.spec.binary_version.clone().unwrap_or_default();
        let binary_version = match undone {
            true => Absent::Use(z.spec.binary_version.clone()),
            false => Absent::KeepEmpty,
        };
        let (again, _): (Z, _) = x.convert_with(&Options::new(Policies { binary_version })).unwrap();
        prop_assert_eq!(bare(&again), bare(&z));
        let written = split(&again).0;
        match split(&z).0 {
            None => prop_assert_eq!(written, None),
            // Whatever comes back from the annotation is written as it was, if nothing else stood there.
            Some(text) => {
                let expected = Later::of(&z).down().up(undone.then_some(&z.spec.binary_version)).kept;
                prop_assert_eq!(&written, &expected);
                let consistent = expected.as_ref() == Some(&text);
                prop_assert_eq!(consistent, again == z);
            }
        }
    }

    #[test]
    fn l3_live_fields_win(z in later(), strategy in text()) {
        let mut edited = z.clone();
        edited.spec.strategy = strategy.as_str().into();
        let found = Earlier::of(&down3(&edited)).strategies;
        prop_assert_eq!(first(&found), strategy.clone());
        let restored = Earlier::of(&down3(&z)).strategies;
        if first(&restored) != strategy && !is_canonical(&restored) {
            prop_assert_eq!(found, list(&strategy));
        }
    }

    #[test]
    fn l4_across_changes_nothing(x in earlier(), z in later()) {
        prop_assert_eq!(across(&up2(&x)), up3(&x));
        prop_assert_eq!(down2(&across_back(&z)), down3(&z));
        prop_assert_eq!(&across(&across_back(&z)), &z);
    }

    #[test]
    fn l5_twice_is_once(x in earlier(), z in later()) {
        prop_assert_eq!(up3(&down3(&up3(&x))), up3(&x));
        prop_assert_eq!(down3(&up3(&down3(&z))), down3(&z));
    }

    #[test]
    fn l6_any_annotation_converts(x in earlier(), z in later(), text in annotation(), bytes in any::<Vec<u8>>()) {
        for text in [text, String::from_utf8_lossy(&bytes).into_owned()] {
            let (mut x, mut z) = (x.clone(), z.clone());
            for annotations in [&mut x.metadata.annotations, &mut z.metadata.annotations] {
                annotations.insert(K.to_owned(), text.clone());
                annotations.insert(text.clone(), text.clone());
            }
            prop_assert_eq!(Earlier::of(&down3(&z)), Later::of(&z).down());
            prop_assert_eq!(Later::of(&up3(&x)), Earlier::of(&x).up(None));
        }
    }

    #[test]
    fn l7_the_source_is_not_changed(x in earlier(), z in later()) {
        let (x_before, z_before) = (x.clone(), z.clone());
        let _: ((Z, _), (Y, _)) = ((&x).convert(), (&x).convert());
        let _: ((X, _), (Y, _)) = ((&z).convert(), (&z).convert());
        prop_assert_eq!((x, z), (x_before, z_before));
    }

    #[test]
    fn l8_the_annotation_is_there_when_it_is_needed(x in earlier(), z in later()) {
        let back = down3(&z);
        prop_assert!(!back.metadata.annotations.contains_key(K));
        for x in [x, back] {
            let source = Earlier::of(&x);
            let needed = !is_canonical(&source.strategies) || source.binary_version.as_deref() == Some("");
            prop_assert_eq!(split(&up3(&x)).0.is_some(), needed);
            prop_assert_eq!(up2(&x).metadata.annotations.contains_key(K), needed);
        }
    }

    #[test]
    fn l9_everything_else_is_identical(x in earlier(), z in later()) {
        let target = bare(&up3(&x));
        prop_assert_eq!(&target.metadata, &x.metadata);
        prop_assert_eq!(rest_of_earlier(&x), rest_of_later(&target));
        let target = down3(&z);
        prop_assert_eq!(&target.metadata, &bare(&z).metadata);
        prop_assert_eq!(rest_of_earlier(&target), rest_of_later(&z));
    }

    /// L1 with policies: whatever they filled in is taken out again.
    #[test]
    fn policies_are_undone(x in earlier(), fill in version()) {
        for policy in [Absent::KeepEmpty, Absent::Use(fill.clone()), Absent::UseOther] {
            let options = Options::new(Policies { binary_version: policy });
            let (z, report): (Z, _) = (&x).convert_with(&options).unwrap();
            prop_assert_eq!(&down3(&z), &x);
            let filled = report.iter().any(|entry| matches!(entry.finding, Finding::Filled { .. }));
            prop_assert_eq!(filled, up3(&x).spec.binary_version != z.spec.binary_version);
        }
        let refuse = Options::new(Policies { binary_version: Absent::Refuse });
        let converted: Result<(Z, Report), _> = (&x).convert_with(&refuse);
        let empty = x.spec.binary_version.as_deref().is_none_or(str::is_empty);
        prop_assert_eq!(converted.ok(), (!empty).then(|| up(&x)));
    }

    /// Nothing that an annotation holds goes without a word: it is all restored exactly when it is what the
    /// way up would write again.
    #[test]
    fn an_annotation_never_goes_unseen(z in later()) {
        let (x, report) = down(&z);
        let undone = Later::of(&z).binary_version != x.spec.binary_version.clone().unwrap_or_default();
        let again = Earlier::of(&x).up(undone.then_some(&z.spec.binary_version)).kept;
        let told = || report.iter().filter(|entry| entry.finding != Finding::InvalidInTarget);
        prop_assert_eq!(told().next().is_some(), split(&z).0.is_some());
        let restored = told().all(|entry| matches!(entry.finding, Finding::Restored { .. }));
        prop_assert_eq!(restored, again == split(&z).0, "{}", report);
    }

    /// Strict conversion succeeds exactly when the report has nothing worse than a note.
    #[test]
    fn strict_is_the_report(x in earlier(), z in later()) {
        let (_, report) = up(&x);
        prop_assert_eq!(Convert::<Z>::convert_strict(&x).is_ok(), report.severity() < Some(Severity::Invalid));
        let (_, report) = down(&z);
        prop_assert_eq!(Convert::<X>::convert_strict(&z).is_ok(), report.severity() < Some(Severity::Invalid));
    }
}

type Rest = serde_json::Value;

fn rest(spec: impl serde::Serialize) -> Rest {
    let mut spec = serde_json::to_value(spec).unwrap();
    for name in ["binaryVersion", "preferredStrategies", "strategy"] {
        spec.as_object_mut().unwrap().remove(name);
    }
    spec
}

fn rest_of_earlier(x: &X) -> Rest {
    rest(&x.spec)
}

fn rest_of_later(z: &Z) -> Rest {
    rest(&z.spec)
}
