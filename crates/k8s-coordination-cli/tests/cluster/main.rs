//! The subcommands that need a cluster, as processes, with the servers of the client's tests.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

mod doctor;
mod elect;
mod lead;
mod migrate;
mod processes;
