//! The program itself: over TLS, and while pods are replaced.
#![cfg(unix)]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use bytes::Bytes;
use hyper::StatusCode;
use k8s_versioned::conversion::review::check;
use rustix::process::{Pid, Signal, kill_process};
use testing::https::{Client, files, page};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// The seconds in which clients that have looked up the pod's address just before send their request, also on a busy machine.
const NOTICE: &str = "1";

/// A running program.
struct Pod {
    process: Child,
    reviews: SocketAddr,
    status: SocketAddr,
    /// What it writes to the standard error until it ends.
    log: thread::JoinHandle<String>,
}

impl Pod {
    fn start() -> Self {
        let [certificate, key] = files();
        let mut program = Command::new(env!("CARGO_BIN_EXE_example-webhook"));
        program.args(["127.0.0.1:0", "127.0.0.1:0"]).args([certificate, key]).arg(NOTICE);
        let mut process = program.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        log.read_line(&mut line).unwrap();
        let (_, addresses) = line.trim().split_once("listening on ").unwrap();
        let (reviews, status) = addresses.split_once(" and ").unwrap();
        let (reviews, status) = (reviews.parse().unwrap(), status.parse().unwrap());
        let log = thread::spawn(move || {
            let mut lines = String::new();
            log.read_to_string(&mut lines).unwrap();
            lines
        });
        Self { process, reviews, status, log }
    }

    fn terminate(&self) {
        let process = Pid::from_child(&self.process);
        kill_process(process, Signal::TERM).unwrap();
    }

    async fn is_ready(status: SocketAddr) -> bool {
        page(status, "/readyz").await.is_some_and(|(code, _)| code == StatusCode::OK)
    }
}

fn request() -> Bytes {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requests");
    fs::read(folder.join("list-v1.json")).unwrap().into()
}

/// The program answers over TLS, says how it is, and ends well.
#[tokio::test(flavor = "multi_thread")]
async fn the_program_serves_tls() {
    let mut pod = Pod::start();
    let mut client = Client::connect(pod.reviews).await.unwrap();
    let (status, answer) = client.post("/convert", request()).await.unwrap();
    assert_eq!(status, StatusCode::OK);
    let [request, answer] = [request(), answer].map(|body| serde_json::from_slice(&body).unwrap());
    assert_eq!(check(&request, &answer), []);
    assert!(Pod::is_ready(pod.status).await);
    let (_, metrics) = page(pod.status, "/metrics").await.unwrap();
    assert!(metrics.contains("conversion_webhook_answers_total{code=\"200\"} 1"), "{metrics}");
    pod.terminate();
    assert!(pod.process.wait().unwrap().success());
}

/// The README asks with `curl`: the path is served, and the answer to the file passes the check.
#[tokio::test(flavor = "multi_thread")]
async fn the_request_of_the_readme() {
    let readme = include_str!("../README.md");
    let line = readme.lines().find_map(|line| line.strip_prefix("$ curl ")).unwrap();
    let word = |begin: &str| line.split_whitespace().find_map(|word| word.strip_prefix(begin));
    let path = word("https://localhost:8443").unwrap();
    let body = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(word("@").unwrap())).unwrap();
    let mut pod = Pod::start();
    let mut client = Client::connect(pod.reviews).await.unwrap();
    let (status, answer) = client.post(path, body.clone().into()).await.unwrap();
    assert_eq!(status, StatusCode::OK);
    let [request, answer] =
        [&*body, &*answer].map(|json| serde_json::from_slice::<serde_json::Value>(json).unwrap());
    assert_eq!(check(&request, &answer), []);
    let converted = answer["response"]["convertedObjects"].as_array().unwrap().len();
    assert!(
        readme.contains(&format!("a server accepts the answer: {converted} objects converted"))
    );
    pod.terminate();
    assert!(pod.process.wait().unwrap().success());
}

/// An API server with another authority shakes no hands: without a warning, nobody would know why nothing is converted.
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_handshake_is_a_warning() {
    let mut pod = Pod::start();
    let mut plain = TcpStream::connect(pod.reviews).unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    // Until the server closes the connection, also by a reset.
    drop(plain.read_to_end(&mut Vec::new()));
    pod.terminate();
    assert!(pod.process.wait().unwrap().success());
    let log = pod.log.join().unwrap();
    assert!(log.contains(" WARN ") && log.contains("a TLS handshake failed"), "{log}");
}

/// Sends reviews without a pause, as an API server does by a Service: over a kept connection while the pod does not ask to close
/// it, and to the pod that is ready. Returns how many were answered.
async fn send(mut ready: watch::Receiver<SocketAddr>, ends: Arc<AtomicBool>) -> u64 {
    let (mut kept, mut answered) = (None::<Client>, 0);
    while !ends.load(Ordering::SeqCst) {
        let mut client = if let Some(client) = kept.take().filter(|client| !client.is_closing) {
            client
        } else {
            let address = *ready.borrow_and_update();
            Client::connect(address).await.unwrap_or_else(|error| panic!("lost: {error}"))
        };
        let sent = client.post("/convert", request()).await;
        let (status, _) = sent.unwrap_or_else(|error| panic!("lost: {error}"));
        assert_eq!(status, StatusCode::OK);
        answered += 1;
        kept = Some(client);
        sleep(Duration::from_millis(2)).await;
    }
    answered
}

/// Replaces the pod so many times under load. Each request has to be answered.
async fn replace(times: usize) {
    let mut pod = Pod::start();
    let (service, ready) = watch::channel(pod.reviews);
    let ends = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> =
        (0..6).map(|_| tokio::spawn(send(ready.clone(), Arc::clone(&ends)))).collect();
    for _ in 0..times {
        let next = Pod::start();
        let begin = Instant::now();
        while !Pod::is_ready(next.status).await {
            assert!(begin.elapsed() < Duration::from_secs(20), "the next pod does not start");
            sleep(Duration::from_millis(5)).await;
        }
        // The Service forgets the pod while `preStop` sleeps; then the pod gets SIGTERM.
        service.send_replace(next.reviews);
        sleep(Duration::from_millis(100)).await;
        pod.terminate();
        while Pod::is_ready(pod.status).await {
            sleep(Duration::from_millis(5)).await;
        }
        let mut ended = std::mem::replace(&mut pod, next).process;
        let exit = timeout(
            Duration::from_secs(40),
            tokio::task::spawn_blocking(move || ended.wait().unwrap()),
        );
        assert!(exit.await.unwrap().unwrap().success());
    }
    ends.store(true, Ordering::SeqCst);
    let mut answered = 0;
    for client in clients {
        answered += client.await.unwrap();
    }
    pod.terminate();
    assert!(pod.process.wait().unwrap().success());
    println!("{answered} reviews were answered over {times} restarts");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_while_pods_are_replaced() {
    replace(3).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes five minutes: `.ci/run --all` has a step for it"]
async fn nothing_is_lost_over_200_restarts() {
    replace(200).await;
}
