//! Types that are broken on purpose fail the matching check. The messages say what to look at.

use k8s_coordination::{Kinds, meta, v1, v1beta1};
use k8s_versioned::{KindEntry, Object, Registry, Role, Scope};
use k8s_versioned_conformance::{KNOWN_FAILURES_FILE, KnownFailures, Report, Suite};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::recorded::{DOCUMENTS, NEWEST, root};

/// A type that writes something wrong: the fault of this number.
#[derive(Debug, PartialEq)]
struct Broken<T, const FAULT: usize>(T);

const FAULTS: [fn(&mut Value); 5] = [
    |json| drop(spec(json).remove("leaseName")),
    |json| {
        let version = spec(json).remove("binaryVersion").unwrap();
        spec(json).insert("binary_version".to_owned(), version);
    },
    |json| {
        if let Some(Value::String(time)) = json.pointer_mut("/spec/renewTime") {
            *time = time.replace("6Z", "Z");
        }
    },
    |json| {
        spec(json).entry("emulationVersion").or_insert(json!(""));
    },
    |json| {
        for item in json["items"].as_array_mut().unwrap() {
            item["apiVersion"] = json!("coordination.k8s.io/v1");
            item["kind"] = json!("Lease");
        }
    },
];

fn spec(json: &mut Value) -> &mut Map<String, Value> {
    json["spec"].as_object_mut().unwrap()
}

impl<T: Serialize, const FAULT: usize> Serialize for Broken<T, FAULT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?;
        FAULTS[FAULT](&mut json);
        json.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>, const FAULT: usize> Deserialize<'de> for Broken<T, FAULT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self)
    }
}

const GROUP: &str = "coordination.k8s.io";

const fn resource<T: Object + DeserializeOwned>(
    version: &'static str,
    kind: &'static str,
    plural: &'static str,
) -> KindEntry {
    let scope = Scope::Namespaced;
    KindEntry::of::<T>(GROUP, version, kind, Role::Resource { plural, scope })
}

const fn candidate<const FAULT: usize>() -> KindEntry {
    resource::<Broken<v1beta1::LeaseCandidate, FAULT>>(
        "v1beta1",
        "LeaseCandidate",
        "leasecandidates",
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
    let failures =
        text.split("\n\n").filter(|part| part.starts_with("FAILED") && part.contains(&file));
    let failures = failures.collect::<Vec<_>>().join("\n");
    failures.replace(&root().display().to_string(), "…")
}

#[test]
fn each_fault_is_noticed() {
    let items = Role::List { item: "Lease" };
    let items = KindEntry::of::<Broken<v1::LeaseList, 4>>(GROUP, "v1", "LeaseList", items);
    let faults = [
        ("a dropped field", candidate::<0>()),
        ("a renamed field", candidate::<1>()),
        ("five fractional digits", candidate::<2>()),
        ("an empty string where servers omit it", candidate::<3>()),
        ("apiVersion and kind in the items of a list", items),
        ("a type that is stricter than servers", resource::<OldLease>("v1", "Lease", "leases")),
    ];
    let reports = faults.map(|(fault, kind)| format!("# {fault}\n\n{}\n", run(kind)));
    insta::assert_snapshot!(reports.join("\n"));
}

/// A lease from before coordinated election, which refuses the new fields.
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

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TextualStatus {
    code: String,
}

#[test]
fn a_status_that_does_not_decode() {
    let status = KindEntry::of::<TextualStatus>("", "v1", "Status", Role::Object);
    let kinds: &[KindEntry] = &[status];
    let suite = Suite::general(&kinds, &DOCUMENTS).only(&["response"]).unwrap();
    insta::assert_snapshot!(first_failures(&suite.run(&NEWEST)));
}
