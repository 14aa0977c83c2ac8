//! Metrics as text for Prometheus (version 0.0.4).

use std::fmt::{Display, Write as _};

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that only grows.
    Counter,
    /// A number at one time.
    Gauge,
    /// The sum and the count of some values.
    Summary,
}

impl MetricKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Summary => "summary",
        }
    }
}

/// The text of some metrics. Writing to it does not fail.
///
/// ```
/// use k8s_versioned_core::metrics::{MetricKind, MetricsText};
///
/// let mut text = MetricsText::default();
/// text.head("failures_total", MetricKind::Counter, "Requests that failed.");
/// text.row("failures_total", &[("code", "503")], 2);
/// assert_eq!(
///     text.into_text(),
///     "# HELP failures_total Requests that failed.\n# TYPE failures_total counter\nfailures_total{code=\"503\"} 2\n"
/// );
/// ```
#[derive(Debug, Default)]
pub struct MetricsText(String);

impl MetricsText {
    /// Begins the metric of this name. `help` is one line.
    pub fn head(&mut self, name: &str, kind: MetricKind, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {}", kind.name());
    }

    /// A value with these labels.
    pub fn row(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (index, (label, value)) in labels.iter().enumerate() {
            let before = if index == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{before}{label}=\"");
            self.push_escaped(value);
            self.0.push('"');
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
        let _ = writeln!(self.0, " {value}");
    }

    /// Adds the value of a label, which ends neither its quotes nor its line.
    fn push_escaped(&mut self, value: &str) {
        for character in value.chars() {
            match character {
                '\\' => self.0.push_str("\\\\"),
                '"' => self.0.push_str("\\\""),
                '\n' => self.0.push_str("\\n"),
                other => self.0.push(other),
            }
        }
    }

    /// The whole text.
    pub fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::MetricsText;

    #[test]
    fn a_label_ends_with_its_quote() {
        let mut text = MetricsText::default();
        text.row("a", &[], 1.5);
        text.row("b", &[("x", "a\"} 7\nc"), ("y", "\\")], 2);
        assert_eq!(text.into_text(), "a 1.5\nb{x=\"a\\\"} 7\\nc\",y=\"\\\\\"} 2\n");
    }
}
