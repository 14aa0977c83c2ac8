//! Schemas that judge the objects of a package without its types: the definitions, and the documents in JSON.

use k8s_versioned_core::Release;

use super::Sources;
use super::crd::{self, PackageDefinition};
use crate::spec::Document;
use crate::{Files, Problems};

/// The definitions and documents of the kinds of a package, as servers have them.
#[derive(Debug)]
pub struct Published {
    /// The definitions, each with its release if it is in the folder of one.
    pub definitions: Vec<(Option<Release>, PackageDefinition)>,
    /// Whether the releases are those of a product.
    pub of_product: bool,
    /// The documents as servers publish them, by release and name.
    pub documents: Files,
}

impl Published {
    /// Reads the files of a `specs/` folder.
    ///
    /// # Errors
    /// All problems of the files.
    pub fn of_package(specs: &Files) -> Result<Self, Problems> {
        let mut sources = Sources::with_definitions(specs)?;
        let (definitions, of_product) =
            (sources.take_definitions(), sources.group.product.is_some());
        let mut documents = specs.clone();
        documents.retain(|path, _| !crd::is_manifest(path));
        // The others are in JSON already.
        sources.retain(|release, name| !documents.contains_key(&format!("{release}/{name}")));
        documents.extend(sources.documents(specs)?.documents.iter().map(published));
        Ok(Self { definitions, of_product, documents })
    }

    /// Reads definitions in files of YAML or JSON.
    ///
    /// # Errors
    /// All definitions that cannot be read, or that make no types.
    pub fn of_definitions(files: &Files) -> Result<Self, Problems> {
        let (documents, definitions) = crd::documents_and_definitions(files, true, &[])?;
        let documents = documents.iter().map(published).collect();
        let definitions = definitions.into_iter().map(|definition| (None, definition)).collect();
        Ok(Self { definitions, of_product: false, documents })
    }
}

/// The path of a document, and its text as a server publishes it.
fn published(document: &Document) -> (String, Vec<u8>) {
    let path = format!("{}/{}", document.release, document.name);
    (path, crd::schemas_of(document).to_string().into_bytes())
}
