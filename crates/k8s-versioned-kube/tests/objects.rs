//! A cluster-scoped kind with a status, with a real client of `kube` and a server in this process.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use codegen_cases::operations::v1;
use futures_util::StreamExt;
use k8s_versioned_kube::{Object, client};
use k8s_versioned_requests::{Verbs, http};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::client::Body;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, ResourceExt};
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
