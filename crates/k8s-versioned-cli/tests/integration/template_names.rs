//! The names that the files of a new package import: without one of them this module does not compile. Only `.ci/run --all`
//! compiles such packages.

#[allow(unused_imports, reason = "a new package uses them")]
mod library {
    mod prelude {
        use k8s_versioned::requests::Verbs;
        use k8s_versioned::{
            ClusterScoped, CustomResource, HasSpec, HasSubresource, Kind, Namespaced, Resource,
            Serves, verbs,
        };
    }

    use k8s_versioned::requests;
    use k8s_versioned::{
        Bytes, DateTime, DecodeError, DecodedObject, Duration, IntOrString, Json, KindEntry,
        Lifecycle, List, MicroTime, Other, ParseError, Quantity, RawExtension, Registry, Release,
        Time, TypeMeta, Version, for_each_object, from_json, subresource,
    };
}

#[allow(unused_imports, reason = "a new package uses them")]
mod tests_and_examples {
    use k8s_versioned_conformance::check::Convertible;
    use k8s_versioned_conformance::convert_files;
    use k8s_versioned_conformance::operation::Operations;
    use k8s_versioned_conformance::walks::{Schemas, walk};
    use k8s_versioned_conformance::{Documents, Recordings, Suite, check};
}

/// The names that a text imports from packages of this workspace, one by one.
fn imported(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for statement in text.split(';') {
        let Some((_, tree)) = statement.rsplit_once("use k8s_versioned") else { continue };
        let tree: String = tree.split_whitespace().collect();
        let tree = tree.replace("{{", "{").replace("}}", "}");
        let (path, last) = match tree.split_once("::{") {
            Some((path, names)) => (path, names.trim_end_matches('}')),
            None => tree.rsplit_once("::").unwrap(),
        };
        names.extend(last.trim_end_matches(',').split(',').map(|name| format!("{path}::{name}")));
    }
    names.sort();
    names.dedup();
    names
}

#[test]
fn names_of_new_packages_are_there() {
    let here = imported(include_str!("template_names.rs").split_once("/// The names").unwrap().0);
    let templates = [
        include_str!("../../src/template/lib.rs.txt"),
        include_str!("../../src/template/convert.rs.txt"),
        include_str!("../../src/template/recorded.rs.txt"),
        include_str!("../../src/template/conversions.rs.txt"),
    ];
    let lacking: Vec<String> =
        templates.map(imported).concat().into_iter().filter(|name| !here.contains(name)).collect();
    assert_eq!(
        lacking,
        [] as [String; 0],
        "state these above, so that the compiler looks for them"
    );
    assert!(here.contains(&"::DecodedObject".to_owned()), "{here:?}");
}
