//! The webhook under load: how long a review of 1,000 objects takes, quiet and with 300 connections a second, and what memory a large
//! review leaves behind, beside what the server has after reviews of 1,000 objects. It is a process of its own, so that its memory is
//! its own.
//!
//! `cargo bench -p k8s-versioned-webhook` prints the table (`-- large` the large review alone) of
//! docs/explanations/performance.md; figures need a quiet machine.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a benchmark may fail by panicking")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs};

use backup_types::Kinds;
use bytes::Bytes;
use hyper::StatusCode;
use k8s_versioned::conversion::review::Webhook;
use k8s_versioned_webhook::{Certificates, Drain, WebhookServer};
use serde_json::json;
use testing::https::{Client, files};
use tokio::net::TcpListener;
use tokio::time::{interval, sleep};

/// As the program of the example: the allocator of the system keeps most of the memory of a large review.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Says to the program that it is the server.
const SERVE: &str = "serve";

/// Measures the large review alone.
const LARGE_ALONE: &str = "large";

/// Reviews of 1,000 objects that are measured.
const REVIEWS: usize = 100;

/// Connections in a second, each with a review of one object.
const CONNECTIONS: u64 = 300;

/// Reviews of 1,000 objects before the large one: a server in use.
const BEFORE: usize = 20;

/// The objects of a review of about 30 MB.
const LARGE: usize = 90_000;

/// The time until a thread without work ends, and gives its memory back.
const IDLE: Duration = Duration::from_secs(12);

/// The most memory after that time, as a multiple of the memory before the large review.
const MOST_KEPT: f64 = 1.5;

#[tokio::main]
async fn main() {
    if env::args().any(|argument| argument == SERVE) {
        serve().await;
        return;
    }
    let mut server = Server::start();
    if !env::args().any(|argument| argument == LARGE_ALONE) {
        many(server.address).await;
    }
    large(&server).await;
    server.process.kill().unwrap();
    server.process.wait().unwrap();
}

/// Prints how long reviews of 1,000 objects take, quiet and under load. None is lost.
async fn many(address: SocketAddr) {
    println!("| review | p50 | p99 | not answered |\n|---|--:|--:|--:|");
    let body = review(1000);
    let quiet = measure(address, &body).await;
    println!("| 1,000 objects, quiet | {} | 0 |", shown(&quiet));
    let load = Load::start(address);
    sleep(Duration::from_secs(1)).await;
    let loaded = measure(address, &body).await;
    let (sent, lost) = load.end().await;
    println!(
        "| 1,000 objects, with {CONNECTIONS} connections a second | {} | {lost} of {sent} |",
        shown(&loaded)
    );
    assert_eq!(lost, 0, "of {sent} reviews");
}

/// Prints what a large review takes, and what memory it leaves behind, which is bounded.
async fn large(server: &Server) {
    let fresh = server.memory("VmRSS");
    let small = review(1000);
    for _ in 0..BEFORE {
        let mut client = Client::connect(server.address).await.unwrap();
        assert_eq!(client.post("/convert", small.clone()).await.unwrap().0, StatusCode::OK);
    }
    let before = server.memory("VmRSS");
    let body = review(LARGE);
    let begin = Instant::now();
    let answered =
        Client::connect(server.address).await.unwrap().post("/convert", body.clone()).await;
    let (status, answer) = answered.unwrap();
    assert_eq!(status, StatusCode::OK);
    let time = begin.elapsed();
    drop(answer);
    sleep(IDLE).await;
    let (peak, after) = (server.memory("VmHWM"), server.memory("VmRSS"));
    let times = f64::from(after) / f64::from(before);
    println!(
        "\nA review of {LARGE} objects ({} MB) takes {:.1} s and {peak} MB; the process has {fresh} MB at first, {before} MB before it and \
         {after} MB {} s after it ({times:.2} times, goal: {MOST_KEPT}).",
        body.len() / 1_000_000,
        time.as_secs_f64(),
        IDLE.as_secs(),
    );
    assert!(times <= MOST_KEPT, "{times:.2} times the memory before");
}

async fn serve() {
    let [certificate, key] = files();
    let certificates = Certificates::watch(certificate, key, Duration::from_secs(60)).unwrap();
    let server = WebhookServer::new(Webhook::of::<Kinds>(), certificates);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    server.serve(listener, Drain::new(Duration::ZERO, Duration::ZERO)).await;
}

/// The server as a process.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start() -> Self {
        let mut program = Command::new(env::current_exe().unwrap());
        let mut process = program.arg(SERVE).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, address: line.trim().parse().unwrap() }
    }

    /// A row of `/proc/PID/status`, in MB.
    fn memory(&self, row: &str) -> u32 {
        let mut status = String::new();
        let path = format!("/proc/{}/status", self.process.id());
        fs::File::open(path).unwrap().read_to_string(&mut status).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(row)).unwrap();
        let kilobytes: u32 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kilobytes / 1000
    }
}

fn review(objects: usize) -> Bytes {
    let object = |index: usize| {
        json!({
            "apiVersion": "storage.example.com/v1alpha1", "kind": "Backup",
            "metadata": {
                "name": format!("backup-{index}"), "namespace": "default", "resourceVersion": "812",
                "uid": format!("5f1b3c1e-6c7a-4c0e-9f57-{index:012}"), "generation": 1,
            },
            "spec": {
                "schedule": "0 3 * * *", "mode": "All",
                "targets": [{ "name": "home", "path": "/home", "bucket": "b", "retention": "7d" }],
            },
        })
    };
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {
            "uid": "7", "desiredAPIVersion": "storage.example.com/v1",
            "objects": (0..objects).map(object).collect::<Vec<_>>(),
        },
    });
    review.to_string().into()
}

/// The times of reviews over one connection.
async fn measure(address: SocketAddr, body: &Bytes) -> Vec<Duration> {
    let mut client = Client::connect(address).await.unwrap();
    let mut times = Vec::new();
    for _ in 0..REVIEWS {
        let begin = Instant::now();
        let (status, _) = client.post("/convert", body.clone()).await.unwrap();
        assert_eq!(status, StatusCode::OK);
        times.push(begin.elapsed());
    }
    times.sort();
    times
}

fn shown(times: &[Duration]) -> String {
    let at = |percent: usize| {
        let time = times.get(times.len().saturating_sub(1) * percent / 100);
        time.map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    };
    format!("{:.0} ms | {:.0} ms", at(50), at(99))
}

/// Connections in the background, each with one review.
struct Load {
    ends: Arc<AtomicBool>,
    sent: Arc<AtomicUsize>,
    answered: Arc<AtomicUsize>,
}

impl Load {
    fn start(address: SocketAddr) -> Self {
        let load = Self { ends: Arc::default(), sent: Arc::default(), answered: Arc::default() };
        let (ends, sent) = (Arc::clone(&load.ends), Arc::clone(&load.sent));
        let answered = Arc::clone(&load.answered);
        let body = review(1);
        tokio::spawn(async move {
            let mut ticks = interval(Duration::from_secs(1) / u32::try_from(CONNECTIONS).unwrap());
            while !ends.load(Ordering::SeqCst) {
                ticks.tick().await;
                sent.fetch_add(1, Ordering::SeqCst);
                let (answered, body) = (Arc::clone(&answered), body.clone());
                tokio::spawn(async move {
                    let Ok(mut client) = Client::connect(address).await else { return };
                    if client
                        .post("/convert", body)
                        .await
                        .is_ok_and(|(status, _)| status.is_success())
                    {
                        answered.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        load
    }

    /// The number of reviews, and how many were not answered.
    async fn end(self) -> (usize, usize) {
        self.ends.store(true, Ordering::SeqCst);
        sleep(Duration::from_secs(5)).await;
        let [sent, answered] =
            [&self.sent, &self.answered].map(|count| count.load(Ordering::SeqCst));
        (sent, sent - answered)
    }
}
