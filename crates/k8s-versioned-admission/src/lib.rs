#![doc = include_str!("../README.md")]

mod admit;
mod answer;
mod cause;
pub mod cel;
mod check;
mod conflict;
mod decode;
pub mod definition;
mod duration;
mod embedded;
mod facts;
pub mod formats;
mod go;
mod lists;
mod metadata;
mod path;
mod prepare;
mod prune;
mod ratchet;
mod receive;
pub mod regex;
mod request;
mod rules;
mod scale;
mod schema;
mod served;
mod time;
mod typed;

pub use answer::{Answer, NotJudged, Subject};
pub use cause::{Cause, Reason};
pub use facts::{Beginning, FACTS, Fact, NEWEST, OLDEST, Since};
pub use request::{FieldValidation, Request};
pub use schema::{Schema, SchemaError};
pub use served::Definition;
pub use typed::{Admit, AdmitError};
