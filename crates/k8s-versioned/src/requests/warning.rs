//! Warnings in the headers of a response.

use std::fmt;

use http::HeaderMap;
use http::header::WARNING;

/// A warning in a response, for example about a deprecated API version or an unknown field of the request. RFC 7234,
/// section 5.5, has the form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Warning {
    /// The code; API servers use 299.
    pub code: u16,
    /// The server or proxy that added the warning; `-` if none is named.
    pub agent: String,
    /// The text, without quotes.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// All warnings of a response, in their order.
pub(super) fn all(headers: &HeaderMap) -> Vec<Warning> {
    let values = headers.get_all(WARNING).into_iter();
    values.flat_map(|value| parse(&String::from_utf8_lossy(value.as_bytes()))).collect()
}

/// The warnings of one header. A part that cannot be read is also a warning, with code 199.
fn parse(header: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut rest = header.trim();
    while !rest.is_empty() {
        let Some((warning, after)) = parse_one(rest) else {
            warnings.push(Warning {
                code: MISCELLANEOUS,
                agent: "-".to_owned(),
                text: rest.to_owned(),
            });
            break;
        };
        warnings.push(warning);
        rest = after.trim_start_matches([',', ' ', '\t']);
    }
    warnings
}

const MISCELLANEOUS: u16 = 199;

/// Reads `code agent "text"`, perhaps with a `"date"`. Also returns the rest.
fn parse_one(text: &str) -> Option<(Warning, &str)> {
    let (code, rest) = text.split_once(' ')?;
    let (agent, rest) = rest.trim_start().split_once(' ')?;
    let (text, rest) = quoted(rest.trim_start())?;
    let after_date = quoted(rest.trim_start()).map(|(_, after)| after);
    let rest = after_date.unwrap_or(rest);
    if !rest.is_empty() && !rest.trim_start().starts_with(',') {
        return None;
    }
    let code = code.parse().ok().filter(|code| (100..1000).contains(code))?;
    let agent = agent.to_owned();
    Some((Warning { code, agent, text }, rest))
}

/// Reads a quoted string, in which a backslash escapes the next character. Also returns the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?.chars();
    let mut unquoted = String::new();
    loop {
        match rest.next()? {
            '"' => return Some((unquoted, rest.as_str())),
            '\\' => unquoted.push(rest.next()?),
            character => unquoted.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MISCELLANEOUS, Warning, parse};

    type Case<'a> = (&'a str, &'a [(u16, &'a str, &'a str)]);

    #[test]
    fn headers() {
        let table: [Case<'_>; 10] = [
            ("", &[]),
            (r#"299 - "old""#, &[(299, "-", "old")]),
            (
                r#"299 - "unknown field \"spec.colour\"""#,
                &[(299, "-", r#"unknown field "spec.colour""#)],
            ),
            (r#"299 - "a, b", 199 host:80 "c\\""#, &[(299, "-", "a, b"), (199, "host:80", r"c\")]),
            (r#"299 - "" "Sat, 25 Aug 2012 23:34:45 GMT""#, &[(299, "-", "")]),
            (r#"299 - "a" "date" , 299 - "b""#, &[(299, "-", "a"), (299, "-", "b")]),
            ("just text", &[(MISCELLANEOUS, "-", "just text")]),
            (r#"299 - "open"#, &[(MISCELLANEOUS, "-", r#"299 - "open"#)]),
            (r#"299 - "a" b"#, &[(MISCELLANEOUS, "-", r#"299 - "a" b"#)]),
            (r#"99 - "a""#, &[(MISCELLANEOUS, "-", r#"99 - "a""#)]),
        ];
        for (header, expected) in table {
            let found = parse(header);
            let found: Vec<_> = found
                .iter()
                .map(|Warning { code, agent, text }| (*code, agent.as_str(), text.as_str()))
                .collect();
            assert_eq!(found, expected, "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_quoted_text_is_read(texts in prop::collection::vec(any::<String>(), 0..4)) {
            let quote = |text: &String| {
                let text = text.replace('\\', r"\\").replace('"', r#"\""#);
                format!("299 - \"{text}\"")
            };
            let header: Vec<String> = texts.iter().map(quote).collect();
            let found: Vec<String> = parse(&header.join(", ")).into_iter().map(|warning| warning.text).collect();
            prop_assert_eq!(found, texts);
        }

        #[test]
        fn every_header_with_text_has_a_warning(header in "\\PC+") {
            prop_assert_eq!(parse(&header).is_empty(), header.trim().is_empty());
        }
    }
}
