//! Files: a header, imports, and items with blank lines between them.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::imports::Imports;
use super::options::EmitOptions;
use super::widths;
use crate::plan::{ItemPath, Package, visible};
use crate::problem::{Place, PlanCause};
use crate::{Files, Problems};

/// One file before it is text.
pub(super) struct SourceFile {
    /// The imports of its items.
    pub(super) imports: Imports,
    header: String,
    docs: Option<String>,
    /// The items as text, or the reason why one is not Rust.
    items: Vec<Result<String, syn::Error>>,
}

impl SourceFile {
    /// Names the schema that the file was made from.
    pub(super) fn source(&mut self, schema: &str) {
        // No name from a document ends the line.
        let schema = visible(schema).replace('\n', " ");
        self.header.extend(["// Schema: ", &schema, "\n"]);
    }

    /// Names the file of rules that the file was made from.
    pub(super) fn rules(&mut self, file: &str) {
        self.header.extend(["// Rules: specs/", file, "\n"]);
    }

    /// Sets the rustdoc of the module.
    pub(super) fn docs(&mut self, docs: &str) {
        self.docs = Some(docs.to_owned());
    }

    /// Adds items that belong together, if there are any.
    pub(super) fn item(&mut self, items: TokenStream) {
        if !items.is_empty() {
            // Each is formatted by itself, because the formatter puts no blank lines between items.
            self.items.push(format(items));
        }
    }

    /// Adds a call of a macro. The formatter would not break it into lines.
    pub(super) fn text_item(&mut self, text: String) {
        self.items.push(Ok(text));
    }

    /// Adds items in the form that the formatter gives them, apart from lines that are too long, if there are any.
    pub(super) fn line_items(&mut self, text: String) {
        if !text.is_empty() {
            self.items.push(in_lines(text));
        }
    }

    /// Adds an implementation with this head, if it has any parts: functions, or the constants.
    ///
    /// A custom resource has up to thousands of functions. To parse and format them would take half of the time of a
    /// generation, so they are written in the form that the formatter gives them, apart from lines that are too long.
    pub(super) fn implementation(&mut self, head: &str, parts: Vec<String>) {
        if !parts.is_empty() {
            let parts = parts.into_iter().map(formatted).collect::<Result<Vec<_>, _>>();
            self.items.push(parts.map(|parts| format!("{head} {{\n{}}}\n", parts.join("\n"))));
        }
    }

    fn text(self) -> Result<String, syn::Error> {
        if let Some(name) = self.imports.clash() {
            let message = format!("two imports have the name `{name}`");
            return Err(syn::Error::new(Span::call_site(), message));
        }
        let mut parts = Vec::new();
        if let Some(docs) = &self.docs {
            let lines: Vec<String> =
                docs.lines().map(|line| format!("//! {line}").trim_end().to_owned()).collect();
            parts.push(format!("{}\n", lines.join("\n")));
        }
        let uses = self.imports.lines();
        if !uses.is_empty() {
            parts.push(in_lines(uses)?);
        }
        parts.extend(self.items.into_iter().collect::<Result<Vec<String>, _>>()?);
        Ok(format!("{}\n{}", self.header, parts.join("\n")))
    }
}

/// Items without lines that are too long.
fn in_lines(text: String) -> Result<String, syn::Error> {
    if fits(&text) { Ok(text) } else { format(text.parse()?) }
}

/// A part of an implementation without lines that are too long.
fn formatted(part: String) -> Result<String, syn::Error> {
    if fits(&part) {
        return Ok(part);
    }
    let tokens: TokenStream = part.parse()?;
    let text = format(quote!(impl X { #tokens }))?;
    let inside = text.strip_prefix("impl X {\n").and_then(|text| text.strip_suffix("}\n"));
    let missing = || syn::Error::new(Span::call_site(), "the formatter gives no `impl`");
    inside.map(str::to_owned).ok_or_else(missing)
}

/// Returns `true` if the formatter would break no line. It breaks no comments.
pub(super) fn fits(text: &str) -> bool {
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    text.lines().all(|line| line.len() <= widths::LINE || is_comment(line))
}

fn format(tokens: TokenStream) -> Result<String, syn::Error> {
    let file: syn::File = syn::parse2(tokens)?;
    Ok(spread(&fill(&prettyplease::unparse(&file))))
}

/// Fills the lines of a list of names. The formatter gives each name a line.
fn fill(text: &str) -> String {
    const BEGIN: &str = ": &'static [&'static str] = &[\n";
    const END: &str = "\n    ];\n";
    let list = text.split_once(BEGIN).and_then(|(before, rest)| {
        rest.split_once(END).map(|(names, after)| (before, names, after))
    });
    let Some((before, names, after)) = list else {
        return text.to_owned();
    };
    format!("{before}{}{}{END}{after}", BEGIN.trim_end(), filled(names.lines().map(str::trim)))
}

/// The names of a list, each with its comma, in lines of their own.
pub(super) fn filled<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let (mut filled, mut line) = (String::new(), String::new());
    for name in names {
        if line.len() + name.len() > widths::NAMES {
            filled.extend(["\n        ", &line]);
            line.clear();
        }
        let space = if line.is_empty() { "" } else { " " };
        line.extend([space, name]);
    }
    filled + "\n        " + &line
}

/// Puts blank lines between the functions and documented constants of an `impl`.
fn spread(text: &str) -> String {
    let mut spread = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        let after_function = before == "    }" && line != "}";
        let is_comment = before.trim_start().starts_with("//");
        let after_constant = before.starts_with("    ") && before.ends_with(';') && !is_comment;
        let begins = ["    fn ", "    pub ", "    ///", "    #["];
        let before_item = after_constant && begins.iter().any(|begin| line.starts_with(begin));
        if after_function || before_item {
            spread.push('\n');
        }
        spread.push_str(line);
        spread.push('\n');
        before = line;
    }
    spread
}

/// All files of a package, and their problems.
pub(super) struct Output<'o> {
    options: &'o EmitOptions,
    /// The package.
    pub(super) package: Package,
    files: Files,
    problems: Problems,
}

impl<'o> Output<'o> {
    pub(super) fn new(options: &'o EmitOptions) -> Self {
        let package = options.shared.clone().map_or(Package::Generated, Package::Shared);
        Self { options, package, files: Files::new(), problems: Problems::new() }
    }

    /// A new file of the type at `path`.
    pub(super) fn file_of(&self, path: &ItemPath) -> SourceFile {
        let header = format!("// @generated by `{}`; do not edit.\n", self.options.command);
        let imports = Imports::new(&self.options.root, path);
        SourceFile { imports, header, docs: None, items: Vec::new() }
    }

    /// The types of a module as one text, for display: it is not a file of a package.
    pub(super) fn excerpt(&self, module: &str, header: String) -> SourceFile {
        let own = ItemPath::new(self.package.clone(), module, "");
        let imports = Imports::new(&self.options.root, &own);
        SourceFile { imports, header, docs: None, items: Vec::new() }
    }

    /// A new file without a type.
    pub(super) fn file(&self) -> SourceFile {
        self.file_of(&ItemPath::new(self.package.clone(), "", ""))
    }

    pub(super) fn add(&mut self, path: &str, file: SourceFile) {
        match file.text() {
            Ok(text) => self.add_text(path, text.into_bytes()),
            Err(error) => self.refuse(path, error.to_string()),
        }
    }

    pub(super) fn add_text(&mut self, path: &str, text: Vec<u8>) {
        if self.files.insert(path.to_owned(), text).is_some() {
            self.refuse(path, "two items have this file".to_owned());
        }
    }

    /// Adds the files and problems of another part.
    pub(super) fn append(&mut self, other: Self) {
        for (path, text) in other.files {
            self.add_text(&path, text);
        }
        self.problems.append(other.problems);
    }

    fn refuse(&mut self, path: &str, message: String) {
        let cause = PlanCause::NotRust { file: path.to_owned(), message };
        self.problems.push(&Place::file(path), cause);
    }

    pub(super) fn finish(self) -> Result<Files, Problems> {
        self.problems.or(self.files)
    }
}
