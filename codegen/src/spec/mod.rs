//! OpenAPI documents, read as a closed world: what is not understood is an error, never ignored.

mod document;
mod media;
mod name;
mod operation;
mod read;
mod read_operation;
mod read_schema;
mod schema;

pub use document::Document;
pub use media::MediaType;
pub use name::DocumentName;
pub use operation::{Action, Body, Location, Method, Operation, Parameter, ParameterType};
pub use read::{read, read_all};
pub use schema::{
    DefaultValue, GroupVersionKind, ListType, MapType, Merge, Property, Schema, SchemaBody, Value,
    Width,
};
