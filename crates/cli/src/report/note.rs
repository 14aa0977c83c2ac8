//! A note that the command itself makes.

use std::fmt;

use k8s_coordination::v1::Lease;
use k8s_versioned::{Kind as _, MicroTime, Quoted, Short};
use serde::Serialize;

use super::Level;
use crate::object::TypeMeta;

/// A note that the command itself makes.
#[derive(Serialize)]
#[serde(tag = "finding", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Note {
    /// An input or an argument holds no object of the group.
    NoObject {
        /// True if it holds nothing at all.
        #[serde(skip)]
        empty: bool,
    },
    /// The text cannot be read, or is not an object.
    NotUnderstood {
        #[serde(skip)]
        reason: String,
        #[serde(skip)]
        advice: Option<String>,
    },
    /// A field has a value that its type does not have.
    Undecodable {
        #[serde(skip)]
        reason: String,
    },
    /// The type does not have the field.
    UnknownField {
        #[serde(skip)]
        strict: bool,
    },
    /// A server accepts the object and warns.
    Warning {
        #[serde(skip)]
        text: String,
    },
    /// A kind of another group.
    OtherGroup {
        #[serde(flatten)]
        of: TypeMeta,
        #[serde(skip)]
        advice: String,
    },
    /// A kind of another group, which is left out.
    PassedOver(TypeMeta),
    /// A kind of which there is nothing to convert; the object stays as it is.
    NotConverted(TypeMeta),
    /// No candidate for a lease takes part; this is the last sign of life of one.
    OutOfDate { renewed: MicroTime },
    /// These fields were removed on demand.
    ServerFieldsRemoved { fields: Vec<&'static str> },
    /// The object keeps its owners, which may not exist where it is created anew.
    OwnersKept,
    /// The object keeps its finalizers, which nobody may be there to remove.
    FinalizersKept,
    /// The object keeps what `kubectl apply` has sent last, in the version of then.
    LastAppliedKept,
    /// The text is written anew.
    StyleLost,
}

impl Note {
    /// The text cannot be read.
    pub(crate) fn not_understood(reason: impl Into<String>) -> Self {
        Self::NotUnderstood { reason: reason.into(), advice: None }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Self::NoObject { .. }
            | Self::NotUnderstood { .. }
            | Self::Undecodable { .. }
            | Self::UnknownField { strict: true }
            | Self::OtherGroup { .. } => Level::Error,
            Self::UnknownField { strict: false }
            | Self::Warning { .. }
            | Self::OutOfDate { .. }
            | Self::OwnersKept
            | Self::FinalizersKept
            | Self::LastAppliedKept => Level::Warning,
            Self::PassedOver(_)
            | Self::NotConverted(_)
            | Self::ServerFieldsRemoved { .. }
            | Self::StyleLost => Level::Note,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject { empty: true } => f.write_str("it is empty"),
            Self::NoObject { empty: false } => {
                write!(f, "it holds no object of {}", Quoted(Lease::GROUP))
            }
            Self::NotUnderstood { reason, .. } | Self::Undecodable { reason } => {
                Short(reason).fmt(f)
            }
            Self::UnknownField { strict: true } => {
                f.write_str("not a field of this version: a server refuses the object")
            }
            Self::UnknownField { strict: false } => {
                f.write_str("not a field of this version: a server drops it")
            }
            Self::Warning { text } => write!(f, "a server warns: {}", Short(text)),
            Self::OtherGroup { of, .. } => {
                write!(f, "{of} is not of the group {}", Quoted(Lease::GROUP))
            }
            Self::PassedOver(of) => write!(f, "passed over: {of}"),
            Self::NotConverted(of) => write!(f, "not converted: {of}"),
            Self::OutOfDate { .. } => {
                f.write_str("too long ago, as that of every candidate for the same Lease")
            }
            Self::ServerFieldsRemoved { fields } => write!(f, "removed: {}", fields.join(", ")),
            Self::OwnersKept | Self::FinalizersKept => f.write_str("kept as they are"),
            Self::LastAppliedKept => f.write_str("kept as it is, in the version of the source"),
            Self::StyleLost => f.write_str("comments, order and style of the YAML are not kept"),
        }
    }
}
