//! A driver without a runtime: one thread, and any function that sends an HTTP request and waits for the answer.
//!
//! The work runs in its own thread. The server of this example is a function in this file.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use k8s_lease_elector::k8s_coordination::meta::v1::MicroTime;
use k8s_lease_elector::k8s_coordination::requests::http;
use k8s_lease_elector::{
    Answer, CallError, Event, LeaderElector, Monotonic, Now, Request, Settings, State, Step, Term,
};

/// Leads by the Lease until the elector has given it back, and runs the work whenever it leads.
///
/// `work` gets its term, and a function that is true while the work may go on. `send` must have a time-out: a thread that
/// waits for a server cannot be stopped. `orders` receives [`Event::ShutDown`]. The clock stops while the machine is
/// suspended: see [`Monotonic`].
fn lead(
    mut elector: LeaderElector,
    start: Instant,
    mut send: impl FnMut(http::Request<Vec<u8>>) -> io::Result<http::Response<Vec<u8>>>,
    orders: &mpsc::Receiver<Event>,
    work: impl Fn(&Term, &dyn Fn() -> bool) + Copy + Send + 'static,
) {
    let clock = move || Monotonic::since_start(start.elapsed());
    let now = move || Now { monotonic: clock(), wall: MicroTime::now() };
    let stopping = Arc::new(AtomicBool::new(false));
    let mut worker: Option<thread::JoinHandle<()>> = None;
    loop {
        let until = match elector.poll(now()) {
            Step::Send(call) => {
                let answer = answer_to(&call.request, &mut send);
                elector.handle(Event::Answered(call.id, answer), now());
                continue;
            }
            Step::Wait(until) => until,
            _ => return,
        };
        match elector.state(clock()) {
            State::Leading(term) if worker.is_none() => {
                stopping.store(false, Ordering::Release);
                let stopping = Arc::clone(&stopping);
                worker = Some(thread::spawn(move || {
                    work(&term, &|| term.holds(clock()) && !stopping.load(Ordering::Acquire));
                }));
            }
            State::Stopping(..) => {
                stopping.store(true, Ordering::Release);
                if let Some(worker) = worker.take() {
                    worker.thread().unpark();
                    let _ = worker.join();
                }
                elector.handle(Event::WorkStopped, now());
                continue;
            }
            _ => {}
        }
        match orders.recv_timeout(until.since(clock())) {
            Ok(order) => elector.handle(order, now()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => elector.handle(Event::ShutDown, now()),
        }
    }
}

/// Sends a request, and waits for the answer.
fn answer_to(
    request: &Request,
    send: impl FnOnce(http::Request<Vec<u8>>) -> io::Result<http::Response<Vec<u8>>>,
) -> Answer {
    match request.to_http().map_err(io::Error::other).and_then(send) {
        Ok(response) => request.decode(&response),
        Err(error) => Answer::Failed(CallError::new(error.to_string())),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut settings = Settings::new("default", "work", "me");
    settings.lease_duration = Duration::from_secs(3);
    settings.renew_deadline = Duration::from_secs(2);
    settings.retry_period = Duration::from_millis(500);
    let now = Now { monotonic: Monotonic::default(), wall: MicroTime::now() };
    let elector = LeaderElector::new(settings, now)?;

    let (order, orders) = mpsc::channel();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(1));
        let _ = order.send(Event::ShutDown);
    });
    let mut lease = None;
    let server = move |request| Ok(answer(&mut lease, &request));
    lead(elector, Instant::now(), server, &orders, |term, may_go_on| {
        while may_go_on() {
            println!("leads in term {}", term.token());
            thread::park_timeout(Duration::from_millis(300));
        }
    });
    println!("gave the Lease back");
    Ok(())
}

/// A server with one Lease: stores what it gets.
fn answer(
    lease: &mut Option<Vec<u8>>,
    request: &http::Request<Vec<u8>>,
) -> http::Response<Vec<u8>> {
    if *request.method() != http::Method::GET {
        *lease = Some(request.body().clone());
    }
    let mut response = http::Response::new(lease.clone().unwrap_or_default());
    if lease.is_none() {
        let missing = br#"{"kind": "Status", "reason": "NotFound", "details": {"name": "work"}}"#;
        *response.body_mut() = missing.to_vec();
        *response.status_mut() = http::StatusCode::NOT_FOUND;
    }
    response
}
