#!/usr/bin/env bash
# kube 5.0.0 and schemars 1.2.3 (crates.io): the schema of an `Option` of an enum lists `null` only while the enum's variants have no docs.
#
# kube-derive marks an optional field as `nullable: true`, because serde writes `None` as `null`. A server compares the value with `enum`,
# too. One expects docs to change nothing but descriptions; but once the variants have doc comments, `enum` lacks `null`: `nullable` then
# promises what `enum` rejects, and a server rejects an object that the program itself writes (`Unsupported value: null`).
# `#[serde(skip_serializing_if = "Option::is_none")]` on the field avoids it.
# Seen: enum ["Full","Incremental",null] without docs, ["Fast","Slow"] with docs, both nullable; the object has two nulls.
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
k8s-openapi = { version = "=0.29.0", features = ["v1_36", "schemars"] }
kube = { version = "=5.0.0", default-features = false, features = ["derive"] }
schemars = "=1.2.3"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
TOML
cat >src/main.rs <<'RUST'
use kube::{CustomResource, CustomResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
enum Mode {
    Full,
    Incremental,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
enum Level {
    /// Takes a second.
    Fast,
    /// Takes an hour.
    Slow,
}

#[derive(CustomResource, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Backup", namespaced)]
struct BackupSpec {
    mode: Option<Mode>,
    level: Option<Level>,
}

fn main() -> Result<(), serde_json::Error> {
    let definition = serde_json::to_value(Backup::crd())?;
    let schema = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    for field in ["mode", "level"] {
        println!("{field}: {}", schema["properties"]["spec"]["properties"][field]);
    }
    println!("{}", serde_json::to_string(&BackupSpec::default())?);
    Ok(())
}
RUST
found=$(cargo run --quiet 2>/dev/null)
expected='mode: {"enum":["Full","Incremental",null],"nullable":true,"type":"string"}
level: {"enum":["Fast","Slow"],"nullable":true,"type":"string"}
{"mode":null,"level":null}'
printf '%s\n' "$found"
[[ $found == "$expected" ]] || { echo "changed: expected"; printf '%s\n' "$expected"; exit 1; }
