//! How the Go types of an API hold their fields: the structs of `types.go`, formatted as `gofmt` does.

use std::collections::BTreeSet;

use litemap::LiteMap;

use crate::Files;
use crate::rules::MOST_EMBEDDED;
use crate::text::has_extension;

/// How Go holds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holding {
    Value,
    Pointer,
    /// A list that is a type of its own: `type Verbs []string`.
    NamedList,
}

/// The structs of files, by folder and name.
pub(super) struct GoTypes<'f> {
    structs: LiteMap<(&'f str, &'f str), Vec<GoField<'f>>>,
    /// The names of types that are lists.
    lists: BTreeSet<&'f str>,
}

/// A field of a struct.
struct GoField<'f> {
    /// The name in JSON; empty for an embedded struct.
    json: &'f str,
    type_name: &'f str,
}

impl<'f> GoTypes<'f> {
    /// Reads the files `*.go`. Text that is not understood is skipped.
    pub(super) fn read(files: &'f Files) -> Self {
        let mut types = Self { structs: LiteMap::new(), lists: BTreeSet::new() };
        for (file, text) in files.iter().filter(|(file, _)| has_extension(file, &["go"])) {
            types.read_file(folder(file), str::from_utf8(text).unwrap_or_default());
        }
        types
    }

    fn read_file(&mut self, folder: &'f str, text: &'f str) {
        let mut current = None;
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["type", name, "struct", "{", ..] => current = Some((folder, *name)),
                ["type", name, of, ..] if of.starts_with("[]") => drop(self.lists.insert(name)),
                _ if line.starts_with('}') => current = None,
                _ => {
                    if let (Some(of), Some(field)) = (current, GoField::read(line)) {
                        self.structs.entry(of).or_default().push(field);
                    }
                }
            }
        }
    }

    /// The fields of a struct beside a file, by their names in JSON, with the fields of embedded structs.
    pub(super) fn fields(&self, file: &str, name: &str) -> LiteMap<&'f str, Holding> {
        let mut fields = LiteMap::new();
        self.add(folder(file), name, MOST_EMBEDDED, &mut fields);
        fields
    }

    fn add(&self, folder: &str, name: &str, depth: usize, fields: &mut LiteMap<&'f str, Holding>) {
        let fields_of_struct = self.structs.get(&(folder, name)).or_else(|| {
            // An embedded struct of another package.
            self.structs.iter().find_map(|((_, other), fields)| (*other == name).then_some(fields))
        });
        for field in fields_of_struct.into_iter().flatten() {
            let (is_pointer, type_name) = match field.type_name.strip_prefix('*') {
                Some(name) => (true, name),
                None => (false, field.type_name),
            };
            let name = type_name.rsplit_once('.').map_or(type_name, |(_, name)| name);
            if field.json.is_empty() {
                if depth > 1 {
                    self.add(folder, name, depth - 1, fields);
                }
                continue;
            }
            let holding = if is_pointer || name == "[]byte" {
                // Go writes bytes unless they are empty, and `nil` is empty.
                Holding::Pointer
            } else if self.lists.contains(name) {
                Holding::NamedList
            } else {
                Holding::Value
            };
            fields.insert(field.json, holding);
        }
    }
}

impl<'f> GoField<'f> {
    /// The field of a line, such as ``Name string `json:"name" protobuf:"bytes,1,opt,name=name"` ``.
    fn read(line: &'f str) -> Option<Self> {
        let (declared, tags) = line.split_once('`')?;
        let is_comment = declared.trim_start().starts_with("//");
        let type_name = declared.split_whitespace().last().filter(|_| !is_comment)?;
        let json = tags.split_once("json:\"")?.1.split(['"', ',']).next()?;
        (json != "-").then_some(Self { json, type_name })
    }
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::{GoTypes, Holding};
    use crate::Files;

    const TYPES: &str = "package v1\n\n// Volume is a thing.\ntype Volume struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\n\
        \t// Name is its name; \"`json:\\\"no\\\"`\".\n\tName string `json:\"name\" protobuf:\"bytes,1,opt,name=name\"`\n\
        \tVolumeSource `json:\",inline\" protobuf:\"bytes,2,opt,name=volumeSource\"`\n\tVerbs Verbs `json:\"verbs\"`\n\
        \tskipped int `json:\"-\"`\n}\n\ntype VolumeSource struct {\n\tHostPath *HostPath `json:\"hostPath,omitempty\"`\n\
        \tItems map[string][]string `json:\"items\"`\n}\n\ntype Verbs []string\n";

    #[test]
    fn pointers_values_and_embedded_structs() {
        let files = Files::from([("api/v1/types.go".to_owned(), TYPES.into())]);
        let types = GoTypes::read(&files);
        let expected = [
            ("hostPath", Holding::Pointer),
            ("items", Holding::Value),
            ("name", Holding::Value),
            ("verbs", Holding::NamedList),
        ];
        let fields = types.fields("api/v1/generated.proto", "Volume");
        assert_eq!(fields.into_iter().collect::<Vec<_>>(), expected);
        assert!(types.fields("api/v1/generated.proto", "Nobody").is_empty());
    }
}
