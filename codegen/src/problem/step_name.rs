//! The names of the rules of conversions. Messages say which fields a rule accepts.

use std::fmt;

use serde::Deserialize;

/// The kind of step from a field to its counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "`StepName::meaning` says what each does")]
pub enum StepName {
    Move,
    FirstOfList,
    AbsentToZero,
    KeepAside,
    KeyedList,
    Nest,
    Words,
    Text,
    Narrow,
    Wrap,
    Schema,
}

impl StepName {
    /// All names.
    pub const ALL: [Self; 11] = [
        Self::Move,
        Self::FirstOfList,
        Self::AbsentToZero,
        Self::KeepAside,
        Self::KeyedList,
        Self::Nest,
        Self::Words,
        Self::Text,
        Self::Narrow,
        Self::Wrap,
        Self::Schema,
    ];

    /// The name in a rule.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::FirstOfList => "first-of-list",
            Self::AbsentToZero => "absent-to-zero",
            Self::KeepAside => "keep-aside",
            Self::KeyedList => "keyed-list",
            Self::Nest => "nest",
            Self::Words => "words",
            Self::Text => "text",
            Self::Narrow => "narrow",
            Self::Wrap => "wrap",
            Self::Schema => "schema",
        }
    }

    /// The step with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    /// What it does.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Move => "The field has another name, or is in another part of the object.",
            Self::FirstOfList => {
                "A list becomes its first item; a list that this item cannot restore is kept aside."
            }
            Self::AbsentToZero => "An absent value becomes the zero value.",
            Self::KeepAside => "Some versions lack the field; there its value is kept aside.",
            Self::KeyedList => "A map becomes a list whose items have the key in a field.",
            Self::Nest => "The fields of a sub-object are fields of the object around it.",
            Self::Words => "A word has another name, or is not known.",
            Self::Text => "A number, quantity or time becomes its text.",
            Self::Narrow => {
                "A number of 64 bits becomes one of 32 bits; one that does not fit is kept aside."
            }
            Self::Wrap => "A value is a field of an object.",
            Self::Schema => "A value without a schema has one in other versions.",
        }
    }

    /// The fields that it takes, as a hint.
    pub const fn takes(self) -> &'static str {
        match self {
            Self::Move => {
                "`move` takes fields of one type, all optional or all required (`absent-to-zero` takes an optional \
                 and a required one, also with another name), with no list or map around one of them alone; an object \
                 around a field is in every version, or has the rule `nest`"
            }
            Self::FirstOfList => {
                "`first-of-list` takes a list and a value of the type of its items, each optional or required; an \
                 object and the items can have other fields, which have rules of their own"
            }
            Self::AbsentToZero => {
                "`absent-to-zero` takes fields of one type, enums of words, lists of these, objects, or lists and \
                 maps of objects, that are optional in a version and required in another; versions can lack a field \
                 that is not an object"
            }
            Self::KeepAside => {
                "`keep-aside` takes a field that some versions lack: name it in the versions that have it; `fill` is \
                 a value of a required field of a custom resource, which its words and limits allow, or the default \
                 of a field: a text, number or boolean, or a list or map of these"
            }
            Self::KeyedList => {
                "`keyed-list` takes a map of objects and a list of objects, both optional or both required; `field` \
                 is a text of the list's items that has the key, and their other fields have rules of their own"
            }
            Self::Nest => {
                "`nest` takes an object; for the versions that have its fields beside it, name the path of the object \
                 around it"
            }
            Self::Words => {
                "`words` takes texts, all optional or all required, and lists the words of each version in one order: \
                 all words that a version names otherwise than another, each of them known to the version; `fallback` \
                 has a known word of each version that lacks some of the words"
            }
            Self::Text => {
                "`text` takes a number, a quantity, a time of a custom resource or a value that can be a number or a \
                 text, and its text; all are optional or all are required; `fallback` has the value of each version \
                 in which a text may not fit a required field"
            }
            Self::Narrow => {
                "`narrow` takes numbers of 64 and of 32 bits; all are optional or all are required; `fallback` has \
                 the number of each version in which one may not fit a required field"
            }
            Self::Wrap => {
                "`wrap` takes a value and an object that has it in `field`; both are optional or both are required, \
                 and the field can be optional in an optional object"
            }
            Self::Schema => {
                "`schema` takes a value of any JSON and a value with a schema, which is the same in all versions that \
                 have it; all are optional or all are required"
            }
        }
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
