//! Objects of other kinds in values of any JSON, such as the spec of a task in the status of its run.

use std::collections::BTreeSet;

use heck::{ToLowerCamelCase, ToUpperCamelCase};

use super::guess::{Guess, Guessed, Names};
use super::kept::{Guesser, Renamed};
use crate::conversion::names;
use crate::gather::Gather;
use crate::plan::{ItemPath, RustType, Struct, code};
use crate::rules::paths::{self, FieldPath};

/// The parts of an object that other objects hold.
const PARTS: [&str; 2] = ["spec", "status"];

/// The most fields among which values of any JSON are looked for.
const MOST_FIELDS: usize = 10_000;

impl Guesser<'_> {
    /// Guesses that a value of any JSON is a part of an object of a kind that its name says: `taskSpec` is the `spec` of a `Task`. The
    /// rule is for two versions.
    pub(super) fn embedded(&self, renamed: &Renamed<'_>) -> Vec<Guess> {
        let mut versions = self.objects.iter();
        let (Some((of, root)), Some((other, _)), None) =
            (versions.next(), versions.next(), versions.next())
        else {
            return Vec::new();
        };
        let parts = self.named_as_parts(root);
        let guess = |(path, kind, part): (FieldPath, String, &'static str)| {
            let path_there = renamed.path_in(other, of, &path);
            let names: Names =
                [(of.clone(), path.into()), (other.clone(), path_there)].into_iter().gather();
            let is_it = self.is_any(&names) && self.is_part(&kind, part);
            let keys = vec![("kind", kind.as_str().into()), ("path", part.into())];
            is_it.then(|| Guess {
                apart: names.values().cloned().gather(),
                rules: vec![Guessed::with(names::EMBEDDED, names, keys)],
                reason: format!("its name says the {} of a {}", code(part), code(&kind)),
                ..Guess::default()
            })
        };
        parts.into_iter().filter_map(guess).collect()
    }

    /// The fields at any depth whose names say a part of a kind, with the kind and the part.
    fn named_as_parts<'s>(&'s self, root: &'s Struct) -> Vec<(FieldPath, String, &'static str)> {
        let mut found = Vec::new();
        let mut left: Vec<(FieldPath, &'s Struct, BTreeSet<&'s ItemPath>)> =
            vec![(FieldPath::default(), root, BTreeSet::new())];
        let mut count = 0;
        while let Some((path, of, around)) = left.pop() {
            count += of.fields.len();
            self.compared.set(self.compared.get() + of.fields.len());
            for field in of.fields.iter().filter(|_| count <= MOST_FIELDS) {
                let mut inner = path.child(&paths::segment(&field.wire));
                let part = PARTS.iter().find_map(|part| {
                    let kind = field.wire.strip_suffix(&part.to_upper_camel_case())?;
                    (kind == kind.to_lower_camel_case())
                        .then(|| (kind.to_upper_camel_case(), *part))
                });
                found.extend(part.map(|(kind, part)| (inner.clone(), kind, part)));
                let mut held = field.rust_type.present();
                while let RustType::List(item) | RustType::Map(item) = held {
                    (inner, held) = (inner.items(), item.present());
                }
                if let Some(of) = self.structs.of_type(held).filter(|of| !around.contains(&of.path))
                {
                    let around = around.iter().copied().chain([&of.path]).collect();
                    left.push((inner, of, around));
                }
            }
        }
        found
    }

    /// Whether the versions have a value at these paths that is any JSON in one of them, and any JSON or an object in the other.
    fn is_any(&self, names: &Names) -> bool {
        let types = names.iter().map(|(version, path)| {
            let field = self.structs.at(self.objects.get(version)?, path)?;
            Some(field.rust_type.innermost().clone())
        });
        let Some(types) = types.collect::<Option<Vec<RustType>>>() else { return false };
        let fits = |of: &RustType| of.is_json() || matches!(of, RustType::Struct(_));
        types.iter().all(fits) && types.iter().any(RustType::is_json)
    }

    /// Whether the group has a kind with such a part, an object of another type in each version.
    fn is_part(&self, kind: &str, part: &str) -> bool {
        let versions = self.structs.of_kind(&self.group, kind);
        let part = |version: &String| {
            let found = self.structs.at(versions.get(version)?, part)?;
            self.structs.of_type(found.rust_type.present()).map(|of| &of.path)
        };
        let parts: Option<BTreeSet<&ItemPath>> = self.objects.keys().map(part).collect();
        parts.is_some_and(|parts| parts.len() == self.objects.len())
    }
}
