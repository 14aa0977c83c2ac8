//! The report of a run: counts by release, API version and check, and the findings; as text, JSON and a page.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use anstyle::Style;
use k8s_versioned::{Release, Version};
use k8s_versioned_core::findings::{Finding, GOOD, Severity, count, table};
use serde::{Serialize, Serializer};

use crate::differences::shorten;
use crate::examination::{Inapplicable, Mismatch};
use crate::recordings::{Recording, Recordings};

const LEGEND: &str = "\
A number counts the bodies that passed, or the recordings if the check examines recordings as a whole. The number
in brackets counts those to which the check does not apply.";

/// The report of a run.
///
/// It prints itself as text for people ([`Display`](fmt::Display), `{:#}` with colours), as JSON for programs
/// ([`Serialize`]) and as Markdown for a page ([`SuiteReport::markdown`]).
#[derive(Debug)]
#[non_exhaustive]
pub struct SuiteReport {
    /// The number of recordings.
    pub recordings: usize,
    /// The checks that ran.
    pub checks: Vec<CheckInfo>,
    /// Errors: failures, files that are not recordings, stale known failures, and that nothing was judged. Notes:
    /// known failures.
    pub findings: Vec<Finding>,
    counts: BTreeMap<ApiVersion, Vec<OutcomeCounts>>,
    reasons: BTreeMap<(usize, Inapplicable), usize>,
}

/// A check and its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CheckInfo {
    /// The name of the check.
    pub name: &'static str,
    /// The rule, which completes the sentence "The check asks that …".
    pub rule: &'static str,
}

/// A reason why a check did not apply, and a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotApplicable<'a> {
    /// The name of the check.
    pub check: &'static str,
    /// Why the check does not apply.
    pub reason: &'a str,
    /// The number of subjects with this reason.
    pub count: usize,
}

/// The number of bodies or recordings of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OutcomeCounts {
    /// Checks without a mismatch.
    pub passed: usize,
    /// Checks with a mismatch that is not known.
    pub failed: usize,
    /// Checks that do not apply.
    pub not_applicable: usize,
    /// Checks with only known mismatches.
    pub known: usize,
}

/// An API version as one release serves it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ApiVersion {
    release: Release,
    group: String,
    // The version that clients prefer is first.
    rank: Reverse<Option<Version>>,
    version: String,
}

/// One examination, judged by the known failures.
pub(crate) enum Tally {
    Passed,
    Failed(Vec<Mismatch>),
    /// Each mismatch with the reason of the known failure.
    Known(Vec<(Mismatch, String)>),
    NotApplicable(Inapplicable),
}

impl SuiteReport {
    pub(crate) fn new(recordings: &Recordings, checks: Vec<CheckInfo>) -> Self {
        let rejected = recordings.rejected().iter().map(|rejected| {
            let (file, reason) = (rejected.path.display().to_string(), rejected.reason.to_string());
            Finding::new(Severity::Error, "recording", file, reason)
        });
        Self {
            recordings: recordings.len(),
            checks,
            findings: rejected.collect(),
            counts: BTreeMap::new(),
            reasons: BTreeMap::new(),
        }
    }

    /// Adds an examination by the check with this index.
    pub(crate) fn add(&mut self, recording: &Recording, check: usize, tally: Tally) {
        let width = self.checks.len();
        let row = self.counts.entry(ApiVersion::from_recording(recording));
        let row = row.or_insert_with(|| vec![OutcomeCounts::default(); width]);
        let (Some(counts), Some(CheckInfo { name, .. })) =
            (row.get_mut(check), self.checks.get(check).copied())
        else {
            return;
        };
        let file = || recording.path.file.display().to_string();
        match tally {
            Tally::Passed => counts.passed += 1,
            Tally::Failed(mismatches) => {
                counts.failed += 1;
                let findings =
                    mismatches.into_iter().map(|mismatch| mismatch.finding(name, file()));
                self.findings.extend(findings);
            }
            Tally::Known(known) => {
                counts.known += 1;
                self.findings.extend(known.into_iter().map(|(mismatch, reason)| {
                    Finding::new(Severity::Note, name, file(), reason).at(mismatch.pointer)
                }));
            }
            Tally::NotApplicable(reason) => {
                counts.not_applicable += 1;
                *self.reasons.entry((check, reason)).or_default() += 1;
            }
        }
    }

    /// Adds that no object of the recordings was judged: none of their kinds, `missing`, is registered.
    pub(crate) fn add_unjudged(&mut self, missing: BTreeSet<String>) {
        let message = "no object was judged: no recording has one of a registered kind";
        let hint = if missing.is_empty() {
            "record an answer with an object that the registered types read".to_owned()
        } else {
            let missing: Vec<String> = missing.into_iter().collect();
            let missing = shorten(&missing.join(", "));
            format!("register {missing}, or correct the names of the registered kinds")
        };
        let recordings = count(self.recordings, "recording");
        let finding = Finding::new(Severity::Error, "registry", recordings, message);
        self.findings.push(finding.with_hint(hint));
    }

    /// Returns `true` if no check failed, no file was rejected, no known failure is stale, and an object was judged if
    /// there are recordings.
    pub fn is_success(&self) -> bool {
        self.findings_with(Severity::Error).next().is_none()
    }

    /// The counts of a check over all releases and API versions.
    pub fn total(&self, check: &str) -> OutcomeCounts {
        let index = self.checks.iter().position(|info| info.name == check);
        let counts = self.counts.values().filter_map(|row| row.get(index?));
        counts.fold(OutcomeCounts::default(), |sum, one| OutcomeCounts {
            passed: sum.passed + one.passed,
            failed: sum.failed + one.failed,
            not_applicable: sum.not_applicable + one.not_applicable,
            known: sum.known + one.known,
        })
    }

    /// The reasons why checks did not apply, with counts.
    pub fn not_applicable(&self) -> impl Iterator<Item = NotApplicable<'_>> {
        self.reasons.iter().filter_map(|((check, reason), &count)| {
            Some(NotApplicable { check: self.checks.get(*check)?.name, reason, count })
        })
    }

    /// The counts as a Markdown table. With `aligned`, columns have equal width, for terminals.
    pub fn results(&self, aligned: bool) -> String {
        let titles = ["release", "API version"].into_iter();
        let titles = titles.chain(self.checks.iter().map(|check| check.name)).map(str::to_owned);
        let mut rows = vec![titles.collect::<Vec<_>>()];
        for (row, counts) in &self.counts {
            let head = [row.release.to_string(), row.to_string()].into_iter();
            rows.push(head.chain(counts.iter().map(OutcomeCounts::to_string)).collect());
        }
        let totals = self.checks.iter().map(|check| self.total(check.name).to_string());
        rows.push(["all".to_owned(), String::new()].into_iter().chain(totals).collect());
        table(2, &rows, aligned)
    }

    /// The report as Markdown for a page.
    pub fn markdown(&self) -> String {
        let mut rows = vec![["check", "asks that"].map(str::to_owned).to_vec()];
        rows.extend(
            self.checks.iter().map(|check| [check.name, check.rule].map(str::to_owned).to_vec()),
        );
        let mut text = format!(
            "{}.\n\n{}\n## Results\n\n{LEGEND}\n\n{}",
            self.summary(),
            table(2, &rows, false),
            self.results(false)
        );
        if let Some(reasons) = self.reasons(false) {
            let _ = write!(text, "\n## Not applicable\n\n{reasons}");
        }
        for (title, severity) in [("Known failures", Severity::Note), ("Failures", Severity::Error)]
        {
            let mut findings = self.findings_with(severity).peekable();
            if findings.peek().is_some() {
                let _ = write!(text, "\n## {title}\n\n");
                text.extend(findings.map(item));
            }
        }
        text
    }

    fn findings_with(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.severity == severity)
    }

    /// The table of the reasons why checks did not apply, if there are any.
    fn reasons(&self, aligned: bool) -> Option<String> {
        let titles = ["check", "not applicable, because", "count"].map(str::to_owned);
        let rows = self.not_applicable().map(|NotApplicable { check, reason, count }| {
            vec![check.to_owned(), reason.to_owned(), count.to_string()]
        });
        let rows: Vec<Vec<String>> = [titles.to_vec()].into_iter().chain(rows).collect();
        (rows.len() > 1).then(|| table(2, &rows, aligned))
    }

    fn summary(&self) -> String {
        let recordings = count(self.recordings, "recording");
        let known: usize = self.counts.values().flatten().map(|counts| counts.known).sum();
        match (self.findings_with(Severity::Error).count(), known) {
            (0, 0) => format!("{recordings}: no failure"),
            (0, known) => format!("{recordings}: no unexpected failure, {known} known"),
            (errors, _) => format!("{recordings}: {}", count(errors, "error")),
        }
    }
}

/// Writes the counts, the reasons, the findings and the verdict; `{:#}` with colours.
impl fmt::Display for SuiteReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Passed, and in brackets not applicable:\n\n{}", self.results(true))?;
        if let Some(reasons) = self.reasons(true) {
            writeln!(f, "{reasons}")?;
        }
        for severity in [Severity::Note, Severity::Error] {
            self.findings_with(severity).try_for_each(|finding| finding.fmt(f))?;
        }
        let style = match (f.alternate(), self.is_success()) {
            (false, _) => Style::new(),
            (true, true) => GOOD,
            (true, false) => Severity::Error.style(),
        };
        writeln!(f, "\n{style}{}{style:#}", self.summary())
    }
}

impl Serialize for SuiteReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.counts.iter().flat_map(|(row, counts)| {
            let cells = self.checks.iter().zip(counts);
            cells.map(move |(check, counts)| Cell {
                release: row.release,
                api_version: row.to_string(),
                check: check.name,
                counts: *counts,
            })
        });
        let json = Json {
            success: self.is_success(),
            recordings: self.recordings,
            checks: &self.checks,
            results: cells.collect(),
            not_applicable: self.not_applicable().collect(),
            findings: &self.findings,
        };
        json.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'a> {
    success: bool,
    recordings: usize,
    checks: &'a [CheckInfo],
    results: Vec<Cell<'a>>,
    not_applicable: Vec<NotApplicable<'a>>,
    findings: &'a [Finding],
}

/// The counts of one check for one API version of one release.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cell<'a> {
    release: Release,
    api_version: String,
    check: &'a str,
    #[serde(flatten)]
    counts: OutcomeCounts,
}

/// Writes what is not zero.
impl fmt::Display for OutcomeCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, not_applicable, known } = *self;
        let mut parts = Vec::new();
        parts.extend((failed > 0).then(|| format!("{failed} failed")));
        parts.extend((known > 0).then(|| format!("{known} known")));
        parts.extend((passed > 0 || not_applicable == 0).then(|| passed.to_string()));
        parts.extend((not_applicable > 0).then(|| format!("({not_applicable})")));
        f.write_str(&parts.join(" "))
    }
}

impl ApiVersion {
    fn from_recording(recording: &Recording) -> Self {
        let api_version = crate::kinds::group_version(recording);
        Self {
            release: recording.path.release,
            group: api_version.group.to_owned(),
            rank: Reverse(api_version.version.parse().ok()),
            version: api_version.version.to_owned(),
        }
    }
}

/// Writes the `apiVersion`, without the release.
impl fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, version) = (&self.group, &self.version);
        k8s_versioned::GroupVersion { group, version }.fmt(f)
    }
}

/// A finding as an item of a list.
fn item(finding: &Finding) -> String {
    let Finding { id, file, at, message, .. } = finding;
    let at = if at.is_empty() { String::new() } else { format!(" at {}", code(at)) };
    format!("- {id}: {}{at}: {}\n", code(file), message.replace(['\n', '\r'], " "))
}

/// A text as code, in more backquotes than the text has in a row.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let longest = text.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default() + 1);
    if text.contains('`') || text.is_empty() {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}
