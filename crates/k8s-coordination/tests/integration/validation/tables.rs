//! One case for each rule, and for behaviour that recordings cannot show.

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry, MicroTime, ObjectMeta, Time};
use k8s_coordination::v1::LeaseSpec;
use k8s_coordination::v1alpha1;
use k8s_coordination::validation::{Prepare, Validate, with_gate_off};

use super::objects::{Spec, lease, managed, named, owner, short, with_metadata};
use testing::table::rows;

const OLDEST: &str = "OldestEmulationVersion";

const LEASES: &str = r#"
{}                                         |
{"leaseDurationSeconds": 1}                |
{"leaseDurationSeconds": 0}                | leaseDurationSeconds Invalid
{"leaseDurationSeconds": -2147483648}      | leaseDurationSeconds Invalid
{"leaseTransitions": 0}                    |
{"leaseTransitions": -1}                   | leaseTransitions Invalid
{"strategy": "OldestEmulationVersion"}     |
{"strategy": "example.com/by-load"}        |
{"strategy": ""}                           | strategy.strategy NotSupported
{"strategy": "Mine"}                       | strategy.strategy NotSupported
{"strategy": "oldestEmulationVersion"}     | strategy.strategy NotSupported
{"strategy": "/"}                          | strategy.strategy Invalid, strategy.strategy Invalid, strategy.strategy Invalid
{"strategy": "x/"}                         | strategy.strategy Invalid, strategy.strategy Invalid
{"strategy": "A/b"}                        | strategy.strategy Invalid
{"strategy": "a/b/c"}                      | strategy.strategy Invalid
{"preferredHolder": "a"}                   | preferredHolder Forbidden
{"preferredHolder": ""}                    |
# An empty strategy is wrong itself, and does not allow a preferred holder.
{"preferredHolder": "a", "strategy": ""}   | strategy.strategy NotSupported, preferredHolder Forbidden
{"preferredHolder": "a", "leaseTransitions": -1, "leaseDurationSeconds": -1} | leaseDurationSeconds Invalid, leaseTransitions Invalid, preferredHolder Forbidden
"#;

#[test]
fn lease_spec() {
    let stored = with_metadata(named("lock").with_resource_version("1"));
    for [spec, expected] in rows(LEASES) {
        let lease = lease(serde_json::from_str(spec).unwrap());
        assert_eq!(short(lease.validate()), expected, "{spec}");
        // An update checks the same, and keeps nothing of the spec.
        let updated = lease.with_metadata(stored.metadata.clone());
        assert_eq!(short(updated.validate_update(&stored)), expected, "{spec}");
    }
}

/// Emulation version, binary version, strategy; the errors of 1.31, the errors of later releases. The row numbers are those
/// of the documented rules.
const CANDIDATES: &str = "
1.30.0   | 1.31.0      | OldestEmulationVersion | |
1.31.0   | 1.31.0      | OldestEmulationVersion | |
1.31.0+a | 1.31.0+b    | OldestEmulationVersion | |
# Rows 2 and 8: a version that cannot be read counts as absent.
v1.30.0  | 1.31.0      | OldestEmulationVersion | emulationVersion Invalid, emulationVersion Required | same
v1.30.0  | 1.31.0      | a/b                    | emulationVersion Invalid | same
# Row 3: only later releases always want a binary version.
1.30.0   |             | a/b                    | | binaryVersion Required
         |             | a/b                    | | binaryVersion Required
# Rows 4 and 5: one that cannot be read is also lower than any emulation version but 0.0.0.
1.30.0   | 1.31        | a/b                    | binaryVersion Invalid, binaryVersion Invalid | same
0.0.0    | 1.31        | a/b                    | binaryVersion Invalid | same
0.0.0-rc | 1.31        | a/b                    | binaryVersion Invalid | same
         | 1.31        | a/b                    | binaryVersion Invalid | same
         | 0.0.0-rc    | a/b                    | |
1.32.0   | 1.31.0      | a/b                    | binaryVersion Invalid | same
1.33.0   | 1.33.0-rc.0 | a/b                    | binaryVersion Invalid | same
x        | y           | a/b                    | emulationVersion Invalid, binaryVersion Invalid | same
# Row 6: the first generation accepts an empty list.
1.30.0   | 1.31.0      |                        | | strategy Required
# Rows 7 and 8: zero is absent, a pre-release of it is not.
         |             | OldestEmulationVersion | binaryVersion Required, emulationVersion Required | same
0.0.0    | 0.0.0+meta  | OldestEmulationVersion | binaryVersion Required, emulationVersion Required | emulationVersion Required
0.0.0-rc | 0.0.0-rc    | OldestEmulationVersion | |
1.30.0   | x           | OldestEmulationVersion | binaryVersion Invalid, binaryVersion Invalid, binaryVersion Required | binaryVersion Invalid, binaryVersion Invalid
# Row 9. Here `S` is the path of the strategy: of the first in the list, or of the one.
1.30.0   | 1.31.0      | Mine                   | S NotSupported | same
1.30.0   | 1.31.0      | /                      | S Invalid, S Invalid, S Invalid | same
";

#[test]
fn candidate_spec() {
    for [emulation, binary, strategies, first, second] in rows(CANDIDATES) {
        let spec = Spec { emulation, binary, strategies };
        let first = first.replace("S ", "preferredStrategies[0].strategy ");
        assert_eq!(short(spec.first_generation().validate()), first, "{spec:?}");
        let verdict = spec.second_generation().validate();
        assert_eq!(spec.in_between().validate(), verdict, "{spec:?}");
        let second = second.replace("S ", "strategy.strategy ");
        assert_eq!(short(verdict), second, "{spec:?}");
    }
}

/// Lists of strategies in the first generation, without versions.
const LISTS: &str = "
# The same twice is accepted, and its missing versions are reported once.
a/b a/b                                       |
OldestEmulationVersion OldestEmulationVersion | binaryVersion Required, emulationVersion Required
a/b OldestEmulationVersion                    | binaryVersion Required, emulationVersion Required
x OldestEmulationVersion y                    | S[0].strategy NotSupported, binaryVersion Required, emulationVersion Required, S[2].strategy NotSupported
x x                                           | S[0].strategy NotSupported, S[1].strategy NotSupported
";

#[test]
fn lists_of_preferences() {
    for [strategies, expected] in rows(LISTS) {
        let spec = Spec { emulation: "", binary: "", strategies };
        let found = short(spec.first_generation().validate());
        assert_eq!(found.replace("preferredStrategies", "S"), expected, "{spec:?}");
    }
    let empty = v1alpha1::LeaseCandidateSpec::new("lock", [""]);
    let empty = v1alpha1::LeaseCandidate::new(empty).with_metadata(named("a"));
    assert_eq!(short(empty.validate()), "preferredStrategies[0].strategy NotSupported");
}

#[test]
fn absent_and_empty_versions_are_the_same() {
    let spec = v1alpha1::LeaseCandidateSpec::new("lock", [OLDEST]);
    let absent = v1alpha1::LeaseCandidate::new(spec).with_metadata(named("a"));
    let empty = Spec { emulation: "", binary: "", strategies: OLDEST };
    assert_eq!(absent.validate(), empty.first_generation().validate());
}

#[test]
fn lease_name() {
    let stored = Spec { emulation: "", binary: "1.0.0", strategies: "a/b" }.second_generation();
    let stored = stored.with_metadata(named("a").with_resource_version("1"));
    // Any text will do, but it cannot change.
    let table = [
        ("lock", "", ""),
        ("Not a name/%", "", "leaseName Invalid"),
        ("Lock", "", "leaseName Invalid"),
        ("", "leaseName Required", "leaseName Required, leaseName Invalid"),
    ];
    for (name, created, updated) in table {
        let mut candidate = stored.clone();
        candidate.spec.lease_name = name.to_owned();
        assert_eq!(short(candidate.validate()), created, "{name:?}");
        assert_eq!(short(candidate.validate_update(&stored)), updated, "{name:?}");
    }
}

/// All but the name of the Lease can change, in every version.
#[test]
fn what_may_change() {
    let before = Spec { emulation: "1.0.0", binary: "1.0.0", strategies: "a/b" };
    let after = Spec { emulation: "0.9.0", binary: "2.0.0", strategies: OLDEST };
    let metadata = || named("a").with_resource_version("1");
    let early = |spec: Spec| spec.first_generation().with_metadata(metadata());
    let late = |spec: Spec| spec.second_generation().with_metadata(metadata());
    assert_eq!(early(after).validate_update(&early(before)), Ok(()));
    assert_eq!(late(after).validate_update(&late(before)), Ok(()));
    let mut renamed = early(after);
    renamed.spec.lease_name = "other".to_owned();
    let errors = short(renamed.validate_update(&early(before)));
    assert_eq!(errors, "leaseName Invalid");
}

/// The enum over the versions has the verdict of the version, and updates go across versions.
#[test]
fn every_version() {
    let spec = Spec { emulation: "", binary: "", strategies: "a/b" };
    let early = AnyLeaseCandidate::from(spec.first_generation());
    let late = AnyLeaseCandidate::from(spec.second_generation());
    assert_eq!(short(early.validate()), "");
    assert_eq!(short(late.validate()), "binaryVersion Required");
    let mut renamed = spec.in_between();
    renamed.spec.lease_name = "other".to_owned();
    let renamed = AnyLeaseCandidate::from(renamed);
    assert_eq!(
        short(renamed.validate_update(&early)),
        "resourceVersion Invalid, binaryVersion Required, leaseName Invalid"
    );
    let created = AnyLeaseCandidate::from(
        spec.first_generation().with_metadata(ObjectMeta::default().with_name("a")),
    );
    assert_eq!(created.to_created_in("default"), early);
    assert_eq!(created.to_update_of(&early), early);
}

/// The advice for versions that cannot be read.
#[test]
fn advice_on_versions() {
    let spec = Spec { emulation: "1.30.0", binary: "v1.31.0", strategies: OLDEST };
    let errors = spec.first_generation().validate().unwrap_err();
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    let zero = "write a version that can be read: a server takes this one for `0.0.0`";
    let expected = [
        "write `1.31.0`: unexpected character 'v' while parsing major version number".to_owned(),
        format!("{zero}, which is below `1.30.0`, the `emulationVersion`"),
        format!("{zero}, and `OldestEmulationVersion` needs one above that"),
    ];
    assert_eq!(messages, expected);
}

/// The advice for a strategy, and for finalizers of an object that is being deleted.
#[test]
fn other_advice() {
    let strategy = |word: &str| {
        let errors = lease(LeaseSpec::default().with_strategy(word)).validate().unwrap_err();
        errors.iter().next().unwrap().message.clone()
    };
    let expected = "write `OldestEmulationVersion`, or put your domain in front: `example.com/";
    assert_eq!(strategy("Mine"), format!("{expected}Mine`"));
    assert_eq!(strategy("-"), format!("{expected}by-load`"));
    let deleted = named("a").with_resource_version("1");
    let deleted = deleted.with_deletion_timestamp("2026-01-01T00:00:00Z".parse().unwrap());
    let added = deleted.clone().with_finalizers(["a/1", "a/2", "a/3", "a/4", "a/5"]);
    let errors = with_metadata(added).validate_update(&with_metadata(deleted)).unwrap_err();
    let message = &errors.iter().next().unwrap().message;
    assert_eq!(message, "remove `a/1`, `a/2`, `a/3` and 2 more: the object is being deleted");
}

/// Texts of an object neither break a line nor fill it.
#[test]
fn lines_of_errors() {
    let odd = "\u{1b}[2J\n".repeat(20_000);
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
    let sent = ObjectMeta::default().with_name("a").with_resource_version("1");
    let sent =
        with_metadata(sent.with_generation(-7).with_managed_fields([entry.clone(), unreadable]));
    // The server has no other version of the kind.
    let of_other_version = entry.clone().with_api_version("coordination.k8s.io/v1beta1");
    // The last entry of a manager stays, of any version. An empty manager counts as none.
    let applied = entry.clone().with_operation("Apply");
    let other_applied = of_other_version.clone().with_operation("Apply");
    let (unnamed, mut absent) = (entry.clone().with_manager(""), entry);
    absent.manager = None;
    for (entries, expected) in
        [(vec![of_other_version], 0), (vec![applied, other_applied], 0), (vec![unnamed, absent], 1)]
    {
        let sent = with_metadata(sent.metadata.clone().with_managed_fields(entries));
        assert_eq!(sent.to_update_of(&stored).metadata.managed_fields.len(), expected);
    }
    // The first of equal owners stays.
    let owners = [owner("v1", "Pod", "p", "u"), owner("v1", "Pod", "p", "u")];
    let owned = with_metadata(named("a").with_owner_references(owners)).to_created_in("default");
    assert_eq!(owned.metadata.owner_references.len(), 1);

    let mut updated = sent.to_update_of(&stored);
    assert_eq!(updated, stored);
    updated.spec.renew_time = Some(MicroTime::from(time));
    let left = owns(r#"{"f:spec":{"f:holderIdentity":{}}}"#);
    let updated = updated.to_update_of(&stored);
    assert_eq!(updated.metadata.managed_fields, [left]);
    // One empty entry is how a client asks for none.
    let mut emptied = stored.clone();
    emptied.metadata.managed_fields = vec![ManagedFieldsEntry::default()];
    let emptied = emptied.to_update_of(&stored);
    assert_eq!(emptied.metadata.managed_fields, []);
    let created = sent.to_created_in("default");
    assert_eq!(created.metadata.namespace.as_deref(), Some("default"));
    assert_eq!(created.metadata.managed_fields, []);
    assert_eq!(short(created.validate()), "generation Invalid");
    assert_eq!(created.to_created_in("other"), created);
}

#[test]
fn with_the_gate_off() {
    let none = LeaseSpec::default;
    let strategy = || none().with_strategy("a/b");
    let preferred = || none().with_preferred_holder("c");
    let both = || strategy().with_preferred_holder("c");
    // The stored object (if any), the sent one, and the result.
    let table = [
        (None, both(), none()),
        (Some(none()), both(), none()),
        (Some(strategy()), both(), strategy()),
        (Some(both()), both(), both()),
        // This result is rejected: a preferred holder without a strategy.
        (Some(preferred()), both(), preferred()),
    ];
    for (stored, sent, left) in table {
        let stored = stored.map(lease);
        assert_eq!(with_gate_off(lease(sent), stored.as_ref()), lease(left), "{stored:?}");
    }
    let verdict = lease(preferred()).validate();
    assert_eq!(short(verdict), "preferredHolder Forbidden");
}
