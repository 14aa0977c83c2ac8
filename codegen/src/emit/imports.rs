//! The imports of a file, so that its items have short names.

use std::borrow::Cow;
use std::collections::BTreeSet;

use litemap::LiteMap;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::gather::Gather;
use crate::plan::{ItemPath, Package};
use crate::text::join;

/// The names of the prelude that files use, and their modules. A type of a group can have the same name: then the files
/// write the path.
const PRELUDE: [(&str, &str); 7] = [
    ("Box", "std::boxed"),
    ("Into", "std::convert"),
    ("IntoIterator", "std::iter"),
    ("Option", "std::option"),
    ("Result", "std::result"),
    ("String", "std::string"),
    ("Vec", "std::vec"),
];

/// Returns `true` for a name of the prelude that files use.
pub(super) fn is_in_prelude(name: &str) -> bool {
    PRELUDE.iter().any(|(known, _)| *known == name)
}

/// The imports of one file.
pub(super) struct Imports {
    root: String,
    own: ItemPath,
    /// The names by their module.
    used: LiteMap<String, BTreeSet<String>>,
    /// The module of each name.
    names: LiteMap<String, String>,
    /// A name that two modules have, of which both would be imported.
    clash: Option<String>,
}

impl Imports {
    /// The imports of the file of the type at `own`.
    pub(super) fn new(root: &str, own: &ItemPath) -> Self {
        let (root, own) = (root.to_owned(), own.clone());
        Self { root, own, used: LiteMap::new(), names: LiteMap::new(), clash: None }
    }

    /// Imports `name` from `module`, both of a library. Types with the same name that come later are written with their
    /// path.
    pub(super) fn library(&mut self, module: &str, name: &str) {
        match self.names.get(name) {
            Some(other) if other != module => self.clash = Some(name.to_owned()),
            Some(_) => {}
            None => {
                self.names.insert(name.to_owned(), module.to_owned());
            }
        }
        self.used.entry(module.to_owned()).or_default().insert(name.to_owned());
    }

    /// A name that would be imported from two modules, which no file can do.
    pub(super) fn clash(&self) -> Option<&str> {
        self.clash.as_deref()
    }

    /// Notes the name of an item of this file. Types with the same name are written with their path.
    pub(super) fn define(&mut self, name: &str) {
        self.names.insert(name.to_owned(), String::new());
    }

    /// A name of the prelude as this file writes it.
    pub(super) fn prelude_path(&self, name: &'static str) -> Cow<'static, str> {
        let shadowed = self.own.name == name;
        match PRELUDE.iter().find(|(known, _)| shadowed && *known == name) {
            Some((_, module)) => format!("{module}::{name}").into(),
            None => name.into(),
        }
    }

    /// The name of a type in this file: short if no other type has it, else the full path.
    pub(super) fn name(&mut self, path: &ItemPath) -> TokenStream {
        path_tokens(&self.path(path))
    }

    /// The name of a type in this file, as text.
    pub(super) fn path(&mut self, path: &ItemPath) -> String {
        if *path == self.own {
            return path.name.clone();
        }
        let module = self.module_of(path);
        let taken = path.name == self.own.name
            || is_in_prelude(&path.name)
            || self.names.get(&path.name).is_some_and(|other| *other != module);
        if taken {
            return format!("{module}::{}", path.name);
        }
        self.names.insert(path.name.clone(), module.clone());
        if self.is_own_module(path) {
            return path.name.clone();
        }
        self.used.entry(module).or_default().insert(path.name.clone());
        path.name.clone()
    }

    /// Returns `true` if the file is of a whole module, which has the type.
    fn is_own_module(&self, path: &ItemPath) -> bool {
        let own = &self.own;
        let is_module = own.name.is_empty() && !own.module.is_empty();
        is_module && own.module == path.module && own.package == path.package
    }

    /// A type with its module, for files that name types of several versions.
    pub(super) fn versioned(&mut self, path: &ItemPath) -> TokenStream {
        let root = match &path.package {
            Package::Shared(name) => name.clone(),
            Package::Generated | Package::External => self.root.clone(),
        };
        let folder = path.folder();
        if self.names.get(folder).is_some_and(|other| *other != root) {
            return self.absolute(path);
        }
        self.library(&root, folder);
        path_tokens(&format!("{}::{}", path.module, path.name))
    }

    /// The whole path of a type.
    pub(super) fn absolute(&self, path: &ItemPath) -> TokenStream {
        path_tokens(&self.absolute_path(path))
    }

    /// The whole path of a type, as text.
    pub(super) fn absolute_path(&self, path: &ItemPath) -> String {
        format!("{}::{}", self.module_of(path), path.name)
    }

    fn module_of(&self, path: &ItemPath) -> String {
        match &path.package {
            Package::External => path.module.clone(),
            Package::Shared(name) => format!("{name}::{}", path.module),
            Package::Generated if path.module.is_empty() => self.root.clone(),
            Package::Generated => format!("{}::{}", self.root, path.module),
        }
    }

    /// The `use` items, each in a line: the standard library, other crates, this crate.
    pub(super) fn lines(&self) -> String {
        let rank = |module: &str| match module.split("::").next() {
            Some("std") => 0,
            Some("crate" | "super") => 2,
            _ => 1,
        };
        let modules = self.used.iter().sorted_by_key(|(module, _)| (rank(module), *module));
        let line = |(module, names): (&String, &BTreeSet<String>)| {
            let all = join(names, ", ");
            if names.len() == 1 {
                format!("use {module}::{all};\n")
            } else {
                format!("use {module}::{{{all}}};\n")
            }
        };
        modules.into_iter().map(line).collect()
    }
}

/// A path such as `a::b::C`.
fn path_tokens(path: &str) -> TokenStream {
    let parts = path.split("::").map(|part| format_ident!("{part}"));
    quote!(#(#parts)::*)
}
