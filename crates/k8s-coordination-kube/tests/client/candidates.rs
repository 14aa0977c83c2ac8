//! Candidates in one version of the program, with recordings of servers of each version.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt};
use k8s_coordination::conversion::generic::FromAny;
use k8s_coordination::conversion::{
    AnyLeaseCandidate, ConversionReport, LeaseCandidatePolicies, LeaseCandidateVersion, Options,
};
use k8s_coordination::meta::v1::DeleteOptions;
use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ApiError, Event, ListParameters, WriteParameters};
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};
use k8s_coordination_kube::client::{Candidates, Error, Reply};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use testing::cluster::replay::{Fault, Replay, run};

const NAMESPACE: &str = "default-kube";
const A: &str = "kube-scheduler-a";
const B: &str = "kube-scheduler-b";

/// The recordings that the client can send.
const NAMES: [&str; 16] = [
    "create",
    "create-with-manager",
    "create-conflict",
    "get",
    "get-missing",
    "list",
    "list-page-1",
    "list-page-2",
    "list-labels",
    "replace",
    "replace-conflict",
    "apply",
    "apply-force",
    "watch",
    "delete",
    "delete-missing",
];

/// Sends the recorded objects, converted to the version of the program first. The server must get the recorded requests.
async fn every_verb<W, K>(release: &str, version: LeaseCandidateVersion)
where
    W: FromAny<AnyLeaseCandidate> + HasSpec,
    K: FromAny<AnyLeaseCandidate> + HasSpec<Apply: DeserializeOwned>,
{
    let replay = Replay::set(release, version.as_str(), "kube").only(&NAMES);
    let sent = |name: &str| converted::<W, K>(replay.sent(name));
    let [new_a, new_b, changed] = ["create", "create-with-manager", "replace"].map(sent);
    let applied = serde_json::to_value(sent("apply")).and_then(serde_json::from_value);
    let applied: K::Apply = applied.unwrap();
    let watch = watch_parameters(&replay);
    let replay = Arc::new(replay);
    let candidates = Candidates::<K>::new(replay.client(), version);

    let none = WriteParameters::default();
    let created = candidates.create(NAMESPACE, new_a.clone(), &none).await.unwrap();
    assert_eq!(created.body.spec(), new_a.spec());
    assert!(fails(candidates.create(NAMESPACE, new_a, &none).await, 409));
    let recorder = none.clone().with_field_manager("recorder");
    candidates.create(NAMESPACE, new_b, &recorder).await.unwrap();

    let read = candidates.get(NAMESPACE, A).await.unwrap();
    assert_eq!(read.body, created.body);
    assert!(fails(candidates.get(NAMESPACE, "absent").await, 404));
    let all = ListParameters::default();
    let (page, none_of_all) = (all.clone().with_limit(1), all.clone().with_label_selector("x=y"));
    for (parameters, count, pages) in [(all, 2, 1), (page, 2, 2), (none_of_all, 0, 1)] {
        let listed = candidates.list(NAMESPACE, &parameters).await.unwrap();
        assert_eq!(listed.body.items.len(), count);
        // Each page of 1.36 warns that the version is deprecated.
        assert_eq!(listed.warnings.len(), if release == "v1.36" { pages } else { 0 });
    }

    let replaced = candidates.replace(NAMESPACE, A, changed.clone(), &none).await.unwrap();
    assert_eq!(replaced.body.spec(), changed.spec());
    assert!(fails(candidates.replace(NAMESPACE, A, changed, &none).await, 409));

    let recorder = WriteParameters::default().with_field_manager("recorder");
    assert!(fails(candidates.apply(NAMESPACE, A, &applied, &recorder).await, 409));
    candidates.apply(NAMESPACE, A, &applied, &recorder.with_force(true)).await.unwrap();

    let events = candidates.watch(NAMESPACE, &watch).await.unwrap();
    let seen: Vec<_> = events.take(3).map(|event| name(event.unwrap().0)).collect().await;
    assert_eq!(seen, ["added", "modified", "deleted"]);

    let gone = candidates.delete(NAMESPACE, B, &DeleteOptions::default()).await.unwrap();
    assert_eq!(gone.body, None);
    assert!(fails(candidates.delete(NAMESPACE, B, &DeleteOptions::default()).await, 404));
    replay.assert_used_up();
}

/// The parameters of the recorded watch.
fn watch_parameters(replay: &Replay) -> ListParameters {
    ListParameters::default()
        .with_allow_watch_bookmarks(true)
        .with_resource_version(replay.sent_parameter("watch", "resourceVersion"))
        .with_timeout_seconds(290)
}

/// An object of the cluster's version, converted to the program's version.
fn converted<W: FromAny<AnyLeaseCandidate> + DeserializeOwned, K: FromAny<AnyLeaseCandidate>>(
    object: Value,
) -> K {
    let object: W = serde_json::from_value(object).unwrap();
    K::from_any(object.into(), &Options::default(), &mut ConversionReport::new())
}

fn name<K>(event: Event<K>) -> &'static str {
    match event {
        Event::Added(_) => "added",
        Event::Modified(_) => "modified",
        Event::Deleted(_) => "deleted",
        Event::Bookmark { .. } => "bookmark",
        Event::Error(error) if error.is_expired() => "expired",
        _ => "error",
    }
}

fn fails<T>(result: Result<T, Error>, code: u16) -> bool {
    result.is_err_and(|error| error.api().is_some_and(|error| error.code() == code))
}

#[test]
fn programs_of_any_version_send_what_was_recorded() {
    use LeaseCandidateVersion::{V1alpha1, V1alpha2, V1beta1};
    use {
        v1alpha1::LeaseCandidate as A1, v1alpha2::LeaseCandidate as A2,
        v1beta1::LeaseCandidate as B1,
    };
    run(every_verb::<A1, B1>("v1.31", V1alpha1));
    run(every_verb::<A1, A1>("v1.31", V1alpha1));
    run(every_verb::<A2, B1>("v1.32", V1alpha2));
    run(every_verb::<B1, A1>("v1.36", V1beta1));
    run(every_verb::<B1, B1>("v1.36", V1beta1));
}

#[test]
fn replies_have_the_conversion_reports() {
    let replay = Arc::new(Replay::set("v1.31", "v1alpha1", "kube").only(&["get", "list"]));
    run(async {
        let candidates = candidates(&replay, LeaseCandidateVersion::V1alpha1);
        let read = candidates.get(NAMESPACE, A).await.unwrap();
        let kept = r#"spec.preferredStrategies: kept in an annotation: ["OldestEmulationVersion","example.com/Fastest"]"#;
        assert_eq!((read.sent.is_empty(), read.received.to_string().as_str()), (true, kept));
        let listed = candidates.list(NAMESPACE, &ListParameters::default()).await.unwrap();
        assert_eq!(listed.received.item(1).to_string(), kept);
    });
}

#[test]
fn options_can_refuse_a_conversion() {
    let replay = Arc::new(Replay::default());
    run(async {
        let options = Options::new(LeaseCandidatePolicies::default()).strict();
        let candidates =
            Candidates::new(replay.client(), LeaseCandidateVersion::V1beta1).with_options(options);
        let spec = v1alpha1::LeaseCandidateSpec::new("scheduler", ["example.com/a"]);
        let object = v1alpha1::LeaseCandidate::new(spec);
        let error = candidates.create("ns", object, &WriteParameters::default()).await.unwrap_err();
        assert!(matches!(error, Error::Conversion(_)), "{error}");
    });
}

/// The object is created, and its annotation cannot be read.
#[test]
fn a_refused_answer_says_what_the_server_did() {
    let spec =
        json!({"leaseName": "l", "binaryVersion": "1.36.0", "strategy": "OldestEmulationVersion"});
    let stored = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate", "metadata": {"name": A,
        "annotations": {"conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.preferredStrategies": "{"}}, "spec": spec});
    let object: v1alpha1::LeaseCandidate = converted::<v1beta1::LeaseCandidate, _>(stored.clone());
    let path = format!("/apis/coordination.k8s.io/v1beta1/namespaces/{NAMESPACE}/leasecandidates");
    let sent: v1beta1::LeaseCandidate = converted::<v1alpha1::LeaseCandidate, _>(json!(object));
    let replay = Replay::default().and_write("POST", &path, &json!(sent), &stored);
    let replay = Arc::new(replay);
    run(async {
        let options = Options::new(LeaseCandidatePolicies::default()).strict();
        let candidates =
            Candidates::new(replay.client(), LeaseCandidateVersion::V1beta1).with_options(options);
        let created = candidates.create(NAMESPACE, object, &WriteParameters::default()).await;
        let Error::Answer { code, body, .. } = created.unwrap_err() else { panic!() };
        assert_eq!((code.as_u16(), body), (200, stored));
    });
}

/// A renewal sends only `renewTime`. A deletion returns a candidate that still has finalizers.
#[test]
fn renewals_and_deletions_return_the_candidate() {
    let body = json!({"spec": {"renewTime": "2026-01-02T03:04:05.000000Z"}});
    let stored = json!({"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate",
        "metadata": {"name": A}, "spec": {"leaseName": "l", "preferredStrategies": ["example.com/a"]}});
    let path =
        format!("/apis/coordination.k8s.io/v1alpha1/namespaces/{NAMESPACE}/leasecandidates/{A}");
    let replay = Replay::default().and_write("PATCH", &path, &body, &stored);
    let replay = Arc::new(replay.and_write("DELETE", &path, &json!({}), &stored));
    run(async {
        let candidates = candidates(&replay, LeaseCandidateVersion::V1alpha1);
        let time = "2026-01-02T03:04:05Z".parse().unwrap();
        let renewed = candidates.renew(NAMESPACE, A, time).await.unwrap();
        assert_eq!(renewed.body.spec.strategy.as_str(), "example.com/a");
        let deleted = candidates.delete(NAMESPACE, A, &DeleteOptions::default()).await.unwrap();
        assert_eq!(deleted.body, Some(renewed.body));
    });
}

#[test]
fn each_fault_is_its_error() {
    let table = [
        ("list-page-1", Fault::Disconnect, "client"),
        ("list-page-1", Fault::BreakOff(50), "client"),
        ("list-page-2", Fault::Refuse(429, "5"), "again in 5 s"),
    ];
    for (name, fault, expected) in table {
        let pages = ["list-page-1", "list-page-2"];
        let replay = Replay::set("v1.36", "v1beta1", "kube").only(&pages).with_fault(name, fault);
        let replay = Arc::new(replay);
        let listed = run(async { pages_of(&replay).await });
        assert_eq!(kind(&listed.unwrap_err()), expected, "{name}");
    }
}

#[test]
fn a_list_starts_again_after_an_expired_token() {
    let set = || Replay::set("v1.36", "v1beta1", "kube");
    let first = set().only(&["list-page-1"]);
    let replay = set().only(&["list-page-1", "list-page-2"]).and(first);
    let replay = Arc::new(replay.with_fault("list-page-2", Fault::Refuse(410, "0")));
    let listed = run(async { pages_of(&replay).await });
    assert_eq!(listed.unwrap(), 2);
    replay.assert_used_up();
}

#[test]
fn a_list_whose_token_repeats_is_an_error() {
    let path = format!("/apis/coordination.k8s.io/v1beta1/namespaces/{NAMESPACE}/leasecandidates");
    let page = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidateList",
        "metadata": {"continue": "a"}, "items": []});
    let next = format!("{path}?limit=1&continue=a");
    let replay = Replay::default().and_get(&format!("{path}?limit=1"), &page).and_get(&next, &page);
    let replay = Arc::new(replay);
    let error = run(async { pages_of(&replay).await.unwrap_err() });
    assert!(matches!(error, Error::EndlessList), "{error}");
}

#[test]
fn each_watch_ends_with_its_events() {
    let table: [(Option<Fault>, &[&str]); 4] = [
        (None, &["added", "modified", "deleted"]),
        (Some(Fault::Disconnect), &["client"]),
        (Some(Fault::BreakOff(900)), &["added", "client"]),
        (Some(Fault::WatchError(410)), &["expired"]),
    ];
    for (fault, expected) in table {
        let mut replay =
            Replay::set("v1.36", "v1beta1", "kube").only(&["watch"]).with_ending_watches();
        let parameters = watch_parameters(&replay);
        if let Some(fault) = fault {
            replay = replay.with_fault("watch", fault);
        }
        let replay = Arc::new(replay);
        let text = |event: Result<(Event<_>, _), Error>| match event {
            Ok((event, _)) => name(event).to_owned(),
            Err(error) => kind(&error),
        };
        let seen: Vec<_> = run(async {
            let candidates = candidates(&replay, LeaseCandidateVersion::V1beta1);
            match candidates.watch(NAMESPACE, &parameters).await {
                Ok(events) => events.map(text).collect().await,
                Err(error) => vec![kind(&error)],
            }
        });
        assert_eq!(seen, expected);
    }
}

/// A program that is generic over the kind can spawn a task with each request.
#[test]
fn every_request_can_be_sent_from_another_thread() {
    fn apply<'a, K: FromAny<AnyLeaseCandidate> + Resource>(
        candidates: &'a Candidates<K>,
        fields: &'a K::Apply,
        parameters: &'a WriteParameters,
    ) -> BoxFuture<'a, Result<Reply<K>, Error>> {
        candidates.apply(NAMESPACE, A, fields, parameters).boxed()
    }
    let _ = apply::<v1beta1::LeaseCandidate>;
}

fn candidates(
    replay: &Arc<Replay>,
    version: LeaseCandidateVersion,
) -> Candidates<v1beta1::LeaseCandidate> {
    Candidates::new(replay.client(), version)
}

async fn pages_of(replay: &Arc<Replay>) -> Result<usize, Error> {
    let candidates = candidates(replay, LeaseCandidateVersion::V1beta1);
    let parameters = ListParameters::default().with_limit(1);
    let listed = candidates.list(NAMESPACE, &parameters).await?;
    Ok(listed.body.items.len())
}

fn kind(error: &Error) -> String {
    let retry_after = error.api().and_then(ApiError::retry_after);
    match (error, retry_after) {
        (Error::Client(_), _) => "client".to_owned(),
        (_, Some(time)) => format!("again in {} s", time.as_secs()),
        _ => error.to_string(),
    }
}
