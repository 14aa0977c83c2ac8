//! Simulated processes, clocks, network and server, all from a seed.
//!
//! After every event: never two that may believe to lead; terms only grow; nobody loses fields of others. When nothing
//! goes wrong any more: somebody leads within a bound, and after a release somebody else within another.

mod broken;
mod participant;
mod programs;
mod runs;
mod schedule;
mod shrink;
mod story;
mod times;
mod world;

pub(crate) use programs::in_the_place_of_programs;
