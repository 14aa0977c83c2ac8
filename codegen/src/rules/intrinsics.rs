//! `intrinsics.toml`: schemas that stand for hand-written types.

use serde::Deserialize;

use super::toml_file::{Text, optional, place};
use crate::problem::{Cause, Place};
use crate::{Files, Problems};

const FILE: &str = "intrinsics.toml";

/// A schema that stands for a hand-written type.
#[derive(Clone, Debug)]
pub struct Intrinsic {
    /// Where the rule stands.
    pub place: Place,
    /// The full name of the schema.
    pub schema: String,
    /// The Rust path of the type; none for a schema that is only ever the body of a request.
    pub rust_type: Option<String>,
    /// Whether the type has a default, which a required field needs.
    pub default: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    intrinsic: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    schema: Text,
    r#type: Option<Text>,
    #[serde(default)]
    default: bool,
}

pub(super) fn read(specs: &Files) -> Result<Vec<Intrinsic>, Problems> {
    let file: File = optional(specs, FILE)?;
    let mut problems = Problems::new();
    let intrinsics = file.intrinsic.into_iter().map(|entry| {
        if let Some(path) = &entry.r#type
            && !is_path(path.get_ref())
        {
            problems.push(place(FILE, path), Cause::NotAPath(path.get_ref().clone()));
        }
        Intrinsic {
            place: place(FILE, &entry.schema),
            schema: entry.schema.into_inner(),
            rust_type: entry.r#type.map(Text::into_inner),
            default: entry.default,
        }
    });
    let intrinsics = intrinsics.collect();
    problems.or(intrinsics)
}

/// Whether this is the path of a type in another crate.
fn is_path(text: &str) -> bool {
    text.contains("::") && text.split("::").all(|part| syn::parse_str::<syn::Ident>(part).is_ok())
}
