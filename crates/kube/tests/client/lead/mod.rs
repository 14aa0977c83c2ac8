//! Leading with the client, over the model of an API server that the tests of the elector use.

#[path = "../../../../elector/tests/elector/model/mod.rs"]
#[allow(dead_code, reason = "the tests of the elector need more of it")]
pub(crate) mod model;
mod service;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_coordination_kube::lead::{
    CandidateSettings, Driver, LeadError, Leadership, Settings, State, lead,
};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

use crate::replay::run;
pub(crate) use service::Cluster;

fn settings(identity: &str) -> Settings {
    Settings::new(model::NAMESPACE, model::LEASE, identity)
}

fn coordinated(identity: &str, emulation_version: &str) -> Settings {
    let candidate = CandidateSettings::new("1.36.0").with_emulation_version(emulation_version);
    settings(identity).with_candidate(candidate)
}

/// A place for one worker at a time.
#[derive(Clone, Default)]
struct Bench(Arc<AtomicUsize>);

impl Bench {
    /// Works for so long, unless it has to stop.
    async fn work(self, leadership: Leadership, time: Duration) {
        assert_eq!(self.0.fetch_add(1, Ordering::SeqCst), 0, "two work at once");
        let until = Instant::now() + time;
        let mut stopping = false;
        while Instant::now() < until && !stopping {
            assert!(leadership.holds());
            stopping = tokio::select! {
                () = leadership.stopped() => true,
                () = sleep(Duration::from_millis(100)) => false,
            };
        }
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn one_leads_and_hands_over_to_the_other() {
    run(async {
        let (cluster, bench) = (Cluster::new(None), Bench::default());
        let contend = |identity, seconds| {
            let bench = bench.clone();
            let time = Duration::from_secs(seconds);
            lead(cluster.client(), settings(identity), move |leadership| {
                bench.clone().work(leadership, time)
            })
        };
        let start = Instant::now();
        let (a, b) = tokio::join!(contend("a", 60), contend("b", 60));
        assert!(a.is_ok() && b.is_ok());
        // Each worked for a minute; between the two there was no time to wait for a Lease to run out.
        let took = start.elapsed().as_secs();
        assert!((120..127).contains(&took), "{took}");
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

#[test]
fn a_leader_that_reaches_no_server_stops_in_time() {
    run(async {
        let (cluster, bench) = (Cluster::new(None), Bench::default());
        let (near, far) = (cluster.client(), cluster.client_that_can_break());
        let first = bench.clone();
        let a = Driver::new(far.client.clone(), settings("a"));
        let metrics = a.metrics();
        let a = a.run(move |leadership| first.clone().work(leadership, LONG));
        let b = async {
            sleep(Duration::from_secs(30)).await;
            assert_eq!(cluster.holder().as_deref(), Some("a"));
            let broken = Instant::now();
            far.set_broken(true);
            let bench = bench.clone();
            lead(near, settings("b"), move |leadership| {
                let taken = broken.elapsed().as_secs();
                assert!((13..40).contains(&taken), "{taken}");
                bench.clone().work(leadership, Duration::from_secs(60))
            })
            .await
        };
        tokio::select! {
            result = a => panic!("it does not end by itself: {result:?}"),
            result = b => result.unwrap(),
        }
        assert_eq!((metrics.terms(), metrics.aborted()), (1, 0));
        assert!(metrics.failures() > 10);
    });
}

#[test]
fn work_that_does_not_stop_is_aborted_when_the_term_is_over() {
    run(async {
        let cluster = Cluster::new(None);
        let far = cluster.client_that_can_break();
        let driver = Driver::new(far.client.clone(), settings("a"));
        let metrics = driver.metrics();
        let (ended, end) = oneshot::channel::<()>();
        let mut ended = Some(ended);
        let driver = driver.run(move |_| {
            // Dropped with the work.
            let ended = ended.take();
            async move {
                sleep(LONG).await;
                drop(ended);
            }
        });
        let test = async {
            sleep(Duration::from_secs(30)).await;
            far.set_broken(true);
            let broken = Instant::now();
            assert!(end.await.is_err());
            // One duration less the margin after the last renewal, of which there is one every 2 s.
            let took = broken.elapsed().as_millis();
            assert!((12_702..14_704).contains(&took), "{took}");
        };
        tokio::select! {
            result = driver => panic!("it does not end by itself: {result:?}"),
            () = test => {}
        }
        assert_eq!(metrics.aborted(), 1);
    });
}

#[test]
fn a_shutdown_stops_the_work_and_gives_the_lease_back() {
    run(async {
        let (cluster, bench) = (Cluster::new(None), Bench::default());
        let states = Arc::new(std::sync::Mutex::new(Vec::new()));
        let seen = Arc::clone(&states);
        let driver = Driver::new(cluster.client(), settings("a"))
            .with_shutdown(sleep(Duration::from_secs(30)))
            .with_observer(move |state| seen.lock().unwrap().push(name(state)));
        driver.run(move |leadership| bench.clone().work(leadership, LONG)).await.unwrap();
        assert_eq!(cluster.holder().as_deref(), Some(""));
        let states = states.lock().unwrap().join(", ");
        assert_eq!(states, "follows, leads, stops, releases, released");
    });
}

fn name(state: &State) -> &'static str {
    match state {
        State::Following { .. } => "follows",
        State::Leading(_) => "leads",
        State::Stopping(..) => "stops",
        State::Releasing => "releases",
        _ => "released",
    }
}

#[test]
fn work_that_panics_gives_the_lease_back() {
    run(async {
        let cluster = Cluster::new(None);
        let result =
            lead(cluster.client(), settings("a"), |_| async { panic!("as the test wants it") })
                .await;
        assert!(matches!(result, Err(LeadError::WorkPanicked)));
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

#[test]
fn the_server_picks_the_best_candidate() {
    run(async {
        let (cluster, bench) =
            (Cluster::new(Some(LeaseCandidateVersion::V1beta1)), Bench::default());
        let first = bench.clone();
        let a = lead(cluster.client(), coordinated("a", "1.36.0"), move |leadership| {
            first.clone().work(leadership, LONG)
        });
        let b = async {
            sleep(Duration::from_secs(60)).await;
            assert_eq!(cluster.holder().as_deref(), Some("a"));
            let start = Instant::now();
            lead(cluster.client(), coordinated("b", "1.35.0"), move |leadership| {
                let took = start.elapsed().as_secs();
                assert!(took < 20, "{took}");
                bench.clone().work(leadership, Duration::from_secs(60))
            })
            .await
        };
        tokio::select! {
            result = a => panic!("it does not end by itself: {result:?}"),
            result = b => result.unwrap(),
        }
        // The candidate went with its program.
        assert_eq!(cluster.candidates(), ["a"]);
    });
}

/// The newest version that the server serves is found, and the others are watched no more.
#[test]
fn a_server_of_an_older_version_elects_too() {
    run(async {
        let cluster = Cluster::new(Some(LeaseCandidateVersion::V1alpha1));
        let settings = coordinated("a", "1.36.0");
        lead(cluster.client(), settings, |_| sleep(Duration::from_secs(60))).await.unwrap();
        assert_eq!(cluster.holder().as_deref(), Some(""));
        assert!(cluster.refused_watches() <= 2);
    });
}

/// Dropping the driver aborts the work, and leaves the Lease to run out.
#[test]
fn a_driver_that_is_dropped_aborts_the_work() {
    run(async {
        let cluster = Cluster::new(None);
        let (ended, end) = oneshot::channel::<()>();
        let mut ended = Some(ended);
        let driver = lead(cluster.client(), settings("a"), move |_| {
            let ended = ended.take();
            async move {
                sleep(LONG).await;
                drop(ended);
            }
        });
        let dropped = tokio::time::timeout(Duration::from_secs(30), driver).await;
        assert!(dropped.is_err() && end.await.is_err());
        assert_eq!(cluster.holder().as_deref(), Some("a"));
    });
}

#[test]
fn settings_that_are_wrong_are_an_error() {
    run(async {
        let result = lead(Cluster::new(None).client(), settings(""), |_| async {}).await;
        assert!(matches!(result, Err(LeadError::Settings(_))));
    });
}
