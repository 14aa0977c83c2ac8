//! Notes of the command.

use std::fmt;

use k8s_coordination::v1::Lease;
use k8s_versioned::{Kind as _, MicroTime, Quoted, Short};
use serde::Serialize;

use super::Level;
use crate::input::Syntax;
use crate::object::TypeMeta;

/// A note of the command.
#[derive(Serialize)]
#[serde(tag = "finding", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Note {
    /// An input or an argument holds no object of the group.
    NoObject {
        /// True if it is empty.
        #[serde(skip)]
        empty: bool,
    },
    /// The text cannot be read, or is not an object.
    NotUnderstood {
        #[serde(skip)]
        reason: String,
        #[serde(skip)]
        hint: Option<String>,
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
        hint: String,
    },
    /// A kind of another group, which is skipped.
    Skipped(TypeMeta),
    /// A kind that is not converted; the object stays as it is.
    NotConverted(TypeMeta),
    /// No candidate for a `Lease` is eligible; this is the last renewal of one.
    OutOfDate { renewed: MicroTime },
    /// These fields were removed, as the arguments say.
    ServerFieldsRemoved { fields: Vec<&'static str> },
    /// The object keeps its owners, which may not exist in another cluster.
    OwnersKept,
    /// The object keeps its finalizers, although no controller may remove them.
    FinalizersKept,
    /// The object keeps the annotation of `kubectl apply`, in the version before the conversion.
    LastAppliedKept,
    /// The text is written again, without its comments and style.
    StyleLost {
        #[serde(skip)]
        syntax: Syntax,
    },
    /// The version does not have the field, and a file would lose it.
    WouldBeLost,
}

impl Note {
    /// The text cannot be read.
    pub(crate) fn not_understood(reason: impl Into<String>) -> Self {
        Self::NotUnderstood { reason: reason.into(), hint: None }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Self::NoObject { .. }
            | Self::NotUnderstood { .. }
            | Self::Undecodable { .. }
            | Self::UnknownField { strict: true }
            | Self::WouldBeLost
            | Self::OtherGroup { .. } => Level::Error,
            Self::UnknownField { strict: false }
            | Self::Warning { .. }
            | Self::OutOfDate { .. }
            | Self::OwnersKept
            | Self::FinalizersKept
            | Self::LastAppliedKept => Level::Warning,
            Self::Skipped(_)
            | Self::NotConverted(_)
            | Self::ServerFieldsRemoved { .. }
            | Self::StyleLost { .. } => Level::Note,
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
            Self::Skipped(of) => write!(f, "skipped: {of}"),
            Self::NotConverted(of) => write!(f, "not converted: {of}"),
            Self::OutOfDate { .. } => {
                f.write_str("too long ago, like that of every candidate for the Lease")
            }
            Self::ServerFieldsRemoved { fields } => write!(f, "removed: {}", fields.join(", ")),
            Self::OwnersKept | Self::FinalizersKept => f.write_str("kept as they are"),
            Self::LastAppliedKept => {
                f.write_str("kept as it is, in the version before the conversion")
            }
            Self::StyleLost { syntax } => f.write_str(match syntax {
                Syntax::Yaml => "comments, order and style of the YAML are not kept",
                Syntax::Json => "order and style of the JSON are not kept",
                Syntax::Protobuf => {
                    "the order of the fields, and fields of unknown numbers, are not kept"
                }
            }),
            Self::WouldBeLost => f.write_str("not a field of this version: the file would lose it"),
        }
    }
}
