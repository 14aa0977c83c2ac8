//! The subcommands that need a cluster, as processes, with the servers of the client's tests.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod lead;
