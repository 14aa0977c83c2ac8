//! Generates a module from every good case and from two generations of releases. `tests/cases/main.rs` and `src/lib.rs` include them.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use k8s_versioned_codegen::{EmitOptions, Files, Generated, Problems};
use testing::specs::{self, combinations, generations, patch, projects};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=good");
    println!("cargo::rerun-if-changed=patched");
    println!("cargo::rerun-if-changed=projects");
    println!("cargo::rerun-if-env-changed=COMBINATIONS");
    println!("cargo::rerun-if-env-changed=PROJECTS");
    println!("cargo::rerun-if-changed=../../specs");
    let cases = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let good = cases.join("good");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut modules = Vec::new();
    let mut failures = Vec::new();
    let mut inputs = Vec::new();
    for name in specs::cases(&good)? {
        let mut specs = specs::files(&good.join(&name))?;
        specs::add_manifest(&mut specs);
        inputs.push((name, specs));
    }
    let combined = combinations::files(combinations::is_compiled);
    write(&out.join("of-combinations"), "specs", &combined)?;
    inputs.push(("combinations".to_owned(), combined));
    let weight = patch::load(&cases, "patched", "weight");
    inputs.push(("weight".to_owned(), weight.files));
    for (name, specs) in inputs {
        let module = name.replace('-', "_");
        match generate(&specs, &module) {
            Ok(generated) => modules.push(write(&out, &module, &generated.files)?),
            Err(problems) => failures.push(format!("{name}:\n{problems}\n")),
        }
    }
    for (module, mut specs) in generations::all(&specs::files(&cases.join("../../specs"))?) {
        specs::add_manifest(&mut specs);
        let options = options("crate::emitted", Some("k8s_versioned"));
        let shared = k8s_versioned_codegen::generate(&specs, &options);
        match generate(&specs, module).and_then(|own| Ok((own, shared?.files))) {
            Ok((generated, shared)) => {
                modules.push(write(&out, module, &generated.files)?);
                let module = format!("{module}_meta");
                modules.push(write(&out, &module, &of_meta(&shared, &module))?);
            }
            Err(problems) => failures.push(format!("the generation {module}:\n{problems}\n")),
        }
    }
    if !failures.is_empty() {
        return Err(failures.join("\n").into());
    }
    fs::write(out.join("cases.rs"), modules.join("\n"))?;
    write_projects(&out.join("of-projects"))
}

/// Writes `of-projects/mod.rs`, with a module for each project that is compiled: its `types`, its `functions` if its rules call any, and
/// a list of all kinds for `tests/projects`.
fn write_projects(out: &Path) -> Result<(), Box<dyn Error>> {
    let (mut text, mut all) = (String::new(), String::new());
    for project in projects::compiled() {
        let module = projects::module(project);
        let files = projects::files(project);
        let options = options(&format!("crate::compiled::{module}::types"), None);
        let generated = k8s_versioned_codegen::generate(&files, &options)
            .map_err(|problems| format!("projects/{project}:\n{problems}"))?;
        let out = out.join(&module);
        let types = write(&out, "types", &generated.files)?;
        let is_rule_file = |path: &str| Path::new(path).extension() == Some("toml".as_ref());
        let definitions = files.into_iter().filter(|(path, _)| !is_rule_file(path));
        write(&out, "specs", &definitions.collect())?;
        let functions = projects::folder(project).join("functions.rs");
        let functions =
            if functions.exists() { item(&functions, "functions") } else { String::new() };
        writeln!(text, "pub mod {module} {{\n{types}{functions}}}")?;
        writeln!(all, "project::<{module}::types::Kinds>({project:?}),")?;
    }
    writeln!(text, "pub fn projects() -> Vec<Project> {{\nvec![\n{all}]\n}}")?;
    fs::create_dir_all(out)?;
    fs::write(out.join("mod.rs"), text)?;
    Ok(())
}

/// Generates from these files for a module.
fn generate(specs: &Files, module: &str) -> Result<Generated, Problems> {
    k8s_versioned_codegen::generate(specs, &options(&format!("crate::emitted::{module}"), None))
}

fn options(root: &str, shared: Option<&str>) -> EmitOptions {
    EmitOptions {
        root: root.to_owned(),
        command: "cargo build".to_owned(),
        shared: shared.map(str::to_owned),
    }
}

/// The shared types as a module of this crate: their paths refer to this module.
fn of_meta(shared: &Files, module: &str) -> Files {
    let (theirs, ours) = ("k8s_versioned::meta::v1", format!("crate::emitted::{module}"));
    let files = shared.iter().filter_map(|(path, text)| {
        let text = String::from_utf8_lossy(text).replace(theirs, &ours);
        Some((path.strip_prefix("meta/v1/")?.to_owned(), text.into_bytes()))
    });
    files.collect()
}

/// Writes the files of a case, and a file beside them with the item that makes a module of them; returns the item.
fn write(out: &Path, module: &str, files: &Files) -> Result<String, Box<dyn Error>> {
    let folder = out.join(module);
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    let item = item(&folder.join("mod.rs"), module);
    fs::write(folder.with_extension("rs"), &item)?;
    Ok(item)
}

/// The item that makes a module of a file.
fn item(file: &Path, module: &str) -> String {
    // As a literal of Rust: paths may hold backslashes.
    let file = format!("{:?}", file.to_string_lossy());
    format!("#[path = {file}]\npub mod {module};\n")
}
