//! Kinds of any scope, with and without a status, with a real client of `kube` and servers in this process.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use codegen_cases::operations::v1;
use futures_util::StreamExt;
use k8s_versioned::meta::v1 as plain;
use k8s_versioned::{CustomResource, Kind, Namespaced, Resource as PlainResource, wire};
use k8s_versioned_kube::{Object, client};
use k8s_versioned_recordings::Recordings;
use k8s_versioned_requests::{Verbs, http};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::client::Body;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, ResourceExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

type Harbour = Object<v1::Harbour>;

fn harbour() -> Value {
    json!({
        "apiVersion": "ferry.example.com/v1",
        "kind": "Harbour",
        "metadata": {"name": "a", "resourceVersion": "7", "ownerReferences": [{"apiVersion": "v1", "kind": "Sea", "name": "b", "uid": "c"}]},
        "spec": {"berths": 2, "tide": "High"},
        "status": {"moored": 1},
    })
}

/// A client for a server with one harbour, and the requests that the server got.
fn cluster() -> (Client, Arc<Mutex<Vec<String>>>) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&requests);
    let service = tower::service_fn(move |request: http::Request<Body>| {
        let log = Arc::clone(&log);
        async move {
            let line = format!("{} {}", request.method(), request.uri());
            let sent = request.into_body().collect_bytes().await?;
            let answer = if line.contains("watch=") {
                // In this order of the members, `serde` keeps the object until it knows the type.
                format!("{{\"object\": {}, \"type\": \"MODIFIED\"}}\n", harbour())
            } else if line.starts_with("GET") && !line.contains("harbours/a") {
                json!({"metadata": {"resourceVersion": "9"}, "items": [harbour()]}).to_string()
            } else {
                harbour().to_string()
            };
            log.lock().unwrap().push(format!("{line} {}", String::from_utf8_lossy(&sent)));
            Ok::<_, kube::Error>(http::Response::new(Body::from(answer.into_bytes())))
        }
    });
    (Client::new(service, "default"), requests)
}

#[tokio::test]
async fn a_client_keeps_all_fields() {
    let (client, requests) = cluster();
    let api: Api<Harbour> = Api::all(client.clone());
    let mut stored = api.get("a").await.unwrap();
    assert_eq!((stored.spec.berths, stored.status.moored), (Some(2), Some(1)));
    assert_eq!(serde_json::to_value(&stored).unwrap(), harbour());
    let listed = api.list(&ListParams::default()).await.unwrap().items;
    assert_eq!(listed, [stored.clone()]);
    let plain = client::send(&client, &v1::Harbour::list((), ()).unwrap()).await.unwrap().body;
    assert_eq!(plain.items, [stored.clone().into_plain().unwrap()]);

    stored.status.moored = Some(3);
    api.replace_status("a", &PostParams::default(), &stored).await.unwrap();
    let new = Harbour::named("a", v1::HarbourSpec::new("Low"));
    api.create(&PostParams::default(), &new).await.unwrap();
    let apply = v1::HarbourApply::new("a");
    api.patch("a", &PatchParams::apply("m"), &Patch::Apply(&apply)).await.unwrap();
    let sent = requests.lock().unwrap().join("\n");
    let mut changed = harbour();
    changed["status"]["moored"] = 3.into();
    let expected = [
        "GET /apis/ferry.example.com/v1/harbours/a ".to_owned(),
        "GET /apis/ferry.example.com/v1/harbours? ".to_owned(),
        "GET /apis/ferry.example.com/v1/harbours ".to_owned(),
        format!("PUT /apis/ferry.example.com/v1/harbours/a/status? {changed}"),
    ];
    assert!(sent.starts_with(&expected.join("\n")), "{sent}");
    assert!(sent.contains(r#""metadata":{"name":"a"},"spec":{"tide":"Low"}"#), "{sent}");
    assert!(sent.contains(
        r#"{"apiVersion":"ferry.example.com/v1","kind":"Harbour","metadata":{"name":"a"}}"#
    ));
}

#[tokio::test]
async fn a_watcher_and_a_controller_get_all_fields() {
    let (client, _) = cluster();
    let api: Api<Harbour> = Api::all(client);
    let mut seen = pin!(watcher(api.clone(), watcher::Config::default()).touched_objects());
    for _ in ["listed", "watched"] {
        assert_eq!(serde_json::to_value(seen.next().await.unwrap().unwrap()).unwrap(), harbour());
    }

    let reconcile = async |harbour: Arc<Harbour>, _: Arc<()>| {
        assert_eq!((harbour.name_any().as_str(), harbour.status.moored), ("a", Some(1)));
        Ok::<_, io::Error>(Action::await_change())
    };
    let controller = Controller::new(api, watcher::Config::default());
    let reconciled = controller.run(reconcile, |_, _, _| Action::await_change(), Arc::new(()));
    let (object, _) = pin!(reconciled).next().await.unwrap().unwrap();
    assert_eq!(object.name, "a");
}

#[test]
fn the_metadata_is_in_one_place() {
    let plain: v1::Harbour = serde_json::from_value(harbour()).unwrap();
    let mut object = Harbour::from_plain(plain.clone()).unwrap();
    assert_eq!(object.metadata().name.as_deref(), Some("a"));
    object.metadata_mut().name = Some("b".to_owned());
    assert_eq!(object.name_any(), "b");
    // The metadata of the body does not count.
    let same = Harbour::from_parts(object.metadata.clone(), plain);
    assert_eq!(same, object);
}

/// Reads all recorded objects of a kind, and compares them with the plain ones.
async fn read_recorded<K: PlainResource>(recordings: &Recordings) -> usize {
    let exchanges = recordings.iter().filter_map(|recording| recording.exchange());
    let is_of =
        |answer: &&Value| answer["kind"] == K::KIND && answer["apiVersion"] == K::API_VERSION;
    let answers: Vec<Value> =
        exchanges.filter_map(|it| it.response.json()).filter(is_of).cloned().collect();
    for answer in &answers {
        let body = answer.to_string();
        let service = tower::service_fn(move |_: http::Request<Body>| {
            let answer = http::Response::new(Body::from(body.clone().into_bytes()));
            async { Ok::<_, kube::Error>(answer) }
        });
        let client = Client::new(service, "default");
        let request = http::Request::get("/").body(Vec::new()).unwrap();
        let object: Object<K> = client.request(request).await.unwrap();
        let plain: K = serde_json::from_value(answer.clone()).unwrap();
        assert_eq!(serde_json::to_value(&object).unwrap(), serde_json::to_value(&plain).unwrap());
        assert_eq!(object.into_plain().unwrap(), plain);
    }
    answers.len()
}

#[tokio::test]
async fn recorded_objects_are_kept() {
    use k8s_resource::{v1, v1beta1};
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../k8s-resource/fixtures");
    let recordings = Recordings::load(folder).unwrap();
    let read = [
        read_recorded::<v1::DeviceClass>(&recordings).await,
        read_recorded::<v1::ResourceClaim>(&recordings).await,
        read_recorded::<v1::ResourceSlice>(&recordings).await,
        read_recorded::<v1beta1::ResourceClaim>(&recordings).await,
    ];
    assert!(read.iter().all(|count| *count > 5), "{read:?}");
}

/// A custom kind, written by hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Widget {
    #[serde(default)]
    api_version: wire::ApiVersion<Self>,
    #[serde(default)]
    kind: wire::KindName<Self>,
    metadata: plain::ObjectMeta,
    size: Option<i64>,
}

impl Kind for Widget {
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Widget";
    const API_VERSION: &'static str = "example.com/v1";
}

impl PlainResource for Widget {
    type Scope = Namespaced;
    const PLURAL: &'static str = "widgets";
    const LIST_KIND: &'static str = "WidgetList";
    type Apply = Self;

    fn metadata(&self) -> &plain::ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut plain::ObjectMeta {
        &mut self.metadata
    }
}

impl CustomResource for Widget {
    const DEFINITION: &'static str = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"}, "spec": {"group": "example.com", "scope": "Namespaced",
        "names": {"kind": "Widget", "plural": "widgets"}, "versions": [{"name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object"}}}]}}"#;
}

#[test]
fn a_custom_kind_has_its_definition() {
    let widget = Widget { size: Some(1), ..Widget::default() };
    let object = Object::from_plain(widget).unwrap().within("ns");
    assert_eq!((object.namespace().as_deref(), object.size), (Some("ns"), Some(1)));
    let definition = Object::<Widget>::definition().unwrap();
    assert_eq!(definition.metadata.name.as_deref(), Some("widgets.example.com"));
    assert_eq!(
        definition.spec.names.plural,
        <Object<Widget> as k8s_openapi::Resource>::URL_PATH_SEGMENT
    );
}
