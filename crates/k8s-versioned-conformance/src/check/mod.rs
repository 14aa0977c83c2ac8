//! Checks of recordings.
//!
//! Each function returns one of the checks that the kit has.

mod admit;
mod answer;
mod convert;
mod decode;
mod rebuild;
mod request;
mod response;
mod round_trip;
#[cfg(feature = "jsonschema")]
mod schema;
mod twin;

use std::fmt;

use crate::examination::{Examination, Examined, Mismatch};
use crate::kinds;
use crate::recordings::{Exchange, Recording, Recordings, Subject};
use crate::suite_report::CheckInfo;

pub use admit::admit;
pub use answer::answer;
pub use convert::{Convertible, convert};
pub use decode::decode;
pub use request::request;
pub use response::response;
pub use round_trip::round_trip;
#[cfg(feature = "jsonschema")]
pub use schema::schema;
pub use twin::twin;

/// A check of recordings.
///
/// The kit has general checks. Other crates add theirs with [`Suite::with`](crate::Suite::with), for example about
/// conversions, validation or scenarios.
///
/// ```
/// use k8s_versioned_conformance::{Check, Mismatch};
///
/// let created = Check::of_exchanges("created", "a successful POST has the status 201", |_, exchange| {
///     let status = exchange.response.status;
///     match (exchange.request.method.as_str(), status) {
///         ("POST", 201) => Ok(Vec::new()),
///         ("POST", 200..300) => {
///             let hint = "did the server create the object?";
///             Ok(vec![Mismatch::new("/response/status", "201", status.to_string(), hint)])
///         }
///         _ => Err("not a successful POST".into()),
///     }
/// });
/// ```
pub struct Check<'a> {
    pub(crate) info: CheckInfo,
    examine: Box<Examine<'a>>,
}

type Examine<'a> = dyn Fn(&Recording, &Recordings) -> Vec<Examination> + 'a;

impl fmt::Debug for Check<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check").field("info", &self.info).finish_non_exhaustive()
    }
}

impl<'a> Check<'a> {
    /// A check of recordings. `examine` gets one recording, and all of them to compare with.
    ///
    /// `name` is its name in reports, on the command line and in the file of known failures. `rule` completes the
    /// sentence "The check asks that …".
    ///
    /// `examine` returns at least one finding. Where the check does not apply, the finding says why.
    pub fn new(
        name: &'static str,
        rule: &'static str,
        examine: impl Fn(&Recording, &Recordings) -> Vec<Examination> + 'a,
    ) -> Self {
        Self { info: CheckInfo { name, rule }, examine: Box::new(examine) }
    }

    /// A check of each body.
    pub fn of_bodies(
        name: &'static str,
        rule: &'static str,
        examine: impl Fn(&Recording, &Subject<'_>) -> Examined + 'a,
    ) -> Self {
        Self::new(name, rule, move |recording, _| {
            let subjects = kinds::subjects(recording);
            if subjects.is_empty() {
                return vec![Examination::not_applicable("", "no body")];
            }
            let finding = |subject: &Subject<'_>| {
                Examination::new(subject.pointer.as_str(), examine(recording, subject))
            };
            subjects.iter().map(finding).collect()
        })
    }

    /// A check of each request with its response.
    pub fn of_exchanges(
        name: &'static str,
        rule: &'static str,
        examine: impl Fn(&Recording, &Exchange) -> Examined + 'a,
    ) -> Self {
        Self::new(name, rule, move |recording, _| {
            let exchange = recording.exchange().ok_or("not an exchange".into());
            vec![Examination::new("", exchange.and_then(|exchange| examine(recording, exchange)))]
        })
    }

    /// The findings on a recording. A check without findings fails.
    pub(crate) fn findings(&self, recording: &Recording, all: &Recordings) -> Vec<Examination> {
        let findings = (self.examine)(recording, all);
        if !findings.is_empty() {
            return findings;
        }
        let hint = "the check must say why it does not apply";
        let mismatch = Mismatch::new("", "at least one finding", "none", hint);
        vec![Examination::new("", Ok(vec![mismatch]))]
    }
}
