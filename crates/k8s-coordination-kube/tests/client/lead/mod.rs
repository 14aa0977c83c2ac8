//! Leading with the client, over the model of an API server that the tests of the elector use.

use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::{StreamExt, stream};
use http_body_util::StreamBody;
use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_coordination::requests::http;
use k8s_coordination_kube::lead::{
    self, CandidateSettings, Driver, Health, LeadError, LeadMetrics, Leadership, Settings, State,
    StopCause,
};
use kube::Client;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};
use tower::ServiceExt;
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use testing::cluster::Cluster;
use testing::cluster::http::{Response, Server, json_response, once, server};
use testing::cluster::replay::run;
use testing::server::{LEASE, NAMESPACE};

fn settings(identity: &str) -> Settings {
    Settings::new(NAMESPACE, LEASE, identity)
}

fn coordinated(identity: &str, emulation_version: &str) -> Settings {
    let candidate = CandidateSettings::new("1.36.0").with_emulation_version(emulation_version);
    settings(identity).with_candidate(candidate)
}

/// A counter of the workers: there may be one at a time.
#[derive(Clone, Default)]
struct Workers(Arc<AtomicUsize>);

impl Workers {
    /// Works for this time, unless it has to stop.
    async fn work(self, leadership: Leadership, time: Duration) {
        assert_eq!(self.0.fetch_add(1, Ordering::SeqCst), 0, "two work at the same time");
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

/// Work that does not stop by itself. The receiver fails when it is dropped.
fn work_until_dropped() -> (impl FnMut(Leadership) -> BoxFuture<'static, ()>, oneshot::Receiver<()>)
{
    let (ended, end) = oneshot::channel();
    let mut ended = Some(ended);
    let work = move |_| {
        let ended = ended.take();
        async move {
            sleep(LONG).await;
            drop(ended);
        }
        .boxed()
    };
    (work, end)
}

/// Work of one type, so that the driver is compiled once for all tests.
fn boxed<'w, F: Future<Output = ()> + Send + 'static>(
    mut work: impl FnMut(Leadership) -> F + 'w,
) -> Box<dyn FnMut(Leadership) -> BoxFuture<'static, ()> + 'w> {
    Box::new(move |leadership| work(leadership).boxed())
}

async fn lead<F: Future<Output = ()> + Send + 'static>(
    client: Client,
    settings: Settings,
    work: impl FnMut(Leadership) -> F,
) -> Result<(), LeadError> {
    lead::lead(client, settings, boxed(work)).await
}

/// Runs a test and a driver that must not end before it.
async fn beside<T>(
    driver: impl Future<Output = Result<(), LeadError>>,
    test: impl Future<Output = T>,
) -> T {
    tokio::select! {
        result = driver => panic!("it does not end by itself: {result:?}"),
        result = test => result,
    }
}

#[test]
fn a_leader_that_reaches_no_server_stops_in_time() {
    run(async {
        let (cluster, workers) = (Cluster::new(None), Workers::default());
        let (near, far) = (cluster.client(), cluster.client_that_can_break());
        let first = workers.clone();
        let a = Driver::new(far.client.clone(), settings("a")).unwrap();
        let handle = a.handle();
        let a = a.run(boxed(move |leadership| first.clone().work(leadership, LONG)));
        let b = async {
            sleep(Duration::from_secs(30)).await;
            assert_eq!(cluster.holder().as_deref(), Some("a"));
            let broken = Instant::now();
            far.set_broken(true);
            let workers = workers.clone();
            lead(near, settings("b"), move |leadership| {
                let taken = broken.elapsed().as_secs();
                assert!((13..40).contains(&taken), "{taken}");
                workers.clone().work(leadership, Duration::from_secs(60))
            })
            .await
        };
        beside(a, b).await.unwrap();
        let metrics = handle.metrics();
        assert_eq!((metrics.terms, metrics.aborted, metrics.leads), (1, 0, false));
        assert!(metrics.requests > metrics.failures && metrics.failures > 10);
        assert!(metrics.slow_renewals > 0);
        // No term is over while work runs, so a new start would not help.
        let health = handle.health();
        assert!(health.is_alive() && !health.is_good(), "{health}");
    });
}

/// A proxy that knows no API server answers each request with a page.
#[test]
fn a_server_without_leases_is_a_failure_each_time() {
    run(async {
        let server = server(|_, _| async { Ok(json_response(404, &"404 page not found")) });
        let client = Client::new(server, "default");
        let driver = Driver::new(client, settings("a")).unwrap();
        let handle = driver.handle();
        let workers = Workers::default();
        let driver = driver.run(boxed(move |leadership| workers.clone().work(leadership, LONG)));
        beside(driver, sleep(Duration::from_secs(30))).await;
        let (metrics, health) = (handle.metrics(), handle.health());
        assert_eq!(metrics.failures, metrics.requests);
        assert!(u64::from(health.failures) == metrics.failures && health.failures > 3, "{health}");
    });
}

#[test]
fn work_that_does_not_stop_is_aborted_when_the_term_is_over() {
    run(async {
        let cluster = Cluster::new(None);
        let far = cluster.client_that_can_break();
        let driver = Driver::new(far.client.clone(), settings("a")).unwrap();
        let handle = driver.handle();
        let (work, end) = work_until_dropped();
        let driver = driver.run(boxed(work));
        let test = async {
            sleep(Duration::from_secs(30)).await;
            far.set_broken(true);
            let broken = Instant::now();
            assert!(end.await.is_err());
            // One duration less the margin after the last renewal, of which there is one every 2 s.
            let took = broken.elapsed().as_millis();
            assert!((12_702..14_704).contains(&took), "{took}");
        };
        beside(driver, test).await;
        assert_eq!(handle.metrics().aborted, 1);
    });
}

#[test]
fn work_that_panics_gives_the_lease_back() {
    run(async {
        let cluster = Cluster::new(None);
        let result =
            lead(cluster.client(), settings("a"), |_| async { panic!("in the test") }).await;
        assert!(matches!(result, Err(LeadError::WorkPanicked)));
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

#[test]
fn work_that_panics_before_it_begins_gives_the_lease_back() {
    run(async {
        let cluster = Cluster::new(None);
        let begin = |_| -> BoxFuture<'static, ()> { panic!("in the test") };
        let result = lead(cluster.client(), settings("a"), begin).await;
        assert!(matches!(result, Err(LeadError::WorkPanicked)));
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

#[test]
fn the_server_picks_the_best_candidate() {
    run(async {
        let (cluster, workers) =
            (Cluster::new(Some(LeaseCandidateVersion::V1beta1)), Workers::default());
        let first = workers.clone();
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
                workers.clone().work(leadership, Duration::from_secs(60))
            })
            .await
        };
        beside(a, b).await.unwrap();
        // The program of `b` has deleted its candidate.
        assert_eq!(cluster.candidates(), ["a"]);
    });
}

/// The driver finds the newest version that the server serves, and ends its watches of other versions.
#[test]
fn a_server_of_an_older_version_elects_too() {
    for version in [LeaseCandidateVersion::V1alpha1, LeaseCandidateVersion::V1alpha2] {
        run(async {
            let cluster = Cluster::new(Some(version));
            let settings = coordinated("a", "1.36.0");
            let work = |_| {
                assert_eq!(cluster.candidates(), ["a"]);
                sleep(Duration::from_secs(60))
            };
            lead(cluster.client(), settings, work).await.unwrap();
            assert_eq!(cluster.holder().as_deref(), Some(""));
            assert_eq!(cluster.refused_watches(), 0);
        });
    }
}

/// The Lease of a dropped driver runs out.
#[test]
fn a_driver_that_is_dropped_aborts_the_work() {
    run(async {
        let cluster = Cluster::new(None);
        let (work, end) = work_until_dropped();
        let driver = lead(cluster.client(), settings("a"), work);
        let dropped = tokio::time::timeout(Duration::from_secs(30), driver).await;
        assert!(dropped.is_err() && end.await.is_err());
        assert_eq!(cluster.holder().as_deref(), Some("a"));
    });
}

/// Prometheus refuses a text in which a series occurs twice.
#[test]
fn leases_of_one_name_in_two_namespaces_share_a_series() {
    run(async {
        let client = Cluster::new(None).client();
        let metrics = |namespace, leads, requests| {
            let settings = Settings::new(namespace, LEASE, "a");
            let mut metrics = Driver::new(client.clone(), settings).unwrap().handle().metrics();
            (metrics.leads, metrics.requests) = (leads, requests);
            metrics
        };
        let text = LeadMetrics::to_text(&[metrics("one", true, 3), metrics("two", false, 4)]);
        let series: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(series.len(), 6, "{text}");
        assert_eq!(series[0], "leader_election_master_status{name=\"work\"} 1");
        assert_eq!(series[2], "leader_election_requests_total{name=\"work\"} 7");
    });
}

#[test]
fn a_leader_that_steps_down_lets_another_one_lead() {
    run(async {
        let (cluster, workers) = (Cluster::new(None), Workers::default());
        let first = workers.clone();
        let a = Driver::new(cluster.client(), settings("a")).unwrap();
        let a = a.with_events("example.com/test");
        let handle = a.handle();
        let mut state = handle.state();
        let a = a.run(boxed(move |leadership| first.clone().work(leadership, LONG)));
        let b = async {
            assert!(leads(&state.wait_for(leads).await.unwrap().clone()));
            assert_eq!(handle.health().to_string(), "leads");
            insta::assert_snapshot!(LeadMetrics::to_text(&[handle.metrics()]));
            let start = Instant::now();
            handle.step_down(Duration::from_secs(60));
            let (near, stepped_down) = (cluster.client(), handle.clone());
            lead(near, settings("b"), move |leadership| {
                let took = start.elapsed().as_secs();
                assert!(took < 5 && stepped_down.health().to_string() == "follows", "{took}");
                workers.clone().work(leadership, Duration::from_secs(30))
            })
            .await
            .unwrap();
            // Nobody contends until the rest is over.
            assert!((30..40).contains(&start.elapsed().as_secs()));
            assert!(leads(&state.wait_for(leads).await.unwrap().clone()));
            assert!((60..66).contains(&start.elapsed().as_secs()));
            sleep(Duration::from_secs(1)).await;
        };
        beside(a, b).await;
        // The driver was dropped.
        assert!(state.changed().await.is_err());
        assert_eq!(cluster.events().len(), 3);
        insta::assert_snapshot!(format!("{:#}", cluster.events()[1]));
    });
}

fn leads(state: &State) -> bool {
    matches!(state, State::Leading(_))
}

#[test]
fn a_follower_that_steps_down_only_follows() {
    run(async {
        let cluster = Cluster::new(None);
        let a = Box::pin(lead(cluster.client(), settings("a"), |_| sleep(Duration::from_secs(20))));
        let b = Driver::new(cluster.client(), settings("b")).unwrap();
        let handle = b.handle();
        let mut state = handle.state();
        let b = Box::pin(async {
            sleep(Duration::from_secs(5)).await;
            b.run(boxed(|_| sleep(LONG))).await
        });
        let test = async {
            let step_down = async {
                let follows = |state: &State| state.to_string() == "follows `a`";
                state.wait_for(follows).await.unwrap();
                handle.step_down(Duration::from_secs(60));
                Instant::now()
            };
            let (led, start) = tokio::join!(a, step_down);
            led.unwrap();
            assert_eq!(cluster.holder().as_deref(), Some(""));
            state.wait_for(leads).await.unwrap();
            assert!((60..66).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
        };
        beside(b, test).await;
    });
}

/// The server is gone, so that the driver is still giving the Lease back when the second order comes.
#[test]
fn the_last_order_to_step_down_counts() {
    run(async {
        let cluster = Cluster::new(None);
        let far = cluster.client_that_can_break();
        let driver = Driver::new(far.client.clone(), settings("a")).unwrap();
        let handle = driver.handle();
        let mut state = handle.state();
        let driver = driver.run(boxed(|leadership| async move { leadership.stopped().await }));
        let test = async {
            state.wait_for(leads).await.unwrap();
            far.set_broken(true);
            handle.step_down(Duration::from_secs(1));
            let releases = |state: &State| matches!(state, State::Releasing);
            state.wait_for(releases).await.unwrap();
            handle.step_down(Duration::from_secs(60));
            let start = Instant::now();
            far.set_broken(false);
            state.wait_for(leads).await.unwrap();
            // The order counts from the release, which is tried again after 2 s; the next attempt is up to 4.4 s later.
            assert!((60..67).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
        };
        beside(driver, test).await;
    });
}

/// A server without the API of candidates: the driver says once that its election is a plain one.
#[test]
fn a_driver_says_that_it_falls_back() {
    let client = || Cluster::new(None).client();
    let (lines, health) = lines(client, coordinated("a", "1.36.0"), Duration::from_secs(60));
    let fallback =
        "WARN the server has no coordinated election: this process contends in a plain one";
    assert_eq!(lines, ["INFO follows no leader", fallback, "INFO leads, term uid-1/1"]);
    assert!(health.fell_back && health.is_good(), "{health}");
}

/// A server with coordinated election that answers each request for a path with this text in its own way.
fn answers_otherwise(
    text: &'static str,
    answer: impl Fn(&http::request::Parts) -> Option<Response> + Clone + Send + Sync + 'static,
) -> Client {
    let service = Cluster::new(Some(LeaseCandidateVersion::V1beta1)).service(Arc::default());
    let server = server(move |head, body| {
        let service = service.clone();
        let answer = Some(&head).filter(|head| head.uri.path().contains(text)).and_then(&answer);
        async move {
            let request = http::Request::from_parts(head, kube::client::Body::from(body));
            if let Some(answer) = answer { Ok(answer) } else { service.oneshot(request).await }
        }
    });
    Client::new(server, "default")
}

/// A server that serves no candidates in this time since the start.
fn without_candidates(within: Range<u64>) -> Client {
    let start = Instant::now();
    answers_otherwise("leasecandidates", move |_| {
        let is_gone = within.contains(&start.elapsed().as_secs());
        is_gone.then(|| json_response(404, &"404 page not found"))
    })
}

/// A server that takes candidates and elects none.
#[test]
fn a_driver_says_that_nobody_is_elected() {
    let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure",
        "reason": "NotFound", "details": {"name": "work", "kind": "leases"}, "code": 404});
    let client = move || {
        answers_otherwise("/leases", move |head| {
            (head.method == http::Method::GET).then(|| json_response(404, &status))
        })
    };
    let (mut lines, health) = lines(client, coordinated("a", "1.36.0"), Duration::from_secs(300));
    lines.retain(|line| !line.contains("a watch"));
    let warning = "WARN this process is a candidate, but no leader has been elected for a long time \
                   hint=\"does the server run coordinated leader election? `coordination doctor` finds out\"";
    assert_eq!(lines, ["INFO follows no leader", warning]);
    assert!(health.is_good(), "{health}");
}

/// The server stops serving candidates while the process leads. The Lease is renewed, and the log warns once.
#[test]
fn requests_about_the_candidate_fail_for_themselves() {
    let warning = "WARN a request about the candidate failed; the elector tries again \
                   error=\"the server serves no version of LeaseCandidate\"";
    let again = "INFO requests about the candidate succeed again";
    let expected = ["INFO leads, term uid-2/3", warning, again];
    for (time, number) in [(120, 2), (150, 3)] {
        let time = Duration::from_secs(time);
        let client = || without_candidates(60..125);
        let (lines, health) = lines(client, coordinated("a", "1.36.0"), time);
        let lines = lines.iter().map(String::as_str).filter(|line| !line.contains("a watch"));
        let lines: Vec<_> = lines.skip_while(|line| *line != expected[0]).collect();
        assert_eq!(lines, expected[..number]);
        assert!(health.leads && (health.failures > 20) == (number == 2), "{health}");
    }
}

const OWN_NAME: &str = "INFO waits until it may lead: the Lease was last seen in its own name, `a`";

/// Two processes with one identity: the one that does not lead warns.
#[test]
fn a_driver_says_that_another_process_has_its_identity() {
    let client = || {
        let cluster = Cluster::new(None);
        let other = lead::lead(cluster.client(), settings("a"), |_| sleep(LONG));
        tokio::spawn(other.with_subscriber(NoSubscriber::default()));
        cluster.client()
    };
    let (lines, health) = lines(client, settings("a"), Duration::from_secs(60));
    let warning = "WARN another process has the identity of this one hint=\"give each process its \
                   own: `POD_NAME` in a pod, or `Settings::default_identity`\"";
    assert_eq!(lines, ["INFO follows no leader", OWN_NAME, warning]);
    assert!(health.identity_is_shared && !health.is_good() && health.is_alive(), "{health}");
}

/// What a term wrote before an outage is not the write of another process.
#[test]
fn after_an_outage_the_own_record_is_no_sign_of_another_process() {
    let (lines, health) =
        lines(|| client_without_server(29..59), settings("a"), Duration::from_secs(100));
    assert!(lines.iter().any(|line| line == OWN_NAME), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("identity")) && health.is_good(), "{lines:#?}");
}

/// A client that does not reach its server in this time since the start.
fn client_without_server(within: Range<u64>) -> Client {
    let far = Cluster::new(None).client_that_can_break();
    let client = far.client.clone();
    tokio::spawn(async move {
        sleep(Duration::from_secs(within.start)).await;
        far.set_broken(true);
        sleep(Duration::from_secs(within.end - within.start)).await;
        far.set_broken(false);
    });
    client
}

/// [`lines_of_work`] of a driver in a plain election whose server is out of reach in this time, without the failed requests.
fn lines_of_terms<F: Future<Output = ()> + Send + 'static>(
    unreachable: Range<u64>,
    time: u64,
    work: impl FnMut(Leadership) -> F,
) -> Vec<String> {
    let (mut lines, _) = lines_of_work(
        || client_without_server(unreachable),
        settings("a"),
        Duration::from_secs(time),
        work,
    );
    lines.retain(|line| !line.contains("request") && !line.contains("a watch"));
    lines
}

/// A planned end of a term is not a warning.
#[test]
fn a_driver_says_why_a_term_ends() {
    let never = LONG.as_secs()..LONG.as_secs();
    let begin = ["INFO follows no leader", "INFO leads, term uid-1/1"];
    let end = ["INFO releases the Lease", "INFO done"];
    let ended = lines_of_terms(never.clone(), 60, |_| sleep(Duration::from_secs(20)));
    assert_eq!(ended, [&begin[..], &["INFO stops: the work ended"], &end].concat());
    let panicked = lines_of_terms(never, 60, |_| async { panic!("in the test") });
    assert_eq!(panicked, [&begin[..], &["WARN stops: the work panicked"], &end].concat());
    let lost = ["WARN stops: no renewal succeeded in time", "INFO waits for the work to stop"];
    let obeys = |leadership: Leadership| async move { leadership.stopped().await };
    assert_eq!(lines_of_terms(30..100, 60, obeys), [&begin[..], &lost, &[OWN_NAME]].concat());
    let aborted = ["WARN the work did not stop in its term, and is aborted", OWN_NAME];
    assert_eq!(lines_of_terms(30..100, 60, |_| sleep(LONG)), [begin, lost, aborted].concat());
}

/// The work needs a minute to stop: the driver holds the Lease until then.
#[test]
fn a_driver_that_waits_for_its_work_says_so() {
    let (lines, cluster) = logged(async {
        let cluster = Cluster::new(None);
        let driver = Driver::new(cluster.client(), settings("a")).unwrap();
        let driver = driver.with_shutdown(sleep(Duration::from_secs(20)));
        let handle = driver.handle();
        let driver = driver.run(boxed(|leadership| async move {
            leadership.stopped().await;
            sleep(Duration::from_secs(60)).await;
        }));
        let test = async {
            sleep(Duration::from_secs(70)).await;
            let health = handle.health();
            assert_eq!(health.to_string(), "holds the Lease, and stops: this process shuts down");
            assert!(!health.leads && health.stops == Some(StopCause::ShutDown) && health.is_good());
        };
        tokio::join!(driver, test).0.unwrap();
        assert_eq!(handle.health().to_string(), "follows");
        cluster
    });
    assert_eq!(cluster.holder().as_deref(), Some(""));
    let stops = ["INFO stops: this process shuts down", "INFO waits for the work to stop"];
    assert_eq!(lines[2..], [stops, ["INFO releases the Lease", "INFO done"]].concat());
}

/// [`lines`] of a driver in a plain election.
fn lines_of(server: Server, time: Duration) -> (Vec<String>, Health) {
    lines(|| Client::new(server, "default"), settings("a"), time)
}

/// [`lines_of_work`] of work that does not stop by itself.
fn lines(
    client: impl FnOnce() -> Client,
    settings: Settings,
    time: Duration,
) -> (Vec<String>, Health) {
    lines_of_work(client, settings, time, |_| sleep(LONG))
}

/// The lines that a driver writes in this time, and its health then.
fn lines_of_work<F: Future<Output = ()> + Send + 'static>(
    client: impl FnOnce() -> Client,
    settings: Settings,
    time: Duration,
    work: impl FnMut(Leadership) -> F,
) -> (Vec<String>, Health) {
    logged(async {
        let driver = Driver::new(client(), settings).unwrap();
        let handle = driver.handle();
        let _ = tokio::time::timeout(time, driver.run(boxed(work))).await;
        handle.health()
    })
}

/// Runs a test. Returns the lines that were written by `tracing`, without the driver that each names, and the result.
fn logged<T>(test: impl Future<Output = T>) -> (Vec<String>, T) {
    let written = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&written);
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || Writer(Arc::clone(&writer)))
        .without_time()
        .with_ansi(false)
        .with_target(false)
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let result = run(test);
    let lines = String::from_utf8(written.lock().unwrap().clone()).unwrap();
    let plain = |line: &str| {
        // Drivers of one program are told apart by this.
        let span = "lead{lease=work namespace=default identity=a}: ";
        assert!(line.contains(span), "{line}");
        line.replace(span, "").trim().to_owned()
    };
    (lines.lines().map(plain).collect(), result)
}

struct Writer(Arc<Mutex<Vec<u8>>>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A server refuses everything, in these times in these ways. The driver warns once for each way, and not for each request.
#[test]
fn a_driver_says_why_its_requests_fail() {
    let refused = |code: u16| {
        let message = r#"leases.coordination.k8s.io "work" is forbidden: User "me" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "default""#;
        let (reason, message) =
            if code == 403 { ("Forbidden", message) } else { ("Unauthorized", "Unauthorized") };
        json_response(
            code,
            &json!({"kind": "Status", "apiVersion": "v1", "status": "Failure",
            "reason": reason, "message": message, "code": code}),
        )
    };
    let start = Arc::new(OnceLock::new());
    let server = server(move |head, _| {
        let seconds = start.get_or_init(Instant::now).elapsed().as_secs();
        let is_watch = head.uri.query().is_some_and(|query| query.contains("watch"));
        std::future::ready(match seconds {
            _ if is_watch => Ok(refused(401)),
            0..30 => Ok(refused(401)),
            30..60 => Ok(refused(403)),
            _ => Err("client error (Connect): dns error: no such host".into()),
        })
    });
    let (lines, health) = lines_of(server, Duration::from_secs(100));
    insta::assert_snapshot!(lines.join("\n"));
    assert!(health.is_alive() && !health.is_good());
    assert!(
        health.to_string().contains("(hint: the name of the API server has no address"),
        "{health}"
    );
}

/// The watch continues after an event that cannot be read, and the driver warns once.
#[test]
fn a_watch_survives_an_event_that_cannot_be_read() {
    let watches = Arc::new(AtomicUsize::new(0));
    let begun = Arc::clone(&watches);
    let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "work"},
        "spec": {"holderIdentity": "other", "leaseDurationSeconds": 3600}});
    let server = server(move |head, _| {
        let response = if head.uri.query().is_some_and(|query| query.contains("watch")) {
            begun.fetch_add(1, Ordering::SeqCst);
            let events = "{\"type\": \"ADDED\", \"object\": 7}\n".repeat(2);
            let body = StreamBody::new(once(events).chain(stream::pending()).boxed());
            http::Response::new(body)
        } else {
            json_response(200, &lease)
        };
        std::future::ready(Ok(response))
    });
    let (lines, _) = lines_of(server, Duration::from_secs(60));
    let warned = lines.iter().filter(|line| line.contains("a watch has an event")).count();
    assert_eq!((warned, watches.load(Ordering::SeqCst)), (1, 1), "{lines:#?}");
}

/// A server can refuse a watch after it has answered 200. The driver warns once, and begins the watch again.
#[test]
fn a_watch_that_is_refused_in_its_stream_is_logged() {
    let watches = Arc::new(AtomicUsize::new(0));
    let begun = Arc::clone(&watches);
    let server = server(move |head, _| {
        let watch = head.uri.query().is_some_and(|query| query.contains("watch"));
        begun.fetch_add(usize::from(watch), Ordering::SeqCst);
        let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403,
            "reason": "Forbidden", "message": "not allowed to watch leases"});
        let response = if watch {
            let event = json!({"type": "ERROR", "object": status});
            http::Response::new(StreamBody::new(once(format!("{event}\n")).boxed()))
        } else {
            json_response(404, &json!({}))
        };
        std::future::ready(Ok(response))
    });
    let (lines, _) = lines_of(server, Duration::from_secs(20));
    let warned: Vec<_> = lines.iter().filter(|line| line.contains("a watch is ended")).collect();
    assert!(warned.len() == 1 && warned[0].contains("not allowed to watch leases"), "{lines:#?}");
    assert!(watches.load(Ordering::SeqCst) > 5);
}

/// A server that has too much to do is asked again when it says, but not after an hour.
#[test]
fn a_refused_watch_begins_as_late_as_the_server_asks() {
    for (retry_after, expected) in [("10", 6), ("3600", 2)] {
        let watches = Arc::new(AtomicUsize::new(0));
        let begun = Arc::clone(&watches);
        let server = server(move |head, _| {
            let watch = head.uri.query().is_some_and(|query| query.contains("watch"));
            begun.fetch_add(usize::from(watch), Ordering::SeqCst);
            let mut response = json_response(429, &json!({}));
            response.headers_mut().insert("retry-after", retry_after.parse().unwrap());
            std::future::ready(Ok(response))
        });
        lines_of(server, Duration::from_secs(59));
        assert_eq!(watches.load(Ordering::SeqCst), expected, "{retry_after}");
    }
}

/// The number of watches that a follower begins in an hour, if the server answers them without an event or not at all.
fn silent_watches(answers: bool) -> (usize, Vec<String>) {
    let watches = Arc::new(AtomicUsize::new(0));
    let begun = Arc::clone(&watches);
    let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "work"},
        "spec": {"holderIdentity": "other", "leaseDurationSeconds": 36_000}});
    let server = server(move |head, _| {
        let watch = head.uri.query().is_some_and(|query| query.contains("watch"));
        begun.fetch_add(usize::from(watch), Ordering::SeqCst);
        let lease = lease.clone();
        async move {
            match (watch, answers) {
                (false, _) => Ok(json_response(200, &lease)),
                (true, true) => Ok(http::Response::new(StreamBody::new(stream::pending().boxed()))),
                (true, false) => std::future::pending().await,
            }
        }
    });
    let (lines, _) = lines_of(server, Duration::from_secs(3_600));
    (watches.load(Ordering::SeqCst), lines)
}

/// A connection can be gone without a sign of it. A watch without an event begins again after five minutes and the
/// pause of two seconds, one without an answer after half a minute, with a warning.
#[test]
fn a_silent_watch_begins_again() {
    let warned = |lines: &[String]| lines.iter().filter(|line| line.contains("WARN")).count();
    let (watches, lines) = silent_watches(true);
    assert_eq!((watches, warned(&lines)), (12, 0), "{lines:#?}");
    let (watches, lines) = silent_watches(false);
    assert_eq!((watches, warned(&lines)), (113, 1), "{lines:#?}");
}

#[test]
fn settings_that_are_wrong_are_an_error() {
    run(async {
        let result = lead(Cluster::new(None).client(), settings(""), |_| async {}).await;
        assert!(matches!(result, Err(LeadError::Settings(_))));
    });
}
