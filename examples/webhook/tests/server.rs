//! Plays the API server: sends its requests to the webhook, and judges the answers by its rules.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use example_webhook::conversion::AnyBackup;
use example_webhook::server::webhook;
use k8s_versioned::conversion::review::check;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use serde_json::{Value, json};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The request of this name, written by hand in the form of a server's, and the webhook's answer.
fn answer(name: &str) -> (Value, Value) {
    let body = fs::read(folder("tests/requests").join(name)).unwrap();
    let answer = webhook().answer(&body).unwrap().answer;
    let [request, answer] = [body, answer].map(|body| serde_json::from_slice(&body).unwrap());
    (request, answer)
}

/// The server accepts the answers, and the objects are as the rules say.
#[test]
fn servers_accept_the_answers() {
    for name in ["list-v1.json", "list-v1beta1-review.json", "pruned.json"] {
        let (request, answer) = answer(name);
        assert_eq!(check(&request, &answer), [], "{name}");
    }
    let (_, answer) = answer("list-v1.json");
    let objects = &answer["response"]["convertedObjects"];
    assert_eq!(
        objects[0]["spec"],
        json!({
            "schedule": "0 3 * * *", "mode": "Full",
            "targets": [
                {"name": "home", "source": {"path": "/home", "bucket": "b"}, "retentionDays": 7},
                {"name": "etc", "source": {"path": "/etc"}},
            ],
        })
    );
    assert_eq!(
        objects[0]["metadata"]["annotations"]["conversion.storage.example.com/backup.b33182c0f0ce58d7"],
        r#"{"fields":{"v1alpha1":{"spec.targets[\"home\"].priority":3}},"format":3}"#
    );
}

/// A value that would be lost in the server fails the whole request, with the reason.
#[test]
fn a_loss_fails() {
    let (request, answer) = answer("unknown-field.json");
    let errors: Vec<String> = check(&request, &answer).iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "response.result.status: not `Success`: \"objects[0] (`default`/`nightly`): spec.typo: this webhook \
             does not know the field: is it older than the definition?\""
        ]
    );
}

#[test]
fn nothing_is_lost() {
    let (kind, schemas) =
        (Convertible::new::<AnyBackup>(), Schemas::load(folder("specs")).unwrap());
    for seed in 0..500 {
        walk(&kind, &schemas, seed).unwrap_or_else(|error| panic!("{error}"));
    }
}
