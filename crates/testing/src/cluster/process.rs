//! Programs as processes: with a kubeconfig, a socket and signals.

use std::process::{ExitStatus, Stdio};

use serde_json::json;
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::runtime::Builder;

use super::http::{self as server, Server};
use super::run_within;

/// A running program.
pub struct Program {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    _kubeconfig: NamedTempFile,
}

impl Program {
    /// Starts a program with this server as its cluster.
    pub async fn start(mut command: Command, server: Server) -> Self {
        let address = server::serve(server).await;
        let kubeconfig = NamedTempFile::new().unwrap();
        let context = json!({"clusters": [{"name": "test", "cluster": {"server": format!("http://{address}")}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
            "users": [{"name": "test", "user": {}}], "current-context": "test"});
        std::fs::write(kubeconfig.path(), context.to_string()).unwrap();
        let mut child = command
            .env("KUBECONFIG", kubeconfig.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines, _kubeconfig: kubeconfig }
    }

    /// Waits for a line with this text, and returns it with the lines before.
    pub async fn until(&mut self, text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.lines.next_line().await.unwrap() {
            lines.push(line);
            if lines.last().unwrap().contains(text) {
                return lines;
            }
        }
        panic!("it ended before it wrote `{text}`: {lines:?}");
    }

    pub async fn ctrl_c(&self) {
        self.signal("-INT").await;
    }

    pub async fn signal(&self, signal: &str) {
        let id = self.child.id().unwrap().to_string();
        let killed = Command::new("kill").args([signal, &id]).status().await;
        assert!(killed.unwrap().success());
    }

    /// The rest of the output, the errors, and the exit status.
    pub async fn end(mut self) -> (String, String, ExitStatus) {
        let (mut rest, mut errors) = (String::new(), String::new());
        self.lines.into_inner().read_to_string(&mut rest).await.unwrap();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut errors).await.unwrap();
        (rest, errors, self.child.wait().await.unwrap())
    }
}

/// Runs a test in real time, and fails if it hangs.
pub fn live<T>(test: impl Future<Output = T>) -> T {
    run_within(Builder::new_current_thread().enable_all(), 60, Box::pin(test))
}
