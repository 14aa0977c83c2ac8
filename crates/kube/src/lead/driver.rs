//! The loop.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use k8s_coordination::k8s_versioned::Quoted;
use k8s_lease_elector::{Event, LeaderElector, Settings, SettingsErrors, State, Step};
use kube::Client;
use thiserror::Error;
use tokio::task::JoinError;

use super::clock::Clock;
use super::server::{Watches, call};
use super::work::Work;
use super::{Leadership, Metrics};

/// Why leading ended otherwise than in order.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LeadError {
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsErrors),
    /// The work panicked. The Lease was given back.
    #[error("the work panicked")]
    WorkPanicked,
}

/// The most that the loop sleeps at once: a machine that wakes up after a suspension learns of it by then.
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

    /// The same driver, which ends when this future does: the work is stopped, then the Lease is given back.
    #[must_use]
    pub fn with_shutdown(mut self, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Box::pin(shutdown);
        self
    }

    /// The same driver, which tells each change of its state.
    #[must_use]
    pub fn with_observer(mut self, observer: impl FnMut(&State) + Send + 'static) -> Self {
        self.observer = Box::new(observer);
        self
    }

    /// What it counts.
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
        let clock = Clock::start();
        let mut watches = Watches::new(&self.client, &self.settings);
        let elector = LeaderElector::new(self.settings, clock.now())?;
        if let Ok(request) = elector.lease_watch() {
            watches.lease(request);
        }
        let mut shutdown = self.shutdown;
        let mut calls = FuturesUnordered::new();
        let mut run = Run {
            elector,
            clock,
            metrics: self.metrics,
            observer: self.observer,
            work: None,
            shutting_down: false,
            panicked: false,
            told: String::new(),
        };
        loop {
            let wait = match run.elector.poll(run.clock.now()) {
                Step::Send(request) => {
                    let metrics = Arc::clone(&run.metrics);
                    calls.push(call(self.client.clone(), request, metrics));
                    continue;
                }
                Step::Wait(until) => until,
                _ => break,
            };
            watches.candidate(run.elector.candidate_version());
            if run.follow_state(&mut work) {
                continue;
            }
            let nap = wait.since(run.clock.monotonic()).min(NAP);
            tokio::select! {
                Some((id, answer)) = calls.next() => run.handle(Event::Answered(id, answer)),
                Some(event) = watches.next() => run.handle(event),
                ended = ended(&mut run.work) => run.work_ended(ended),
                () = &mut shutdown, if !run.shutting_down => run.shut_down(),
                () = tokio::time::sleep(nap) => {}
            }
        }
        run.tell();
        if run.panicked {
            Err(LeadError::WorkPanicked)
        } else {
            Ok(())
        }
    }
}

/// An elector and the work that it guards.
struct Run {
    elector: LeaderElector,
    clock: Clock,
    metrics: Arc<Metrics>,
    observer: Box<dyn FnMut(&State) + Send>,
    work: Option<Work>,
    shutting_down: bool,
    panicked: bool,
    told: String,
}

impl Run {
    fn handle(&mut self, event: Event) {
        self.elector.handle(event, self.clock.now());
    }

    fn shut_down(&mut self) {
        self.shutting_down = true;
        self.handle(Event::ShutDown);
    }

    /// Starts and stops the work as the state says. Says whether that is news for the elector.
    fn follow_state<W, F>(&mut self, work: &mut W) -> bool
    where
        W: FnMut(Leadership) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        match (self.tell(), &mut self.work) {
            (State::Leading(term), None) => {
                self.metrics.count_term();
                self.work = Some(Work::start(term, &self.clock, work));
            }
            (State::Stopping(..), Some(work)) => {
                let aborted = work.stop(&self.clock);
                self.metrics.count_aborted(aborted);
            }
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
        let leads = matches!(
            self.elector.state(self.clock.monotonic()),
            State::Leading(_)
        );
        // The work is done, rather than stopped.
        if (leads || self.panicked) && !self.shutting_down {
            self.shut_down();
        }
    }

    /// Tells a change of the state.
    fn tell(&mut self) -> State {
        let state = self.elector.state(self.clock.monotonic());
        let text = match &state {
            State::Following {
                leader: Some(leader),
            } => format!("follows {}", Quoted(leader)),
            State::Following { leader: None } => "follows nobody".to_owned(),
            State::Leading(term) => format!("leads, term {}", term.token()),
            State::Stopping(_, cause) => format!("stops: {cause}"),
            State::Releasing => "gives the Lease back".to_owned(),
            _ => "has given the Lease back".to_owned(),
        };
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
