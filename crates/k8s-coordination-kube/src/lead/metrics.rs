//! The metrics of a driver, as values and as text for Prometheus.

use std::collections::BTreeMap;

use k8s_versioned_core::metrics::MetricKind::{self, Counter, Gauge};
use k8s_versioned_core::metrics::MetricsText;

/// The metrics of a driver at one time. The counters start at zero with the driver and only grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeadMetrics {
    /// The namespace of the Lease. The text omits it: see [`LeadMetrics::to_text`].
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

/// A metric: its name, its kind, its help and its value. The first two names are those of programs with client-go.
type Row = (&'static str, MetricKind, &'static str, fn(&LeadMetrics) -> u64);

#[rustfmt::skip]
const ROWS: [Row; 6] = [
    ("leader_election_master_status", Gauge, "Whether this process leads by the Lease: 1, else 0.",
        |metrics| metrics.leads.into()),
    ("leader_election_slowpath_total", Counter, "Renewals that first had to read the Lease again.",
        |metrics| metrics.slow_renewals),
    ("leader_election_requests_total", Counter, "Requests of the elector, without watches.",
        |metrics| metrics.requests),
    ("leader_election_request_failures_total", Counter, "Requests of the elector that failed.",
        |metrics| metrics.failures),
    ("leader_election_terms_total", Counter, "Terms in which this process led.",
        |metrics| metrics.terms),
    ("leader_election_aborted_terms_total", Counter, "Terms whose work did not stop in time and was aborted.",
        |metrics| metrics.aborted),
];

impl LeadMetrics {
    /// The metrics of all drivers of a program as text for Prometheus (version 0.0.4).
    ///
    /// `leader_election_master_status` and `leader_election_slowpath_total` are the metrics of client-go, so dashboards and
    /// alerts for other controllers fit. As there, the only label is the name of the Lease: Leases of one name in several
    /// namespaces share a series, which is the highest of their gauges, or the sum of their counters.
    pub fn to_text(all: &[Self]) -> String {
        let mut text = MetricsText::default();
        for (name, kind, help, value) in ROWS {
            let join = if kind == Counter { u64::saturating_add } else { u64::max };
            text.head(name, kind, help);
            let mut series = BTreeMap::new();
            for metrics in all {
                let joined = series.entry(&metrics.lease_name).or_insert(0);
                *joined = join(*joined, value(metrics));
            }
            for (lease_name, value) in series {
                text.row(name, &[("name", lease_name)], value);
            }
        }
        text.into_text()
    }
}
