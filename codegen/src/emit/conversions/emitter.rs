//! What all files of a kind are made from.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{MODULE, idents};
use crate::conversion::{KindConversion, KindVersion};
use crate::emit::file::{Output, SourceFile};
use crate::emit::types::stem;
use crate::input::toml_file::RuleFile;
use crate::plan::{Plan, RustType};
use crate::rules::KindRule;

/// The input of the files of a kind.
pub(super) struct Emitter<'a> {
    pub(super) kind: &'a KindConversion,
    pub(super) plan: &'a Plan,
}

impl Emitter<'_> {
    /// Adds a file that is made from the schemas of these versions.
    pub(super) fn add(
        &self,
        output: &mut Output<'_>,
        name: &str,
        versions: &[&KindVersion],
        emit: impl FnOnce(&Self, &mut SourceFile),
    ) {
        let mut file = output.file();
        for version in versions {
            file.source(&version.schema);
        }
        file.rules(KindRule::PATH);
        emit(self, &mut file);
        let folder = stem(&self.kind.name);
        output.add(&format!("{MODULE}/{folder}/{name}.rs"), file);
    }

    /// The derives of `Eq` and `Hash`, if all these types have them.
    pub(super) fn eq<'t>(
        &self,
        mut types: impl Iterator<Item = &'t RustType>,
    ) -> Option<TokenStream> {
        types.all(|rust_type| self.plan.is_eq(rust_type)).then(|| quote!(Eq, Hash))
    }

    /// The type of the policies, imported.
    pub(super) fn policies(&self, file: &mut SourceFile) -> TokenStream {
        if self.kind.policies.is_empty() {
            return quote!(());
        }
        let [.., name] = idents(self.kind);
        file.imports.library("super", &name.to_string());
        quote!(#name)
    }
}
