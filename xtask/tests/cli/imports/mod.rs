//! No two files of a package import each other in a circle, and the stages of the generator do not import later ones. A re-export is
//! no import: what counts is the file that defines an item. A call of a method imports the file that defines the method.

mod circles;
mod methods;
mod read;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::workspace::repository;
use circles::circles;
use read::{Files, Imports, imports, paths};

/// The stages of the generator from the first: a stage imports those above it in this table, and none below it. Those in one row do not
/// import each other.
const STAGES: [&[&str]; 14] = [
    &["files", "gather", "ident", "text", "threads"],
    &["problem"],
    &["spec"],
    &["input"],
    &["rules"],
    &["model"],
    &["plan"],
    &["conversion"],
    &["emit", "features"],
    &["project"],
    &["generate"],
    &["builder"],
    // Tools, which use the stages. No stage uses a tool.
    &["tools/diff", "tools/draft", "tools/import", "tools/overview"],
    &["tools/reference"],
];

/// The types whose methods are one recursive algorithm in several files: these methods may call each other. The package, the type, and
/// why no file can be before the others.
const RECURSIVE: [(&str, &str, &str); 4] = [
    (
        "codegen",
        "PairPlanner",
        "the plan of an object has the plans of the objects in it, also of nested and moved ones",
    ),
    ("crates/k8s-cel", "Run", "the value of an expression has the values of its operands"),
    (
        "crates/k8s-cel",
        "Value",
        "a value of data is read when it is asked for, by the schema of the value around it",
    ),
    (
        "crates/k8s-versioned-admission",
        "Judge",
        "an alternative of a schema, as in `anyOf`, is a schema",
    ),
];

/// The recursive types of a package.
fn recursive(package: &str) -> Vec<&'static str> {
    let of_package = RECURSIVE.iter().filter(|(of, ..)| *of == package);
    of_package.map(|(_, name, _)| *name).collect()
}

/// The packages of this workspace: their folders.
fn packages() -> Vec<String> {
    let root = repository();
    let folders = |folder: &str| {
        let folders = fs::read_dir(root.join(folder)).unwrap();
        let names = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.map(|name| format!("{folder}/{name}")).collect::<Vec<_>>()
    };
    let mut packages = vec!["codegen".to_owned(), "xtask".to_owned()];
    packages.extend(folders("crates").into_iter().chain(folders("examples")));
    packages.retain(|package| root.join(package).join("src").is_dir());
    packages.sort();
    packages
}

/// The files of a package, without those that are generated.
fn files(package: &str) -> Files {
    let source = repository().join(package).join("src");
    let entries =
        WalkDir::new(&source).into_iter().filter_entry(|new| new.file_name() != "generated");
    let files = entries
        .map(Result::unwrap)
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"));
    let name = |path: &Path| path.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
    files.map(|file| (name(file.path()), fs::read_to_string(file.path()).unwrap())).collect()
}

/// The imports of a package: of its library and of its programs.
fn imports_of(package: &str, recursive: &[&str]) -> Imports {
    let files = files(package);
    let is_root =
        |file: &&String| ["lib.rs", "main.rs"].contains(&file.as_str()) || file.starts_with("bin/");
    files.keys().filter(is_root).flat_map(|root| imports(&files, root, recursive)).collect()
}

/// What code reads and writes outside of the program.
const OUTSIDE: [&[&str]; 11] = [
    &["std", "env"],
    &["std", "fs"],
    &["std", "io"],
    &["std", "net"],
    &["std", "os"],
    &["std", "process"],
    &["std", "time"],
    &["print"],
    &["println"],
    &["eprint"],
    &["eprintln"],
];

/// The paths to what is outside of the program, each with the file that names it.
fn outside(files: &Files, root: &str) -> Vec<(String, String)> {
    let is_outside = |path: &[String]| {
        OUTSIDE.iter().any(|outside| path.iter().take(outside.len()).eq(outside.iter()))
    };
    let all = paths(files, root).into_iter().filter(|(_, path)| is_outside(path));
    all.map(|(file, path)| (file, path.join("::"))).collect()
}

#[test]
fn only_the_builder_reads_and_writes_files() {
    let found = outside(&files("codegen"), "lib.rs");
    let (of_builder, others): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(file, _)| file == "builder.rs");
    assert!(!of_builder.is_empty());
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn what_is_outside_is_found_in_any_form() {
    let code = "
        use std::{env, fmt, fs as files};
        mod inner { use std::net::*; }
        fn f() { println!(); std::process::exit(1); let now = ::std::time::Instant::now(); }
        // std::os
        #[cfg(test)]
        mod tests { use std::io; }
    ";
    let found = outside(&Files::from([("lib.rs".to_owned(), code.to_owned())]), "lib.rs");
    let found: Vec<&str> = found.iter().map(|(_, path)| path.as_str()).collect();
    let expected = [
        "println",
        "std::env",
        "std::fs",
        "std::net",
        "std::process::exit",
        "std::time::Instant::now",
    ];
    assert_eq!(found, expected);
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut found = Vec::new();
    for package in packages() {
        let circles = circles(&imports_of(&package, &recursive(&package))).into_iter();
        found.extend(circles.map(|circle| format!("{package}/src:\n{circle}\n")));
    }
    assert!(
        found.is_empty(),
        "files import each other in a circle; move what they share into a file of its own:\n\n{}",
        found.join("\n")
    );
}

#[test]
fn a_type_in_the_table_is_recursive() {
    for (package, name, _) in RECURSIVE {
        let mut others = recursive(package);
        others.retain(|other| *other != name);
        let found = circles(&imports_of(package, &others));
        assert!(!found.is_empty(), "{package}: `{name}` needs no row in `RECURSIVE`");
    }
}

/// The stage of a file, or the tool.
fn stage_of(file: &str) -> &str {
    let names = if file.starts_with("tools/") { 2 } else { 1 };
    let end = file.match_indices('/').nth(names - 1);
    let stage = end.and_then(|(end, _)| file.get(..end));
    stage.unwrap_or(file.trim_end_matches(".rs"))
}

/// The imports of a stage that its place in the order does not allow.
fn upwards(imports: &Imports) -> Vec<String> {
    let level = |file: &str| STAGES.iter().position(|row| row.contains(&stage_of(file)));
    let mut wrong = Vec::new();
    for (file, others) in imports {
        if ["lib.rs", "tools/mod.rs"].contains(&file.as_str()) {
            continue;
        }
        let own = level(file).unwrap_or_else(|| panic!("{file} has no place in the order"));
        let is_later = |other: &str| level(other).is_none_or(|other| other >= own);
        for (other, items) in others {
            if stage_of(other) != stage_of(file) && is_later(other) {
                wrong.push(format!("{file} imports {items:?} of {other}"));
            }
        }
    }
    wrong
}

#[test]
fn no_stage_of_the_generator_imports_a_later_one() {
    assert_eq!(upwards(&imports_of("codegen", &[])), [""; 0]);
}

/// The most items of stages that tools name. Methods do not count: they are of these items.
const MOST_OF_STAGES: usize = 140;

#[test]
fn tools_name_few_items_of_the_stages() {
    let imports = imports_of("codegen", &[]);
    let is_tool = |file: &str| file.starts_with("tools/");
    let of_tools = imports.iter().filter(|(file, _)| is_tool(file)).flat_map(|(_, others)| others);
    let of_stages = of_tools.filter(|(other, _)| !is_tool(other));
    let items: BTreeSet<(&str, &str)> = of_stages
        .flat_map(|(file, items)| items.iter().map(move |item| (file.as_str(), item.as_str())))
        .filter(|(_, item)| !item.contains("::"))
        .collect();
    let count = items.len();
    // Not far below either, so that fewer items lower the number.
    let expected = MOST_OF_STAGES - 2..=MOST_OF_STAGES;
    assert!(expected.contains(&count), "{count} items: {items:#?}");
}

/// A package of these files.
fn package(files: &[(&str, &str)]) -> Imports {
    let files = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    imports(&files, "lib.rs", &[])
}

#[test]
fn the_file_that_defines_an_item_counts() {
    let head = ("lib.rs", "mod a; mod b; mod c; pub use b::B; use c::*;");
    for (text, found) in [
        ("use crate::B;", Some("b/mod.rs")),
        ("use super::{b::{self, Other}, c};", None),
        ("use crate::b; fn a() { b::inner::f() }", Some("b/inner.rs")),
        ("fn a() { vec![super::b::inner::f()] }", Some("b/inner.rs")),
        ("fn a() { use super::b::inner as i; i::f() }", Some("b/inner.rs")),
        ("pub use crate::B;", None),
        ("pub use crate::B; fn a() -> B {}", Some("b/mod.rs")),
        ("use crate::c::*; fn a() -> C {}", Some("c.rs")),
        ("fn a() { crate::say!() }", Some("c.rs")),
        ("fn a() -> TokenStream { quote! { crate::B } }", None),
        ("#[cfg(test)] mod tests { use crate::B; }", None),
        ("/// crate::B\nfn a(b: &str) { b.inner(); }", None),
    ] {
        let imports = package(&[
            head,
            ("a.rs", text),
            ("b/mod.rs", "mod inner; pub use inner::f; pub struct B;"),
            ("b/inner.rs", "pub fn f() {}"),
            ("c.rs", "pub struct C; #[macro_export] macro_rules! say { () => {} }"),
        ]);
        let others: Vec<_> = imports["a.rs"].keys().map(String::as_str).collect();
        assert_eq!(others, Vec::from_iter(found), "{text}");
    }
}

#[test]
fn a_circle_is_shown_file_by_file() {
    let imports = package(&[
        ("lib.rs", "mod a; mod b; mod c; pub use a::A;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::c::{C, c}; pub struct B;"),
        ("c.rs", "use crate::A; pub struct C; pub fn c() {}"),
    ]);
    let shown =
        "  a.rs imports `B` of b.rs\n  b.rs imports `C`, `c` of c.rs\n  c.rs imports `A` of a.rs";
    assert_eq!(circles(&imports), [shown]);
}

#[test]
fn a_call_of_a_method_imports_its_file() {
    for (text, found) in [
        ("impl A { fn f(&self) { self.of_b() } }", Some("b.rs")),
        ("impl A { fn f(&self) { self.inner.of_b() } }", Some("b.rs")),
        ("impl A { fn f(&self) { vec![self.of_b::<u8>()] } }", Some("b.rs")),
        ("impl A { fn f() { Self::of_b() } }", Some("b.rs")),
        ("impl A { fn f() { crate::A::of_b() } }", Some("b.rs")),
        ("impl A { fn f() { Self { ..Self::of_b() } } }", Some("b.rs")),
        ("impl A { fn f() { 0..self.of_b() } }", Some("b.rs")),
        ("impl Drop for A { fn drop(&mut self) { self.of_b() } }", Some("b.rs")),
        // Another type has a method of this name, so only the own one is known.
        ("fn f(a: &A) { a.twice() }", None),
        ("impl A { fn f(&self) { self.twice() } }", Some("b.rs")),
        // No call.
        ("impl A { fn f(&self) { self.of_b } }", None),
        ("impl A { fn of_b2(&self) { of_b() } }", None),
        // Not visible here, so it is a method of another package.
        ("fn f(text: &str) { text.private() }", None),
        ("#[cfg(test)] mod tests { fn f(a: &A) { a.of_b() } }", None),
    ] {
        let imports = package(&[
            ("lib.rs", "mod a; mod b; mod c; pub use c::A;"),
            ("a.rs", &format!("use crate::A; {text}")),
            (
                "b.rs",
                "impl crate::A { pub fn of_b(&self) {} pub fn twice(&self) {} fn private() {} }",
            ),
            ("c.rs", "pub struct A; pub struct C; impl C { pub fn twice(&self) {} }"),
        ]);
        let others = imports["a.rs"].keys().map(String::as_str).filter(|other| *other != "c.rs");
        assert_eq!(others.collect::<Vec<_>>(), Vec::from_iter(found), "{text}");
    }
}

#[test]
fn methods_of_a_recursive_type_may_call_each_other() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::c::A; impl A { pub fn of_a(&self) { self.of_b() } }"),
        ("b.rs", "use crate::c::A; impl A { pub fn of_b(&self) { self.of_a() } }"),
        ("c.rs", "pub struct A;"),
    ];
    let files = files.map(|(file, text)| (file.to_owned(), text.to_owned())).into();
    let shown = "  a.rs imports `A::of_b` of b.rs\n  b.rs imports `A::of_a` of a.rs".to_owned();
    assert_eq!(circles(&imports(&files, "lib.rs", &[])), [shown]);
    assert_eq!(circles(&imports(&files, "lib.rs", &["A"])), [""; 0]);
}

#[test]
fn an_import_of_a_later_stage_is_found() {
    let files = [
        ("lib.rs", "mod emit; mod plan; mod problem; mod tools; pub use problem::Place;"),
        ("emit.rs", "pub struct Options;"),
        ("problem.rs", "pub struct Place;"),
        ("tools/mod.rs", "pub mod diff;"),
        ("tools/diff.rs", "pub struct Class;"),
    ];
    for (text, count) in [
        ("use crate::emit::Options;", 1),
        ("fn a() { crate::emit::Options; crate::tools::diff::Class }", 2),
        ("/// crate::emit\nuse crate::Place;", 0),
    ] {
        let imports = package(&[&files[..], &[("plan.rs", text)]].concat());
        assert_eq!(upwards(&imports).len(), count, "{text}");
    }
}
