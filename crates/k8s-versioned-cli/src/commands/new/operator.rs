//! `new --template operator`: a program around the types of a definition, with its manifests and tests.

use k8s_versioned_codegen::{EmitOptions, crd, generate};
use serde_json::Value;

use crate::project::specs::Specs;
use crate::project::{Crates, package_files};
use crate::{Error, Project};

/// The files, each with the template of its text.
const FILES: [(&str, &str); 24] = [
    ("Cargo.toml", include_str!("../../template/operator/Cargo.toml.txt")),
    ("Dockerfile", include_str!("../../template/operator/Dockerfile.txt")),
    ("README.md", include_str!("../../template/operator/README.md.txt")),
    (
        "Dockerfile.dockerignore",
        include_str!("../../template/operator/Dockerfile.dockerignore.txt"),
    ),
    (
        "deploy/kustomization.yaml",
        include_str!("../../template/operator/deploy/kustomization.yaml.txt"),
    ),
    ("deploy/operator.yaml", include_str!("../../template/operator/deploy/operator.yaml.txt")),
    (
        "deploy/permissions.yaml",
        include_str!("../../template/operator/deploy/permissions.yaml.txt"),
    ),
    (
        "deploy/webhook/certificates.yaml",
        include_str!("../../template/operator/deploy/webhook/certificates.yaml.txt"),
    ),
    (
        "deploy/webhook/kustomization.yaml",
        include_str!("../../template/operator/deploy/webhook/kustomization.yaml.txt"),
    ),
    (
        "deploy/webhook/pods.yaml",
        include_str!("../../template/operator/deploy/webhook/pods.yaml.txt"),
    ),
    (
        "deploy/webhook/service.yaml",
        include_str!("../../template/operator/deploy/webhook/service.yaml.txt"),
    ),
    ("src/main.rs", include_str!("../../template/operator/src/main.rs.txt")),
    ("src/operator/arguments.rs", include_str!("../../template/operator/src/arguments.rs.txt")),
    ("src/operator/controller.rs", include_str!("../../template/operator/src/controller.rs.txt")),
    ("src/operator/definitions.rs", include_str!("../../template/operator/src/definitions.rs.txt")),
    ("src/operator/metrics.rs", include_str!("../../template/operator/src/metrics.rs.txt")),
    ("src/operator/mod.rs", include_str!("../../template/operator/src/mod.rs.txt")),
    ("src/operator/watch.rs", include_str!("../../template/operator/src/watch.rs.txt")),
    ("src/operator/webhook.rs", include_str!("../../template/operator/src/webhook.rs.txt")),
    ("tests/controller.rs", include_str!("../../template/operator/tests/controller.rs.txt")),
    ("tests/manifests.rs", include_str!("../../template/operator/tests/manifests.rs.txt")),
    ("tests/program.rs", include_str!("../../template/operator/tests/program.rs.txt")),
    ("tests/server/mod.rs", include_str!("../../template/operator/tests/server/mod.rs.txt")),
    ("tests/webhook.rs", include_str!("../../template/operator/tests/webhook.rs.txt")),
];

/// The kind that the operator is for.
struct Own {
    /// The module of its version, and its Rust type.
    module: String,
    kind: String,
    group: String,
    plural: String,
    /// Whether API servers ask the webhook for conversions.
    has_several_versions: bool,
}

/// Writes the operator into a new package, before its code is generated.
///
/// # Errors
/// The package has no definitions, the generator refuses them, or the operating system refuses.
pub(crate) fn write(project: &Project, name: &str) -> Result<(), Error> {
    let Own { module, kind, group, plural, has_several_versions } = own_kind(project)?;
    let workspace = match package_files::workspace_above(&project.root) {
        Some(_) => "",
        None => "\n[workspace]\n",
    };
    let krate = name.replace('-', "_");
    let coordination = source(project, "k8s-coordination-kube");
    let versioned = source(project, "k8s-versioned-kube");
    let webhook = source(project, "k8s-versioned-webhook");
    let values = [
        ("{name}", name),
        ("{krate}", &krate),
        ("{module}", &module),
        ("{version}", package_files::last_of(&module)),
        ("{kind}", &kind),
        ("{group}", &group),
        ("{plural}", &plural),
        ("{coordination}", &coordination),
        ("{versioned}", &versioned),
        ("{webhook}", &webhook),
        ("{workspace}", workspace),
        ("{components}", if has_several_versions { "[webhook]" } else { "[]" }),
    ];
    for (file, template) in FILES {
        let fill =
            |text: String, (placeholder, value): &(&str, &str)| text.replace(placeholder, value);
        package_files::write(
            &project.root.join(file),
            &values.iter().fold(template.to_owned(), fill),
        )?;
    }
    let library = package_files::LIBRARY
        .replace("pub use generated::*;", "pub mod operator;\n\npub use generated::*;");
    package_files::write(&project.root.join("src/lib.rs"), &library)
}

/// Where a package of this project comes from, as a dependency states it.
fn source(project: &Project, package: &str) -> String {
    let source = Crates::source(project.crates.as_ref(), package);
    let keys = source.iter().map(|(key, value)| format!("{key} = {}", value.to_string().trim()));
    keys.collect::<Vec<_>>().join(", ")
}

fn own_kind(project: &Project) -> Result<Own, Error> {
    let specs = Specs::read(project)?;
    let refused = |problems| specs.refused(problems);
    let definitions = crd::of_package(&specs.files).map_err(refused)?;
    let Some(first) = definitions.first() else {
        let message = "an operator has definitions of its own: name them with `--crds`";
        return Err(Error::Usage(message.to_owned()));
    };
    let command = project.command.clone();
    let options = EmitOptions { root: "crate".to_owned(), command, shared: None };
    let about = generate(&specs.files, &options).map_err(refused)?.about;
    let (module, kind) = about.kind.ok_or_else(|| {
        Error::Refusal(format!("servers store no objects of {}: no version is served", first.name))
    })?;
    let own = definitions.iter().find(|it| it.kind == kind).unwrap_or(first);
    let plural = own.name.split('.').next().unwrap_or_default().to_owned();
    let versions = own.value.pointer("/spec/versions").and_then(Value::as_array);
    let has_several_versions = versions.is_some_and(|versions| versions.len() > 1);
    Ok(Own { module, kind, group: own.group.clone(), plural, has_several_versions })
}
