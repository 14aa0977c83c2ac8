//! The changes in the working tree since a commit, from `git`.

use std::path::Path;
use std::process::Command;

use k8s_versioned_cli::Error;

/// The files that differ from a commit, and the untracked files.
///
/// # Errors
/// `git` cannot be run, or does not know the commit.
pub fn changed(root: &Path, base: &str) -> Result<Vec<String>, Error> {
    let differing = git(root, &["diff", "--name-only", base, "--"])?;
    let untracked = git(root, &["ls-files", "--others", "--exclude-standard"])?;
    let mut files: Vec<String> =
        [differing, untracked].iter().flat_map(|names| names.lines()).map(str::to_owned).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// The differences of one file from a commit.
///
/// # Errors
/// Those of [`changed`].
pub fn difference(root: &Path, base: &str, file: &str) -> Result<String, Error> {
    git(root, &["diff", "--unified=1", base, "--", file])
}

fn git(root: &Path, args: &[&str]) -> Result<String, Error> {
    let mut command = Command::new("git");
    let output = command.arg("-C").arg(root).args(args).output();
    let output = output.map_err(Error::io("run", Path::new("git")))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Error::Git(said.trim().to_owned()))
    }
}
