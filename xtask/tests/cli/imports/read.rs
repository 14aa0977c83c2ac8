//! The files of a package, and the items that each of them takes from the others.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree, Visibility};

use super::methods::{Caller, Methods};

/// The texts of a package's files, by their paths in `src`.
pub(super) type Files = BTreeMap<String, String>;

/// For each file, the others that it imports from, with the items.
pub(super) type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Names one inside the other, such as those of modules from the root.
pub(super) type Path = Vec<String>;

/// Reads the files from a root, such as `lib.rs`. Tests and generated code do not count. Methods of `recursive` types may call each
/// other over several files.
pub(super) fn imports(files: &Files, root: &str, recursive: &[&str]) -> Imports {
    Tree::read(files, root).imports(recursive)
}

/// The paths that the code of each file imports or writes, with the file.
pub(super) fn paths(files: &Files, root: &str) -> BTreeSet<(String, Path)> {
    let Tree { modules, mentions, .. } = Tree::read(files, root);
    let file =
        |module: &Path| modules.get(module).map_or_else(String::new, |module| module.file.clone());
    let mentioned = mentions.iter().map(|(module, path)| (file(module), path.clone()));
    let imported = modules.values().flat_map(|module| {
        let used = module.uses.values().map(|(path, _)| path).chain(&module.globs);
        used.map(|path| (module.file.clone(), path.clone()))
    });
    mentioned.chain(imported).collect()
}

/// The modules of a package.
struct Tree<'f> {
    files: &'f Files,
    modules: BTreeMap<Path, Module>,
    /// The paths in the code of each module.
    mentions: BTreeSet<(Path, Path)>,
    methods: Methods,
}

/// A module of a file, which can have several.
#[derive(Default)]
struct Module {
    file: String,
    /// The items that it defines.
    items: BTreeSet<String>,
    /// The names that it imports: the path, and whether it only passes the name on.
    uses: BTreeMap<String, (Path, bool)>,
    /// The modules whose names it imports all.
    globs: Vec<Path>,
}

impl<'f> Tree<'f> {
    fn read(files: &'f Files, root: &str) -> Self {
        let mut tree = Self {
            files,
            modules: BTreeMap::new(),
            mentions: BTreeSet::new(),
            methods: Methods::default(),
        };
        tree.read_file(root, &Path::new());
        tree
    }

    fn read_file(&mut self, file: &str, module: &Path) {
        let text = self.files.get(file).map_or("", String::as_str);
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
        self.read_items(&syntax.items, file, module);
    }

    fn read_items(&mut self, items: &[Item], file: &str, module: &Path) {
        let own = self.modules.entry(module.clone()).or_default();
        file.clone_into(&mut own.file);
        for item in items.iter().filter(|item| !is_test(attributes(item))) {
            self.methods.define(item, module);
            let caller = Caller::new(item, module);
            let mut reader = Reader { module, caller, tree: self };
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.unraw().to_string();
                    let path = joined(module, [name.clone()]);
                    match &inner.content {
                        Some((_, items)) => self.read_items(items, file, &path),
                        None => self.read_module(file, &name, &path),
                    }
                }
                Item::Use(item) => reader.visit_item_use(item),
                item => {
                    reader.visit_item(item);
                    reader.tokens(item.to_token_stream());
                    self.define(item, module);
                }
            }
        }
    }

    /// Reads the file of a module that another file declares.
    fn read_module(&mut self, file: &str, name: &str, path: &Path) {
        let (folder, stem) = file.rsplit_once('/').unwrap_or(("", file));
        let stem = stem.trim_end_matches(".rs");
        let is_head = ["lib", "main", "mod"].contains(&stem);
        let folders = [folder, if is_head { "" } else { stem }, name];
        let inside = folders.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        let inside = inside.join("/");
        let candidates = [format!("{inside}.rs"), format!("{inside}/mod.rs")];
        let found = candidates.into_iter().find(|found| self.files.contains_key(found));
        if let Some(found) = found {
            self.read_file(&found, path);
        }
    }

    fn define(&mut self, item: &Item, module: &Path) {
        let Some(name) = name_of(item) else { return };
        let is_exported =
            attributes(item).iter().any(|attribute| attribute.path().is_ident("macro_export"));
        if is_exported && !module.is_empty() {
            // Its name is one of the root.
            let path = joined(&["crate".to_owned()], module.iter().cloned());
            let root = self.modules.entry(Path::new()).or_default();
            root.uses.insert(name.clone(), (joined(&path, [name.clone()]), true));
        }
        self.modules.entry(module.clone()).or_default().items.insert(name);
    }

    /// The file that defines what a path names from a module, and the name there. `None` for a module, and for what is of another
    /// package.
    pub(super) fn find(
        &self,
        module: &Path,
        path: &[String],
        depth: usize,
    ) -> Option<(&str, String)> {
        let (first, rest) = path.split_first()?;
        if depth > 20 {
            return None;
        }
        match first.as_str() {
            "crate" => return self.find_below(&Path::new(), rest, depth),
            "self" => return self.find_below(module, rest, depth),
            "super" => {
                let (_, above) = module.split_last()?;
                return match rest.first().map(String::as_str) {
                    Some("super") => self.find(&above.to_vec(), rest, depth),
                    _ => self.find_below(&above.to_vec(), rest, depth),
                };
            }
            _ => {}
        }
        self.find_below(module, path, depth)
    }

    /// As [`find`](Self::find), for the names in a module.
    fn find_below(&self, module: &Path, path: &[String], depth: usize) -> Option<(&str, String)> {
        let (first, rest) = path.split_first()?;
        let child = joined(module, [first.clone()]);
        if !rest.is_empty() && self.modules.contains_key(&child) {
            return self.find_below(&child, rest, depth + 1);
        }
        let own = self.modules.get(module)?;
        if own.items.contains(first) {
            return Some((&own.file, first.clone()));
        }
        if let Some((target, _)) = own.uses.get(first) {
            let target = joined(target, rest.iter().cloned());
            return self.find(module, &target, depth + 1);
        }
        own.globs.iter().find_map(|glob| {
            let target = joined(glob, path.iter().cloned());
            self.find(module, &target, depth + 1)
        })
    }

    fn imports(&self, recursive: &[&str]) -> Imports {
        let files = self.modules.values().map(|module| (module.file.clone(), BTreeMap::new()));
        let mut imports: Imports = files.collect();
        let mut insert = |own: &str, other: &str, item: String| {
            if other != own {
                let others = imports.entry(own.to_owned()).or_default();
                others.entry(other.to_owned()).or_default().insert(item);
            }
        };
        let find = |module: &Path, path: &[String]| self.find(module, path, 0);
        let file = |module: &Path| self.file(module);
        for (own, other, item) in self.methods.imports(&self.mentions, &find, &file, recursive) {
            insert(file(&own), file(&other), item);
        }
        let mut add = |module: &Path, path: &Path| {
            if let Some((other, item)) = find(module, path) {
                insert(file(module), other, item);
            }
        };
        for (path, module) in &self.modules {
            let taken = module.uses.values().filter(|(_, passes_on)| !passes_on);
            taken.for_each(|(used, _)| add(path, used));
        }
        self.mentions.iter().for_each(|(module, path)| add(module, path));
        imports
    }

    /// The file of a module.
    fn file<'s>(&'s self, module: &Path) -> &'s str {
        self.modules.get(module).map_or("", |module| module.file.as_str())
    }
}

/// Reads the code of a module.
struct Reader<'r, 'f> {
    module: &'r Path,
    caller: Caller,
    tree: &'r mut Tree<'f>,
}

impl Visit<'_> for Reader<'_, '_> {
    /// Also a `use` in a function.
    fn visit_item_use(&mut self, item: &ItemUse) {
        let passes_on = !matches!(item.vis, Visibility::Inherited);
        self.read_use(&item.tree, &Path::new(), passes_on);
        visit::visit_item_use(self, item);
    }
}

impl Reader<'_, '_> {
    fn read_use(&mut self, tree: &UseTree, before: &Path, passes_on: bool) {
        let own = self.tree.modules.entry(self.module.clone()).or_default();
        match tree {
            UseTree::Path(path) => {
                let before = joined(before, [path.ident.unraw().to_string()]);
                self.read_use(&path.tree, &before, passes_on);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.read_use(tree, before, passes_on));
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = before.last() {
                    own.uses.insert(last.clone(), (before.clone(), passes_on));
                }
            }
            UseTree::Name(name) => {
                let name = name.ident.unraw().to_string();
                own.uses.insert(name.clone(), (joined(before, [name]), passes_on));
            }
            UseTree::Rename(renamed) => {
                let path = joined(before, [renamed.ident.unraw().to_string()]);
                own.uses.insert(renamed.rename.unraw().to_string(), (path, passes_on));
            }
            UseTree::Glob(_) => own.globs.push(before.clone()),
        }
    }

    /// Notes the paths among tokens, also those that are arguments of macros. Code that is quoted is of other packages.
    fn tokens(&mut self, tokens: TokenStream) {
        const QUOTES: [&str; 3] = ["parse_quote", "quote", "quote_spanned"];
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            let begin = at;
            at += 1;
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => {
                    let path = path_from(&trees, begin);
                    at += 3 * (path.len() - 1);
                    let is_quoted = path.last().is_some_and(|last| QUOTES.contains(&last.as_str()));
                    if is_quoted && is_mark(&trees, at, '!') {
                        at += 2;
                        continue;
                    }
                    // One name alone can be that of a variable, unless it is called or begins with a capital.
                    let is_item = path.len() > 1
                        || is_mark(&trees, at, '!')
                        || matches!(trees.get(at), Some(TokenTree::Group(_)))
                        || name.to_string().starts_with(|first: char| first.is_uppercase());
                    if is_item && !is_member(&trees, begin) {
                        let path = self.caller.named(path);
                        self.tree.mentions.insert((self.module.clone(), path));
                    } else if is_method(&trees, begin) && is_called(&trees, at) {
                        let is_own = is_of_self(&trees, begin);
                        self.tree.methods.call(&self.caller, is_own, &name.unraw().to_string());
                    }
                }
                _ => {}
            }
        }
    }
}

/// The path that begins with the name at an index: names with `::` between them.
fn path_from(trees: &[TokenTree], at: usize) -> Path {
    let mut path = Path::new();
    let mut rest = trees.get(at..).unwrap_or_default();
    while let [TokenTree::Ident(name), after @ ..] = rest {
        path.push(name.unraw().to_string());
        rest = match after {
            [TokenTree::Punct(first), TokenTree::Punct(second), next @ ..]
                if first.as_char() == ':' && second.as_char() == ':' =>
            {
                next
            }
            _ => break,
        };
    }
    path
}

fn is_mark(trees: &[TokenTree], at: usize, mark: char) -> bool {
    matches!(trees.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Returns `true` for the name of a field or a method, and for the name that a function gets.
fn is_member(trees: &[TokenTree], at: usize) -> bool {
    match at.checked_sub(1).and_then(|before| trees.get(before)) {
        Some(TokenTree::Ident(before)) => before == "fn",
        _ => is_method(trees, at),
    }
}

/// Returns `true` for the name of a field or a method.
fn is_method(trees: &[TokenTree], at: usize) -> bool {
    let is_dot = |before: usize| at >= before && is_mark(trees, at - before, '.');
    is_dot(1) && !is_dot(2)
}

/// Returns `true` if a call follows, also one with stated types.
fn is_called(trees: &[TokenTree], at: usize) -> bool {
    match trees.get(at) {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        _ => is_mark(trees, at, ':') && is_mark(trees, at + 2, '<'),
    }
}

/// Returns `true` for a member of `self`.
fn is_of_self(trees: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(2).and_then(|before| trees.get(before));
    matches!(before, Some(TokenTree::Ident(before)) if before == "self")
}

fn joined(path: &[String], more: impl IntoIterator<Item = String>) -> Path {
    path.iter().cloned().chain(more).collect()
}

pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        text == "cfg (test)" || text.starts_with("cfg (all (test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name that an item defines.
fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.unraw().to_string())
}
