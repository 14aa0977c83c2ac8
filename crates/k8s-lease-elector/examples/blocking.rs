//! A driver without a runtime: one thread, and any function that sends an HTTP request and waits for the answer.

use std::{io, thread};

use k8s_lease_elector::k8s_coordination::{meta::v1::MicroTime, requests::http};
use k8s_lease_elector::{CallError, ElectorAnswer, ElectorEvent, LeaderElector, Monotonic, Now};
use k8s_lease_elector::{Settings, State, Step, Term};

/// Calls `work` while this process leads, until it returns `false`; then releases the Lease. Each call of `work` is
/// shorter than the retry period, so that renewals come in time; `send` has a time-out.
fn lead(
    mut elector: LeaderElector,
    now: impl Fn() -> Now,
    mut send: impl FnMut(http::Request<Vec<u8>>) -> io::Result<http::Response<Vec<u8>>>,
    mut work: impl FnMut(&Term) -> bool,
) {
    loop {
        match (elector.poll(now()), elector.state(now().monotonic)) {
            (Step::Send(call), _) => {
                let answer = call.request.to_http().map_err(io::Error::other).and_then(&mut send);
                let failed =
                    |error: io::Error| ElectorAnswer::Failed(CallError::new(error.to_string()));
                let answer = answer.map_or_else(failed, |answer| call.request.decode(&answer));
                elector.handle(ElectorEvent::Answered(call.id, answer), now());
            }
            (Step::Wait(_), State::Leading(term)) if work(&term) => {}
            (Step::Wait(_), State::Leading(_)) => elector.handle(ElectorEvent::ShutDown, now()),
            (Step::Wait(_), State::Stopping(..)) => {
                elector.handle(ElectorEvent::WorkStopped, now());
            }
            (Step::Wait(until), _) => thread::sleep(until.since(now().monotonic)),
            _ => return,
        }
    }
}

/// A clock that also counts the time for which the machine is suspended. [`Instant`](std::time::Instant) does not on Linux.
#[cfg(target_os = "linux")]
fn monotonic() -> Monotonic {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Monotonic::since_start(time.try_into().unwrap_or_default())
}

/// Other systems have clocks of their own that do; this one is for machines that are never suspended.
#[cfg(not(target_os = "linux"))]
fn monotonic() -> Monotonic {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    Monotonic::since_start(START.elapsed())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let now = || Now { monotonic: monotonic(), wall: MicroTime::now() };
    let elector = LeaderElector::new(Settings::new("default", "work", "me"), now())?;
    let (mut lease, mut steps) = (None, 1..4);
    // The server of this example has one object.
    let server = |request: http::Request<Vec<u8>>| {
        if request.method() != http::Method::GET {
            lease = Some(request.into_body());
        }
        let missing = br#"{"kind": "Status", "reason": "NotFound", "details": {"name": "work"}}"#;
        let (code, body) = lease.clone().map_or((404, missing.to_vec()), |lease| (200, lease));
        http::Response::builder().status(code).body(body).map_err(io::Error::other)
    };
    lead(elector, now, server, |_| steps.next().map(|step| println!("step {step}")).is_some());
    Ok(())
}
