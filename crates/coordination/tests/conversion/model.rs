//! What the specification says, written down a second time and as plainly as possible, to compare with.

use serde_json::Value;

use crate::support::*;

/// A candidate's fields that differ between versions, in the form of the later ones, with the annotation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Later {
    pub(crate) strategy: String,
    pub(crate) binary_version: String,
    pub(crate) kept: Option<String>,
}

/// The same in the form of the first version; the annotation is one that somebody else has put there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Earlier {
    pub(crate) strategies: Vec<String>,
    pub(crate) binary_version: Option<String>,
    pub(crate) kept: Option<String>,
}

pub(crate) fn first(list: &[String]) -> String {
    list.first().cloned().unwrap_or_default()
}

pub(crate) fn list(first: &str) -> Vec<String> {
    match first {
        "" => vec![],
        first => vec![first.to_owned()],
    }
}

pub(crate) fn is_canonical(strategies: &[String]) -> bool {
    list(&first(strategies)) == strategies
}

impl Earlier {
    /// Up, with a version that a policy puts in the place of an absent or empty one.
    pub(crate) fn up(&self, fill: Option<&str>) -> Later {
        let empty = self.binary_version.as_deref().is_none_or(str::is_empty);
        let fill = fill.filter(|fill| empty && !fill.is_empty());
        let mut fields = Vec::new();
        if fill.is_some() || self.binary_version.as_deref() == Some("") {
            let value = serde_json::json!(self.binary_version);
            fields.push(format!(r#""spec.binaryVersion":{value}"#));
        }
        if !is_canonical(&self.strategies) {
            let value = serde_json::json!(self.strategies);
            fields.push(format!(r#""spec.preferredStrategies":{value}"#));
        }
        let filled =
            fill.map(|fill| format!(r#""spec.binaryVersion":{}"#, serde_json::json!(fill)));
        Later {
            strategy: first(&self.strategies),
            binary_version: fill.map_or_else(
                || self.binary_version.clone().unwrap_or_default(),
                str::to_owned,
            ),
            kept: (!fields.is_empty())
                .then(|| kept(&fields.join(","), &filled.unwrap_or_default())),
        }
    }

    pub(crate) fn of(x: &X) -> Self {
        Self {
            strategies: strategies(x).into_iter().map(str::to_owned).collect(),
            binary_version: x.spec.binary_version.clone(),
            kept: x.metadata.annotations.get(K).cloned(),
        }
    }
}

impl Later {
    pub(crate) fn down(&self) -> Earlier {
        let fields = self.kept.as_deref().and_then(readable).unwrap_or_default();
        let kept_list = fields.list.filter(|list| !is_canonical(list));
        let kept_list = kept_list.filter(|list| first(list) == self.strategy);
        let there = (!self.binary_version.is_empty()).then(|| self.binary_version.clone());
        let binary_version = match (fields.binary_version, fields.filled) {
            (Some(None), Some(filled)) if !filled.is_empty() && filled == self.binary_version => {
                None
            }
            (Some(Some(was)), filled) if was.is_empty() => {
                let was_filled = filled.as_deref() != Some("");
                let became = filled.unwrap_or_default();
                if was_filled && became == self.binary_version {
                    Some(was)
                } else {
                    there
                }
            }
            _ => there,
        };
        Earlier {
            strategies: kept_list.unwrap_or_else(|| list(&self.strategy)),
            binary_version,
            kept: None,
        }
    }

    pub(crate) fn of(z: &Z) -> Self {
        Self {
            strategy: z.spec.strategy.as_str().to_owned(),
            binary_version: z.spec.binary_version.clone(),
            kept: z.metadata.annotations.get(K).cloned(),
        }
    }
}

#[derive(Debug, Default)]
struct Fields {
    list: Option<Vec<String>>,
    binary_version: Option<Option<String>>,
    filled: Option<String>,
}

/// What an annotation says, as far as it can be read.
fn readable(text: &str) -> Option<Fields> {
    let value: Value = serde_json::from_str(text).ok()?;
    let known = ["fields", "filled", "format", "version"];
    let envelope = value.as_object()?;
    let says = |key: &str, expected: Value| envelope.get(key) == Some(&expected);
    if !says("format", 1.into()) || !says("version", "v1alpha1".into()) {
        return None;
    }
    if envelope.keys().any(|key| !known.contains(&key.as_str())) {
        return None;
    }
    let fields = envelope.get("fields")?.as_object()?;
    let filled = envelope.get("filled");
    let filled = |name: &str| filled.and_then(|filled| filled.get(name));
    let list = fields.get("spec.preferredStrategies").and_then(texts);
    let list = list.filter(|_| filled("spec.preferredStrategies").is_none());
    let mut binary_version = match fields.get("spec.binaryVersion") {
        Some(Value::Null) => Some(None),
        Some(Value::String(text)) => Some(Some(text.clone())),
        _ => None,
    };
    let filled = filled("spec.binaryVersion");
    if filled.is_some_and(|filled| !filled.is_string()) {
        binary_version = None;
    }
    Some(Fields {
        list,
        binary_version,
        filled: filled.and_then(Value::as_str).map(str::to_owned),
    })
}

fn texts(value: &Value) -> Option<Vec<String>> {
    let items = value.as_array()?.iter();
    items.map(|item| item.as_str().map(str::to_owned)).collect()
}
