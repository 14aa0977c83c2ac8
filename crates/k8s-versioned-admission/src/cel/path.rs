//! `fieldPath` of a rule.

use serde_json::Value as Json;

/// The path as servers write it, such as `a.b` or `a[key]`, or `None` if it names no field of the schema.
pub(super) fn normalize(path: &str, schema: &Json) -> Option<String> {
    let mut schema = schema;
    let mut normal = String::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (name, after) = step(rest)?;
        if let Some(properties) = schema.get("properties") {
            schema = properties.get(&name)?;
            if !normal.is_empty() {
                normal.push('.');
            }
            normal.push_str(&name);
        } else {
            schema = schema.get("additionalProperties")?;
            normal.extend(["[", &name, "]"]);
        }
        rest = after;
    }
    (!normal.is_empty()).then_some(normal)
}

/// The first step: `.name` or `['name']`.
fn step(path: &str) -> Option<(String, &str)> {
    if let Some(path) = path.strip_prefix('.') {
        let end = path.find(['.', '[', ']']).unwrap_or(path.len());
        let (name, rest) = path.split_at_checked(end)?;
        return (!name.is_empty()).then(|| (name.to_owned(), rest));
    }
    let mut characters = path.strip_prefix("['")?.char_indices();
    let mut name = String::new();
    while let Some((at, character)) = characters.next() {
        match character {
            '\'' => {
                let rest = path.get(2 + at + 1..)?.strip_prefix(']')?;
                return Some((name, rest));
            }
            '\\' => name.push(match characters.next()?.1 {
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                escaped @ ('\'' | '\\') => escaped,
                _ => return None,
            }),
            _ => name.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::normalize;

    #[test]
    fn paths() {
        let schema = json!({"properties": {
            "a": {"properties": {"b-c": {}, "d": {}}},
            "m": {"additionalProperties": {"properties": {"x": {}}}},
        }});
        let cases = [
            (".a", Some("a")),
            (".a.d", Some("a.d")),
            (".a['b-c']", Some("a.b-c")),
            ("['a'].d", Some("a.d")),
            (".m['k'].x", Some("m[k].x")),
            (".m.k.x", Some("m[k].x")),
            (".b", None),
            ("a", None),
            (".a[0]", None),
            (".a..d", None),
            ("", None),
        ];
        for (path, expected) in cases {
            assert_eq!(normalize(path, &schema).as_deref(), expected, "{path}");
        }
    }
}
