//! Documents made of definitions, compared with what a live server published for them.

use std::collections::BTreeMap;

use k8s_versioned_source::{ReadLimits, json as parse};
use testing::specs::groups::{custom_documents, lines};

use super::documents_and_definitions;
use crate::input::read_document;
use crate::spec::{Document, Operation, TypeBody};
use crate::{Files, Place, Problems};

#[test]
fn documents_are_those_of_a_live_server() {
    let name = |index| format!("{index:03}.json");
    let manifests: Files = lines("../crds/manifests.jsonl.gz")
        .enumerate()
        .map(|(index, manifest)| (name(index), manifest.into_bytes()))
        .collect();
    assert_eq!(manifests.len(), 185);

    let (ours, _) = documents_and_definitions(&manifests, true, &[]).unwrap();
    let mut published: Files = custom_documents().values().flat_map(Clone::clone).collect();
    for ours in ours {
        let file = ours.name.to_string();
        let text = published.remove(&file).unwrap();
        let tree = parse(&file.as_str().into(), &text, &ReadLimits::DOCUMENT).unwrap();
        let mut problems = Problems::new();
        let theirs = read_document(&tree, ours.release, &ours.name, &mut problems);
        assert_eq!((problems.len(), facts(&ours)), (0, facts(&theirs)), "{file}");
    }
    assert_eq!(published.keys().collect::<Vec<_>>(), Vec::<&String>::new());
}

/// What a document states, without the places: the types with the whole schemas, and the operations.
fn facts(document: &Document) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let types = document.types.iter().map(|(name, found)| {
        let mut found = found.clone();
        found.place = Place::default();
        if let TypeBody::Struct(properties) = &mut found.body {
            for (_, property) in properties.iter_mut() {
                property.place = Place::default();
            }
        }
        // A server also publishes the schemas of lists, and none is used.
        if found.properties().any(|(name, _)| name == "items") && found.property("spec").is_none() {
            found.published = None;
        }
        (name.clone(), format!("{found:?}"))
    });
    let operations = document.operations.iter().map(|(id, operation)| {
        let mut operation =
            Operation { place: Place::default(), of_verb: true, ..operation.clone() };
        for (_, parameter) in operation.parameters.iter_mut() {
            parameter.place = Place::default();
        }
        (id.clone(), format!("{operation:?}"))
    });
    (types.collect(), operations.collect())
}
