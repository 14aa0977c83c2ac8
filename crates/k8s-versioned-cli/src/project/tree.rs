//! Reading a folder.

use std::collections::BTreeMap;
use std::fs::{self, FileType};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::Files;

use crate::Error;

/// The largest document or manifest that is read, in bytes. The largest document of Kubernetes has 1.3 million.
pub(crate) const LIMIT: usize = 64 << 20;

/// The names in a folder. Links are listed, never followed.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The folder of the package.
    root: PathBuf,
    path: PathBuf,
    label: String,
    entries: BTreeMap<String, FileType>,
}

impl Tree {
    /// Lists a folder of the workspace, at any depth. A link to a folder is refused, also on the way to it.
    ///
    /// # Errors
    /// The path is not a folder, cannot be listed, or has a name that is not UTF-8.
    pub fn whole(root: &Path, folder: &str) -> Result<Self, Error> {
        let path = root.join(folder);
        refuse_links_to(root, folder)?;
        let metadata = fs::symlink_metadata(&path).map_err(Error::io("read", &path))?;
        Self::list(root, path, folder.to_owned(), metadata.is_dir(), usize::MAX)
    }

    /// Like [`Tree::whole`], but a folder that does not exist counts as empty.
    ///
    /// # Errors
    /// The errors of [`Tree::whole`].
    pub fn whole_or_empty(root: &Path, folder: &str) -> Result<Self, Error> {
        let path = root.join(folder);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                refuse_links_to(root, folder)?;
                let (label, entries) = (folder.to_owned(), BTreeMap::new());
                Ok(Self { root: root.to_path_buf(), path, label, entries })
            }
            _ => Self::whole(root, folder),
        }
    }

    /// The folder of a project, of which only these files are listed if they exist.
    ///
    /// # Errors
    /// A link is on the way to one of the files.
    pub fn of_files(folder: &Path, names: &[&str]) -> Result<Self, Error> {
        names.iter().try_for_each(|name| refuse_links_to(folder, name))?;
        let entry = |name: &&str| {
            let metadata = fs::symlink_metadata(folder.join(name)).ok()?;
            Some(((*name).to_owned(), metadata.file_type()))
        };
        let entries = names.iter().filter_map(entry).collect();
        let path = folder.to_path_buf();
        Ok(Self { root: path.clone(), path, label: String::new(), entries })
    }

    /// Lists the entries of a folder that an argument names, down to a depth; 1 are the entries directly in it. The folder may
    /// be outside the workspace, and a link.
    ///
    /// # Errors
    /// The path is not a folder, cannot be listed, or has a name that is not UTF-8.
    pub fn outside(folder: &Path, depth: usize) -> Result<Self, Error> {
        let (path, label) = (folder.to_path_buf(), folder.display().to_string());
        let missing = |source| Error::Argument { path: path.clone(), source };
        let metadata = fs::metadata(&path).map_err(missing)?;
        Self::list(&path.clone(), path, label, metadata.is_dir(), depth)
    }

    fn list(
        root: &Path,
        path: PathBuf,
        label: String,
        is_dir: bool,
        depth: usize,
    ) -> Result<Self, Error> {
        if !is_dir {
            return Err(Error::NotAFolder(path));
        }
        let mut entries = BTreeMap::new();
        let mut folders = vec![(path.clone(), String::new(), depth)];
        while let Some((folder, around, depth)) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(Error::io("list", &folder))? {
                let entry = entry.map_err(Error::io("list", &folder))?;
                let file_type = entry.file_type().map_err(Error::io("list", &entry.path()))?;
                let name = entry.file_name().into_string();
                let name = around.clone() + &name.map_err(|_| Error::NotUtf8(entry.path()))?;
                if file_type.is_dir() && depth > 1 {
                    folders.push((entry.path(), format!("{name}/"), depth - 1));
                }
                entries.insert(name, file_type);
            }
        }
        Ok(Self { root: root.to_path_buf(), path, label, entries })
    }

    /// The folder of the package.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder, as messages show it.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// All entries by name; `/` separates the parts of a name.
    pub fn entries(&self) -> &BTreeMap<String, FileType> {
        &self.entries
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The entry is not a file, or the file cannot be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let path = self.path.join(name);
        if self.entries.get(name).is_some_and(|entry| !entry.is_file()) {
            return Err(Error::NotAFile(path));
        }
        read(&path).map_err(Error::io("read", &path))
    }

    /// Reads the files whose names `keep` takes.
    ///
    /// # Errors
    /// The errors of [`Tree::read`].
    pub fn read_all(&self, keep: impl Fn(&str) -> bool) -> Result<Files, Error> {
        let names = self.entries.keys().filter(|name| keep(name));
        names.map(|name| Ok((name.clone(), self.read(name)?))).collect()
    }
}

/// Returns `true` if a path stays below the folder to which it is relative.
pub(crate) fn is_below(name: &str) -> bool {
    let normal = |part| matches!(part, std::path::Component::Normal(_));
    !name.is_empty() && Path::new(name).components().all(normal)
}

/// Refuses a name below a folder if a link leads to it: a file written there would be outside of the folder.
pub(super) fn refuse_links_to(folder: &Path, name: &str) -> Result<(), Error> {
    let parents = Path::new(name).ancestors().skip(1).filter(|parent| *parent != Path::new(""));
    let mut parents = parents.map(|parent| folder.join(parent));
    match parents.find(|parent| parent.is_symlink()) {
        Some(link) => Err(Error::NotAFolder(link)),
        None => Ok(()),
    }
}

/// The bytes of a file. A file that is too large is read up to a byte more than the limit, and the reader of its content refuses it.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
