//! The files with which a package begins: `Cargo.toml`, `src/lib.rs`, `README.md`, and of conversions a test and an example. `Cargo.toml`
//! also gets what generated code comes to need later. Everything else in them is the user's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::{About, Features};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use super::crates::Crates;
use crate::Error;

/// The library with which a package begins.
pub const LIBRARY: &str = include_str!("../template/lib.rs.txt");

/// [`LIBRARY`] for a package with these features.
pub fn library(features: &Features) -> String {
    let mut lines = LIBRARY.split_inclusive('\n');
    let mut text = String::new();
    while let Some(line) = lines.next() {
        if line.contains("\"requests\"") && !features.contains_key("requests") {
            // The attribute and the item after it.
            lines.nth(1);
        } else {
            text += line;
        }
    }
    text
}

/// The name of a module after `use`. It precedes the name of a kind, because other items can have that name.
pub(crate) fn last_of(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or(module)
}

/// The README with which a package begins. It names no release, because it stays as it is.
pub fn readme(name: &str, about: &About) -> String {
    let krate = name.replace('-', "_");
    let example = about.kind.as_ref().map(|(module, kind)| {
        format!(
            include_str!("../template/example.md.txt"),
            name = name,
            krate = krate,
            module = module,
            version = last_of(module),
            kind = kind
        )
    });
    let versions = about.versions.as_ref().map(|(low, high)| {
        let (sides, of) = if about.is_of_release {
            (format!("RELEASE/{low} RELEASE/{high}"), " in it")
        } else {
            (format!("specs --between {low} {high}"), "")
        };
        format!(
            "| compare two versions of the API{of} | `k8s-versioned diff {sides}` |\n\
             | convert the objects of a file, once there are rules | `cargo run --example convert -- {high} FILE` |\n"
        )
    });
    format!(
        include_str!("../template/README.md.txt"),
        name = name,
        title = about.title,
        versions = versions.unwrap_or_default(),
        example = example.unwrap_or_default(),
    )
}

/// The path of the test of conversions.
pub const CONVERSIONS_TEST: &str = "tests/conversions.rs";

/// The path of the program that converts the objects of a file.
pub const CONVERSIONS_EXAMPLE: &str = "examples/convert.rs";

/// The files with which the conversions of a package begin, for the package of a manifest.
pub fn files_of_conversions(manifest: &str) -> [(&'static str, String); 2] {
    let krate = name_in(manifest).unwrap_or_default().replace('-', "_");
    let files = [
        (CONVERSIONS_TEST, include_str!("../template/conversions.rs.txt")),
        (CONVERSIONS_EXAMPLE, include_str!("../template/convert.rs.txt")),
    ];
    files.map(|(path, text)| (path, text.replace("{krate}", &krate)))
}

/// The name of the package of a manifest; `None` if it has none, or is not TOML.
pub fn name_in(manifest: &str) -> Option<String> {
    let manifest: DocumentMut = manifest.parse().ok()?;
    Some(manifest.get("package")?.get("name")?.as_str()?.to_owned())
}

/// The features that `k8s-versioned` also has.
const OF_THE_RUNTIME: [&str; 4] = ["conversion", "protobuf", "requests", "schemars"];

/// The text of `Cargo.toml` with the features and dependencies that generated code needs. `now` is the present text, if
/// there is one. `crates` says where the packages are on which generated code depends. A new package is a workspace of its own, unless it is in one.
///
/// # Errors
/// The present text is not a manifest: the reason.
pub fn manifest(
    name: &str,
    features: &Features,
    crates: Option<&Crates>,
    now: Option<&str>,
    in_workspace: bool,
) -> Result<String, String> {
    let workspace = if in_workspace { "" } else { "\n[workspace]\n" };
    let begin = format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[features]\ndefault = []\n\n\
         [dependencies]\n\n[dev-dependencies]\nserde_json = \"1\"\n{workspace}"
    );
    let document = now.unwrap_or(&begin).parse().map_err(|error| format!("{error}"))?;
    let mut manifest = Manifest { document, crates };
    if manifest.document.contains_key("workspace") && !manifest.document.contains_key("package") {
        let message = "it is a workspace without a package; `--root` names the folder of a package";
        return Err(message.to_owned());
    }
    manifest.add_dependency("dependencies", "k8s-versioned")?;
    for (feature, groups) in features {
        manifest.add_feature(feature, groups)?;
    }
    manifest.add_dependency("dev-dependencies", "k8s-versioned-conformance")?;
    Ok(manifest.document.to_string())
}

/// The manifest of the workspace around a package, and the path of the package from its folder. A workspace can exclude it.
pub fn workspace_above(package: &Path) -> Option<(PathBuf, String)> {
    let package = package.canonicalize().ok()?;
    package.ancestors().skip(1).find_map(|folder| {
        let manifest = folder.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).ok()?;
        let document: DocumentMut = text.parse().ok()?;
        let excluded = document.get("workspace")?.get("exclude").and_then(Item::as_array);
        let mut excluded = excluded.into_iter().flatten().filter_map(Value::as_str);
        let is_excluded = excluded.any(|path| package.starts_with(folder.join(path)));
        let parts = package.strip_prefix(folder).ok()?.iter();
        let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
        (!is_excluded).then(|| (manifest, parts.join("/")))
    })
}

/// A manifest, and where the packages are on which generated code depends.
struct Manifest<'a> {
    document: DocumentMut,
    crates: Option<&'a Crates>,
}

impl Manifest<'_> {
    /// Adds a feature with its dependencies. A new feature is a default, unless it depends on large packages.
    fn add_feature(&mut self, feature: &str, groups: &BTreeSet<String>) -> Result<(), String> {
        let of_the_runtime = OF_THE_RUNTIME.contains(&feature);
        let runtime = of_the_runtime.then(|| format!("k8s-versioned/{feature}"));
        let table = self.table("features")?;
        let is_new = !table.contains_key(feature);
        add_words(table, feature, runtime.iter().chain(groups).map(String::as_str))?;
        if is_new && !matches!(feature, "schemars" | "protobuf") {
            add_words(table, "default", [feature])?;
        }
        Ok(())
    }

    /// Adds a dependency on a package of the version of this command.
    fn add_dependency(&mut self, table: &str, package: &str) -> Result<(), String> {
        let source = Crates::source(self.crates, package);
        self.table(table)?.entry(package).or_insert(Value::from(source).into());
        Ok(())
    }

    fn table(&mut self, name: &str) -> Result<&mut dyn TableLike, String> {
        let table = self.document.entry(name).or_insert(Item::Table(Table::new()));
        table.as_table_like_mut().ok_or_else(|| format!("`{name}` is not a table"))
    }
}

/// Adds the words that a list lacks.
fn add_words<'a>(
    table: &mut dyn TableLike,
    name: &str,
    words: impl IntoIterator<Item = &'a str>,
) -> Result<(), String> {
    let list = table.entry(name).or_insert(Array::new().into());
    let list = list.as_array_mut().ok_or_else(|| format!("the feature `{name}` is not a list"))?;
    for word in words {
        if !list.iter().any(|known| known.as_str() == Some(word)) {
            list.push(word);
        }
    }
    Ok(())
}

/// Writes a file, and makes the folders around it.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
    fs::write(path, text).map_err(Error::io("write", path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Crates, LIBRARY, library, manifest};
    use k8s_versioned_codegen::Features;

    fn features(names: &[&str]) -> Features {
        names.iter().map(|name| ((*name).to_owned(), BTreeSet::new())).collect()
    }

    #[test]
    fn a_package_begins_and_grows() {
        let few = features(&["apply", "requests", "schemars"]);
        let begun = manifest("some-types", &few, None, None, false).unwrap();
        insta::assert_snapshot!(begun);
        let same = manifest("x", &few, None, Some(&begun), false).unwrap();
        assert_eq!(same, begun);
        // The user's own lines stay, also in what the command completes.
        let own = begun
            .replace("serde =", "# mine\nserde =")
            .replace("apply = []", "apply = [\"other\"]");
        let more = features(&["apply", "conversion", "requests", "schemars"]);
        let crates = Crates::Folder("../crates".to_owned());
        insta::assert_snapshot!(manifest("x", &more, Some(&crates), Some(&own), false).unwrap());
        for wrong in ["[features", "features = 1", "[features]\ndefault = 1", "[workspace]"] {
            assert!(manifest("x", &more, None, Some(wrong), false).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_feature_gets_the_feature_of_the_runtime() {
        let all = features(&["conversion", "protobuf", "requests"]);
        let own = "[features]\nconversion = [\"mine\"]\n\n[dependencies]\nk8s-versioned.workspace = true\n";
        let made = manifest("x", &all, None, Some(own), false).unwrap();
        for line in [
            r#"conversion = ["mine", "k8s-versioned/conversion"]"#,
            r#"protobuf = ["k8s-versioned/protobuf"]"#,
            r#"requests = ["k8s-versioned/requests"]"#,
            "k8s-versioned.workspace = true",
        ] {
            assert!(made.lines().any(|known| known == line), "{line}: {made}");
        }
    }

    /// `verbs = false` in `group.toml`.
    #[test]
    fn a_package_without_requests() {
        let without = features(&["conversion", "protobuf"]);
        let made = manifest("x", &without, None, None, false).unwrap();
        assert!(!made.contains("requests"), "{made}");
        let library = library(&without);
        assert!(!library.contains("requests") && library.contains("    };\n}\n"), "{library}");
        assert_eq!(super::library(&features(&["requests"])), LIBRARY);
    }
}
