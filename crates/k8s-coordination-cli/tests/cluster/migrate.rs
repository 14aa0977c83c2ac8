//! `coordination migrate`.

use std::sync::{Arc, Mutex};

use clap::Parser;
use futures_util::FutureExt;
use insta::assert_snapshot;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::meta::v1::FieldsV1;
use k8s_coordination::requests::http;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tower::ServiceExt;

use k8s_coordination_cli::cluster::migrate;
use k8s_coordination_cli::{Cli, Command, Outcome};
use testing::cluster::http::{json_response, server};
use testing::cluster::recorded::{Ended, GROUP, cluster, ended};
use testing::cluster::replay::{Fault, Replay, run};

const MANAGER: &str = "fieldManager=coordination-migrate";
const DRY_RUN: &str = "dryRun=All&fieldManager=coordination-migrate";

const OLD: &str = r#"
apiVersion: coordination.k8s.io/v1alpha1
kind: LeaseCandidate
metadata:
  name: a
  namespace: ns
  uid: 1f6c
  resourceVersion: "17"
  managedFields:
  - manager: recorder
    operation: Apply
    apiVersion: coordination.k8s.io/v1alpha1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:preferredStrategies": {}}}
spec:
  leaseName: scheduler
  binaryVersion: 1.31.0
  preferredStrategies: [OldestEmulationVersion, example.com/by-load]
---
apiVersion: v1
kind: List
items:
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  metadata: {name: b, namespace: ns}
  spec: {leaseName: scheduler, preferredStrategies: [example.com/by-load]}
"#;

/// The first object in the version of the target.
fn new(more: Value) -> Value {
    let kept = r#"{"fields":{"v1alpha1":{"spec.preferredStrategies":["OldestEmulationVersion","example.com/by-load"]}},"format":3}"#;
    let mut metadata = json!({"name": "a", "namespace": "ns",
        "annotations": {"conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.preferredStrategies": kept}});
    metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate", "metadata": metadata,
        "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0", "strategy": "OldestEmulationVersion"}})
}

fn managed_fields() -> Value {
    json!([{"manager": "recorder", "operation": "Apply", "apiVersion": "coordination.k8s.io/v1beta1",
        "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:strategy": {}}}}])
}

/// The target, with its answers to dry runs and to other requests for objects in the namespace.
fn target(dry_runs: &[(&Value, &Value)], requests: &[(&str, &str, &Value, &Value)]) -> Replay {
    let path = format!("{GROUP}/v1beta1/namespaces/ns/leasecandidates");
    let mut replay = cluster("v1.36", "v1beta1");
    for (object, answer) in dry_runs {
        replay = replay.and_write("POST", &format!("{path}?{DRY_RUN}"), object, answer);
    }
    for (method, name, body, answer) in requests {
        let target = format!("{path}{name}");
        replay = match *method {
            "GET" => replay.and_get(&target, answer),
            method => replay.and_write(method, &format!("{target}?{MANAGER}"), body, answer),
        };
    }
    replay
}

fn status(code: u16, reason: &str) -> Value {
    json!({"kind": "Status", "reason": reason, "message": "the message of the server", "code": code})
}

fn args(arguments: &[&str]) -> migrate::MigrateArgs {
    let cli = Cli::parse_from(["coordination", "migrate"].iter().chain(arguments));
    let Command::Migrate(args) = cli.command else { panic!() };
    args
}

fn objects(yaml: &str) -> Vec<AnyLeaseCandidate> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(yaml).unwrap();
    let items = |document: Value| match document.get("items") {
        Some(items) => items.as_array().unwrap().clone(),
        None => vec![document],
    };
    let objects = documents.into_iter().flat_map(items);
    objects.map(|one| serde_json::from_value(one).unwrap()).collect()
}

fn output(replay: Replay, yaml: &str, arguments: &[&str]) -> (String, Option<Outcome>) {
    let args = args(arguments);
    let run =
        async |client: &_, out: &mut Vec<u8>| migrate::run(objects(yaml), client, &args, out).await;
    let Ended { text, code, .. } = ended(replay, run);
    (text, code)
}

/// The first document of the two.
fn first() -> &'static str {
    OLD.split("---").next().unwrap()
}

/// The first object as the target stores it: without its managed fields, and with them.
fn stored() -> [Value; 2] {
    let version = json!({"uid": "2", "resourceVersion": "8"});
    let mut whole = version.clone();
    whole["managedFields"] = managed_fields();
    [new(version), new(whole)]
}

#[test]
fn a_dry_run_prints_the_results() {
    let b = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": "b", "namespace": "ns"},
        "spec": {"leaseName": "scheduler", "binaryVersion": "", "strategy": "example.com/by-load"}});
    let [stored, _] = stored();
    let dry_runs = [(&new(json!({})), &stored), (&b, &status(422, "Invalid"))];
    let (text, code) = output(target(&dry_runs, &[]), OLD, &["--yes"]);
    assert_snapshot!(text);
    assert_eq!(code, Some(Outcome::Failure));
}

/// The second object has no `binaryVersion`, which `v1beta1` requires.
#[test]
fn an_incomplete_object_is_a_problem_even_if_the_server_accepts_it() {
    let second = OLD.split("---").nth(1).unwrap();
    let accepted =
        |object: Value, arguments| output(target(&[(&object, &object)], &[]), second, arguments);
    let mut object = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": "b", "namespace": "ns"},
        "spec": {"leaseName": "scheduler", "binaryVersion": "", "strategy": "example.com/by-load"}});
    let (text, code) = accepted(object.clone(), &[]);
    assert_snapshot!(text);
    assert_eq!(code, Some(Outcome::Failure));
    let (text, _) = accepted(object.clone(), &["--binary-version", "emulation"]);
    assert!(
        text.contains("    hint: the object has no `emulationVersion`: give a version"),
        "{text}"
    );

    let kept = r#"{"fields":{"v1alpha1":{"spec.binaryVersion":null}},"filled":{"v1alpha1":{"spec.binaryVersion":"1.31.0"}},"format":3}"#;
    object["metadata"]["annotations"] = json!({"conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.binaryVersion": kept});
    object["spec"]["binaryVersion"] = "1.31.0".into();
    let (text, code) = accepted(object, &["--binary-version", "1.31.0"]);
    assert!(text.starts_with("[1/1] `ns/b`: would be created\n"), "{text}");
    assert_eq!(code, Some(Outcome::Success));
}

/// No option fills it.
#[test]
fn an_object_without_a_strategy_is_completed_in_the_source() {
    let yaml = "{apiVersion: coordination.k8s.io/v1alpha1, kind: LeaseCandidate, metadata: {name: c, namespace: ns},
        spec: {leaseName: scheduler, binaryVersion: 1.31.0}}";
    let object = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": "c", "namespace": "ns"},
        "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0"}});
    let (text, _) = output(target(&[(&object, &object)], &[]), yaml, &[]);
    assert!(text.contains("    hint: write it into the source\n"), "{text}");
}

#[test]
fn without_yes_no_object_is_changed() {
    let [stored, _] = stored();
    let (text, code) = output(target(&[(&new(json!({})), &stored)], &[]), first(), &[]);
    let end = "1 can be copied to v1beta1 with --yes: no object was changed\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(code, Some(Outcome::Success));

    let (object, exists, [_, whole]) =
        (new(json!({})), status(409, "AlreadyExists"), self::stored());
    let replay = target(&[(&object, &exists)], &[("GET", "/a", &Value::Null, &whole)]);
    let (text, code) = output(replay, first(), &[]);
    let end = "0 can be copied to v1beta1 with --yes, 1 exists: no object was changed\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(code, Some(Outcome::Success));
}

#[test]
fn objects_are_created_and_their_managed_fields_put_back() {
    let (object, [stored, whole]) = (new(json!({})), stored());
    let requests = [("POST", "", &object, &stored), ("PUT", "/a", &whole, &whole)];
    let replay = target(&[(&object, &stored)], &requests);
    let (text, code) = output(replay, first(), &["--yes"]);
    assert_snapshot!(text);
    assert_eq!(code, Some(Outcome::Success));
}

/// Fields that nest too deep to be read are left out, and the command says so.
#[test]
fn managers_that_cannot_be_read_are_named() {
    let mut object = objects(first()).remove(0);
    let deep = "{\"f:a\":".repeat(401) + "{}" + &"}".repeat(401);
    object.metadata_mut().managed_fields[0].fields_v1 = FieldsV1::from_json(&deep).ok();
    let [stored, _] = stored();
    let run = async |client: &_, out: &mut Vec<u8>| {
        migrate::run(vec![object.clone()], client, &args(&[]), out).await
    };
    let Ended { text, .. } = ended(target(&[(&new(json!({})), &stored)], &[]), run);
    let line = "    metadata.managedFields: left out: `recorder`: lists and objects nest deeper than 400 levels\n";
    assert!(text.contains(line), "{text}");
}

/// Owners have other uids in another cluster, whose garbage collector would delete the object.
#[test]
fn owners_are_left_out_and_finalizers_noted() {
    let mut object: Value = serde_saphyr::from_str(first()).unwrap();
    let owner = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "7"});
    object["metadata"]["ownerReferences"] = json!([owner]);
    object["metadata"]["finalizers"] = json!(["example.com/own"]);
    object["metadata"]["managedFields"][0]["fieldsV1"]["f:metadata"] =
        json!({"f:ownerReferences": {}});
    let finalizers = json!({"finalizers": ["example.com/own"]});
    let [mut stored, mut whole] = stored();
    for one in [&mut stored, &mut whole] {
        one["metadata"]["finalizers"] = finalizers["finalizers"].clone();
    }
    let created = new(finalizers);
    let requests = [("POST", "", &created, &stored), ("PUT", "/a", &whole, &whole)];
    let replay = target(&[(&created, &stored)], &requests);
    let (text, code) = output(replay, &object.to_string(), &["--yes"]);
    let notes = "    metadata.ownerReferences: left out: `Deployment/web`\n    metadata.finalizers: `example.com/own`: kept; if ";
    assert!(text.contains(notes), "{text}");
    assert_eq!(code, Some(Outcome::Success));
}

/// The first run only created the object. Another client has written it since.
#[test]
fn managed_fields_of_others_stay() {
    let (object, [mut stored, mut whole]) = (new(json!({})), stored());
    let entry = |manager: &str| {
        json!({"manager": manager, "operation": "Update", "apiVersion": "coordination.k8s.io/v1beta1",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:metadata": {"f:labels": {}}}})
    };
    stored["metadata"]["managedFields"] = json!([entry("coordination-migrate"), entry("other")]);
    let put = json!([entry("other"), managed_fields()[0]]);
    whole["metadata"]["managedFields"] = put;
    let exists = status(409, "AlreadyExists");
    let read = ("GET", "/a", &Value::Null, &stored);
    let requests = [read, read, ("POST", "", &object, &exists), ("PUT", "/a", &whole, &whole)];
    let (text, code) = output(target(&[(&object, &exists)], &requests), first(), &["--yes"]);
    assert_eq!(code, Some(Outcome::Success), "{text}");
}

/// The first run only created the object.
#[test]
fn a_second_run_puts_managed_fields_back() {
    let (object, [stored, whole]) = (new(json!({})), stored());
    let exists = status(409, "AlreadyExists");
    let read = ("GET", "/a", &Value::Null, &stored);
    let requests = [read, read, ("POST", "", &object, &exists), ("PUT", "/a", &whole, &whole)];
    let replay = target(&[(&object, &exists)], &requests);
    assert_snapshot!(output(replay, first(), &["--yes"]).0);
}

#[test]
fn another_object_of_the_name_is_not_changed() {
    let object = new(json!({}));
    let mut other = object.clone();
    other["spec"]["leaseName"] = "another".into();
    let dry_runs = [(&object, &status(409, "AlreadyExists"))];
    let replay = target(&dry_runs, &[("GET", "/a", &Value::Null, &other)]);
    let (text, code) = output(replay, first(), &["--yes"]);
    let end = "1 of 1 cannot be copied to v1beta1: no object was changed\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(code, Some(Outcome::Failure));
}

/// The connection breaks in the dry run, when the object is created, or when its managed fields are put back. The objects
/// that are in the target count.
#[test]
fn a_connection_that_breaks_ends_the_program() {
    let error = "the client failed: connection reset";
    let path = format!("{GROUP}/v1beta1/namespaces/ns/leasecandidates");
    let table = [
        (format!("POST {path}?{DRY_RUN}"), format!("[1/1] `ns/a`: {error}\n")),
        (
            format!("POST {path}?{MANAGER}"),
            format!("[1/1] `ns/a`: {error}\n0 of 1 are in v1beta1: run it again\n"),
        ),
        (
            format!("PUT {path}/a?{MANAGER}"),
            format!(
                "[1/1] `ns/a`: created; its managed fields are not put back: {error}\n\
                 1 of 1 are in v1beta1, 1 without managed fields: run it again\n"
            ),
        ),
    ];
    let (object, [stored, whole]) = (new(json!({})), stored());
    for (broken, result) in table {
        let requests = [("POST", "", &object, &stored), ("PUT", "/a", &whole, &whole)];
        let replay = target(&[(&object, &stored)], &requests);
        let replay = Arc::new(replay.with_fault(&broken, Fault::Disconnect));
        let mut out = Vec::new();
        let failure = run(async {
            let (client, args) = (replay.client(), args(&["--yes"]));
            migrate::run(objects(first()), &client, &args, &mut out).await.unwrap_err()
        });
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains(&result), "{text}");
        assert_eq!((failure.to_string().as_str(), failure.outcome()), (error, Outcome::Usage));
    }
}

/// Credentials that expire in the middle: the other objects are not tried.
#[test]
fn an_error_that_would_meet_every_object_ends_the_program() {
    let (object, [stored, _]) = (new(json!({})), stored());
    for (code, reason) in [(401, "Unauthorized"), (429, "TooManyRequests")] {
        let requests = [("POST", "", &object, &status(code, reason))];
        let replay = target(&[(&object, &stored), (&object, &stored)], &requests);
        let yaml = [first(), first()].join("---");
        let (text, outcome) = output(replay, &yaml, &["--yes"]);
        assert!(text.contains("0 of 2 are in v1beta1: run it again\n"), "{text}");
        assert_eq!((text.matches("\nhint: ").count(), outcome), (1, None), "{text}");
    }
}

/// An object that is refused has the hint, and a run that could copy it before may succeed again.
#[test]
fn a_refused_object_has_a_hint() {
    let (object, [stored, _]) = (new(json!({})), stored());
    let mut refused = status(403, "Forbidden");
    refused["message"] = "User \"u\" cannot create resource \"leasecandidates\" in".into();
    let replay = target(&[(&object, &stored)], &[("POST", "", &object, &refused)]);
    let (text, outcome) = output(replay, first(), &["--yes"]);
    let end = "\n    hint: let a Role that is bound to this user allow the verb `create` for `leasecandidates`\n\
        0 of 1 are in v1beta1: run it again\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(outcome, Some(Outcome::Failure));
}

#[test]
fn a_cluster_of_an_older_version_is_read() {
    let objects = json!({"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidateList", "metadata": {},
        "items": [{"metadata": {"name": "a", "namespace": "ns"}, "spec": {"leaseName": "l", "preferredStrategies": []}}]});
    let path = format!("{GROUP}/v1alpha1/namespaces/ns/leasecandidates?limit=500");
    let replay = Arc::new(cluster("v1.31", "v1alpha1").and_get(&path, &objects));
    let candidates =
        run(async { migrate::of_cluster(&replay.client(), Some("ns")).await.unwrap() });
    assert_eq!(candidates[0].lease_name(), "l");
}

/// A server that elects: after each of the first writes of an object it pings the candidate, so that the object is another
/// one when the next request comes.
#[derive(Default)]
struct Electing {
    stored: Option<Value>,
    version: u64,
    pings_left: usize,
    writes: Vec<String>,
}

impl Electing {
    /// The answer to a request for the candidate.
    fn answer(&mut self, head: &http::request::Parts, body: &[u8]) -> (u16, Value) {
        let mut sent: Value = serde_json::from_slice(body).unwrap_or_default();
        let query = head.uri.query().unwrap_or_default();
        assert!(head.method == "GET" || query.contains(MANAGER), "{query}");
        match (head.method.as_str(), &self.stored) {
            ("GET", Some(stored)) => return (200, stored.clone()),
            ("POST", Some(_)) => return (409, status(409, "AlreadyExists")),
            ("POST", None) => {
                sent["metadata"]["uid"] = "2".into();
                sent["metadata"]["managedFields"] = json!([]);
                if query.contains("dryRun") {
                    return (201, sent);
                }
            }
            ("PUT", Some(stored))
                if stored["metadata"]["resourceVersion"] != sent["metadata"]["resourceVersion"] =>
            {
                return (409, status(409, "Conflict"));
            }
            _ => {}
        }
        self.writes.push(head.method.to_string());
        self.version += 1;
        sent["metadata"]["resourceVersion"] = self.version.to_string().into();
        self.stored = Some(sent.clone());
        (200, sent)
    }

    /// Pings the candidate.
    fn ping(&mut self) {
        if let (Some(stored), true) = (&mut self.stored, self.pings_left > 0) {
            self.pings_left -= 1;
            self.version += 1;
            stored["spec"]["pingTime"] = "2026-01-02T03:04:05.000000Z".into();
            stored["metadata"]["resourceVersion"] = self.version.to_string().into();
        }
    }

    /// The output of a run with `--yes` against this server.
    fn migrate(electing: &Arc<Mutex<Self>>) -> (String, Outcome) {
        let (electing, discovery) = (Arc::clone(electing), Arc::new(cluster("v1.36", "v1beta1")));
        let discovery = discovery.service();
        let service = server(move |head, body| {
            if head.uri.path().contains("/namespaces/") {
                let mut electing = electing.lock().unwrap();
                let (code, answer) = electing.answer(&head, &body);
                electing.ping();
                let answer = json_response(code, &answer);
                return async { Ok(answer) }.boxed();
            }
            let request = http::Request::from_parts(head, Body::empty());
            discovery.clone().oneshot(request).boxed()
        });
        let mut object: Value = serde_saphyr::from_str(first()).unwrap();
        object["spec"]["pingTime"] = "2026-01-01T00:00:00.000000Z".into();
        let (objects, mut out) = (vec![serde_json::from_value(object).unwrap()], Vec::new());
        let code = run(async {
            let client = Client::new(service, "default");
            migrate::run(objects, &client, &args(&["--yes"]), &mut out).await.unwrap()
        });
        (String::from_utf8(out).unwrap(), code)
    }
}

#[test]
fn a_server_that_pings_at_once_gets_the_managed_fields() {
    let electing = Arc::new(Mutex::new(Electing { pings_left: 3, ..Electing::default() }));
    let (text, code) = Electing::migrate(&electing);
    assert_snapshot!(text);
    assert_eq!(code, Outcome::Success);
    let state = electing.lock().unwrap();
    let stored = state.stored.clone().unwrap();
    assert_eq!(stored["metadata"]["managedFields"], managed_fields());
    assert_eq!(stored["spec"]["pingTime"], "2026-01-02T03:04:05.000000Z", "by the server");
    assert_eq!(state.writes, ["POST", "PUT"]);
    drop(state);

    let (text, code) = Electing::migrate(&electing);
    assert!(text.ends_with("[1/1] `ns/a`: exists\n1 of 1 are in v1beta1\n"), "{text}");
    assert_eq!(code, Outcome::Success);
    assert_eq!(electing.lock().unwrap().writes.len(), 2, "the second run changes nothing");
}

#[test]
fn created_objects_count_without_their_managed_fields() {
    let electing = Arc::new(Mutex::new(Electing { pings_left: usize::MAX, ..Electing::default() }));
    let (text, code) = Electing::migrate(&electing);
    let end = "1 of 1 are in v1beta1, 1 without managed fields: run it again\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(code, Outcome::Failure);
}
