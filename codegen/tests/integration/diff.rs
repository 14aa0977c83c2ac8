//! The changes between the real releases, and the effects of invented changes.

use std::collections::BTreeSet;
use testing::specs;

use k8s_versioned_codegen::tools::diff::comparison::{Comparison, DiffFormat, LIMIT};
use k8s_versioned_codegen::tools::diff::{Class, DiffFinding, Selection, diff, rust_items};
use k8s_versioned_codegen::tools::reference;
use k8s_versioned_codegen::{Files, manifest};
use k8s_versioned_core::Release;
use serde_json::{Map, Value, json};

const V1: &str = "apis__coordination.k8s.io__v1_openapi.json";
const OLD: Release = Release::new(1, 36);
const NEW: Release = Release::new(1, 37);

fn selection(text: &str) -> Selection {
    text.parse().unwrap()
}

fn report(specs: &Files, old: &str, new: &str) -> Comparison {
    let (old, new) = (selection(old), selection(new));
    let findings = diff(specs, old, new).unwrap();
    Comparison { old: old.to_string(), new: new.to_string(), findings, objects: None }
}

/// The differences that users are most likely to compare.
#[test]
fn real_releases() {
    let specs = specs::project();
    for (old, new) in [
        ("v1.31", "v1.32"),
        ("v1.34", "v1.35"),
        ("v1.35", "v1.36"),
        ("v1.31/v1alpha1", "v1.36/v1beta1"),
    ] {
        let text = report(&specs, old, new).write(DiffFormat::Text);
        insta::assert_snapshot!(format!("{old} {new}").replace(['/', ' '], "_"), text);
    }
}

/// A release of all groups of Kubernetes fits into a comment, and begins with what breaks writers.
#[test]
fn all_groups_of_a_release() {
    let of_both = |path: &str| ["v1.36/", "v1.37/"].iter().any(|release| path.starts_with(release));
    let specs = specs::groups::documents(of_both);
    let text = report(&specs, "v1.36", "v1.37").write(DiffFormat::Markdown);
    assert!(text.chars().count() <= LIMIT, "{} characters", text.chars().count());
    let mut sections = text.split("\n### ");
    let (head, first) = (sections.next().unwrap(), sections.next().unwrap());
    insta::assert_snapshot!(format!("{head}\n### {first}"));
}

/// The keys of findings are unique in every pair of releases; a release does not differ from itself.
#[test]
fn keys_are_unique() {
    let specs = specs::project();
    let releases = (31..=36).map(|minor| Release::new(1, minor));
    let releases: Vec<Release> = releases.collect();
    for (index, old) in releases.iter().enumerate() {
        for new in releases.iter().skip(index) {
            let findings = diff(&specs, (*old).into(), (*new).into()).unwrap();
            let keys: BTreeSet<String> = findings.iter().map(DiffFinding::key).collect();
            assert_eq!(keys.len(), findings.len(), "{old} {new}");
            assert_eq!(findings.is_empty(), old == new, "{old} {new}");
        }
    }
}

#[test]
fn formats() {
    let specs = specs::project();
    let report = report(&specs, "v1.35", "v1.36");
    insta::assert_snapshot!("markdown", report.write(DiffFormat::Markdown));
    let json: Value = serde_json::from_str(&report.write(DiffFormat::Json)).unwrap();
    assert_eq!((&json["old"], &json["new"]), (&json!("v1.35"), &json!("v1.36")));
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(findings.len(), report.findings.len());
    assert!(
        findings.iter().all(|finding| finding["id"].is_string() && finding["classes"].is_array())
    );
}

/// Releases 1.36 and 1.37 with `v1` alone; 1.37 is 1.36 with an edit. The comparison must find even edits that an
/// import refuses.
fn changed(real: &Files, row: [&str; 4]) -> (Files, Vec<DiffFinding>) {
    let mut specs = real.clone();
    specs.retain(|path, _| !path.contains('/') && path != manifest::PATH);
    for name in [V1, "apis__coordination.k8s.io_openapi.json"] {
        let old = real[&format!("{OLD}/{name}")].clone();
        let mut document: Value = serde_json::from_slice(&old).unwrap();
        if name == V1 {
            edit(row, &mut document);
        }
        specs.insert(format!("{NEW}/{name}"), serde_json::to_vec(&document).unwrap());
        specs.insert(format!("{OLD}/{name}"), old);
    }
    specs::add_manifest(&mut specs);
    let findings = diff(&specs, OLD.into(), NEW.into()).unwrap();
    (specs, findings)
}

const SPEC: &str = "/components/schemas/io.k8s.api.coordination.v1.LeaseSpec";
const META: &str = "/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const LEASE: &str =
    "/paths/~1apis~1coordination.k8s.io~1v1~1namespaces~1{namespace}~1leases~1{name}";

/// Each row has a name, the object, the member, and its new value; without one, the member is removed.
const EDITS: &str = r#"
    a field more | SPEC/properties | pace | {"type": "string"}
    a field less | SPEC/properties | strategy |
    a field required | SPEC | required | ["holderIdentity"]
    another type | SPEC/properties/holderIdentity | type | "boolean"
    a wider number | SPEC/properties/leaseTransitions | format | "int64"
    a default | SPEC/properties/holderIdentity | default | ""
    another list type | META/properties/finalizers | x-kubernetes-list-type | "atomic"
    other map keys | META/properties/ownerReferences | x-kubernetes-list-map-keys | ["name"]
    a map type | META/properties/labels | x-kubernetes-map-type | "atomic"
    no patch strategy | META/properties/finalizers | x-kubernetes-patch-strategy |
    another merge key | META/properties/ownerReferences | x-kubernetes-patch-merge-key | "name"
    an operation less | LEASE | patch |
    another operation id | LEASE/get | operationId | "getLease"
    another type of parameters | LEASE/put/parameters/0/schema | type | "integer"
    no parameters | LEASE/put | parameters |
    a format less in requests | LEASE/patch/requestBody/content | application/apply-patch+yaml |
    a format less in responses | LEASE/get/responses/200/content | application/yaml |
    an optional body | LEASE/put/requestBody | required |
    a response less | LEASE/put/responses | 201 |
    another name in paths | REPLACE | /leases | "/rents"
"#;

/// The rows of [`EDITS`].
fn edits() -> impl Iterator<Item = [&'static str; 4]> {
    let rows = EDITS.trim().lines();
    rows.map(|row| {
        let columns: Vec<&str> = row.split('|').map(str::trim).collect();
        columns.try_into().unwrap()
    })
}

fn edit([_, at, member, value]: [&str; 4], document: &mut Value) {
    let value: Option<Value> = (!value.is_empty()).then(|| serde_json::from_str(value).unwrap());
    if at == "REPLACE" {
        let text = document.to_string();
        let text = text.replace(member, value.unwrap().as_str().unwrap());
        *document = serde_json::from_str(&text).unwrap();
        return;
    }
    let at = at.replace("SPEC", SPEC).replace("META", META).replace("LEASE", LEASE);
    let object = document.pointer_mut(&at).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => drop(object.insert(member.to_owned(), value)),
        None => drop(object.remove(member).unwrap()),
    }
}

/// A line for each finding: the edit, the finding and its classes.
#[test]
fn invented_changes() {
    let specs = specs::project();
    let mut lines = Vec::new();
    for row in edits() {
        let [what, ..] = row;
        let (_, findings) = changed(&specs, row);
        assert!(!findings.is_empty(), "{what}");
        for finding in findings {
            let classes: Vec<String> = finding.classes.iter().map(Class::to_string).collect();
            let (id, headline) = (finding.rule.id, finding.headline());
            lines.push(format!("{what} | {id} | {headline} | {}", classes.join(", ")));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// The levels of [`hostile`], and the references from each level to the next.
const LEVELS: usize = 24;
const WIDTH: usize = 12;

/// Two releases of one kind whose types hold themselves, and each other by more paths than memory can hold. Each edit gets
/// the schemas of the newer release.
fn hostile(edits: &[fn(&mut Map<String, Value>)]) -> Files {
    let prefix = "io.k8s.api.coordination.v1";
    let reference = |to: String| json!({"$ref": format!("#/components/schemas/{prefix}.{to}")});
    let level = |level: usize| {
        let mut fields: Map<String, Value> = (0..WIDTH)
            .map(|field| (format!("f{field}"), reference(format!("Level{}", level + 1))))
            .collect();
        let required: Vec<String> = fields.keys().cloned().collect();
        fields.insert("again".to_owned(), reference(format!("Level{level}")));
        json!({"type": "object", "properties": fields, "required": required})
    };
    let mut document: Value =
        serde_json::from_slice(&specs::project()[&format!("{OLD}/{V1}")]).unwrap();
    let schemas = document["components"]["schemas"].as_object_mut().unwrap();
    for number in 0..LEVELS {
        schemas.insert(format!("{prefix}.Level{number}"), level(number));
    }
    let last = json!({"type": "object", "properties": {"leaf": {"type": "string"}}});
    schemas.insert(format!("{prefix}.Level{LEVELS}"), last);
    let spec = schemas[&format!("{prefix}.LeaseSpec")].as_object_mut().unwrap();
    spec["properties"]["level"] = reference("Level0".to_owned());
    spec.insert("required".to_owned(), json!(["level"]));
    let rules = "group = \"coordination.k8s.io\"\ndescriptions = \"none\"\n[[module]]\n\
                 schemas = \"io.k8s.api.coordination.{version}\"\nmodule = \"{version}\"\n";
    let mut files = Files::from([("group.toml".to_owned(), rules.into())]);
    files.insert(format!("{OLD}/{V1}"), document.to_string().into_bytes());
    for edit in edits {
        edit(document["components"]["schemas"].as_object_mut().unwrap());
    }
    files.insert(format!("{NEW}/{V1}"), document.to_string().into_bytes());
    files
}

#[test]
fn hostile_documents() {
    let specs = hostile(&[
        |schemas| {
            let last = &mut schemas[&format!("io.k8s.api.coordination.v1.Level{LEVELS}")];
            last["properties"]["more"] = json!({"type": "string"});
            last["required"] = json!(["more"]);
        },
        |schemas| {
            let spec = &mut schemas["io.k8s.api.coordination.v1.LeaseSpec"];
            spec["required"] = json!(["level", "holderIdentity"]);
        },
    ]);
    let report = report(&specs, "v1.36", "v1.37");
    assert!(report.write(DiffFormat::Json).len() < 1 << 20);
    let [holder, last] = report.findings.as_slice() else {
        panic!("{}", report.write(DiffFormat::Text));
    };
    assert_eq!(
        holder.key(),
        "field-stated-as-required v1 LeaseSpec.holderIdentity: optional \u{2192} required"
    );
    assert_eq!(last.key(), "required-field-added v1 Level24.more: string");
    assert_eq!(
        (&*holder.classes, &*last.classes),
        (&[Class::NoEffect][..], &[Class::BreaksWriters][..])
    );
    assert_eq!(holder.reaches, ["v1 Lease.spec"]);
    let [paths] = last.reaches.as_slice() else { panic!("{:?}", last.reaches) };
    assert!(paths.starts_with("v1 Lease.spec.level.f0."), "{paths}");
    assert!(paths.ends_with("and 9 more fields"), "{paths}");

    let pages = reference::pages(&specs, &[], "a test").unwrap();
    let page = str::from_utf8(&pages["v1/Lease.md"]).unwrap();
    assert!(page.len() < 3 << 20, "{}", page.len());
    assert!(page.contains("| `spec.level.f0.again` |"));
    assert!(!page.contains("| `spec.level.f0.again.f0` |"));
    assert!(page.contains("the page is too long"));
}

/// Specs without a rule for modules, with a definition in each release: its versions with the properties of its spec.
fn definitions(releases: &[(&str, &[(&str, Value)])]) -> Files {
    let release = |(release, versions): &(&str, &[(&str, Value)])| {
        let version = |(name, properties): &(&str, Value)| {
            let spec = json!({"type": "object", "properties": properties});
            let schema = json!({"type": "object", "properties": {"spec": spec}});
            json!({"name": name, "served": true, "schema": {"openAPIV3Schema": schema}})
        };
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "spec": {
                "group": "example.com", "scope": "Cluster", "names": {"kind": "Widget", "plural": "widgets"},
                "versions": versions.iter().map(version).collect::<Vec<_>>(),
            },
        });
        (format!("{release}/widgets.yaml"), definition.to_string().into_bytes())
    };
    let group = ("group.toml".to_owned(), b"descriptions = \"none\"".to_vec());
    releases.iter().map(release).chain([group]).collect()
}

/// Two versions correspond without a rule for modules: their schemas have the same names but for the version.
#[test]
fn versions_of_a_definition() {
    let part = |more: Value| json!({"part": {"type": "object", "properties": more}});
    let size = || json!({"size": {"type": "integer"}});
    let more = json!({"size": {"type": "integer"}, "color": {"type": "string"}});
    let versions = [("v1alpha1", part(size())), ("v1", part(more))];
    let findings =
        report(&definitions(&[("v1.0", &versions)]), "v1.0/v1alpha1", "v1.0/v1").findings;
    let keys: Vec<String> = findings.iter().map(DiffFinding::key).collect();
    assert_eq!(keys, ["field-added v1 Widget.spec.part.color: string"]);
    let said = "v1".parse::<Selection>().unwrap_err();
    assert!(said.contains("`1.15.0/v1`"), "{said}");
}

/// Names in definitions end no line of a report, and move no cursor.
#[test]
fn names_of_several_lines() {
    let old = [("v1", json!({"a": {"type": "string"}}))];
    let new = [("v1", json!({"a": {"type": "string"}, "b\n\u{1b}[2J\nnone": {"type": "string"}}))];
    let report = report(&definitions(&[("v1.0", &old), ("v1.1", &new)]), "v1.0", "v1.1");
    for format in [DiffFormat::Text, DiffFormat::Markdown] {
        let text = report.write(format);
        assert!(text.contains(r#"v1 Widget.spec."b\n\u001b\u005b2J\nnone""#), "{text}");
        assert!(!text.contains('\u{1b}') && text.lines().all(|line| line != "none"), "{text}");
    }
}

/// A group can have the version and the kind that another group has.
#[test]
fn kinds_of_two_groups() {
    let version = [("v1", json!({"size": {"type": "integer"}}))];
    let mut specs = definitions(&[("v1.0", &version), ("v1.1", &version)]);
    let other = String::from_utf8(specs["v1.1/widgets.yaml"].clone()).unwrap();
    let other = other.replace("example.com", "another.example.org");
    specs.insert("v1.1/others.yaml".to_owned(), other.into_bytes());
    let ids = |old, new| {
        let findings = report(&specs, old, new).findings;
        let ids: BTreeSet<&str> = findings.iter().map(|finding| finding.rule.id).collect();
        ids.into_iter().collect::<Vec<_>>()
    };
    for (old, new) in [("v1.0", "v1.1"), ("v1.0", "v1.1/v1"), ("v1.0/v1", "v1.1")] {
        assert_eq!(ids(old, new), ["kind-added", "type-added"], "{old} {new}");
    }
    assert_eq!(ids("v1.1", "v1.0"), ["kind-removed", "type-removed"]);
}

/// What a program must change that uses the generated package.
#[test]
fn rust_items_of_both_sides() {
    let part = |size: Value, required: &[&str]| {
        let properties = json!({"size": size, "mode": {"type": "string", "enum": ["a"]}});
        json!({"part": {"type": "object", "properties": properties, "required": required}})
    };
    let size = || json!({"type": "integer"});
    let old = part(size(), &["size"]);
    let mut words = old.clone();
    words["part"]["properties"]["mode"]["enum"] = json!(["a", "b"]);
    let rows: [(&str, &[(&str, Value)]); 6] = [
        ("nothing", &[("v1", old.clone())]),
        ("optional", &[("v1", part(size(), &[]))]),
        ("nullable", &[("v1", part(json!({"type": "integer", "nullable": true}), &["size"]))]),
        ("a word more", &[("v1", words)]),
        ("a version more", &[("v1", old.clone()), ("v2", old.clone())]),
        ("another type", &[("v1", part(json!({"type": "string"}), &["size"]))]),
    ];
    let mut lines = Vec::new();
    for (what, versions) in rows {
        let specs = definitions(&[("v1.0", &[("v1", old.clone())]), ("v1.1", versions)]);
        let findings = rust_items(&specs, selection("v1.0"), selection("v1.1"));
        assert_eq!(findings.is_empty(), what == "nothing", "{what}: {findings:?}");
        for finding in findings {
            let classes: Vec<String> = finding.classes.iter().map(Class::to_string).collect();
            let (id, headline) = (finding.rule.id, finding.headline());
            lines.push(format!("{what} | {id} | {headline} | {}", classes.join(", ")));
        }
    }
    // Two versions are compared by their modules.
    let other = part(json!({"type": "string"}), &["size"]);
    let specs = definitions(&[("v1.0", &[("v1alpha1", old), ("v1", other)])]);
    for finding in rust_items(&specs, selection("v1.0/v1alpha1"), selection("v1.0/v1")) {
        lines.push(format!("versions | {} | {}", finding.rule.id, finding.headline()));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// A report that is too long begins with the gravest changes, and counts the others.
#[test]
fn a_long_report_is_cut() {
    let fields = |of_type: &str| -> Value {
        let field = |number: usize| (format!("field{number}"), json!({"type": of_type}));
        (0..2_000).map(field).collect::<Map<String, Value>>().into()
    };
    let (mut old, mut new) = (fields("string"), fields("string"));
    old["gone"] = json!({"type": "string"});
    for number in 0..1_000 {
        new[format!("field{number}")]["nullable"] = true.into();
    }
    for number in 1_000..2_000 {
        new[format!("field{number}")]["maxLength"] = 9.into();
    }
    let specs = definitions(&[("v1.0", &[("v1", old)]), ("v1.1", &[("v1", new)])]);
    let report = report(&specs, "v1.0", "v1.1");
    let text = report.write(DiffFormat::Markdown);
    assert!(text.chars().count() <= LIMIT && text.chars().count() > LIMIT - 1_000);
    let shown = text.lines().filter(|line| line.starts_with("- `")).count();
    assert!(text.contains("- `field-removed` `v1 Widget.spec.gone`: was `string`\n"));
    let cut = report.findings.len() - shown;
    assert!(text.contains(&format!("\n**{cut} of 2001 are not shown:**")), "{cut} {text}");
    let short = report.write_within(DiffFormat::Markdown, 500);
    assert!(short.chars().count() <= 500 && short.starts_with("## v1.0"), "{short}");
}
