//! Points in time as Kubernetes writes them.

mod micro;
mod rfc3339;
mod seconds;

pub use micro::MicroTime;
pub use rfc3339::TimeError;
pub use seconds::Time;
