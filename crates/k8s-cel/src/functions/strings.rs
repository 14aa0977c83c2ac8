//! Functions on texts. Positions count characters.

use crate::eval::value::{Evaluated, Fault, Value};
use crate::facts::{Fact, Facts};
use crate::values::text::go_quote;

fn out_of_range<T>(index: i64) -> Evaluated<T> {
    Err(Fault::Error(format!("index out of range: {index}")))
}

/// Functions with a text as receiver.
pub(crate) fn method<'v>(
    function: &str,
    own: &str,
    arguments: &[Value<'v>],
    facts: Facts,
) -> Evaluated<Value<'v>> {
    Ok(match (function, arguments) {
        ("contains", [Value::Text(part)]) => Value::Bool(own.contains(&**part)),
        ("startsWith", [Value::Text(part)]) => Value::Bool(own.starts_with(&**part)),
        ("endsWith", [Value::Text(part)]) => Value::Bool(own.ends_with(&**part)),
        ("charAt", [Value::Int(index)]) => char_at(own, *index)?,
        ("indexOf", [Value::Text(part)]) => index_of(own, part, 0, facts)?,
        ("indexOf", [Value::Text(part), Value::Int(from)]) => index_of(own, part, *from, facts)?,
        ("lastIndexOf", [Value::Text(part)]) => {
            let length = length(own);
            if part.is_empty() {
                Value::Int(length)
            } else if own.len() < part.len() && facts.hold(Fact::LenientIndexOf) {
                Value::Int(-1)
            } else {
                last_index_of(own, part, length - 1, facts)?
            }
        }
        ("lastIndexOf", [Value::Text(part), Value::Int(from)]) => {
            last_index_of(own, part, *from, facts)?
        }
        ("lowerAscii", []) => Value::text(own.to_ascii_lowercase()),
        ("upperAscii", []) => Value::text(own.to_ascii_uppercase()),
        ("trim", []) => Value::text(own.trim()),
        ("replace", [Value::Text(from), Value::Text(to)]) => Value::text(own.replace(&**from, to)),
        ("replace", [Value::Text(from), Value::Text(to), Value::Int(limit)]) => {
            let limit = usize::try_from(*limit).unwrap_or(usize::MAX);
            Value::text(own.replacen(&**from, to, limit))
        }
        ("split", [Value::Text(separator)]) => split(own, separator, -1),
        ("split", [Value::Text(separator), Value::Int(limit)]) => split(own, separator, *limit),
        ("substring", [Value::Int(start)]) => substring(own, *start, None)?,
        ("substring", [Value::Int(start), Value::Int(end)]) => substring(own, *start, Some(*end))?,
        _ => return Err(Fault::no_overload()),
    })
}

fn length(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

fn char_at<'v>(own: &str, index: i64) -> Evaluated<Value<'v>> {
    if index == length(own) {
        return Ok(Value::text(""));
    }
    let character = usize::try_from(index).ok().and_then(|index| own.chars().nth(index));
    character.map_or_else(|| out_of_range(index), |it| Ok(Value::text(it.to_string())))
}

/// The offset in bytes of the character at an index.
fn offset(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

fn characters_before(text: &str, at: usize) -> i64 {
    length(text.get(..at).unwrap_or_default())
}

/// Newer servers answer -1 for a position beyond the text, older ones fail.
fn checked_start(own: &str, from: i64, facts: Facts) -> Evaluated<Option<usize>> {
    let beyond = from >= length(own);
    match usize::try_from(from) {
        Ok(_) if beyond && facts.hold(Fact::LenientIndexOf) => Ok(None),
        Ok(start) if !beyond => Ok(Some(start)),
        _ => out_of_range(from),
    }
}

fn index_of<'v>(own: &str, part: &str, from: i64, facts: Facts) -> Evaluated<Value<'v>> {
    if part.is_empty() {
        return Ok(Value::Int(from));
    }
    let Some(start) = checked_start(own, from, facts)? else { return Ok(Value::Int(-1)) };
    let start = offset(own, start);
    let first = own.get(start..).and_then(|rest| rest.find(part));
    Ok(Value::Int(first.map_or(-1, |at| characters_before(own, start + at))))
}

fn last_index_of<'v>(own: &str, part: &str, from: i64, facts: Facts) -> Evaluated<Value<'v>> {
    if part.is_empty() {
        return Ok(Value::Int(from));
    }
    let Some(start) = checked_start(own, from, facts)? else { return Ok(Value::Int(-1)) };
    // The match may begin at the position, and end after it.
    let end = offset(own, start + part.chars().count());
    let last = own.get(..end).and_then(|before| before.rfind(part));
    Ok(Value::Int(last.map_or(-1, |at| characters_before(own, at))))
}

/// Splits between all characters if the separator is empty.
fn split<'v>(own: &str, separator: &str, limit: i64) -> Value<'v> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let parts: Vec<String> = if limit == 0 {
        Vec::new()
    } else if separator.is_empty() {
        split_characters(own, limit)
    } else {
        own.splitn(limit, separator).map(str::to_owned).collect()
    };
    Value::list(parts.into_iter().map(Value::text).collect())
}

fn split_characters(own: &str, limit: usize) -> Vec<String> {
    let mut parts: Vec<String> =
        own.chars().take(limit.saturating_sub(1)).map(String::from).collect();
    let rest: String = own.chars().skip(parts.len()).collect();
    if limit == usize::MAX {
        return parts;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

fn substring<'v>(own: &str, start: i64, end: Option<i64>) -> Evaluated<Value<'v>> {
    let length = length(own);
    let last = end.unwrap_or(length);
    if start > last && end.is_some() {
        return Err(Fault::Error(format!("invalid substring range. start: {start}, end: {last}")));
    }
    if !(0..=length).contains(&start) {
        return out_of_range(start);
    }
    if !(0..=length).contains(&last) {
        return out_of_range(last);
    }
    let (Ok(start), Ok(last)) = (usize::try_from(start), usize::try_from(last)) else {
        return out_of_range(start);
    };
    Ok(Value::text(own.chars().skip(start).take(last - start).collect::<String>()))
}

/// `[…].join(separator)`.
pub(crate) fn join<'v>(items: &[Value<'v>], separator: &str) -> Evaluated<Value<'v>> {
    let mut joined = String::new();
    for (index, item) in items.iter().enumerate() {
        let Value::Text(text) = item else {
            return Err(Fault::not_judged("`join` of items that are not texts"));
        };
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(text);
    }
    Ok(Value::text(joined))
}

/// `strings.quote(text)`: escapes of control characters and quotes only.
pub(crate) fn quote<'v>(text: &str) -> Value<'v> {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\u{7}' | '\u{8}' | '\u{b}' | '\u{c}' | '\n' | '\r' | '\t' | '\\' | '"' => {
                let escaped = go_quote(&character.to_string());
                // Without its quotes.
                quoted.extend(escaped.get(1..escaped.len() - 1));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    Value::text(quoted)
}

#[cfg(test)]
mod tests {
    use k8s_versioned_names::Release;

    use super::{Facts, Value, join, method, quote};

    fn call(release: u16, function: &str, own: &str, arguments: &[Value<'static>]) -> String {
        let facts = Facts::at(Release::new(1, release));
        match method(function, own, arguments, facts) {
            Ok(Value::Text(text)) => text.to_string(),
            Ok(Value::List(list)) => {
                let items = list.to_vec().unwrap();
                format!("{} items: {:?}", items.len(), join(&items, "|").map(|text| text.size()))
            }
            Ok(value) => format!("{value:?}"),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn functions_on_texts() {
        use Value::Int;
        let t = |text: &'static str| Value::borrowed(text);
        let cases = [
            ("charAt", "éa", vec![Int(0)], "é"),
            ("charAt", "é", vec![Int(1)], ""),
            ("charAt", "é", vec![Int(2)], "Error(\"index out of range: 2\")"),
            ("indexOf", "éb", vec![t("b")], "Int(1)"),
            ("indexOf", "hello mellow", vec![t("ello"), Int(2)], "Int(7)"),
            ("indexOf", "abc", vec![t("")], "Int(0)"),
            ("indexOf", "", vec![t("b")], "Int(-1)"),
            ("indexOf", "a", vec![t("b"), Int(-1)], "Error(\"index out of range: -1\")"),
            ("lastIndexOf", "hello mellow", vec![t("ello")], "Int(7)"),
            ("lastIndexOf", "hello mellow", vec![t("ello"), Int(6)], "Int(1)"),
            ("lastIndexOf", "hello mellow", vec![t("")], "Int(12)"),
            ("lastIndexOf", "a", vec![t("ab")], "Int(-1)"),
            ("lastIndexOf", "", vec![t("@@")], "Int(-1)"),
            ("lowerAscii", "TacoCÆt", vec![], "tacocÆt"),
            ("upperAscii", "aé", vec![], "Aé"),
            ("trim", "  \t a\u{2003}", vec![], "a"),
            ("replace", "hello hello", vec![t("he"), t("we")], "wello wello"),
            ("replace", "hello hello", vec![t("he"), t("we"), Int(1)], "wello hello"),
            ("replace", "hello hello", vec![t("he"), t("we"), Int(-1)], "wello wello"),
            ("replace", "ab", vec![t(""), t("x")], "xaxbx"),
            ("split", "a,b,", vec![t(",")], "3 items: Ok(Some(4))"),
            ("split", "a b c", vec![t(" "), Int(2)], "2 items: Ok(Some(5))"),
            ("split", "a b c", vec![t(" "), Int(0)], "0 items: Ok(Some(0))"),
            ("split", "abc", vec![t("")], "3 items: Ok(Some(5))"),
            ("split", "", vec![t("")], "0 items: Ok(Some(0))"),
            ("split", "", vec![t(",")], "1 items: Ok(Some(0))"),
            ("substring", "tacocat", vec![Int(4)], "cat"),
            ("substring", "abcd", vec![Int(1), Int(3)], "bc"),
            ("substring", "ab", vec![Int(1), Int(3)], "Error(\"index out of range: 3\")"),
            (
                "substring",
                "abcd",
                vec![Int(2), Int(1)],
                "Error(\"invalid substring range. start: 2, end: 1\")",
            ),
            ("substring", "ab", vec![Int(-1)], "Error(\"index out of range: -1\")"),
        ];
        for (function, own, arguments, expected) in cases {
            assert_eq!(
                call(36, function, own, &arguments),
                expected,
                "{own:?}.{function}({arguments:?})"
            );
        }
        assert_eq!(call(31, "indexOf", "", &[t("b")]), "Error(\"index out of range: 0\")");
        let before = call(33, "lastIndexOf", "", &[t("@@")]);
        assert_eq!(before, "Error(\"index out of range: -1\")");
    }

    #[test]
    fn quotes() {
        let Value::Text(text) = quote("a \"b\"\n\\é\u{1}") else { panic!() };
        assert_eq!(&*text, "\"a \\\"b\\\"\\n\\\\é\u{1}\"");
    }
}
