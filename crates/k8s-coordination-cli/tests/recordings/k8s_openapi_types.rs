//! The types of `k8s-openapi` in the checks, as a second implementation.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use k8s_openapi::api::coordination::{v1, v1alpha2, v1beta1};
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;
use k8s_openapi::{List, ListableResource};
use k8s_versioned::{DecodedObject, KindEntry};
use k8s_versioned_conformance::{Finding, Suite, SuiteReport, check};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::recorded::RECORDINGS;

static KINDS: LazyLock<Vec<KindEntry>> = LazyLock::new(|| {
    vec![
        resource::<v1::Lease>("leases"),
        list::<v1::Lease>("LeaseList"),
        resource::<v1alpha2::LeaseCandidate>("leasecandidates"),
        list::<v1alpha2::LeaseCandidate>("LeaseCandidateList"),
        resource::<v1beta1::LeaseCandidate>("leasecandidates"),
        list::<v1beta1::LeaseCandidate>("LeaseCandidateList"),
        KindEntry::of::<meta::Status>("", "v1", "Status"),
        KindEntry::of::<meta::DeleteOptions>("", "v1", "DeleteOptions"),
        KindEntry::of::<meta::APIGroup>("", "v1", "APIGroup"),
        KindEntry::of::<meta::APIResourceList>("", "v1", "APIResourceList"),
    ]
});

fn resource<T>(plural: &'static str) -> KindEntry
where
    T: k8s_openapi::Resource + DecodedObject + DeserializeOwned,
{
    KindEntry::of::<T>(T::GROUP, T::VERSION, T::KIND).with_plural(plural)
}

fn list<T>(kind: &'static str) -> KindEntry
where
    T: ListableResource
        + Serialize
        + DeserializeOwned
        + PartialEq
        + std::fmt::Debug
        + Send
        + Sync
        + 'static,
{
    KindEntry::of::<List<T>>(T::GROUP, T::VERSION, kind)
}

/// The report of the checks that need only types.
fn report() -> SuiteReport {
    let kinds = KINDS.as_slice();
    Suite::new()
        .with(check::decode(&kinds))
        .with(check::round_trip(&kinds))
        .with(check::twin(&kinds))
        .run(&RECORDINGS)
}

/// The section of the page.
pub(crate) fn section() -> String {
    let report = report();
    let mut section = "## A second implementation: `k8s-openapi`\n\n\
        The results of the types of `k8s-openapi` for Kubernetes 1.37 in the checks that need only types.\n\n"
        .to_owned();
    writeln!(section, "{}", report.results(false)).unwrap();
    section += "Differences between its types and the recordings, over all releases:\n\n\
                | check | where | servers write | the types write | times |\n|---|---|---|---|--:|\n";
    for ((check, place, expected, found), count) in differences(&report) {
        writeln!(section, "| {check} | `{place}` | {expected} | {found} | {count} |").unwrap();
    }
    section += "\nKinds without a type in `k8s-openapi`:\n\n| check | not applicable, because | times |\n|---|---|--:|\n";
    let missing = report
        .not_applicable()
        .filter(|entry| entry.reason.contains("registered") && entry.reason.contains("/v1alpha"));
    for entry in missing {
        writeln!(section, "| {} | {} | {} |", entry.check, entry.reason, entry.count).unwrap();
    }
    section
}

type Difference = (String, String, String, String);

/// The differences, and the number of times that each occurs.
fn differences(report: &SuiteReport) -> BTreeMap<Difference, usize> {
    let mut differences = BTreeMap::new();
    for Finding { id, at, message, .. } in &report.findings {
        let place = at.split('/').map(|part| {
            let index = part.parse::<usize>().is_ok();
            if index { "*" } else { part }
        });
        let place = place.collect::<Vec<_>>().join("/");
        let values = message.strip_prefix("expected ").and_then(|rest| rest.split_once(", found "));
        let (expected, found) = values.unwrap();
        let (expected, found) = (class(expected), class(found));
        *differences.entry((id.to_string(), place, expected, found)).or_default() += 1;
    }
    differences
}

/// The class of a value: absent, empty, or any other.
fn class(value: &str) -> String {
    match value {
        "absent" => "nothing".to_owned(),
        "\"\"" | "[]" | "{}" | "null" => format!("`{value}`"),
        _ => "a value".to_owned(),
    }
}
