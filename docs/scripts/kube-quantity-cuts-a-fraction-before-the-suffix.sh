#!/usr/bin/env bash
# kube_quantity 0.9.0 with k8s-openapi 0.29.0: `to_bytes_i64` of `1.5Gi` is 1 GiB, and `1Ki` plus `500m` is more than a million.
#
# One expects the whole number of bytes that a quantity states. The number before the suffix is cut first and multiplied afterwards, so
# `0.5Ki` is 0; `to_bytes_f64` is right. A sum of a binary and a decimal quantity counts in thousandths if one of the two does, but is
# printed without the suffix `m`, and a decimal plus a binary one is a little off. `1E` and `1Ei` are refused: the parser reads an exponent.
# Seen: 1.5Gi 1073741824; 0.5Ki 0; 1Ki + 500m 1049088.00005; 1 + 1Ki 1025.0001; 9007199254740993 ends in 2.
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
kube_quantity = "=0.9.0"
TOML
cat >src/main.rs <<'RUST'
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use kube_quantity::{ParseQuantityError, ParsedQuantity};

fn parsed(text: &str) -> Result<ParsedQuantity, ParseQuantityError> {
    Quantity(text.to_owned()).try_into()
}

fn main() -> Result<(), ParseQuantityError> {
    for text in ["1.5Gi", "0.5Ki", "9007199254740993"] {
        let quantity = parsed(text)?;
        println!("{text}: {:?} {:?}", quantity.to_bytes_i64(), quantity.to_bytes_f64());
    }
    for (one, other) in [("1Ki", "500m"), ("1", "1Ki"), ("1Ki", "1")] {
        let sum: Quantity = (parsed(one)? + parsed(other)?).into();
        println!("{one} + {other} = {}", sum.0);
    }
    println!("1E {}, 1Ei {}", parsed("1E").is_ok(), parsed("1Ei").is_ok());
    Ok(())
}
RUST
found=$(cargo run --quiet)
expected='1.5Gi: Some(1073741824) Some(1610612736.0)
0.5Ki: Some(0) Some(512.0)
9007199254740993: Some(9007199254740992) Some(9007199254740992.0)
1Ki + 500m = 1049088.00005
1 + 1Ki = 1025.0001
1Ki + 1 = 1025
1E false, 1Ei false'
printf '%s\n' "$found"
[[ $found == "$expected" ]] || { echo "changed: expected"; printf '%s\n' "$expected"; exit 1; }
