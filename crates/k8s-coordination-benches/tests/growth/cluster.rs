//! The commands that read a cluster, or pass its answers on. The cluster is in this process, on the thread that is measured.

use std::fs;
use std::net::SocketAddr;

use clap::Parser as _;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination_cli::cluster::{doctor, migrate};
use k8s_coordination_cli::{Cli, Command};
use k8s_versioned_cli::commands::record::{self, RecordArgs};
use kube::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use testing::cluster::http::{Server, json_response, serve, server};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

use crate::coordination::candidate;
use crate::row::{Row, Work};

pub(crate) const ROWS: &[Row] = &[
    Row::new("coordination doctor, candidates", 8, |size| {
        doctor([(0..size).map(|at| candidate(at, "l")).collect(), Vec::new()])
    }),
    Row::new("coordination doctor, problems", 8, |size| {
        let candidates = (0..size).map(|at| candidate(at, &format!("l{at}"))).collect();
        doctor([candidates, (0..size).map(|at| lease(&format!("l{at}"))).collect()])
    }),
    Row::new("coordination doctor, Leases of others", 8, |size| {
        doctor([Vec::new(), (0..size).map(|at| lease(&format!("l{at}"))).collect()])
    }),
    Row::new("coordination migrate, candidates", 8, |size| {
        migrate((0..size).map(|at| candidate(at, "l")).collect())
    }),
    Row::new("coordination migrate, owners of a candidate", 8, |size| {
        let mut owned = candidate(0, "l");
        let owner =
            |at| json!({"apiVersion": "v1", "kind": "A", "name": "a", "uid": format!("{at}")});
        owned["metadata"]["ownerReferences"] = (0..size).map(owner).collect();
        migrate(vec![owned])
    }),
    Row::new("k8s-versioned record, a list", 64, |size| record(size, 0, 1)),
    Row::new("k8s-versioned record, recordings of the set", 64, |size| record(1, size, 1)),
    Row::new("k8s-versioned record, requests", 16, |size| record(1, 0, size)),
];

const GROUP: &str = "/apis/coordination.k8s.io";

/// A Lease that nobody holds since long.
fn lease(name: &str) -> Value {
    json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name, "namespace": "b"},
        "spec": {"holderIdentity": "gone", "leaseDurationSeconds": 5, "renewTime": "2026-01-02T03:00:00.000000Z", "strategy": "OldestEmulationVersion"},
    })
}

fn list_of(kind: &str, version: &str, items: &[Value]) -> Value {
    let (of, metadata) =
        (format!("coordination.k8s.io/{version}"), json!({"resourceVersion": "7"}));
    json!({"apiVersion": of, "kind": format!("{kind}List"), "metadata": metadata, "items": items})
}

/// A server with these candidates and Leases. It answers an object that it is sent with the object.
fn cluster([candidates, leases]: [Vec<Value>; 2]) -> Server {
    let version = "coordination.k8s.io/v1beta1";
    let resource = json!({
        "name": "leasecandidates", "singularName": "leasecandidate", "namespaced": true, "kind": "LeaseCandidate",
        "verbs": ["create", "get", "list"],
    });
    let answers = [
        (
            "",
            json!({
                "apiVersion": "v1", "kind": "APIGroup", "name": "coordination.k8s.io",
                "versions": [{"groupVersion": version, "version": "v1beta1"}],
            }),
        ),
        (
            "/v1beta1",
            json!({
                "apiVersion": "v1", "kind": "APIResourceList", "groupVersion": version, "resources": [resource],
            }),
        ),
        ("/v1beta1/leasecandidates", list_of("LeaseCandidate", "v1beta1", &candidates)),
        ("/v1/leases", list_of("Lease", "v1", &leases)),
    ];
    server(move |head, body| {
        let path = head.uri.path().trim_end_matches('/').strip_prefix(GROUP).unwrap_or_default();
        let found = answers.iter().find(|(of, _)| *of == path).map(|(_, answer)| answer.clone());
        let answer = found
            .or_else(|| serde_json::from_slice(&body).ok())
            .unwrap_or_else(|| panic!("{} {}", head.method, head.uri));
        async move { Ok(json_response(200, &answer)) }
    })
}

/// Waits for the work on this thread.
fn wait(work: impl Future<Output = ()>) {
    Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

fn doctor(lists: [Vec<Value>; 2]) -> Work {
    let cli = Cli::try_parse_from(["coordination", "doctor"]).unwrap();
    let Command::Doctor(args) = cli.command else { panic!() };
    let (cluster, now) = (cluster(lists), "2026-01-02T03:04:05Z".parse().unwrap());
    Box::new(move || {
        wait(async {
            let (client, mut out) = (Client::new(cluster.clone(), "default"), Vec::new());
            doctor::run(&client, &args, now, &mut out).await.unwrap();
        });
    })
}

/// Copies candidates to a cluster that has none.
fn migrate(candidates: Vec<Value>) -> Work {
    let cli = Cli::try_parse_from(["coordination", "migrate", "--yes"]).unwrap();
    let Command::Migrate(args) = cli.command else { panic!() };
    let read = |candidate| serde_json::from_value(candidate).unwrap();
    let candidates: Vec<AnyLeaseCandidate> = candidates.into_iter().map(read).collect();
    let cluster = cluster([Vec::new(), Vec::new()]);
    Box::new(move || {
        wait(async {
            let (client, mut out) = (Client::new(cluster.clone(), "default"), Vec::new());
            migrate::run(candidates.clone(), &client, &args, &mut out).await.unwrap();
            let out = String::from_utf8(out).unwrap();
            let all = format!("{0} of {0} are in v1beta1", candidates.len());
            assert!(out.contains(&all), "{out}");
        });
    })
}

/// Records requests for a list of this size, in a set that has so many recordings already.
fn record(size: usize, recordings: usize, requests: usize) -> Work {
    let candidates: Vec<Value> = (0..size).map(|at| candidate(at, "l")).collect();
    let cluster = cluster([candidates, Vec::new()]);
    let folder = TempDir::new().unwrap();
    let set = folder.path().join("v1.36/coordination.k8s.io/v1beta1/a");
    fs::create_dir_all(&set).unwrap();
    for number in 1..=recordings {
        fs::write(set.join(format!("{number:03}-a{number}.json")), "{}").unwrap();
    }
    Box::new(move || {
        wait(async {
            let release = "v1.36".parse().unwrap();
            let mut options = RecordArgs::new(release, "coordination.k8s.io", "a", folder.path());
            options.server = serve(cluster.clone()).await.into();
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            let listener = TcpListener::bind(any).await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(record::serve(listener, options));
            for request in 0..requests {
                get(address, &format!("list-{request}")).await;
            }
        });
        assert_eq!(fs::read_dir(&set).unwrap().count(), recordings + requests);
    })
}

/// Reads the list of candidates through the recorder, which records it by a name.
async fn get(address: SocketAddr, name: &str) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "GET {GROUP}/v1beta1/leasecandidates HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-recording-name: {name}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}
