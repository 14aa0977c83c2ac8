//! `units`: an amount in another unit, such as a duration as text and as a number of seconds.

use k8s_versioned_core::nearest::nearest;

use crate::Problems;
use crate::conversion::actions::{Action, Aside, FinestUnit, Units};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::{Structs, has_no};
use crate::plan::RustType;
use crate::problem::RuleFault;

const UNITS: RuleKey = RuleKey {
    name: "units",
    meaning: "the unit of each version: `duration`, a text such as `1m30s`, or `milliseconds`, `seconds`, `minutes`, `hours` or `days`; \
              or `quantity`, or `ones`, `kilobytes`, `megabytes`, `gigabytes`, `kibibytes`, `mebibytes` or `gibibytes`",
    shape: Shape::Values,
    required: true,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "units",
    meaning: "A duration or a quantity has another unit, or is a whole number of units; the exact amount is kept aside.",
    takes: "`units` takes durations or quantities as texts, quantities, and integers, each optional or required; `units` has the \
            unit of each version, which is the same in versions of one type; versions can lack the field",
    keys: &[UNITS],
    example: r#"rule = "units"
names = { v1beta1 = "spec.timeout", v1 = "spec.timeoutSeconds" }
units = { v1beta1 = "duration", v1 = "seconds" }
reason = "A text in v1beta1, whole seconds in v1.""#,
    step,
    is_complete: |rule, (version, _): (&str, &FieldRef)| is_finest(rule, version),
    unmatched: Some(unmatched),
    changes: |rule, from, to| {
        unit(rule, from).map(|unit| unit.name) != unit(rule, to).map(|unit| unit.name)
    },
    moves: true,
    ..RuleKind::NONE
};

/// A unit of an amount in a text or a number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Unit {
    name: &'static str,
    /// What it measures: durations have nanoseconds as the smallest amount, quantities 10⁻⁹.
    of: Measure,
    /// How many of the smallest amount it is, with the smallest numbers for texts.
    size: i128,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Duration,
    Quantity,
}

const fn duration(name: &'static str, size: i128) -> Unit {
    Unit { name, of: Measure::Duration, size }
}

const fn quantity(name: &'static str, size: i128) -> Unit {
    Unit { name, of: Measure::Quantity, size }
}

/// The units, of which the first of each measure is a text.
const ALL: [Unit; 14] = [
    duration("duration", 1),
    duration("milliseconds", 1_000_000),
    duration("seconds", 1_000_000_000),
    duration("minutes", 60_000_000_000),
    duration("hours", 3_600_000_000_000),
    duration("days", 86_400_000_000_000),
    quantity("quantity", 1),
    quantity("ones", 1_000_000_000),
    quantity("kilobytes", 1_000_000_000_000),
    quantity("kibibytes", 1_024_000_000_000),
    quantity("megabytes", 1_000_000_000_000_000),
    quantity("mebibytes", 1_048_576_000_000_000),
    quantity("gigabytes", 1_000_000_000_000_000_000),
    quantity("gibibytes", 1_073_741_824_000_000_000),
];

impl Unit {
    /// Whether values of a type can be in this unit.
    fn takes(self, rust_type: &RustType) -> bool {
        let is_external =
            |name: &str| matches!(rust_type, RustType::External(path, _) if path.name == name);
        match self.name {
            "duration" => *rust_type == RustType::String || is_external("Duration"),
            "quantity" => {
                *rust_type == RustType::String
                    || is_external("Quantity")
                    || is_external("IntOrString")
            }
            _ => matches!(rust_type, RustType::I32 | RustType::I64),
        }
    }
}

fn unit(rule: &Rule<'_>, version: &str) -> Option<Unit> {
    let name = rule.table(UNITS.name)?.get(version)?.as_str()?;
    ALL.into_iter().find(|unit| unit.name == name)
}

/// Returns `true` if no version has a finer unit.
fn is_finest(rule: &Rule<'_>, version: &str) -> bool {
    let rank =
        |(version, field): (&str, &FieldRef)| Some((unit(rule, version)?.size, is_narrow(field)));
    let own = rule.in_version(version).and_then(|field| rank((version, field)));
    let all = rule.found.iter().filter_map(|(version, field)| rank((*version, field)));
    own.is_some() && own == all.min()
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let rule = between.rule;
    if let Err(fault) = check(rule) {
        rule.report_fault(fault, problems);
        return None;
    }
    let ((from_field, from, _), (to_field, to)) = (between.from, between.to);
    let (source, target) = (unit(rule, from)?, unit(rule, to)?);
    let holds_all = source == target && is_narrow(from_field) == is_narrow(to_field)
        || (target.size, is_narrow(to_field)) < (source.size, is_narrow(from_field))
            && greatest(source, from_field) <= greatest(target, to_field);
    let alike = |version: &str, field: &FieldRef| {
        rule.paths_in(&|other, found| {
            unit(rule, other) == unit(rule, version) && is_narrow(found) == is_narrow(field)
        })
    };
    let (keep, restore) = (alike(from, from_field), alike(to, to_field));
    let is_same =
        source == target && from_field.rust_type.present() == to_field.rust_type.present();
    let through = through(rule, (from, to)).filter(|_| !is_same);
    let keeps = !holds_all || through.is_some();
    let (names, around) = ((source.name, target.name), rule.paths());
    let action = Action::Units(Units {
        names,
        keep,
        restore,
        around,
        is_same,
        holds_all,
        through,
        aside: None,
    });
    Some(if keeps { RuleStep::keeps(action) } else { RuleStep::restores(action) })
}

/// The steps for a version that lacks the field: it is kept in the finest unit.
fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    _: &Structs<'_>,
    problems: &mut Problems,
) -> Option<[RuleStep; 2]> {
    if let Err(fault) = check(rule) {
        rule.report_fault(fault, problems);
        return None;
    }
    let (version, _) = rule.found.iter().find(|(_, found)| found == field)?;
    let (own, finest) = (unit(rule, version)?, finest(rule)?);
    let is_same = own.name == finest.unit && *field.rust_type.present() == finest.rust_type;
    let is_alike = |other: &str, found: &FieldRef| {
        unit(rule, other).map(|unit| unit.name) == Some(own.name)
            && is_narrow(found) == is_narrow(field)
    };
    let (own_places, places) = (rule.paths_in(&is_alike), finest.places.clone());
    let step = |names, keep, restore, aside| {
        let (around, through) = (rule.paths(), Some(finest.clone()));
        let (holds_all, aside) = (false, Some(aside));
        Action::Units(Units { names, keep, restore, around, is_same, holds_all, through, aside })
    };
    let there = step((own.name, finest.unit), own_places.clone(), places.clone(), Aside::Keep);
    let back = step((finest.unit, own.name), places, own_places, Aside::Restore);
    // A value that the unit cannot hold stays aside.
    let back = if is_same { RuleStep::restores(back) } else { RuleStep::keeps(back) };
    Some([RuleStep::keeps(there), back])
}

/// The finest unit, if it is neither of these versions.
fn through(rule: &Rule<'_>, (from, to): (&str, &str)) -> Option<FinestUnit> {
    let finest = finest(rule)?;
    let is_one = |(version, _): &(String, _)| version == from || version == to;
    (!finest.places.iter().any(is_one)).then_some(finest)
}

/// The finest unit, and the versions that have it.
fn finest(rule: &Rule<'_>) -> Option<FinestUnit> {
    let places = rule.places();
    let (lowest, _) = places.first()?;
    let rust_type = rule.in_version(lowest)?.rust_type.present().clone();
    Some(FinestUnit { unit: unit(rule, lowest)?.name, rust_type, places })
}

fn is_narrow(field: &FieldRef) -> bool {
    *field.rust_type.present() == RustType::I32
}

/// The greatest amount of a field. A text has 64 bits, of nanoseconds or of whole units.
fn greatest(unit: Unit, field: &FieldRef) -> i128 {
    let most = if is_narrow(field) { i128::from(i32::MAX) } else { i128::from(i64::MAX) };
    let is_quantity = unit.name == "quantity";
    most * if is_quantity { 1_000_000_000 } else { unit.size }
}

/// Checks that the units fit to the fields.
fn check(rule: &Rule<'_>) -> Result<(), RuleFault> {
    let (units, names) = (rule.table(UNITS.name).into_iter().flatten(), &rule.stated.names);
    let versions: Vec<String> = units.map(|(version, _)| version.clone()).collect();
    if !versions.iter().eq(names.keys()) {
        let names = names.keys().cloned().collect();
        return Err(RuleFault::OtherVersions { key: UNITS.name, versions, names });
    }
    let mut measures = Vec::new();
    for (version, field) in &rule.found {
        let Some(unit) = unit(rule, version) else { return Err(no_such_unit(rule, version)) };
        if !unit.takes(field.rust_type.present()) {
            return Err(has_no((version, field), unit.name));
        }
        measures.push(unit.of);
    }
    if measures.windows(2).any(|pair| matches!(pair, [one, other] if one != other)) {
        return Err(RuleFault::MeasuresDiffer);
    }
    Ok(())
}

/// The fault of a rule whose unit of a version is none.
fn no_such_unit(rule: &Rule<'_>, version: &str) -> RuleFault {
    let stated = rule.table(UNITS.name).and_then(|units| units.get(version)?.as_str());
    let known: Vec<&str> = ALL.iter().map(|unit| unit.name).collect();
    let near = stated.and_then(|name| nearest(name, known.iter().copied())).map(str::to_owned);
    RuleFault::NoSuchUnit { version: version.to_owned(), near, known }
}

pub(super) fn text(step: &Units) -> (String, &'static str) {
    let (from, to) = step.names;
    match step.aside {
        Some(Aside::Keep) => {
            return ("has no counterpart".to_owned(), "kept in an annotation, unless it is absent");
        }
        Some(Aside::Restore) => return (format!("the kept {from} as {to}, else empty"), "filled"),
        None => {}
    }
    let loss = if step.holds_all {
        "lossless"
    } else {
        "kept in an annotation, unless the value alone restores it"
    };
    (format!("the kept {to} if this is its amount, else the {from} as {to}"), loss)
}
