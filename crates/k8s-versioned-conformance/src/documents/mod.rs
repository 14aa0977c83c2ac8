//! The `OpenAPI` v3 documents of the releases.
//!
//! Each release has a folder, with files named as in the source tree of Kubernetes:
//!
//! ```text
//! <release>/apis__<group>__<version>_openapi.json
//! <release>/apis__<group>_openapi.json            the list of the group's versions
//! <release>/api__v1_openapi.json                  the core group
//! ```
//!
//! What servers publish for `CustomResourceDefinition`s follows from these: `<release>/<name>.yaml` is of a release,
//! and other files of YAML are of any release. Those in `definitions/` count if there is nothing else.

mod definitions;
mod document;
mod error;
#[cfg(feature = "jsonschema")]
mod fields;
mod kinds;
#[cfg(feature = "jsonschema")]
mod schemas;

use std::collections::BTreeMap;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

#[cfg(feature = "jsonschema")]
use k8s_versioned::TypeMeta;
use k8s_versioned::resource_path::ResourcePath;
use k8s_versioned::{Release, StrictValue};
#[cfg(feature = "jsonschema")]
use k8s_versioned_core::findings::{Finding, Severity};
use serde_json::Value;
use walkdir::WalkDir;

pub(crate) use document::Document;
pub use error::DocumentError;
#[cfg(feature = "jsonschema")]
use fields::UnknownField;
pub(crate) use kinds::kinds;
#[cfg(feature = "jsonschema")]
pub(crate) use schemas::{Schema, Violation};

use crate::examination::Inapplicable;
use crate::recordings::{Recording, read_text};
use definitions::Published;

/// The `OpenAPI` documents of one or more releases.
///
/// Checks that need a document do not apply without it.
#[derive(Debug, Default)]
pub struct Documents {
    documents: BTreeMap<Key, Document>,
    definitions: Definitions,
}

/// The release and the beginning of the name. Definitions without a release are of any release.
type Key = (Option<Release>, String);

/// The release and the name of a definition, such as `widgets.example.com`.
pub(crate) type DefinitionKey = (Option<Release>, String);

type Definitions = BTreeMap<DefinitionKey, Value>;

/// Documents as they are read, each with the path of its file.
pub(crate) type Sources = BTreeMap<Key, (PathBuf, Value)>;

impl Documents {
    /// Reads the documents of all releases in a folder, such as `specs` of a generated package, and the documents that
    /// servers publish for its `CustomResourceDefinition`s.
    ///
    /// Other files and folders are skipped.
    ///
    /// # Errors
    ///
    /// A folder or a file cannot be read, a file is not an `OpenAPI` document, or a definition is not YAML.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, DocumentError> {
        let (sources, definitions) = read(folder.as_ref(), &read_files(folder.as_ref())?)?;
        Ok(Self::new(sources, definitions))
    }

    /// Reads the documents and definitions of a map. Its keys are paths as in a folder: the release, `/`, and the name of
    /// the file. Other files are skipped.
    ///
    /// # Errors
    ///
    /// A file is not an `OpenAPI` document, or a definition is not YAML.
    pub fn parse(files: &BTreeMap<String, Vec<u8>>) -> Result<Self, DocumentError> {
        let (sources, definitions) = read(Path::new(""), files)?;
        Ok(Self::new(sources, definitions))
    }

    fn new(sources: Sources, definitions: Definitions) -> Self {
        let documents = sources.into_iter();
        let documents = documents.map(|(key, (path, value))| (key, Document::new(path, value)));
        Self { documents: documents.collect(), definitions }
    }

    /// Returns `true` if there are definitions of custom resources.
    pub(crate) fn have_definitions(&self) -> bool {
        !self.definitions.is_empty()
    }

    /// The definition of a resource in a release.
    pub(crate) fn definition(
        &self,
        release: Release,
        group: &str,
        plural: &str,
    ) -> Option<(&DefinitionKey, &Value)> {
        let name = format!("{plural}.{group}");
        let of = |release| self.definitions.get_key_value(&(release, name.clone()));
        of(Some(release)).or_else(|| of(None))
    }

    /// Validates an object of a file against the schema of its kind, as the check `schema` does for what servers send: in the
    /// documents of a release, or of the newest one that has the kind. The identifier of these findings is `not-of-schema`.
    ///
    /// A custom resource also needs a name. Servers check more: rules in CEL and the form of names are not checked, nor are
    /// defaults added.
    /// [`unknown_fields`](Self::unknown_fields) has what a schema does not name.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use k8s_versioned_conformance::Documents;
    /// use serde_json::json;
    ///
    /// let document = json!({"openapi": "3.0.0", "paths": {}, "components": {"schemas": {"com.example.v1.Widget": {
    ///     "type": "object",
    ///     "properties": {"size": {"type": "integer", "minimum": 1}},
    ///     "x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "Widget", "version": "v1"}],
    /// }}}});
    /// let name = "v1.36/apis__example.com__v1_openapi.json".to_owned();
    /// let documents = Documents::parse(&BTreeMap::from([(name, document.to_string().into_bytes())]))?;
    /// let widget = json!({"apiVersion": "example.com/v1", "kind": "Widget", "size": 0});
    /// let findings = documents.validate(None, "widget.yaml", &widget);
    /// assert_eq!(
    ///     findings[0].to_string(),
    ///     "error[not-of-schema]: widget.yaml at size: value is less than the minimum of 1; found 0\n"
    /// );
    /// # Ok::<(), k8s_versioned_conformance::DocumentError>(())
    /// ```
    #[cfg(feature = "jsonschema")]
    pub fn validate(&self, release: Option<Release>, file: &str, object: &Value) -> Vec<Finding> {
        let error = |id: &'static str, message| Finding::new(Severity::Error, id, file, message);
        let schema = self.schema(release, object);
        let Some(schema) = schema else {
            return vec![match TypeMeta::of(object) {
                Err(reason) => error("unknown-kind", reason.to_string()),
                Ok(of) => {
                    error("unknown-kind", format!("no document has {} {}", of.api_version, of.kind))
                }
            }];
        };
        let violations = match schema.violations(object) {
            Ok(violations) => violations,
            Err(reason) => {
                let message = format!("the schema {} cannot be used: {reason}", schema.name());
                return vec![error("unusable-schema", message)];
            }
        };
        let finding = |it: Violation| {
            let message = format!("{}; found {}", it.message, it.found);
            let finding = error("not-of-schema", message);
            at(finding, &field_path(object, &it.pointer))
        };
        let named = |member| {
            let name = object.get("metadata").and_then(|object| object.get(member));
            name.is_some_and(|name| !name.is_null() && name != "")
        };
        let no_name = schema.needs_name() && !named("name") && !named("generateName");
        let no_name = no_name.then(|| {
            at(error("not-of-schema", "name or generateName is required".into()), "metadata.name")
        });
        violations.into_iter().map(finding).chain(no_name).collect()
    }

    /// The fields of an object that the schema of its kind lacks: servers reject the object or drop these fields. The
    /// result is empty for a schema that keeps unknown fields and for a kind without a schema.
    #[cfg(feature = "jsonschema")]
    pub fn unknown_fields(
        &self,
        release: Option<Release>,
        file: &str,
        object: &Value,
    ) -> Vec<Finding> {
        let schema = self.schema(release, object);
        let unknown = schema.map(|schema| schema.unknown_fields(object));
        let finding = |UnknownField { path, near }| {
            let message = "not a field of this version: a server refuses the object";
            let mut finding = Finding::new(Severity::Error, "unknown-field", file, message);
            finding.hint = near.map(|near| format!("did you mean `{near}`?").into());
            at(finding, &path)
        };
        unknown.into_iter().flatten().map(finding).collect()
    }

    /// The schema of an object in the documents of a release, or of the newest one that has the kind.
    #[cfg(feature = "jsonschema")]
    fn schema(&self, release: Option<Release>, object: &Value) -> Option<&Schema> {
        let mut documents = self.documents.iter().rev();
        // A definition without a release is of any release.
        let of_release = |of: &Option<Release>| release.is_none() || of.is_none() || release == *of;
        documents
            .find_map(|((of, _), document)| document.schema_of(object).filter(|_| of_release(of)))
    }

    /// The document that describes the request of a recording, or the reason why there is none.
    pub(crate) fn for_recording(&self, recording: &Recording) -> Result<&Document, Inapplicable> {
        let exchange = recording.exchange().ok_or("not an exchange")?;
        let path = ResourcePath::parse(&exchange.request.path).ok_or("not a path of an API")?;
        let stem = stem(&path);
        let release = recording.path.release;
        let of = |release| self.documents.get(&(release, stem.clone()));
        let document = of(Some(release)).or_else(|| of(None));
        document.ok_or_else(|| format!("no document of {release} for it").into())
    }
}

/// Sets the field of a finding.
#[cfg(feature = "jsonschema")]
fn at(mut finding: Finding, path: &str) -> Finding {
    path.clone_into(&mut finding.path);
    finding.at(path)
}

/// The path of a field, as servers write it.
#[cfg(feature = "jsonschema")]
fn field_path(object: &Value, pointer: &str) -> String {
    let (mut path, mut value) = (String::new(), Some(object));
    for step in pointer.split('/').skip(1) {
        let name = k8s_versioned_core::pointer::unescaped(step);
        if value.is_some_and(Value::is_array) {
            path = format!("{path}[{name}]");
            value = name.parse().ok().and_then(|index: usize| value?.get(index));
        } else {
            path = k8s_versioned::field::join(&path, &name);
            value = value.and_then(|value| value.get(&*name));
        }
    }
    path
}

/// The end of the name of a document.
const SUFFIX: &str = "_openapi.json";

/// The release in whose folder a file is, and the rest of the name.
fn of_release(name: &str) -> (Option<Release>, &str) {
    let (folder, rest) = name.split_once('/').unwrap_or(("", name));
    (folder.parse().ok(), rest)
}

/// Reads the documents of a folder, and those that servers publish for its definitions.
pub(crate) fn load(folder: &Path) -> Result<Sources, DocumentError> {
    read(folder, &read_files(folder)?).map(|(sources, _)| sources)
}

/// The documents and definitions in a folder, as text.
fn read_files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, DocumentError> {
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(folder).follow_links(true) {
        let path = entry.map_err(DocumentError::walking)?.into_path();
        let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
        if let Some(name) = name.filter(|name| is_document(name) || is_definition(name)) {
            let text = read_text(&path);
            let text = text.map_err(|reason| DocumentError::File { path: path.clone(), reason });
            files.insert(name.replace(MAIN_SEPARATOR, "/"), text?.into_bytes());
        }
    }
    Ok(files)
}

/// Reads the files of a folder. The keys are their paths in it, with `/`.
fn read(
    folder: &Path,
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<(Sources, Definitions), DocumentError> {
    let is_carried = |name: &str| name.starts_with("definitions/");
    let is_other = |name: &String| is_document(name) || is_definition(name) && !is_carried(name);
    let has_others = files.keys().any(is_other);
    let (mut documents, mut all) = (Sources::new(), Definitions::new());
    let mut published: BTreeMap<Key, (PathBuf, Published)> = BTreeMap::new();
    for (name, text) in files {
        let (release, file) = of_release(name);
        let path = folder.join(name);
        if is_document(name) {
            let stem = file.trim_end_matches(SUFFIX).to_owned();
            let document = serde_json::from_slice::<StrictValue>(text)
                .map_err(|reason| DocumentError::Syntax { path: path.clone(), reason })?;
            documents.insert((release, stem), (path, document.into_inner()));
        } else if is_definition(name) && !(has_others && is_carried(name)) {
            let read = definitions::read(&path, text)?;
            for (stem, definition, version) in definitions::versions(&read) {
                let new = || (path.clone(), Published::default());
                let (_, published) = published.entry((release, stem)).or_insert_with(new);
                published.add(definition, version);
            }
            let named = definitions::all(read).map(|(name, object)| ((release, name), object));
            all.extend(named);
        }
    }
    for (key, (path, published)) in published {
        documents.entry(key).or_insert_with(|| (path, published.into_document()));
    }
    Ok((documents, all))
}

fn is_document(name: &str) -> bool {
    let (release, file) = of_release(name);
    release.is_some() && file.ends_with(SUFFIX)
}

fn is_definition(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// The beginning of the name of a document.
fn stem(path: &ResourcePath<'_>) -> String {
    path.root().trim_start_matches('/').replace('/', "__")
}
