//! Helm charts and kustomizations in folders. Their templates and patches are not objects before they are rendered.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_source::{Content, ReadLimits};
use k8s_versioned_terminal::input::Input;
use serde_json::Value;

use crate::text::finding_kinds::NOT_RENDERED;

/// The names of the file that makes a kustomization of a folder.
const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The members of a kustomization that name files with no objects, or the members of their items that do.
const NAMING: [(&str, &str); 9] = [
    ("configMapGenerator", "files"),
    ("configurations", ""),
    ("helmCharts", "valuesFile"),
    ("openapi", "path"),
    ("patches", "path"),
    ("patchesJson6902", "path"),
    ("patchesStrategicMerge", ""),
    ("replacements", "path"),
    ("secretGenerator", "files"),
];

/// A folder that a tool renders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unrendered {
    /// A Helm chart.
    Chart(PathBuf),
    /// A kustomization.
    Kustomization(PathBuf),
}

impl Unrendered {
    /// The note that says what is left out.
    pub(crate) fn finding(&self) -> Finding {
        let (folder, message, render) = match self {
            Self::Chart(folder) => (
                folder,
                "a Helm chart: only the files in its `crds` are objects; templates, values and other files are left out",
                "helm template --include-crds",
            ),
            Self::Kustomization(folder) => (
                folder,
                "a kustomization: the patches and other files that it names are not objects, and are left out",
                "kubectl kustomize",
            ),
        };
        let folder = folder.display().to_string();
        let hint = format!(
            "`{render} {folder} | k8s-versioned validate --skip-unknown -` judges what it renders"
        );
        Finding::new(Severity::Note, NOT_RENDERED.id, folder, message).with_hint(hint)
    }
}

/// Removes the files of folders that are not objects: of charts all but the files in `crds`, and of kustomizations what they name as
/// patches and the like.
pub(super) fn take(files: &mut Vec<PathBuf>) -> Vec<Unrendered> {
    let is_chart = |file: &&PathBuf| file.file_name().is_some_and(|name| name == "Chart.yaml");
    let charts = files.iter().filter(is_chart).filter_map(|file| file.parent());
    let charts: BTreeSet<PathBuf> = charts.map(Path::to_path_buf).collect();
    files.retain(|file| !is_input_of_helm(file, &charts));
    let (mut kustomizations, mut named) = (Vec::new(), BTreeSet::new());
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    for folder in folders {
        let mut inside = KUSTOMIZATIONS.iter().map(|name| folder.join(name));
        let Some(file) = inside.find(|file| file.is_file()) else { continue };
        // The errors of one that cannot be read are reported with the objects.
        if let Some(kustomization) = read(&file) {
            named.extend(files_named_in(&kustomization).map(|name| plain(&folder.join(name))));
            named.insert(plain(&file));
            kustomizations.push(Unrendered::Kustomization(folder.to_path_buf()));
        }
    }
    files.retain(|file| !named.contains(&plain(file)));
    charts.into_iter().map(Unrendered::Chart).chain(kustomizations).collect()
}

/// Whether a file is in a chart and not one of its `crds`: no other files are objects before Helm renders the chart.
fn is_input_of_helm(file: &Path, charts: &BTreeSet<PathBuf>) -> bool {
    let chart = file.ancestors().skip(1).find(|folder| charts.contains(*folder));
    let inside = chart.and_then(|chart| file.strip_prefix(chart).ok());
    inside.is_some_and(|inside| !inside.starts_with("crds"))
}

/// The only document of a file.
fn read(file: &Path) -> Option<Value> {
    let mut documents = Vec::new();
    let input = Input::open(file).ok()?;
    let read = input.for_each(&ReadLimits::OBJECTS, |mut document| {
        documents.push(document.content.as_mut().ok().map(Content::take_json));
        Ok::<_, std::io::Error>(())
    });
    read.ok()?;
    documents.pop().flatten().filter(|_| documents.is_empty())
}

/// The files that a kustomization names and that are not objects.
fn files_named_in(kustomization: &Value) -> impl Iterator<Item = &str> {
    NAMING.iter().flat_map(|(member, inside)| {
        let value = kustomization.get(member);
        items(value).flat_map(move |item| {
            let named = if inside.is_empty() { Some(item) } else { item.get(inside) };
            items(named).filter_map(Value::as_str).filter_map(path_in)
        })
    })
}

/// The items of a list, or the value itself.
fn items(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    let list = value.and_then(Value::as_array);
    let one = value.filter(|_| list.is_none());
    list.into_iter().flatten().chain(one)
}

/// The path in a text: a file can be `key=path`, and a patch can be the text itself.
fn path_in(text: &str) -> Option<&str> {
    let path = text.split_once('=').map_or(text, |(_, path)| path);
    (!path.contains('\n')).then_some(path)
}

/// A path without `.` and `..`, to be compared.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn of_a_chart_only_its_definitions_are_objects() {
        let mut files = paths(&[
            "a/Chart.yaml",
            "a/charts/b/Chart.yaml",
            "a/charts/b/crds/c.yaml",
            "a/charts/b/templates/x/y.yaml",
            "a/ci/test-values.yaml",
            "a/crds/c.yaml",
            "a/templates/d.yaml",
            "a/values-dev.yaml",
            "a/values.schema.json",
            "templates/e.yaml",
        ]);
        let found = take(&mut files);
        assert_eq!(files, paths(&["a/charts/b/crds/c.yaml", "a/crds/c.yaml", "templates/e.yaml"]));
        assert_eq!(
            found,
            paths(&["a", "a/charts/b"]).into_iter().map(Unrendered::Chart).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_a_kustomization_names_is_no_object() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("prod")).unwrap();
        let text = "
resources: [../db.yaml]
patches: [{path: ./patch.yaml}, {patch: \"kind: A\\nspec: {}\", target: {kind: A}}]
patchesStrategicMerge: [../shared.yaml, \"kind: A\\nspec: {}\"]
configMapGenerator: [{name: a, files: [config.yaml=settings.yaml, other.yaml]}]
openapi: {path: schema.json}
";
        fs::write(at("prod/kustomization.yaml"), text).unwrap();
        fs::write(at("Kustomization"), "resources: [").unwrap();
        let prod = ["patch.yaml", "settings.yaml", "other.yaml", "schema.json", "config.yaml"];
        let mut files: Vec<PathBuf> = prod.map(|name| at("prod").join(name)).to_vec();
        files
            .extend(["db.yaml", "shared.yaml", "prod/kustomization.yaml", "Kustomization"].map(at));
        let found = take(&mut files);
        assert_eq!(found, [Unrendered::Kustomization(at("prod"))]);
        assert_eq!(files, ["prod/config.yaml", "db.yaml", "Kustomization"].map(at));
    }

    #[test]
    fn paths_are_compared_without_dots() {
        for (path, expected) in [("./a/../b/./c", "b/c"), ("../a", "../a"), ("/a/../..", "/..")] {
            assert_eq!(plain(Path::new(path)), Path::new(expected));
        }
    }
}
