//! The metrics of a webhook, as text for Prometheus.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::StatusCode;
use k8s_versioned::conversion::review::PairCounts;
use k8s_versioned_core::metrics::{MetricKind, MetricsText};

use crate::certificates;

/// The metrics of a [`WebhookServer`](crate::WebhookServer). All clones are one.
///
/// | metric | labels | counts |
/// |---|---|---|
/// | `conversion_webhook_objects_total` | `kind`, `from`, `to`, `result`: `converted`, `lossy`, `refused` | objects |
/// | `conversion_webhook_answers_total` | `code` | HTTP answers; 200 also if objects were refused, as API servers expect |
/// | `conversion_webhook_review_seconds` | | conversions of whole reviews: `_sum` and `_count` |
/// | `conversion_webhook_handshake_failures_total` | | TLS handshakes that failed |
/// | `conversion_webhook_certificates_total` | `result`: `taken`, `failed` | certificates, and changed files that cannot be used |
/// | `conversion_webhook_certificate_taken_timestamp_seconds` | | when the certificate was taken: a gauge |
#[derive(Clone, Debug)]
pub struct WebhookMetrics {
    reviews: Arc<Mutex<Reviews>>,
    handshake_failures: Arc<AtomicU64>,
    certificates: Arc<certificates::Figures>,
}

#[derive(Debug, Default)]
struct Reviews {
    /// The numbers of converted, lossy and refused objects by kind, source version and target version.
    objects: BTreeMap<[String; 3], [u64; 3]>,
    answers: BTreeMap<u16, u64>,
    count: u64,
    time: Duration,
}

impl WebhookMetrics {
    pub(crate) fn new(certificates: Arc<certificates::Figures>) -> Self {
        Self { reviews: Arc::default(), handshake_failures: Arc::default(), certificates }
    }

    pub(crate) fn handshake_failed(&self) {
        self.handshake_failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn reviewed(&self, pairs: Vec<PairCounts>, time: Duration) {
        self.change(|reviews| {
            reviews.count = reviews.count.saturating_add(1);
            reviews.time = reviews.time.saturating_add(time);
            for pair in pairs {
                let kind = [pair.kind, pair.group].join(".");
                let counts = reviews.objects.entry([kind, pair.from, pair.to]).or_default();
                let more = [pair.converted, pair.lossy, pair.refused];
                *counts = std::array::from_fn(|index| {
                    let of = |counts: &[u64; 3]| counts.get(index).copied().unwrap_or_default();
                    of(counts).saturating_add(of(&more))
                });
            }
        });
    }

    pub(crate) fn answered(&self, code: StatusCode) {
        self.change(|reviews| {
            let count = reviews.answers.entry(code.as_u16()).or_default();
            *count = count.saturating_add(1);
        });
    }

    fn change<T>(&self, change: impl FnOnce(&mut Reviews) -> T) -> T {
        change(&mut self.reviews.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The metrics as text for Prometheus (version 0.0.4).
    pub fn to_text(&self) -> String {
        let mut text = MetricsText::default();
        self.change(|reviews| reviews.write(&mut text));
        let failures = self.handshake_failures.load(Ordering::Relaxed);
        let name = "conversion_webhook_handshake_failures_total";
        text.head(name, MetricKind::Counter, "TLS handshakes that failed.");
        text.row(name, &[], failures);
        let [taken, failed, since] =
            [&self.certificates.taken, &self.certificates.failures, &self.certificates.since]
                .map(|figure| figure.load(Ordering::Relaxed));
        let name = "conversion_webhook_certificates_total";
        text.head(
            name,
            MetricKind::Counter,
            "Certificates that were taken, and changed files that cannot be used.",
        );
        text.row(name, &[("result", "taken")], taken);
        text.row(name, &[("result", "failed")], failed);
        let name = "conversion_webhook_certificate_taken_timestamp_seconds";
        text.head(name, MetricKind::Gauge, "When the certificate was taken.");
        text.row(name, &[], since);
        text.into_text()
    }
}

impl Reviews {
    fn write(&self, text: &mut MetricsText) {
        let name = "conversion_webhook_objects_total";
        text.head(name, MetricKind::Counter, "Objects of reviews, by kind, versions and result.");
        for ([kind, from, to], counts) in &self.objects {
            for (result, count) in ["converted", "lossy", "refused"].into_iter().zip(counts) {
                let labels = [("kind", &**kind), ("from", from), ("to", to), ("result", result)];
                text.row(name, &labels, count);
            }
        }
        let name = "conversion_webhook_answers_total";
        text.head(name, MetricKind::Counter, "HTTP answers.");
        for (code, count) in &self.answers {
            text.row(name, &[("code", &code.to_string())], count);
        }
        let name = "conversion_webhook_review_seconds";
        text.head(name, MetricKind::Summary, "The time of the conversion of a review.");
        text.row(&format!("{name}_sum"), &[], self.time.as_secs_f64());
        text.row(&format!("{name}_count"), &[], self.count);
    }
}
