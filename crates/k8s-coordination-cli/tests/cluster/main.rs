//! The subcommands that need a cluster, as processes, with the servers of the client's tests.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

#[path = "../../../k8s-coordination-kube/tests/client/clusters.rs"]
mod clusters;
mod doctor;
mod elect;
mod lead;
mod migrate;
mod processes;
#[path = "../../../k8s-coordination-kube/tests/client/replay.rs"]
#[allow(dead_code, reason = "the tests of the client need more of it")]
mod replay;
