//! Moves candidates into the version of another cluster.

#[path = "../common/mod.rs"]
mod common;
mod program;
mod source;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let options = program::Options::parse();
    let work = async {
        let source = match &options.from_context {
            Some(context) => {
                source::cluster(&common::connect(Some(context.clone())).await?, &options).await?
            }
            None => source::files(&options.files)?,
        };
        let target = common::connect(options.context.clone()).await?;
        program::run(source, &target, &options, &mut std::io::stdout()).await
    };
    common::run(work, "interrupted: run it again, and it goes on where it stopped")
}
