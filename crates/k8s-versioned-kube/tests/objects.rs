//! Kinds of any scope, with and without a status, with a real client of `kube` and servers in this process.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use codegen_cases::custom::v1 as custom;
use codegen_cases::operations::v1;
use futures_util::StreamExt;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_resource::v1::DeviceClass;
use k8s_versioned::requests::{Verbs, http};
use k8s_versioned::{CustomResource as _, Resource as PlainResource};
use k8s_versioned_conformance::Recordings;
use k8s_versioned_kube::{Object, client};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::client::Body;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, ResourceExt};
use serde_json::{Value, json};

type Harbour = Object<v1::Harbour>;

#[test]
fn an_object_has_the_traits_of_its_kind() {
    fn default<T: Default + Eq>() -> T {
        T::default()
    }
    let class: Object<DeviceClass> = default();
    assert_eq!(class, Object::from_parts(ObjectMeta::default(), DeviceClass::default()));
}

/// The metadata of `k8s-openapi` is written byte for byte as the plain one.
#[test]
fn metadata_is_written_as_servers_write_it() {
    let entry = json!({
        "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:b": {}, "f:a": {".": {}}}},
        "manager": "m", "operation": "Apply", "subresource": "status", "time": "2026-01-02T03:04:05Z",
    });
    let owner = json!({
        "apiVersion": "v1", "blockOwnerDeletion": true, "controller": false, "kind": "Sea", "name": "b", "uid": "c",
    });
    let metadata = json!({
        "annotations": {"a": "", "b/c": "\n"}, "creationTimestamp": "2026-01-02T03:04:05Z", "deletionGracePeriodSeconds": 0,
        "deletionTimestamp": "0001-01-01T00:00:00Z", "finalizers": ["x/y"], "generateName": "g-", "generation": 3,
        "labels": {"l": "m"}, "managedFields": [entry], "name": "a", "namespace": "n", "ownerReferences": [owner],
        "resourceVersion": "7", "selfLink": "/s", "uid": "u",
    });
    let harbour = json!({"apiVersion": "ferry.example.com/v1", "kind": "Harbour", "metadata": metadata, "spec": {}});
    let plain: v1::Harbour = serde_json::from_value(harbour.clone()).unwrap();
    let object: Harbour = serde_json::from_value(harbour).unwrap();
    let written = serde_json::to_string(&object).unwrap();
    assert_eq!(written, serde_json::to_string(&plain).unwrap());
}

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
    assert_eq!(plain.items, [stored.clone().into_plain()]);

    stored.edit(|plain| plain.status.moored = Some(3)).unwrap();
    api.replace_status("a", &PostParams::default(), &stored).await.unwrap();
    let new = Harbour::named("a", v1::HarbourSpec::new("Low"));
    api.create(&PostParams::default(), &new).await.unwrap();
    let apply = v1::apply::Harbour::new("a");
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
        exchanges.filter_map(|exchange| exchange.response.json()).filter(is_of).cloned().collect();
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
        assert_eq!(object.into_plain(), plain);
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

/// A custom kind of a package that has its definition: a program installs the definition, then applies an object.
#[tokio::test]
async fn a_custom_kind_with_its_definition() {
    type Widget = Object<custom::Widget>;
    let (stored, log) = (Arc::new(Mutex::new(Value::Null)), Arc::new(Mutex::new(Vec::new())));
    let (server, requests) = (Arc::clone(&stored), Arc::clone(&log));
    // The server answers an apply and a read with what was applied last.
    let service = tower::service_fn(move |request: http::Request<Body>| {
        let (stored, log) = (Arc::clone(&server), Arc::clone(&requests));
        async move {
            log.lock().unwrap().push(format!("{} {}", request.method(), request.uri().path()));
            let sent = request.into_body().collect_bytes().await?;
            if !sent.is_empty() {
                *stored.lock().unwrap() = serde_json::from_slice(&sent).unwrap();
            }
            let answer = stored.lock().unwrap().to_string();
            Ok::<_, kube::Error>(http::Response::new(Body::from(answer.into_bytes())))
        }
    });
    let client = Client::new(service, "default");
    let as_manager = PatchParams::apply("m");

    let definition = Widget::definition().unwrap();
    assert_eq!(definition.spec.names.plural, <Widget as k8s_openapi::Resource>::URL_PATH_SEGMENT);
    assert_eq!(definition.spec.names.short_names.as_deref(), Some(&["wd".to_owned()][..]));
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let patch = Patch::Apply(&definition);
    definitions.patch("widgets.example.dev", &as_manager, &patch).await.unwrap();
    let installed = stored.lock().unwrap().clone();
    assert_eq!(installed, serde_json::from_str::<Value>(custom::Widget::DEFINITION).unwrap());
    let expected = json!({
        "name": "widgets.example.dev", "labels": {"app": "widgets"},
        "annotations": {"example.dev/owner": "somebody"},
    });
    assert_eq!((&installed["metadata"], installed.get("status")), (&expected, None));

    let widgets: Api<Widget> = Api::default_namespaced(client);
    let spec = custom::apply::WidgetSpec::default().with_name("a").with_phase("later");
    let apply = custom::apply::Widget::new("w").with_spec(spec);
    let patch = Patch::Apply(&apply);
    widgets.patch("w", &as_manager, &patch).await.unwrap();
    let mut sent = stored.lock().unwrap().clone();
    assert_eq!(sent["spec"], json!({"name": "a", "phase": "later"}));
    // A server has refused an object without its required fields.
    sent["spec"]["parts"] = json!([]);
    sent["spec"]["since"] = "2026-01-02T03:04:05.1+01:00".into();
    stored.lock().unwrap().clone_from(&sent);
    let mut read = widgets.get("w").await.unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), sent);
    read.spec_mut().spares = Some(Vec::new());
    widgets.replace("w", &PostParams::default(), &read).await.unwrap();
    assert_eq!(stored.lock().unwrap()["spec"]["spares"], json!([]));

    let (definitions, widgets) = (
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.dev",
        "/apis/example.dev/v1/namespaces/default/widgets/w",
    );
    let expected = [("PATCH", definitions), ("PATCH", widgets), ("GET", widgets), ("PUT", widgets)];
    assert_eq!(*log.lock().unwrap(), expected.map(|(verb, path)| format!("{verb} {path}")));
}
