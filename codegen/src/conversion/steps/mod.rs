//! The kinds of steps that rules state: one module each, with the name of the rule.
//!
//! A module says between which types its rule fits, which function of the runtime does the step, which of the two forms
//! holds more, and in what words the pages show it. The runtime has a module of the same name (`moved` for a move).

pub(super) mod absent_to_zero;
pub(super) mod first_of_list;
pub(super) mod keep_aside;
pub(super) mod keyed_list;
mod r#move;
pub(super) mod nest;
pub(super) mod schema;
pub(super) mod stated;
pub(super) mod text;
pub(super) mod words;
mod wrap;

use super::plan::FieldRef;
use super::rules::Rule;
use super::structs::{Side, Structs};
use crate::Problems;
use crate::plan::{ItemPath, RustType, code};
use crate::problem::StepName;
use crate::text::join;

impl StepName {
    /// The step between two forms of a field; `None` if it does not fit their types.
    pub(super) fn fit(self, between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
        match self {
            Self::FirstOfList => first_of_list::fit(between),
            Self::AbsentToZero => absent_to_zero::fit(between, problems),
            Self::Words => words::fit(between, problems),
            Self::Text => text::fit(between, problems),
            Self::Narrow => text::fit_number(between, problems),
            Self::Wrap => wrap::fit(between, problems),
            Self::Schema => schema::fit(between),
            // The value stays as it is, has no counterpart, or is converted with the fields around it.
            Self::Move | Self::KeepAside | Self::Nest | Self::KeyedList => None,
        }
    }

    /// Returns `true` if a form of the field is complete: it holds all that the forms in other versions hold. Values are
    /// kept in this form.
    pub(super) fn is_complete(self, form: &RustType, others: &[&RustType]) -> bool {
        match (self, form) {
            (Self::KeepAside, _)
            // A sub-object can be empty or absent; the fields around it cannot tell.
            | (Self::Nest, RustType::Option(_))
            => true,
            (Self::KeyedList, form) => matches!(form.present(), RustType::List(_)),
            (Self::Wrap, form) => matches!(form.present(), RustType::Struct(_)),
            (Self::FirstOfList, form) => match form.present() {
                RustType::List(inner) => others.iter().any(|other| {
                    let is_struct = |of: &RustType| matches!(of, RustType::Struct(_));
                    *other.present() == **inner || is_struct(inner) && is_struct(other.present())
                }),
                _ => false,
            },
            (Self::AbsentToZero, RustType::Option(inner)) => {
                others.iter().any(|other| absent_to_zero::are_alike(inner, other))
            }
            (Self::Text, form) => text::is_complete(form, others),
            (Self::Schema, form) => schema::is_free(form.present()),
            (Self::Narrow, form) => text::is_wide(form, others),
            _ => false,
        }
    }

    /// The step for a field that the target lacks, and the one for a field that the source lacks.
    pub(super) fn alone(
        rule: &Rule<'_>,
        field: &FieldRef,
        structs: &Structs<'_>,
        problems: &mut Problems,
    ) -> Option<[Applied; 2]> {
        let is_struct = matches!(field.rust_type.innermost(), RustType::Struct(_));
        match rule.stated.rule.value {
            Self::KeepAside => {}
            Self::AbsentToZero if is_struct => return None,
            Self::AbsentToZero if field.rust_type.is_option() => {}
            Self::AbsentToZero => return Some(absent_to_zero::alone(rule, field)),
            _ => return None,
        }
        Some(match &rule.stated.fill {
            Some(fill) => keep_aside::filled(rule, (field, &fill.value), structs, problems),
            None => keep_aside::alone(field),
        })
    }
}

/// Two forms of a field, of which the first becomes the second.
pub(super) struct Between<'a, 'b> {
    pub(super) rule: &'b Rule<'a>,
    pub(super) structs: &'b Structs<'a>,
    /// The field in the source, the version, and the struct that has the field.
    pub(super) from: (&'b FieldRef, &'b str, &'b Side<'a, 'b>),
    /// The field in the target, and the version.
    pub(super) to: (&'b FieldRef, &'b str),
}

impl<'b> Between<'_, 'b> {
    fn types(&self) -> (&'b RustType, &'b RustType) {
        (&self.from.0.rust_type, &self.to.0.rust_type)
    }

    /// The words that a field of the source or the target knows.
    fn words(&self, field: &FieldRef) -> Vec<&'b str> {
        self.structs.field(field).map(|it| it.of.words()).unwrap_or_default()
    }

    /// The types, without the `Option` around both, and whether there is one.
    fn inside(&self) -> Option<(&RustType, &RustType, bool)> {
        match self.types() {
            (RustType::Option(from), RustType::Option(to)) => Some((from, to, true)),
            (RustType::Option(_), _) | (_, RustType::Option(_)) => None,
            (from, to) => Some((from, to, false)),
        }
    }
}

/// A step by a rule.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The function of the runtime.
    pub call: Call,
    /// The result for the field, for people.
    pub how: String,
    /// The values that are lost, kept or missing, for people.
    pub loss: &'static str,
    /// What it does with the annotation.
    pub effect: Effect,
}

impl Applied {
    /// A step that can keep a value.
    fn keeps(call: Call, how: impl Into<String>, loss: &'static str) -> Self {
        Self { call, how: how.into(), loss, effect: Effect::Keeps }
    }

    /// A step that can restore a kept value, and loses nothing.
    fn restores(call: Call, how: impl Into<String>) -> Self {
        Self { call, how: how.into(), loss: "lossless", effect: Effect::Restores }
    }

    /// The function that does the same and reports a value that it makes up, if there is one.
    pub(super) fn reporting(&self) -> Option<&'static str> {
        match self.call.function {
            ("text", "parse") => Some("parse_or_report"),
            ("absent_to_zero", "fill") => Some("fill_or_report"),
            ("absent_to_zero", "fill_text") => Some("fill_text_or_report"),
            _ => None,
        }
    }

    /// Takes a function that reports; `around` has the path of the field in every version.
    pub(super) fn report_by(&mut self, function: &'static str, around: Vec<(String, String)>) {
        self.call.function.1 = function;
        self.call.arguments.insert(1, Argument::Around(around));
        self.how += "; a made-up value is reported";
    }

    /// The field of the items of a list that has the key of a map.
    pub(super) fn key(&self) -> Option<&str> {
        self.call.arguments.iter().find_map(|argument| match argument {
            Argument::Key(name, _) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The required fields of an object that the step makes without values for them.
    pub(super) fn lacks(&self) -> &[String] {
        let names = self.call.arguments.iter().find_map(|argument| match argument {
            Argument::Names(names) => Some(names.as_slice()),
            _ => None,
        });
        names.unwrap_or_default()
    }

    /// The name in Rust of the field that is the value of the object in another version.
    pub(super) fn wrapped(&self) -> Option<&str> {
        self.call.arguments.iter().find_map(|argument| match argument {
            Argument::Field(_, ident) => Some(ident.as_str()),
            _ => None,
        })
    }
}

/// What a step does with the annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It can keep a value.
    Keeps,
    /// It can restore a kept value.
    Restores,
    /// It can report a value, and keeps none.
    Reports,
    /// Nothing: it loses nothing.
    Nothing,
}

/// A call of a function of the runtime: its module and name, and its arguments.
#[derive(Clone, Debug)]
pub struct Call {
    /// The module of the runtime and the function, such as `first_of_list` and `first`.
    pub function: (&'static str, &'static str),
    /// The arguments, in the order of the function.
    pub arguments: Vec<Argument>,
    /// Whether the function is called for the value in an `Option`, and not for the `Option`.
    pub in_option: bool,
}

/// An argument of a step.
#[derive(Clone, Debug)]
pub enum Argument {
    /// The versions and paths under which the value is kept.
    Places,
    /// The path of the object in every version: fields inside it can be kept.
    Around(Vec<(String, String)>),
    /// The function that converts the object.
    Convert,
    /// The function that converts the object, or the first item of the list of objects.
    ConvertItem,
    /// The function that converts the other items of a list into the form that is kept, or from it.
    Rest,
    /// The value, moved.
    Value,
    /// The value, borrowed.
    Borrowed,
    /// The policy of this name.
    Policy(String),
    /// A function from an object of this type to its field of this name.
    Field(ItemPath, String),
    /// The name of the field that has the key of an item, and the function from the item to it.
    Key(String, Box<Argument>),
    /// The result of another function, perhaps borrowed.
    Inner(Box<Call>, bool),
    /// Another field of the source, borrowed, if there is one.
    Other(Box<Option<FieldRef>>),
    /// A flag.
    Flag(bool),
    /// A value as JSON.
    Json(String),
    /// Texts.
    Names(Vec<String>),
    /// Pairs of texts.
    Pairs(Vec<(String, String)>),
    /// The state of the conversion.
    Context,
}

/// The note that the required fields of a made object are reported, if it has any.
fn with_report(required: &[String]) -> String {
    if required.is_empty() {
        return String::new();
    }
    format!(", with a report of {}", join(required.iter().map(|name| code(name)), ", "))
}

/// The call of a function that takes the places of the value first, and the state of the conversion last.
fn call(
    function: (&'static str, &'static str),
    between: impl IntoIterator<Item = Argument>,
) -> Call {
    let arguments = [Argument::Places].into_iter().chain(between).chain([Argument::Context]);
    Call { function, arguments: arguments.collect(), in_option: false }
}
