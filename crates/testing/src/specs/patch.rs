//! Cases that edit another case, each a file `<name>.toml`.

use std::path::Path;

use k8s_versioned_codegen::Files;
use k8s_versioned_core::pointer::unescaped;
use serde::Deserialize;
use serde_json::Value;

use crate::specs;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The folder of the other case, from `good/`.
    base: String,
    /// The edits before its documents are imported.
    #[serde(default)]
    edit: Vec<Edit>,
    /// The edits after the import, which the manifest does not have.
    #[serde(default)]
    tamper: Vec<Edit>,
}

/// One change. Exactly one of the fields after `at` states it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// The file that changes. `NEWEST` is replaced by the newest release.
    file: String,
    /// The text of the problem that the generator reports without this edit.
    asked: Option<String>,
    /// The place in it: a JSON pointer.
    at: Option<String>,
    /// The JSON text that stands there afterwards.
    set: Option<String>,
    /// The name that the member has afterwards.
    rename: Option<String>,
    /// Removes the value, or the file.
    #[serde(default)]
    remove: bool,
    /// A text of the file, which must occur once, and its replacement.
    replace: Option<(String, String)>,
    /// Leaves the edit out if the file lacks the text: the project's rules change with a release.
    #[serde(default)]
    if_there: bool,
    /// Text at the end of the file.
    append: Option<String>,
    /// The file's whole text.
    text: Option<String>,
    /// The file's whole bytes.
    bytes: Option<Vec<u8>>,
    /// The path of a copy.
    copy: Option<String>,
    /// Writes the text of the file twice.
    #[serde(default)]
    repeat: bool,
}

/// A case that was read.
pub struct Patched {
    /// The comment at its beginning, which describes it.
    pub comment: String,
    /// Its files, with a manifest.
    pub files: Files,
    /// For each edit with `asked`: that text, and the files without the edit.
    pub asked: Vec<(String, Files)>,
}

/// Reads the case `name`, whose file is in a folder `kind` of `cases`.
pub fn load(cases: &Path, kind: &str, name: &str) -> Patched {
    let text = std::fs::read_to_string(cases.join(kind).join(format!("{name}.toml"))).unwrap();
    let mut case: Case = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let comment = text.lines().map_while(|line| line.strip_prefix("# "));
    let comment: Vec<&str> = comment.collect();
    assert!(!comment.is_empty(), "{name}: describe the case in a comment");
    let base = specs::files(&cases.join("good").join(&case.base)).unwrap();
    case.edit.retain(|edit| !edit.if_there || is_there(edit, &base));
    let asked = case.edit.iter().enumerate();
    let asked = asked.filter_map(|(index, edit)| {
        Some((edit.asked.clone()?, patched(&case, &base, Some(index))))
    });
    Patched {
        comment: comment.join(" "),
        files: patched(&case, &base, None),
        asked: asked.collect(),
    }
}

/// Returns `true` if the file has the text that the edit replaces.
fn is_there(edit: &Edit, files: &Files) -> bool {
    let text = files.get(&edit.file).and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.zip(edit.replace.as_ref()).is_some_and(|(text, (from, _))| text.contains(from))
}

/// The files of a case, without one of its edits.
fn patched(case: &Case, base: &Files, without: Option<usize>) -> Files {
    let mut files = base.clone();
    for (index, edit) in case.edit.iter().enumerate() {
        if without != Some(index) {
            apply(edit, &mut files);
        }
    }
    specs::add_manifest(&mut files);
    for edit in &case.tamper {
        apply(edit, &mut files);
    }
    files
}

/// The path with the newest release that has documents.
fn of_newest(path: &str, files: &Files) -> String {
    let releases = files.keys().filter_map(|path| path.split_once('/')?.0.parse().ok());
    let newest: Option<k8s_versioned_core::Release> = releases.max();
    newest.map_or(path.to_owned(), |newest| path.replace("NEWEST", &newest.to_string()))
}

fn apply(edit: &Edit, files: &mut Files) {
    let file = of_newest(&edit.file, files);
    let old = files.get(&file).cloned();
    let old = || old.clone().unwrap_or_else(|| panic!("no file `{file}`"));
    let text = || String::from_utf8(old()).unwrap();
    let new = match edit {
        Edit { at: Some(at), .. } => Some(apply_at(edit, at, &old())),
        Edit { remove: true, .. } => None,
        Edit { repeat: true, .. } => Some(text().repeat(2).into_bytes()),
        Edit { text: Some(new), .. } => Some(new.clone().into_bytes()),
        Edit { bytes: Some(new), .. } => Some(new.clone()),
        Edit { append: Some(end), .. } => Some((text() + end).into_bytes()),
        Edit { copy: Some(to), .. } => {
            files.insert(to.clone(), old());
            return;
        }
        Edit { replace: Some((from, to)), .. } => {
            assert_eq!(text().matches(from).count(), 1, "{edit:?}");
            Some(text().replace(from, to).into_bytes())
        }
        _ => panic!("an edit that does nothing: {edit:?}"),
    };
    match new {
        Some(new) => drop(files.insert(file, new)),
        None => drop(files.remove(&file).unwrap()),
    }
}

/// The JSON text with a change at one place.
fn apply_at(edit: &Edit, at: &str, text: &[u8]) -> Vec<u8> {
    let mut root: Value = serde_json::from_slice(text).unwrap();
    let (parent, step) = at.rsplit_once('/').unwrap();
    let step = &*unescaped(step);
    let parent = root.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at `{at}`"));
    if let Some(new) = &edit.set {
        let mut deserializer = serde_json::Deserializer::from_str(new);
        deserializer.disable_recursion_limit();
        let value = Value::deserialize(&mut deserializer);
        let new = value.unwrap_or_else(|error| panic!("{new}: {error}"));
        match parent {
            Value::Array(items) => items[step.parse::<usize>().unwrap()] = new,
            parent => parent[step] = new,
        }
    } else {
        let members = parent.as_object_mut().unwrap();
        let old = members.remove(step);
        let old = old.unwrap_or_else(|| panic!("nothing at `{at}`"));
        if let Some(name) = &edit.rename {
            members.insert(name.clone(), old);
        } else {
            assert!(edit.remove, "an edit that does nothing: {edit:?}");
        }
    }
    let mut text = serde_json::to_vec_pretty(&root).unwrap();
    text.push(b'\n');
    text
}
