//! The kinds of steps that rules state: one module each, with the name of the rule.
//!
//! A module says between which types its rule fits, which function of the runtime does the step, which of the two forms
//! holds more, and in what words the pages show it. The runtime has a module of the same name.

mod absent_to_zero;
mod first_of_list;
mod keep_aside;
mod r#move;
pub(super) mod nest;
mod text;
mod words;
mod wrap;

use super::plan::FieldRef;
use super::rules::Rule;
use super::side::Side;
use super::structs::Structs;
use crate::Problems;
use crate::plan::{ItemPath, RustType};
use crate::rules::StepName;

/// A kind of step.
pub(super) trait StepKind {
    /// The step between two forms of a field; `None` if it does not fit their types.
    fn fit(&self, between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied>;

    /// Returns `true` if a form of the field is complete: it holds all that the forms in other versions hold. Values are
    /// kept in this form.
    fn is_complete(&self, form: &RustType, others: &[&RustType]) -> bool;

    /// The step for a field that the target lacks, and the one for a field that the source lacks.
    fn alone(&self) -> Option<[Applied; 2]> {
        None
    }
}

impl StepName {
    pub(super) fn kind(self) -> &'static dyn StepKind {
        match self {
            Self::Move => &r#move::Move,
            Self::FirstOfList => &first_of_list::FirstOfList,
            Self::AbsentToZero => &absent_to_zero::AbsentToZero,
            Self::KeepAside => &keep_aside::KeepAside,
            Self::Nest => &nest::Nest,
            Self::Words => &words::Words,
            Self::Text => &text::Text,
            Self::Wrap => &wrap::Wrap,
        }
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

impl Between<'_, '_> {
    fn types(&self) -> (&RustType, &RustType) {
        (&self.from.0.rust_type, &self.to.0.rust_type)
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

/// What a step does with the annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It can keep a value.
    Keeps,
    /// It can restore a kept value.
    Restores,
    /// Nothing: it loses nothing.
    Nothing,
}

/// A call of a function of the runtime: its module and name, and its arguments.
#[derive(Clone, Debug)]
pub struct Call {
    /// The module of the runtime and the function, such as `first_of_list` and `first`.
    pub function: (&'static str, &'static str),
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// `true` to call the function for the value in an `Option`, and not for the `Option`.
    pub in_option: bool,
}

/// An argument of a step.
#[derive(Clone, Debug)]
pub enum Argument {
    /// The versions and paths under which the value is kept.
    Places,
    /// The value, moved.
    Value,
    /// The value, borrowed.
    Borrowed,
    /// The policy of this name.
    Policy(String),
    /// A function from an object of this type to its field of this name.
    Field(ItemPath, String),
    /// Another field of the source, borrowed, if there is one.
    Other(Box<Option<FieldRef>>),
    /// A flag.
    Flag(bool),
    /// Pairs of texts.
    Pairs(Vec<(String, String)>),
    /// The state of the conversion.
    Context,
}

fn call(function: (&'static str, &'static str), arguments: Vec<Argument>) -> Call {
    Call { function, arguments, in_option: false }
}
