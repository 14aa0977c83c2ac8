//! URIs, as Go's `url.ParseRequestURI` reads them.

use std::net::Ipv6Addr;

/// An absolute URI, or an absolute path.
pub(super) fn request_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|byte| byte < b' ' || byte == 0x7F) {
        return false;
    }
    if text == "*" {
        return true;
    }
    let Some((scheme, rest)) = scheme(text) else { return false };
    let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
    if !rest.starts_with('/') {
        // A part without a slash, such as `urn:a:b`, is not looked into.
        return !scheme.is_empty();
    }
    match rest.strip_prefix("//") {
        Some(authority) if !scheme.is_empty() => {
            let (authority, path) = authority.split_once('/').unwrap_or((authority, ""));
            is_authority(scheme, authority) && is_escaped(path, |_| true)
        }
        _ => is_escaped(rest, |_| true),
    }
}

/// The scheme and the text after it; without a scheme, the whole text. `None` if the text begins with `:`.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let (scheme, rest) = text.split_at_checked(end)?;
    let Some(rest) = rest.strip_prefix(':') else { return Some(("", text)) };
    match scheme.chars().next()? {
        first if first.is_ascii_alphabetic() => Some((scheme, rest)),
        _ => Some(("", text)),
    }
}

fn is_authority(scheme: &str, authority: &str) -> bool {
    match authority.rsplit_once('@') {
        None => is_host(scheme, authority),
        Some((user, host)) => {
            let is_user = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
            user.chars().all(is_user) && is_escaped(user, |_| true) && is_host(scheme, host)
        }
    }
}

/// A host, and a port of any size.
fn is_host(scheme: &str, host: &str) -> bool {
    if let Some(literal) = host.strip_prefix('[') {
        let Some((address, port)) = literal.rsplit_once(']') else { return false };
        return is_port(port) && is_ipv6(address);
    }
    // A database can have several hosts, each with a port; `http` cannot (since Go 1.26, and so since 1.36).
    let strict = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let colon = if strict { host.find(':') } else { host.rfind(':') };
    let port = colon.and_then(|at| host.get(at..)).unwrap_or_default();
    is_port(port) && !host.contains('[') && is_escaped_host(host)
}

fn is_port(port: &str) -> bool {
    port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// An IPv6 address, with a zone after `%25`.
fn is_ipv6(text: &str) -> bool {
    let (address, zone) = match text.split_once("%25") {
        Some((address, zone)) => (address, Some(zone)),
        None => (text, None),
    };
    // A zone may have any escape of a character that a host may have, and of a space.
    let is_zone = |zone: &str| {
        !zone.is_empty()
            && is_escaped(zone, |byte| {
                byte == b' ' || byte == b'%' || (byte.is_ascii() && is_host_byte(byte))
            })
            && zone.bytes().all(|byte| byte == b'%' || is_host_byte(byte))
    };
    address.parse::<Ipv6Addr>().is_ok() && zone.is_none_or(is_zone)
}

/// A host may escape only what is not ASCII, and `%` itself.
fn is_escaped_host(host: &str) -> bool {
    host.bytes().all(|byte| byte == b'%' || is_host_byte(byte))
        && is_escaped(host, |byte| byte >= 0x80 || byte == b'%')
}

fn is_host_byte(byte: u8) -> bool {
    byte >= 0x80 || byte.is_ascii_alphanumeric() || b"!$&'()*+,;=:[]<>\"-_.~".contains(&byte)
}

/// Returns `true` if each `%` has two hexadecimal digits, whose byte may be escaped.
fn is_escaped(text: &str, may_be_escaped: impl Fn(u8) -> bool) -> bool {
    text.split('%').skip(1).all(|after| {
        let byte =
            after.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()).is_some_and(&may_be_escaped)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_read_as_by_go() {
        for valid in [
            "*",
            "http:",
            "HTTP://a:",
            "http://u:p@h",
            "http://[fe80::1%25en0]:80",
            "/%41",
            "a://h1:1,h2:2",
            "http://a/#b",
            "x:%zz",
            "http://%C3%A9",
            "http://h?%zz",
        ] {
            assert!(request_uri(valid), "{valid}");
        }
        for invalid in [
            "",
            "a/b",
            ":a",
            "http://h:a",
            "http://a#b",
            "http://h:1:2",
            "http://a b",
            "http://%41",
            "http://[1.2.3.4]",
            "http://a[::1]",
            "http://u ser@h",
            "/\u{7f}",
            "/%4",
            "http://[::1]x",
            "http://h\\a",
            "[::1]:80",
        ] {
            assert!(!request_uri(invalid), "{invalid}");
        }
    }
}
