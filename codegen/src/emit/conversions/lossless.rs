//! `From`, for the types that are declared to be the same. It is implemented for none of the others, in a form in which
//! the compiler names the other ways.

use quote::quote;

use super::pair::Written;
use super::runtime;
use crate::conversion::KindConversion;
use crate::emit::file::SourceFile;
use crate::plan::ItemPath;

/// The types that need an implementation.
pub(super) fn types(kind: &KindConversion, written: &mut Written) -> Vec<ItemPath> {
    let pairs = kind.pairs.iter();
    let targets = pairs.flat_map(|pair| {
        let parts = pair.object.inner().into_iter();
        let parts = parts.map(|(_, part)| part.to.clone());
        std::iter::once(pair.object.to.clone()).chain(parts)
    });
    let mut types: Vec<ItemPath> = targets.filter(|path| written.needs_from(path)).collect();
    types.sort();
    types
}

pub(super) fn emit(types: &[ItemPath], file: &mut SourceFile) {
    file.docs(
        "`From` exists for the types that the rules declare to be the same, and for no others.",
    );
    runtime("LosslessFrom", file);
    for path in types {
        let target = file.imports.versioned(path);
        file.item(quote! {
            impl<S> From<S> for #target
            where
                Self: LosslessFrom<S>,
            {
                fn from(source: S) -> Self {
                    Self::lossless_from(source)
                }
            }
        });
    }
}
