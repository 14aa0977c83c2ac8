//! The place of the packages on which generated code depends: a folder of a checkout, or a repository of git.

use serde::Deserialize;
use toml_edit::{InlineTable, Value};

/// The entry `crates` of `k8s-versioned.toml`. A project without it depends on the packages of a registry.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a folder, or `{ git = \"ADDRESS\", rev = \"REVISION\" }`")]
pub enum Crates {
    /// The folder `crates` of a checkout, as the package sees it.
    Folder(String),
    /// A repository, as Cargo reads it.
    Git(Git),
}

/// A repository, and the revision to depend on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Git {
    /// Its address.
    pub git: String,
    /// A commit, or another name that `git` resolves. Without it, Cargo takes the default branch.
    pub rev: Option<String>,
}

impl Crates {
    /// This entry as TOML.
    pub fn to_toml(&self) -> Value {
        match self {
            Self::Folder(folder) => folder.into(),
            Self::Git(git) => git.table().into(),
        }
    }

    /// The source of a package, as a dependency states it. Without an entry, it is the version of this command.
    pub fn source(crates: Option<&Self>, package: &str) -> InlineTable {
        let mut source = InlineTable::new();
        match crates {
            Some(Self::Git(git)) => return git.table(),
            Some(Self::Folder(folder)) => {
                source.insert("path", format!("{folder}/{package}").into())
            }
            None => source.insert("version", env!("CARGO_PKG_VERSION").into()),
        };
        source
    }
}

impl Git {
    fn table(&self) -> InlineTable {
        let mut table = InlineTable::new();
        table.insert("git", self.git.as_str().into());
        if let Some(rev) = &self.rev {
            table.insert("rev", rev.as_str().into());
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::{Crates, Git};
    use crate::Project;

    #[test]
    fn a_dependency_states_its_source() {
        let git = |rev: Option<&str>| {
            let git = "https://example.com/versioned".to_owned();
            Crates::Git(Git { git, rev: rev.map(str::to_owned) })
        };
        for (crates, source) in [
            (None, concat!("{ version = \"", env!("CARGO_PKG_VERSION"), "\" }")),
            (Some(Crates::Folder("../c".to_owned())), "{ path = \"../c/k8s-versioned\" }"),
            (Some(git(None)), "{ git = \"https://example.com/versioned\" }"),
            (Some(git(Some("a1"))), "{ git = \"https://example.com/versioned\", rev = \"a1\" }"),
        ] {
            assert_eq!(Crates::source(crates.as_ref(), "k8s-versioned").to_string(), source);
            // What `new` writes is read again.
            let text = crates.iter().map(|listed| format!("crates = {}", listed.to_toml()));
            let project: Project = toml::from_str(&text.collect::<String>()).unwrap();
            assert_eq!(project.crates, crates);
        }
        let error = toml::from_str::<Project>("crates = { revision = \"a\" }").unwrap_err();
        assert_eq!(
            error.message(),
            "expected a folder, or `{ git = \"ADDRESS\", rev = \"REVISION\" }`"
        );
    }
}
