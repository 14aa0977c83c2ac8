//! One case for each rule, and for what recordings cannot show.

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::meta::v1::{FieldsV1, MicroTime, ObjectMeta, Time};
use k8s_coordination::v1::LeaseSpec;
use k8s_coordination::validation::{Prepare, Validate, with_gate_off};
use k8s_coordination::{v1alpha1, v1beta1};

use crate::objects::{Spec, found, lease, managed, named, owner, with_metadata};

const OLDEST: &str = "OldestEmulationVersion";

#[test]
fn lease_spec() {
    let duration = "spec.leaseDurationSeconds Invalid";
    let transitions = "spec.leaseTransitions Invalid";
    let unknown = "spec.strategy.strategy NotSupported";
    let malformed = "spec.strategy.strategy Invalid";
    let preferred = "spec.preferredHolder Forbidden";
    let spec = LeaseSpec::default;
    let table: [(LeaseSpec, &[&str]); 19] = [
        (spec(), &[]),
        (spec().with_lease_duration_seconds(1), &[]),
        (spec().with_lease_duration_seconds(0), &[duration]),
        (spec().with_lease_duration_seconds(i32::MIN), &[duration]),
        (spec().with_lease_transitions(0), &[]),
        (spec().with_lease_transitions(-1), &[transitions]),
        (spec().with_strategy(OLDEST), &[]),
        (spec().with_strategy("example.com/by-load"), &[]),
        (spec().with_strategy(""), &[unknown]),
        (spec().with_strategy("Mine"), &[unknown]),
        (spec().with_strategy("oldestEmulationVersion"), &[unknown]),
        (
            spec().with_strategy("/"),
            &[malformed, malformed, malformed],
        ),
        (spec().with_strategy("x/"), &[malformed, malformed]),
        (spec().with_strategy("A/b"), &[malformed]),
        (spec().with_strategy("a/b/c"), &[malformed]),
        (spec().with_preferred_holder("a"), &[preferred]),
        (spec().with_preferred_holder(""), &[]),
        // An empty strategy is wrong itself, and does not allow a preferred holder.
        (
            spec().with_preferred_holder("a").with_strategy(""),
            &[unknown, preferred],
        ),
        (
            spec()
                .with_preferred_holder("a")
                .with_lease_transitions(-1)
                .with_lease_duration_seconds(-1),
            &[duration, transitions, preferred],
        ),
    ];
    for (spec, expected) in table {
        let lease = lease(spec);
        assert_eq!(found(lease.validate()), expected, "{:?}", lease.spec);
        // An update checks the same, and keeps nothing of the spec.
        let mut stored = with_metadata(named("lock"));
        stored.metadata.resource_version = Some("1".to_owned());
        let updated = lease.clone().with_metadata(stored.metadata.clone());
        assert_eq!(
            found(updated.validate_update(&stored)),
            expected,
            "{:?}",
            lease.spec
        );
    }
}

/// Emulation version, binary version, strategies; what 1.31 finds, what later releases find.
type Row = (
    (&'static str, &'static str, &'static [&'static str]),
    &'static [&'static str],
    &'static [&'static str],
);

const EV: &str = "spec.emulationVersion Invalid";
const EV_REQUIRED: &str = "spec.emulationVersion Required";
const BV: &str = "spec.binaryVersion Invalid";
const BV_REQUIRED: &str = "spec.binaryVersion Required";
const STRATEGY_REQUIRED: &str = "spec.strategy Required";
const UNKNOWN: &str = "spec.strategy.strategy NotSupported";
const FIRST_UNKNOWN: &str = "spec.preferredStrategies[0].strategy NotSupported";

const CANDIDATES: &[Row] = &[
    (("1.30.0", "1.31.0", &[OLDEST]), &[], &[]),
    (("1.31.0", "1.31.0", &[OLDEST]), &[], &[]),
    (("1.31.0+a", "1.31.0+b", &[OLDEST]), &[], &[]),
    // Rows 2 and 8: a version that cannot be read counts as absent.
    (
        ("v1.30.0", "1.31.0", &[OLDEST]),
        &[EV, EV_REQUIRED],
        &[EV, EV_REQUIRED],
    ),
    (("v1.30.0", "1.31.0", &["a/b"]), &[EV], &[EV]),
    // Row 3: only later releases always want a binary version.
    (("1.30.0", "", &["a/b"]), &[], &[BV_REQUIRED]),
    (("", "", &["a/b"]), &[], &[BV_REQUIRED]),
    // Rows 4 and 5: one that cannot be read is also lower than any emulation version but 0.0.0.
    (("1.30.0", "1.31", &["a/b"]), &[BV, BV], &[BV, BV]),
    (("0.0.0", "1.31", &["a/b"]), &[BV], &[BV]),
    (("0.0.0-rc", "1.31", &["a/b"]), &[BV], &[BV]),
    (("", "1.31", &["a/b"]), &[BV], &[BV]),
    (("1.32.0", "1.31.0", &["a/b"]), &[BV], &[BV]),
    (("1.33.0", "1.33.0-rc.0", &["a/b"]), &[BV], &[BV]),
    (("x", "y", &["a/b"]), &[EV, BV], &[EV, BV]),
    // Row 6, and what the first generation accepts.
    (("1.30.0", "1.31.0", &[]), &[], &[STRATEGY_REQUIRED]),
    (
        ("1.30.0", "1.31.0", &[""]),
        &[FIRST_UNKNOWN],
        &[STRATEGY_REQUIRED],
    ),
    // Rows 7 and 8: zero is absent, a pre-release of it is not.
    (
        ("", "", &[OLDEST]),
        &[BV_REQUIRED, EV_REQUIRED],
        &[BV_REQUIRED, EV_REQUIRED],
    ),
    (
        ("0.0.0", "0.0.0+meta", &[OLDEST]),
        &[BV_REQUIRED, EV_REQUIRED],
        &[EV_REQUIRED],
    ),
    (("0.0.0-rc", "0.0.0-rc", &[OLDEST]), &[], &[]),
    (
        ("1.30.0", "x", &[OLDEST]),
        &[BV, BV, BV_REQUIRED],
        &[BV, BV],
    ),
    // Row 9.
    (
        ("1.30.0", "1.31.0", &["Mine"]),
        &[FIRST_UNKNOWN],
        &[UNKNOWN],
    ),
    (
        ("1.30.0", "1.31.0", &["/"]),
        &["spec.preferredStrategies[0].strategy Invalid"; 3],
        &["spec.strategy.strategy Invalid"; 3],
    ),
];

#[test]
fn candidate_spec() {
    for (row, first, second) in CANDIDATES {
        let (emulation, binary, strategies) = *row;
        let spec = Spec {
            emulation,
            binary,
            strategies,
        };
        assert_eq!(
            found(spec.first_generation().validate()),
            *first,
            "{spec:?}"
        );
        assert_eq!(
            found(spec.second_generation().validate()),
            *second,
            "{spec:?}"
        );
        let in_between = spec.in_between().validate();
        assert_eq!(in_between, spec.second_generation().validate(), "{spec:?}");
    }
}

#[test]
fn lists_of_preferences() {
    let zero = [
        "spec.binaryVersion Required",
        "spec.emulationVersion Required",
    ];
    let bad = |index| format!("spec.preferredStrategies[{index}].strategy NotSupported");
    let list = |strategies: &'static [&'static str]| Spec {
        emulation: "",
        binary: "",
        strategies,
    };
    let [binary, emulation] = zero.map(str::to_owned);
    let table = [
        // The same twice is accepted, and what it lacks is said once.
        (list(&["a/b", "a/b"]), vec![]),
        (
            list(&[OLDEST, OLDEST]),
            vec![binary.clone(), emulation.clone()],
        ),
        (
            list(&["a/b", OLDEST]),
            vec![binary.clone(), emulation.clone()],
        ),
        (
            list(&["x", OLDEST, "y"]),
            vec![bad(0), binary, emulation, bad(2)],
        ),
        (list(&["x", "x"]), vec![bad(0), bad(1)]),
    ];
    for (spec, expected) in table {
        assert_eq!(
            found(spec.first_generation().validate()),
            expected,
            "{spec:?}"
        );
    }
}

#[test]
fn absent_and_empty_versions_are_the_same() {
    let spec = v1alpha1::LeaseCandidateSpec::new("lock", [OLDEST]);
    let absent = v1alpha1::LeaseCandidate::new(spec).with_metadata(named("a"));
    let empty = Spec {
        emulation: "",
        binary: "",
        strategies: &[OLDEST],
    }
    .first_generation();
    assert_eq!(absent.validate(), empty.validate());
}

#[test]
fn lease_name() {
    let stored = Spec {
        emulation: "",
        binary: "1.0.0",
        strategies: &["a/b"],
    }
    .second_generation();
    let stored = stored.with_metadata(named("a").with_resource_version("1"));
    let invalid = "spec.leaseName Invalid";
    let table: [(&str, &[&str], &[&str]); 4] = [
        ("lock", &[], &[]),
        // Any text will do, but it cannot change.
        ("Not a name/%", &[], &[invalid]),
        ("Lock", &[], &[invalid]),
        (
            "",
            &["spec.leaseName Required"],
            &["spec.leaseName Required", invalid],
        ),
    ];
    for (name, created, updated) in table {
        let mut candidate = stored.clone();
        candidate.spec.lease_name = name.to_owned();
        assert_eq!(found(candidate.validate()), created, "{name:?}");
        assert_eq!(
            found(candidate.validate_update(&stored)),
            updated,
            "{name:?}"
        );
    }
}

/// All but the name of the Lease can change, in every version.
#[test]
fn what_may_change() {
    let before = Spec {
        emulation: "1.0.0",
        binary: "1.0.0",
        strategies: &["a/b"],
    };
    let after = Spec {
        emulation: "0.9.0",
        binary: "2.0.0",
        strategies: &[OLDEST],
    };
    let metadata = || named("a").with_resource_version("1");
    let early = |spec: Spec| spec.first_generation().with_metadata(metadata());
    let late = |spec: Spec| spec.second_generation().with_metadata(metadata());
    assert_eq!(early(after).validate_update(&early(before)), Ok(()));
    assert_eq!(late(after).validate_update(&late(before)), Ok(()));
    let mut renamed = early(after);
    renamed.spec.lease_name = "other".to_owned();
    let errors = found(renamed.validate_update(&early(before)));
    assert_eq!(errors, ["spec.leaseName Invalid"]);
}

/// The enum over the versions has the verdict of the version, and updates go across versions.
#[test]
fn whichever_version() {
    let spec = Spec {
        emulation: "",
        binary: "",
        strategies: &["a/b"],
    };
    let early = AnyLeaseCandidate::from(spec.first_generation());
    let late = AnyLeaseCandidate::from(spec.second_generation());
    assert_eq!(found(early.validate()), Vec::<String>::new());
    assert_eq!(found(late.validate()), [BV_REQUIRED]);
    let mut renamed = spec.in_between();
    renamed.spec.lease_name = "other".to_owned();
    let renamed = AnyLeaseCandidate::from(renamed);
    let version = "metadata.resourceVersion Invalid";
    let errors = found(renamed.validate_update(&early));
    assert_eq!(errors, [version, BV_REQUIRED, "spec.leaseName Invalid"]);
    let created = AnyLeaseCandidate::from(
        spec.first_generation()
            .with_metadata(ObjectMeta::default().with_name("a")),
    );
    assert_eq!(created.to_created_in("default"), early);
    assert_eq!(created.to_update_of(&early), early);
}

/// What is said is true, also of a version that cannot be read.
#[test]
fn advice_on_versions() {
    let spec = Spec {
        emulation: "1.30.0",
        binary: "v1.31.0",
        strategies: &[OLDEST],
    };
    let errors = spec.first_generation().validate().unwrap_err();
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    let zero = "write a version that can be read: a server takes this one for `0.0.0`";
    let expected = [
        "write `1.31.0`: `v1` is not a number".to_owned(),
        format!("{zero}, which is below `1.30.0`, the `emulationVersion`"),
        format!("{zero}, and `OldestEmulationVersion` needs one above that"),
    ];
    assert_eq!(messages, expected);
}

/// What an object holds neither breaks a line nor fills it.
#[test]
fn lines_of_errors() {
    let odd = "\u{1b}[2J\n".repeat(300_000);
    let metadata = || {
        ObjectMeta::default()
            .with_name(&*odd)
            .with_namespace(&*odd)
            .with_uid(&*odd)
            .with_generate_name(&*odd)
            .with_labels([(&*odd, &*odd)])
            .with_annotations([(&*odd, &*odd)])
            .with_finalizers((0..1000).map(|number| format!("{odd:.9}{number}")))
            .with_owner_references([owner(&odd, &odd, &odd, "")])
            .with_managed_fields([managed(&odd, &odd, &odd, &odd)])
    };
    let spec = v1alpha1::LeaseCandidateSpec::new(&*odd, [&*odd]).with_binary_version(&*odd);
    let stored = v1alpha1::LeaseCandidate::new(spec)
        .with_metadata(metadata().with_deletion_timestamp("2026-01-01T00:00:00Z".parse().unwrap()));
    let mut stored = stored;
    stored.metadata.finalizers.clear();
    let spec = v1alpha1::LeaseCandidateSpec::new("a", [&*odd]).with_binary_version(&*odd);
    let mut other = v1alpha1::LeaseCandidate::new(spec).with_metadata(metadata());
    other.metadata.name = Some("b".to_owned());
    other.metadata.namespace = None;
    other.metadata.uid = None;
    for verdict in [stored.validate(), other.validate_update(&stored)] {
        for error in verdict.unwrap_err() {
            let line = error.to_string();
            assert!(!line.contains(char::is_control), "{line}");
            assert!(line.len() < 4000, "{} bytes: {line:.999}", line.len());
        }
    }
}

#[test]
fn what_a_server_does_first() {
    let time: Time = "2026-01-01T00:00:00Z".parse().unwrap();
    let owns = |fields| {
        managed("Update", "FieldsV1", "m", "")
            .with_api_version("coordination.k8s.io/v1")
            .with_fields_v1(FieldsV1::from_json(fields).unwrap())
    };
    let entry = owns(r#"{"f:spec":{"f:holderIdentity":{},"f:renewTime":{}}}"#);
    let stored = with_metadata(
        named("a")
            .with_uid("u")
            .with_resource_version("1")
            .with_generation(3)
            .with_creation_timestamp(time)
            .with_deletion_timestamp(time)
            .with_deletion_grace_period_seconds(5)
            .with_managed_fields([entry.clone()]),
    );
    let unreadable = managed("Guess", "FieldsV1", "m", "");
    let sent = ObjectMeta::default()
        .with_name("a")
        .with_resource_version("1");
    let sent = with_metadata(
        sent.with_generation(-7)
            .with_managed_fields([entry, unreadable]),
    );

    let mut updated = sent.to_update_of(&stored);
    assert_eq!(updated, stored);
    updated.spec.renew_time = Some(MicroTime::from(time));
    let left = owns(r#"{"f:spec":{"f:holderIdentity":{}}}"#);
    let updated = updated.to_update_of(&stored);
    assert_eq!(updated.metadata.managed_fields, [left]);
    let created = sent.to_created_in("default");
    assert_eq!(created.metadata.namespace.as_deref(), Some("default"));
    assert_eq!(created.metadata.managed_fields, []);
    assert_eq!(found(created.validate()), ["metadata.generation Invalid"]);
    assert_eq!(created.to_created_in("other"), created);
}

#[test]
fn with_the_gate_off() {
    let none = LeaseSpec::default;
    let strategy = || none().with_strategy("a/b");
    let preferred = || none().with_preferred_holder("c");
    let both = || strategy().with_preferred_holder("c");
    // Stored (if at all), sent, what is left.
    let table = [
        (None, both(), none()),
        (Some(none()), both(), none()),
        (Some(strategy()), both(), strategy()),
        (Some(both()), both(), both()),
        // What is left here is rejected: a preferred holder without a strategy.
        (Some(preferred()), both(), preferred()),
    ];
    for (stored, sent, left) in table {
        let stored = stored.map(lease);
        assert_eq!(
            with_gate_off(lease(sent), stored.as_ref()),
            lease(left),
            "{stored:?}"
        );
    }
    assert_eq!(
        found(lease(preferred()).validate()),
        ["spec.preferredHolder Forbidden"]
    );
}

#[test]
fn errors_are_not_only_the_first() {
    let mut candidate = v1beta1::LeaseCandidate::new(v1beta1::LeaseCandidateSpec::new(
        "",
        "v1.0",
        CoordinatedLeaseStrategy::from("Mine"),
    ));
    candidate
        .metadata
        .labels
        .insert("a b".to_owned(), String::new());
    candidate.spec.emulation_version = Some("2".to_owned());
    let expected = [
        "metadata.name Required",
        "metadata.namespace Required",
        "metadata.labels Invalid",
        "spec.leaseName Required",
        "spec.emulationVersion Invalid",
        "spec.binaryVersion Invalid",
        "spec.strategy.strategy NotSupported",
    ];
    assert_eq!(found(candidate.validate()), expected);
}
