//! Findings about a field.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use k8s_versioned::quoted::Short;

/// Findings about a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Finding {
    /// The target cannot hold the value; it is kept in the annotation for the way back.
    Preserved {
        /// The value; `null` for an absent one.
        value: Value,
    },
    /// The value came back from the annotation.
    Restored {
        /// The value; `null` for an absent one.
        value: Value,
    },
    /// The source had no value; a policy supplied one.
    Filled {
        /// The value.
        value: Value,
    },
    /// A kept value does not agree with the live field, which was edited since. The kept value is discarded.
    Stale {
        /// The kept value, discarded.
        kept: Value,
        /// The live value, which stays.
        live: Value,
    },
    /// The annotation holds a text that no conversion writes. It is discarded.
    Malformed {
        /// The text, discarded.
        text: String,
        /// The reason why it cannot be read.
        reason: String,
    },
    /// The annotation holds values that can be read and that no conversion keeps. They are discarded.
    Unsupported {
        /// The text, discarded.
        text: String,
        /// The reason why it is not used.
        reason: String,
    },
    /// A kept value adds nothing to the live field. It is discarded.
    Redundant {
        /// The kept value.
        value: Value,
    },
    /// The value cannot be kept, because the annotations would be larger than servers allow.
    TooLarge {
        /// The value, lost.
        value: Value,
    },
    /// The target cannot hold the value, and there is no annotation to keep it in.
    Lost {
        /// The value, lost.
        value: Value,
    },
    /// Servers of the target version require the field, and it is empty.
    InvalidInTarget,
    /// The source has no value for the field, and the policy refuses such objects.
    Refused,
    /// The source lacks a part of the object, which counts as empty.
    Missing,
    /// The source version does not know the field, so it is dropped, as servers do.
    UnknownField {
        /// The value, dropped.
        value: Value,
    },
}

/// The severity of a finding, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Information: no value is lost, and the result is valid.
    Note,
    /// Servers of the target version will reject the object.
    Invalid,
    /// A value is lost.
    Loss,
    /// A policy of the caller refuses the object.
    Refused,
}

impl Finding {
    /// How grave the finding is, from a note to a refusal.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Preserved { .. }
            | Self::Restored { .. }
            | Self::Filled { .. }
            | Self::Redundant { .. }
            | Self::Missing => Severity::Note,
            Self::InvalidInTarget => Severity::Invalid,
            Self::Stale { .. }
            | Self::Malformed { .. }
            | Self::Unsupported { .. }
            | Self::TooLarge { .. }
            | Self::Lost { .. }
            | Self::UnknownField { .. } => Severity::Loss,
            Self::Refused => Severity::Refused,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preserved { value } => write!(f, "kept in an annotation: {}", Shown(value)),
            Self::Restored { value } => write!(f, "restored from the annotation: {}", Shown(value)),
            Self::Filled { value } => write!(f, "had no value, filled with {}", Shown(value)),
            Self::Stale { kept, live } => {
                let (kept, live) = (Shown(kept), Shown(live));
                write!(f, "edited: the kept value {kept} is discarded, the live value {live} stays")
            }
            Self::Malformed { text, reason } => {
                let (text, reason) = (Short(text), Short(reason));
                write!(f, "discarded because it cannot be read ({reason}): {text}")
            }
            Self::Unsupported { text, reason } => {
                let (text, reason) = (Short(text), Short(reason));
                write!(f, "discarded because it cannot be used ({reason}): {text}")
            }
            Self::Redundant { value } => {
                write!(f, "redundant in the annotation: {}", Shown(value))
            }
            Self::TooLarge { value } => {
                let value = Shown(value);
                write!(f, "lost because the annotations have no room for it: {value}")
            }
            Self::Lost { value } => write!(f, "lost: {}", Shown(value)),
            Self::InvalidInTarget => {
                f.write_str("empty, but servers of the target version require it")
            }
            Self::Refused => f.write_str("has no value, but the caller requires one"),
            Self::Missing => f.write_str("absent, counts as empty"),
            Self::UnknownField { value } => {
                let value = value.to_string();
                write!(f, "not a field of this version, dropped: {}", Short(&value))
            }
        }
    }
}

/// The value of a field.
struct Shown<'a>(&'a Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("absent"),
            value => Short(&value.to_string()).fmt(f),
        }
    }
}
