//! The command `k8s-versioned-recorder`.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use k8s_versioned_recorder::{Options, serve};
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If the standard error is closed, the exit code remains.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs until the process is ended.
async fn run(options: Options) -> io::Result<()> {
    let listener = TcpListener::bind(options.listen).await.map_err(|error| {
        let message = format!(
            "cannot listen on {}: {error}; `--listen` names another address",
            options.listen
        );
        io::Error::new(error.kind(), message)
    })?;
    let address = listener.local_addr()?;
    writeln!(io::stderr(), "recording {} on http://{address}", options.group)?;
    serve(listener, options).await
}
