//! Calls of methods, as imports: of the file that defines the method.
//!
//! A method of `self` or of a named type is known exactly. What another receiver is, only the compiler knows: there a method counts
//! if it is in another file than its type, and no other type of the package, and none of the standard library, has a method of its name.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{ImplItem, Item, TraitItem, Type, Visibility};

use super::read::{Path, is_test};

/// Methods of the standard library that a type of this workspace has too.
const OF_STD: [&str; 2] = ["collect", "flatten"];

/// The methods of a package, and their calls.
#[derive(Default)]
pub(super) struct Methods {
    /// Each block of inherent methods: its module, the path of its type there, and the methods.
    blocks: Vec<(Path, Path, Vec<Method>)>,
    /// The names of all methods, once for each type or trait that has one.
    names: Vec<String>,
    calls: BTreeSet<Call>,
}

/// A method that a type or a trait defines.
struct Method {
    name: String,
    /// The module in which it can be called.
    scope: Path,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    module: Path,
    /// The type whose method calls; empty for a function.
    caller: Path,
    /// The receiver is `self`.
    is_own: bool,
    name: String,
}

/// The code that calls.
pub(super) struct Caller {
    module: Path,
    /// The path of its type; empty for a function.
    of: Path,
}

impl Caller {
    pub(super) fn new(item: &Item, module: &Path) -> Self {
        let of = if let Item::Impl(item) = item { type_path(&item.self_ty) } else { Path::new() };
        Self { module: module.clone(), of }
    }

    /// A path with the name of the type instead of `Self`.
    pub(super) fn named(&self, path: Path) -> Path {
        match path.split_first() {
            Some((first, rest)) if first == "Self" && !self.of.is_empty() => {
                self.of.iter().chain(rest).cloned().collect()
            }
            _ => path,
        }
    }
}

impl Methods {
    /// Notes the methods that an item defines.
    pub(super) fn define(&mut self, item: &Item, module: &Path) {
        match item {
            Item::Impl(block) => {
                let methods = block.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(method) if !is_test(&method.attrs) => Some(Method {
                        name: method.sig.ident.unraw().to_string(),
                        scope: scope(&method.vis, module),
                    }),
                    _ => None,
                });
                let methods: Vec<Method> = methods.collect();
                self.names.extend(methods.iter().map(|method| method.name.clone()));
                if block.trait_.is_none() {
                    self.blocks.push((module.clone(), type_path(&block.self_ty), methods));
                }
            }
            Item::Trait(item) => {
                let methods = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => Some(method.sig.ident.unraw().to_string()),
                    _ => None,
                });
                self.names.extend(methods);
            }
            _ => {}
        }
    }

    /// Notes a call.
    pub(super) fn call(&mut self, caller: &Caller, is_own: bool, name: &str) {
        let (module, of) = (caller.module.clone(), caller.of.clone());
        self.calls.insert(Call { module, caller: of, is_own, name: name.to_owned() });
    }

    /// The modules that call methods, those that define them, and the methods. `mentions` are the paths in the code of each module,
    /// `find` gives the file and the name of a path, and `file` the file of a module. A method of a `recursive` type may call the others.
    pub(super) fn imports<'f>(
        &self,
        mentions: &BTreeSet<(Path, Path)>,
        find: &impl Fn(&Path, &[String]) -> Option<(&'f str, String)>,
        file: &impl Fn(&Path) -> &'f str,
        recursive: &[&str],
    ) -> Vec<(Path, Path, String)> {
        let mut by_type: BTreeMap<_, BTreeMap<&str, &Path>> = BTreeMap::new();
        let mut by_name: BTreeMap<&str, (&Path, &Path, String)> = BTreeMap::new();
        for (module, of, methods) in &self.blocks {
            let Some(found) = find(module, of) else { continue };
            let is_beside = file(module) == found.0;
            for Method { name, scope } in methods {
                if !is_beside {
                    by_name.insert(name, (module, scope, found.1.clone()));
                }
                by_type.entry(found.clone()).or_default().insert(name, module);
            }
        }
        by_name.retain(|name, _| {
            self.names.iter().filter(|other| other == name).count() == 1 && !OF_STD.contains(name)
        });
        let of_type = |module: &Path, of: &[String], name: &str| {
            let found = find(module, of)?;
            let is_recursive = recursive.contains(&found.1.as_str());
            let definition = by_type.get(&found)?.get(name).filter(|_| !is_recursive)?;
            Some((module.clone(), (*definition).clone(), format!("{}::{name}", found.1)))
        };
        let called = self.calls.iter().filter_map(|Call { module, caller, is_own, name }| {
            if *is_own {
                return of_type(module, caller, name);
            }
            let (definition, scope, of) = by_name.get(name.as_str())?;
            let is_visible = module.starts_with(scope);
            is_visible.then(|| (module.clone(), (*definition).clone(), format!("{of}::{name}")))
        });
        let named = mentions.iter().filter_map(|(module, path)| {
            let (name, of) = path.split_last()?;
            of_type(module, of, name)
        });
        called.chain(named).collect()
    }
}

/// The path of a type: empty if it has none.
fn type_path(of: &Type) -> Path {
    match of {
        Type::Path(of) => {
            of.path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect()
        }
        Type::Reference(of) => type_path(&of.elem),
        _ => Path::new(),
    }
}

/// The module in which an item of a module can be named.
fn scope(visibility: &Visibility, module: &Path) -> Path {
    let words = visibility.to_token_stream().to_string();
    match words.as_str() {
        "" => module.clone(),
        "pub (super)" => module.split_last().map_or_else(Path::new, |(_, above)| above.to_vec()),
        _ => Path::new(),
    }
}
