//! The example programs, run with the replay.

mod migrate;
#[cfg(unix)]
mod processes;
