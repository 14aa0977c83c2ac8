//! Server-side apply as an API server does it for a kind with several versions: the managed fields of each manager are in the version
//! in which it applied, and the server converts the object to compare them.
//!
//! The rules are those of `structured-merge-diff`: `Updater.Apply`, `prune` and `addBackOwnedItems`. Conflicts are forced.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// A step into a value, as in `fieldsV1`: `f:name`, `k:{…}`, `v:…`.
type Path = Vec<String>;

/// The paths of a value that can have owners.
type Set = BTreeSet<Path>;

/// The shape of a kind, as its schemas state it.
pub struct Shape {
    /// The lists whose items have keys, by the names of the fields that lead to them; no keys for a set.
    pub lists: &'static [(&'static str, &'static [&'static str])],
    /// The maps: their keys are not named in a schema.
    pub maps: &'static [&'static str],
}

/// A server with one object.
pub struct Server<'c> {
    pub shape: &'c Shape,
    /// The version in which it stores the object.
    pub storage: &'c str,
    /// The conversion webhook.
    pub convert: &'c dyn Fn(&Value, &str) -> Value,
    /// The object as it is stored.
    pub stored: Value,
    managers: BTreeMap<String, (String, Set)>,
}

impl<'c> Server<'c> {
    pub fn new(
        shape: &'c Shape,
        storage: &'c str,
        convert: &'c dyn Fn(&Value, &str) -> Value,
        object: Value,
    ) -> Self {
        let stored = convert(&object, storage);
        Self { shape, storage, convert, stored, managers: BTreeMap::new() }
    }

    /// The object in a version.
    pub fn read(&self, version: &str) -> Value {
        (self.convert)(&self.stored, version)
    }

    /// The managers that own something in the object, and what.
    pub fn owned(&self, manager: &str) -> Vec<String> {
        let (_, set) = self.managers.get(manager).cloned().unwrap_or_default();
        set.iter().map(|path| path.join(".")).collect()
    }

    /// A manager applies a configuration in a version.
    pub fn apply(&mut self, manager: &str, version: &str, config: &Value) {
        let live = self.read(version);
        let merged = self.merge(&live, config, &mut Vec::new());
        let last = self.managers.remove(manager);
        let own = self.set_of(config);
        self.managers.insert(manager.to_owned(), (version.to_owned(), own));
        let pruned = match last {
            Some((last_version, set)) if !set.is_empty() => {
                self.prune(&merged, (&last_version, &set), version)
            }
            _ => merged,
        };
        self.update(&live, &pruned, manager);
        self.stored = (self.convert)(&pruned, self.storage);
    }

    /// Removes what the manager owned before and nobody owns now.
    fn prune(&self, merged: &Value, (last_version, last): (&str, &Set), version: &str) -> Value {
        let of_last = (self.convert)(merged, last_version);
        let mut pruned = self.remove(&of_last, &self.named(last), &mut Vec::new());
        let mut versions: Vec<&str> = vec![last_version];
        versions.extend(self.managers.values().map(|(version, _)| version.as_str()));
        let mut merged = of_last.clone();
        let mut seen = BTreeSet::new();
        for version in versions.into_iter().filter(|version| seen.insert(version.to_owned())) {
            let owned = self.managers.values().filter(|(of, _)| of == version);
            let owned: Set = owned.flat_map(|(_, set)| set.clone()).collect();
            if owned.is_empty() {
                continue;
            }
            (merged, pruned) = ((self.convert)(&merged, version), (self.convert)(&pruned, version));
            let all = self.named(&self.set_of(&merged));
            let kept = &self.named(&self.set_of(&pruned)) | &self.named(&owned);
            pruned = self.remove(&merged, &(&all - &kept), &mut Vec::new());
        }
        // What nobody owned comes back.
        let pruned_set = self.named(&self.set_of(&(self.convert)(&pruned, last_version)));
        let all = self.named(&self.set_of(&of_last));
        let gone = &(&all - &pruned_set) & &self.named(last);
        let pruned = self.remove(&of_last, &gone, &mut Vec::new());
        (self.convert)(&pruned, version)
    }

    /// Takes from the other managers what this one has changed or removed.
    fn update(&mut self, old: &Value, new: &Value, applying: &str) {
        let mut managers = std::mem::take(&mut self.managers);
        for (manager, (version, set)) in &mut managers {
            if manager == applying {
                continue;
            }
            let (old, new) = ((self.convert)(old, version), (self.convert)(new, version));
            let (old, new) = (self.leaves(&old), self.leaves(&new));
            set.retain(|path| {
                let [before, after] = [&old, &new].map(|leaves| leaves.get(path));
                after.is_some() && (before.is_none() || before == after)
                    || before.is_none() && after.is_none()
            });
        }
        managers.retain(|_, (_, set)| !set.is_empty());
        self.managers = managers;
    }

    fn keys(&self, at: &[String]) -> Option<&'static [&'static str]> {
        let name = dotted(at);
        self.shape.lists.iter().find(|(list, _)| *list == name).map(|(_, keys)| *keys)
    }

    fn is_map(&self, at: &[String]) -> bool {
        let name = dotted(at);
        self.shape.maps.iter().any(|map| *map == name)
    }

    /// The step to an item.
    fn step(keys: &[&str], item: &Value) -> String {
        if keys.is_empty() {
            return format!("v:{item}");
        }
        let keys: Map<String, Value> =
            keys.iter().map(|key| ((*key).to_owned(), item[*key].clone())).collect();
        format!("k:{}", Value::Object(keys))
    }

    /// All values that can have an owner.
    fn leaves(&self, object: &Value) -> BTreeMap<Path, Value> {
        let mut leaves = BTreeMap::new();
        self.walk(object, &mut Vec::new(), &mut leaves);
        for steps in [["f:apiVersion"].as_slice(), &["f:kind"], &["f:metadata", "f:name"]] {
            leaves.remove(&steps.iter().map(|step| (*step).to_owned()).collect::<Path>());
        }
        leaves
    }

    fn walk(&self, value: &Value, at: &mut Path, leaves: &mut BTreeMap<Path, Value>) {
        match (value, self.keys(at)) {
            (Value::Object(members), _) if !members.is_empty() => {
                let is_map = self.is_map(at);
                for (name, value) in members {
                    at.push(format!("f:{name}"));
                    if is_map && value.is_object() {
                        leaves.insert(at.clone(), json!({}));
                    }
                    self.walk(value, at, leaves);
                    at.pop();
                }
            }
            (Value::Array(items), Some(keys)) => {
                for item in items {
                    at.push(Self::step(keys, item));
                    leaves.insert(at.clone(), json!({}));
                    if !keys.is_empty() {
                        self.walk(item, at, leaves);
                    }
                    at.pop();
                }
            }
            (value, _) => _ = leaves.insert(at.clone(), value.clone()),
        }
    }

    fn set_of(&self, object: &Value) -> Set {
        self.leaves(object).into_keys().collect()
    }

    /// A set with the named fields around its members (`EnsureNamedFieldsAreMembers`).
    fn named(&self, set: &Set) -> Set {
        let mut all = set.clone();
        for path in set {
            for end in 1..path.len() {
                let is_named = path[end - 1].starts_with("f:") && !self.is_map(&path[..end - 1]);
                if is_named {
                    all.insert(path[..end].to_vec());
                }
            }
        }
        all
    }

    fn remove(&self, value: &Value, gone: &Set, at: &mut Path) -> Value {
        match (value, self.keys(at)) {
            (Value::Object(members), _) => {
                let mut left = Map::new();
                for (name, value) in members {
                    at.push(format!("f:{name}"));
                    if !gone.contains(at) {
                        left.insert(name.clone(), self.remove(value, gone, at));
                    }
                    at.pop();
                }
                left.into()
            }
            (Value::Array(items), Some(keys)) => {
                let mut left = Vec::new();
                for item in items {
                    at.push(Self::step(keys, item));
                    if !gone.contains(at) {
                        let item = if keys.is_empty() {
                            item.clone()
                        } else {
                            self.remove(item, gone, at)
                        };
                        left.push(item);
                    }
                    at.pop();
                }
                left.into()
            }
            (value, _) => value.clone(),
        }
    }

    fn merge(&self, live: &Value, config: &Value, at: &mut Path) -> Value {
        match (live, config, self.keys(at)) {
            (Value::Object(live), Value::Object(config), _) => {
                let mut merged = live.clone();
                for (name, value) in config {
                    at.push(format!("f:{name}"));
                    let value = match live.get(name) {
                        Some(live) => self.merge(live, value, at),
                        None => value.clone(),
                    };
                    merged.insert(name.clone(), value);
                    at.pop();
                }
                merged.into()
            }
            (Value::Array(live), Value::Array(config), Some(keys)) => {
                let mut merged = live.clone();
                for item in config {
                    let step = Self::step(keys, item);
                    match merged.iter_mut().find(|live| Self::step(keys, live) == step) {
                        Some(live) => {
                            at.push(step);
                            *live = self.merge(live, item, at);
                            at.pop();
                        }
                        None => merged.push(item.clone()),
                    }
                }
                merged.into()
            }
            (_, config, _) => config.clone(),
        }
    }
}

/// The names of the fields that lead to a value.
fn dotted(at: &[String]) -> String {
    let names = at.iter().filter_map(|step| step.strip_prefix("f:"));
    names.collect::<Vec<_>>().join(".")
}
