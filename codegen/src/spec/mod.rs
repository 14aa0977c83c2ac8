//! OpenAPI documents as data: what they state about types and operations.

mod document;
mod keywords;
mod name;
mod operation;
mod types;

pub(crate) use document::{Document, Source};
pub(crate) use keywords::{
    FACTS, KEEPS_UNKNOWN, Nested, REFERENCE, TYPES, flag, is_int_or_string, is_shared, walk,
};
pub(crate) use name::DocumentName;
pub(crate) use name::{own_name, quoted_key, shown, split_inline, split_version, version_of};
pub(crate) use operation::{Action, Body, Location, Operation, Parameter, ParameterKey};
pub(crate) use operation::{MEDIA_TYPES, PARAMETER_TYPES, parameter_type};
pub use types::GroupVersionKind;
pub(crate) use types::{
    Dialect, Facts, Items, Property, Releases, Type, TypeBody, ValueType, Width,
};
pub(crate) use types::{
    LIST_MAP_KEYS, MERGE, is_empty_object, is_zero, list_map_keys, merge_text, unite_words,
};
