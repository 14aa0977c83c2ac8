//! Types that are broken on purpose: the matching check fails, with a message that says what to look at.

use std::fmt;
use std::marker::PhantomData;

use k8s_coordination::{Kinds, meta, v1, v1beta1};
use k8s_versioned::{KindEntry, Registry, Role, Scope};
use k8s_versioned_conformance::{KNOWN_FAILURES_FILE, KnownFailures, Report, Suite};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::recorded::{DOCUMENTS, NEWEST, root};

/// Something that can be wrong with what a type writes.
trait Fault: 'static {
    fn spoil(json: &mut Value);
}

/// A type with a fault.
struct Broken<T, F>(T, PhantomData<fn() -> F>);

impl<T: Serialize, F: Fault> Serialize for Broken<T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?;
        F::spoil(&mut json);
        json.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>, F> Deserialize<'de> for Broken<T, F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|value| Self(value, PhantomData))
    }
}

impl<T: PartialEq, F> PartialEq for Broken<T, F> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T: fmt::Debug, F> fmt::Debug for Broken<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

const fn candidate<F: Fault>() -> KindEntry {
    let role = Role::Resource {
        plural: "leasecandidates",
        scope: Scope::Namespaced,
    };
    KindEntry::of::<Broken<v1beta1::LeaseCandidate, F>>(
        "coordination.k8s.io",
        "v1beta1",
        "LeaseCandidate",
        role,
        &[],
    )
}

/// Runs the general checks with a kind that is broken and the others as they are.
fn run(broken: KindEntry) -> String {
    let kinds: Vec<KindEntry> = [&[broken], Kinds.kinds()].concat();
    let kinds = kinds.as_slice();
    let known = KnownFailures::load(root().join("fixtures").join(KNOWN_FAILURES_FILE)).unwrap();
    let suite = Suite::general(&kinds, &DOCUMENTS).knowing(known);
    let report = suite.run(&NEWEST);
    let failed = report.matrix().checks().iter().filter_map(|check| {
        let failed = report.matrix().total(check).failed;
        (failed > 0).then(|| format!("{check}: {failed} failed\n"))
    });
    failed.collect::<String>() + &first_failures(&report)
}

/// The failures of the first recording that fails, as the report shows them.
fn first_failures(report: &Report) -> String {
    let file = report.failures()[0].file.display().to_string();
    let text = report.to_string();
    let failures = text
        .split("\n\n")
        .filter(|part| part.starts_with("FAILED") && part.contains(&file));
    let failures = failures.collect::<Vec<_>>().join("\n");
    failures.replace(&root().display().to_string(), "…")
}

struct DroppedField;

impl Fault for DroppedField {
    fn spoil(json: &mut Value) {
        json["spec"].as_object_mut().unwrap().remove("leaseName");
    }
}

#[test]
fn a_dropped_field() {
    insta::assert_snapshot!(run(candidate::<DroppedField>()));
}

struct RenamedField;

impl Fault for RenamedField {
    fn spoil(json: &mut Value) {
        let spec = json["spec"].as_object_mut().unwrap();
        let version = spec.remove("binaryVersion").unwrap();
        spec.insert("binary_version".to_owned(), version);
    }
}

#[test]
fn a_renamed_field() {
    insta::assert_snapshot!(run(candidate::<RenamedField>()));
}

struct FiveDigits;

impl Fault for FiveDigits {
    fn spoil(json: &mut Value) {
        if let Some(Value::String(time)) = json.pointer_mut("/spec/renewTime") {
            *time = time.replace("6Z", "Z");
        }
    }
}

#[test]
fn five_fractional_digits() {
    insta::assert_snapshot!(run(candidate::<FiveDigits>()));
}

struct EmptyString;

impl Fault for EmptyString {
    fn spoil(json: &mut Value) {
        let spec = json["spec"].as_object_mut().unwrap();
        spec.entry("emulationVersion").or_insert(json!(""));
    }
}

#[test]
fn an_empty_string_where_servers_omit_it() {
    insta::assert_snapshot!(run(candidate::<EmptyString>()));
}

struct NamedItems;

impl Fault for NamedItems {
    fn spoil(json: &mut Value) {
        for item in json["items"].as_array_mut().unwrap() {
            item["apiVersion"] = json!("coordination.k8s.io/v1");
            item["kind"] = json!("Lease");
        }
    }
}

#[test]
fn api_version_on_list_items() {
    let list = KindEntry::of::<Broken<v1::LeaseList, NamedItems>>(
        "coordination.k8s.io",
        "v1",
        "LeaseList",
        Role::List { item: "Lease" },
        &[],
    );
    insta::assert_snapshot!(run(list));
}

/// A lease from before coordinated election, and one that minds the new fields.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OldLease {
    api_version: String,
    kind: String,
    metadata: meta::v1::ObjectMeta,
    #[serde(default)]
    spec: OldLeaseSpec,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OldLeaseSpec {
    holder_identity: Option<String>,
    lease_duration_seconds: Option<i32>,
    lease_transitions: Option<i32>,
    acquire_time: Option<meta::v1::MicroTime>,
    renew_time: Option<meta::v1::MicroTime>,
}

#[test]
fn a_type_that_is_stricter_than_servers() {
    let role = Role::Resource {
        plural: "leases",
        scope: Scope::Namespaced,
    };
    let lease = KindEntry::of::<OldLease>("coordination.k8s.io", "v1", "Lease", role, &[]);
    insta::assert_snapshot!(run(lease));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TextualStatus {
    code: String,
}

#[test]
fn a_status_that_does_not_decode() {
    let status = KindEntry::of::<TextualStatus>("", "v1", "Status", Role::Object, &[]);
    let kinds: &[KindEntry] = &[status];
    let suite = Suite::general(&kinds, &DOCUMENTS)
        .only(&["response"])
        .unwrap();
    insta::assert_snapshot!(first_failures(&suite.run(&NEWEST)));
}
