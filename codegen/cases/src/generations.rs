//! The specs of this repository as three generations of them: without the newest release, with it, and with one that is
//! invented.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "the documents and rules of this repository, which tests read"
)]

use coordination_codegen::{Files, manifest, model, rules, spec};
use k8s_versioned::Release;

use crate::{invented, load};

const NEWEST: Release = Release::new(1, 36);

/// The modules of the generations, and what each is made from.
pub(crate) fn all(specs: &Files) -> [(&'static str, Files); 3] {
    let known = until(specs, NEWEST);
    let folder = format!("{NEWEST}/");
    let in_newest = known.iter();
    let in_newest = in_newest.filter_map(|(path, text)| Some((path.strip_prefix(&folder)?, text)));
    let in_newest = in_newest.map(|(name, text)| (name.to_owned(), text.clone())).collect();
    let (mut more, release) = (known.clone(), NEWEST.next());
    let documents = invented::documents(&in_newest).into_iter();
    more.extend(documents.map(|(name, text)| (format!("{release}/{name}"), text)));
    for (_, edit) in invented::STEPS {
        edit(&mut more, release);
    }
    [("until_1_35", until(specs, Release::new(1, 35))), ("until_1_36", known), ("invented", more)]
}

/// The specs as they were when `newest` was the newest release: without later documents, and without the
/// descriptions of what only these have.
fn until(specs: &Files, newest: Release) -> Files {
    let mut specs = specs.clone();
    specs.remove(manifest::PATH);
    specs.retain(|path, _| {
        let folder = path.split('/').next().and_then(|folder| folder.parse().ok());
        folder.is_none_or(|release: Release| release <= newest)
    });
    let mut listed = specs.clone();
    load::add_manifest(&mut listed);
    let group = rules::read_group(&listed).unwrap().group;
    let documents = spec::read_all(&listed, &manifest::verify(&listed).unwrap()).unwrap();
    let model = model::merge(&group, &documents).unwrap();
    let names: Vec<String> =
        specs.keys().filter(|name| name.starts_with("descriptions/")).cloned().collect();
    for name in names {
        let module = name.trim_start_matches("descriptions/").trim_end_matches(".toml");
        let types = |name: &str| {
            let end = format!(".{module}.{name}");
            model.types.iter().find(move |(schema, _)| schema.ends_with(&end))
        };
        invented::edit_toml(&mut specs, &name, |file| {
            file.retain(|name, _| name == "module" || types(name).is_some());
            for (name, described) in file {
                let fields = described.get_mut("fields").and_then(toml::Value::as_table_mut);
                if let (Some((_, found)), Some(fields)) = (types(name), fields) {
                    fields.retain(|field, _| found.fields().any(|(known, _)| known == field));
                }
            }
        });
    }
    specs
}
