#![doc = include_str!("../README.md")]

mod answer;
pub mod definition;
mod facts;
mod metadata;
mod meter;
mod path;
mod request;
mod schema;
mod values;
mod work;

pub use answer::{NotJudged, Reason, RefusalCause, RefusedObject, ServerAnswer, ServerWarning};
pub use definition::Definition;
pub use facts::{FACTS, ServerFact};
pub(crate) use k8s_cel::field_path;
pub(crate) use k8s_cel::values::{go, time, url};
#[doc(no_inline)]
pub use k8s_cel::{
    Beginning, Behaviour, NEWEST, OLDEST, RuleOutcome, RuleScope, Rules, Since, formats, regex,
};
pub use request::{Admit, AdmitError, FieldValidation, WriteRequest, is_from_server};
pub use schema::SchemaError;
