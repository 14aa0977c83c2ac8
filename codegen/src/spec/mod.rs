//! OpenAPI documents, read as a closed world: a keyword or value that the reader does not know is an error.

mod name;
mod operation;
mod read;
mod read_operation;
mod read_schema;
mod types;

pub use name::DocumentName;
pub(crate) use name::{own_name, shown, split_inline, split_version, version_of};
pub(crate) use operation::parameter_type;
pub use operation::{Action, Body, Location, Operation, Parameter, ParameterKey};
pub(crate) use read::{CUSTOM_RESOURCES, read_with};
pub use read::{Document, Source, read, read_all};
pub(crate) use read_schema::{FACTS, REFERENCE, TYPES, is_shared};
pub use types::{
    Dialect, Facts, GroupVersionKind, Items, Property, Releases, Type, TypeBody, ValueType, Width,
};
pub(crate) use types::{MERGE, is_empty_object, is_zero, list_map_keys, merge_text, unite_words};
