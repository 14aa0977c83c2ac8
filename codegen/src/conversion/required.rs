//! The fields that servers of a version require.

use super::plan::FieldRef;
use super::structs::{Structs, field_ref, shown};
use crate::Problems;
use crate::plan::{Field, RustType, Struct};
use crate::problem::{Cause, ConversionCause, RuleCause};
use crate::rules::KindRule;

/// The required fields of a version, as the documents have them, changed by the rules.
pub(super) fn of_version(
    rule: &KindRule,
    version: &str,
    object: &Struct,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Vec<FieldRef> {
    let mut required = stated(object, structs);
    for (rule, path) in
        rule.required.iter().filter_map(|rule| Some((rule, rule.names.get(version)?)))
    {
        let found = structs.find(object, &path.value);
        let position = required.iter().position(|field| Some(field) == found.as_ref());
        let cause: Cause = match (found, position) {
            (None, _) => RuleCause::MatchesNothing(format!("{version} {}", path.value)).into(),
            (Some(_), Some(position)) if !rule.required => {
                required.remove(position);
                continue;
            }
            (Some(field), None) if rule.required => {
                let Some(why) = why_not_required(&field) else {
                    required.push(field);
                    continue;
                };
                let rule = "required".to_owned();
                ConversionCause::RuleDoesNotFit { rule, why }.into()
            }
            (Some(field), _) => {
                RuleCause::WithoutEffect(field.path, "the documents say so already").into()
            }
        };
        problems.push(&path.place, cause);
    }
    required
}

/// The required fields of an object and of its parts that can be empty.
fn stated(object: &Struct, structs: &Structs<'_>) -> Vec<FieldRef> {
    let of = |of: &Struct, prefix: &[&Field]| -> Vec<FieldRef> {
        let names = of.of.required_now().into_iter();
        let fields = names.filter_map(|name| of.fields.iter().find(|field| field.wire == name));
        let fields = fields.map(|field| field_ref(of, prefix, field));
        fields.filter(|field| why_not_required(field).is_none()).collect()
    };
    let mut required = of(object, &[]);
    for field in &object.fields {
        if let RustType::Struct(path) = &field.rust_type
            && let Some(part) = structs.get(path).filter(|part| !part.shared())
        {
            required.extend(of(part, &[field]));
        }
    }
    required
}

fn why_not_required(field: &FieldRef) -> Option<String> {
    if !can_be_empty(&field.rust_type) {
        let found = shown(&field.rust_type);
        Some(format!("`{}` is `{found}`, which is never empty", field.path))
    } else if field.idents.len() > 2 {
        Some("only fields of an object and of its parts can be required".to_owned())
    } else {
        None
    }
}

fn can_be_empty(rust_type: &RustType) -> bool {
    matches!(
        rust_type,
        RustType::String
            | RustType::Vocabulary(_)
            | RustType::List(_)
            | RustType::Map(_)
            | RustType::Option(_)
    )
}
