//! `keep-aside`: a field of one version without a counterpart in another.

use super::stated::misfit;
use super::{Applied, Argument, call};
use crate::Problems;
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::conversion::structs::Structs;
use crate::plan::code;

/// The step for a field that the target lacks, and the one for a field that the source lacks. A required `field` for which
/// no value is kept is reported.
pub(super) fn alone(field: &FieldRef) -> [Applied; 2] {
    let keep = Applied::keeps(
        call(("keep_aside", "keep"), [Argument::Borrowed]),
        "has no counterpart",
        if field.rust_type.is_option() {
            "kept in the annotation, unless it is absent"
        } else {
            "kept in the annotation, unless it is empty"
        },
    );
    let (function, how) = if field.required {
        ("restore_required", "the kept value, else empty, which is reported")
    } else {
        ("restore", "the kept value, else empty")
    };
    let restore = Applied::restores(call(("keep_aside", function), []), how);
    [keep, Applied { loss: "filled", ..restore }]
}

/// The steps of [`alone`] for a field that has this value if none is kept: a required one, or its default.
pub(super) fn filled(
    rule: &Rule<'_>,
    (field, fill): (&FieldRef, &toml::Value),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> [Applied; 2] {
    let fill = serde_json::to_value(fill).unwrap_or_default();
    if let Some(why) = unfillable(&fill, field).or_else(|| misfit("fill", &fill, field, structs)) {
        rule.report_misfit(why, problems);
    }
    let fill = fill.to_string();
    let how = format!("the kept value, else {}", code(&fill));
    let json = Argument::Json(fill);
    let keep = call(("keep_aside", "keep_unless"), [Argument::Borrowed, json.clone()]);
    let restore = call(("keep_aside", "restore_or"), [json]);
    let loss = "kept in the annotation, unless the conversion back fills in the same value";
    [
        Applied::keeps(keep, "has no counterpart", loss),
        Applied { loss: "filled", ..Applied::restores(restore, how) },
    ]
}

/// The reason why no value fills a field.
fn unfillable(fill: &serde_json::Value, field: &FieldRef) -> Option<String> {
    let fill = fill.to_string();
    let is_default = field.default.as_ref().is_some_and(|default| *default == fill);
    (!field.required && !is_default).then(|| {
        format!(
            "`fill` is only for required fields that have an empty value, and for the default of a field; {} can be absent or has none",
            code(&field.path)
        )
    })
}
