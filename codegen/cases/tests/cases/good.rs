//! The good cases: the model, the generated text and the pages.

use std::fmt::Write;
use std::sync::LazyLock;

use testing::specs;

use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::{Files, Generated, Plans, generate, outline};

use crate::support::{Snapshots, folder, good, options, patched};

/// The file to show of the case with an additional field.
const WITH_WEIGHT: &str = "conversion/lease_candidate/v1beta1_to_v1alpha2.rs";

/// The files to show of the cases that are too long to read whole.
const TELLING: &[(&str, &[&str])] = &[
    ("adopted", &["conversion/loom/mod.rs", "conversion/kiln/v1_to_v1beta1.rs"]),
    ("autoscaling", &["conversion/horizontal_pod_autoscaler/policies.rs"]),
    ("conversions", &["conversion/kite/v1alpha1_to_v1.rs"]),
    ("conversions-shared", &["conversion/kite/policies.rs", "conversion/swarm/v1alpha1_to_v1.rs"]),
    ("custom", &["v1/open.rs", "v1/spare.rs"]),
    ("custom-groups", &["conversion/mod.rs"]),
    ("custom-versions", &["conversion/boat/mod.rs"]),
    ("defaults", &["v1/defaults.rs"]),
    ("equal-names", &["v1/phase.rs", "v1/report.rs"]),
    ("floats", &["v1/measure.rs", "v1/site.rs"]),
    ("intrinsics", &["v1/record.rs"]),
    ("lists", &["v1/lists.rs"]),
    ("maps", &["v1/maps.rs"]),
    ("merge", &["v1/thing.rs"]),
    ("named-versions", &["mod.rs", "conversion/kite/a_b_to_v1.rs"]),
    ("names", &["v1/odd.rs"]),
    ("nested", &["conversion/fleet/mod.rs"]),
    ("operations", &["v1/harbour.rs"]),
    ("owners", &["conversion/clock/mod.rs"]),
    ("patterns", &["conversion/run/any.rs"]),
    ("projects", &["conversion/gauge/mod.rs"]),
    ("recursion", &["v1/branch.rs", "v1/tree.rs"]),
    ("renamed", &["conversion/crew/v1alpha1_to_v1.rs"]),
    ("required", &["v1/loose.rs", "v1/strict.rs"]),
    ("rules", &["conversion/parcel/mod.rs"]),
    ("second-group", &["registry.rs"]),
    ("shapes", &["conversion/dock/mod.rs"]),
    ("taken-modules", &["mod.rs"]),
    ("taken-names", &["serialize.rs", "v1/option.rs"]),
    ("two-versions", &["v1alpha1/mod.rs", "v1alpha1/thing.rs", "v1beta1/thing.rs"]),
    ("open-enum", &["rollout_strategy.rs"]),
    ("walks", &["conversion/kite/v1alpha2_to_v1.rs"]),
];

/// The most lines of a text for a review.
const LINES: usize = 170;

#[test]
fn models() {
    let mut snapshots = Snapshots::of("models");
    for (name, files) in cases() {
        let outline = outline(&files, |_| true, |_| true).unwrap();
        snapshots.check(&name, &format!("good/{name}"), &outline);
    }
    snapshots.finish();
}

#[test]
fn texts() {
    let mut snapshots = Snapshots::of("texts");
    for (name, generated) in generated() {
        let telling = TELLING.iter().find(|(case, _)| case == name);
        let text = join(&generated.files, telling.map(|(_, files)| *files));
        let lines = text.lines().count();
        assert!(lines <= LINES, "{name}: show less than {lines} lines");
        snapshots.check(name, &format!("good/{name}"), &text);
    }
    let files = patched("patched", "weight").files;
    let generated = generate(&files, &options("weight")).unwrap();
    let text = join(&generated.files, Some(&[WITH_WEIGHT]));
    snapshots.check("weight", "patched/weight", &text);
    snapshots.finish();
}

/// Without a step of the checklist the generator reports a problem that names it.
#[test]
fn every_step_for_a_new_field_is_asked_for() {
    let asked = patched("patched", "weight").asked;
    // The third is left out when the specs of the two versions differ.
    assert!(asked.len() >= 2);
    for (question, files) in asked {
        let problems = generate(&files, &options("weight")).unwrap_err();
        assert!(problems.to_string().contains(&question), "{problems}");
    }
}

/// A function converts an object, or a list of objects, with all of its fields.
#[test]
fn fields_inside_custom_need_no_rules() {
    for [below, above] in [
        [
            "type: object, properties: {metres: {type: string}}",
            "type: object, properties: {speed: {type: string}}",
        ],
        [
            "type: array, items: {type: object, properties: {metres: {type: string}}}",
            "type: array, items: {type: object, properties: {speed: {type: string}}}",
        ],
    ] {
        let mut specs = good("projects");
        let mut text = String::from_utf8(specs["v1.1/gauges.yaml"].clone()).unwrap();
        for (speed, object) in [("type: string", below), ("type: integer, format: int64", above)] {
            let speed = format!("speed: {{{speed}}}\n");
            assert!(text.contains(&speed), "{speed}");
            text = text.replacen(&speed, &format!("speed: {{{object}}}\n"), 1);
        }
        specs.insert("v1.1/gauges.yaml".to_owned(), text.into_bytes());
        let generated = generate(&specs, &options("projects"));
        assert!(generated.is_ok(), "{}", generated.err().unwrap_or_default());
    }
}

/// The pages for people, and before them what `generate` prints of what clients do not see.
#[test]
fn pages() {
    let mut snapshots = Snapshots::of("pages");
    for (name, generated) in generated() {
        if !generated.pages.is_empty() {
            let lines = generated.unseen.iter().map(|unseen| format!("{unseen}\n"));
            let text = lines.collect::<Vec<_>>().concat() + &join(&generated.pages, None);
            snapshots.check(name, &format!("good/{name}"), &text);
        }
    }
    snapshots.finish();
}

/// Without rules, the draft answers all that the generator asks for.
#[test]
fn drafts() {
    let mut snapshots = Snapshots::of("drafts");
    for (name, mut files) in cases() {
        if files.remove("conversions.toml").is_none() {
            continue;
        }
        let plans = Plans::read(&files).unwrap();
        let text = Drafter::new(&plans).drafts(false).unwrap().join("\n");
        files.insert("conversions.toml".to_owned(), text.clone().into_bytes());
        let plans = Plans::read(&files).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        assert_eq!(Drafter::new(&plans).drafts(false).unwrap(), [""; 0]);
        if ["custom-groups", "walks"].contains(&name.as_str()) {
            snapshots.check(&name, &format!("good/{name}"), &text);
        }
    }
    snapshots.finish();
}

/// All good cases with their manifests.
fn cases() -> Vec<(String, Files)> {
    let names = specs::cases(&folder("good")).unwrap().into_iter();
    let with_manifest = |name: String| {
        let mut files = good(&name);
        specs::add_manifest(&mut files);
        (name, files)
    };
    names.map(with_manifest).collect()
}

/// What is generated from all good cases.
fn generated() -> &'static [(String, Generated)] {
    static GENERATED: LazyLock<Vec<(String, Generated)>> = LazyLock::new(|| {
        let cases = cases().into_iter();
        cases
            .map(|(name, files)| (name.clone(), generate(&files, &options(&name)).unwrap()))
            .collect()
    });
    &GENERATED
}

/// The text of the files, all or those in `telling`, each below a line that names it.
fn join(files: &Files, telling: Option<&[&str]>) -> String {
    let mut text = String::new();
    if let Some(missing) = telling.into_iter().flatten().find(|path| !files.contains_key(**path)) {
        panic!("there is no file `{missing}` to show");
    }
    for (path, bytes) in files {
        if telling.is_none_or(|telling| telling.contains(&path.as_str())) {
            let bytes = str::from_utf8(bytes).unwrap();
            writeln!(text, "======== {path}\n{bytes}").unwrap();
        }
    }
    text
}
