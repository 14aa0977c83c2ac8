//! The loop that runs an elector.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};
use k8s_lease_elector::{
    Answer, CallId, Event, LeaderElector, Monotonic, Settings, SettingsErrors, State, Step,
};
use kube::Client;
use thiserror::Error;
use tokio::task::JoinError;

use super::clock::Clock;
use super::server::{Watches, call};
use super::work::Work;
use super::{Leadership, Metrics};

/// The reason why leading failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LeadError {
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsErrors),
    /// The work panicked. The driver has given the Lease back.
    #[error("the work panicked")]
    WorkPanicked,
}

/// The longest sleep of the loop. After a suspension the machine notices within this time.
const NAP: Duration = Duration::from_secs(1);

/// Runs an elector: see [`lead`](super::lead).
pub struct Driver {
    client: Client,
    settings: Settings,
    metrics: Arc<Metrics>,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
    observer: Box<dyn FnMut(&State) + Send>,
}

impl Driver {
    /// A driver that runs until the work returns.
    pub fn new(client: Client, settings: Settings) -> Self {
        Self {
            client,
            settings,
            metrics: Arc::default(),
            shutdown: Box::pin(std::future::pending()),
            observer: Box::new(|_| {}),
        }
    }

    /// Sets the future that ends the driver: when it is ready, the driver stops the work, then gives the Lease back.
    ///
    /// The driver renews the Lease until the work has stopped.
    #[must_use]
    pub fn with_shutdown(mut self, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Box::pin(shutdown);
        self
    }

    /// Sets the function that the driver calls after each change of its state.
    #[must_use]
    pub fn with_observer(mut self, observer: impl FnMut(&State) + Send + 'static) -> Self {
        self.observer = Box::new(observer);
        self
    }

    /// The counters.
    pub fn metrics(&self) -> Arc<Metrics> {
        Arc::clone(&self.metrics)
    }

    /// Leads: see [`lead`](super::lead).
    ///
    /// # Errors
    ///
    /// The settings are wrong, or the work panicked.
    pub async fn run<W, F>(self, mut work: W) -> Result<(), LeadError>
    where
        W: FnMut(Leadership) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let mut shutdown = self.shutdown;
        let mut run = Run::new(self.client, self.settings, self.metrics, self.observer)?;
        while let Some(until) = run.send_requests() {
            if run.follow_state(&mut work) {
                continue;
            }
            let nap = until.since(run.clock.monotonic()).min(NAP);
            tokio::select! {
                Some((id, answer)) = run.calls.next() => run.handle(Event::Answered(id, answer)),
                Some(event) = run.watches.next() => run.handle(event),
                ended = ended(&mut run.work) => run.work_ended(ended),
                () = &mut shutdown, if !run.shutting_down => run.shut_down(),
                () = tokio::time::sleep(nap) => {}
            }
        }
        run.tell();
        if run.panicked { Err(LeadError::WorkPanicked) } else { Ok(()) }
    }
}

/// An elector, its requests and watches, and the work that it guards.
struct Run {
    client: Client,
    elector: LeaderElector,
    clock: Clock,
    metrics: Arc<Metrics>,
    observer: Box<dyn FnMut(&State) + Send>,
    calls: FuturesUnordered<BoxFuture<'static, (CallId, Answer)>>,
    watches: Watches,
    work: Option<Work>,
    shutting_down: bool,
    panicked: bool,
    /// The last state, as text.
    told: String,
}

impl Run {
    fn new(
        client: Client,
        settings: Settings,
        metrics: Arc<Metrics>,
        observer: Box<dyn FnMut(&State) + Send>,
    ) -> Result<Self, SettingsErrors> {
        let clock = Clock::start();
        let mut watches = Watches::new(&client, &settings);
        let elector = LeaderElector::new(settings, clock.now())?;
        if let Ok(request) = elector.lease_watch() {
            watches.lease(request);
        }
        Ok(Self {
            client,
            elector,
            clock,
            metrics,
            observer,
            calls: FuturesUnordered::new(),
            watches,
            work: None,
            shutting_down: false,
            panicked: false,
            told: String::new(),
        })
    }

    /// Sends all requests that are due. Returns the time until which to wait; `None` when the elector is done.
    fn send_requests(&mut self) -> Option<Monotonic> {
        loop {
            match self.elector.poll(self.clock.now()) {
                Step::Send(request) => {
                    let metrics = Arc::clone(&self.metrics);
                    let call = call(self.client.clone(), request, metrics);
                    self.calls.push(call.boxed());
                }
                Step::Wait(until) => {
                    self.watches.candidate(self.elector.candidate_version());
                    return Some(until);
                }
                _ => return None,
            }
        }
    }

    fn handle(&mut self, event: Event) {
        self.elector.handle(event, self.clock.now());
    }

    fn shut_down(&mut self) {
        self.shutting_down = true;
        self.handle(Event::ShutDown);
    }

    /// Starts and stops the work by the state. Returns true if the elector has to be polled again.
    fn follow_state<W, F>(&mut self, work: &mut W) -> bool
    where
        W: FnMut(Leadership) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        match (self.tell(), &mut self.work) {
            (State::Leading(term), None) => {
                self.metrics.terms.add_one();
                self.work = Some(Work::start(term, &self.clock, work));
            }
            (State::Stopping(..), Some(work)) => work.stop(&self.clock, &self.metrics),
            (State::Stopping(..), None) => {
                self.handle(Event::WorkStopped);
                return true;
            }
            _ => {}
        }
        false
    }

    fn work_ended(&mut self, ended: Result<(), JoinError>) {
        self.work = None;
        self.panicked |= ended.is_err_and(|error| error.is_panic());
        let leads = matches!(self.elector.state(self.clock.monotonic()), State::Leading(_));
        // The work ended without being stopped.
        if (leads || self.panicked) && !self.shutting_down {
            self.shut_down();
        }
    }

    /// Reads the state, and tells the observer if it has changed.
    fn tell(&mut self) -> State {
        let state = self.elector.state(self.clock.monotonic());
        let text = state.to_string();
        if text != self.told {
            tracing::info!("{text}");
            (self.observer)(&state);
            self.told = text;
        }
        state
    }
}

async fn ended(work: &mut Option<Work>) -> Result<(), JoinError> {
    match work {
        Some(work) => work.ended().await,
        None => std::future::pending().await,
    }
}
