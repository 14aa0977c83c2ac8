//! The form of generated Rust: where its lines end, and where blank lines are.
//!
//! `prettyplease` formats tokens. Text that never was tokens breaks its lines at the same widths; a test compares the two.

use proc_macro2::{Span, TokenStream};
use quote::quote;

/// The longest line that `prettyplease` leaves whole: its `MARGIN`.
const LINE: usize = 89;
/// The longest struct literal that `prettyplease` leaves in one line, without the last brace.
pub(super) const LITERAL: usize = 34;
/// The bytes of names in a line of a list, without the indent. `prettyplease` gives each name a line.
const NAMES: usize = 80;
/// The bytes of words in a line of one string literal, without the indent. `prettyplease` breaks no literal.
pub(super) const WORDS: usize = 100;

/// Items without lines that are too long.
pub(super) fn in_lines(text: String) -> Result<String, syn::Error> {
    if fits(&text) { Ok(text) } else { format(text.parse()?) }
}

/// A part of an implementation without lines that are too long.
pub(super) fn formatted(part: String) -> Result<String, syn::Error> {
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
    text.lines().all(|line| line.len() <= LINE || is_comment(line))
}

pub(super) fn format(tokens: TokenStream) -> Result<String, syn::Error> {
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
fn filled<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let (mut filled, mut line) = (String::new(), String::new());
    for name in names {
        if line.len() + name.len() > NAMES {
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
