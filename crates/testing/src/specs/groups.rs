//! The documents of all groups of seven releases, and upstream's vectors of their kinds, from `codegen/cases/groups`.
//!
//! The documents come from upstream's source tree, without descriptions. Both files have one in a line.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use k8s_versioned_codegen::Files;
use serde_json::{Map, Value};

/// The lines of a compressed file.
pub fn lines(file: &str) -> impl Iterator<Item = String> {
    let path = super::of_workspace("codegen/cases/groups").join(file);
    BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines().map(Result::unwrap)
}

/// The documents that `select` takes by their paths, such as `v1.36/api__v1_openapi.json`.
pub fn documents(select: impl Fn(&str) -> bool) -> Files {
    // Many tests of a program read them.
    static ALL: LazyLock<Files> = LazyLock::new(|| lines("documents.jsonl.gz").map(file).collect());
    let selected = ALL.iter().filter(|(path, _)| select(path));
    selected.map(|(path, text)| (path.clone(), text.clone())).collect()
}

/// The path and the document of a line. To parse 18 MB would take seconds.
fn file(line: String) -> (String, Vec<u8>) {
    let parts =
        line.strip_prefix("{\"file\":\"").and_then(|rest| rest.split_once("\",\"document\":"));
    let (path, rest) = parts.unwrap();
    (path.to_owned(), rest.strip_suffix('}').unwrap().into())
}

/// The group that a document describes.
pub fn group_of(path: &str) -> String {
    let group = path.rsplit('/').next().and_then(super::group_of);
    group.unwrap_or_else(|| panic!("{path} is not the path of a document")).to_owned()
}

/// What a server 1.36 published for 185 definitions of public projects: the documents of each group, with the schemas that all
/// documents share.
pub fn custom_documents() -> &'static BTreeMap<String, Files> {
    static DOCUMENTS: LazyLock<BTreeMap<String, Files>> = LazyLock::new(read_custom_documents);
    &DOCUMENTS
}

fn read_custom_documents() -> BTreeMap<String, Files> {
    let shared = super::of_workspace("codegen/base/custom-resources.json");
    let shared: Map<String, Value> =
        serde_json::from_reader(BufReader::new(File::open(shared).unwrap())).unwrap();
    let mut published: BTreeMap<String, Files> = BTreeMap::new();
    for text in lines("../crds/documents.jsonl.gz") {
        let mut line: Value = serde_json::from_str(&text).unwrap();
        let schemas = line["document"]["components"]["schemas"].as_object_mut().unwrap();
        let has = |name: &str| !name.contains("Scale") || text.contains("autoscaling.v1.Scale");
        schemas.extend(shared.clone().into_iter().filter(|(name, _)| has(name)));
        let file = line["file"].as_str().unwrap();
        let document = line["document"].to_string().into_bytes();
        published.entry(group_of(file)).or_default().insert(file.to_owned(), document);
    }
    published
}

/// What a server published for a definition of [`custom_documents`], if its version had another name.
pub fn published_as(version: &str) -> (String, Vec<u8>) {
    let (group, old) = ("hnc.x-k8s.io", "v1alpha2");
    let file = |version: &str| format!("apis__{group}__{version}_openapi.json");
    let text = String::from_utf8(custom_documents()[group][&file(old)].clone()).unwrap();
    // The names of operations have it in capitals, without its dashes.
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    let id = version.split('-').map(capital).collect::<String>();
    (file(version), text.replace(old, version).replace("V1alpha2", &id).into_bytes())
}
