//! The short examples as processes.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use std::{fs, io};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::controller::{command, path};
use testing::cluster::Cluster;
use testing::cluster::http::{self, json_response};
use testing::cluster::process::{Program, live};
use testing::cluster::recorded::{GROUP, cluster, lease, metadata, with_lists};
use testing::cluster::replay::Replay;
use testing::tls;

/// Every example reaches an API server over TLS, as all clusters have it. The server refuses whatever it is asked.
#[test]
fn examples_connect_over_tls() {
    for (name, arguments) in [
        ("controller", &[][..]),
        ("doctor", &[]),
        ("leader", &[]),
        ("list_candidates", &[]),
        ("migrate", &[tls::CONTEXT, tls::CONTEXT]),
    ] {
        let folder = TempDir::new().unwrap();
        let kubeconfig = folder.path().join("kubeconfig");
        let (sender, requests) = mpsc::channel();
        tls::serve(&kubeconfig, move |connection| refuse(connection, &sender));
        let mut example = std::process::Command::new(path(name));
        example.args(arguments).env("KUBECONFIG", &kubeconfig).env("POD_NAMESPACE", "default");
        let mut example = example.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let request = requests.recv_timeout(Duration::from_secs(20));
        example.kill().unwrap();
        let output = example.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let request = request.unwrap_or_else(|_| panic!("{name} sent no request: {errors}"));
        assert!(
            request.contains(&format!("authorization: Bearer {}", tls::TOKEN)),
            "{name}: {request}"
        );
    }
}

/// Reads the head of a request, and answers that it is forbidden.
fn refuse(connection: &mut dyn tls::Connection, heads: &mpsc::Sender<String>) -> io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        connection.read_exact(&mut byte)?;
        head.extend(byte);
    }
    // The test may have seen enough.
    let _ = heads.send(String::from_utf8_lossy(&head).into_owned());
    let body = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403});
    let body = body.to_string();
    let length = body.len();
    write!(
        connection,
        "HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    )
}

/// Runs an example with these arguments to its end. It must use all recordings. Returns its output.
async fn output(name: &str, arguments: &[&str], replay: Replay) -> String {
    let (replay, mut command) = (Arc::new(replay), command(name));
    command.args(arguments);
    let (text, errors, status) = Program::start(command, replay.service()).await.end().await;
    assert!(status.success(), "{name}: {text}{errors}");
    replay.assert_used_up();
    text
}

/// The environment has no namespace, and no kubeconfig.
#[test]
fn an_example_prints_the_message_of_its_error() {
    live(async {
        for (name, message) in [
            (
                "controller",
                "Error: the namespace is not known: the variable `POD_NAMESPACE` is not set",
            ),
            ("doctor", "Error: Failed to infer configuration: "),
        ] {
            let output = command(name).env_clear().output().await.unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert!(errors.starts_with(message), "{errors}");
            assert_eq!(output.status.code(), Some(1));
        }
    });
}

fn candidate() -> Value {
    let mut metadata = metadata("a");
    metadata["uid"] = "1".into();
    json!({"metadata": metadata, "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0",
        "preferredStrategies": ["example.com/own", "OldestEmulationVersion"],
        "renewTime": "2026-01-02T03:04:00.000000Z", "pingTime": "2026-01-02T03:04:00.000000Z"}})
}

const LONG_AGO: &str = "2026-01-02T03:00:00.000000Z";

#[test]
fn list_candidates() {
    live(async {
        let lease = lease("scheduler", LONG_AGO, json!({}));
        let replay = cluster("v1.31", "v1alpha1");
        let replay = with_lists(replay, "v1alpha1", "", (&[candidate()], &[lease]));
        let text = output("list_candidates", &[], replay).await;
        assert!(text.starts_with("Lease `kube-system/scheduler` at "), "{text}");
        let reason =
            ": no candidate is eligible; `a` keeps it.\n- `a` is not eligible: its `renewTime`, ";
        assert!(text.contains(reason), "{text}");
    });
}

#[test]
fn doctor() {
    live(async {
        let far = "2999-01-02T03:00:00.000000Z";
        let leases = [
            lease("old", LONG_AGO, json!({})),
            lease("free", LONG_AGO, json!({"holderIdentity": ""})),
            lease("new", far, json!({})),
        ];
        let list = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "LeaseList", "metadata": {}, "items": leases});
        let replay = Replay::default().and_get(&format!("{GROUP}/v1/leases"), &list);
        let text = output("doctor", &[], replay).await;
        assert!(text.starts_with("kube-system/old: \"a\" stopped "), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    });
}

/// From a cluster of 1.31 to one of 1.36.
#[test]
fn migrate() {
    live(async {
        let list = json!({"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidateList", "metadata": {},
            "items": [candidate()]});
        let kept = r#"{"fields":{"v1alpha1":{"spec.preferredStrategies":["example.com/own","OldestEmulationVersion"]}},"format":3}"#;
        let created = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
            "metadata": {"name": "a", "namespace": "kube-system",
                "annotations": {"conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.preferredStrategies": kept}},
            "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0", "strategy": "example.com/own",
                "renewTime": "2026-01-02T03:04:00.000000Z"}});
        let target =
            format!("{GROUP}/v1beta1/namespaces/kube-system/leasecandidates?fieldManager=example");
        let replay = cluster("v1.31", "v1alpha1")
            .and_get(&format!("{GROUP}/v1alpha1/leasecandidates?limit=500"), &list)
            .and(cluster("v1.36", "v1beta1"))
            .and_write("POST", &target, &created, &created);
        let text = output("migrate", &["test", "test"], replay).await;
        let kept = r#"kept in an annotation: ["example.com/own","OldestEmulationVersion"]"#;
        let expected = format!(
            "items[0].spec.preferredStrategies: {kept}\nkube-system/a: created in v1beta1\n"
        );
        assert_eq!(text, expected);
    });
}

#[test]
fn leader() {
    live(async {
        let cluster = Cluster::new(None);
        let mut program = Program::start(command("leader"), cluster.service(Arc::default())).await;
        program.until("a step of the work, in term uid-1/1").await;
        program.ctrl_c().await;
        let (_, log, status) = program.end().await;
        assert_eq!(status.code(), Some(0), "{log}");
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

/// The client of the example does not send a refused request again by itself, so the log has the reason.
#[test]
fn leader_says_why_the_server_refuses() {
    live(async {
        let refuse = http::server(|_, _| async { Ok(json_response(429, &json!({}))) });
        let program = Program::start(command("leader"), refuse).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        program.ctrl_c().await;
        let (_, log, status) = program.end().await;
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(log.contains("a request failed; the elector tries again"), "{log}");
        assert!(log.contains("429 Too Many Requests") && !log.contains("in time"), "{log}");
    });
}

/// The files with Rust in a folder and below.
fn sources(folder: &Path, found: &mut Vec<(String, usize)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.display().to_string(), fs::read_to_string(&path)?.lines().count()));
        }
    }
    Ok(())
}

#[test]
fn examples_are_short() {
    let mut found = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")), &mut found).unwrap();
    assert!(found.len() >= 8, "{found:?}");
    let long: Vec<_> = found.iter().filter(|(_, lines)| *lines > 50).collect();
    assert!(long.is_empty(), "more than 50 lines: {long:?}");
}
