//! Recordings: requests to real Kubernetes API servers, and the responses.
//!
//! A recording is one JSON file in a folder of this layout:
//!
//! ```text
//! <release>/<group>/<version>/<set>/<file>.json
//! ```
//!
//! The file holds an [`Exchange`] (a request and its response) or a [`Scenario`] (objects that belong together). Its `name`
//! identifies the case, and is the same in every release.
//!
//! [`Recordings::load`] reads a folder; [`Sets::write`] adds a file to the folder of a set.

mod exchange;
mod folder;
mod path;
mod recording;
mod sets;
mod text;

pub use exchange::{Exchange, RecordedBody, RecordedEvent, RecordedRequest, RecordedResponse};
pub use folder::{KNOWN_FAILURES_FILE, LoadError, Recordings, Rejected};
pub use path::{RecordingPath, is_folder_name};
pub use recording::{
    Recording, RecordingContent, RejectReason, Scenario, Subject, SubjectBody, SubjectKind,
};
pub use sets::{Sets, is_case_name};
pub use text::{ReadError, SIZE_LIMIT, read_text};
