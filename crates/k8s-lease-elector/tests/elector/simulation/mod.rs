//! Simulated processes, clocks, network and server, all from a seed.
//!
//! After every event: at most one process believes that it leads; terms only grow; no write removes fields of other
//! clients. After the last fault: a process leads within a bound, and after a release another one within another bound.

mod broken;
mod participant;
mod picture;
mod programs;
mod runs;
mod schedule;
mod shrink;
mod story;
mod times;
mod world;

pub(crate) use programs::leader_with_the_elector;
