//! Functions on texts. Positions count characters.

use super::Context;
use crate::eval::Meter;
use crate::eval::value::{Evaluated, Fault, List, Value};
use crate::facts::Fact;
use crate::since::Facts;
use crate::values::text::go_quote;

fn out_of_range<T>(index: i64) -> Evaluated<T> {
    Err(Fault::error(format!("index out of range: {index}")))
}

fn length(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

pub(super) fn char_at<'v>(own: &str, index: i64) -> Evaluated<Value<'v>> {
    if index == length(own) {
        return Ok(Value::text(""));
    }
    let character = usize::try_from(index).ok().and_then(|index| own.chars().nth(index));
    character
        .map_or_else(|| out_of_range(index), |character| Ok(Value::text(character.to_string())))
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

/// `indexOf(part, from)`.
pub(super) fn index_of<'v>(
    own: &str,
    part: &str,
    from: i64,
    context: &Context<'_>,
) -> Evaluated<Value<'v>> {
    searched(own, part, from, context, |start| {
        let start = offset(own, start);
        Some(start + own.get(start..)?.find(part)?)
    })
}

/// The position at which `search` finds a part, as bytes; it gets the first position that counts.
fn searched<'v>(
    own: &str,
    part: &str,
    from: i64,
    context: &Context<'_>,
    search: impl Fn(usize) -> Option<usize>,
) -> Evaluated<Value<'v>> {
    if part.is_empty() {
        return Ok(Value::Int(from));
    }
    let start = checked_start(own, from, context.facts)?;
    let found = start.and_then(search);
    Ok(Value::Int(found.map_or(-1, |at| characters_before(own, at))))
}

/// `lastIndexOf(part)`.
pub(super) fn last_index<'v>(own: &str, part: &str, context: &Context<'_>) -> Evaluated<Value<'v>> {
    let length = length(own);
    if part.is_empty() {
        Ok(Value::Int(length))
    } else if own.len() < part.len() && context.facts.hold(Fact::LenientIndexOf) {
        Ok(Value::Int(-1))
    } else {
        last_index_of(own, part, length - 1, context)
    }
}

/// `lastIndexOf(part, from)`.
pub(super) fn last_index_of<'v>(
    own: &str,
    part: &str,
    from: i64,
    context: &Context<'_>,
) -> Evaluated<Value<'v>> {
    searched(own, part, from, context, |start| {
        // The match may begin at the position, and end after it.
        let end = offset(own, start + part.chars().count());
        own.get(..end)?.rfind(part)
    })
}

/// `replace(from, to, limit)`, with all parts if the limit is negative.
pub(super) fn replace<'v>(
    own: &str,
    from: &str,
    to: &str,
    limit: i64,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    // An empty text is found around each character.
    let most = if from.is_empty() { own.len() + 1 } else { own.len() / from.len() };
    meter.read(most.min(limit).saturating_mul(to.len()))?;
    Ok(Value::text(own.replacen(from, to, limit)))
}

/// Splits between all characters if the separator is empty.
pub(super) fn split<'v>(
    own: &str,
    separator: &str,
    limit: i64,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    meter.work(own.len())?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let parts: Vec<String> = if limit == 0 {
        Vec::new()
    } else if separator.is_empty() {
        split_characters(own, limit)
    } else {
        own.splitn(limit, separator).map(str::to_owned).collect()
    };
    Ok(Value::list(parts.into_iter().map(Value::text).collect()))
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

/// `substring(start, end)`.
pub(super) fn substring<'v>(own: &str, start: i64, end: Option<i64>) -> Evaluated<Value<'v>> {
    let length = length(own);
    let last = end.unwrap_or(length);
    if start > last && end.is_some() {
        return Err(Fault::error(format!("invalid substring range. start: {start}, end: {last}")));
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
pub(super) fn join<'v>(list: &List<'v>, separator: &str, meter: &Meter) -> Evaluated<Value<'v>> {
    let mut joined = String::new();
    for (index, item) in list.iter(meter).enumerate() {
        let Value::Text(text) = item? else {
            return Err(Fault::not_judged("`join` of items that are not texts"));
        };
        meter.read(text.len() + separator.len())?;
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(&text);
    }
    Ok(Value::text(joined))
}

/// `strings.quote(text)`: escapes of control characters and quotes only.
pub(crate) fn quote<'v>(text: &str) -> Value<'v> {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\u{7}' | '\u{8}' | '\u{b}' | '\u{c}' | '\n' | '\r' | '\t' | '\\' | '"' => {
                let escaped = go_quote(character.encode_utf8(&mut [0; 4]));
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
    use k8s_versioned_core::Release;

    use super::{Facts, Value, quote};
    use crate::functions::library;

    fn call(
        release: u16,
        function: &str,
        own: &'static str,
        arguments: &[Value<'static>],
    ) -> String {
        let facts = Facts::at(Release::new(1, release));
        let all: Vec<Value<'_>> =
            std::iter::once(Value::borrowed(own)).chain(arguments.iter().cloned()).collect();
        match library::call(function, &all, facts) {
            Ok(Value::Text(text)) => text.to_string(),
            Ok(list @ Value::List(_)) => {
                let count = list.size().unwrap();
                let joined = library::call("join", &[list, Value::borrowed("|")], facts);
                format!("{count} items: {:?}", joined.map(|text| text.size()))
            }
            Ok(value) => format!("{value:?}"),
            Err(error) => format!("{:?}", error.into_cause()),
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
