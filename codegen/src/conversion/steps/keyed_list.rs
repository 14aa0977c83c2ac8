//! `keyed-list`: a map of objects in one version, in another a list of objects that have the key in a field.

use super::{Applied, Argument, Call, call};
use crate::Problems;
use crate::conversion::rules::Rule;
use crate::conversion::structs::{Structs, type_text};
use crate::plan::{Field, ItemPath, RustType};

/// The module of the functions.
const MODULE: &str = "keyed_list";

/// The structs of a map and of a list, and the step around the conversion of the one into the other; `None` for other types.
pub(in crate::conversion) fn fit<'t>(
    rule: &Rule<'_>,
    (from, to): (&'t RustType, &'t RustType),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<((&'t ItemPath, &'t ItemPath), Applied)> {
    let (source, target) = (object(from)?, object(to)?);
    let in_option = match (from.is_option(), to.is_option()) {
        (true, true) => true,
        (false, false) => false,
        _ => return None,
    };
    let mut key = |list: &ItemPath| {
        let field = key_of(rule, list, structs, problems)?;
        Some(Argument::Key(
            field.wire.clone(),
            Box::new(Argument::Field(list.clone(), field.ident.clone())),
        ))
    };
    let step = |function, key| {
        let mut call = call((MODULE, function), [Argument::Value, key]);
        call.arguments.extend([Argument::ConvertItem, Argument::Rest]);
        Call { in_option, ..call }
    };
    let applied = match (is_map(from), is_map(to)) {
        (true, false) => Applied::restores(
            step("list", key(target)?),
            "a list in the order of the kept list, then of the keys; each item by the fields below",
        ),
        (false, true) => Applied::keeps(
            step("map", key(source)?),
            "a map by the fields below; of several items with one key it has the first",
            "the order of the list is kept in the annotation, and the items that are not in the map",
        ),
        _ => return None,
    };
    Some(((source, target), applied))
}

/// The field of an item that has the key. Reports a rule that names none, or one that is not a text.
fn key_of<'a>(
    rule: &Rule<'_>,
    list: &ItemPath,
    structs: &Structs<'a>,
    problems: &mut Problems,
) -> Option<&'a Field> {
    let Some(name) = &rule.stated.field else {
        let why = "`field` names the field of the items that has the key";
        rule.report_misfit(why.to_owned(), problems);
        return None;
    };
    let of = structs.get(list)?;
    let field = of.fields.iter().find(|field| field.wire == name.value);
    let why = match field {
        Some(field) if *field.rust_type.present() == RustType::String => return Some(field),
        Some(field) => {
            format!("the key `{}` is `{}`, not a text", name.value, type_text(&field.rust_type))
        }
        None => {
            let of = type_text(&RustType::Struct(list.clone()));
            format!("the items of the list, `{of}`, have no field `{}`", name.value)
        }
    };
    rule.report_misfit(why, problems);
    None
}

/// Returns `true` for a step of [`fit`].
pub(in crate::conversion) fn is_step(applied: &Applied) -> bool {
    applied.call.function.0 == MODULE
}

pub(in crate::conversion) fn is_map(rust_type: &RustType) -> bool {
    matches!(rust_type.present(), RustType::Map(_))
}

/// The struct of the values of a map, or of the items of a list.
pub(in crate::conversion) fn object(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type.present() {
        RustType::List(item) | RustType::Map(item) => match &**item {
            RustType::Struct(path) => Some(path),
            _ => None,
        },
        _ => None,
    }
}
