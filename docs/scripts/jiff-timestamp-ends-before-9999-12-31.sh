#!/usr/bin/env bash
# jiff 0.2.43: `Timestamp` ends on 9999-12-30, so a valid RFC 3339 time of the last day of the year 9999 is refused. The same holds for `Time` of
# k8s-openapi 0.29.0, which is such a `Timestamp`: an object with this time does not decode.
#
# A Kubernetes server stores `9999-12-31T23:59:59Z` in a field of the format `date-time`, and so do rules in CEL: "never" is often
# written like that. One expects a type for timestamps with years up to 9999 to hold each of their days. The end is earlier so that every
# timestamp has a civil time in every offset; `civil::DateTime` holds the day. One time of this kind fails a whole list of objects.
# Seen: MAX is 9999-12-30T22:00:00.999999999Z; the Lease does not decode.
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
k8s-openapi = { version = "=0.29.0", features = ["v1_36"] }
serde_json = "1"
TOML
cat >src/main.rs <<'RUST'
use k8s_openapi::api::coordination::v1::Lease;
use serde_json::json;

fn main() {
    println!("max {}", jiff::Timestamp::MAX);
    let text = "9999-12-31T23:59:59Z";
    println!("timestamp {}", text.parse::<jiff::Timestamp>().is_ok());
    println!("civil {}", text.trim_end_matches('Z').parse::<jiff::civil::DateTime>().is_ok());
    for day in [30, 31] {
        let time = format!("9999-12-{day}T12:00:00.000000Z");
        let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {}, "spec": {"renewTime": time}});
        println!("k8s-openapi, day {day}: {}", serde_json::from_value::<Lease>(lease).is_ok());
    }
}
RUST
found=$(cargo run --quiet)
expected='max 9999-12-30T22:00:00.999999999Z
timestamp false
civil true
k8s-openapi, day 30: true
k8s-openapi, day 31: false'
printf '%s\n' "$found"
[[ $found == "$expected" ]] || { echo "changed: expected"; printf '%s\n' "$expected"; exit 1; }
