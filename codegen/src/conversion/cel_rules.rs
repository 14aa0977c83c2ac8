//! The CEL rules of a field, for values that a rule states or a conversion makes up.

use k8s_versioned_admission::{NEWEST, RuleOutcome, RuleScope, Rules};
use serde_json::{Value as Json, json};

use crate::plan::{RustType, code};
use crate::spec::Facts;

/// The keyword with the rules of a value.
const RULES: &str = "x-kubernetes-validations";

/// The rule that a value of this type violates. Values of types that a rule cannot state are not judged, nor are rules about an earlier
/// value.
pub(super) fn violated(value: &Json, rust_type: &RustType, facts: &Facts) -> Option<String> {
    let stated = facts.get(RULES)?;
    let mut schema = schema(rust_type.present())?;
    let members = schema.as_object_mut()?;
    members.insert(RULES.to_owned(), stated.clone());
    members.extend(facts.get("format").map(|format| ("format".to_owned(), format.clone())));
    let scope = RuleScope { release: NEWEST, is_root: false };
    let (rules, _) = Rules::compile_each(&schema, scope);
    rules.judge(value, None).into_iter().find_map(|outcome| match outcome {
        RuleOutcome::Violated(violation) => {
            let rule = stated.get(violation.rule)?.get("rule")?.as_str()?;
            Some(code(&format!("rule: {rule}")))
        }
        RuleOutcome::NotJudged { .. } => None,
    })
}

/// The schema of a type; `None` if a rule states no value of the type.
fn schema(rust_type: &RustType) -> Option<Json> {
    Some(match rust_type {
        RustType::String | RustType::OpenEnum(_) => json!({"type": "string"}),
        RustType::Bool => json!({"type": "boolean"}),
        RustType::I32 | RustType::I64 => json!({"type": "integer"}),
        RustType::F64 => json!({"type": "number"}),
        RustType::List(item) => json!({"type": "array", "items": schema(item.present())?}),
        RustType::Map(value) => {
            json!({"type": "object", "additionalProperties": schema(value.present())?})
        }
        _ => return None,
    })
}
