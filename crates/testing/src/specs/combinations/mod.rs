//! Kinds whose fields are all combinations of a rule, the versions that have its field in the older form, and the versions that require
//! the field: what a rule does in one of them, a walk over all versions shows.

mod field;
mod shapes;

use field::{Around, Field, GROUP, Lacks, RequiredIn, Shape, VERSIONS};
use k8s_versioned_codegen::Files;
use serde_json::{Map, Value, json};
use shapes::SHAPES;

/// The fields of a kind: all that the shape can be.
fn fields(shape: &Shape, around: Around) -> Vec<Field<'_>> {
    let forms: &[Option<usize>] = match shape.lacks {
        Lacks::None => &[Some(0), Some(1)],
        Lacks::Some => &[None, Some(0)],
        Lacks::One => &[None, Some(0), Some(1)],
    };
    let mut all = Vec::new();
    for of in 0..forms.len().pow(3) {
        let of_versions =
            [0, 1, 2].map(|version| forms[of / forms.len().pow(version) % forms.len()]);
        let is_wanted = match shape.lacks {
            Lacks::One => forms.iter().all(|form| of_versions.contains(form)),
            _ => of_versions.iter().any(|form| *form != of_versions[0]),
        };
        for required in (0..8_usize).filter(|_| is_wanted) {
            let is_required = |version: usize| required >> version & 1 == 1;
            let has_required = |form: Option<usize>| form.is_some() || shape.required.is_some();
            let versions = [0, 1, 2].map(|version| {
                let form = of_versions[version];
                (form, has_required(form) && is_required(version))
            });
            // A version that lacks the field does not require it.
            let is_new = (0..3).all(|version| versions[version].1 == is_required(version));
            let takes = match shape.required_in {
                RequiredIn::Any => true,
                RequiredIn::None => required == 0,
                RequiredIn::Some => {
                    let mut having = versions.iter().filter(|(form, _)| form.is_some());
                    having.any(|(_, required)| !required)
                }
                RequiredIn::Forms => (0..3).all(|one| {
                    (0..3).all(|other| {
                        let (one, other) = (versions[one], versions[other]);
                        one.0 != other.0 || one.1 == other.1
                    })
                }),
                RequiredIn::All => {
                    let mut having = versions.iter().filter(|(form, _)| form.is_some());
                    let first = having.next().is_some_and(|(_, required)| *required);
                    having.all(|(_, required)| *required == first)
                }
            };
            if is_new && takes {
                all.push(Field { shape, around, index: all.len(), versions });
            }
        }
    }
    all
}

/// What is around the fields of a kind, and the end of its name.
const AROUND: [(Around, &str); 4] = [
    (Around::Spec, "InSpec"),
    (Around::RequiredSpec, "InRequiredSpec"),
    (Around::Object, "InObject"),
    (Around::Item, "InItem"),
];

/// The kinds that are compiled unless `COMBINATIONS` names others.
const COMPILED: [&str; 31] = [
    "CustomInObject",
    "EmptyObjectInSpec",
    "FilledBesideKeptInRequiredSpec",
    "FirstFilledInObject",
    "FirstObjectFilledInObject",
    "FirstObjectInItem",
    "InMetadataCopiedInObject",
    "KeepAsideInSpec",
    "KeepFilledInSpec",
    "MoveBesideConstantInObject",
    "MoveBesideDefaultInItem",
    "MoveOutOfFilledInObject",
    "MoveUnitsInObject",
    "NestFilledInSpec",
    "NestInObject",
    "NestKeepFilledInItem",
    "NestPartFilledInObject",
    "NestTwiceInItem",
    "NestUnitsInSpec",
    "NullObjectsInObject",
    "ObjectFilledInObject",
    "ObjectOfFilledInItem",
    "ObjectOfPartFilledInSpec",
    "ObjectOfPartInObject",
    "PartAsideInObject",
    "PartFilledInItem",
    "TextAsideFilledInObject",
    "TextAsideInItem",
    "UnitsInItem",
    "WordsAsideInObject",
    "WrapDefaultInSpec",
];

/// Whether a kind is compiled: `COMBINATIONS` is `all`, or has the beginnings of names with commas between them.
pub fn is_compiled(kind: &str) -> bool {
    match std::env::var("COMBINATIONS").as_deref() {
        Ok("all") => true,
        Ok(named) => named.split(',').any(|named| kind.starts_with(named)),
        Err(_) => COMPILED.contains(&kind),
    }
}

/// The rule files and definitions of the kinds whose names `is_wanted` takes.
pub fn files(is_wanted: impl Fn(&str) -> bool) -> Files {
    let mut files = Files::new();
    let mut rules = String::new();
    for shape in &SHAPES {
        for (around, name) in AROUND {
            let kind = format!("{}{name}", shape.kind);
            // Objects of one version with the same fields are of one type, which has the limits that all of them have.
            let is_possible = match around {
                Around::Object => !shape.kind.starts_with("Empty"),
                Around::Item => {
                    !["InMetadata", "Empty"].iter().any(|kind| shape.kind.starts_with(kind))
                }
                Around::Spec | Around::RequiredSpec => true,
            };
            if !is_possible || !is_wanted(&kind) {
                continue;
            }
            let fields = fields(shape, around);
            rules += &rules_of(&kind, &fields);
            let definition = definition(&kind, around, &fields).to_string().into_bytes();
            files.insert(format!("v1.1/{}.yaml", kind.to_lowercase()), definition);
        }
    }
    files.insert("conversions.toml".to_owned(), rules.into_bytes());
    let group =
        format!("group = {GROUP:?}\ndescriptions = \"documents\"\nfeatures = []\nverbs = false\n");
    files.insert("group.toml".to_owned(), group.into_bytes());
    files
}

fn rules_of(kind: &str, fields: &[Field<'_>]) -> String {
    let lines = fields.iter().flat_map(|field| (field.shape.rules)(field));
    let lines: String = lines.map(|line| format!("  {line},\n")).collect();
    format!(
        "[[kind]]\nkind = {kind:?}\nversions = {VERSIONS:?}\nannotation = \"conversion.example.dev/{}\"\nleave-out-empty = true\nfield = [\n{lines}]\n\n",
        kind.to_lowercase()
    )
}

fn definition(kind: &str, around: Around, fields: &[Field<'_>]) -> Value {
    let plural = format!("{}s", kind.to_lowercase());
    let version = |index: usize| {
        let mut spec = json!({"type": "object", "properties": Map::new()});
        fields.iter().for_each(|field| field.add_to(&mut spec, index));
        let mut schema = json!({"type": "object", "properties": {"spec": spec}});
        if around == Around::RequiredSpec {
            schema["required"] = json!(["spec"]);
        }
        json!({
            "name": VERSIONS[index], "served": true, "storage": index == 2,
            "schema": {"openAPIV3Schema": schema},
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{GROUP}")},
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "listKind": format!("{kind}List")},
            "versions": [version(0), version(1), version(2)],
        },
    })
}
