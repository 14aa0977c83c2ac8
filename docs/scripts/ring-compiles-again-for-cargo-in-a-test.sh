#!/usr/bin/env bash
# ring 0.17.14: Cargo that a test starts in the target folder of its own workspace compiles ring again, and all that depends on it
# (rustls, hyper-rustls, kube-client). So does the next build outside of the test.
#
# One expects a build script to run again when one of its files changes. Cargo sets CARGO_MANIFEST_DIR and CARGO_PKG_* for each build
# script, and ring's names them in `rerun-if-env-changed`. Cargo compares the variables of its own environment, which are unset in a shell
# and set in a test. To remove all of them for the inner Cargo (`Command::env_remove`) helps.
# Seen: `Dirty ring v0.17.14: the env variable CARGO_MANIFEST_DIR changed`, both ways.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset CARGO_MANIFEST_DIR
export CARGO_TARGET_DIR=$folder/target
mkdir src
echo 'fn main() {}' >src/main.rs
cat >Cargo.toml <<'TOML'
[package]
name = "finding"
version = "0.0.0"
edition = "2021"

[dependencies]
ring = "=0.17.14"
TOML
dirty() { grep -c '^ *Dirty ring v0.17.14: the env variable CARGO_MANIFEST_DIR changed' || true; }
cargo build --quiet
again=$(cargo build --verbose 2>&1 | dirty)
inside=$(CARGO_MANIFEST_DIR=$folder cargo build --verbose 2>&1 | dirty)
outside=$(cargo build --verbose 2>&1 | dirty)
printf 'compiled again: unchanged %s, inside %s, outside %s\n' "$again" "$inside" "$outside"
[[ "$again $inside $outside" == '0 1 1' ]] || { echo 'changed: expected 0, 1, 1'; exit 1; }
