//! Versions such as `1.2.3-rc.1`, as Kubernetes reads and compares them.

use std::cmp::Ordering;
use std::rc::Rc;

use k8s_versioned::without_leading_zeros;
use semver::Version;

use crate::eval::value::{Evaluated, Fault, Value};
use crate::values::text::go_quote;

/// Reads a version. The error is the server's; the package `semver` reads the same versions, with other messages.
pub(crate) fn parse(text: &str) -> Result<Version, String> {
    if text.is_empty() {
        return Err("Version string empty".to_owned());
    }
    let mut parts = text.splitn(3, '.');
    let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("No Major.Minor.Patch elements found".to_owned());
    };
    let (rest, build) = match rest.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (rest, None),
    };
    let (patch, pre_release) = match rest.split_once('-') {
        Some((patch, pre_release)) => (patch, Some(pre_release)),
        None => (rest, None),
    };
    for (part, name) in [(major, "Major"), (minor, "Minor"), (patch, "Patch")] {
        check_number(part, name)?;
    }
    pre_release.into_iter().flat_map(|part| part.split('.')).try_for_each(check_identifier)?;
    for part in build.into_iter().flat_map(|build| build.split('.')) {
        if part.is_empty() {
            return Err("Build meta data is empty".to_owned());
        }
        if !is_identifier(part) {
            return Err(format!(
                "Invalid character(s) found in build meta data {}",
                go_quote(part)
            ));
        }
    }
    Version::parse(text).map_err(|error| error.to_string())
}

fn check_number(text: &str, name: &str) -> Result<(), String> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!(
            "Invalid character(s) found in {} number {}",
            name.to_lowercase(),
            go_quote(text)
        ));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!("{name} number must not contain leading zeroes {}", go_quote(text)));
    }
    check_size(text)
}

/// Checks that a text of digits is a number of 64 bits.
fn check_size(text: &str) -> Result<(), String> {
    let reason = if text.is_empty() { "invalid syntax" } else { "value out of range" };
    let error = |_| format!("strconv.ParseUint: parsing {}: {reason}", go_quote(text));
    text.parse::<u64>().map(drop).map_err(error)
}

fn is_identifier(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn check_identifier(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        if text.len() > 1 && text.starts_with('0') {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {}",
                go_quote(text)
            ));
        }
        return check_size(text);
    }
    if !is_identifier(text) {
        return Err(format!("Invalid character(s) found in prerelease {}", go_quote(text)));
    }
    Ok(())
}

/// Reads a version as `semver(text, true)` does: with a `v`, short forms, and leading zeros.
pub(crate) fn parse_normalized(text: &str) -> Result<Version, String> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let mut parts: Vec<String> = text.splitn(3, '.').map(without_leading_zeros).collect();
    if parts.len() < 3 {
        if parts.last().is_some_and(|part| part.contains(['+', '-'])) {
            return Err("short version cannot contain PreRelease/Build meta data".to_owned());
        }
        parts.resize(3, "0".to_owned());
    }
    parse(&parts.join("."))
}

/// `semver(text)` and `semver(text, normalize)`.
pub(crate) fn to_semver<'v>(text: &str, normalize: bool) -> Evaluated<Value<'v>> {
    let version = if normalize { parse_normalized(text) } else { parse(text) };
    version.map(|version| Value::Semver(Rc::new(version))).map_err(Fault::error)
}

fn pair<'a>(arguments: &'a [Value<'_>]) -> Evaluated<(&'a Version, &'a Version)> {
    match arguments {
        [Value::Semver(a), Value::Semver(b)] => Ok((a, b)),
        _ => Err(Fault::no_overload()),
    }
}

/// `major()`, `minor()` and `patch()`.
pub(super) fn number<'v>(value: &Value<'v>, number: fn(&Version) -> u64) -> Evaluated<Value<'v>> {
    let Value::Semver(version) = value else { return Err(Fault::no_overload()) };
    // Servers wrap a number that fits no integer.
    Ok(Value::Int(number(version).cast_signed()))
}

/// `isGreaterThan(other)` and `isLessThan(other)`.
pub(super) fn compare<'v>(
    arguments: &[Value<'v>],
    holds: fn(Ordering) -> bool,
) -> Evaluated<Value<'v>> {
    let (own, other) = pair(arguments)?;
    Ok(Value::Bool(holds(own.cmp_precedence(other))))
}

/// `compareTo(other)`.
pub(super) fn order<'v>(arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
    let (own, other) = pair(arguments)?;
    Ok(Value::Int(own.cmp_precedence(other) as i64))
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_normalized};

    #[test]
    fn order() {
        let versions = [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0",
            "1.9.0",
            "1.10.0",
        ];
        for pair in versions.windows(2) {
            assert!(
                parse(pair[0]).unwrap().cmp_precedence(&parse(pair[1]).unwrap()).is_lt(),
                "{pair:?}"
            );
        }
        assert!(parse("1.0.0+a").unwrap().cmp_precedence(&parse("1.0.0+b").unwrap()).is_eq());
    }

    #[test]
    fn what_is_a_version() {
        for text in
            ["", "1.9", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0+", "1.0.0-a_b", "1.0.x"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        for (text, expected) in
            [("v1", "1.0.0"), ("1.9", "1.9.0"), ("v01.002.0003-a", "1.2.3-a"), ("00.0.1", "0.0.1")]
        {
            assert_eq!(parse_normalized(text), parse(expected), "{text}");
        }
        assert!(parse_normalized("1.2-a").is_err());
    }
}
