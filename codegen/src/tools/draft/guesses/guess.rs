//! Guesses: rules that a person may mean.

use std::collections::BTreeSet;
use std::fmt;

use litemap::LiteMap;
use toml::Value;

/// The path of a field by version.
pub(in crate::tools::draft) type Names = LiteMap<String, String>;

/// Rules that a person may mean, and the fields that have another rule so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::tools::draft) struct Guess {
    /// The fields that the rules are about, which are kept aside so far.
    pub(in crate::tools::draft) joins: Vec<Names>,
    /// The fields that have one name in all versions and another meaning in each: their rules are removed.
    pub(in crate::tools::draft) apart: BTreeSet<String>,
    /// The rules; none if several fields are equally good.
    pub(in crate::tools::draft) rules: Vec<Guessed>,
    /// The evidence, for people.
    pub(in crate::tools::draft) reason: String,
}

/// A guessed rule.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tools::draft) struct Guessed {
    pub(in crate::tools::draft) kind: &'static str,
    pub(in crate::tools::draft) names: Names,
    /// The keys of this kind of rule, such as `field` of `wrap`.
    pub(in crate::tools::draft) keys: Vec<(&'static str, Value)>,
    pub(in crate::tools::draft) to_state: Vec<ToState>,
}

impl Guessed {
    pub(in crate::tools::draft) fn new(kind: &'static str, names: Names) -> Self {
        Self { kind, names, keys: Vec::new(), to_state: Vec::new() }
    }

    pub(super) fn with(kind: &'static str, names: Names, keys: Vec<(&'static str, Value)>) -> Self {
        Self { keys, ..Self::new(kind, names) }
    }
}

/// A key whose value only a person can state: the rule lacks it, or has a value that nothing but the schema speaks for.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tools::draft) struct ToState {
    pub(in crate::tools::draft) key: &'static str,
    /// For people.
    pub(in crate::tools::draft) why: String,
}

impl fmt::Display for ToState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "to state: `{}`: {}", self.key, self.why)
    }
}

/// A table with a value for each version.
pub(super) fn by_version<'v, V: Into<Value>>(
    values: impl IntoIterator<Item = (&'v String, V)>,
) -> Value {
    let values = values.into_iter().map(|(version, value)| (version.clone(), value.into()));
    Value::Table(values.collect())
}

/// The most candidates that a comment names.
pub(super) const SHOWN: usize = 3;
