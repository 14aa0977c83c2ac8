//! The metrics of a driver, as values and as text for Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The metrics of a driver at one time. The counters start at zero with the driver and only grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// The namespace of the Lease. The text omits it: see [`Metrics::to_text`].
    pub namespace: String,
    /// The name of the Lease: the label `name` in the text.
    pub lease_name: String,
    /// Whether this process leads.
    pub leads: bool,
    /// The renewals for which the elector first had to read the Lease again, for example after a failure or a
    /// conflict.
    pub slow_renewals: u64,
    /// The requests that were sent, without watches.
    pub requests: u64,
    /// The requests that failed: without an answer, or refused for a reason other than a conflict.
    pub failures: u64,
    /// The terms in which this process led.
    pub terms: u64,
    /// The terms in which the work did not stop in time, so that the driver aborted it.
    pub aborted: u64,
}

/// The name and help of a metric, and its value. The first two have the names that programs with client-go use. A counter
/// has a name that ends in `_total`; the others are gauges.
type Row = (&'static str, &'static str, fn(&Metrics) -> u64);

const ROWS: [Row; 6] = [
    (
        "leader_election_master_status",
        "Whether this process leads by the Lease: 1, else 0.",
        |metrics| metrics.leads.into(),
    ),
    (
        "leader_election_slowpath_total",
        "Renewals that first had to read the Lease again.",
        |metrics| metrics.slow_renewals,
    ),
    ("leader_election_requests_total", "Requests of the elector, without watches.", |metrics| {
        metrics.requests
    }),
    ("leader_election_request_failures_total", "Requests of the elector that failed.", |metrics| {
        metrics.failures
    }),
    ("leader_election_terms_total", "Terms in which this process led.", |metrics| metrics.terms),
    (
        "leader_election_aborted_terms_total",
        "Terms whose work did not stop in time and was aborted.",
        |metrics| metrics.aborted,
    ),
];

impl Metrics {
    /// The metrics of all drivers of a program as text for Prometheus (version 0.0.4).
    ///
    /// `leader_election_master_status` and `leader_election_slowpath_total` are the metrics of client-go, so dashboards and
    /// alerts for other controllers fit. As there, the only label is the name of the Lease: Leases of one name in several
    /// namespaces share a series, which is the highest of their gauges, or the sum of their counters.
    pub fn to_text(all: &[Self]) -> String {
        let mut text = String::new();
        for (name, help, value) in ROWS {
            let (kind, join): (_, fn(u64, u64) -> u64) = if name.ends_with("_total") {
                ("counter", u64::saturating_add)
            } else {
                ("gauge", u64::max)
            };
            // Writing to a string does not fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            let mut series = BTreeMap::new();
            for metrics in all {
                let joined = series.entry(&metrics.lease_name).or_insert(0);
                *joined = join(*joined, value(metrics));
            }
            for (lease_name, value) in series {
                // The name has no character to escape: the settings were checked.
                let _ = writeln!(text, "{name}{{name=\"{lease_name}\"}} {value}");
            }
        }
        text
    }
}
