//! What a change means for programs.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// What a change means for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A program that reads what servers send can fail or misread it.
    BreaksReaders,
    /// A request that was accepted can be refused, or does something else.
    BreaksWriters,
    /// A server-side apply can be refused, or gets other owners of fields.
    BreaksApply,
    /// The documents do not tell what the change means.
    Unknown,
    /// There is something new, and nothing that worked stops to work.
    Compatible,
    /// Nothing changes on the wire.
    NoEffect,
}

impl Class {
    /// All, the gravest first.
    pub const ALL: [Self; 6] = [
        Self::BreaksReaders,
        Self::BreaksWriters,
        Self::BreaksApply,
        Self::Unknown,
        Self::Compatible,
        Self::NoEffect,
    ];

    /// Whether a program can stop to work.
    pub fn breaks(self) -> bool {
        matches!(self, Self::BreaksReaders | Self::BreaksWriters | Self::BreaksApply)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BreaksReaders => "breaking for readers",
            Self::BreaksWriters => "breaking for writers",
            Self::BreaksApply => "breaking for server-side apply",
            Self::Unknown => "cannot be told",
            Self::Compatible => "compatible",
            Self::NoEffect => "without effect",
        })
    }
}

/// Which findings make a comparison fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// Those that break anything.
    Breaking,
    /// Those of one class.
    Class(Class),
    /// All.
    Any,
}

impl FailOn {
    /// All values with their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("breaking", Self::Breaking),
        ("readers", Self::Class(Class::BreaksReaders)),
        ("writers", Self::Class(Class::BreaksWriters)),
        ("apply", Self::Class(Class::BreaksApply)),
        ("unknown", Self::Class(Class::Unknown)),
        ("compatible", Self::Class(Class::Compatible)),
        ("no-effect", Self::Class(Class::NoEffect)),
        ("any", Self::Any),
    ];

    /// Whether a finding with these classes makes the comparison fail.
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
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name);
            format!("write one of {}", names.join(", "))
        })
    }
}
