//! Says what is wrong with the Leases and candidates of a cluster.

#[path = "../common/mod.rs"]
mod common;
mod findings;
mod program;

use std::process::ExitCode;

use clap::Parser;
use k8s_coordination::meta::v1::MicroTime;

fn main() -> ExitCode {
    let options = program::Options::parse();
    let work = async {
        let client = common::connect(options.context.clone()).await?;
        program::run(&client, &options, MicroTime::now(), &mut std::io::stdout()).await
    };
    common::run(work, "interrupted: not everything was looked at")
}
