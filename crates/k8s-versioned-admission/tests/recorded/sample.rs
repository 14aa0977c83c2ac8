//! The sample of the recordings that is part of the package.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use k8s_versioned_names::Release;
use serde_json::{Map, Value, json};

use crate::exchange::Exchange;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/recordings.json.gz");

/// Definitions by their names, and the exchanges with their objects.
#[derive(Default)]
pub(crate) struct Sample {
    pub(crate) definitions: BTreeMap<String, Value>,
    pub(crate) exchanges: Vec<Sampled>,
}

/// An exchange of a sample.
pub(crate) struct Sampled {
    pub(crate) release: Release,
    pub(crate) definition: String,
    pub(crate) exchange: Exchange,
}

impl Sample {
    pub(crate) fn load() -> Self {
        let mut text = String::new();
        let file = std::fs::File::open(FILE).unwrap();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let definitions = value["definitions"].as_object().unwrap().clone();
        let exchange = |it: &Value| {
            let text = |name: &str| it[name].as_str().unwrap().to_owned();
            Sampled {
                release: text("release").parse().unwrap(),
                definition: text("definition"),
                exchange: Exchange {
                    path: text("path"),
                    version: text("version"),
                    recording: it["recording"].clone(),
                },
            }
        };
        let exchanges = value["exchanges"].as_array().unwrap().iter().map(exchange).collect();
        Self { definitions: definitions.into_iter().collect(), exchanges }
    }

    pub(crate) fn save(&self) {
        let exchange = |it: &Sampled| {
            json!({
                "release": it.release.to_string(),
                "definition": it.definition,
                "path": it.exchange.path,
                "version": it.exchange.version,
                "recording": it.exchange.recording,
            })
        };
        let exchanges: Vec<Value> = self.exchanges.iter().map(exchange).collect();
        let text = json!({"definitions": self.definitions, "exchanges": exchanges}).to_string();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        std::fs::write(FILE, encoder.finish().unwrap()).unwrap();
    }
}

/// Removes descriptions and what else no answer depends on.
pub(crate) fn without_prose(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let prose = |name: &str, member: &Value| {
                (["description", "title"].contains(&name) && member.is_string())
                    || ["additionalPrinterColumns", "annotations", "conversion"].contains(&name)
                        && !is_schema(member)
            };
            let kept = members.iter().filter(|(name, member)| !prose(name, member));
            let kept = kept.map(|(name, member)| (name.clone(), without_prose(member)));
            Value::Object(kept.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(without_prose).collect(),
        plain => plain.clone(),
    }
}

/// Returns `true` for the schema of a field with that name.
fn is_schema(member: &Value) -> bool {
    member.get("type").is_some_and(Value::is_string)
        || member.get("x-kubernetes-preserve-unknown-fields").is_some()
}
