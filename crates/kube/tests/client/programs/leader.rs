//! `leader`.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Parser;
use tokio::time::sleep;

use super::common;
use crate::lead::{Cluster, model};
use crate::replay::run;

#[path = "../../../examples/leader/program.rs"]
pub(super) mod program;

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Output {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// One leads for half a minute and ends; the other takes over, until it is told to end.
#[test]
fn two_programs_hand_over() {
    let options = |arguments: &[&str]| {
        let place = ["leader", "-n", model::NAMESPACE, "-l", model::LEASE];
        program::Options::parse_from(place.iter().chain(arguments))
    };
    let (first, second) = (Output::default(), Output::default());
    run(async {
        let cluster = Cluster::new(None);
        let a = options(&["-i", "a", "--lead-for", "30"]);
        let b = options(&["-i", "b"]);
        let a = program::run(cluster.client(), &a, std::future::pending(), first.clone());
        let b = async {
            sleep(Duration::from_secs(10)).await;
            let shutdown = sleep(Duration::from_secs(60));
            program::run(cluster.client(), &b, shutdown, second.clone()).await
        };
        let (a, b) = tokio::join!(a, b);
        assert!(a.is_ok() && b.is_ok());
    });
    let term = "uid-1";
    let end = "stops: the program shuts down\ngives the Lease back\ndone\n";
    assert_eq!(first.text(), format!("follows: nobody leads\nleads: term {term}/0\n{end}"));
    let text = format!(
        "follows: nobody leads\nfollows `a`\nfollows: nobody leads\nleads: term {term}/1\n{end}"
    );
    assert_eq!(second.text(), text);
}
