#![doc = include_str!("../README.md")]

mod answer;
pub mod cel;
pub mod definition;
mod duration;
mod facts;
mod field_path;
pub mod formats;
mod go;
mod ip;
mod metadata;
mod path;
pub mod regex;
mod request;
mod schema;
mod time;
mod url;
mod values;

pub use answer::{NotJudged, Reason, RefusalCause, RefusedObject, ServerAnswer};
pub use definition::Definition;
pub use facts::{Beginning, FACTS, Fact, NEWEST, OLDEST, Since};
pub use request::{Admit, AdmitError, FieldValidation, WriteRequest};
pub use schema::{Schema, SchemaError};
