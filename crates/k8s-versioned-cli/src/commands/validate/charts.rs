//! Helm charts in folders. Their templates are not objects before they are rendered.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use k8s_versioned_names::findings::{Finding, Severity};

use crate::text::finding_kinds::NOT_RENDERED;

/// Takes the templates, values and descriptions of charts out of the files in folders, and says so of each chart. Files that are named
/// themselves stay.
pub(super) fn take_templates(files: &mut Vec<PathBuf>, named: &[PathBuf]) -> Vec<Finding> {
    let named: BTreeSet<&Path> = named.iter().map(PathBuf::as_path).collect();
    let in_folder = |file: &&PathBuf| !named.contains(file.as_path());
    let is_chart = |file: &&PathBuf| file.file_name().is_some_and(|name| name == "Chart.yaml");
    let charts = files.iter().filter(in_folder).filter(is_chart).filter_map(|file| file.parent());
    let charts: BTreeSet<PathBuf> = charts.map(Path::to_path_buf).collect();
    files.retain(|file| named.contains(file.as_path()) || !is_input_of_helm(file, &charts));
    charts.iter().map(|chart| not_rendered(chart)).collect()
}

fn not_rendered(chart: &Path) -> Finding {
    let chart = chart.display().to_string();
    let message = "a Helm chart: its templates and values are not objects, and are not judged";
    let mut finding = Finding::new(Severity::Note, NOT_RENDERED.id, chart.as_str(), message);
    let render = format!(
        "`helm template --include-crds {chart} | k8s-versioned validate --skip-unknown -` judges what it renders"
    );
    finding.hint = Some(render.into());
    finding
}

/// Whether Helm reads the file when it renders a chart.
fn is_input_of_helm(file: &Path, charts: &BTreeSet<PathBuf>) -> bool {
    file.ancestors().skip(1).filter(|folder| charts.contains(*folder)).any(|chart| {
        let inside = file.strip_prefix(chart).unwrap_or(file);
        let name = inside.to_str().unwrap_or_default();
        inside.starts_with("templates")
            || !name.contains('/') && (name == "Chart.yaml" || name.starts_with("values"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helm_reads_is_no_object() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let mut files = paths(&[
            "a/Chart.yaml",
            "a/charts/b/Chart.yaml",
            "a/charts/b/templates/x/y.yaml",
            "a/ci/values.yaml",
            "a/crds/c.yaml",
            "a/templates/d.yaml",
            "a/values-dev.yaml",
            "a/values.schema.json",
            "templates/e.yaml",
            "a/templates/f.yaml",
        ]);
        let found = take_templates(&mut files, &paths(&["a", "a/templates/f.yaml"]));
        let judged =
            ["a/ci/values.yaml", "a/crds/c.yaml", "templates/e.yaml", "a/templates/f.yaml"];
        assert_eq!(files, paths(&judged));
        let charts: Vec<_> = found.iter().map(|finding| finding.file.as_str()).collect();
        assert_eq!(charts, ["a", "a/charts/b"]);
    }
}
