//! The checklist for a new release (`docs/contributing/new-release.md`), with an invented one (`crates/testing/src/specs/invented.rs`).
//!
//! The release adds and removes things. The test follows the checklist, and shows the messages of the commands after
//! each step.

use std::fmt::Write as _;

use insta::assert_snapshot;
use k8s_versioned_codegen::Files;
use k8s_versioned_core::Release;

use crate::workspace::Workspace;
use testing::specs::invented;

/// The newest release that the workspace has, and the invented one after it.
pub(crate) fn releases(workspace: &Workspace) -> (Release, Release) {
    let manifest = workspace.read("specs/manifest.toml");
    let names = manifest.lines().filter_map(|line| line.strip_prefix("release = "));
    let newest: Release = names.map(|name| name.trim_matches('"').parse().unwrap()).max().unwrap();
    (newest, newest.next())
}

/// Writes the documents of the invented release to the folder `from`.
fn invent(workspace: &Workspace, newest: Release) {
    let newest = workspace.files(&format!("specs/{newest}"));
    for (name, text) in invented::documents(&newest) {
        workspace.write(&format!("from/{name}"), text);
    }
}

/// The problems that a command reports, one line each.
fn asked(workspace: &Workspace) -> Result<String, String> {
    workspace.call(&["regenerate"]).map_err(|output| {
        let errors = output.lines().filter(|line| line.starts_with("error:"));
        errors.fold(String::new(), |text, line| text + line + "\n")
    })
}

/// Imports the documents of the release after the newest, and returns it.
pub(crate) fn import_invented(workspace: &Workspace) -> Release {
    let (newest, invented) = releases(workspace);
    invent(workspace, newest);
    workspace.succeed(&["import", "--release", &invented.to_string(), "--from", "from"]);
    invented
}

/// Changes the rule files.
pub(crate) fn edit(workspace: &Workspace, edit: fn(&mut Files, Release), invented: Release) {
    let mut specs = workspace.files("specs");
    edit(&mut specs, invented);
    for (name, text) in specs {
        workspace.write(&format!("specs/{name}"), text);
    }
}

#[test]
fn a_new_release_by_the_checklist() {
    let workspace = Workspace::real();
    let (_, invented) = releases(&workspace);
    // The removal of the version is not announced for the invented release.
    edit(&workspace, |specs, release| invented::announce(specs, Some(release)), invented.next());
    workspace.commit();
    let (release, short) = (invented.to_string(), format!("{invented:#}"));
    import_invented(&workspace);
    // At any moment, a command names what is left, with the rules that the documents ask for.
    let checklist = workspace.succeed(&["checklist"]);
    for expected in [
        "# specs/descriptions/v1.toml:\n\n[LeaseCandidate.fields]\nmetadata = \"…\"\nspec = \"…\"\n",
        "[\"io.k8s.api.coordination.v1.LeaseSpec\"]\npointers = [\"pace\"]\n",
    ] {
        assert!(checklist.contains(expected), "{expected} is not in\n{checklist}");
    }

    let mut text = String::new();
    let imported: invented::Step = ("The release is imported", |_, _| {});
    for (done, change) in std::iter::once(imported).chain(invented::STEPS) {
        edit(&workspace, change, invented);
        let output = match asked(&workspace) {
            Ok(_) => "everything is generated\n".to_owned(),
            Err(asked) => {
                let asked = asked.replace(&invented.next().to_string(), "LATER");
                asked.replace(&release, "NEW").replace(&short, "NEW")
            }
        };
        let _ = writeln!(text, "## {done}\n{output}");
    }
    assert_snapshot!(text);

    // The check asks for recordings last, unless a reason is stated.
    let missing = workspace.call(&["regenerate", "--check"]).unwrap_err();
    assert_snapshot!("no_recordings", missing.replace(&release, "NEW"));
    let stated = format!("\"{release}\" = \"Its servers are not at hand.\"\n");
    let before = workspace.files("specs").remove("not-recorded.toml").unwrap_or_default();
    workspace.write("specs/not-recorded.toml", [&before, stated.as_bytes()].concat());
    assert!(workspace.succeed(&["checklist"]).contains("not up to date: `cargo xtask regenerate`"));
    for args in [&["regenerate"][..], &["regenerate", "--check"]] {
        workspace.succeed(args);
    }
    assert!(workspace.succeed(&["checklist"]).starts_with("nothing is left to do\n"));
    let page = workspace.read("docs/reference/coordination/api/README.md");
    assert!(page.contains("are not recorded: Its servers are not at hand.\n"), "{page}");

    // The body of the pull request. Its base is the commit before the import.
    let body = workspace.call(&["pull-request", "--base", "HEAD"]).unwrap();
    let output = workspace.fail(&["pull-request", "--base", "other"]);
    assert!(output.contains("there is no commit `other`: `--base` names"), "{output}");
    for expected in [
        "- `kind-added` `v1 LeaseCandidate`\n",
        "- `version-removed` `v1alpha2`: was `LeaseCandidate`\n",
        "- `parameter-added` `query parameter pace`: `string`\n",
        "\n+  pace: int32, since ",
        "\n+| `v1alpha1` | `v1alpha2` | `v1beta1` | `v1` |\n",
        "- `specs/lifecycle.toml`\n",
        &format!("- `all of {release}`\n"),
    ] {
        assert!(body.contains(expected), "{expected} is not in\n{body}");
    }
}

/// A release that only drops a version, as was announced: the release before it says so, and the types stay.
#[test]
fn a_release_that_drops_a_version() {
    let workspace = Workspace::real();
    let (newest, next) = releases(&workspace);
    edit(&workspace, |specs, release| invented::announce(specs, Some(release)), next);
    let before = workspace.succeed(&["diff", "v1.31", &newest.to_string()]);
    let ends = format!("kind-ends: v1alpha2 LeaseCandidate: removed in {next}\n");
    assert!(before.contains(&ends), "{before}");

    workspace.documents(&newest.to_string());
    workspace.remove("from/apis__coordination.k8s.io__v1alpha2_openapi.json");
    let imported = workspace.succeed(&["import", "--release", &next.to_string(), "--from", "from"]);
    assert!(imported.contains("version-removed: v1alpha2: was LeaseCandidate\n"), "{imported}");
    let asked = asked(&workspace).unwrap_err();
    assert_eq!(asked, "error: 1 problem found, nothing written\n");
    edit(&workspace, |specs, _| invented::announce(specs, None), next);
    workspace.succeed(&["regenerate"]);
    let code = Workspace::generated("v1alpha2/lease_candidate.rs");
    let (short, code) = (format!("{next:#}"), workspace.read(&code));
    assert!(code.contains(&format!("deprecated since 1.35, removed in {short}.")), "{code}");
    let page = workspace.read("docs/reference/coordination/api/v1alpha2/LeaseCandidate.md");
    assert!(page.contains(&format!("removed in {short}")), "{page}");
}
