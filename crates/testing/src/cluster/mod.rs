//! A server in this process for real clients, and programs that talk to it.

pub mod http;
pub mod process;
pub mod recorded;
pub mod replay;
mod service;

use std::pin::Pin;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::timeout;

pub use service::Cluster;

/// Runs a test, and fails if it takes more seconds. The future has one type for all tests, so that the runtime is compiled once for
/// them.
fn run_within<T>(
    runtime: &mut Builder,
    seconds: u64,
    test: Pin<Box<dyn Future<Output = T> + '_>>,
) -> T {
    let limit = Duration::from_secs(seconds);
    let test = async { timeout(limit, test).await.expect("it hangs") };
    runtime.build().unwrap().block_on(test)
}
