//! The types of kinds for readers: declarations and docs, without the code that decodes, encodes and builds them.

use std::collections::BTreeSet;

use litemap::LiteMap;

use super::EmitOptions;
use super::file::Output;
use super::{open_enums, structs};
use crate::gather::Gather;
use crate::model::Scope;
use crate::plan::{ItemPath, ObjectRole, OpenEnum, Plan, Struct};
use crate::{Files, Problems};

/// The declarations of the types of some kinds, for each module that has any of them. A type follows the type of which it is a field.
///
/// # Errors
/// Text that is not Rust, which would be a mistake of this generator.
pub(crate) fn excerpts(plan: &Plan, kinds: &[&Struct]) -> Result<Files, Problems> {
    let options = EmitOptions { root: "crate".to_owned(), command: String::new(), shared: None };
    let mut modules: LiteMap<&str, Vec<&Struct>> = LiteMap::new();
    for kind in kinds {
        modules.entry(&kind.path.module).or_default().push(kind);
    }
    let types = Types::new(plan);
    let mut output = Output::new(&options);
    for (module, kinds) in modules {
        let mut file = output.excerpt(module, kinds.iter().map(|kind| header(kind)).collect());
        let all = types.below(&kinds);
        // A type of the module keeps its short name, whichever comes first.
        for own in all.iter().map(|declared| declared.path()).filter(|path| path.module == module) {
            file.imports.path(own);
        }
        for one in all {
            match one {
                Declared::Struct(planned) => {
                    let declaration = structs::declaration(planned, "", &mut file.imports);
                    file.line_items(declaration);
                }
                Declared::Enum(open_enum) => {
                    file.item(open_enums::declaration(open_enum, &open_enum.docs));
                }
            }
        }
        output.add(module, file);
    }
    output.finish()
}

/// The comment that names a kind: `// example.com/v1 Widget, in namespaces`.
fn header(kind: &Struct) -> String {
    let Some(object) = &kind.object else { return String::new() };
    let scope = match &object.role {
        ObjectRole::Resource { scope: Scope::Namespaced, .. } => ", in namespaces",
        ObjectRole::Resource { scope: Scope::Cluster, .. } => ", in the cluster",
        _ => "",
    };
    format!("// {} {}{scope}\n", object.gvk.api_version(), object.gvk.kind)
}

/// A type that a package declares.
#[derive(Clone, Copy)]
enum Declared<'p> {
    Struct(&'p Struct),
    Enum(&'p OpenEnum),
}

impl<'p> Declared<'p> {
    fn path(self) -> &'p ItemPath {
        match self {
            Self::Struct(planned) => &planned.path,
            Self::Enum(open_enum) => &open_enum.path,
        }
    }
}

/// The types of a plan by their paths.
struct Types<'p>(LiteMap<&'p ItemPath, Declared<'p>>);

impl<'p> Types<'p> {
    fn new(plan: &'p Plan) -> Self {
        let structs = plan.structs().map(Declared::Struct);
        let enums = plan.open_enums.iter().map(Declared::Enum);
        Self(structs.chain(enums).map(|planned| (planned.path(), planned)).gather())
    }

    /// The types of these kinds and of their fields, each once. Types that all groups share are in the docs of `k8s-versioned`.
    fn below(&self, kinds: &[&'p Struct]) -> Vec<Declared<'p>> {
        let (mut seen, mut ordered) = (BTreeSet::new(), Vec::new());
        let mut next: Vec<&ItemPath> = kinds.iter().rev().map(|kind| &kind.path).collect();
        while let Some(path) = next.pop() {
            let declared = self.0.get(path).filter(|_| !path.is_shared() && seen.insert(path));
            let Some(declared) = declared else { continue };
            ordered.push(*declared);
            if let Declared::Struct(planned) = declared {
                next.extend(planned.fields.iter().rev().filter_map(|field| field.rust_type.held()));
            }
        }
        ordered
    }
}
