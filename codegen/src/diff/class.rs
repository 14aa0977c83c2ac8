//! The meaning of a change for programs.

use std::str::FromStr;

use serde::Serialize;
use strum::{Display, EnumString, VariantArray};

/// The effect of a change on programs, the gravest first. It displays as a phrase, and parses from one word.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Display,
    EnumString,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A program that reads responses can fail or misread them.
    #[strum(to_string = "breaking for readers", serialize = "readers")]
    BreaksReaders,
    /// A request that was accepted can be refused, or has another effect.
    #[strum(to_string = "breaking for writers", serialize = "writers")]
    BreaksWriters,
    /// A server-side apply can be refused, or gets other owners of fields.
    #[strum(to_string = "breaking for server-side apply", serialize = "apply")]
    BreaksApply,
    /// The documents do not state the effect.
    #[strum(to_string = "of unknown effect", serialize = "unknown")]
    Unknown,
    /// Something is new, and every program still works.
    #[strum(to_string = "compatible")]
    Compatible,
    /// Nothing changes in requests and responses.
    #[strum(to_string = "without effect", serialize = "no-effect")]
    NoEffect,
}

impl Class {
    /// Tells if a program can stop working.
    pub fn breaks(self) -> bool {
        matches!(self, Self::BreaksReaders | Self::BreaksWriters | Self::BreaksApply)
    }
}

/// The findings that make a comparison fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// The findings that break any program.
    Breaking,
    /// The findings of one class.
    Class(Class),
    /// All findings.
    Any,
}

impl FailOn {
    /// Tells if a finding with these classes makes the comparison fail.
    pub fn covers(self, classes: &[Class]) -> bool {
        match self {
            Self::Breaking => classes.iter().any(|class| class.breaks()),
            Self::Class(class) => classes.contains(&class),
            Self::Any => true,
        }
    }
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const NAMES: &str =
            "breaking, readers, writers, apply, unknown, compatible, no-effect, any";
        match text {
            "breaking" => Ok(Self::Breaking),
            "any" => Ok(Self::Any),
            class => class.parse().map(Self::Class).map_err(|_| format!("write one of {NAMES}")),
        }
    }
}
