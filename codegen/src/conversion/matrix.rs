//! The fields of a kind in all of its versions, as one table: where each value is, and by which rule.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::actions::Action;
use super::plan::{FieldRef, KindConversion, Mapping, Step, StructPair};
use super::rule::{Role, RuleKind};
use super::rule_step::Effect;
use super::steps::{nest, pattern};
use crate::plan::code;
use crate::text::in_cell;

/// The table of a kind as Markdown: a column for each version, a row for each field that is not the same in all of them.
pub(super) fn matrix(kind: &KindConversion) -> String {
    let rows: Vec<Row> = rows(kind).into_iter().filter(Row::differs).collect();
    if rows.is_empty() {
        return "All fields are the same in all versions.\n".to_owned();
    }
    let mut text = String::new();
    let versions = kind.versions.iter().map(|version| format!("| {} ", code(&version.name)));
    let _ = writeln!(text, "{}|", versions.collect::<String>());
    let _ = writeln!(text, "{}|", "|---".repeat(kind.versions.len()));
    for row in rows {
        let cells = row.cells.iter().map(|cell| format!("| {} ", in_cell(&cell.text())));
        let _ = writeln!(text, "{}|", cells.collect::<String>());
    }
    text + "\nAll other fields are the same in all versions.\n"
}

/// A field in all versions, lowest first.
struct Row {
    cells: Vec<Cell>,
}

/// Where a version has the value of a field.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    /// At this path; by a rule, if it has another form than in the first version that has it.
    Field(String, Option<&'static str>),
    /// In the fields of the object around it.
    Around,
    /// The key of the item around it.
    Key,
    /// In other members of the object around it.
    Others,
    /// In this annotation or label of the object, by a rule.
    Metadata(String, Option<&'static str>),
    /// In the annotation.
    Annotation(Option<&'static str>),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Self::Field(path, None) => code(path),
            Self::Field(path, Some(rule)) => format!("{}: {}", code(path), code(rule)),
            Self::Around => format!("its fields: {}", code(nest::RULE.name)),
            Self::Key => "the key of the map".to_owned(),
            Self::Others => format!("in other members: {}", code(pattern::RULE.name)),
            Self::Metadata(key, rule) => {
                format!("{key}: {}", code(rule.unwrap_or_default()))
            }
            Self::Annotation(None) => "in an annotation".to_owned(),
            Self::Annotation(Some(rule)) => {
                format!("in an annotation: {}", code(rule))
            }
        }
    }
}

impl Row {
    fn first(&self) -> Option<&str> {
        self.cells.iter().find_map(|cell| match cell {
            Cell::Field(path, _) => Some(path.as_str()),
            _ => None,
        })
    }

    fn differs(&self) -> bool {
        self.cells.iter().any(|cell| match cell {
            Cell::Field(path, rule) => rule.is_some() || Some(path.as_str()) != self.first(),
            _ => true,
        })
    }
}

/// Each field once, in the order of the lowest version that has it.
fn rows(kind: &KindConversion) -> Vec<Row> {
    let (mut rows, mut seen) = (Vec::new(), HashSet::new());
    for base in &kind.versions {
        let others = kind.versions.iter().filter(|other| other.name != base.name);
        let pairs = others.filter_map(|other| kind.pair(&base.name, &other.name));
        let pairs: Vec<(&str, Steps<'_>)> =
            pairs.map(|pair| (pair.to.as_str(), Steps::of(&pair.object))).collect();
        let Some((_, first)) = pairs.first() else { continue };
        let shown = first.all.iter().filter(|step| is_shown(step));
        for from in shown.filter_map(|step| step.from.as_ref()) {
            if seen.contains(&(base.name.as_str(), from.path.as_str())) {
                continue;
            }
            let mut cells = Vec::new();
            for version in &kind.versions {
                let steps = pairs.iter().find(|(to, _)| *to == version.name).map(|(_, pair)| pair);
                let (cell, to) = match steps {
                    None => (Cell::Field(from.path.to_string(), None), None),
                    Some(steps) => steps.located(from),
                };
                seen.extend(to.map(|to| (version.name.as_str(), to.path.as_str())));
                cells.push(cell);
            }
            rows.push(Row { cells });
        }
    }
    rows
}

/// The steps of a pair, each before the steps of the fields inside it, and by the path of the field in the source: the first step and
/// the last one.
struct Steps<'p> {
    all: Vec<&'p Step>,
    by_path: HashMap<&'p str, [&'p Step; 2]>,
}

impl<'p> Steps<'p> {
    fn of(pair: &'p StructPair) -> Self {
        let all = steps(pair);
        let mut by_path: HashMap<&str, [&Step; 2]> = HashMap::new();
        for step in &all {
            if let Some(from) = &step.from {
                by_path.entry(&from.path).or_insert([*step; 2])[1] = *step;
            }
        }
        Self { all, by_path }
    }

    /// Where the target has a field, and the field of the target that has only its value.
    fn located(&self, from: &FieldRef) -> (Cell, Option<&'p FieldRef>) {
        if let Some([step, _]) = self.by_path.get(from.path.as_str()) {
            return (cell(step, from), step.to.as_ref());
        }
        let mut around = from.path.around().into_iter().filter_map(|outer| {
            let [_, step] = self.by_path.get(outer)?;
            Some((*step, step.from.as_ref()?, from.path.strip_prefix(outer)?))
        });
        match around.next() {
            None => (Cell::Annotation(None), None),
            Some((step, outer, rest)) => inside(step, (outer, from), rest),
        }
    }
}

/// Where the target has a field that is inside the field of a step, at the rest of its path.
fn inside<'p>(
    step: &'p Step,
    (outer, from): (&FieldRef, &FieldRef),
    rest: &str,
) -> (Cell, Option<&'p FieldRef>) {
    let Some(to) = &step.to else { return (cell(step, outer), None) };
    match step.wrapped() {
        Some(ident) if ident == from.ident() && from.idents.len() == outer.idents.len() + 1 => {
            let name = rest.trim_start_matches("[]");
            let items = rest.strip_suffix(name).unwrap_or_default();
            (Cell::Field(format!("{}{items}", to.path), step.rule), Some(to))
        }
        Some(_) => (Cell::Annotation(step.rule), None),
        None => (Cell::Field(format!("{}{rest}", to.path), step.rule), None),
    }
}

/// Where the target of a step has the field.
fn cell(step: &Step, from: &FieldRef) -> Cell {
    match (&step.to, &step.how) {
        (Some(to), _) => {
            let changes = to.path != from.path || step.by_rule().is_some();
            Cell::Field(to.path.to_string(), step.rule.filter(|_| changes))
        }
        (None, Mapping::Flatten(..)) => Cell::Around,
        (None, Mapping::Key) => Cell::Key,
        (None, Mapping::ByPattern) => Cell::Others,
        (None, _) => match step.by_rule().and_then(|step| step.action.metadata_key()) {
            Some(key) => Cell::Metadata(key.text(), step.rule),
            None => Cell::Annotation(step.rule),
        },
    }
}

/// Returns `true` if a step has rows of its own: a part that differs only in its fields has only their rows.
fn is_shown(step: &Step) -> bool {
    match step.how {
        Mapping::Part { rule: None, .. } | Mapping::Into(_) => step.rule.is_some(),
        _ => true,
    }
}

/// The steps of a struct, each before the steps of the fields inside it. A moved field is where it moves.
fn steps(pair: &StructPair) -> Vec<&Step> {
    let mut all = Vec::new();
    for step in pair.steps.iter().chain(&pair.moves) {
        match &step.how {
            Mapping::Moved => {}
            Mapping::Part { pair, .. } | Mapping::Into(pair) => {
                all.push(step);
                all.extend(steps(pair));
            }
            Mapping::Nest(_, inner) | Mapping::Flatten(_, inner) => {
                all.push(step);
                all.extend(steps(inner));
            }
            _ => all.push(step),
        }
    }
    all
}

/// Returns `true` if the table describes a conversion completely: each field is at one place in both versions, or is kept aside.
pub(super) fn says_all(pair: &StructPair) -> bool {
    // The table has no row of its own for a pattern.
    let has_patterns =
        |step: &&Step| step.by_rule().is_some_and(|rule| matches!(rule.action, Action::Pattern(_)));
    !pair.leaves().iter().any(has_patterns)
        && steps(pair).iter().all(|step| match step.by_rule() {
            None => true,
            Some(by_rule) => {
                let kind = step.rule.and_then(RuleKind::named);
                by_rule.effect == Effect::Nothing
                    || kind.is_some_and(|kind| kind.role == Role::KeepAside)
            }
        })
}
