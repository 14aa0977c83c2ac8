//! CONTRIBUTING's checklist for a new release, tried with an invented one.
//!
//! The release has a new field, version `v1` of `LeaseCandidate`, and lacks a version. The test does
//! what a person would do, and shows what the commands ask for after each step.

use std::fmt::Write as _;

use insta::assert_snapshot;
use k8s_versioned::Release;
use serde_json::{Value, json};

use crate::workspace::{V1, Workspace};

/// The newest release that the workspace has, and the invented one after it.
fn releases(workspace: &Workspace) -> (Release, Release) {
    let manifest = workspace.read("specs/manifest.toml");
    let names = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("release = "));
    let newest: Release = names
        .map(|name| name.trim_matches('"').parse().unwrap())
        .max()
        .unwrap();
    (newest, newest.next())
}

/// The documents of the invented release: those of the newest one with the changes.
fn invent(workspace: &Workspace, newest: Release) {
    workspace.documents(&newest.to_string());
    let beta = V1.replace("__v1_", "__v1beta1_");
    let read = |name: &str| -> Value {
        serde_json::from_str(&workspace.read(&format!("from/{name}"))).unwrap()
    };
    let mut document = read(V1);
    // `LeaseCandidate` in `v1`, next to `Lease`.
    let text = read(&beta)
        .to_string()
        .replace("v1beta1", "v1")
        .replace("V1beta1", "V1");
    let stable: Value = serde_json::from_str(&text).unwrap();
    for part in ["/components/schemas", "/paths"] {
        let from = stable.pointer(part).unwrap().as_object().unwrap();
        let own = from
            .iter()
            .filter(|(name, _)| name.to_lowercase().contains("leasecandidate"));
        let to = document.pointer_mut(part).unwrap().as_object_mut().unwrap();
        to.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    }
    // A field more.
    let spec = "/components/schemas/io.k8s.api.coordination.v1.LeaseSpec/properties";
    let fields = document.pointer_mut(spec).unwrap().as_object_mut().unwrap();
    fields.insert(
        "pace".to_owned(),
        json!({"type": "integer", "format": "int32"}),
    );
    workspace.write(&format!("from/{V1}"), document.to_string());
    // A version less.
    workspace.remove(&format!("from/{}", V1.replace("__v1_", "__v1alpha2_")));
}

/// What a command asks for, one line for each problem.
fn asked(workspace: &Workspace) -> Result<String, String> {
    workspace.call(&["regenerate"]).map_err(|said| {
        let told = said.lines().filter(|line| line.starts_with("error:"));
        told.fold(String::new(), |text, line| text + line + "\n")
    })
}

/// One thing that a person does after reading what was asked.
struct Step {
    what: &'static str,
    edit: fn(&Workspace, Release),
}

const STEPS: [Step; 6] = [
    Step {
        what: "The release is imported",
        edit: |_, _| {},
    },
    Step {
        what: "The types and the field have descriptions",
        edit: |workspace, _| {
            let beta = workspace.read("specs/descriptions/v1beta1.toml");
            let (_, candidate) = beta.split_once("[LeaseCandidate]").unwrap();
            let file = "specs/descriptions/v1.toml";
            let stable = workspace.read(file);
            workspace.write(file, stable + "\n[LeaseCandidate]" + candidate);
            let pace = "[LeaseSpec.fields]\npace = \"How fast it goes.\"";
            workspace.edit(file, "[LeaseSpec.fields]", pace);
        },
    },
    Step {
        what: "The lifecycle says that v1alpha2 is removed",
        edit: |workspace, invented| {
            let removed = format!("removed = \"{invented}\"");
            let announced = format!("removed = \"{}\"", invented.next());
            workspace.edit("specs/lifecycle.toml", &announced, &removed);
        },
    },
    Step {
        what: "conversions.toml lists v1, and its fields in the rules",
        edit: |workspace, _| {
            let file = "specs/conversions.toml";
            workspace.edit(file, "\"v1beta1\"]", "\"v1beta1\", \"v1\"]");
            for field in ["strategy", "binaryVersion"] {
                let beta = format!("v1beta1 = \"spec.{field}\" }}");
                let both = format!("v1beta1 = \"spec.{field}\", v1 = \"spec.{field}\" }}");
                workspace.edit(file, &beta, &both);
            }
        },
    },
    Step {
        what: "The vocabulary has the field and a new word",
        edit: |workspace, _| {
            let file = "specs/vocabularies.toml";
            let beta = "  \"io.k8s.api.coordination.v1beta1.LeaseCandidateSpec.strategy\",\n";
            let both = beta.to_owned() + &beta.replace("v1beta1", "v1");
            workspace.edit(file, beta, &both);
            let word = "[[vocabulary.words]]\nword = \"NewestFirst\"\ndescription = \"\"\n";
            workspace.edit(
                file,
                "[[vocabulary.words]]\n",
                &(word.to_owned() + "\n[[vocabulary.words]]\n"),
            );
        },
    },
    Step {
        what: "The word has a description",
        edit: |workspace, _| {
            let described = "description = \"The newest wins.\"";
            workspace.edit(
                "specs/vocabularies.toml",
                "description = \"\"\n\n",
                &(described.to_owned() + "\n\n"),
            );
        },
    },
];

/// The removal that is announced for v1alpha2.
const ANNOUNCED: &str = "removed = \"v1.38\"";

#[test]
fn a_new_release_by_the_checklist() {
    let workspace = Workspace::copy();
    let (newest, invented) = releases(&workspace);
    let announced = format!("removed = \"{}\"", invented.next());
    workspace.edit("specs/lifecycle.toml", ANNOUNCED, &announced);
    workspace.commit();
    invent(&workspace, newest);
    let release = invented.to_string();
    let import = ["import", "--release", &release, "--from", "from"];
    workspace.call(&import).unwrap();

    let mut text = String::new();
    for Step { what, edit } in STEPS {
        edit(&workspace, invented);
        let said = match asked(&workspace) {
            Ok(_) => "everything is generated\n".to_owned(),
            Err(asked) => asked.replace(&release, "NEW"),
        };
        let _ = writeln!(text, "## {what}\n{said}");
    }
    assert_snapshot!(text);

    // Recordings are asked for last, unless somebody says why there are none.
    let missing = workspace.call(&["regenerate", "--check"]).unwrap_err();
    assert_snapshot!("no_recordings", missing.replace(&release, "NEW"));
    let stated = format!("\"{release}\" = \"Its servers are not at hand.\"\n");
    workspace.write("specs/not-recorded.toml", stated);
    workspace.call(&["regenerate", "--check"]).unwrap();

    // What the reviewer reads, with the commit before the import as the base.
    let body = workspace.call(&["pull-request", "--base", "HEAD"]).unwrap();
    for told in [
        "| `kind-added` v1 LeaseCandidate |",
        "| `version-removed` v1alpha2: was LeaseCandidate |",
        "\n+  pace: int32 [since ",
        "\n+## LeaseCandidate: v1beta1 to v1\n",
        "- `specs/lifecycle.toml`\n",
        &format!("- all of {release}\n"),
    ] {
        assert!(body.contains(told), "{told} is not in\n{body}");
    }
}
