//! Mistakes in the input, and their messages.

mod cause;
mod place;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::text::join;

pub use cause::Explanation;
pub(crate) use cause::{
    AdoptFault, Cause, ConversionCause, CrdCause, DocumentCause, FileCause, FoundType, KeyOwner,
    ManifestCause, ModelCause, NamedRule, NoEffect, PlanCause, Remedy, RequiredFault, RuleCause,
    RuleFault, StatedBy, Undescribed, VerbFault, WordsInstead, found_types,
};
pub use place::Place;

/// One problem and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Problem {
    /// Where the problem is.
    pub place: Place,
    /// The cause. Its `Display` is what was found.
    pub(crate) cause: Cause,
    /// The version of a kind that has the problem in its schema: a package can do without it.
    pub version: Option<KindVersion>,
}

/// A version of a kind, as the rule `[[leave-out]]` names it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KindVersion {
    /// The kind.
    pub kind: String,
    /// The name of the version.
    pub version: String,
}

impl Problem {
    /// The identifier of its cause, such as `name-clash`. It never changes its meaning.
    pub fn id(&self) -> &'static str {
        self.cause.id()
    }

    /// What was found.
    pub fn message(&self) -> String {
        self.cause.to_string()
    }

    /// The values that are understood in this place.
    pub fn understood(&self) -> Option<String> {
        self.cause.understood()
    }

    /// Returns `true` if the files are generated all the same.
    pub fn is_warning(&self) -> bool {
        self.cause.is_warning()
    }

    /// How to solve the problem, or how to do without the version that has it.
    pub fn hint(&self) -> String {
        const RULE: &str = "[[leave-out]]";
        let hint = self.cause.hint();
        match &self.version {
            Some(KindVersion { kind, version }) if !self.cause.leaves_out() => format!(
                "{hint}; or leave the version out: `{RULE}` with `kind = {kind:?}` and `version = {version:?}` in `specs/group.toml`"
            ),
            _ => hint.to_owned(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  at {}", self.cause, self.place)?;
        if let Some(understood) = self.cause.understood() {
            write!(f, "\n  understood: {understood}")?;
        }
        write!(f, "\n  hint: {}", self.hint())
    }
}

/// The number of problems that are shown of one file. A file with more is probably the wrong file.
pub(crate) const SHOWN: usize = 100;

/// All problems, in a stable order: by file, then by place in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// No problems.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub(crate) fn push(&mut self, place: &Place, cause: impl Into<Cause>) {
        self.0.push(Problem { place: place.clone(), cause: cause.into(), version: None });
    }

    /// One problem.
    pub(crate) fn one(place: Place, cause: impl Into<Cause>) -> Self {
        Self(vec![Problem { place, cause: cause.into(), version: None }])
    }

    /// Adds all of `others`.
    pub(crate) fn append(&mut self, others: Problems) {
        self.0.extend(others.0);
    }

    /// Adds to each problem the version of a kind in whose schema it is: the schemas by their places.
    pub(crate) fn name_versions(&mut self, schemas: &[(Place, KindVersion)]) {
        for problem in &mut self.0 {
            let is_around = |(schema, _): &&(Place, KindVersion)| schema.is_around(&problem.place);
            let version = schemas.iter().find(is_around).map(|(_, version)| version.clone());
            problem.version = problem.version.take().or(version);
        }
    }

    /// The problems with other places, where there are some.
    pub(crate) fn moved(mut self, place: impl Fn(&Place) -> Option<Place>) -> Self {
        for Problem { place: at, cause, .. } in &mut self.0 {
            *at = place(at).unwrap_or_else(|| at.clone());
            if let Cause::Model(
                ModelCause::Changed { earlier, .. } | ModelCause::OperationChanged { earlier, .. },
            ) = cause
            {
                *earlier = place(earlier).unwrap_or_else(|| earlier.clone());
            }
        }
        self.sorted()
    }

    /// The problems that make a package useless, although its code is correct: the command `generate` refuses them.
    #[doc(hidden)]
    #[must_use]
    pub fn of_no_use(&self) -> Self {
        let is_of_no_use = |problem: &&Problem| {
            matches!(problem.cause, Cause::Conversion(ConversionCause::EveryObjectRejected { .. }))
        };
        Self(self.0.iter().filter(is_of_no_use).cloned().collect())
    }

    /// The value of a result, or else its problems added to these.
    pub(crate) fn keep<T>(&mut self, result: Result<T, impl Into<Problems>>) -> Option<T> {
        result.map_err(|problems| self.append(problems.into())).ok()
    }

    /// The first [`SHOWN`] of each file, and the number of the others. The problems must be sorted.
    #[doc(hidden)]
    #[must_use]
    pub fn shorten(self) -> Self {
        let mut shown = Self::new();
        for of_file in self.0.chunk_by(|a, b| a.place.file == b.place.file) {
            let (first, others) = of_file.split_at(of_file.len().min(SHOWN));
            shown.0.extend_from_slice(first);
            match others {
                [] => {}
                // They were shortened before.
                [Problem { cause: Cause::File(FileCause::More(_)), .. }] => {
                    shown.0.extend_from_slice(others);
                }
                [next, ..] => {
                    let file = Place::file(Arc::clone(&next.place.file));
                    shown.push(&file, FileCause::More(others.len()));
                }
            }
        }
        shown
    }

    /// `value` if there are no problems, else the problems, sorted and without duplicates.
    ///
    /// # Errors
    /// These problems.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self.sorted()) }
    }

    fn sorted(mut self) -> Self {
        self.0.sort_by(|a, b| {
            let by_place = a.place.order().cmp(&b.place.order());
            by_place.then_with(|| a.cause.to_string().cmp(&b.cause.to_string()))
        });
        self.0.dedup();
        self
    }
}

impl From<k8s_versioned_source::Errors> for Problems {
    fn from(errors: k8s_versioned_source::Errors) -> Self {
        let problem = |error: k8s_versioned_source::Error| {
            let k8s_versioned_source::Error { file, span, pointer, cause, .. } = error;
            let place = Place { file, pointer, span: Some(span) };
            Problem { place, cause: cause.into(), version: None }
        };
        Self(errors.0.into_iter().map(problem).collect())
    }
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join(&self.0, "\n\n"))
    }
}
