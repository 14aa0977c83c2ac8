//! The sample of the recordings that is part of the package.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use k8s_versioned_admission::NEWEST;
use k8s_versioned_conformance::Recordings;
use k8s_versioned_core::Release;
use serde_json::{Map, Value, json};

use crate::{Definitions, Server};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/recordings.json.gz");

/// Definitions by their paths, and the exchanges with their objects.
#[derive(Default)]
pub(crate) struct Sample {
    pub(crate) definitions: Definitions,
    pub(crate) exchanges: Vec<Sampled>,
    /// How many exchanges of a kind were candidates.
    seen: HashMap<String, usize>,
}

/// An exchange of a sample.
pub(crate) struct Sampled {
    /// The release of the server.
    pub(crate) release: Release,
    pub(crate) definition: String,
    /// The path in the folder of recordings.
    pub(crate) path: String,
    pub(crate) recording: Value,
}

impl Sampled {
    /// The version in the path.
    pub(crate) fn version(&self) -> &str {
        self.path.split('/').nth(2).unwrap()
    }
}

impl Sample {
    pub(crate) fn load() -> Self {
        let mut text = String::new();
        let file = fs::File::open(FILE).unwrap();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let exchange = |it: &Value| {
            let text = |name: &str| it[name].as_str().unwrap().to_owned();
            Sampled {
                release: text("release").parse().unwrap(),
                definition: text("definition"),
                path: text("path"),
                recording: it["recording"].clone(),
            }
        };
        let exchanges = value["exchanges"].as_array().unwrap().iter().map(exchange).collect();
        let definitions = value["definitions"].as_object().unwrap().clone();
        Self { definitions: definitions.into_iter().collect(), exchanges, seen: HashMap::new() }
    }

    /// The releases of the servers.
    pub(crate) fn releases(&self) -> BTreeSet<Release> {
        self.exchanges.iter().map(|exchange| exchange.release).collect()
    }

    /// The recordings of a server, whose files are written to a folder.
    pub(crate) fn server(&self, release: Release, folder: &Path) -> Server {
        for exchange in self.exchanges.iter().filter(|exchange| exchange.release == release) {
            let path = folder.join(&exchange.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, exchange.recording.to_string()).unwrap();
        }
        let definitions = self.definitions.clone();
        Server { release, definitions, recordings: Recordings::load(folder).unwrap() }
    }

    /// Takes a few exchanges of each kind, verb and status, if they are small.
    pub(crate) fn take(&mut self, server: &Server) {
        const LARGEST: usize = 30_000;
        for recording in &server.recordings {
            let path = &recording.path;
            let definition = format!("{}/{}.{}.yaml", path.release, path.set, path.group);
            let source = server.definitions[&definition].to_string();
            let status = recording.exchange().unwrap().response.status;
            let (key, most, every) = share(server.release, &path.group, &path.set, status, &source);
            let seen = self.seen.entry(key).or_default();
            if *seen >= most * every || source.len() >= LARGEST {
                continue;
            }
            *seen += 1;
            if seen.is_multiple_of(every) {
                let text = fs::read_to_string(&path.file).unwrap();
                let file = path.file.file_name().unwrap().to_string_lossy();
                let folders = [&path.release.to_string(), &path.group, &path.version, &path.set];
                self.exchanges.push(Sampled {
                    release: server.release,
                    path: format!("{}/{file}", folders.map(String::as_str).join("/")),
                    recording: serde_json::from_str(&text).unwrap(),
                    definition: definition.clone(),
                });
                let source = server.definitions[&definition].clone();
                self.definitions.insert(definition, source);
            }
        }
    }

    pub(crate) fn save(&self) {
        let exchange = |it: &Sampled| {
            json!({
                "release": it.release.to_string(),
                "definition": it.definition,
                "path": it.path,
                "recording": it.recording,
            })
        };
        let exchanges: Vec<Value> = self.exchanges.iter().map(exchange).collect();
        let text = json!({"definitions": self.definitions, "exchanges": exchanges}).to_string();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        fs::write(FILE, encoder.finish().unwrap()).unwrap();
    }
}

/// The name of what an exchange is a candidate for, how many are taken, and one of how many is.
fn share(
    release: Release,
    group: &str,
    plural: &str,
    status: u16,
    definition: &str,
) -> (String, usize, usize) {
    if !group.starts_with("devb") {
        // One refusal or update of each public kind, and one new object without rules.
        let has_rules = definition.contains("x-kubernetes-validations");
        let most = usize::from(status != 201 || !has_rules);
        return (format!("{group} {plural} {}", status == 201), most, 1);
    }
    let (plural, every) = if plural.starts_with("cel") { ("cel", 4) } else { (plural, 1) };
    let most = match (plural, release) {
        ("ratchets", NEWEST) => 40,
        (_, NEWEST) => 20,
        _ => 5,
    };
    (format!("{release} {plural} {}", status / 100), most, every)
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
