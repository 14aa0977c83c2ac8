//! A model of an API server: its objects, and its elector.

mod elections;
mod server;

pub(crate) use elections::Elections;
pub(crate) use server::{Change, LEASE, NAMESPACE, Server, Serves};

use std::time::Duration;

use k8s_lease_elector::k8s_coordination::meta::v1::MicroTime;

/// True time, in microseconds since the start.
pub(crate) type Micros = u64;

pub(crate) const SECOND: Micros = 1_000_000;

pub(crate) fn duration(micros: Micros) -> Duration {
    Duration::from_micros(micros)
}

pub(crate) fn micros(duration: Duration) -> Micros {
    u64::try_from(duration.as_micros()).unwrap()
}

/// The start of true time on a right wall clock, in microseconds since 1970.
const START: i64 = 1_767_312_000 * 1_000_000;

/// The time on a wall clock with this error in seconds.
pub(crate) fn wall(time: Micros, off: i64) -> MicroTime {
    let shown = START + i64::try_from(time).unwrap() + off * 1_000_000;
    let micros = u32::try_from(shown.rem_euclid(1_000_000)).unwrap();
    MicroTime::from_unix(shown.div_euclid(1_000_000), micros).unwrap()
}
