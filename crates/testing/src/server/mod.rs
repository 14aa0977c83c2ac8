//! A model of an API server: its objects, and its elector.

mod api;
mod elections;

pub use api::{Change, LEASE, NAMESPACE, Server, Serves};
pub use elections::Elections;

use std::time::Duration;

use k8s_lease_elector::k8s_coordination::meta::v1::MicroTime;

/// True time, in microseconds since the start.
pub type Micros = u64;

pub const SECOND: Micros = 1_000_000;

pub fn duration(micros: Micros) -> Duration {
    Duration::from_micros(micros)
}

pub fn micros(duration: Duration) -> Micros {
    u64::try_from(duration.as_micros()).unwrap()
}

/// The start of true time on a right wall clock, in microseconds since 1970.
const START: i64 = 1_767_312_000 * 1_000_000;

/// The time on a wall clock with this error in seconds.
pub fn wall(time: Micros, off: i64) -> MicroTime {
    let shown = START + i64::try_from(time).unwrap() + off * 1_000_000;
    let micros = u32::try_from(shown.rem_euclid(1_000_000)).unwrap();
    MicroTime::from_unix(shown.div_euclid(1_000_000), micros).unwrap()
}
