//! Annotations that keep values of a claim, as `docs/reference/conversion-annotation.md` specifies them: a reader takes a value only out
//! of the annotation of its name.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The key of claims.
pub(crate) const KEY: &str = "conversion.k8s-resource.internal/resource-claim";

/// The annotations with these values, each of a version and a path.
pub(crate) fn keeping(values: impl Iterator<Item = (String, String, Value)>) -> Value {
    let mut texts: BTreeMap<String, BTreeMap<String, Map<String, Value>>> = BTreeMap::new();
    for (version, path, value) in values {
        let fields = texts.entry(name(&version, &path)).or_default();
        fields.entry(version).or_default().insert(path, value);
    }
    let text = |fields| json!({"fields": fields, "format": 3}).to_string();
    texts.into_iter().map(|(name, fields)| (format!("{KEY}.{name}"), json!(text(fields)))).collect()
}

fn name(version: &str, path: &str) -> String {
    let unit = path.split("[#").next().unwrap();
    let named = format!("{version}.{}", unit.replace("/f:", "."));
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    if named.len() < 48 && named.chars().all(is_sign) {
        return named;
    }
    let digest =
        format!("{version}.{unit}").bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("{digest:016x}")
}
