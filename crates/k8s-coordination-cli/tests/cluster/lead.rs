//! `coordination lead`.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use testing::cluster::Cluster;
use testing::cluster::http::{self, json_response};
use testing::cluster::process::{Program, live};
use testing::server;
use tokio::process::Command;
use tokio::sync::watch;

/// The command as this process, with more arguments.
fn lead(identity: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_coordination"));
    let place = ["lead", "-n", server::NAMESPACE, "-l", server::LEASE, "-i", identity];
    command.args(place).args(more);
    command
}

/// A program that prints its term, and `stops` when it gets SIGTERM.
const POLITE: &str =
    "trap 'echo stops; exit 3' TERM; echo leads in $LEASE_TERM; while :; do sleep 0.05; done";

/// A program that does not stop, and neither does the process that it starts. It prints its own process.
const STUBBORN: &str = "trap '' TERM; sh -c 'while :; do sleep 0.05; done' &
    echo runs as $$; while :; do sleep 0.05; done";

#[test]
fn the_program_runs_only_in_the_process_that_leads() {
    live(async {
        let cluster = Cluster::new(None);
        let start = async |identity| {
            let command = lead(identity, &["--", "sh", "-c", POLITE]);
            Program::start(command, cluster.service(Arc::default())).await
        };
        let mut a = start("a").await;
        assert_eq!(a.until("leads").await, ["leads in uid-1/1"]);
        let mut b = start("b").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let start = Instant::now();
        a.signal("-TERM").await;
        let (rest, log, status) = a.end().await;
        assert_eq!((rest.as_str(), status.code()), ("stops\n", Some(0)));
        for line in ["contends for the Lease default/work as `a`", "leads, term uid-1/1"] {
            assert!(log.contains(&format!("Z  INFO {line}\n")), "{log}");
        }
        assert!(log.ends_with("INFO done\n"), "{log}");
        assert_eq!(b.until("leads").await, ["leads in uid-1/3"]);
        assert!(start.elapsed() < Duration::from_secs(10));
        b.ctrl_c().await;
        assert_eq!(b.end().await.2.code(), Some(0));
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

#[test]
fn the_exit_code_is_that_of_the_program() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o600)).unwrap();
    let plain_file = file.path().to_str().unwrap();
    let table: [(&[&str], i32, &str); 12] = [
        (&["--", "sh", "-c", "exit 0"], 0, "INFO stops: the work ended\n"),
        (&["--", "sh", "-c", "exit 7"], 7, "INFO the program ended with exit code 7\n"),
        (&["--", "sh", "-c", "kill -9 $$"], 137, "WARN the program ended by signal: 9 (SIGKILL)\n"),
        // What the program leaves does not outlive the term: the output ends.
        (&["--", "sh", "-c", "sleep 1000 & exit 8"], 8, "done"),
        (&["--", "no-such-program"], 127, "the program `no-such-program` is not found"),
        (&["--", "./no-such-program"], 127, "the program `./no-such-program` is not found"),
        (&["--", plain_file], 126, "` cannot be started"),
        // 20 seconds are not a multiple of 15.
        (&["--lease-duration", "20", "--", "sh", "-c", "exit 0"], 0, "done"),
        (&["--lease-duration", "0", "--", "true"], 2, "'0' for '--lease-duration <SECONDS>'"),
        (&["--lease-duration", "15s", "--", "true"], 2, ": write a whole number of seconds"),
        (&["--kill-after", "1m", "--", "true"], 2, ": write a whole number of seconds"),
        (
            &["--context", "absent", "--", "true"],
            2,
            "has no context `absent`\nhint: is there a kubeconfig",
        ),
    ];
    live(async {
        join_all(table.map(async |(arguments, code, message)| {
            let cluster = Cluster::new(None);
            let command = lead("a", arguments);
            let program = Program::start(command, cluster.service(Arc::default())).await;
            let (_, log, status) = program.end().await;
            assert_eq!(status.code(), Some(code), "{arguments:?}: {log}");
            assert!(log.contains(message), "{arguments:?}: {log}");
            let led = code != 2 && code != 127;
            assert_eq!(cluster.holder().as_deref(), led.then_some(""), "{arguments:?}");
        }))
        .await;
    });
}

/// The process that the stubborn program runs as.
async fn process(program: &mut Program) -> String {
    program.until("runs as").await[0].replace("runs as ", "")
}

async fn runs(process: &str) -> bool {
    Command::new("kill").args(["-0", process]).output().await.unwrap().status.success()
}

/// A shell does not pass SIGTERM on.
#[test]
fn all_processes_of_a_program_may_stop_by_themselves() {
    live(async {
        let cluster = Cluster::new(None);
        let command = lead("a", &["--", "sh", "-c", "sh -c \"$0\"; true", POLITE]);
        let mut program = Program::start(command, cluster.service(Arc::default())).await;
        program.until("leads").await;
        program.signal("-TERM").await;
        let (rest, log, status) = program.end().await;
        assert_eq!((rest.as_str(), status.code()), ("stops\n", Some(0)), "{log}");
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

#[test]
fn a_program_that_does_not_stop_is_killed() {
    live(async {
        let cluster = Cluster::new(None);
        let command = lead("a", &["--kill-after", "1", "--", "sh", "-c", STUBBORN]);
        let mut program = Program::start(command, cluster.service(Arc::default())).await;
        let process = process(&mut program).await;
        let start = Instant::now();
        program.signal("-TERM").await;
        let (_, log, status) = program.end().await;
        assert!((1..5).contains(&start.elapsed().as_secs()));
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(!runs(&process).await && log.contains("it is killed"), "{log}");
        assert_eq!(cluster.holder().as_deref(), Some(""));
    });
}

/// A terminal that closes ends the program as well, unless `nohup` has started it.
#[test]
fn other_signals_end_the_command_unless_they_are_ignored() {
    live(async {
        let table: [(&str, &[&str]); 3] =
            [("", &["-HUP"]), ("", &["-QUIT"]), ("trap '' HUP; ", &["-HUP", "-TERM"])];
        join_all(table.map(async |(ignored, signals)| {
            let cluster = Cluster::new(None);
            let lead = lead("a", &["--", "sh", "-c", POLITE]);
            // `nohup cargo test` ignores SIGHUP, and a shell cannot undo that.
            let mut command = Command::new("env");
            command.args(cfg!(target_os = "linux").then_some("--default-signal=HUP"));
            command.args(["sh", "-c", &format!("{ignored}exec \"$0\" \"$@\"")]);
            command.arg(lead.as_std().get_program()).args(lead.as_std().get_args());
            let mut program = Program::start(command, cluster.service(Arc::default())).await;
            program.until("leads").await;
            for signal in signals {
                assert_eq!(cluster.holder().as_deref(), Some("a"), "{signals:?}");
                program.signal(signal).await;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            let (rest, log, status) = program.end().await;
            assert_eq!((rest.as_str(), status.code()), ("stops\n", Some(0)), "{signals:?}: {log}");
        }))
        .await;
    });
}

/// The log says once why requests fail.
#[test]
fn refusals_are_logged_once() {
    live(async {
        join_all([500, 503].map(async |code| {
            let status =
                json!({"kind": "Status", "apiVersion": "v1", "message": "no", "code": code});
            let (seen, mut refused) = watch::channel((0, 0));
            let refuse = http::server(move |head, _| {
                let is_watch = head.uri.query().is_some_and(|query| query.contains("watch="));
                seen.send_modify(|(watches, others)| {
                    *(if is_watch { watches } else { others }) += 1;
                });
                let status = status.clone();
                async move { Ok(json_response(code, &status)) }
            });
            let more = ["--lease-duration", "2", "--", "true"];
            let program = Program::start(lead("a", &more), refuse).await;
            // The third of each: the log has what it says of the second.
            refused.wait_for(|(watches, others)| *watches > 2 && *others > 2).await.unwrap();
            program.signal("-TERM").await;
            let (_, log, status) = program.end().await;
            assert_eq!(status.code(), Some(0), "{log}");
            let count = |text: &str| log.lines().filter(|line| line.contains(text)).count();
            assert_eq!(
                (count("WARN a request failed"), count("WARN a watch"), count("WARN")),
                (1, 1, 2),
                "{log}"
            );
            assert_eq!(
                (count("Server Error: no") + count("Unavailable: no"), count("ERROR")),
                (2, 0),
                "{log}"
            );
        }))
        .await;
    });
}

/// The server is gone after the program has ended, before what it has left is stopped.
#[test]
fn a_program_that_has_ended_is_not_started_again() {
    live(async {
        let cluster = Cluster::new(None);
        let broken = Arc::new(AtomicBool::new(false));
        let leaves = "(trap '' TERM; while :; do sleep 0.05; done) & echo leads; exit 8";
        let more = ["--lease-duration", "2", "--kill-after", "5", "--", "sh", "-c", leaves];
        let mut program =
            Program::start(lead("a", &more), cluster.service(Arc::clone(&broken))).await;
        program.until("leads").await;
        broken.store(true, Ordering::SeqCst);
        let (rest, log, status) = program.end().await;
        assert_eq!((rest.as_str(), status.code()), ("", Some(8)), "{log}");
    });
}

/// The server is gone. The program is killed before another process may lead, and the command contends again.
#[test]
fn a_program_is_killed_at_the_end_of_its_term() {
    live(async {
        let cluster = Cluster::new(None);
        let broken = Arc::new(AtomicBool::new(false));
        let more = ["--lease-duration", "2", "--kill-after", "5", "--", "sh", "-c", STUBBORN];
        let mut program =
            Program::start(lead("a", &more), cluster.service(Arc::clone(&broken))).await;
        let first = process(&mut program).await;
        broken.store(true, Ordering::SeqCst);
        let start = Instant::now();
        while runs(&first).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let took = start.elapsed();
        // The term ends, not the five seconds of `--kill-after`.
        assert!(Duration::from_secs(1) < took && took < Duration::from_secs(5), "{took:?}");
        broken.store(false, Ordering::SeqCst);
        let second = process(&mut program).await;
        assert!(first != second);
        let group = format!("-{second}");
        Command::new("kill").args(["-KILL", "--", &group]).status().await.unwrap();
        let (_, log, status) = program.end().await;
        assert_eq!(status.code(), Some(137));
        assert!(log.contains("WARN a request failed; the elector tries again error="), "{log}");
    });
}
