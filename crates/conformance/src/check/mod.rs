//! Checks: what is asked of every recording.

mod answer;
mod decode;
mod rebuild;
mod request;
mod response;
mod round_trip;
#[cfg(feature = "jsonschema")]
mod schema;
mod yaml;

use crate::outcome::Finding;
use crate::recording::{Recording, Recordings, Subject};

pub use answer::Answer;
pub use decode::Decode;
pub use request::Request;
pub use response::Response;
pub use round_trip::RoundTrip;
#[cfg(feature = "jsonschema")]
pub use schema::Schema;
pub use yaml::Yaml;

/// Something that is asked of every recording.
///
/// The kit brings general checks. Other crates add theirs with [`Suite::with`](crate::Suite::with): about
/// conversions between versions, about the requests that a client builds, about validation, about whatever
/// their scenarios show.
///
/// ```
/// use k8s_versioned_conformance::{Check, Finding, Recording, Recordings};
///
/// /// Servers name the object in the message of a refusal.
/// struct Messages;
///
/// impl Check for Messages {
///     fn name(&self) -> &'static str {
///         "messages"
///     }
///
///     fn about(&self) -> &'static str {
///         "a refusal says why"
///     }
///
///     fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
///         match recording.exchange() {
///             Some(exchange) if exchange.response.status == 422 => vec![Finding::passed("/response")],
///             _ => vec![Finding::not_applicable("", "not a refusal")],
///         }
///     }
/// }
/// ```
pub trait Check {
    /// The name in reports, on the command line and in the file of known failures.
    fn name(&self) -> &'static str;

    /// The rule that the check enforces, in a few words that complete "that …".
    fn about(&self) -> &'static str;

    /// Looks at one recording, if need be in the light of the others.
    ///
    /// A check never passes silently: there is at least one finding, and where the check does not apply, it
    /// says why.
    fn check(&self, recording: &Recording, all: &Recordings) -> Vec<Finding>;
}

/// The findings of a check on each body.
fn each_body(recording: &Recording, examine: impl FnMut(&Subject<'_>) -> Finding) -> Vec<Finding> {
    let subjects = recording.subjects();
    if subjects.is_empty() {
        return vec![Finding::not_applicable("", "no body")];
    }
    subjects.iter().map(examine).collect()
}
