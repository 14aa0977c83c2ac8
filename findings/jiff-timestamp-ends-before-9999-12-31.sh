#!/usr/bin/env bash
# jiff 0.2.43: `Timestamp` ends on 9999-12-30, so a valid RFC 3339 time of the last day of the year 9999 is refused.
#
# A Kubernetes server stores `9999-12-31T23:59:59Z` in a field of the format `date-time`, and so do rules in CEL: "never" is often
# written like that. One expects a type for timestamps with years up to 9999 to hold each of their days. The end is earlier so that every
# timestamp has a civil time in every offset; `civil::DateTime` holds the day. Seen: MAX is 9999-12-30T22:00:00.999999999Z.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "finding"
version = "0.0.0"
edition = "2021"

[dependencies]
jiff = { version = "=0.2.43", default-features = false, features = ["std"] }
TOML
cat >src/main.rs <<'RUST'
fn main() {
    println!("max {}", jiff::Timestamp::MAX);
    let text = "9999-12-31T23:59:59Z";
    println!("timestamp {}", text.parse::<jiff::Timestamp>().is_ok());
    println!("civil {}", text.trim_end_matches('Z').parse::<jiff::civil::DateTime>().is_ok());
}
RUST
found=$(cargo run --quiet)
expected='max 9999-12-30T22:00:00.999999999Z
timestamp false
civil true'
printf '%s\n' "$found"
[[ $found == "$expected" ]] || { echo "changed: expected"; printf '%s\n' "$expected"; exit 1; }
