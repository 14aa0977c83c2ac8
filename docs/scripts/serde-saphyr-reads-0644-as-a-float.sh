#!/usr/bin/env bash
# serde-saphyr 2.0.0 with k8s-openapi 0.29.0: `defaultMode: 0644` of a manifest is an error ("invalid i32"), and without types it is the
# float 644.0.
#
# Manifests write file modes like that. kubectl, which reads YAML 1.1 here, and PyYAML 6.0.3 make 420 of it. One expects 420 or, by YAML 1.2,
# the integer 644. For a custom resource nobody notices: an API server stores 644.0 as the integer 644, which is another mode.
# The option `legacy_octal_numbers`, which is off unless it is set, reads 420 both ways.
# Seen: 644.0 as a `Value`, an error as an `i32`; 420 and 420 with the option; 420 with PyYAML.
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
k8s-openapi = { version = "=0.29.0", features = ["v1_36"] }
serde-saphyr = "=2.0.0"
serde_json = "1"
TOML
cat >src/main.rs <<'RUST'
use k8s_openapi::api::core::v1::ConfigMapVolumeSource;
use serde_json::Value;
use serde_saphyr::{from_str, from_str_with_options, options};

fn main() {
    let mode = "name: scripts\ndefaultMode: 0644\n";
    let value: Value = from_str(mode).unwrap();
    let typed = from_str::<ConfigMapVolumeSource>(mode);
    println!("{} {}", value["defaultMode"], typed.unwrap_err().to_string().lines().next().unwrap());

    let legacy = options! { legacy_octal_numbers: true };
    let value: Value = from_str_with_options(mode, legacy.clone()).unwrap();
    let typed: ConfigMapVolumeSource = from_str_with_options(mode, legacy).unwrap();
    println!("{} {:?}", value["defaultMode"], typed.default_mode);
}
RUST
rust=$(cargo run --quiet)
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check PyYAML==6.0.3
python=$(venv/bin/python -c 'import yaml; print(yaml.safe_load("defaultMode: 0644"))')
diff - <(printf '%s\n' "$rust" "$python") <<'SEEN'
644.0 error: line 2 column 14: invalid i32
420 Some(420)
{'defaultMode': 420}
SEEN
