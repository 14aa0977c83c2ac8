//! Hostile and busy clients, renewed certificates, and the end of a process.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use backup_types::Kinds;
use bytes::Bytes;
use hyper::StatusCode;
use k8s_versioned::conversion::review::{Webhook, check};
use k8s_versioned_webhook::{Certificates, Drain, Limits, StatusServer, WebhookServer};
use serde_json::{Value, json};
use testing::https::{Client, authority, files, page, stream};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_rustls::rustls::pki_types::CertificateDer;

/// Long enough for a slow machine, short enough for a test.
const SHORT: Duration = Duration::from_millis(500);

/// A time that no test waits for.
const LONG: Duration = Duration::from_secs(60);

/// A server under test.
struct Server {
    address: SocketAddr,
    drain: Drain,
    metrics: k8s_versioned_webhook::WebhookMetrics,
    serving: JoinHandle<()>,
}

async fn server(webhook: Webhook, limits: Limits) -> Server {
    let [certificate, key] = files();
    let certificates = Certificates::watch(certificate, key, LONG).unwrap();
    let server = WebhookServer::new(webhook, certificates).with_limits(limits);
    let metrics = server.metrics();
    let drain = Drain::new(SHORT, LONG);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    Server { address, metrics, serving: tokio::spawn(server.serve(listener, drain.clone())), drain }
}

fn webhook() -> Webhook {
    Webhook::of::<Kinds>()
}

fn review(objects: usize) -> Value {
    review_of(objects, "0 3 * * *")
}

fn review_of(objects: usize, schedule: &str) -> Value {
    let object = |index| {
        json!({
            "apiVersion": "storage.example.com/v1alpha1", "kind": "Backup",
            "metadata": { "name": format!("backup-{index}"), "namespace": "default", "uid": "1" },
            "spec": { "schedule": schedule, "targets": [{ "name": "home", "path": "/home" }] },
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {
            "uid": "7", "desiredAPIVersion": "storage.example.com/v1",
            "objects": (0..objects).map(object).collect::<Vec<_>>(),
        },
    })
}

fn body(objects: usize) -> Bytes {
    review(objects).to_string().into()
}

async fn convert(address: SocketAddr, body: Bytes) -> (StatusCode, Bytes) {
    Client::connect(address).await.unwrap().post("/convert", body).await.unwrap()
}

/// Reads until the server closes the connection.
async fn closed(stream: &mut (impl AsyncRead + Unpin)) -> Vec<u8> {
    let mut answer = Vec::new();
    // A reset closes it as well.
    let _ = timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await.unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_are_answered_and_counted() {
    let server = server(webhook(), Limits::default()).await;
    let mut client = Client::connect(server.address).await.unwrap();
    for objects in [1, 3] {
        let (status, answer) = client.post("/convert?timeout=30s", body(objects)).await.unwrap();
        assert_eq!(status, StatusCode::OK);
        assert_eq!(check(&review(objects), &serde_json::from_slice(&answer).unwrap()), []);
    }
    let (status, paths) = client.post("/admitt", body(1)).await.unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(paths, "the webhook is at /convert, its admission at /admit");
    let (status, reason) = client.post("/convert", Bytes::from("{}")).await.unwrap();
    assert_eq!(status, StatusCode::BAD_REQUEST, "{reason:?}");

    let text = server.metrics.to_text();
    let pair = "kind=\"Backup.storage.example.com\",from=\"v1alpha1\",to=\"v1\"";
    for line in [
        &*format!("conversion_webhook_objects_total{{{pair},result=\"converted\"}} 4"),
        &format!("conversion_webhook_objects_total{{{pair},result=\"refused\"}} 0"),
        "conversion_webhook_answers_total{code=\"200\"} 2",
        "conversion_webhook_answers_total{code=\"404\"} 1",
        "conversion_webhook_review_seconds_count 2",
        "conversion_webhook_certificates_total{result=\"taken\"} 1",
    ] {
        assert!(text.lines().any(|known| known == line), "no {line} in\n{text}");
    }
}

/// Objects that another version could not show whole are refused before they are stored.
#[tokio::test(flavor = "multi_thread")]
async fn objects_are_admitted() {
    let server = server(webhook(), Limits::default()).await;
    let mut client = Client::connect(server.address).await.unwrap();
    for (targets, is_allowed) in [(10, true), (3_000, false)] {
        let target = |index| json!({"name": format!("t{index}"), "path": "/", "priority": index});
        let review = json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
            "request": {"uid": "7", "operation": "CREATE", "object": {
                "apiVersion": "storage.example.com/v1alpha1", "kind": "Backup", "metadata": {"name": "a"},
                "spec": {"schedule": "0 3 * * *", "targets": (0..targets).map(target).collect::<Vec<_>>()},
            }},
        });
        let body = review.to_string().into();
        let (status, answer) = client.post("/admit?timeout=10s", body).await.unwrap();
        assert_eq!(status, StatusCode::OK);
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(answer["response"]["allowed"], is_allowed, "{answer}");
        assert!(answer.to_string().len() < 2_000, "{answer}");
    }
    let (status, _) = client.post("/admit", body(1)).await.unwrap();
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

/// No handshake, no head, half a head, half a body, a kept connection that is idle: each ends in time.
#[tokio::test(flavor = "multi_thread")]
async fn slow_connections_are_closed() {
    let mut limits = Limits::default();
    (limits.handshake_time, limits.idle_time) = (SHORT, SHORT);
    (limits.request_time, limits.answer_time) = (SHORT, SHORT);
    let server = server(webhook(), limits).await;

    let mut silent = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(closed(&mut silent).await, b"");

    for head in ["", "POST /convert HTTP/1.1\r\nhost: webhook\r\n"] {
        let mut slow = stream(server.address, &authority()).await.unwrap();
        slow.write_all(head.as_bytes()).await.unwrap();
        closed(&mut slow).await;
    }

    for length in [100, 1 << 20] {
        let mut slow = stream(server.address, &authority()).await.unwrap();
        let head =
            format!("POST /convert HTTP/1.1\r\nhost: a\r\ncontent-length: {length}\r\n\r\n{{");
        slow.write_all(head.as_bytes()).await.unwrap();
        let answer = String::from_utf8(closed(&mut slow).await).unwrap();
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    }

    // A kept connection that is idle.
    let mut idle = stream(server.address, &authority()).await.unwrap();
    idle.write_all(b"GET / HTTP/1.1\r\nhost: webhook\r\n\r\n").await.unwrap();
    let answer = closed(&mut idle).await;
    assert!(answer.starts_with(b"HTTP/1.1 404 "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_keeps_no_answer() {
    let mut limits = Limits::default();
    limits.answer_time = SHORT;
    limits.large_reviews = 1;
    let server = server(webhook(), limits).await;
    // More than the buffers of the system hold.
    let body = Bytes::from(review_of(2000, &"*".repeat(5000)).to_string());
    let mut deaf = stream(server.address, &authority()).await.unwrap();
    let head =
        format!("POST /convert HTTP/1.1\r\nhost: a\r\ncontent-length: {}\r\n\r\n", body.len());
    deaf.write_all(head.as_bytes()).await.unwrap();
    deaf.write_all(&body).await.unwrap();
    deaf.flush().await.unwrap();
    // The buffers of the system hold both bodies, so the first review has to be converted before the second is sent.
    while !server.metrics.to_text().contains("conversion_webhook_review_seconds_count 1\n") {
        sleep(Duration::from_millis(5)).await;
    }
    // The large review of another client waits for the memory of the first.
    let (status, _) = convert(server.address, body).await;
    assert_eq!(status, StatusCode::OK);
    let answer = closed(&mut deaf).await;
    assert!(!answer.ends_with(b"}"), "the answer fits into the buffers of the system");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_and_bodies_are_bounded() {
    let mut limits = Limits::default();
    (limits.body_bytes, limits.head_bytes) = (10_000, 9_000);
    let server = server(webhook(), limits).await;
    let (status, _) = convert(server.address, body(1)).await;
    assert_eq!(status, StatusCode::OK);
    for request in [
        // A body that says its size is refused before it is sent.
        "POST /convert HTTP/1.1\r\nhost: a\r\ncontent-length: 10001\r\n\r\n".to_owned(),
        // One that does not is read up to the limit.
        format!(
            "POST /convert HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3000\r\n{}",
            "x".repeat(0x3000)
        ),
    ] {
        let mut stream = stream(server.address, &authority()).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 13];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 413 ");
    }
    let mut stream = stream(server.address, &authority()).await.unwrap();
    let head = format!("POST /convert HTTP/1.1\r\nhost: {}\r\n\r\n", "a".repeat(10_000));
    stream.write_all(head.as_bytes()).await.unwrap();
    assert!(closed(&mut stream).await.starts_with(b"HTTP/1.1 431 "));
}

/// Clients that only connect use up the connections, and lose them.
#[tokio::test(flavor = "multi_thread")]
async fn many_connections_do_not_shut_others_out() {
    let mut limits = Limits::default();
    limits.connections = 16;
    limits.handshake_time = SHORT;
    let server = server(webhook(), limits).await;
    let mut idle = Vec::new();
    for _ in 0..64 {
        idle.push(TcpStream::connect(server.address).await.unwrap());
    }
    let answered = timeout(LONG, convert(server.address, body(1))).await.unwrap();
    assert_eq!(answered.0, StatusCode::OK);
}

/// A step after the conversion that holds each review of many objects back shows that small ones do not wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_large_review_does_not_delay_small_ones() {
    static LEFT: AtomicUsize = AtomicUsize::new(0);
    let mut limits = Limits::default();
    limits.large_reviews = 1;
    let webhook = webhook().after(|source, _| {
        if source["metadata"]["name"] == "backup-2999" {
            // Ends when the small reviews are answered.
            let begin = Instant::now();
            while LEFT.load(Ordering::SeqCst) > 0 && begin.elapsed() < LONG {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    });
    let server = server(webhook, limits).await;
    LEFT.store(20, Ordering::SeqCst);
    let large = [0, 1].map(|_| tokio::spawn(convert(server.address, body(3000))));
    sleep(SHORT).await;
    let begin = Instant::now();
    for _ in 0..20 {
        assert_eq!(convert(server.address, body(1)).await.0, StatusCode::OK);
        LEFT.fetch_sub(1, Ordering::SeqCst);
    }
    assert!(begin.elapsed() < LONG / 2, "small reviews waited {:?}", begin.elapsed());
    for large in large {
        assert_eq!(large.await.unwrap().0, StatusCode::OK);
    }
}

/// Clients that send large bodies slowly, or do not say how much they send, cost connections.
#[tokio::test(flavor = "multi_thread")]
async fn slow_bodies_do_not_delay_large_reviews() {
    let mut limits = Limits::default();
    (limits.large_reviews, limits.request_time) = (1, LONG);
    let large = body(2000);
    assert!(large.len() > limits.small_body_bytes);
    let server = server(webhook(), limits).await;
    let mut slow = Vec::new();
    for (size, sent) in [
        ("transfer-encoding: chunked", "1\r\n{\r\n".to_owned()),
        ("content-length: 20000000", "{".to_owned()),
        ("content-length: 20000000", "{".repeat(300_000)),
    ] {
        let mut stream = stream(server.address, &authority()).await.unwrap();
        let request = format!("POST /convert HTTP/1.1\r\nhost: a\r\n{size}\r\n\r\n{sent}");
        stream.write_all(request.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        slow.push(stream);
    }
    sleep(SHORT).await;
    let begin = Instant::now();
    assert_eq!(convert(server.address, large).await.0, StatusCode::OK);
    assert!(begin.elapsed() < LONG / 2, "a large review waited {:?}", begin.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_without_a_permit_in_time_is_told() {
    let mut limits = Limits::default();
    (limits.small_reviews, limits.request_time) = (1, SHORT);
    let webhook = webhook().after(|source, _| {
        if source["metadata"]["name"] == "backup-1" {
            std::thread::sleep(SHORT * 4);
        }
    });
    let server = server(webhook, limits).await;
    let slow = tokio::spawn(convert(server.address, body(2)));
    sleep(SHORT / 2).await;
    assert_eq!(convert(server.address, body(1)).await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(slow.await.unwrap().0, StatusCode::OK);
}

/// A step of the program that panics costs its own review.
#[tokio::test(flavor = "multi_thread")]
async fn a_panic_costs_one_review() {
    let webhook = webhook().after(|source, _| assert_ne!(source["metadata"]["name"], "backup-1"));
    let server = server(webhook, Limits::default()).await;
    let (status, _) = convert(server.address, body(2)).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(convert(server.address, body(1)).await.0, StatusCode::OK);
}

/// A failed handshake is counted; a connection that only looks is not.
#[tokio::test(flavor = "multi_thread")]
async fn failed_handshakes_are_counted() {
    let server = server(webhook(), Limits::default()).await;
    drop(TcpStream::connect(server.address).await.unwrap());
    let mut plain = TcpStream::connect(server.address).await.unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
    closed(&mut plain).await;
    let text = server.metrics.to_text();
    assert!(text.contains("\nconversion_webhook_handshake_failures_total 1\n"), "{text}");
}

/// Writes a certificate for 127.0.0.1 and its key, and returns the certificate.
fn renew(folder: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    fs::write(folder.join("tls.crt"), made.cert.pem()).unwrap();
    fs::write(folder.join("tls.key"), made.signing_key.serialize_pem()).unwrap();
    made.cert.der().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_certificate_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = ["tls.crt", "tls.key"].map(|name| folder.path().join(name));
    let watch = || Certificates::watch(&certificate, &key, Duration::from_millis(20));
    let unread = watch().unwrap_err().to_string();
    assert!(unread.starts_with(&certificate.display().to_string()), "{unread}");
    let first = renew(folder.path());
    let server = WebhookServer::new(webhook(), watch().unwrap());
    let (metrics, drain) = (server.metrics(), Drain::new(SHORT, LONG));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(server.serve(listener, drain));
    stream(address, &first).await.unwrap();

    // A certificate without its key is half of a renewal: the last one stays.
    fs::write(&key, "").unwrap();
    let begin = Instant::now();
    while !metrics.to_text().contains("{result=\"failed\"} 1\n") {
        assert!(begin.elapsed() < LONG);
        sleep(Duration::from_millis(5)).await;
    }
    stream(address, &first).await.unwrap();
    // The key of another certificate.
    let other = renew(tempfile::tempdir().unwrap().path());
    assert!(stream(address, &other).await.is_err());

    let second = renew(folder.path());
    while stream(address, &second).await.is_err() {
        assert!(begin.elapsed() < LONG, "the certificate stays the old one");
        sleep(Duration::from_millis(5)).await;
    }
    assert!(stream(address, &first).await.is_err());
}

#[test]
fn certificates_that_cannot_be_used_are_named() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _in_runtime = runtime.enter();
    let folder = tempfile::tempdir().unwrap();
    renew(folder.path());
    let [certificate, key] = ["tls.crt", "tls.key"].map(|name| folder.path().join(name));
    let refused = |certificate: &Path, key: &Path| {
        let refused = Certificates::watch(certificate, key, LONG).unwrap_err().to_string();
        refused.replace(&folder.path().display().to_string(), "")
    };
    let [_, other] = files();
    assert!(refused(&certificate, &other).contains("do not belong together"));
    assert!(refused(&key, &key).starts_with("/tls.key: not in PEM"), "{}", refused(&key, &key));
    assert!(refused(&certificate, &certificate).starts_with("/tls.crt: not in PEM"));
}

/// Clients send without a pause while the process ends, and go where the pod is ready. Each request is answered.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_ends_loses_nothing() {
    let first = server(webhook(), Limits::default()).await;
    let second = server(webhook(), Limits::default()).await;
    let status = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let status_address = status.local_addr().unwrap();
    tokio::spawn(StatusServer::new(&first.drain).serve(status));
    let ends = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..8)
        .map(|client| {
            let (addresses, drain) = ([first.address, second.address], first.drain.clone());
            let ends = Arc::clone(&ends);
            tokio::spawn(async move {
                let (mut sent, mut connection, mut at_second) = (0, None::<Client>, 0);
                while ends.load(Ordering::SeqCst) == 0 || at_second < 5 {
                    // Services learn of it a little later than the process.
                    let is_gone = drain.has_begun();
                    let mut kept = match connection.take() {
                        Some(kept) if !kept.is_closing => kept,
                        _ => {
                            sleep(Duration::from_millis(20)).await;
                            Client::connect(addresses[usize::from(is_gone)]).await.unwrap()
                        }
                    };
                    let objects = if client == 0 { 2000 } else { 1 };
                    let (status, _) = kept.post("/convert", body(objects)).await.unwrap();
                    assert_eq!(status, StatusCode::OK);
                    sent += 1;
                    at_second += usize::from(is_gone);
                    connection = Some(kept);
                }
                sent
            })
        })
        .collect();
    sleep(SHORT).await;
    assert_eq!(page(status_address, "/readyz").await.unwrap().0, StatusCode::OK);
    let draining = tokio::spawn({
        let drain = first.drain.clone();
        async move { drain.begin().await }
    });
    sleep(SHORT / 2).await;
    let (status, reason) = page(status_address, "/readyz").await.unwrap();
    assert_eq!((status, &*reason), (StatusCode::SERVICE_UNAVAILABLE, "the process ends\n"));
    assert_eq!(page(status_address, "/healthz").await.unwrap().0, StatusCode::OK);
    draining.await.unwrap();
    timeout(LONG, first.serving).await.unwrap().unwrap();
    assert!(TcpStream::connect(first.address).await.is_err(), "the listener is closed");
    ends.store(1, Ordering::SeqCst);
    for client in clients {
        assert!(client.await.unwrap() >= 5);
    }
}

/// A client that the kernel has connected waits for a permit, which idle connections leave at the end.
#[tokio::test(flavor = "multi_thread")]
async fn a_queued_connection_is_answered_at_the_end() {
    let mut limits = Limits::default();
    limits.connections = 2;
    let server = server(webhook(), limits).await;
    let mut idle = Vec::new();
    for _ in 0..2 {
        let mut client = Client::connect(server.address).await.unwrap();
        assert_eq!(client.post("/convert", body(1)).await.unwrap().0, StatusCode::OK);
        idle.push(client);
    }
    let queued = tokio::spawn(convert(server.address, body(1)));
    sleep(SHORT / 2).await;
    server.drain.begin().await;
    assert_eq!(queued.await.unwrap().0, StatusCode::OK);
    timeout(LONG, server.serving).await.unwrap().unwrap();
}

/// The time for requests under way is also bounded.
#[tokio::test(flavor = "multi_thread")]
async fn the_end_does_not_wait_for_ever() {
    let [certificate, key] = files();
    let certificates = Certificates::watch(certificate, key, LONG).unwrap();
    let webhook = webhook().after(|_, _| std::thread::sleep(SHORT * 6));
    let (server, drain) = (WebhookServer::new(webhook, certificates), Drain::new(SHORT, SHORT));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(server.serve(listener, drain.clone()));
    let cut_off = tokio::spawn(async move {
        Client::connect(address).await.unwrap().post("/convert", body(1)).await
    });
    sleep(SHORT / 2).await;
    let begin = Instant::now();
    drain.begin().await;
    serving.await.unwrap();
    assert!(begin.elapsed() < SHORT * 4);
    drop(cut_off);
}

#[tokio::test(flavor = "multi_thread")]
async fn checks_and_metrics_of_the_program() {
    let drain = Drain::new(SHORT, SHORT);
    let server = StatusServer::new(&drain)
        .with_liveness("loop", || Ok(()))
        .with_readiness("watch", || Err("silent for 90s".to_owned()))
        .with_readiness("cache", || Ok(()))
        .with_metrics(|| "a 1\n".to_owned())
        .with_metrics(|| "b 2\n".to_owned());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(server.serve(listener));
    for (path, status, text) in [
        ("/healthz", StatusCode::OK, "loop: ok\n"),
        ("/readyz", StatusCode::SERVICE_UNAVAILABLE, "watch: silent for 90s\ncache: ok\n"),
        ("/metrics", StatusCode::OK, "a 1\nb 2\n"),
        ("/", StatusCode::NOT_FOUND, "there are /healthz, /readyz and /metrics"),
    ] {
        assert_eq!(page(address, path).await.unwrap(), (status, text.to_owned()), "{path}");
    }
}
