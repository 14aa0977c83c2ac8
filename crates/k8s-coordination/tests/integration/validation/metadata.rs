//! One case for each rule about metadata.

use k8s_coordination::meta::v1::{ObjectMeta, OwnerReference};
use k8s_coordination::validation::Validate;
use serde_json::{Map, Value};

use super::objects::{Spec, managed, named, owner, short, with_metadata};
use testing::table::rows;

/// Name, prefix, the errors of a Lease, the errors of a candidate. `LONG` is 254 letters, `CUT` 57 and a letter of two bytes.
const NAMES: &str = "
            |       | name Required                      | same
a.b-c       |       |                                    |
Upper_lower |       | name Invalid                       |
.           |       | name Invalid                       | same
..a         |       | name Invalid                       | same
a b         |       | name Invalid                       | same
LONG        |       | name Invalid                       | same
a           | b-    |                                    |
a           | B_    | generateName Invalid               |
a           | a b   | generateName Invalid               | same
# In the end a URL must be able to hold it, with the byte before the dash.
a           | %-    | generateName Invalid               | same
A           | b/-   | name Invalid                       | generateName Invalid
            | a b   | generateName Invalid, name Invalid | same
            | a-    |                                    |
# The byte before a dash is not looked at in the prefix, but it is in the name.
            | A-    | name Invalid                       |
# A long prefix is cut for the name.
            | LONG  | generateName Invalid               | same
            | CUT-  | generateName Invalid, name Invalid | same
";

#[test]
fn names() {
    let long = |text: &str| {
        let text = text.replace("LONG", &"n".repeat(254));
        text.replace("CUT", &format!("{}é", "a".repeat(57)))
    };
    let candidate = Spec { emulation: "", binary: "1.0.0", strategies: "a/b" };
    let check = |name: &str, prefix: &str, expected: [&str; 2]| {
        let metadata = named(name).with_generate_name(prefix);
        let candidate = candidate.second_generation().with_metadata(metadata.clone());
        let found = [with_metadata(metadata).validate(), candidate.validate()];
        assert_eq!(found.map(short), expected, "{name:?} {prefix:?}");
    };
    for [name, prefix, as_lease, as_candidate] in rows(NAMES) {
        check(&long(name), &long(prefix), [as_lease, as_candidate]);
    }
    let both = "name Invalid, name Invalid";
    check(&"N".repeat(254), "", [both, "name Invalid"]);
}

/// Owners: version, kind, name and uid of each, `-` for an empty text, `!` for a controller.
fn owners(text: &str) -> ObjectMeta {
    let owners = text.split(", ").map(|text| {
        let mut words = text.split(' ').map(|word| if word == "-" { "" } else { word });
        let [version, kind, name, uid] = [(); 4].map(|()| words.next().unwrap());
        let mut owner = owner(version, kind, name, uid);
        owner.controller = words.next().map(|word| word == "!");
        owner
    });
    named("a").with_owner_references(owners.collect::<Vec<OwnerReference>>())
}

/// The rules about owners that hold on creation and on an update.
const OWNERS: &str = "
apps/v1 Deployment n u                      |
- - - -                                     | owner.apiVersion Invalid, owner.kind Invalid, owner.name Invalid, owner.uid Invalid
apps/ K n u                                 | owner.apiVersion Invalid
a/b/c K n u                                 | owner.apiVersion Invalid
v1 Event n u                                | owner Invalid
# The core group can be written with a slash.
/v1 Event n u                               | owner Invalid
/ Event n u                                 | owner.apiVersion Invalid
events.k8s.io/v1 Event n u                  |
# Each owner counts, also if it is as wrong as another.
v1 - n u, v1 - n u                          | owner.kind Invalid, owner.kind Invalid
v1 Node a u !                               |
v1 Node a u !, v1 Node a u !                | owner Invalid
# Servers meet the second and the third controller on their way through the owners.
v1 Node a u !, v1 Node b u !, v1 - n u !    | owner Invalid, owner.kind Invalid, owner Invalid
";

/// The other rules that hold on creation and on an update.
fn rules() -> Vec<(ObjectMeta, &'static str)> {
    let labels = |pairs: &[(&str, &str)]| named("a").with_labels(pairs.iter().copied());
    let annotations = |pairs: &[(&str, &str)]| named("a").with_annotations(pairs.iter().copied());
    let annotated = |size: usize| annotations(&[("key", &"x".repeat(size - 3))]);
    let twice = |size: usize| {
        let half = "é".repeat((size / 2 - 2) / 2);
        annotations(&[("k1", &half), ("k2", &half)])
    };
    let finalizers = |names: &[&str]| named("a").with_finalizers(names.iter().copied());
    let entry = |operation, fields, manager: &str, subresource: &str| {
        named("a").with_managed_fields([managed(operation, fields, manager, subresource)])
    };
    vec![
        (labels(&[("a/b", "c"), ("d", "")]), ""),
        (labels(&[("-a", "b")]), "labels"),
        (labels(&[("a", "-b")]), "labels"),
        (labels(&[("", "b c")]), "labels, labels, labels"),
        (labels(&[("a", "b c"), ("b", "b c")]), "labels, labels"),
        (annotations(&[("UPPER/Key", "any thing")]), ""),
        (annotations(&[("a b", "c")]), "annotations"),
        (annotated(262_144), ""),
        (annotated(262_145), "annotations TooLong"),
        // The bytes of all keys and values together.
        (twice(262_144), ""),
        (twice(262_148), "annotations TooLong"),
        (finalizers(&["x", "example.com/y"]), ""),
        (finalizers(&["orphan"]), ""),
        (finalizers(&["a/b/c", "d e"]), "finalizers, finalizers"),
        (finalizers(&["foregroundDeletion", "orphan"]), "finalizers"),
        (entry("Apply", "FieldsV1", "kubectl", "status"), ""),
        (entry("Update", "", "", ""), ""),
        (entry("", "FieldsV1", "", ""), "managedFields[0].operation"),
        (entry("Apply", "V2", "", ""), "managedFields[0].fieldsType"),
        (entry("Apply", "", &"m".repeat(129), ""), "managedFields[0].manager TooLong"),
        (entry("Apply", "", "a\nb\n", ""), "managedFields[0].manager"),
        (entry("Apply", "", "", &"s".repeat(257)), "managedFields[0].subresource TooLong"),
    ]
}

/// The errors on creation. Those on an update are the same.
fn both(metadata: &ObjectMeta) -> String {
    let stored = with_metadata(named("a"));
    let created = short(with_metadata(metadata.clone()).validate());
    let update = with_metadata(metadata.clone().with_resource_version("1"));
    assert_eq!(short(update.validate_update(&stored)), created, "{metadata:?}");
    created
}

#[test]
fn metadata() {
    for (metadata, expected) in rules() {
        let found = both(&metadata).replace(" Invalid", "");
        assert_eq!(found, expected, "{metadata:?}");
    }
    for [text, expected] in rows(OWNERS) {
        let found = both(&owners(text)).replace("ownerReferences", "owner");
        assert_eq!(found, expected, "{text}");
    }
    let generation = with_metadata(named("a").with_generation(-1));
    assert_eq!(short(generation.validate()), "generation Invalid");
}

#[test]
fn namespaces() {
    for (namespace, expected) in [
        ("", "namespace Required"),
        ("kube-system", ""),
        ("a.b", "namespace Invalid"),
        ("A", "namespace Invalid"),
        (&"n".repeat(64), "namespace Invalid"),
    ] {
        let lease = with_metadata(named("a").with_namespace(namespace));
        assert_eq!(short(lease.validate()), expected, "{namespace:?}");
    }
}

/// A stored object that is being deleted.
const STORED: &str = r#"{"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "1", "generation": 3,
    "creationTimestamp": "2026-01-01T00:00:00Z", "deletionTimestamp": "2026-01-01T00:00:00Z",
    "deletionGracePeriodSeconds": 5, "finalizers": ["x", "y"]}"#;

/// The changes of an update, and the errors.
const UPDATES: &str = r#"
{}                                               |
{"resourceVersion": ""}                          | resourceVersion Invalid
{"resourceVersion": "0"}                         | resourceVersion Invalid
# It is read as a number.
{"resourceVersion": "00"}                        | resourceVersion Invalid
{"resourceVersion": "010"}                       |
{"generation": 4}                                |
{"generation": 2}                                | generation Invalid
{"name": "b"}                                    | name Invalid
{"namespace": "b"}                               | namespace Invalid
{"uid": "v"}                                     | uid Invalid
{"finalizers": ["y"]}                            |
{"finalizers": ["x", "z"]}                       | finalizers Forbidden
{"creationTimestamp": "2026-01-02T00:00:00Z"}    | creationTimestamp Invalid
{"deletionTimestamp": "2026-01-02T00:00:00Z"}    | deletionTimestamp Invalid
{"deletionGracePeriodSeconds": 6}                | deletionGracePeriodSeconds Invalid
# The form of a prefix does not matter any more, as long as a URL can hold it.
{"generateName": "A b/%"}                        | generateName Invalid, generateName Invalid
"#;

#[test]
fn fields_that_an_update_may_not_change() {
    let stored: Map<String, Value> = serde_json::from_str(STORED).unwrap();
    let lease = |metadata: Map<String, Value>| {
        with_metadata(serde_json::from_value(metadata.into()).unwrap())
    };
    for [changes, expected] in rows(UPDATES) {
        let mut metadata = stored.clone();
        metadata.extend(serde_json::from_str::<Map<String, Value>>(changes).unwrap());
        let found = short(lease(metadata).validate_update(&lease(stored.clone())));
        assert_eq!(found, expected, "{changes}");
    }
    // Neither does the form of a name that is stored.
    let odd = ObjectMeta::default().with_name("A b");
    let odd = with_metadata(odd.with_resource_version("1"));
    assert_eq!(odd.validate_update(&odd), Ok(()));
}
