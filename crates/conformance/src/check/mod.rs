//! Checks: what is asked of every recording.
//!
//! Each function makes one of the checks that the kit brings.

mod answer;
mod decode;
mod rebuild;
mod request;
mod response;
mod round_trip;
#[cfg(feature = "jsonschema")]
mod schema;
mod yaml;

use crate::outcome::{Examined, Finding, Mismatch};
use crate::recording::{Exchange, Recording, Recordings, Subject};
use crate::report::About;

pub use answer::answer;
pub use decode::decode;
pub use request::request;
pub use response::response;
pub use round_trip::round_trip;
#[cfg(feature = "jsonschema")]
pub use schema::schema;
pub use yaml::yaml;

/// Something that is asked of every recording.
///
/// The kit brings general checks. Other crates add theirs with [`Suite::with`](crate::Suite::with): about
/// conversions between versions, about the requests that a client builds, about validation, about whatever
/// their scenarios show.
///
/// ```
/// use k8s_versioned_conformance::Check;
///
/// // Servers name the object in the message of a refusal.
/// let messages = Check::of_exchanges("messages", "a refusal says why", |_, exchange| {
///     match exchange.response.status {
///         422 => Ok(Vec::new()),
///         _ => Err("not a refusal".into()),
///     }
/// });
/// ```
pub struct Check<'a> {
    pub(crate) about: About,
    examine: Box<Examine<'a>>,
}

type Examine<'a> = dyn Fn(&Recording, &Recordings) -> Vec<Finding> + 'a;

impl<'a> Check<'a> {
    /// A check of recordings, if need be in the light of the others.
    ///
    /// `name` is its name in reports, on the command line and in the file of known failures. `about` is the rule, in a few
    /// words that complete "that …".
    ///
    /// A check never passes silently: there is at least one finding, and where the check does not apply, it says why.
    pub fn new(
        name: &'static str,
        about: &'static str,
        examine: impl Fn(&Recording, &Recordings) -> Vec<Finding> + 'a,
    ) -> Self {
        Self { about: About { name, about }, examine: Box::new(examine) }
    }

    /// A check of each body.
    pub fn of_bodies(
        name: &'static str,
        about: &'static str,
        examine: impl Fn(&Recording, &Subject<'_>) -> Examined + 'a,
    ) -> Self {
        Self::new(name, about, move |recording, _| {
            let subjects = recording.subjects();
            if subjects.is_empty() {
                return vec![Finding::not_applicable("", "no body")];
            }
            let finding = |subject: &Subject<'_>| {
                Finding::new(subject.pointer.as_str(), examine(recording, subject))
            };
            subjects.iter().map(finding).collect()
        })
    }

    /// A check of each request with its response.
    pub fn of_exchanges(
        name: &'static str,
        about: &'static str,
        examine: impl Fn(&Recording, &Exchange) -> Examined + 'a,
    ) -> Self {
        Self::new(name, about, move |recording, _| {
            let exchange = recording.exchange().ok_or("not an exchange".into());
            vec![Finding::new("", exchange.and_then(|exchange| examine(recording, exchange)))]
        })
    }

    /// The findings on a recording. A check without findings has failed.
    pub(crate) fn findings(&self, recording: &Recording, all: &Recordings) -> Vec<Finding> {
        let findings = (self.examine)(recording, all);
        if !findings.is_empty() {
            return findings;
        }
        let advice = "the check must say why it does not apply";
        let mismatch = Mismatch::new("", "at least one finding", "none", advice);
        vec![Finding::new("", Ok(vec![mismatch]))]
    }
}
