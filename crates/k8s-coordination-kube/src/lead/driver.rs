//! The loop that runs an elector.

use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};
use k8s_lease_elector::{
    CallId, ElectorAnswer, ElectorEvent, ElectorVerb, LeaderElector, Monotonic, Settings,
    SettingsErrors, State, Step, Term,
};
use kube::Client;
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tracing::Instrument;

use super::Leadership;
use super::announce::Announcer;
use super::clock::Clock;
use super::leadership::{Handle, Shared};
use super::log::Log;
use super::server::{Watches, call};

/// The reason why leading failed.
#[derive(Error)]
#[non_exhaustive]
pub enum LeadError {
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsErrors),
    /// The work panicked. The driver has released the Lease.
    #[error("the work panicked")]
    WorkPanicked,
}

/// A `main` that returns the error prints it by `Debug`: people read the message.
impl fmt::Debug for LeadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The longest sleep of the loop. After a suspension the machine notices within this time.
const MAX_SLEEP: Duration = Duration::from_secs(1);

/// Runs an elector: see [`lead`](super::lead).
pub struct Driver {
    /// Boxed, so that the future of [`run`](Self::run) stays small.
    run: Box<Run>,
    settings: Settings,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Driver {
    /// A driver that runs until the work returns.
    ///
    /// # Errors
    ///
    /// All errors in the settings.
    pub fn new(client: Client, settings: Settings) -> Result<Self, SettingsErrors> {
        let clock = Clock::start();
        let elector = LeaderElector::new(settings.clone(), clock.now())?;
        let state = watch::Sender::new(elector.state(clock.monotonic()));
        let run = Run {
            shared: Arc::new(Shared::new(elector, clock, &settings)),
            state,
            announcer: None,
            calls: FuturesUnordered::new(),
            watches: Watches::new(&client, &settings),
            client,
            work: None,
            shutting_down: false,
            panicked: false,
            is_published: false,
            log: Log::new(&settings),
        };
        let (run, shutdown) = (Box::new(run), Box::pin(std::future::pending()));
        Ok(Self { run, settings, shutdown })
    }

    /// Sets the future that ends the driver: when it is ready, the driver stops the work, then releases the Lease.
    ///
    /// The driver renews the Lease until the work has stopped.
    #[must_use]
    pub fn with_shutdown(mut self, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Box::pin(shutdown);
        self
    }

    /// Writes an Event on the Lease whenever this process begins or ends a term, with this controller as the
    /// reporter, such as `example.com/my-controller`.
    ///
    /// It needs the verb `create` for `events` of `events.k8s.io`. An Event that cannot be created is a warning.
    #[must_use]
    pub fn with_events(mut self, controller: impl Into<String>) -> Self {
        let announcer = Announcer::new(&self.run.client, &self.settings, controller.into());
        self.run.announcer = Some(announcer);
        self
    }

    /// A handle for the rest of the program: state, health, metrics, and stepping down.
    pub fn handle(&self) -> Handle {
        Handle { shared: Arc::clone(&self.run.shared), state: self.run.state.subscribe() }
    }

    /// Leads: see [`lead`](super::lead). Log lines are in a span `lead` with the fields `lease`, `namespace` and
    /// `identity`.
    ///
    /// # Errors
    ///
    /// The work panicked.
    pub async fn run<W, F>(self, work: W) -> Result<(), LeadError>
    where
        W: FnMut(Leadership) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let Settings { lease_name: lease, namespace, identity, .. } = &self.settings;
        let span = tracing::info_span!("lead", %lease, %namespace, %identity);
        self.lead(work).instrument(span).await
    }

    async fn lead<W, F>(self, mut work: W) -> Result<(), LeadError>
    where
        W: FnMut(Leadership) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let Self { mut run, mut shutdown, .. } = self;
        let lease = run.shared.elector().lease_watch();
        if let Ok(request) = lease {
            run.watches.lease(request);
        }
        while let Some(until) = run.send_requests() {
            run.log.report(&run.shared.elector(), run.shared.clock.monotonic());
            if run.follow_state(&mut work) {
                continue;
            }
            let sleep_time = until.since(run.shared.clock.monotonic()).min(MAX_SLEEP);
            tokio::select! {
                Some((id, answer)) = run.calls.next() => run.shared.handle(ElectorEvent::Answered(id, answer)),
                Some(event) = run.watches.next() => run.shared.handle(event),
                ended = ended(&mut run.work) => run.work_ended(ended),
                () = run.shared.ordered.notified() => {}
                () = &mut shutdown, if !run.shutting_down => run.shut_down(),
                () = tokio::time::sleep(sleep_time) => {}
            }
        }
        run.publish_state();
        if let Some(announcer) = run.announcer {
            announcer.finish().await;
        }
        if run.panicked { Err(LeadError::WorkPanicked) } else { Ok(()) }
    }
}

/// An elector, its requests and watches, and the work that it guards.
struct Run {
    client: Client,
    shared: Arc<Shared>,
    state: watch::Sender<State>,
    announcer: Option<Announcer>,
    calls: FuturesUnordered<BoxFuture<'static, (CallId, ElectorAnswer)>>,
    watches: Watches,
    work: Option<Work>,
    shutting_down: bool,
    panicked: bool,
    /// Whether the first state was published.
    is_published: bool,
    log: Log,
}

impl Run {
    /// Sends all requests that are due. Returns the time until which to wait; `None` when the elector is done.
    fn send_requests(&mut self) -> Option<Monotonic> {
        let mut elector = self.shared.elector();
        loop {
            let now = self.shared.clock.now();
            match elector.poll(now) {
                Step::Send(request) => {
                    let leads = matches!(elector.state(now.monotonic), State::Leading(_));
                    if leads && matches!(request.request.verb, ElectorVerb::ReadLease(_)) {
                        self.shared.count(|metrics| &mut metrics.slow_renewals);
                    }
                    let call = call(self.client.clone(), request, Arc::clone(&self.shared));
                    self.calls.push(call.boxed());
                }
                Step::Wait(until) => {
                    self.watches.candidate(elector.candidate_version());
                    return Some(until);
                }
                _ => return None,
            }
        }
    }

    fn shut_down(&mut self) {
        self.shutting_down = true;
        self.shared.handle(ElectorEvent::ShutDown);
    }

    /// Starts and stops the work by the state. Returns `true` if the elector has to be polled again.
    fn follow_state<W, F>(&mut self, work: &mut W) -> bool
    where
        W: FnMut(Leadership) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let state = self.publish_state();
        match (state, &mut self.work) {
            (State::Leading(term), None) => {
                self.shared.count(|metrics| &mut metrics.terms);
                self.work = Some(Work::start(term, &self.shared.clock, work));
            }
            (State::Stopping(..), Some(work)) => work.stop(&self.shared),
            (State::Stopping(..), None) => {
                self.shared.handle(ElectorEvent::WorkStopped);
                return true;
            }
            _ => {}
        }
        false
    }

    fn work_ended(&mut self, ended: Result<(), JoinError>) {
        self.work = None;
        let panicked = ended.is_err_and(|error| error.is_panic());
        self.panicked |= panicked;
        let leads = matches!(self.shared.state(), State::Leading(_));
        if panicked && !leads {
            tracing::warn!("the work panicked while it stopped");
        }
        // The work ended without being stopped.
        if (leads || panicked) && !self.shutting_down {
            self.shutting_down = true;
            self.shared.handle(ElectorEvent::WorkEnded { panicked });
        }
    }

    /// Reads the state, and publishes it if it has changed.
    fn publish_state(&mut self) -> State {
        let state = self.shared.state();
        let has_changed = *self.state.borrow() != state;
        if has_changed || !self.is_published {
            self.is_published = true;
            match &state {
                State::Stopping(_, cause) if !cause.is_planned() => tracing::warn!("{state}"),
                _ => tracing::info!("{state}"),
            }
            if let Some(announcer) = &mut self.announcer {
                announcer.follow(&state);
            }
            self.state.send_replace(state.clone());
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

// The running work.

/// The work of one term. Dropping it aborts the work.
pub(super) struct Work {
    /// A set with one task.
    task: JoinSet<()>,
    term: Term,
    stop: watch::Sender<bool>,
    aborted: bool,
}

impl Work {
    pub(super) fn start<F>(term: Term, clock: &Clock, work: impl FnOnce(Leadership) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (stop, stopping) = watch::channel(false);
        let leadership = Leadership { term: term.clone(), clock: clock.clone(), stopping };
        // A closure can panic before it returns a future. The panic then ends the task, not the driver, which has a Lease
        // to release.
        let work = panic::catch_unwind(AssertUnwindSafe(|| work(leadership)));
        let mut task = JoinSet::new();
        task.spawn(async { work.unwrap_or_else(|panic| panic::resume_unwind(panic)).await });
        let aborted = false;
        Self { task, term, stop, aborted }
    }

    /// Asks the work to stop, and aborts it when its term is over.
    fn stop(&mut self, shared: &Shared) {
        if !self.stop.send_replace(true) {
            tracing::info!("waits for the work to stop");
        }
        if !self.aborted && !self.term.holds(shared.clock.monotonic()) {
            tracing::warn!("the work did not stop in its term, and is aborted");
            self.task.abort_all();
            self.aborted = true;
            shared.count(|metrics| &mut metrics.aborted);
        }
    }

    /// Waits for the end of the work.
    pub(super) async fn ended(&mut self) -> Result<(), JoinError> {
        self.task.join_next().await.unwrap_or(Ok(()))
    }
}
