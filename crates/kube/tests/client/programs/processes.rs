//! The compiled programs, as somebody starts them: with a kubeconfig, over a socket, until Ctrl-C.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body::Body as HttpBody;
use k8s_coordination::operation::http;
use serde_json::json;
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tower::BoxError;

use super::{GROUP, cluster, list};
use crate::lead::{Cluster, model};
use crate::replay::{Fault, Replay};
use crate::socket::{self, Server};

/// A program that runs.
struct Program {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    _kubeconfig: NamedTempFile,
}

impl Program {
    async fn start<B>(
        name: &str,
        arguments: &[&str],
        server: impl Server<http::Response<B>>,
    ) -> Self
    where
        B: HttpBody<Data = Bytes, Error = BoxError> + Send + 'static,
    {
        let address = socket::serve(server).await;
        let kubeconfig = NamedTempFile::new().unwrap();
        let context = json!({"clusters": [{"name": "test", "cluster": {"server": format!("http://{address}")}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
            "users": [{"name": "test", "user": {}}], "current-context": "test"});
        std::fs::write(kubeconfig.path(), context.to_string()).unwrap();
        let mut child = command(name)
            .args(arguments)
            .env("KUBECONFIG", kubeconfig.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines, _kubeconfig: kubeconfig }
    }

    /// Waits for a line, and returns it with those before.
    async fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.lines.next_line().await.unwrap() {
            lines.push(line);
            if lines.last().unwrap().starts_with(beginning) {
                return lines;
            }
        }
        panic!("it ended before it wrote `{beginning}`: {lines:?}");
    }

    async fn ctrl_c(&self) {
        let id = self.child.id().unwrap().to_string();
        let killed = Command::new("kill").args(["-INT", &id]).status().await;
        assert!(killed.unwrap().success());
    }

    /// The rest of the output, the errors, and the exit status.
    async fn end(mut self) -> (String, String, ExitStatus) {
        let (mut rest, mut errors) = (String::new(), String::new());
        self.lines.into_inner().read_to_string(&mut rest).await.unwrap();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut errors).await.unwrap();
        (rest, errors, self.child.wait().await.unwrap())
    }
}

/// The program, which the build of the tests puts beside their folder.
fn command(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let path: PathBuf = test.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(path.exists(), "`cargo build --examples` first: there is no {}", path.display());
    Command::new(path)
}

/// Runs a test in real time, and ends it when it hangs.
fn live<T>(test: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().unwrap();
    let limit = Duration::from_secs(60);
    runtime.block_on(async { tokio::time::timeout(limit, test).await.expect("it hangs") })
}

#[test]
fn each_has_help() {
    live(async {
        for name in ["doctor", "leader", "list-candidates", "migrate"] {
            let help = command(name).arg("--help").output().await.unwrap();
            let text = String::from_utf8(help.stdout).unwrap();
            assert!(help.status.success() && text.contains(&format!("Usage: {name}")), "{text}");
        }
    });
}

#[test]
fn leader_hands_over_on_ctrl_c() {
    live(async {
        let cluster = Cluster::new(None);
        let arguments = ["-n", model::NAMESPACE, "-l", model::LEASE, "-i", "a"];
        let server = cluster.service(Arc::default());
        let mut program = Program::start("leader", &arguments, server).await;
        // In between, the watch can show our own claim before its answer comes: `a` is followed for that moment.
        let told = program.until("leads").await;
        let ends = (told.first().map(String::as_str), told.last().map(String::as_str));
        assert_eq!(ends, (Some("follows: nobody leads"), Some("leads: term uid-1/0")));
        program.ctrl_c().await;
        let (rest, errors, status) = program.end().await;
        assert_eq!(rest, "stops: the program shuts down\ngives the Lease back\ndone\n");
        assert_eq!((errors.as_str(), status.code()), ("", Some(0)));
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

const CANDIDATES: &str = "leasecandidates?limit=500";
const LEASES: &str = "leases?limit=500";
const WATCH: &str = "allowWatchBookmarks=true&resourceVersion=7&watch=true";

/// A cluster with one Lease, which nobody renews any more.
fn with_a_lease() -> Replay {
    let lease = json!({"metadata": super::metadata("old"), "spec": {"holderIdentity": "a", "leaseDurationSeconds": 5,
        "renewTime": "2026-01-02T03:04:05.000000Z"}});
    cluster("v1.36", "v1beta1")
        .and_get(&format!("{GROUP}/v1beta1/{CANDIDATES}"), &list("LeaseCandidate", "v1beta1", &[]))
        .and_get(&format!("{GROUP}/v1/{LEASES}"), &list("Lease", "v1", &[lease]))
}

#[test]
fn list_candidates_watches_until_ctrl_c() {
    live(async {
        let mut replay = with_a_lease();
        for target in ["v1beta1/leasecandidates", "v1/leases"] {
            let target = format!("{GROUP}/{target}?{WATCH}");
            replay = replay
                .and_get(&target, &json!({}))
                .with_fault(&format!("GET {target}"), Fault::Hang);
        }
        let replay = Arc::new(replay);
        let mut program = Program::start("list-candidates", &["--watch"], replay.service()).await;
        program.until("\u{1b}[2J\u{1b}[HThere are no candidates.").await;
        program.ctrl_c().await;
        let (rest, _, status) = program.end().await;
        assert_eq!((rest.as_str(), status.code()), ("", Some(0)));
    });
}

/// The exit code is for scripts.
#[test]
fn doctor_ends_with_1_for_a_problem_and_with_2_for_a_failure() {
    live(async {
        let replay = Arc::new(with_a_lease());
        let program = Program::start("doctor", &[], replay.service()).await;
        let (text, _, status) = program.end().await;
        assert!(
            text.starts_with("Lease `kube-system/old`: its holder `a` stopped renewing"),
            "{text}"
        );
        assert_eq!(status.code(), Some(1));
        replay.assert_used_up();

        let nothing = Arc::new(Replay::nothing());
        let program = Program::start("doctor", &["--context", "absent"], nothing.service()).await;
        let (text, errors, status) = program.end().await;
        assert_eq!((text.as_str(), status.code()), ("", Some(2)));
        assert!(errors.contains("\nhint: is there a kubeconfig"), "{errors}");
    });
}

/// The server does not answer; Ctrl-C ends the program, which says that it can be run again.
#[test]
fn migrate_can_be_interrupted() {
    live(async {
        let file = NamedTempFile::new().unwrap();
        let object = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
            "metadata": {"name": "a", "namespace": "ns"},
            "spec": {"leaseName": "l", "binaryVersion": "1.36.0", "strategy": "example.com/own"}});
        std::fs::write(file.path(), object.to_string()).unwrap();
        let target = format!("{GROUP}/v1beta1/namespaces/ns/leasecandidates");
        let trial = format!("{target}?dryRun=All");
        let replay = cluster("v1.36", "v1beta1")
            .and_write("POST", &trial, &object, &object)
            .and_write("POST", &target, &object, &object)
            .with_fault(&format!("POST {target}"), Fault::Hang);
        let replay = Arc::new(replay);
        let arguments = [file.path().to_str().unwrap(), "--yes"];
        let mut program = Program::start("migrate", &arguments, replay.service()).await;
        program.until("[1/1] `ns/a`: would be created").await;
        program.ctrl_c().await;
        let (_, errors, status) = program.end().await;
        assert_eq!(errors, "interrupted: run it again, and it goes on where it stopped\n");
        assert_eq!(status.code(), Some(0));
    });
}
