//! Leads by a Lease: prints who leads, and hands over on Ctrl-C.

#[path = "../common/mod.rs"]
mod common;
mod program;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let options = program::Options::parse();
    let shutdown = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let work = async {
        let client = common::connect(options.context.clone()).await?;
        program::run(client, &options, shutdown, std::io::stdout()).await
    };
    common::run_to_end(work)
}
