//! Random walks over a kind whose versions differ inside lists, lists of lists and maps.
//!
//! `CONVERSION_CASES` and `CONVERSION_SEED` are those of `walk`.

use codegen_cases::nested::conversion::AnyFleet;
use fastrand::Rng;
use k8s_versioned_conversion::{AnyVersion, ConversionReport, Options};
use serde_json::{Map, Value, json};

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

/// Makes objects whose values are all different, so that a lost one is seen.
struct Maker {
    rng: Rng,
    next: u32,
}

impl Maker {
    fn number(&mut self) -> Value {
        self.next += 1;
        json!(self.next)
    }

    fn text(&mut self) -> Value {
        self.next += 1;
        json!(format!("m{}", self.next))
    }

    fn list(&mut self, of: impl Fn(&mut Self) -> Value) -> Value {
        (0..self.rng.usize(..4)).map(|_| of(self)).collect::<Vec<_>>().into()
    }

    /// One of a few names, so that items have the same name now and then.
    fn name(&mut self) -> Value {
        self.rng.choice(["a", "b", "c"]).unwrap().into()
    }

    /// A number as text, and now and then a text that is not a number.
    fn number_text(&mut self) -> Value {
        match self.rng.u8(..4) {
            0 => self.text(),
            1 => "".into(),
            2 => json!(format!("0{}", self.number())),
            _ => json!(self.number().to_string()),
        }
    }

    /// An object with some of these members.
    fn some<const N: usize>(&mut self, members: [(&str, Value); N]) -> Value {
        let members = members.into_iter().filter(|_| self.rng.u8(..4) > 0);
        members.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    }

    fn ship(&mut self, version: &str) -> Value {
        let old = version == "v1alpha1";
        let holds = self.list(|make| make.hold(version));
        let sails = self.list(|make| {
            let area = if old { make.number_text() } else { make.number() };
            make.some([("area", area)])
        });
        let (flag, masts, name) = (self.text(), self.number(), self.name());
        let rig = self.some([("flag", flag), ("masts", masts), ("sails", sails)]);
        let mut ship = self.some([("name", name), ("holds", holds)]);
        match &mut ship {
            Value::Object(members) if old => members.extend(rig.as_object().unwrap().clone()),
            ship if self.rng.bool() => ship["rig"] = rig,
            ship if self.rng.bool() => ship["rig"] = json!({}),
            _ => {}
        }
        ship
    }

    fn hold(&mut self, version: &str) -> Value {
        let cargo = if version == "v1alpha1" { self.list(Self::text) } else { self.text() };
        let (id, note, seal) = (self.name(), self.text(), self.number());
        let other = match version {
            "v1alpha1" => ("note", note),
            "v1beta1" => ("seal", seal),
            _ => ("id", id.clone()),
        };
        self.some([("id", id), ("cargo", cargo), other])
    }

    fn port(&mut self, version: &str) -> Value {
        let old = version == "v1alpha1";
        let number = if old { self.number_text() } else { self.number() };
        let (name, side, depth) = (self.name(), self.name(), self.number());
        let depth = if version == "v1" { ("depth", depth) } else { ("side", side.clone()) };
        self.some([("name", name), ("side", side), ("number", number), depth])
    }

    fn crew(&mut self, version: &str) -> Value {
        let (size, cook, power) = (self.number(), self.text(), self.number());
        let engine = self.some([("power", power.clone())]);
        match version {
            "v1" => self.some([("size", size), ("power", power)]),
            "v1beta1" => self.some([("size", size), ("cook", cook), ("engine", engine)]),
            _ => self.some([("size", size), ("engine", engine)]),
        }
    }

    fn spec(&mut self, version: &str) -> Value {
        let mode = self.rng.choice(["Slow", "Fast", "Gentle", "Odd"]).unwrap();
        let (coats, colour, owner) = (self.number(), self.text(), self.text());
        let paint = if version == "v1alpha1" {
            self.some([("coats", coats)])
        } else {
            self.some([("coats", coats), ("colour", colour.clone())])
        };
        let ships = self.list(|make| make.ship(version));
        let ports = self.list(|make| make.port(version));
        let (one, two) = (self.crew(version), self.crew(version));
        let crews = self.some([("a.b/c", one), ("d", two)]);
        let colour =
            if version == "v1alpha1" { ("colour", colour) } else { ("owner", owner.clone()) };
        self.some([
            ("mode", (*mode).into()),
            ("owner", owner),
            ("paint", paint),
            ("ships", ships),
            ("ports", ports),
            ("crews", crews),
            colour,
        ])
    }

    /// Edits a list or a value somewhere in the object: items are moved, doubled and removed.
    fn edit(&mut self, value: &mut Value) {
        match value {
            Value::Array(items) if !items.is_empty() && self.rng.bool() => match self.rng.u8(..4) {
                0 => self.rng.shuffle(items),
                1 => drop(items.remove(self.rng.usize(..items.len()))),
                2 => items.insert(0, items[self.rng.usize(..items.len())].clone()),
                _ => items.reverse(),
            },
            Value::Array(items) => items.iter_mut().for_each(|item| self.edit(item)),
            Value::Object(members) if !members.is_empty() => {
                let chosen = self.rng.usize(..members.len());
                if let Some((name, value)) = members.iter_mut().nth(chosen) {
                    match value {
                        Value::String(text) if name != "mode" => {
                            self.text().as_str().unwrap().clone_into(text);
                        }
                        Value::Number(_) => *value = self.number(),
                        other => self.edit(other),
                    }
                }
            }
            _ => {}
        }
    }
}

fn object(version: &str, spec: &Value, annotations: &Value) -> Value {
    json!({
        "apiVersion": format!("fleet.example.net/{version}"), "kind": "Fleet",
        "metadata": {"name": "a", "annotations": annotations}, "spec": spec,
    })
}

/// The texts and numbers that occur in an object once made, also inside its annotation.
fn markers(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.trim_start_matches('0').to_owned()),
        // A text that is not a number is 0 where it has to be one.
        Value::Number(number) if number.as_u64() != Some(0) => found.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| markers(item, found)),
        Value::Object(members) => members.values().for_each(|value| markers(value, found)),
        _ => {}
    }
}

/// The words of a text: a number in it is found whole.
fn words(text: &str) -> std::collections::HashSet<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .map(|word| word.trim_start_matches('0'))
        .collect()
}

fn convert(source: &Value, to: &str) -> (Value, ConversionReport) {
    let to = to.parse().unwrap();
    AnyFleet::convert_value(source, to, &Options::default()).unwrap()
}

/// Checks one conversion: nothing vanishes without a finding.
fn step(source: &Value, to: &str, seed: u64) -> Value {
    let (target, report) = convert(source, to);
    let text = format!("{target} {}", serde_json::to_string(&report).unwrap());
    let (all, mut found) = (words(&text), Vec::new());
    markers(&source["spec"], &mut found);
    for word in
        found.iter().filter(|word| !["Slow", "Fast", "Gentle", "Odd"].contains(&word.as_str()))
    {
        assert!(
            all.contains(word.as_str()),
            "CONVERSION_SEED={seed}: `{word}` vanished:\n{source}\n{target}\n{report}"
        );
    }
    target
}

/// An object comes back equal from a walk over any versions, after each edit.
#[test]
fn nothing_is_lost_over_lists() {
    let config = testing::walk::config();
    // These take longer than the others: few without a number of cases.
    let chosen = std::env::var_os("CONVERSION_CASES").is_some();
    let cases = if chosen { u64::from(config.cases) } else { 500 };
    let proptest::test_runner::RngSeed::Fixed(seed) = config.rng_seed else { return };
    for seed in (0..cases).map(|case| seed.wrapping_add(case)) {
        let mut make = Maker { rng: Rng::with_seed(seed), next: 10 };
        let mut version = *make.rng.choice(&VERSIONS).unwrap();
        let spec = make.spec(version);
        let mut current = object(version, &spec, &json!({"other": "b"}));
        let mut visited: Vec<(&str, Value)> = Vec::new();
        for _ in 0..=make.rng.usize(..12) {
            if make.rng.u8(..3) == 0 {
                make.edit(&mut current["spec"]);
                visited.clear();
            }
            // As the types write it.
            current = convert(&current, version).0;
            match visited.iter().find(|(of, _)| *of == version) {
                Some((_, before)) => assert_eq!(
                    current["spec"], before["spec"],
                    "CONVERSION_SEED={seed}: {version} comes back as it left"
                ),
                None if visited.is_empty() => visited.push((version, current.clone())),
                None => {}
            }
            let to = *make.rng.choice(&VERSIONS).unwrap();
            current = step(&current, to, seed);
            version = to;
        }
    }
}
