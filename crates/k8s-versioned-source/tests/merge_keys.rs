//! What `<<` adds to a mapping: as `kubectl` 1.32 reads it.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use k8s_versioned_source::{ReadLimits, documents};
use serde_json::{Value, json};

/// The member `data` of a mapping with two anchors.
fn data(text: &str) -> Value {
    let text = text.replace('\n', "\n  ");
    let text = format!("x: &x {{k: 1, m: x}}\nz: &z {{k: 2, p: z}}\ndata:\n  {text}\n");
    let mut trees = documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS);
    let tree = trees.next().unwrap().unwrap();
    tree.root().get("data").unwrap().to_json()
}

/// Each is what `kubectl label --local -f FILE zz- -o json` printed.
#[test]
fn the_last_of_two_members_counts() {
    for (text, expected) in [
        ("k: own\n<<: *x", json!({"k": 1, "m": "x"})),
        ("<<: *x\nk: own", json!({"k": "own", "m": "x"})),
        ("<<: [*x, *z]", json!({"k": 1, "m": "x", "p": "z"})),
        ("<<: *x\n<<: *z", json!({"k": 2, "m": "x", "p": "z"})),
        ("<<: {<<: *x, k: 3}", json!({"k": 3, "m": "x"})),
        ("<<: {k: 3, <<: *x}\nm: own", json!({"k": 1, "m": "own"})),
        ("k: own\n<<: [*x, {k: 3, m: 3, o: 3}]\nm: own", json!({"k": 1, "m": "own", "o": 3})),
        ("<<: []\nk: own", json!({"k": "own"})),
    ] {
        assert_eq!(data(text), expected, "{text}");
    }
}
