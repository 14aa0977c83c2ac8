//! Works only while this process leads by the Lease `example`, and gives the Lease back on Ctrl-C.
//!
//! Start it twice and end the first one. `coordination lead --lease NAME -- PROGRAM` does the same with any program.

use std::error::Error;
use std::time::Duration;

use k8s_coordination_kube::lead::{self, Driver, Leadership, Settings};

#[tokio::main]
async fn main() {
    if let Err(error) = run().await {
        eprintln!("Error: {error}");
        std::process::exit(1);
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let client = lead::client().await?;
    let identity = Settings::default_identity()?;
    let settings = Settings::new(client.default_namespace(), "example", identity);
    let driver = Driver::new(client, settings)?.with_shutdown(async {
        let _ = tokio::signal::ctrl_c().await;
    });
    driver.run(work).await?;
    Ok(())
}

/// The work of one term.
async fn work(leadership: Leadership) {
    while leadership.holds() {
        println!("a step of the work, in term {}", leadership.token());
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            () = leadership.stopped() => return,
        }
    }
}
