//! `cargo xtask generate`: a package of types from a folder of documents, with rules or without.

use std::path::Path;

use k8s_versioned_codegen::{Files, Options, generate, package};

use crate::Error;
use crate::args::GenerateArgs;
use crate::changes::{Changes, is_left_over};
use crate::error::Source;
use crate::specs::is_spec;
use crate::tree::Tree;

/// The folder of the generated code, relative to the package. It holds no other files.
const FOLDER: &str = "src/generated";

/// Writes the package. Its `Cargo.toml` and `src/lib.rs` are written once, and are the user's from then on.
///
/// # Errors
/// Files cannot be read or written, or the documents and rules have problems. Nothing has been written then, unless a
/// write failed.
pub fn run(root: &Path, args: &GenerateArgs) -> Result<String, Error> {
    let tree = Tree::whole(&args.from, "")?;
    let specs = tree.read_all(|name| is_spec(name) && !is_of_servers(name))?;
    let options = Options {
        root: "crate".to_owned(),
        command: "cargo xtask generate".to_owned(),
        shared: None,
    };
    let generated = match generate(&specs, &options) {
        Ok(generated) => generated,
        Err(problems) => {
            let shown = tree.shown().to_owned();
            return Err(Error::refused(problems, vec![Source { shown, files: specs }]));
        }
    };
    let name = args.package.file_name().unwrap_or_default().to_string_lossy();
    let crates = root.join("crates");
    let begin = package::begin(&name, &generated.features, &crates.to_string_lossy());
    let code = write(&args.package, FOLDER, |_| true, generated.files)?;
    let tree = Tree::whole_or_empty(&args.package, "")?;
    let new: Files =
        begin.into_iter().filter(|(name, _)| !tree.entries().contains_key(name)).collect();
    Changes::plan(&tree, |name| new.contains_key(name) || is_left_over(name), new.clone())?
        .apply()?;
    let _ = code;
    Ok(format!("{:?}\n", generated.summary))
}

fn write(
    package: &Path,
    folder: &str,
    owned: impl Fn(&str) -> bool,
    files: Files,
) -> Result<Changes, Error> {
    let changes = Changes::plan(&Tree::whole_or_empty(package, folder)?, owned, files)?;
    changes.apply()?;
    Ok(changes)
}

/// Returns `true` for the documents of a server that are not about a group.
fn is_of_servers(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    ["apis_openapi.json", "logs_openapi.json", "version_openapi.json"].contains(&name)
        || name.starts_with("openid__")
}
