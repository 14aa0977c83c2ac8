//! Running checks.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use k8s_versioned::text::nearest;
use k8s_versioned::{Registry, Release};
use k8s_versioned_admission::NEWEST;
use k8s_versioned_names::findings::{Finding, Severity};
use serde::Deserialize;
use thiserror::Error;

use crate::check::{self, Check};
use crate::documents::Documents;
use crate::kinds;
use crate::recordings::{ReadError, Recording, Recordings, read_text};
use crate::report::{Report, Tally};

/// Checks to run over recordings.
#[derive(Default)]
pub struct Suite<'a> {
    registry: Option<&'a dyn Registry>,
    checks: Vec<Check<'a>>,
    left_out: Vec<&'static str>,
    known: KnownFailures,
}

impl fmt::Debug for Suite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suite")
            .field("checks", &self.checks)
            .field("known", &self.known)
            .finish_non_exhaustive()
    }
}

impl<'a> Suite<'a> {
    /// A suite without checks, for [`with`](Self::with).
    pub fn new() -> Self {
        Self::default()
    }

    /// The general checks: they apply to the types and recordings of any API. The check `admit` is among them if the
    /// documents have definitions of custom resources.
    pub fn general(registry: &'a dyn Registry, documents: &'a Documents) -> Self {
        let suite = Self { registry: Some(registry), ..Self::new() };
        let suite = suite.with(check::decode(registry)).with(check::round_trip(registry));
        #[cfg(feature = "jsonschema")]
        let suite = suite.with(check::schema(registry, documents));
        #[cfg(not(feature = "jsonschema"))]
        let suite = suite.leaving_out("schema");
        let suite = suite.with(check::response(registry, documents)).with(check::twin(registry));
        if documents.have_definitions() {
            return suite.with(check::admit(documents, NEWEST));
        }
        suite.leaving_out("admit")
    }

    /// A check that does not run: its known failures are not stale.
    fn leaving_out(mut self, check: &'static str) -> Self {
        self.left_out.push(check);
        self
    }

    /// Adds a check.
    #[must_use]
    pub fn with(mut self, check: Check<'a>) -> Self {
        self.checks.push(check);
        self
    }

    /// Sets the known failures.
    #[must_use]
    pub fn with_known_failures(mut self, known: KnownFailures) -> Self {
        self.known = known;
        self
    }

    /// Keeps only these checks.
    ///
    /// # Errors
    ///
    /// There is no check of one of the names.
    pub fn only(mut self, names: &[impl AsRef<str>]) -> Result<Self, UnknownCheck> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let known: Vec<&'static str> = self.names().collect();
        if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
            return Err(UnknownCheck { found: (*unknown).to_owned(), known });
        }
        self.checks.retain(|check| names.contains(&check.info.name));
        let left_out = known.into_iter().filter(|name| !names.contains(name));
        self.left_out.extend(left_out);
        Ok(self)
    }

    /// The names of the checks, in the order in which they run.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.checks.iter().map(|check| check.info.name)
    }

    /// Runs all checks over all recordings.
    ///
    /// If the suite has a registry, and it has the kind of no object of the recordings, the report has an error: nothing
    /// was judged.
    pub fn run(&self, recordings: &Recordings) -> Report {
        let checks = self.checks.iter().map(|check| check.info);
        let mut report = Report::new(recordings, checks.collect());
        let mut met = vec![false; self.known.entries().len()];
        let mut examined = BTreeSet::new();
        for recording in recordings {
            // One cause is one finding: the first check that meets such a value reports it.
            let mut undecodable = BTreeSet::new();
            for (index, check) in self.checks.iter().enumerate() {
                let mut values = Vec::new();
                for finding in check.findings(recording, recordings) {
                    if finding.examined.is_ok() {
                        examined.insert(check.info.name);
                    }
                    let of = finding.undecodable().map(str::to_owned);
                    let mut judged = self.judge(check.info.name, recording, finding, &mut met);
                    if of.as_ref().is_some_and(|of| is_in_one_of(of, &undecodable)) {
                        judged = Tally::NotApplicable(UNDECODABLE.into());
                    }
                    values.extend(of);
                    report.add(recording, index, judged);
                }
                undecodable.extend(values);
            }
        }
        let stale = self.known.entries().iter().zip(met);
        // A check that examines nothing, for example without documents, does not show that an entry is stale.
        let idle = |entry: &KnownFailure| {
            self.names().any(|name| name == entry.check && !examined.contains(name))
        };
        let stale = stale
            .filter(|(entry, met)| !met && !idle(entry) && self.is_in_scope(entry, recordings));
        report.findings.extend(stale.map(|(entry, _)| self.stale(entry, recordings)));
        let missing = self.registry.and_then(|registry| kinds::missing(registry, recordings));
        if let Some(missing) = missing.filter(|_| !recordings.is_empty()) {
            report.add_unjudged(missing);
        }
        report
    }

    fn judge(
        &self,
        check: &'static str,
        recording: &Recording,
        finding: Examination,
        met: &mut [bool],
    ) -> Tally {
        let mismatches = match finding.examined {
            Err(reason) => return Tally::NotApplicable(reason),
            Ok(mismatches) if mismatches.is_empty() => return Tally::Passed,
            Ok(mismatches) => mismatches,
        };
        // All are looked up, so that an unknown mismatch does not make the entries of later ones stale.
        let reasons = mismatches.iter().map(|mismatch| {
            let entry = self.covering(check, recording, mismatch, met)?;
            Some(entry.reason.clone())
        });
        let reasons: Vec<Option<String>> = reasons.collect();
        match reasons.into_iter().collect::<Option<Vec<_>>>() {
            Some(reasons) => Tally::Known(mismatches.into_iter().zip(reasons).collect()),
            None => Tally::Failed(mismatches),
        }
    }

    /// The first entry that covers a mismatch. Marks all that cover it as met.
    fn covering(
        &self,
        check: &str,
        recording: &Recording,
        mismatch: &Mismatch,
        met: &mut [bool],
    ) -> Option<&KnownFailure> {
        let mut first = None;
        for (entry, met) in self.known.entries().iter().zip(met) {
            if entry.covers(check, recording, mismatch) {
                *met = true;
                first = first.or(Some(entry));
            }
        }
        first
    }

    /// The error about an entry that nothing fails for.
    fn stale(&self, entry: &KnownFailure, recordings: &Recordings) -> Finding {
        let error = |message| {
            let check = entry.check.clone();
            let finding = Finding::new(Severity::Error, check, entry.to_string(), message);
            finding.at(entry.pointer.as_str())
        };
        if !self.names().any(|name| name == entry.check) {
            let hint = match nearest(&entry.check, self.names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", self.names().collect::<Vec<_>>().join(", ")),
            };
            return error("a known failure of a check that does not exist").with_hint(hint);
        }
        if recordings.iter().any(|recording| entry.names(recording)) {
            return error("a known failure that no longer fails: remove the entry");
        }
        error("a known failure without its recording: it is not loaded")
            .with_hint("correct `set`, `name` or `release`, or remove the entry")
    }

    /// Returns `true` if the run could have met an entry: neither its check nor its release was left out.
    fn is_in_scope(&self, entry: &KnownFailure, recordings: &Recordings) -> bool {
        !self.left_out.contains(&entry.check.as_str()) && recordings.covers(entry.release)
    }
}

/// The reason of a check for a value that an earlier check has reported.
const UNDECODABLE: &str = "it does not decode, which is reported";

/// Returns `true` if a place is one of these, or below one.
fn is_in_one_of(pointer: &str, places: &BTreeSet<String>) -> bool {
    places.iter().any(|place| is_in(pointer, place))
}

/// Returns `true` if a place is this one, or below it.
fn is_in(pointer: &str, place: &str) -> bool {
    pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A check of this name does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no check is called `{found}`; there are {}", known.join(", "))]
pub struct UnknownCheck {
    found: String,
    known: Vec<&'static str>,
}

// What a check finds in a recording.

/// The reason why a check does not apply. Reports count by reason, so the same reason should have the same text.
pub type Inapplicable = Cow<'static, str>;

/// The result of a check: the mismatches (none if it passed), or the reason why the check does not apply.
pub type Examined = Result<Vec<Mismatch>, Inapplicable>;

/// The result of a check for one place in a recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Examination {
    /// The place: a JSON pointer; empty for the whole recording.
    pub pointer: String,
    /// The result for it.
    pub examined: Examined,
}

impl Examination {
    /// The result for a place.
    pub fn new(pointer: impl Into<String>, examined: Examined) -> Self {
        Self { pointer: pointer.into(), examined }
    }

    /// The place of the value that does not decode, if nothing else is wrong.
    fn undecodable(&self) -> Option<&str> {
        match self.examined.as_deref() {
            Ok([mismatch]) if mismatch.undecodable => Some(&mismatch.pointer),
            _ => None,
        }
    }

    /// The check does not apply to the place.
    pub fn not_applicable(pointer: impl Into<String>, reason: impl Into<Inapplicable>) -> Self {
        Self::new(pointer, Err(reason.into()))
    }
}

/// The reason why a check compares nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// The check does not apply.
    NotApplicable(Inapplicable),
    /// What the check needs is wrong itself.
    Mismatch(Mismatch),
}

impl Stop {
    /// The object at this place in the recording does not decode.
    pub fn undecodable(pointer: impl Into<String>, error: &(impl ToString + ?Sized)) -> Self {
        let expected = "an object that decodes, as it does on the server";
        let hint = "see the check decode";
        Self::Mismatch(Mismatch::new(pointer, expected, error.to_string(), hint).undecodable())
    }

    /// The result of a check.
    ///
    /// # Errors
    ///
    /// The check does not apply.
    pub fn examined(compared: Result<Vec<Mismatch>, Self>) -> Examined {
        compared.or_else(|stop| match stop {
            Self::NotApplicable(reason) => Err(reason),
            Self::Mismatch(mismatch) => Ok(vec![mismatch]),
        })
    }
}

impl<R: Into<Inapplicable>> From<R> for Stop {
    fn from(reason: R) -> Self {
        Self::NotApplicable(reason.into())
    }
}

/// A value that is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The place in the recording: a JSON pointer.
    pub pointer: String,
    /// The value that the check asks for.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// What to look at, or to change.
    pub hint: Cow<'static, str>,
    /// Whether nothing was compared, because the value does not decode.
    undecodable: bool,
}

impl Mismatch {
    /// A mismatch at a place, with a hint.
    pub fn new(
        pointer: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (pointer, expected) = (pointer.into(), expected.into());
        Self { pointer, expected, found: found.into(), hint: hint.into(), undecodable: false }
    }

    /// The same mismatch; its cause is that the value does not decode.
    pub(crate) fn undecodable(self) -> Self {
        Self { undecodable: true, ..self }
    }

    pub(crate) fn finding(self, check: &'static str, file: String) -> Finding {
        let message = format!("expected {}, found {}", self.expected, self.found);
        Finding::new(Severity::Error, check, file, message).at(self.pointer).with_hint(self.hint)
    }
}

// Known failures, each with its reason.

/// The known failures of a file, each with its reason.
///
/// The file is TOML, with a table for each failure. An entry that nothing fails for is an error.
///
/// ```
/// use k8s_versioned_conformance::KnownFailures;
///
/// let known = KnownFailures::parse(
///     r#"
///     [[failure]]
///     check = "schema"           # The name of the check.
///     release = "v1.31"          # Every release, if absent.
///     set = "widgets"            # The folder of the recording.
///     name = "get"               # The `name` in the recording.
///     pointer = "/response/json" # This place and everything below it; the whole recording, if absent.
///     reason = "The document requires a field that the server leaves out."
///     "#,
/// )?;
/// assert_eq!(known.entries().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailures {
    #[serde(default, rename = "failure")]
    entries: Vec<KnownFailure>,
}

/// A known failure. A case has the same name in every release, so one entry can cover all.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct KnownFailure {
    /// The name of the check.
    pub check: String,
    /// The release; all if absent.
    pub release: Option<Release>,
    /// The name of the set.
    pub set: String,
    /// The name of the recording.
    pub name: String,
    /// The place that fails, as a JSON pointer. It also covers everything below.
    #[serde(default)]
    pub pointer: String,
    /// The reason why it fails, and why that is expected.
    pub reason: String,
}

impl KnownFailures {
    /// Reads a file of known failures.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not TOML, or an entry lacks a member, such as its reason.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, KnownFailuresError> {
        let path = path.as_ref();
        let file = |reason| KnownFailuresError::File { path: path.to_owned(), reason };
        let text = read_text(path).map_err(file)?;
        let syntax = |reason: toml::de::Error| {
            let (path, reason) = (path.to_owned(), Box::new(reason));
            KnownFailuresError::Syntax { path, reason }
        };
        Self::parse(&text).map_err(syntax)
    }

    /// Reads known failures from a text.
    ///
    /// # Errors
    ///
    /// The text is not TOML, or an entry lacks a member, such as its reason.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let known: Self = toml::from_str(text)?;
        let silent = |entry: &&KnownFailure| entry.reason.trim().is_empty();
        match known.entries.iter().find(silent) {
            Some(entry) => Err(serde::de::Error::custom(format_args!(
                "the failure of `{}` in {entry} has no reason",
                entry.check
            ))),
            None => Ok(known),
        }
    }

    /// Returns the known failures, in the order of the file.
    pub fn entries(&self) -> &[KnownFailure] {
        &self.entries
    }
}

impl KnownFailure {
    /// Returns `true` if the entry is about this mismatch.
    pub(crate) fn covers(&self, check: &str, recording: &Recording, mismatch: &Mismatch) -> bool {
        self.check == check && self.names(recording) && is_in(&mismatch.pointer, &self.pointer)
    }

    /// Returns `true` if the entry is about this recording.
    fn names(&self, recording: &Recording) -> bool {
        self.set == recording.path.set
            && self.name == recording.name
            && self.release.is_none_or(|release| release == recording.path.release)
    }
}

/// Writes the set and the name, and the release if it names one.
impl fmt::Display for KnownFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.set, self.name)?;
        self.release.map_or(Ok(()), |release| write!(f, " in {release}"))
    }
}

/// A file of known failures that cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KnownFailuresError {
    /// The file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of reading the file.
        #[source]
        reason: ReadError,
    },
    /// The file is not a list of known failures.
    #[error("{}: {reason}", path.display())]
    Syntax {
        /// The path of the file.
        path: PathBuf,
        /// The reason and its place.
        #[source]
        reason: Box<toml::de::Error>,
    },
}
