//! Lists the candidates of a cluster, whatever their version: who leads, and why.

#[path = "../common/mod.rs"]
mod common;
mod program;

use std::process::ExitCode;

use clap::Parser;
use k8s_coordination::meta::v1::MicroTime;

fn main() -> ExitCode {
    let options = program::Options::parse();
    let work = async {
        let client = common::connect(options.context.clone()).await?;
        program::run(&client, &options, MicroTime::now, &mut std::io::stdout()).await
    };
    common::run(work, "")
}
