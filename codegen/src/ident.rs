//! Identifiers of Rust.

use heck::ToSnakeCase;

/// The variant of an open enum for all words that it does not know.
pub(crate) const OTHER: &str = "Other";

/// Returns `true` for the name of a generated file that is not one of a type.
pub(crate) fn is_file(name: &str) -> bool {
    const FILES: [&str; 8] =
        ["apply", "conversion", "equal", "json_schemas", "mod", "protobuf", "registry", "required"];
    FILES.contains(&name)
}

/// The names that a module of schemas at the root cannot have: other modules of the root, crates and modules of the runtime that
/// generated code names, and features that do not belong to one group. A file imports the modules of the versions beside the
/// others, and two imports cannot have one name.
const OF_THE_ROOT: [&str; 35] = [
    "absent_to_zero",
    "adopt",
    "apply",
    "conversion",
    "convert_kept",
    "custom",
    "default",
    "embedded",
    "equal",
    "first_of_list",
    "in_metadata",
    "items",
    "k8s_versioned",
    "keep_aside",
    "keyed_list",
    "lossless",
    "moved",
    "named_values",
    "nest",
    "part_of_text",
    "pattern",
    "protobuf",
    "registry",
    "requests",
    "schema",
    "schemars",
    "serde",
    "std",
    "text",
    "there_and_back",
    "units",
    "verb",
    "wire",
    "words",
    "wrap",
];

/// Returns `true` for a name that no module of schemas at the root can have.
pub(crate) fn is_of_the_root(name: &str) -> bool {
    OF_THE_ROOT.binary_search(&name).is_ok()
}

/// A version within a name in snake case: `a-b` becomes `a_b`. Different versions stay different.
pub(crate) fn of_version(version: &str) -> String {
    version.replace('-', "_")
}

/// The module of a version. A name that is taken has `_` at the end, which no version has.
pub(crate) fn version_module(version: &str) -> String {
    let module = of_version(version);
    let is_free = is_name(&module) && !is_file(&module) && !is_of_the_root(&module);
    if is_free { module } else { module + "_" }
}

/// The variant of a version: `a-b` becomes `AB`. Different versions stay different: `v1-1` becomes `V1_1`.
pub(crate) fn version_variant(version: &str) -> String {
    let mut variant = String::with_capacity(version.len());
    let mut begins_word = true;
    let mut letters = version.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_before_word = letters.peek().is_some_and(char::is_ascii_lowercase);
        match letter {
            '-' if is_before_word => {}
            '-' => variant.push('_'),
            _ if begins_word => variant.push(letter.to_ascii_uppercase()),
            _ => variant.push(letter),
        }
        begins_word = letter == '-';
    }
    if is_name(&variant) { variant } else { variant + "_" }
}

/// Returns `true` if the compiler warns of the names of a version, such as the module `a__b` and the variant `A_1`.
pub(crate) fn is_unusual_version(version: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_lowercase();
    let parts: Vec<&str> = version.split(['-', '_']).collect();
    parts.windows(2).any(|pair| match pair {
        [before, after] => {
            after.is_empty() || before.ends_with(is_letter) && !after.starts_with(is_letter)
        }
        _ => false,
    })
}

/// A name as an identifier, which is raw if it is a keyword. `None` if Rust has no such identifier.
pub(crate) fn raw(name: String) -> Option<String> {
    if is_name(&name) {
        return Some(name);
    }
    let raw = format!("r#{name}");
    syn::parse_str::<syn::Ident>(&raw).is_ok().then_some(raw)
}

/// Returns `true` for the name of a type as Rust has them: others would be the names of their modules.
pub(crate) fn is_type_name(text: &str) -> bool {
    let begins = text.starts_with(|first: char| first.is_ascii_uppercase());
    begins && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) && is_name(text)
}

/// The names that the parser takes for keywords, and `gen`, which is one since the edition 2024.
const KEYWORDS: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Returns `true` if this is a name and no keyword. Most names need no parser.
pub fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let begins = text.starts_with(|first: char| !first.is_ascii_digit());
    if begins && text.bytes().all(is_letter) {
        return !text.is_empty() && KEYWORDS.binary_search(&text).is_err();
    }
    syn::parse_str::<syn::Ident>(text).is_ok()
}

/// Returns `true` for the path of a module, such as `crate::api`. Its head can be a keyword.
pub(crate) fn is_module(path: &str) -> bool {
    let head = path.strip_prefix("crate::").or_else(|| path.strip_prefix("self::"));
    let mut names = head.unwrap_or(path);
    while let Some(inner) = names.strip_prefix("super::").filter(|_| !path.starts_with("crate::")) {
        names = inner;
    }
    names.is_ascii() && !names.contains('#') && names.split("::").all(is_name)
}

/// The first free name of this beginning and a number, from `next` on; the number after it is the next.
pub(crate) fn numbered(
    begin: &str,
    next: &mut usize,
    mut is_free: impl FnMut(&str) -> bool,
) -> String {
    // The names in use end.
    loop {
        let name = format!("{begin}{next}");
        *next += 1;
        if is_free(&name) {
            return name;
        }
    }
}

/// Snake case that takes `CIDRs` for one word.
pub(crate) fn snake_case(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return name.to_owned();
    }
    let mut text = String::with_capacity(name.len());
    let mut capitals = 0;
    let mut rest = name.chars().peekable();
    while let Some(letter) = rest.next() {
        let ends_word = rest.peek().is_none_or(|next| !next.is_ascii_lowercase());
        if letter == 's' && capitals > 1 && ends_word {
            text.push('S');
            // The plural always ends the word.
            text.push('_');
        } else {
            text.push(letter);
        }
        capitals = if letter.is_ascii_uppercase() { capitals + 1 } else { 0 };
    }
    text.to_snake_case()
}

#[cfg(test)]
mod tests {
    use super::{
        KEYWORDS, OF_THE_ROOT, is_module, is_name, is_unusual_version, version_module,
        version_variant,
    };

    #[test]
    fn versions_are_modules_and_variants() {
        let table = [
            ("v0", "v0", "V0"),
            ("v1alpha08", "v1alpha08", "V1alpha08"),
            ("v1api20220801storage", "v1api20220801storage", "V1api20220801storage"),
            ("stable", "stable", "Stable"),
            ("a-b", "a_b", "AB"),
            ("ab", "ab", "Ab"),
            ("v1-1", "v1_1", "V1_1"),
            ("v11", "v11", "V11"),
            ("a--b", "a__b", "A_B"),
            ("a-1", "a_1", "A_1"),
            ("type", "type_", "Type"),
            ("self", "self_", "Self_"),
            ("mod", "mod_", "Mod"),
            ("conversion", "conversion_", "Conversion"),
        ];
        for (version, module, variant) in table {
            assert_eq!(version_module(version), module);
            assert_eq!(version_variant(version), variant);
            let is_unusual = ["a--b", "a-1"].contains(&version);
            assert_eq!(is_unusual_version(version), is_unusual, "{version}");
        }
    }

    #[test]
    fn names_are_those_of_the_parser() {
        assert!(KEYWORDS.is_sorted() && OF_THE_ROOT.is_sorted());
        let parsed = |text: &str| syn::parse_str::<syn::Ident>(text).is_ok();
        for text in
            ["a", "_a", "A1", "1a", "", "a b", "a-b", "r#type", "r#self", "union", "\u{e9}", "__"]
        {
            assert_eq!(is_name(text), parsed(text), "{text}");
        }
        for keyword in KEYWORDS {
            assert!(keyword == "gen" || !parsed(keyword), "{keyword}");
            assert!(!is_name(keyword), "{keyword}");
        }
    }

    #[test]
    fn modules_are_no_keywords() {
        for path in ["crate::custom::slices", "a", "self::a_1", "super::super::a", "self::super::a"]
        {
            assert!(is_module(path), "{path}");
        }
        for path in [
            "",
            "crate",
            "crate::type::fn",
            "a::self::b",
            "crate::super::a",
            "a::",
            "1a",
            "a-b",
            "_",
            "r#a",
        ] {
            assert!(!is_module(path), "{path}");
        }
    }
}
