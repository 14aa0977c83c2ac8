#![doc = include_str!("../README.md")]

mod admit;
mod answer;
mod cause;
pub mod cel;
mod decode;
mod embedded;
mod facts;
pub mod formats;
mod go;
mod lists;
mod metadata;
mod path;
mod prune;
mod ratchet;
pub mod regex;
mod rules;
mod scale;
mod schema;
mod served;
mod stand_in;
mod time;

pub use admit::{FieldValidation, Request};
pub use answer::{Answer, NotJudged, Subject};
pub use cause::{Cause, Reason};
pub use facts::{FACTS, Fact, NEWEST, Since};
pub use schema::{Schema, SchemaError};
pub use served::Definition;
