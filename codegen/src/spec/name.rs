//! The names of schemas, and the file names of upstream's documents.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use k8s_versioned_core::field_path::quoted;
use k8s_versioned_core::resource_path::ResourcePath;
use k8s_versioned_core::{Version, text_serde};

// The name of a schema, such as `com.example.v1.Widget`. The objects in it that have no name are `com.example.v1.Widget#spec.parts[]`.

/// The kind and the path of an object in it that has no name: `com.example.v1.Widget` and `spec.parts[]`.
pub(crate) fn split_inline(schema: &str) -> Option<(&str, &str)> {
    schema.split_once('#')
}

/// A key in a path to a part of a schema. One that could be mistaken for several is in quotes.
pub(crate) fn quoted_key(key: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_$".contains(&byte);
    if !key.is_empty() && key.bytes().all(plain) { key.into() } else { quoted(key).into() }
}

/// The name of a type as people know it: an object without a name is a part of its kind.
pub(crate) fn shown(schema: &str) -> String {
    schema.replacen('#', ".", 1)
}

/// The beginning of the names of the schemas of a version: `com.example.v1`.
pub(crate) fn version_of(schema: &str) -> &str {
    let kind = split_inline(schema).map_or(schema, |(kind, _)| kind);
    kind.rsplit_once('.').map_or("", |(version, _)| version)
}

/// The last part of the name of a kind: `Widget`.
pub(crate) fn own_name(kind: &str) -> &str {
    kind.rsplit('.').next().unwrap_or(kind)
}

/// All before the version with a dot at the end, what can be the version, and the last part of the name of a kind.
pub(crate) fn split_version(kind: &str) -> Option<(&str, Version, &str)> {
    let (rest, name) = kind.rsplit_once('.')?;
    let dot = rest.rfind('.')?;
    let (prefix, version) = rest.split_at(dot + 1);
    Some((prefix, version.parse().ok()?, name))
}

// The name of a document.

/// The group and the version of a document, as its file name has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DocumentName {
    /// The API group.
    pub(crate) group: String,
    /// The version; none for the document that describes the group itself.
    pub(crate) version: Option<Version>,
}

impl DocumentName {
    /// Reads `apis__<group>_openapi.json` or `apis__<group>__<version>_openapi.json`. The core group, whose name is
    /// empty, has `api_openapi.json` and `api__<version>_openapi.json`.
    pub(crate) fn parse(file_name: &str) -> Option<Self> {
        let mut parts = file_name.strip_suffix("_openapi.json")?.split("__");
        let group = match parts.next()? {
            "api" => "",
            "apis" => parts.next()?,
            _ => return None,
        };
        let version = parts.next().map(str::parse).transpose().ok()?;
        let name = Self { group: group.to_owned(), version };
        // `apis____v1` would be another name of `api__v1`.
        Some(name).filter(|name| name.to_string() == file_name)
    }

    /// The path under which everything in the document is served, with a slash at the end.
    pub(crate) fn path_prefix(&self) -> String {
        let version = self.version.map(|version| version.to_string()).unwrap_or_default();
        let path = ResourcePath { group: &self.group, version: &version, ..Default::default() };
        path.root() + "/"
    }
}

impl FromStr for DocumentName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::parse(name).ok_or_else(|| {
            format!(
                "`{name}` is not the name of an OpenAPI document of a group, such as \
                 `apis__<group>_openapi.json`, `apis__<group>__<version>_openapi.json` or `api__v1_openapi.json`"
            )
        })
    }
}

text_serde!(DocumentName, "the name of a document");

impl fmt::Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group.as_str() {
            "" => f.write_str("api")?,
            group => write!(f, "apis__{group}")?,
        }
        if let Some(version) = self.version {
            write!(f, "__{version}")?;
        }
        f.write_str("_openapi.json")
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentName, split_version};

    #[test]
    fn documents_of_versions_by_any_name() {
        for version in ["v1", "v0", "v1alpha08", "v1api20220801storage", "stable", "a-b"] {
            let file = format!("apis__example.com__{version}_openapi.json");
            let name = DocumentName::parse(&file).unwrap();
            assert_eq!(name.to_string(), file);
            assert_eq!(name.path_prefix(), format!("/apis/example.com/{version}/"));
        }
        for version in ["2026-01", "V1", "v1.2", ""] {
            let file = format!("apis__example.com__{version}_openapi.json");
            assert_eq!(DocumentName::parse(&file), None, "{file}");
        }
        for file in ["apis____v1_openapi.json", "apis___openapi.json", "api__v1__v2_openapi.json"] {
            assert_eq!(DocumentName::parse(file), None, "{file}");
        }
    }

    #[test]
    fn names_of_schemas_are_split_at_the_version() {
        let table = [
            ("com.example.v1.Widget", Some(("com.example.", "v1", "Widget"))),
            ("com.example.stable.Widget", Some(("com.example.", "stable", "Widget"))),
            ("com.example.v1.stable.Widget", Some(("com.example.v1.", "stable", "Widget"))),
            ("com.example.a-b.Widget", Some(("com.example.", "a-b", "Widget"))),
            ("com.example.V1.Widget", None),
            ("v1.Widget", None),
        ];
        for (name, expected) in table {
            let found = split_version(name);
            let found = found.map(|(prefix, version, own)| (prefix, version.to_string(), own));
            let expected = expected.map(|(prefix, version, own)| (prefix, version.to_owned(), own));
            assert_eq!(found, expected, "{name}");
        }
    }
}
