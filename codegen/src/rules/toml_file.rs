//! TOML text to rules that know their place.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::problem::{FileCause, Place, RuleCause};
use crate::{Files, Problems};

/// A file of rules.
pub trait RuleFile {
    /// Its path under `specs/`.
    const PATH: &'static str;
}

/// A value in the rule file `F`, and its place.
#[derive(Clone, Debug)]
pub struct Placed<F, T = String> {
    /// Where the file has the value.
    pub place: Place,
    /// The value, as it was read.
    pub value: T,
    file: PhantomData<F>,
}

impl<'de, F: RuleFile, T: Deserialize<'de>> Deserialize<'de> for Placed<F, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        let place = Place::of_text(F::PATH, &spanned);
        Ok(Self { place, value: spanned.into_inner(), file: PhantomData })
    }
}

impl<F> Placed<F> {
    /// Reports a rule that matches nothing.
    pub(crate) fn matches_nothing(&self, problems: &mut Problems) {
        problems.push(&self.place, RuleCause::MatchesNothing(self.value.clone()));
    }

    /// Reports the second of two rules for the same thing.
    pub(crate) fn occurs_twice(&self, problems: &mut Problems) {
        problems.push(&self.place, RuleCause::Twice(self.value.clone()));
    }

    /// Reports a rule that changes nothing.
    pub(crate) fn is_without_effect(&self, why: &'static str, problems: &mut Problems) {
        problems.push(&self.place, RuleCause::WithoutEffect(self.value.clone(), why));
    }

    /// Reports a rule with an empty reason.
    pub(super) fn check_reason(&self, problems: &mut Problems) {
        if self.value.trim().is_empty() {
            problems.push(&self.place, RuleCause::NoReason);
        }
    }
}

/// Rules of a project, and rules that hold for every group.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Vec<T>")]
pub struct Layers<T> {
    /// The project's own rules.
    pub own: Vec<T>,
    /// The rules that are part of the generator: they need not match anything.
    pub shipped: Vec<T>,
}

impl<T> Layers<T> {
    /// All rules, the project's own first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.own.iter().chain(&self.shipped)
    }

    /// Adds the rules of the generator. A project's own rule about the same thing replaces one of these.
    pub(super) fn ship<K: PartialEq>(&mut self, base: Self, about: impl Fn(&T) -> K) {
        let is_own = |rule: &T| self.own.iter().any(|own| about(own) == about(rule));
        self.shipped = base.own.into_iter().filter(|rule| !is_own(rule)).collect();
    }
}

impl<T> From<Vec<T>> for Layers<T> {
    fn from(own: Vec<T>) -> Self {
        Self { own, shipped: Vec::new() }
    }
}

impl<T> Default for Layers<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

/// Reads the TOML text of `file`.
///
/// # Errors
/// The first mistake in it.
pub fn parse_toml<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, Problems> {
    let fail = |span, cause| Problems::one(Place { span, ..Place::file(file) }, cause);
    let text = str::from_utf8(bytes).map_err(|error| {
        fail(Some(error.valid_up_to()..error.valid_up_to()), FileCause::NotUtf8)
    })?;
    toml::from_str(text)
        .map_err(|error| fail(error.span(), FileCause::Toml(error.message().to_owned())))
}

/// Reads an optional rule file.
pub(super) fn optional<T: DeserializeOwned + Default>(
    specs: &Files,
    file: &str,
) -> Result<T, Problems> {
    specs.get(file).map_or_else(|| Ok(T::default()), |bytes| parse_toml(file, bytes))
}
