//! `names.toml`: the Rust names of types that have none in the documents. The generator writes the file; a name in it
//! can be changed.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

use super::toml_file::{RuleFile, optional};
use crate::problem::{Place, PlanCause, RuleCause};
use crate::{Files, Problems};

/// The names: for each version, by the beginning of the names of its schemas, the objects of each Rust type. An object is
/// its kind and its path: `Widget#spec.parts[]`; or a kind alone whose type has another name. `v1::Widget apply` is the apply
/// type of a Rust type, if its name is another one than the type's with `Apply`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Names(BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl RuleFile for Names {
    const PATH: &'static str = "names.toml";
}

impl Names {
    /// The names of the objects of a version, by their full keys.
    pub(crate) fn of_version(&self, prefix: &str) -> BTreeMap<String, &str> {
        let names = self.0.get(prefix).into_iter().flatten();
        let names = names.flat_map(|(name, objects)| {
            objects.iter().map(move |object| (format!("{prefix}.{object}"), name.as_str()))
        });
        names.collect()
    }

    /// The names of all objects, by their full keys.
    pub(crate) fn by_object(&self) -> BTreeMap<String, &str> {
        self.0.keys().flat_map(|prefix| self.of_version(prefix)).collect()
    }

    /// The names of all types and folders in the modules of versions, each with the beginning of the names of its schemas.
    pub(crate) fn types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(prefix, names)| {
            names.keys().map(move |name| (prefix.as_str(), name.split("::").next().unwrap_or(name)))
        })
    }

    /// Adds a type: the objects with these full keys.
    pub(crate) fn add(&mut self, prefix: &str, name: &str, keys: &[String]) {
        let version = self.0.entry(prefix.to_owned()).or_default();
        let objects = version.entry(name.to_owned()).or_default();
        let rest = |key: &String| key.strip_prefix(prefix)?.strip_prefix('.').map(str::to_owned);
        objects.extend(keys.iter().filter_map(rest));
        objects.sort();
    }

    /// Reports names that Rust cannot have, and objects with two names.
    pub(crate) fn check(&self, problems: &mut Problems) {
        let place = Place::file(Self::PATH);
        for names in self.0.values() {
            let mut seen = BTreeMap::new();
            for (name, objects) in names {
                if !name.split("::").all(crate::plan::is_name) {
                    problems.push(&place, PlanCause::NotAnIdentifier(name.clone()));
                }
                for object in objects {
                    if seen.insert(object, name).is_some() {
                        problems.push(&place, RuleCause::Twice(object.clone()));
                    }
                }
            }
        }
    }

    /// The text of the file; `None` if there is nothing in it.
    pub(crate) fn text(&self) -> Option<String> {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let mut text = "# Written by the generator: the Rust names of types that have none in the documents. Later \
             releases keep them.\n# To rename a type, change its name here.\n"
            .to_owned();
        for (prefix, names) in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n[{}]", quoted(prefix));
            for (name, objects) in names {
                let _ = writeln!(text, "{} = [", quoted(name));
                for object in objects {
                    let _ = writeln!(text, "  {},", quoted(object));
                }
                text.push_str("]\n");
            }
        }
        (!self.0.is_empty()).then_some(text)
    }
}

pub(super) fn read(specs: &Files) -> Result<Names, Problems> {
    optional(specs, Names::PATH)
}
