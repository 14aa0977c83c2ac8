//! The rows of the benchmark table, and the JSON texts of a large cluster.

#![allow(
    missing_debug_implementations,
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

pub mod goal;
pub mod instructions;
mod least_work;
pub mod meter;
pub mod ratio;
pub mod row;
pub mod rows;

/// The number of objects in a list.
pub const COUNT: usize = 5_000;

/// A list of candidates with managed fields, as servers write it.
pub fn candidates() -> String {
    list("LeaseCandidate", "coordination.k8s.io/v1beta1", candidate)
}

/// A list of the Leases of nodes with owners and managed fields, as servers write it.
pub fn leases() -> String {
    list("Lease", "coordination.k8s.io/v1", lease)
}

/// The candidates of [`candidates`], each as a text with `apiVersion` and `kind`.
pub fn single_candidates() -> Vec<String> {
    let type_meta = r#"{"kind":"LeaseCandidate","apiVersion":"coordination.k8s.io/v1beta1","#;
    let items = (0..COUNT).map(candidate);
    items.map(|item| item.replacen('{', type_meta, 1)).collect()
}

/// The candidates of [`candidates`] as the events of a watch, one in each line.
pub fn watch() -> String {
    let objects = single_candidates().into_iter();
    let lines = objects.map(|object| format!("{{\"type\":\"MODIFIED\",\"object\":{object}}}\n"));
    lines.collect::<Vec<_>>().concat()
}

fn list(kind: &str, api_version: &str, item: fn(usize) -> String) -> String {
    let items: Vec<String> = (0..COUNT).map(item).collect();
    format!(
        r#"{{"kind":"{kind}List","apiVersion":"{api_version}","metadata":{{"resourceVersion":"9218"}},"items":[{}]}}"#,
        items.join(",")
    ) + "\n"
}

fn candidate(index: usize) -> String {
    let (minor, second) = (30 + index % 7, index % 60);
    format!(
        concat!(
            r#"{{"metadata":{{"name":"scheduler-{index:04}","namespace":"kube-system","#,
            r#""uid":"afd8832a-7cd0-4f2c-b6bf-e10b52e4{index:04}","resourceVersion":"{version}","#,
            r#""creationTimestamp":"2026-11-20T05:05:{second:02}Z","#,
            r#""managedFields":[{{"manager":"kube-scheduler","operation":"Update","#,
            r#""apiVersion":"coordination.k8s.io/v1beta1","time":"2026-11-20T05:05:{second:02}Z","#,
            r#""fieldsType":"FieldsV1","fieldsV1":{{"f:spec":{{"f:binaryVersion":{{}},"f:emulationVersion":{{}},"#,
            r#""f:leaseName":{{}},"f:pingTime":{{}},"f:renewTime":{{}},"f:strategy":{{}}}}}}}}]}},"#,
            r#""spec":{{"leaseName":"kube-scheduler","pingTime":"2026-11-20T05:05:{second:02}.123456Z","#,
            r#""renewTime":"2026-11-20T05:06:{second:02}.123456Z","binaryVersion":"1.{minor}.2","#,
            r#""emulationVersion":"1.{minor}.0","strategy":"OldestEmulationVersion"}}}}"#,
        ),
        index = index,
        version = 4_000 + index,
        second = second,
        minor = minor,
    )
}

fn lease(index: usize) -> String {
    format!(
        concat!(
            r#"{{"metadata":{{"name":"node-{index:04}","namespace":"kube-node-lease","#,
            r#""uid":"afd8832a-7cd0-4f2c-b6bf-e10b52e4{index:04}","resourceVersion":"{version}","#,
            r#""creationTimestamp":"2026-11-20T05:05:{second:02}Z","#,
            r#""ownerReferences":[{{"apiVersion":"v1","kind":"Node","name":"node-{index:04}","#,
            r#""uid":"c1d08c5b-d83b-4613-9984-d4cb0c8b{index:04}"}}],"#,
            r#""managedFields":[{{"manager":"kubelet","operation":"Update","#,
            r#""apiVersion":"coordination.k8s.io/v1","time":"2026-11-20T05:05:{second:02}Z","#,
            r#""fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":{{"f:ownerReferences":{{".":{{}},"#,
            r#""k:{{\"uid\":\"c1d08c5b-d83b-4613-9984-d4cb0c8b{index:04}\"}}":{{}}}}}},"#,
            r#""f:spec":{{"f:holderIdentity":{{}},"f:leaseDurationSeconds":{{}},"f:renewTime":{{}}}}}}}}]}},"#,
            r#""spec":{{"holderIdentity":"node-{index:04}","leaseDurationSeconds":40,"#,
            r#""renewTime":"2026-11-20T05:06:{second:02}.123456Z"}}}}"#,
        ),
        index = index,
        version = 4_000 + index,
        second = index % 60,
    )
}
