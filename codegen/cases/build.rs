//! Generates from every good case, into modules that `src/lib.rs` includes.

#[path = "src/load.rs"]
mod load;

#[path = "src/patch.rs"]
#[allow(
    dead_code,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]
mod patch;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use coordination_codegen::{Files, Options};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=good");
    println!("cargo::rerun-if-changed=patched");
    println!("cargo::rerun-if-changed=../../specs");
    let cases = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let good = cases.join("good");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut modules = Vec::new();
    let mut failures = Vec::new();
    let mut inputs = Vec::new();
    for name in load::cases(&good)? {
        let mut specs = load::files(&good.join(&name))?;
        load::add_manifest(&mut specs);
        inputs.push((name, specs));
    }
    let weight = patch::load(&cases, "patched", "weight");
    inputs.push(("weight".to_owned(), weight.files));
    for (name, specs) in inputs {
        let module = name.replace('-', "_");
        match generate(&specs, &module) {
            Ok(files) => modules.push(write(&out, &module, &files)?),
            Err(problems) => failures.push(format!("{name}:\n{problems}\n")),
        }
    }
    if !failures.is_empty() {
        return Err(failures.join("\n").into());
    }
    fs::write(out.join("cases.rs"), modules.join("\n"))?;
    Ok(())
}

/// The files of a case, or what is wrong with it.
fn generate(specs: &Files, module: &str) -> Result<Files, String> {
    let options = Options {
        root: format!("crate::{module}"),
        command: "cargo build".to_owned(),
    };
    let generated = coordination_codegen::generate(specs, &options);
    generated
        .map(|generated| generated.files)
        .map_err(|problems| problems.to_string())
}

/// Writes the files of a case and returns the item that makes a module of them.
fn write(out: &Path, module: &str, files: &Files) -> Result<String, Box<dyn Error>> {
    let folder = out.join(module);
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    let root = folder.join("mod.rs");
    // As a literal of Rust: paths may hold backslashes.
    let root = format!("{:?}", root.to_string_lossy());
    Ok(format!("#[path = {root}]\npub mod {module};\n"))
}
