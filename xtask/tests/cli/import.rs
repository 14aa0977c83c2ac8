//! `cargo xtask import`.

use insta::assert_snapshot;

use crate::checklist;
use crate::workspace::{DOCUMENT, Edit, NEWEST, Workspace};

const IMPORT: &[&str] = &["import", "--release", NEWEST, "--from", "from"];

/// The documents and rule files. The manifest has the SHA-256 of the source documents, which an edit changes.
fn specs(workspace: &Workspace) -> k8s_versioned_codegen::Files {
    let mut files = workspace.files("specs");
    files.remove("manifest.toml");
    files
}

#[test]
fn import_repairs_the_specs() {
    let cases: [(&str, Edit); 6] = [
        ("a new release", |workspace| workspace.forget(NEWEST)),
        ("prose and another order", |workspace| {
            let described = "\"type\": \"object\", \"description\": \"prose\"";
            workspace.edit(&format!("from/{DOCUMENT}"), "\"type\": \"object\"", described);
            let text = workspace.read(&format!("from/{DOCUMENT}")).replace("\n  ", "\n\t");
            workspace.write(&format!("from/{DOCUMENT}"), text);
        }),
        ("what an interrupted import left", |workspace| {
            workspace.write(&format!("specs/{NEWEST}/.k8s-versioned-a1B2c3.tmp"), "half a fi");
            workspace.write(&format!("specs/{NEWEST}/{DOCUMENT}"), "{");
            workspace.remove(&format!("specs/{NEWEST}/apis__example.dev_openapi.json"));
        }),
        ("a document before the manifest", |workspace| {
            workspace.forget(NEWEST);
            let text = workspace.read(&format!("from/{DOCUMENT}"));
            workspace.write(&format!("specs/{NEWEST}/{DOCUMENT}"), text);
        }),
        ("documents of other groups", |workspace| {
            workspace.write("from/apis__apps__v1_openapi.json", "not even JSON");
            workspace.write("from/api__v1_openapi.json", "not even JSON");
            workspace.write("from/deeper/apis__example.dev__v2_openapi.json", "not even JSON");
        }),
        ("a link to the folder", |workspace| {
            let from = workspace.path("from");
            std::fs::rename(&from, workspace.path("elsewhere")).unwrap();
            std::os::unix::fs::symlink("elsewhere", from).unwrap();
        }),
    ];
    let good = Workspace::small();
    for (name, prepare) in cases {
        let workspace = Workspace::small();
        workspace.documents(NEWEST);
        prepare(&workspace);
        workspace.succeed(IMPORT);
        assert!(specs(&workspace) == specs(&good), "{name}");
        workspace.succeed(&["regenerate", "--check"]);
    }
}

#[test]
fn output_of_an_import() {
    let workspace = Workspace::small();
    workspace.documents(NEWEST);
    workspace.forget(NEWEST);
    assert_snapshot!("a_new_release", workspace.succeed(IMPORT));
    workspace.age();
    let output = workspace.succeed(IMPORT);
    assert_eq!(output, format!("{NEWEST} is already imported: nothing changed\n"));
    assert_eq!(workspace.written(), [""; 0]);
}

/// The packages of this repository: two groups, the shared types, and an example of a definition, which has no releases.
#[test]
fn a_release_reaches_every_group_of_kubernetes() {
    let workspace = Workspace::all_specs();
    let (newest, next) = checklist::releases(&workspace);
    workspace.documents(&newest.to_string());
    let counter = "\"io.k8s.api.resource.v1.Counter\": {\n        \"properties\": {";
    let with_field = format!("{counter}\"unit\": {{\"type\": \"string\"}},");
    for (name, text) in workspace.files(&format!("crates/k8s-resource/specs/{newest}")) {
        let text = String::from_utf8(text).unwrap();
        workspace.write(&format!("from/{name}"), text.replace(counter, &with_field));
    }
    let example = workspace.files("examples/webhook/specs");
    let numbers = "crates/k8s-versioned/specs/field-numbers.toml";
    let before = workspace.read(numbers);
    workspace.edit(numbers, "shardInfo = 5\n", "");
    let meta = "package k8s.io.apimachinery.pkg.apis.meta.v1;\nmessage ListMeta {\n  optional ShardInfo shardInfo = 5;\n}\n";
    workspace.write("meta.proto", meta);
    let (release, proto) = (next.to_string(), workspace.path("meta.proto"));
    let import = ["import", "--release", &release, "--from", "from", "--proto"];
    let output = workspace.succeed(&[&import[..], &[proto.to_str().unwrap()]].concat());
    // The shared types have their numbers once.
    assert!(workspace.read(numbers) == before);
    for group in ["specs", "crates/k8s-resource/specs"] {
        let numbers = workspace.read(&format!("{group}/field-numbers.toml"));
        assert!(!numbers.contains("apimachinery"), "{group}");
    }
    let documents = output.lines().filter(|line| line.ends_with("_openapi.json")).count();
    let first = format!("{next}: {documents} documents written, 0 unchanged, 0 removed\n");
    assert!(documents > 4 && output.starts_with(&first), "{output}");
    // Both groups have their changes; changes of shared types are shown once.
    for (change, count) in
        [("field-added: v1 Counter.unit", 1), (&format!("{newest} \u{2192} {next}: "), 2)]
    {
        assert_eq!(output.matches(change).count(), count, "{change}: {output}");
    }
    for package in ["", "crates/k8s-resource/", "crates/k8s-versioned/"] {
        assert!(workspace.path(&format!("{package}specs/{next}")).is_dir(), "{package}");
    }
    assert!(workspace.files("examples/webhook/specs") == example);
}

#[test]
fn a_cluster_stands_in_for_a_source_tree_only() {
    let workspace = Workspace::small();
    workspace.documents(NEWEST);
    workspace.forget(NEWEST);
    let cluster = [IMPORT, &["--source", "cluster"]].concat();
    for (args, is_cluster) in [(&cluster[..], true), (IMPORT, false)] {
        workspace.succeed(args);
        let manifest = workspace.read("specs/manifest.toml");
        assert_eq!(manifest.contains("\"cluster\""), is_cluster);
    }
    assert_snapshot!("a_cluster_after_a_source_tree", workspace.fail(&cluster));
}

/// Upstream's documents replace reconstructed ones by the same command, which shows the differences.
#[test]
fn genuine_documents_replace_reconstructed_ones() {
    let workspace = Workspace::small();
    workspace.documents(NEWEST);
    workspace.forget(NEWEST);
    let reconstructed = workspace.succeed(&[IMPORT, &["--source", "reconstructed"]].concat());
    assert!(!reconstructed.contains("replaced"), "{reconstructed}");
    let checklist = workspace.succeed(&["checklist"]);
    assert!(checklist.contains("are not upstream's (reconstructed, in specs)"), "{checklist}");
    workspace.succeed(&["regenerate"]);
    let page = workspace.read("docs/reference/coordination/api/README.md");
    assert!(page.contains("The documents of 1.3 are reconstructed from other facts"), "{page}");
    // Only what is not in the model differs.
    let openapi = "\"openapi\": \"3.0.0\"";
    let info = format!("{openapi}, \"info\": {{\"title\": \"Genuine\", \"version\": \"1\"}}");
    workspace.edit(&format!("from/{DOCUMENT}"), openapi, &info);
    let genuine = workspace.succeed(IMPORT);
    assert!(
        genuine.contains("The documents that were replaced describe the same API.\n"),
        "{genuine}"
    );
    let field = "\"properties\": {\n";
    let more = format!("{field}          \"more\": {{\"type\": \"string\"}},\n");
    workspace.edit(&format!("from/{DOCUMENT}"), field, &more);
    let genuine = workspace.succeed(IMPORT);
    assert!(genuine.contains("The documents that were replaced differ:\n"), "{genuine}");
    assert!(genuine.contains("\n+  more: string"), "{genuine}");
}

/// A checkout has the documents, the numbers and the Go types.
#[test]
fn a_checkout_of_kubernetes() {
    let workspace = Workspace::real();
    let (newest, next) = checklist::releases(&workspace);
    workspace.documents(&newest.to_string());
    let documents = workspace.path("kubernetes/api/openapi-spec");
    std::fs::create_dir_all(&documents).unwrap();
    std::fs::rename(workspace.path("from"), documents.join("v3")).unwrap();
    let lease = "\"io.k8s.api.coordination.v1.LeaseSpec\": {\n        \"properties\": {";
    let document = "kubernetes/api/openapi-spec/v3/apis__coordination.k8s.io__v1_openapi.json";
    let pace = format!("{lease}\n          \"pace\": {{\"type\": \"string\"}},");
    workspace.edit(document, lease, &pace);
    let folder = "kubernetes/staging/src/k8s.io/api/coordination/v1";
    let proto = "/* Terms. */\npackage k8s.io.api.coordination.v1;\n\
                 message LeaseSpec { optional string pace = 8; }\nmessage Other { optional string a = 1; }\n";
    workspace.write(&format!("{folder}/generated.proto"), proto);
    let types = "type LeaseSpec struct {\n\tPace *string `json:\"pace,omitempty\"`\n}\n";
    workspace.write(&format!("{folder}/types.go"), types);
    let (next, folder) = (next.to_string(), workspace.path("kubernetes"));
    let import = ["import", "--release", &next, "--from", folder.to_str().unwrap()];
    let output = workspace.succeed(&import);
    let left_out = "no type has these messages and fields of protobuf, so their numbers are left out: \
                    io.k8s.api.coordination.v1.Other\n";
    assert!(output.contains(left_out), "{output}");
    assert!(workspace.read("specs/field-numbers.toml").contains("preferredHolder = 7\npace = 8\n"));
    let presence = workspace.read("specs/protobuf.toml");
    assert!(presence.starts_with("# How Go holds the fields"), "{presence}");
    assert!(presence.contains("\"pace\""), "{presence}");
}

#[test]
fn a_removed_document() {
    let workspace = Workspace::small();
    workspace.documents("v1.2");
    workspace.remove(&format!("from/{DOCUMENT}"));
    let output = workspace.succeed(&["import", "--release", "v1.2", "--from", "from"]);
    assert!(output.contains(&format!("  removed  specs/v1.2/{DOCUMENT}\n")), "{output}");
    assert!(!workspace.path(&format!("specs/v1.2/{DOCUMENT}")).exists());
}
