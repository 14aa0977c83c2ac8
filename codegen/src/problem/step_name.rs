//! The names of the rules of conversions. Messages say which fields a rule accepts.

use serde::Deserialize;
use strum::{Display, EnumIter, EnumMessage, EnumString};

/// The kind of step from a field to its counterpart. The hint of a kind says which fields it accepts.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Deserialize, Display, EnumIter, EnumMessage, EnumString,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum StepName {
    /// The field has another name, or is in another part of the object.
    ///
    /// Hint: `move` takes fields of one type, all optional or all required (`absent-to-zero` takes an optional and a required
    /// one, also with another name), with no list or map around one of them alone; an object around a field is in every version, or
    /// has the rule `nest`
    Move,
    /// A list becomes its first item; a list that this item cannot restore is kept aside.
    ///
    /// Hint: `first-of-list` takes a list and a value of the type of its items, each optional or required; an object and the items
    /// can have other fields, which have rules of their own
    FirstOfList,
    /// An absent value becomes the zero value.
    ///
    /// Hint: `absent-to-zero` takes fields of one type, enums of words, lists of these, objects, or lists and maps of objects, that
    /// are optional in a version and required in another; versions can lack a field that is no object
    AbsentToZero,
    /// Some versions lack the field; there its value is kept aside.
    ///
    /// Hint: `keep-aside` takes a field that some versions lack: name it in the versions that have it; `fill` is a value of a
    /// required field of a custom resource, which its words and limits allow, or the default of a field: a text, number or boolean, or
    /// a list or map of these
    KeepAside,
    /// A map becomes a list whose items have the key in a field.
    ///
    /// Hint: `keyed-list` takes a map of objects and a list of objects, both optional or both required; `field` is a text of the
    /// list's items that has the key, and their other fields have rules of their own
    KeyedList,
    /// The fields of a sub-object are fields of the object around it.
    ///
    /// Hint: `nest` takes an object; for the versions that have its fields beside it, name the path of the object around it
    Nest,
    /// A word has another name, or is not known.
    ///
    /// Hint: `words` takes texts, all optional or all required, and lists the words of each version in one order: all words that
    /// a version names otherwise than another, each of them known to the version; `fallback` has a known word of each version
    /// that lacks some of the words
    Words,
    /// A number, quantity or time becomes its text.
    ///
    /// Hint: `text` takes a number, a quantity, a time of a custom resource or a value that can be a number or a text, and its text;
    /// all are optional or all are required; `fallback` has the value of each version in which a text may not fit a required field
    Text,
    /// A number of 64 bits becomes one of 32 bits; one that does not fit is kept aside.
    ///
    /// Hint: `narrow` takes numbers of 64 and of 32 bits; all are optional or all are required; `fallback` has the number of each
    /// version in which one may not fit a required field
    Narrow,
    /// A value is a field of an object.
    ///
    /// Hint: `wrap` takes a value and an object that has it in `field`; both are optional or both are required, and the field
    /// can be optional in an optional object
    Wrap,
    /// A value without a schema has one in other versions.
    ///
    /// Hint: `schema` takes a value of any JSON and a value with a schema, which is the same in all versions that have it; all
    /// are optional or all are required
    Schema,
}
