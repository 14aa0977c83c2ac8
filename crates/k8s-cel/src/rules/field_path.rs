//! Paths such as `.spec.size` or `.spec['a.b']` in rules and selectable fields.

use serde_json::{Map, Value};

use crate::syntax::lexer::simple_escape;

type Schema = Map<String, Value>;

/// The schema that a path leads to, and the path as the server writes it: `a.b`, or `a[key]` for the key of a map.
///
/// # Errors
/// The words of the server about the fault.
pub fn follow<'a>(
    path: &str,
    schema: &'a Schema,
    brackets: bool,
) -> Result<(Option<&'a Schema>, String), String> {
    let mut place = Reached { schema: Some(schema), written: String::new() };
    let mut tokens = tokens(path).into_iter();
    while let Some(token) = tokens.next() {
        match token {
            "." => {
                let name = tokens.next().ok_or("unexpected end of JSON path")?;
                place.enter(name)?;
            }
            "[" if !brackets => return Err("array notation is not allowed".to_owned()),
            "[" => {
                let text = tokens.next().ok_or("unexpected end of JSON path")?;
                let quoted = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
                let quoted = quoted
                    .ok_or_else(|| format!("expected single quoted string but got {text}"))?;
                place.enter(&unescape(quoted).ok_or("invalid string literal: invalid syntax")?)?;
                match tokens.next().ok_or("unexpected end of JSON path")? {
                    "]" => {}
                    other => return Err(format!("expected ] but got {other}")),
                }
            }
            other => return Err(format!("expected [ or . but got: {other}")),
        }
    }
    Ok((place.schema, place.written))
}

struct Reached<'a> {
    schema: Option<&'a Schema>,
    written: String,
}

impl Reached<'_> {
    /// A field if the schema lists fields, otherwise a key.
    fn enter(&mut self, name: &str) -> Result<(), String> {
        let refers = || "does not refer to a valid field".to_owned();
        let schema = self.schema.ok_or_else(refers)?;
        let properties = schema.get("properties").and_then(Value::as_object);
        if let Some(properties) = properties.filter(|properties| !properties.is_empty()) {
            let property = properties.get(name).and_then(Value::as_object);
            self.schema = Some(property.ok_or_else(refers)?);
            self.written.push_str(if self.written.is_empty() { "" } else { "." });
            self.written.push_str(name);
        } else if let Some(values) =
            schema.get("additionalProperties").filter(|schema| !schema.is_null())
        {
            self.schema = values.as_object();
            self.written.extend(["[", name, "]"]);
        } else {
            return Err(refers());
        }
        Ok(())
    }
}

/// The delimiters `.`, `[` and `]`, one by one, and the texts between them. Quoted texts can contain delimiters.
fn tokens(path: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        let length = if matches!(first, '.' | '[' | ']') {
            1
        } else if first == '\'' {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, character)| {
                let ends = *character == '\'' && !escaped;
                escaped = *character == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        } else {
            rest.find(['.', '[', ']']).unwrap_or(rest.len())
        };
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// The characters that escapes such as `\'`, `\\` and `\n` mean.
fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            // These signs have no escape in paths.
            '\\' => simple_escape(characters.next()?)
                .filter(|character| !matches!(character, '"' | '`' | '?'))?,
            other => other,
        });
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_to_fields() {
        let schema = json!({"properties": {"a": {"properties": {"b.c": {"type": "string"}}}, "m": {"additionalProperties": {"type": "string"}}}});
        let follow =
            |path| follow(path, schema.as_object().unwrap(), true).map(|(_, written)| written);
        assert_eq!(follow(".a['b.c']").unwrap(), "a.b.c");
        assert_eq!(follow("['a']['b.c']").unwrap(), "a.b.c");
        assert_eq!(follow(".m.x").unwrap(), "m[x]");
        assert_eq!(follow(r".m['it\'s\t\a']").unwrap(), "m[it's\t\u{7}]");
        for (path, fault) in [
            (".b", "does not refer to a valid field"),
            ("a", "expected [ or . but got: a"),
            (".a[0]", "expected single quoted string but got 0"),
            (".a['b.c'", "unexpected end of JSON path"),
            (".", "unexpected end of JSON path"),
            (".a..d", "does not refer to a valid field"),
            (r".m['\?']", "invalid string literal: invalid syntax"),
            (".m.x.y", "does not refer to a valid field"),
        ] {
            assert_eq!(follow(path).unwrap_err(), fault, "{path}");
        }
    }
}
