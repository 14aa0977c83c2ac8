//! What a conversion has to tell of one field.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a conversion has to tell of one field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(
    tag = "finding",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
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
    /// A kept value no longer agrees with the live field, which was edited meanwhile. It is discarded.
    Stale {
        /// The kept value, discarded.
        kept: Value,
        /// The live value, which counts.
        live: Value,
    },
    /// What stands in the annotation is not what a conversion writes. It is discarded.
    Malformed {
        /// The text, discarded.
        text: String,
        /// Why it cannot be read.
        reason: String,
    },
    /// What stands in the annotation is meant for somebody else. It is discarded.
    Unsupported {
        /// The text, discarded.
        text: String,
        /// What it is meant for.
        reason: String,
    },
    /// A kept value says nothing that the live field does not say. It is discarded.
    Redundant {
        /// The kept value.
        value: Value,
    },
    /// The annotation stood on an object of a version that never carries it. It is discarded: keeping it
    /// would revive an old value on the way back.
    ReservedKeyDiscarded {
        /// The text, discarded.
        text: String,
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
    /// The source has no value for the field, and the policy is to refuse such objects.
    Refused,
    /// The source lacks a part of the object, which counts as empty.
    Missing,
    /// The source version does not know the field, so it is dropped, as servers do.
    UnknownField {
        /// The value, dropped.
        value: Value,
    },
}

/// How much a finding matters, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Note,
    /// Servers of the target version will reject the object.
    Invalid,
    /// Something is gone for good.
    Loss,
    /// The caller wanted no such object to be converted.
    Refused,
}

impl Finding {
    /// How much it matters.
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
            | Self::ReservedKeyDiscarded { .. }
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
            Self::Preserved { value: Value::Null } => {
                f.write_str("kept in an annotation that it was absent")
            }
            Self::Restored { value: Value::Null } => {
                f.write_str("absent again, as it was by the annotation")
            }
            Self::Preserved { value } => write!(f, "kept in an annotation: {}", Shown(value)),
            Self::Restored { value } => write!(f, "restored from the annotation: {}", Shown(value)),
            Self::Filled { value } => write!(f, "was absent, filled with {}", Shown(value)),
            Self::Stale { kept, live } => write!(
                f,
                "edited since {} was kept: that is discarded, {} counts",
                Shown(kept),
                Shown(live)
            ),
            Self::Malformed { text, reason } => {
                write!(
                    f,
                    "discarded, as it cannot be read ({reason}): {}",
                    Short(text)
                )
            }
            Self::Unsupported { text, reason } => {
                write!(
                    f,
                    "discarded, as it is not for this conversion ({reason}): {}",
                    Short(text)
                )
            }
            Self::Redundant { value } => {
                write!(f, "needlessly kept in the annotation: {}", Shown(value))
            }
            Self::ReservedKeyDiscarded { text } => write!(
                f,
                "discarded, as objects of this version do not carry it: {}",
                Short(text)
            ),
            Self::TooLarge { value } => write!(
                f,
                "lost, as the annotations have no room to keep it: {}",
                Shown(value)
            ),
            Self::Lost { value } => write!(f, "lost: {}", Shown(value)),
            Self::InvalidInTarget => {
                f.write_str("empty, but servers of the target version require it")
            }
            Self::Refused => f.write_str("absent, but required by the caller"),
            Self::Missing => f.write_str("absent, taken as empty"),
            Self::UnknownField { value } => {
                write!(f, "not a field of this version, dropped: {}", Shown(value))
            }
        }
    }
}

/// A value as text; long ones are cut.
struct Shown<'a>(&'a Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("absent"),
            value => Short(&value.to_string()).fmt(f),
        }
    }
}

/// A text; a long one is cut. Control characters are escaped: the text may come from anybody and go to a
/// terminal.
struct Short<'a>(&'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 200;
        for char in self.0.chars().take(LIMIT) {
            if char.is_control() {
                write!(f, "{}", char.escape_default())?;
            } else {
                write!(f, "{char}")?;
            }
        }
        match self.0.chars().nth(LIMIT) {
            Some(_) => write!(f, "… ({} bytes)", self.0.len()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Short;

    #[test]
    fn texts_are_cut_and_escaped() {
        assert_eq!(Short("a\u{1b}[1mé").to_string(), "a\\u{1b}[1mé");
        let whole = "é".repeat(200);
        assert_eq!(Short(&whole).to_string(), whole);
        assert_eq!(
            Short(&(whole.clone() + "x")).to_string(),
            format!("{whole}… (401 bytes)")
        );
    }
}
