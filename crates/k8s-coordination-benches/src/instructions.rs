//! Counts of instructions, which do not depend on the load of the machine.

use std::process::Command;

/// The instructions of this program with these arguments and environment variables, counted in another process.
pub fn count(arguments: &[&str], variables: &[(&str, &str)]) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"])
        .arg("--toggle-collect=*meter*region*")
        .arg(program)
        .args(arguments)
        .envs(variables.iter().copied())
        .output()
        .map_err(|error| format!("valgrind does not start: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log.lines().find_map(|line| line.split_once("Collected : "));
    let count = collected.and_then(|(_, count)| count.trim().parse().ok());
    count.ok_or_else(|| log.into_owned())
}
