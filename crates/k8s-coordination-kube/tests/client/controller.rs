//! The example `controller` as processes.

#[expect(dead_code, reason = "the test needs the answers only")]
#[path = "../../examples/controller/status.rs"]
mod status;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use k8s_coordination_kube::lead::{Driver, Settings};
use testing::cluster::Cluster;
use testing::cluster::process::{Program, live};
use testing::cluster::replay::run;
use testing::server;

/// The program, which the build of the tests puts into the folder `examples`.
pub(super) fn command(name: &str) -> Command {
    Command::new(path(name))
}

/// The program of an example.
pub(super) fn path(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path: PathBuf = test.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(path.exists(), "`cargo build --examples` first: there is no {}", path.display());
    path
}

/// The status code and the text at this path of a program that listens.
async fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// The permission that RBAC needs for a request.
fn permission(request: &str) -> (&'static str, String) {
    let (method, target) = request.split_once(' ').unwrap();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let segments: Vec<_> = path.split('/').skip(6).collect();
    let verb = match (method, segments.len()) {
        ("GET", _) if query.contains("watch=true") => "watch",
        ("GET", 1) => "list",
        ("GET", _) => "get",
        ("POST", _) => "create",
        _ => "update",
    };
    (verb, segments[0].to_owned())
}

/// The driver of a leader hangs: nothing polls it. A new start helps once the term is over.
#[test]
fn a_driver_that_hangs_is_not_healthy() {
    run(async {
        let cluster = Cluster::new(None);
        let settings = Settings::new(server::NAMESPACE, server::LEASE, "a");
        let driver = Driver::new(cluster.client(), settings).unwrap();
        let handle = driver.handle();
        let mut driver = std::pin::pin!(driver.run(|_| std::future::pending()));
        let time = Duration::from_secs(30);
        assert!(tokio::time::timeout(time, driver.as_mut()).await.is_err());
        for (seconds, code, begins) in [
            (0, 200, "leads\n"),
            (15, 200, "stops: no renewal succeeded in time, and has not renewed for "),
            (10, 500, "stops: no renewal succeeded in time, and has not renewed for "),
        ] {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            let (status, text) = status::answer("/healthz", &handle);
            assert_eq!(status.as_u16(), code, "{text}");
            assert!(text.starts_with(begins), "{text}");
        }
        // It runs again, and gives its term up.
        assert!(tokio::time::timeout(time, driver).await.is_err());
        assert_eq!(status::answer("/healthz", &handle).0, 200);
    });
}

/// Two pods of the example. SIGTERM ends the one that leads, and the other one works at once: its cache is warm.
#[test]
fn controllers_hand_over() {
    let role = include_str!("../../examples/controller/deploy.yaml");
    let documents: Vec<serde_json::Value> = serde_saphyr::from_multiple(role).unwrap();
    let rules: Vec<_> = documents[1]["rules"].as_array().unwrap().iter().collect();
    live(async {
        let cluster = Cluster::new(None);
        let start = async |pod| {
            let variables = [
                ("POD_NAME", pod),
                ("POD_NAMESPACE", server::NAMESPACE),
                ("LISTEN", "127.0.0.1:0"),
            ];
            let server = cluster.service(Arc::default());
            let mut command = command("controller");
            command.envs(variables);
            let mut program = Program::start(command, server).await;
            let line = program.until("listens on").await.pop().unwrap();
            (program, line.split(' ').next_back().unwrap().to_owned())
        };
        let (mut a, of_a) = start("a").await;
        a.until("leads, term uid-1/1").await;
        a.until("reconciled lease-watcher, held by \"a\"").await;
        let (mut b, of_b) = start("b").await;
        b.until("follows `a`").await;
        assert_eq!(get(&of_a, "/healthz").await, (200, "leads\n".to_owned()));
        assert_eq!(get(&of_b, "/healthz").await, (200, "follows\n".to_owned()));
        let metrics = get(&of_a, "/metrics").await.1;
        assert!(metrics.contains("leader_election_master_status{name=\"lease-watcher\"} 1\n"));
        let metrics = get(&of_b, "/metrics").await.1;
        assert!(metrics.contains("leader_election_master_status{name=\"lease-watcher\"} 0\n"));

        for request in cluster.take_requests() {
            let (verb, resource) = permission(&request);
            let has = |rule: &&&serde_json::Value, field: &str, word: &str| {
                rule[field].as_array().unwrap().iter().any(|found| found == word)
            };
            let allows = |rule: &&&serde_json::Value| {
                has(rule, "resources", &resource) && has(rule, "verbs", verb)
            };
            assert!(rules.iter().any(|rule| allows(&rule)), "{request}");
        }
        let start = Instant::now();
        a.signal("-TERM").await;
        let (rest, errors, status) = a.end().await;
        assert!(rest.ends_with("done\n"), "{rest}");
        assert_eq!((errors.as_str(), status.code()), ("", Some(0)));
        b.until("leads, term uid-1/").await;
        b.until("reconciled lease-watcher, held by").await;
        assert!(start.elapsed() < Duration::from_secs(10));
        let lists = |request: &String| permission(request) == ("list", "leases".to_owned());
        assert_eq!(cluster.take_requests().iter().filter(|request| lists(request)).count(), 0);
        b.ctrl_c().await;
        assert_eq!(b.end().await.2.code(), Some(0));
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}
