//! `intrinsics.toml`: schemas that hand-written types replace.

use serde::Deserialize;

use crate::input::toml_file::{Layers, Placed, RuleFile, optional};
use crate::problem::RuleCause;
use crate::{Files, Problems};

/// A schema that a hand-written type replaces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Intrinsic {
    /// The full name of the schema.
    pub(crate) schema: Placed<Self>,
    /// The Rust path of the type; none for a schema that is only the body of a request or response.
    #[serde(rename = "type")]
    pub(crate) rust_type: Option<Placed<Self>>,
    /// Whether the type has a default, which a required field needs.
    #[serde(default)]
    pub(crate) default: bool,
}

impl RuleFile for Intrinsic {
    const PATH: &'static str = "intrinsics.toml";
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct IntrinsicsFile {
    #[serde(default)]
    intrinsic: Layers<Intrinsic>,
}

pub(super) fn read(specs: &Files) -> Result<Layers<Intrinsic>, Problems> {
    let file: IntrinsicsFile = optional(specs, Intrinsic::PATH)?;
    let mut problems = Problems::new();
    let paths = file.intrinsic.iter().filter_map(|intrinsic| intrinsic.rust_type.as_ref());
    for path in paths.filter(|path| !is_path(&path.value)) {
        problems.push(&path.place, RuleCause::NotAPath(path.value.clone()));
    }
    problems.or(file.intrinsic)
}

/// Returns `true` if this is the path of a type in another crate.
fn is_path(text: &str) -> bool {
    text.contains("::") && text.split("::").all(|part| syn::parse_str::<syn::Ident>(part).is_ok())
}
