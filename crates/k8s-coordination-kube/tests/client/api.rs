//! Every recorded request of `kube`, sent again with the kinds of this crate.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::pin::pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt};
use k8s_coordination as plain;
use k8s_coordination::prelude::{HasSpec, Namespaced};
use k8s_coordination_kube::Object;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::finalizer::{self, finalizer};
use kube::runtime::reflector::{self, ObjectRef};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, ResourceExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use testing::cluster::replay::{Replay, run};

type Newest = plain::v1beta1::LeaseCandidate;

const NAMESPACE: &str = "default-kube";
const A: &str = "kube-scheduler-a";
const B: &str = "kube-scheduler-b";

/// The recordings of a kind.
fn recordings<K: HasSpec>() -> Replay {
    let release = match K::VERSION {
        "v1alpha1" => "v1.31",
        "v1alpha2" => "v1.32",
        _ => "v1.36",
    };
    Replay::set(release, K::VERSION, "kube")
}

fn api<K: HasSpec<Scope = Namespaced>>(replay: &Arc<Replay>) -> Api<Object<K>> {
    Api::namespaced(replay.client(), NAMESPACE)
}

/// The body of the recorded request of this name.
fn sent<K: HasSpec, T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_value(recordings::<K>().sent(name)).unwrap()
}

async fn every_request<K: HasSpec<Apply: DeserializeOwned + Debug, Scope = Namespaced>>() {
    let replay = Arc::new(recordings::<K>());
    let api = api::<K>(&replay);
    create(&api).await;
    read(&api).await;
    change(&api).await;
    watch(&api).await;
    delete(&api).await;
    replay.assert_used_up();
}

async fn create<K: HasSpec<Scope = Namespaced>>(api: &Api<Object<K>>) {
    let mut parameters = PostParams::default();
    let new: Object<K> = sent::<K, _>("create");
    let created = api.create(&parameters, &new).await.unwrap();
    assert_eq!((created.name_any().as_str(), created.spec()), (A, new.spec()));
    assert!(created.uid().is_some() && created.creation_timestamp().is_some());

    let conflict = api.create(&parameters, &new).await.unwrap_err();
    assert_eq!(reason(conflict), "AlreadyExists");

    parameters.field_manager = Some("recorder".to_owned());
    let created = api.create(&parameters, &sent::<K, _>("create-with-manager")).await.unwrap();
    assert_eq!(created.managed_fields()[0].manager.as_deref(), Some("recorder"));
}

async fn read<K: HasSpec<Scope = Namespaced>>(api: &Api<Object<K>>) {
    assert_eq!(api.get(A).await.unwrap().name_any(), A);
    assert_eq!(api.get_opt("absent").await.unwrap(), None);
    let all = ListParams::default();
    assert_eq!(names(&api.list(&all).await.unwrap().items), [A, B]);
    let page = api.list(&all.clone().limit(1)).await.unwrap();
    assert_eq!(names(&page.items), [A]);
    let rest = all.clone().limit(1).continue_token(&page.metadata.continue_.unwrap());
    assert_eq!(names(&api.list(&rest).await.unwrap().items), [B]);
    assert!(api.list(&all.labels("x=y")).await.unwrap().items.is_empty());
}

async fn change<K: HasSpec<Apply: DeserializeOwned + Debug, Scope = Namespaced>>(
    api: &Api<Object<K>>,
) {
    let parameters = PostParams::default();
    let candidate: Object<K> = sent::<K, _>("replace");
    let replaced = api.replace(A, &parameters, &candidate).await.unwrap();
    assert_eq!(replaced.spec(), candidate.spec());
    let conflict = api.replace(A, &parameters, &candidate).await.unwrap_err();
    assert_eq!(reason(conflict), "Conflict");

    let patch = json!({"metadata": {"labels": {"k": "v"}}});
    let patched = api.patch(A, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
    assert_eq!(patched.labels()["k"], "v");

    let parameters = PatchParams::apply("recorder");
    let patch = Patch::Apply(sent::<K, K::Apply>("apply"));
    assert_eq!(reason(api.patch(A, &parameters, &patch).await.unwrap_err()), "Conflict");
    let applied = api.patch(A, &parameters.force(), &patch).await.unwrap();
    assert_eq!(applied.managed_fields()[0].operation.as_deref(), Some("Apply"));
}

async fn watch<K: HasSpec<Scope = Namespaced>>(api: &Api<Object<K>>) {
    let (store, writer) = reflector::store();
    let events = watcher(api.clone(), watcher::Config::default());
    let mut events = pin!(events.reflect(writer));
    let listed =
        ["init", "init-apply kube-scheduler-a", "init-apply kube-scheduler-b", "init-done"];
    assert_eq!(next(&mut events, 4).await, listed);
    assert_eq!(store.len(), 2);
    assert_eq!(next(&mut events, 2).await, ["apply watched"; 2]);
    assert!(store.get(&ObjectRef::new("watched").within(NAMESPACE)).is_some());
    assert_eq!(next(&mut events, 1).await, ["delete watched"]);
    assert_eq!(store.len(), 2);

    // Recorded where servers stream lists by default.
    if K::VERSION != "v1alpha1" {
        let events = watcher(api.clone(), watcher::Config::default().streaming_lists());
        assert_eq!(next(&mut pin!(events), 4).await, listed);
    }
}

async fn delete<K: HasSpec<Scope = Namespaced>>(api: &Api<Object<K>>) {
    let parameters = DeleteParams::default();
    let deleted = api.delete(B, &parameters).await.unwrap();
    assert!(deleted.right().unwrap().is_success());
    assert_eq!(reason(api.delete(B, &parameters).await.unwrap_err()), "NotFound");
    let deleted = api.delete_collection(&parameters, &ListParams::default()).await.unwrap();
    assert_eq!(names(&deleted.left().unwrap().items), [A]);
}

/// The next events of a watcher, as text.
async fn next<K: HasSpec<Scope = Namespaced>>(
    events: &mut (impl Stream<Item = watcher::Result<watcher::Event<Object<K>>>> + Unpin),
    count: usize,
) -> Vec<String> {
    let show = async |event: watcher::Result<watcher::Event<Object<K>>>| match event {
        Ok(watcher::Event::Init) => "init".to_owned(),
        Ok(watcher::Event::InitApply(object)) => format!("init-apply {}", object.name_any()),
        Ok(watcher::Event::InitDone) => "init-done".to_owned(),
        Ok(watcher::Event::Apply(object)) => format!("apply {}", object.name_any()),
        Ok(watcher::Event::Delete(object)) => format!("delete {}", object.name_any()),
        Err(error) => panic!("{error}"),
    };
    events.take(count).then(show).collect().await
}

fn reason(error: kube::Error) -> String {
    match error {
        kube::Error::Api(status) => status.reason,
        other => panic!("{other}"),
    }
}

fn names<K: HasSpec<Scope = Namespaced>>(objects: &[Object<K>]) -> Vec<String> {
    objects.iter().map(ResourceExt::name_any).collect()
}

#[test]
fn the_recorded_requests_are_sent() {
    run(every_request::<plain::v1alpha1::LeaseCandidate>());
    run(every_request::<plain::v1alpha2::LeaseCandidate>());
    run(every_request::<plain::v1beta1::LeaseCandidate>());
}

#[test]
fn a_controller_reconciles() {
    let replay = recordings::<Newest>().only(&["list-for-watcher", "watch"]);
    let replay = Arc::new(replay);
    let reconcile = |candidate: Arc<Object<Newest>>, _: Arc<()>| async move {
        assert_eq!(candidate.spec.lease_name, "kube-scheduler");
        Ok::<_, std::io::Error>(Action::await_change())
    };
    let mut reconciled = BTreeSet::new();
    run(async {
        let api = api::<Newest>(&replay);
        let mut results = pin!(Controller::new(api, watcher::Config::default()).run(
            reconcile,
            |_, _, _| Action::await_change(),
            Arc::new(())
        ));
        // The third object is deleted at once: its reconciliation may or may not be an error.
        while ![A, B].iter().all(|name| reconciled.contains(*name)) {
            let result = results.next().await.unwrap();
            reconciled.extend(result.ok().map(|(object, _)| object.name));
        }
    });
    replay.assert_used_up();
}

/// `finalizer` adds its finalizer before the first reconciliation and removes it after the cleanup.
#[test]
fn a_finalizer_is_added_and_removed() {
    const NAME: &str = "example.com/finalizer";
    let target = "/apis/coordination.k8s.io/v1beta1/namespaces/default-kube/leasecandidates/a";
    let object = |metadata: Value| {
        let spec =
            json!({"leaseName": "l", "binaryVersion": "1.36.0", "strategy": "example.com/own"});
        json!({"metadata": metadata, "spec": spec})
    };
    let add = json!([{"op": "test", "path": "/metadata/finalizers", "value": null},
        {"op": "add", "path": "/metadata/finalizers", "value": [NAME]}]);
    let remove = json!([{"op": "test", "path": "/metadata/finalizers/0", "value": NAME},
        {"op": "remove", "path": "/metadata/finalizers/0"}]);
    let new = object(json!({"name": "a"}));
    let finalized = object(json!({"name": "a", "finalizers": [NAME]}));
    let deleted =
        json!({"name": "a", "finalizers": [NAME], "deletionTimestamp": "2026-01-02T03:04:05Z"});
    let replay = Replay::default()
        .and_write("PATCH", target, &add, &finalized)
        .and_write("PATCH", target, &remove, &new);
    let replay = Arc::new(replay);
    let mut events = Vec::new();
    run(async {
        let api = api::<Newest>(&replay);
        for object in [new, finalized, object(deleted)] {
            let object: Object<Newest> = serde_json::from_value(object).unwrap();
            let reconcile = |event| {
                events.push(match event {
                    finalizer::Event::Apply(_) => "apply",
                    finalizer::Event::Cleanup(_) => "clean up",
                });
                std::future::ready(Ok::<_, std::io::Error>(Action::await_change()))
            };
            finalizer(&api, NAME, Arc::new(object), reconcile).await.unwrap();
        }
    });
    replay.assert_used_up();
    assert_eq!(events, ["apply", "clean up"]);
}
