//! The documents of all groups of seven releases: they merge into one model, and give a package without any rule file.

mod compiled;
mod counterparts;
mod examples;
mod kopium;
mod openapi;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use k8s_versioned_codegen::{Files, Generated, Plans, generate};
use serde_json::Value;
use testing::specs;
use testing::specs::groups::{documents, group_of};

use crate::formatting;

/// The groups that are generated alone, and the groups of the package that is compiled.
const GROUPS: [&str; 10] = [
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apps",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "networking.k8s.io",
    "policy",
    "resource.k8s.io",
];

fn package(documents: &Files, rules: &str) -> Generated {
    let mut specs = documents.clone();
    specs.insert("group.toml".to_owned(), rules.as_bytes().to_vec());
    generate(&specs, &specs::options()).unwrap_or_else(|problems| panic!("{problems}"))
}

pub(crate) fn text<'a>(generated: &'a Generated, file: &str) -> &'a str {
    let bytes = generated.files.get(file).unwrap_or_else(|| panic!("there is no file {file}"));
    str::from_utf8(bytes).unwrap()
}

#[test]
fn all_groups_of_all_releases() {
    let documents = documents(|_| true);
    let generated = package(&documents, "");
    let mut report = format!("{:#?}\n", generated.summary);
    for (feature, needs) in &generated.features {
        writeln!(report, "{feature} {needs:?}").unwrap();
    }
    insta::assert_snapshot!(report);
    let table = [
        // Recursion.
        ("apiextensions/v1/json_schema_props.rs", "pub not: Option<Box<JSONSchemaProps>>"),
        // Values without a type, and bytes.
        ("apiextensions/v1/json_schema_props.rs", "pub items: Option<Json>"),
        ("core/v1/secret.rs", "pub data: BTreeMap<String, Bytes>"),
        ("core/v1/resource_requirements.rs", "pub limits: BTreeMap<String, Quantity>"),
        ("core/v1/http_get_action.rs", "pub port: IntOrString"),
        // An object inside an object.
        (
            "apps/v1/stateful_set_spec.rs",
            "pub volume_claim_templates: Vec<k8s_versioned::Embedded<PersistentVolumeClaim>>",
        ),
        // A default that is not zero; one that came later.
        ("core/v1/container_port.rs", "Default: `\"TCP\"`."),
        ("core/v1/container_port.rs", "pub protocol: Option<String>"),
        ("core/v1/replication_controller_spec.rs", "pub min_ready_seconds: Option<i32>"),
        // A required time, and a map of times.
        ("events/v1/event.rs", "pub event_time: Option<MicroTime>"),
        ("policy/v1/pod_disruption_budget_status.rs", "BTreeMap<String, Option<Time>>"),
        // A union.
        ("core/v1/app_armor_profile.rs", "Only if `type` is `LocalhostProfile`."),
        // How servers write what is empty.
        ("rbac/v1/cluster_role.rs", "\"rules\" => rules: list, or_null;"),
        ("core/v1/config_map_env_source.rs", "\"name\" => name: value, unless_zero;"),
    ];
    for (file, expected) in table {
        let text = text(&generated, file);
        assert!(text.contains(expected), "{file} has no `{expected}`:\n{text}");
    }
    let checked = formatting::check(&generated.files);
    assert!(checked > 2_500, "{checked}");
}

/// One group has the types of other groups that it reaches in modules of their own.
#[test]
fn one_group_alone() {
    let documents = documents(|name| name.starts_with("v1.36/"));
    let mut report = String::new();
    for group in GROUPS {
        let own = documents.iter().filter(|(path, _)| group_of(path) == group);
        let own: Files = own.map(|(path, text)| (path.clone(), text.clone())).collect();
        let generated = package(&own, &format!("group = {group:?}"));
        let mut folders: Vec<&str> =
            generated.files.keys().filter_map(|path| path.strip_suffix("/mod.rs")).collect();
        folders.sort_unstable();
        writeln!(report, "{group:?} {} types: {folders:?}", generated.summary.types).unwrap();
    }
    insta::assert_snapshot!(report);
}

/// A server of another product takes the parameters of the release of Kubernetes that it is built with. The releases of the product
/// say nothing about them.
#[test]
fn a_group_of_another_product() {
    for release in ["v1.31", "v1.36"] {
        let is_own = |path: &str| path.starts_with(release) && group_of(path) == "policy";
        let mut own = Files::new();
        for (path, text) in documents(is_own) {
            let mut document: Value = serde_json::from_slice(&text).unwrap();
            let paths = document["paths"].as_object_mut().unwrap().values_mut();
            let operations =
                paths.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut());
            for parameters in
                operations.filter_map(|operation| operation.get_mut("parameters")?.as_array_mut())
            {
                parameters.retain(|parameter| parameter["name"] != "sendInitialEvents");
            }
            let path = path.replace(release, "1.0.0");
            own.insert(path, serde_json::to_vec(&document).unwrap());
        }
        let generated = package(&own, "group = \"policy\"\nproduct = \"Wardle\"");
        assert!(generated.summary.operations > 10, "{:#?}", generated.summary);
    }
}

/// A live server states the words of a field. They are an open enum, without a rule.
#[test]
fn words_of_a_live_server() {
    let mut documents = documents(|name| name.starts_with("v1.36/api_"));
    let core = documents.get_mut("v1.36/api__v1_openapi.json").unwrap();
    let mut value: Value = serde_json::from_slice(core).unwrap();
    let port = "/components/schemas/io.k8s.api.core.v1.ContainerPort/properties/protocol";
    value.pointer_mut(port).unwrap()["enum"] = serde_json::json!(["SCTP", "TCP", "UDP", ""]);
    value.pointer_mut(port).unwrap()["description"] = "One of [TCP] and <others>.".into();
    *core = value.to_string().into_bytes();
    let generated = package(&documents, "");
    let port = text(&generated, "v1/container_port.rs");
    assert!(port.contains("pub protocol: Option<ContainerPortProtocol>"), "{port}");
    assert!(port.contains("/// One of \\[TCP\\] and \\<others\\>."), "{port}");
    let words = text(&generated, "v1/container_port_protocol.rs");
    assert!(words.contains("Sctp = \"SCTP\""), "{words}");
}

/// The kinds with several versions, by group, of any release.
fn kinds(documents: &Files) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut kinds: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for bytes in documents.values() {
        let document: Value = serde_json::from_slice(bytes).unwrap();
        for path in document["paths"].as_object().unwrap().values() {
            let list = &path["get"];
            if list["x-kubernetes-action"] == "list" {
                let kind = &list["x-kubernetes-group-version-kind"];
                let text = |name: &str| kind[name].as_str().unwrap().to_owned();
                kinds.entry((text("group"), text("kind"))).or_default().insert(text("version"));
            }
        }
    }
    kinds.retain(|_, versions| versions.len() > 1);
    kinds
}

/// The kinds that convert between their versions without a rule, and the number of rules of the others. `docs/guides/conversions.md` has
/// the sums.
#[test]
fn built_in_kinds_that_need_rules() {
    let all = documents(|_| true);
    let (mut table, mut without) = (String::new(), 0);
    let kinds = kinds(&all);
    for ((group, kind), versions) in &kinds {
        let versions = versions.iter().cloned().collect::<Vec<_>>();
        let rule = format!("[[kind]]\nkind = \"{kind}\"\nversions = {versions:?}\n");
        let is_rule = |problem: &str| !problem.contains("no annotation is named for them");
        let needs = Plans::read(&specs_of(group, &all, rule)).err().map_or(0, |problems| {
            problems.iter().filter(|problem| is_rule(&problem.message())).count()
        });
        writeln!(table, "{group} {kind} {}: {needs}", versions.join(" ")).unwrap();
        without += u32::from(needs == 0);
    }
    writeln!(table, "{without} of {} need no rule", kinds.len()).unwrap();
    insta::assert_snapshot!(table);
}

/// The documents of a group, with these rules for conversions.
fn specs_of(group: &str, all: &Files, conversions: String) -> Files {
    let of_group = |name: &str| name.contains(&format!("__{group}_"));
    let own = all.iter().filter(|(name, _)| of_group(name));
    let mut specs: Files = own.map(|(name, text)| (name.clone(), text.clone())).collect();
    let rules = format!(
        "group = \"{group}\"\nverbs = false\n[[module]]\nschemas = \"io.k8s.api.{}.{{version}}\"\nmodule = \"{{version}}\"",
        group.split('.').next().unwrap()
    );
    specs.insert("group.toml".to_owned(), rules.into_bytes());
    specs.insert("conversions.toml".to_owned(), conversions.into_bytes());
    specs
}
