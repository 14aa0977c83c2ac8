//! The subcommands as processes: exit codes, and Ctrl-C.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

use testing::cluster::process::{Program, live};
use testing::cluster::recorded::{GROUP, cluster, lease, with_lists};
use testing::cluster::replay::{Fault, Replay};

fn with(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_coordination"));
    command.args(arguments);
    command
}

/// A cluster with one Lease that has ended.
fn with_a_lease() -> Replay {
    let lease = lease("old", "2026-01-02T03:04:05.000000Z", json!({}));
    with_lists(cluster("v1.36", "v1beta1"), "v1beta1", "", (&[], &[lease]))
}

fn candidate() -> Value {
    json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": "a", "namespace": "ns"},
        "spec": {"leaseName": "l", "binaryVersion": "1.36.0", "strategy": "example.com/own"}})
}

/// The targets of requests that create a candidate: with a dry run, and without.
fn creations() -> [String; 2] {
    let target = format!("{GROUP}/v1beta1/namespaces/ns/leasecandidates");
    let manager = "fieldManager=coordination-migrate";
    [format!("{target}?dryRun=All&{manager}"), format!("{target}?{manager}")]
}

fn file(object: &Value) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), object.to_string()).unwrap();
    file
}

/// The server does not answer. Ctrl-C ends the command, which prints its state.
#[test]
fn ctrl_c_ends_a_command_that_waits() {
    let watch = "?allowWatchBookmarks=true&resourceVersion=7&watch=true";
    let watches = ["v1beta1/leasecandidates", "v1/leases"]
        .map(|resource| format!("{GROUP}/{resource}{watch}"));
    let list = watches.iter().fold(with_a_lease(), |replay, target| {
        let replay = replay.and_get(target, &json!({}));
        replay.with_fault(&format!("GET {target}"), Fault::Hang)
    });

    let doctor =
        with_a_lease().with_fault(&format!("GET {GROUP}/v1/leases?limit=500"), Fault::Hang);

    let (file, [dry_run, create]) = (file(&candidate()), creations());
    let migrate = cluster("v1.36", "v1beta1")
        .and_write("POST", &dry_run, &candidate(), &candidate())
        .and_write("POST", &create, &candidate(), &candidate())
        .with_fault(&format!("POST {create}"), Fault::Hang);

    let files = ["migrate", file.path().to_str().unwrap(), "--yes"];
    let table = [
        (["elect", "--cluster", "--watch"].as_slice(), list, "There are no candidates.\n", ""),
        (["doctor"].as_slice(), doctor, "", "interrupted: some objects were not checked\n"),
        (files.as_slice(), migrate, "would be created", "interrupted: run it again to continue\n"),
    ];
    live(async {
        for (arguments, replay, output, error) in table {
            let replay = Arc::new(replay);
            let program = Program::start(with(arguments), replay.service()).await;
            replay.faults_happened().await;
            program.ctrl_c().await;
            let (text, errors, status) = program.end().await;
            assert!(text.contains(output), "{text}");
            assert_eq!((errors.as_str(), status.code()), (error, Some(130)), "{arguments:?}");
        }
    });
}

/// The server accepts the request, or begins to refuse it, and then says nothing.
#[test]
fn a_silent_server_is_an_error() {
    let leases = format!("GET {GROUP}/v1/leases?limit=500");
    let (file, [dry_run, _]) = (file(&candidate()), creations());
    let migrate = cluster("v1.36", "v1beta1")
        .and_write("POST", &dry_run, &candidate(), &candidate())
        .with_fault(&format!("POST {dry_run}"), Fault::Hang);
    let patience = ["--request-timeout", "1"];
    let table: [(&[&str], Replay); 3] = [
        (&["doctor"], with_a_lease().with_fault(&leases, Fault::Hang)),
        (&["elect", "--cluster"], with_a_lease().with_fault(&leases, Fault::Hang)),
        (&["migrate", file.path().to_str().unwrap()], migrate),
    ];
    live(async {
        join_all(table.map(async |(arguments, replay)| {
            let replay = Arc::new(replay);
            let command = with(&[arguments, &patience].concat());
            let (_, errors, status) = Program::start(command, replay.service()).await.end().await;
            assert_eq!(status.code(), Some(2), "{arguments:?}: {errors}");
            assert!(errors.contains("\nhint: the API server was reached"), "{errors}");
        }))
        .await;
    });
}

/// A watch without an event begins again, after the time of one request.
#[test]
fn a_silent_watch_is_no_error() {
    let watch = "?allowWatchBookmarks=true&resourceVersion=7&watch=true";
    let replay = (0..2).fold(cluster("v1.36", "v1beta1"), |replay, _| {
        let replay = with_lists(replay, "v1beta1", "", (&[], &[]));
        let replay = replay.and_get(&format!("{GROUP}/v1beta1/leasecandidates{watch}"), &json!([]));
        replay.and_get(&format!("{GROUP}/v1/leases{watch}"), &json!([]))
    });
    let arguments = ["elect", "--cluster", "--watch", "--request-timeout", "1"];
    live(async {
        let replay = Arc::new(replay);
        let mut program = Program::start(with(&arguments), replay.service()).await;
        for _ in 0..2 {
            program.until("There are no candidates.").await;
        }
        program.ctrl_c().await;
        let (_, errors, status) = program.end().await;
        assert_eq!((errors.as_str(), status.code()), ("", Some(130)));
    });
}

/// A server that has too much to do is asked again if that is soon.
#[test]
fn requests_are_sent_again_within_their_time() {
    let leases = format!("GET {GROUP}/v1/leases?limit=500");
    let refused = |after| with_a_lease().with_fault(&leases, Fault::Refuse(429, after));
    live(async {
        for (after, code, message) in
            [("1", 1, ""), ("3600", 2, "/v1/leases?limit=500: 429 Too Many Requests: ")]
        {
            let replay = Arc::new(refused(after));
            let program = Program::start(with(&["doctor"]), replay.service()).await;
            let (_, errors, status) = program.end().await;
            assert_eq!(status.code(), Some(code), "{errors}");
            assert!(errors.contains(message), "{errors}");
        }
    });
}

/// A proxy that connects its clients with any address. It tells how often.
async fn proxy() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let (address, connections) = (listener.local_addr().unwrap(), Arc::default());
    let count = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let count: Arc<AtomicUsize> = Arc::clone(&count);
            tokio::spawn(async move {
                let mut client = BufReader::new(client);
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    client.read_line(&mut head).await.unwrap();
                }
                let target = head.strip_prefix("CONNECT ").unwrap().split(' ').next().unwrap();
                let mut server = TcpStream::connect(target).await.unwrap();
                client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
                count.fetch_add(1, Ordering::SeqCst);
                let _ = copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    (address, connections)
}

#[test]
fn a_cluster_is_reached_through_a_proxy() {
    live(async {
        for (excepted, is_used) in [("", true), ("example.com", true), ("127.0.0.0/8", false)] {
            let (replay, (proxy, connections)) = (Arc::new(with_a_lease()), proxy().await);
            let mut command = with(&["doctor"]);
            command.env("HTTPS_PROXY", format!("http://localhost:{}", proxy.port()));
            command.env("NO_PROXY", excepted).env_remove("no_proxy");
            let (_, errors, status) = Program::start(command, replay.service()).await.end().await;
            assert_eq!((errors.as_str(), status.code()), ("", Some(1)));
            assert_eq!(connections.load(Ordering::SeqCst) > 0, is_used, "{excepted}");
        }
    });
}

#[test]
fn the_help_has_the_exit_codes() {
    live(async {
        for (name, waits) in [
            ("convert", false),
            ("doctor", true),
            ("elect", true),
            ("lead", false),
            ("migrate", true),
        ] {
            let help = with(&[name, "--help"]).output().await.unwrap();
            assert!(help.status.success());
            let text = String::from_utf8(help.stdout).unwrap();
            let words: Vec<_> = text.split_whitespace().collect();
            let words = words.join(" ");
            assert!(words.contains("Exit codes: "), "{name}: {text}");
            assert_eq!(words.contains("130 after Ctrl-C"), waits, "{name}: {text}");
            // The help of `convert` is a snapshot of the tests without a cluster.
            if name != "convert" {
                insta::assert_snapshot!(format!("{name}-help"), text);
            }
        }
    });
}

#[test]
fn doctor_ends_with_1_for_a_problem_and_with_2_for_a_failure() {
    live(async {
        let replay = Arc::new(with_a_lease());
        let program = Program::start(with(&["doctor"]), replay.service()).await;
        let (text, _, status) = program.end().await;
        assert!(
            text.contains(
                "\nerror[holder-stopped]: Lease `kube-system/old`: its holder `a` stopped renewing"
            ),
            "{text}"
        );
        assert_eq!(status.code(), Some(1));
        replay.assert_used_up();

        let nothing = Arc::new(Replay::default());
        let program =
            Program::start(with(&["doctor", "--context", "absent"]), nothing.service()).await;
        let (text, errors, status) = program.end().await;
        assert_eq!((text.as_str(), status.code()), ("", Some(2)));
        assert!(errors.contains("\nhint: is there a kubeconfig"), "{errors}");
    });
}

#[test]
fn migrate_reads_a_context_or_files() {
    live(async {
        let target = format!("{GROUP}/v1beta1/leasecandidates?limit=500");
        let list = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidateList",
            "metadata": {}, "items": [candidate()]});
        let [dry_run, create] = creations();
        let replay = cluster("v1.36", "v1beta1")
            .and_get(&target, &list)
            .and(cluster("v1.36", "v1beta1"))
            .and_write("POST", &dry_run, &candidate(), &candidate())
            .and_write("POST", &create, &candidate(), &candidate());
        let replay = Arc::new(replay);
        let command = with(&["migrate", "--from", "test", "--to", "test", "--yes"]);
        let (text, errors, status) = Program::start(command, replay.service()).await.end().await;
        assert!(text.ends_with("[1/1] `ns/a`: created\n1 of 1 are in v1beta1\n"), "{text}");
        assert_eq!((errors.as_str(), status.code()), ("", Some(0)));
        replay.assert_used_up();

        let mut none = list.clone();
        none["items"] = json!([]);
        let target = format!("{GROUP}/v1beta1/namespaces/kube-sytem/leasecandidates?limit=500");
        let replay = Arc::new(cluster("v1.36", "v1beta1").and_get(&target, &none));
        let command = with(&["migrate", "--from", "test", "--namespace", "kube-sytem"]);
        let (text, errors, status) = Program::start(command, replay.service()).await.end().await;
        assert_eq!((text.as_str(), status.code()), ("", Some(1)));
        assert_eq!(errors, "context `test` has no candidates in `kube-sytem`\n");

        let pod = file(&json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}));
        let command = with(&["migrate", pod.path().to_str().unwrap()]);
        let server = Arc::new(Replay::default()).service();
        let (text, errors, status) = Program::start(command, server).await.end().await;
        assert_eq!((text.as_str(), status.code()), ("", Some(1)));
        assert!(errors.ends_with("no object is copied: 1 error\n"), "{errors}");

        let command = with(&["migrate", "--from", "test", "--to", "test"]);
        let server = Arc::new(Replay::default()).service();
        let (_, errors, status) = Program::start(command, server).await.end().await;
        assert!(errors.starts_with("error: context `test`: GET http://127.0.0.1:"), "{errors}");
        assert_eq!(status.code(), Some(2));

        // The second could not be created.
        let twice =
            file(&json!({"apiVersion": "v1", "kind": "List", "items": [candidate(), candidate()]}));
        let command = with(&["migrate", twice.path().to_str().unwrap()]);
        let server = Arc::new(Replay::default()).service();
        let (text, errors, status) = Program::start(command, server).await.end().await;
        assert_eq!((text.as_str(), status.code()), ("", Some(1)));
        assert!(errors.contains("the same object as in "), "{errors}");
    });
}

/// `convert --migrate` warns of the same. The objects of a cluster have only fields that its servers know.
#[test]
fn migrate_warns_of_what_is_dropped_and_of_what_may_not_fit() {
    const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
    let mut object = candidate();
    object["metadata"]["annotations"] = json!({LAST_APPLIED: "{}"});
    let mut written = object.clone();
    written["metadata"]["lables"] = json!({"a": "b"});
    written["spec"]["note"] = "hello".into();
    let mut other = written.clone();
    other["metadata"]["namespace"] = "other".into();
    let both = file(&json!({"apiVersion": "v1", "kind": "List", "items": [written, other]}));
    let path = both.path().to_str().unwrap();
    let list = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidateList",
        "metadata": {}, "items": [object]});
    let source = cluster("v1.36", "v1beta1")
        .and_get(&format!("{GROUP}/v1beta1/namespaces/ns/leasecandidates?limit=500"), &list);
    let kept = format!(
        "metadata.annotations[{LAST_APPLIED}]: kept as it is, in the version before the conversion\n  hint: "
    );
    let first = "document 1, item 1 (LeaseCandidate ns/a)";
    let of_files = [
        format!("warning[last-applied-kept]: {path}:1:175 at {first}: {kept}"),
        format!("warning[unknown-field]: {path}:1:190 at {first}: metadata.lables: "),
        format!("warning[unknown-field]: {path}:1:285 at {first}: spec.note: "),
    ];
    let of_cluster = [format!("warning[last-applied-kept]: ns/a at {kept}")];
    live(async {
        for (arguments, source, warnings) in [
            ([path, "--namespace", "ns"].as_slice(), Replay::default(), of_files.as_slice()),
            (&["--from", "test", "--namespace", "ns"], source, &of_cluster),
        ] {
            let replay = source.and(cluster("v1.36", "v1beta1"));
            let replay = Arc::new(replay.and_write("POST", &creations()[0], &object, &object));
            let command = with(&[&["migrate"], arguments].concat());
            let (_, errors, status) = Program::start(command, replay.service()).await.end().await;
            assert_eq!(
                (errors.matches("warning").count(), status.code()),
                (warnings.len(), Some(0))
            );
            for warning in warnings {
                assert!(errors.contains(warning), "{warning}: {errors}");
            }
        }
    });
}
