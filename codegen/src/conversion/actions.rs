//! What a step of a rule does with a value, as data: an [`Action`] for each kind of rule.
//!
//! What an action means to people is in the module of its rule in `steps/`; `emit/conversions/calls.rs` writes the call of the
//! runtime.

use serde_json::Value;

use super::field_ref::{FieldRef, Paths};
use super::pattern_form::Pattern;
use crate::plan::{ItemPath, RustType};
use crate::problem::Place;

/// Texts with their replacements.
pub(crate) type Pairs = Vec<(String, String)>;

/// What a step does with a value: by the kind of its rule.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each has the name of its rule")]
pub(crate) enum Action {
    AbsentToZero(AbsentToZero),
    Custom(Custom),
    Embedded(Embedded),
    FirstOfList(FirstOfList),
    InMetadata(InMetadata),
    KeepAside(KeepAside),
    KeyedList(KeyedList),
    LeaveOutEmpty(LeaveOutEmpty),
    Move(MovedObject),
    NamedValues(NamedValues),
    Narrow(Narrow),
    Nest(Nest),
    PartOfText(PartOfText),
    Pattern(Pattern),
    Schema(Schema),
    Text(Text),
    Units(Units),
    /// The value as it is, which one of two versions of one form requires.
    Varying(Varying),
    Words(Words),
    Wrap(Wrap),
}

impl Action {
    /// The places of the values that the step can keep or restore, in lists of one form each; `None` if all places of the step have one
    /// value.
    pub(super) fn kept_places(&self, places: &Paths) -> Option<Vec<Paths>> {
        match self {
            Self::Text(Text::ParseQuantity(_) | Text::WriteQuantity(_))
            | Self::Words(Words::FallBack { apart: true, .. }) => {
                Some(places.iter().map(|place| vec![place.clone()]).collect())
            }
            // The annotation in versions without the field, and in those with it.
            Self::InMetadata(InMetadata { text, beside, .. }) => {
                Some(vec![places.clone(), text.clone(), beside.clone()])
            }
            Self::LeaveOutEmpty(LeaveOutEmpty { limited, .. }) => {
                Some(vec![places.clone(), limited.clone()])
            }
            Self::Move(MovedObject { left_out: Some(left_out), .. }) => {
                let LeftOut { places: empty, limited, .. } = left_out;
                Some(vec![places.clone(), empty.clone(), limited.clone()])
            }
            // Each version with another unit has a value of its own.
            Self::PartOfText(PartOfText { keep, restore, .. }) => {
                Some(vec![keep.clone(), restore.clone()])
            }
            Self::Units(Units { keep, restore, through, .. }) => {
                let through = through.iter().map(|finest| finest.places.clone());
                Some([keep.clone(), restore.clone()].into_iter().chain(through).collect())
            }
            _ => None,
        }
    }

    /// The places of the notes that the value is made up or filled; `None` for the places of the field.
    pub(super) fn noted_places(&self) -> Option<&Paths> {
        match self {
            Self::Units(Units { around, .. }) => Some(around),
            _ => None,
        }
    }

    /// The annotation or label of the object that has the value in versions without the field.
    pub(crate) fn metadata_key(&self) -> Option<&MetadataKey> {
        match self {
            Self::InMetadata(step) => Some(&step.key),
            _ => None,
        }
    }

    /// Whether an annotation or label takes the value.
    pub(super) fn moves_to_metadata(&self) -> bool {
        matches!(self, Self::InMetadata(InMetadata { copies: false, .. }))
    }

    /// The object in any JSON that it converts.
    pub(crate) fn embedded(&self) -> Option<&Embedded> {
        match self {
            Self::Embedded(step) => Some(step),
            _ => None,
        }
    }

    /// Whether it makes a text that ends with a separator, because the rule does not state the part after it.
    pub(super) fn lacks_rest(&self) -> bool {
        matches!(
            self,
            Self::PartOfText(PartOfText { completes: true, after: false, other: None, .. })
        )
    }

    /// What the rule changes of plain values, unless it gives other values another form.
    pub(super) fn change(&self) -> Option<Change<'_>> {
        let plain = ValueForm::Plain;
        match self {
            Self::AbsentToZero(AbsentToZero::Fill { form, policy, other: None, .. })
                if *form == plain =>
            {
                Some(Change::Absent(Some(policy)))
            }
            Self::AbsentToZero(AbsentToZero::Restore { form, .. }) if *form == plain => {
                Some(Change::Absent(None))
            }
            Self::Words(Words::Rename { names, .. }) if names.is_empty() => Some(Change::Nothing),
            _ => None,
        }
    }

    /// Whether the rule states what an absent value of any form is in versions that require it.
    pub(super) fn is_filled(&self) -> bool {
        matches!(self, Self::PartOfText(PartOfText { fill: Some(_), .. }))
    }

    /// Whether it can make up a zero that no report names: from an amount below one unit, a text without the part, or an empty list or map.
    pub(super) fn makes_up_silently(&self) -> bool {
        if let Self::PartOfText(PartOfText { fill: Some(fill), completes, .. }) = self {
            // An empty `fill` says that the part may be empty.
            return !completes && fill != "\"\"";
        }
        matches!(
            self,
            Self::Units(Units { holds_all: false, .. })
                | Self::KeyedList(KeyedList::List { .. } | KeyedList::Map { .. })
                | Self::NamedValues(_)
                | Self::PartOfText(_)
                | Self::AbsentToZero(AbsentToZero::FillObject {
                    object: OptionalObject { of: ObjectForm::Items, .. },
                    may_be_empty: false,
                })
        )
    }

    /// Whether its result is empty only if the value of the source is empty.
    pub(super) fn passes_empty_on(&self) -> bool {
        matches!(
            self,
            Self::KeyedList(_)
                | Self::NamedValues(_)
                | Self::PartOfText(PartOfText { completes: true, .. })
        )
    }

    /// The paths of the step, other than the places of the value.
    pub(super) fn paths_mut(&mut self) -> Vec<&mut Paths> {
        match self {
            Self::AbsentToZero(step) => step.paths_mut(),
            Self::FirstOfList(step) => step.paths_mut(),
            Self::Schema(Schema::Read { around })
            | Self::Text(Text::ParseTime { around } | Text::ParseOptionalTime { around })
            | Self::Words(Words::FallBack { around, .. }) => vec![around],
            Self::Text(
                Text::Parse(Substitute::Zero { report })
                | Text::ParseQuantity(Substitute::Zero { report }),
            )
            | Self::Narrow(Narrow::Narrow(Substitute::Zero { report })) => {
                report.iter_mut().collect()
            }
            Self::Custom(Custom { keep, restore, thirds, .. }) => {
                let thirds = thirds
                    .iter_mut()
                    .flat_map(|third| [&mut third.beside_source, &mut third.beside_target]);
                [keep, restore].into_iter().chain(thirds).collect()
            }
            Self::LeaveOutEmpty(LeaveOutEmpty { limited, .. }) => vec![limited],
            Self::Embedded(Embedded { keep, restore, .. })
            | Self::PartOfText(PartOfText { keep, restore, .. }) => vec![keep, restore],
            Self::Varying(Varying::Fill(own) | Varying::Restore(own)) => own.paths_mut().into(),
            Self::Units(Units { keep, restore, around, through, .. }) => {
                let through = through.iter_mut().map(|finest| &mut finest.places);
                [keep, restore, around].into_iter().chain(through).collect()
            }
            Self::Pattern(Pattern { around, sides, .. }) => {
                let kept = sides.iter_mut().map(|side| &mut side.kept);
                [around].into_iter().chain(kept).collect()
            }
            Self::Move(MovedObject { around, moved, noted, filled, left_out, .. }) => {
                let left_out = left_out
                    .iter_mut()
                    .flat_map(|LeftOut { places, limited, .. }| [places, limited]);
                let (in_source, in_target) = noted;
                let filled = filled.0.iter_mut().chain(&mut filled.1);
                let filled = filled.flat_map(|filled| &mut filled.fields);
                let filled = filled.map(|(_, places)| places);
                let noted = in_source.iter_mut().chain(in_target);
                [around, moved].into_iter().chain(noted).chain(filled).chain(left_out).collect()
            }
            Self::Nest(Nest::Nest { required, .. } | Nest::Flatten { required, .. }) => {
                required.iter_mut().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What a rule changes of plain values.
pub(super) enum Change<'s> {
    Nothing,
    /// An absent value is filled in, by this in the target.
    Absent(Option<&'s FilledBy>),
}

/// `absent-to-zero`
#[derive(Clone, Debug)]
pub(crate) enum AbsentToZero {
    /// An optional value becomes a value that is always there. `other` is the field whose value a policy can use.
    Fill { form: ValueForm, policy: FilledBy, other: Option<Box<FieldRef>>, report: Option<Paths> },
    /// A value that is always there becomes an optional one. `filled`: absent ones become a stated value.
    Restore { form: ValueForm, filled: bool },
    /// An absent time, which has no zero value, stays absent.
    RequireTime { around: Paths },
    /// The target lacks the field, which is always there. `filled`: the rule states what an absent value is.
    Keep { form: ValueForm, filled: bool },
    /// The source lacks the field, which is always there.
    Make { form: ValueForm, policy: FilledBy, report: Option<Paths> },
    /// Both versions require the field, in an object that can be absent in one of them: without it the value is `fill`, as JSON.
    Pass { form: ValueForm, around: Paths, fill: String },
    /// An optional object, list or map of objects becomes one that is always there. The required fields that it lacks are reported
    /// unless they may be empty.
    FillObject { object: OptionalObject, may_be_empty: bool },
    /// An object, list or map of objects that is always there becomes an optional one.
    RestoreObject(OptionalObject),
    /// An optional object, list or map of objects that can be `null` becomes one that cannot.
    KeepNull { around: Paths },
    /// An optional object, list or map of objects becomes one that can be `null`.
    RestoreNull,
}

impl AbsentToZero {
    fn paths_mut(&mut self) -> Vec<&mut Paths> {
        match self {
            Self::Fill { report, .. } | Self::Make { report, .. } => report.iter_mut().collect(),
            Self::RequireTime { around }
            | Self::Pass { around, .. }
            | Self::KeepNull { around } => vec![around],
            Self::FillObject { object, .. } | Self::RestoreObject(object) => {
                object.paths_mut().collect()
            }
            Self::Restore { .. } | Self::Keep { .. } | Self::RestoreNull => Vec::new(),
        }
    }
}

/// An object, or a list or map of objects, that can be absent in one version and is always there in another: also as the first item of a
/// list, which can lack it.
#[derive(Clone, Debug)]
pub(crate) struct OptionalObject {
    pub(crate) of: ObjectForm,
    /// Its path in every version.
    pub(crate) around: Paths,
    /// The paths in it of the required fields for which no rule has a value.
    pub(crate) required: Vec<String>,
    /// What it is without values of its own, in the source and in the target.
    pub(crate) empty: [EmptyObject; 2],
}

/// An object without values of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct EmptyObject {
    /// The values that rules state, as JSON.
    pub(crate) values: Option<String>,
    /// The places of the notes that values of its required fields are made up or filled.
    pub(crate) noted: Vec<Paths>,
}

impl OptionalObject {
    fn paths_mut(&mut self) -> impl Iterator<Item = &mut Paths> {
        [&mut self.around]
            .into_iter()
            .chain(self.empty.iter_mut().flat_map(|empty| &mut empty.noted))
    }
}

/// A value that some versions of one form require, and others do not.
#[derive(Clone, Debug)]
pub(crate) enum Varying {
    /// It becomes a required one.
    Fill(Optional),
    /// It becomes an optional one.
    Restore(Optional),
}

/// What an absent value is in a version that requires the value.
#[derive(Clone, Debug)]
pub(crate) struct Optional {
    /// The versions in which the value is optional, lowest first, with its path in each.
    pub(crate) places: Paths,
    /// The path of the field in every version.
    pub(crate) around: Paths,
    /// The value, as JSON.
    pub(crate) fill: String,
    /// Whether the rule states it, and it is not the empty value.
    pub(crate) is_stated: bool,
}

impl Optional {
    /// The places, in lists of one form each.
    pub(super) fn lists(&self) -> Vec<Paths> {
        if self.is_stated {
            return self.places.iter().map(|place| vec![place.clone()]).collect();
        }
        vec![self.places.clone()]
    }

    /// Its paths.
    pub(super) fn paths_mut(&mut self) -> [&mut Paths; 2] {
        [&mut self.places, &mut self.around]
    }
}

/// What fills an absent value.
#[derive(Clone, Debug)]
pub(crate) struct FilledBy {
    /// The name of the policy that programs can choose.
    pub(crate) policy: String,
    /// The default as JSON; `None` for the empty value.
    pub(crate) fill: Option<String>,
    /// Whether the default is the empty value: the rule says that the field may be empty.
    pub(crate) is_empty: bool,
}

impl FilledBy {
    /// The default as JSON, if it is not the empty value.
    pub(crate) fn stated(&self) -> Option<&str> {
        self.fill.as_deref().filter(|_| !self.is_empty)
    }
}

/// The way in which a value goes from one version's type to that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// As it is.
    Plain,
    /// By the text of a word: each version has a type of its own for its words.
    Word,
    /// By the texts of a list of words.
    Words,
    /// By the text of a word that can be `null`.
    NullableWord,
}

/// What holds objects that are converted field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectForm {
    /// One object.
    Object,
    /// A list or map of objects.
    Items,
    /// Each object in a list or map: it can be `null`.
    Item,
}

/// `custom`
#[derive(Clone, Debug)]
pub(crate) struct Custom {
    /// The place under which the value of the source is kept.
    pub(crate) keep: Paths,
    /// The place of a kept value of the target.
    pub(crate) restore: Paths,
    /// The Rust paths of the function, and of the one of the other direction.
    pub(crate) functions: (String, String),
    /// The other versions.
    pub(crate) thirds: Vec<ThirdVersion>,
}

/// A version that is neither the source nor the target of a step.
#[derive(Clone, Debug)]
pub(crate) struct ThirdVersion {
    /// The place under which this version keeps the value; reports show the place in the source.
    pub(crate) beside_source: Paths,
    /// The place under which this version keeps the value; reports show the place in the target.
    pub(crate) beside_target: Paths,
    /// The Rust paths of the functions from it to the source and to the target, and of the one from the target.
    pub(crate) functions: [String; 3],
    /// The type of the field.
    pub(crate) rust_type: RustType,
}

/// `embedded`
#[derive(Clone, Debug)]
pub(crate) struct Embedded {
    /// The kind that has the object in its schema.
    pub(crate) of: String,
    /// The place under which the value of the source is kept.
    pub(crate) keep: Paths,
    /// The place of a kept value of the target.
    pub(crate) restore: Paths,
    /// The types of the object in the source and in the target.
    pub(crate) parts: [ItemPath; 2],
    /// The place of the rule.
    pub(crate) place: Place,
}

/// `first-of-list`
#[derive(Clone, Debug)]
pub(crate) enum FirstOfList {
    /// A list becomes its first item.
    First(NoItem),
    /// A value becomes a list. Each can be optional.
    List { from_optional: bool, to_optional: bool },
    /// A value that its version requires becomes a list.
    ListOfRequired { around: Paths },
    /// A list of objects becomes its first item.
    FirstObject(OptionalObject),
    /// A list of objects becomes its first item, an optional object.
    FirstObjectOrNone { around: Paths },
    /// An object becomes a list.
    ListOfObject(OptionalObject),
    /// An optional object becomes a list.
    ListOfObjectOrNone,
    /// One of the others, of words: each version has a type of its own for them.
    Words(Box<Self>),
}

impl FirstOfList {
    /// The path of the first item in every version, and the notes about its fields.
    fn paths_mut(&mut self) -> Vec<&mut Paths> {
        match self {
            Self::First(NoItem::Reported(around) | NoItem::Filled(around, _))
            | Self::ListOfRequired { around }
            | Self::FirstObjectOrNone { around } => vec![around],
            Self::FirstObject(object) | Self::ListOfObject(object) => object.paths_mut().collect(),
            Self::Words(step) => step.paths_mut(),
            Self::First(_) | Self::List { .. } | Self::ListOfObjectOrNone => Vec::new(),
        }
    }
}

/// What the first item of an empty list is.
#[derive(Clone, Debug)]
pub(crate) enum NoItem {
    /// Absent.
    Absent,
    /// Empty.
    Empty,
    /// Empty, which is reported: the target requires it.
    Reported(Paths),
    /// This value of the rule, as JSON: the target requires it.
    Filled(Paths, String),
}

/// `in-metadata`
#[derive(Clone, Debug)]
pub(crate) struct InMetadata {
    /// The annotation or label.
    pub(crate) key: MetadataKey,
    /// Whether the target lacks the field.
    pub(crate) is_written: bool,
    /// Whether it stays in all versions.
    pub(crate) copies: bool,
    /// Its place in the versions that lack the field.
    pub(crate) text: Paths,
    /// Its place in the versions that have the field.
    pub(crate) beside: Paths,
    /// The value of the field without it, as JSON.
    pub(crate) fill: Option<String>,
    /// Whether the field is required, and has no such value.
    pub(crate) required: bool,
}

/// An annotation or a label of the object, by its key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MetadataKey {
    /// An annotation.
    Annotation(String),
    /// A label.
    Label(String),
}

/// `keep-aside`
#[derive(Clone, Debug)]
pub(crate) enum KeepAside {
    /// The target lacks the field.
    Keep { optional: bool, required: bool },
    /// The source lacks the field.
    Restore { required: bool },
    /// The target lacks the field, whose values other than this JSON are kept.
    KeepUnless(String),
    /// The source lacks the field, whose value is this JSON if none is kept.
    RestoreOr(String),
    /// The target lacks the field. Values other than the namespace of the object are kept.
    KeepUnlessNamespace,
    /// The source lacks the field, which has the namespace of the object if no value is kept.
    RestoreNamespace,
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(crate) struct ObjectField {
    /// The type of the object.
    pub(crate) object_type: ItemPath,
    /// The name of the field in JSON.
    pub(crate) name: String,
    /// The name of the field in Rust.
    pub(crate) ident: String,
}

/// `keyed-list`
#[derive(Clone, Debug)]
pub(crate) enum KeyedList {
    /// A map becomes a list, whose items have the key in this field.
    List { key: ObjectField },
    /// A list becomes a map.
    Map { key: ObjectField },
    /// A field of the objects of a map that repeats the key, which the list has in this field.
    KeepName,
    /// A field of the items of a list that becomes a map: it has the key of the item again.
    RestoreName,
}

/// An optional value of one form, which only some versions take when it is empty: not a rule, but `leave-out-empty` of a kind.
#[derive(Clone, Debug)]
pub(crate) struct LeaveOutEmpty {
    /// The versions that reject an empty value, lowest first, and its path in each.
    pub(crate) limited: Paths,
    /// Whether the source is one of them.
    pub(crate) restores: bool,
    /// Whether the value is, or holds, objects that are converted field by field.
    pub(crate) is_part: bool,
}

/// `named-values`: an item of the list has the key and the value in these fields.
#[derive(Clone, Debug)]
pub(crate) enum NamedValues {
    /// A map becomes a list.
    List { name: ObjectField, value: ObjectField },
    /// A list becomes a map.
    Map { name: ObjectField, value: ObjectField },
}

/// `part-of-text`
#[derive(Clone, Debug)]
pub(crate) struct PartOfText {
    /// Whether a part becomes the text; otherwise a text becomes its part.
    pub(crate) completes: bool,
    /// What is between the parts.
    pub(crate) separator: String,
    /// Whether the last separator counts, not the first.
    pub(crate) last: bool,
    /// Whether it is the part after the separator.
    pub(crate) after: bool,
    /// The other part for each part, where none is kept.
    pub(crate) others: Pairs,
    /// The other part of all parts that the rule does not list, if it states one.
    pub(crate) other: Option<String>,
    /// What an absent value is in a target that requires it, as JSON, if the rule states it.
    pub(crate) fill: Option<String>,
    /// The places of the versions that have what the source has: the text, or its part.
    pub(crate) keep: Paths,
    /// The places of the versions that have what the target has.
    pub(crate) restore: Paths,
}

/// Which of two versions lacks a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aside {
    /// The target.
    Keep,
    /// The source.
    Restore,
}

/// `units`
#[derive(Clone, Debug)]
pub(crate) struct Units {
    /// The names of the units of the source and of the target.
    pub(crate) names: (&'static str, &'static str),
    /// The versions with the unit and the type of the source, which keeps values that do not come back from the target.
    pub(crate) keep: Paths,
    /// Those with the unit and the type of the target.
    pub(crate) restore: Paths,
    /// The path of the field in every version.
    pub(crate) around: Paths,
    /// Whether both have one unit and one type, and one of them requires the field.
    pub(crate) is_same: bool,
    /// Whether the target has each amount of the source.
    pub(crate) holds_all: bool,
    /// The finest unit, if it is neither of both.
    pub(crate) through: Option<FinestUnit>,
    /// Whether one of the two versions lacks the field, which is kept aside in the finest unit.
    pub(crate) aside: Option<Aside>,
}

/// The finest unit of a field, in which its amount is kept.
#[derive(Clone, Debug)]
pub(crate) struct FinestUnit {
    /// Its name.
    pub(crate) unit: &'static str,
    /// The type of a value that is there.
    pub(crate) rust_type: RustType,
    /// The versions that have it.
    pub(crate) places: Paths,
}

/// `move`: whether an object is there, into which fields move or out of which they move.
#[derive(Clone, Debug)]
pub(crate) struct MovedObject {
    /// The path of the object in every version.
    pub(crate) around: Paths,
    /// The fields that are elsewhere in another version.
    pub(crate) moved: Paths,
    /// The required fields that move out of it in the source, and into it in the target, and whose values are noted if a conversion makes
    /// them up or fills them.
    pub(crate) noted: (Vec<Paths>, Vec<Paths>),
    /// The required fields of the object of the source that do not move, and that no rule fills.
    pub(crate) required_in_source: Vec<String>,
    /// The required fields of the object of the target that do not move, and that no rule fills.
    pub(crate) required: Vec<String>,
    /// Whether the rule says that they may be empty.
    pub(crate) may_be_empty: bool,
    /// The values with which rules fill required fields of the object: first in the source, then in the target.
    pub(crate) filled: (Option<Filled>, Option<Filled>),
    /// The versions that take the object if it is empty, where one of the two does not.
    pub(crate) left_out: Option<LeftOut>,
}

/// Which versions take an empty value of a field.
#[derive(Clone, Debug)]
pub(crate) struct LeftOut {
    /// Those that do, lowest first, and its path in each.
    pub(crate) places: Paths,
    /// Those that do not.
    pub(crate) limited: Paths,
    /// Whether the source is one of these.
    pub(crate) restores: bool,
}

/// Values with which rules fill required fields of an object.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    /// The names of the fields that a note tells from a value of their own, and where these notes are.
    pub(crate) fields: Vec<(String, Paths)>,
    /// An object with only the values that rules state.
    pub(crate) values: Value,
    /// An object that is made: also with the values that both schemas state.
    pub(crate) made: Value,
}

impl Filled {
    /// Returns `true` if a rule fills the field of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.get(name).is_some()
    }
}

/// `text`
#[derive(Clone, Debug)]
pub(crate) enum Text {
    /// A text becomes a value.
    Parse(Substitute),
    /// A text becomes a quantity, which can also be a JSON number: the kept one if it has this text.
    ParseQuantity(Substitute),
    /// A text becomes a required time, which an empty text does not give.
    ParseTime { around: Paths },
    /// An optional text becomes a required time.
    ParseOptionalTime { around: Paths },
    /// A value becomes its text.
    Write(Substitute),
    /// A quantity becomes its text. One that is a JSON number is kept.
    WriteQuantity(Substitute),
    /// A required time becomes its text.
    WriteTime,
    /// A required time becomes an optional text.
    WriteOptionalTime,
}

/// What replaces a value that does not fit into the other form.
#[derive(Clone, Debug)]
pub(crate) enum Substitute {
    /// The zero value. It is reported if servers reject it.
    Zero { report: Option<Paths> },
    /// Absent.
    Absent,
    /// This JSON.
    Fallback(String),
}

/// `narrow`
#[derive(Clone, Debug)]
pub(crate) enum Narrow {
    /// A number of 64 bits becomes one of 32 bits.
    Narrow(Substitute),
    /// A number of 32 bits becomes one of 64 bits.
    Widen(Substitute),
}

/// `nest`: an object counts as empty if it has no other values than its `fills`, which are JSON.
#[derive(Clone, Debug)]
pub(crate) enum Nest {
    /// Fields become an optional object, which is `present` if it is empty. `required` has the places of fields in it that their steps
    /// make up or fill: with nothing but these the object counts as empty.
    Nest { present: bool, fills: Option<String>, required: Vec<Paths> },
    /// An optional object becomes fields.
    Flatten { present: bool, fills: Option<String>, required: Vec<Paths> },
}

/// `schema`
#[derive(Clone, Debug)]
pub(crate) enum Schema {
    /// Any JSON becomes a value with a schema.
    Read { around: Paths },
    /// A value with a schema becomes JSON.
    Write,
}

/// `words`
#[derive(Clone, Debug)]
pub(crate) enum Words {
    /// Each word gets its name in the target. `renamed` are those that the rule lists, and `names` all that change.
    Rename { names: Pairs, renamed: Pairs },
    /// A version has a fallback for the words that it does not know.
    FallBack {
        /// The paths in all versions, first where the word is kept.
        around: Paths,
        /// Whether no version knows all words: each keeps its own ones.
        apart: bool,
        /// The words under the names that the annotation has, and the names in the source; empty if it knows all.
        from: Pairs,
        /// The words under the names that the annotation has, and the names in the target; empty if it knows all.
        to: Pairs,
        renamed: Pairs,
        /// The fallback of the target.
        fallback: Option<String>,
    },
}

/// `wrap`
#[derive(Clone, Debug)]
pub(crate) enum Wrap {
    /// A value becomes the field of an object. `required` names its other required fields that have no value; `defaults` has the values of
    /// the rest, as JSON.
    Wrap { field: ObjectField, form: WrapForm, required: Vec<String>, defaults: String },
    /// An object becomes the value of its field. It has values for the other `required` fields.
    Unwrap { field: ObjectField, form: WrapForm, required: Vec<String>, defaults: String },
}

/// How the field of the object has the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrapForm {
    /// As it is.
    Plain,
    /// As a word: each version has a type of its own for its words.
    Word,
    /// Optional, in an optional object.
    Optional,
}
