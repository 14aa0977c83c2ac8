//! Generates from every good case, into modules that `src/lib.rs` includes.

#[path = "src/load.rs"]
mod load;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use coordination_codegen::{Files, Options};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=good");
    let good = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("good");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut modules = String::new();
    let mut failures = String::new();
    for (name, folder) in load::cases(&good)? {
        let module = name.replace('-', "_");
        match generate(&folder, &module)? {
            Ok(files) => {
                let root = write(&out.join(&module), &files)?;
                modules.push_str(&format!("#[path = {root:?}]\npub mod {module};\n\n"));
            }
            Err(problems) => failures.push_str(&format!("good/{name}:\n{problems}\n\n")),
        }
    }
    fs::write(out.join("cases.rs"), modules)?;
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures.into())
    }
}

/// The files of a case, or what is wrong with it.
fn generate(folder: &Path, module: &str) -> Result<Result<Files, String>, Box<dyn Error>> {
    let mut specs = load::files(folder)?;
    load::add_manifest(&mut specs);
    let options = Options {
        root: format!("crate::{module}"),
        command: "cargo build".to_owned(),
    };
    let generated = coordination_codegen::generate(&specs, &options);
    Ok(generated
        .map(|generated| generated.files)
        .map_err(|problems| problems.to_string()))
}

/// Writes the files and returns the path of the module that holds them all.
fn write(folder: &Path, files: &Files) -> Result<PathBuf, Box<dyn Error>> {
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(folder.join("mod.rs"))
}
