//! `new`: a package whose types are generated.

use std::fs;
use std::path::Path;

use clap::Args;

use crate::{Error, project};

/// The package to make.
#[derive(Clone, Debug, Args)]
pub struct NewArgs {
    /// The folder of the package, whose last part is its name. It must not exist.
    pub path: std::path::PathBuf,
    /// The API group, such as `batch` or `gateway.networking.k8s.io`; several for several groups. All groups of the
    /// documents without it.
    #[arg(long)]
    pub group: Vec<String>,
    /// The folder of the packages on which generated code depends, such as `crates` of a checkout; without it, they come
    /// from the registry.
    #[arg(long, value_name = "DIR")]
    pub crates: Option<std::path::PathBuf>,
}

/// Makes a package, and returns the text for its user.
///
/// # Errors
/// The name is not the name of a package, the folder exists, or the operating system refuses.
pub fn run(args: &NewArgs) -> Result<String, Error> {
    let name = args.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !name.bytes().all(known) || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        let message = format!(
            "`{name}` is not the name of a package: use lower-case letters, digits and `-`"
        );
        return Err(Error::Refusal(message));
    }
    if let Some(group) = args.group.iter().find(|group| !is_group(group)) {
        return Err(Error::Refusal(format!("`{group}` is not the name of an API group")));
    }
    if args.path.exists() {
        return Err(Error::Refusal(format!("{} exists", args.path.display())));
    }
    for (file, text) in files(name, &args.group) {
        write(&args.path.join(file), &text)?;
    }
    if let Some(crates) = &args.crates {
        let crates = crates.canonicalize().map_err(Error::io("find", crates))?;
        let crates = toml::Value::from(crates.display().to_string());
        write(&args.path.join(project::FILE), &format!("crates = {crates}\n"))?;
    }
    Ok(format!(
        "made {}\nnext, in this folder: `k8s-versioned fetch`, then `k8s-versioned generate`\n",
        args.path.display()
    ))
}

fn is_group(name: &str) -> bool {
    let known =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    !name.is_empty() && name.bytes().all(known)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
    fs::write(path, text).map_err(Error::io("write", path))
}

fn files(name: &str, groups: &[String]) -> [(&'static str, String); 4] {
    let krate = name.replace('-', "_");
    let quoted = |group: &String| format!("\"{group}\"");
    let groups = groups.iter().map(quoted).collect::<Vec<_>>().join(", ");
    [
        ("tests/recorded.rs", format!(include_str!("template/recorded.rs.txt"), krate = krate)),
        ("specs/group.toml", format!(include_str!("template/group.toml.txt"), groups = groups)),
        ("README.md", format!(include_str!("template/README.md.txt"), name = name)),
        (".gitignore", "/target\n".to_owned()),
    ]
}
