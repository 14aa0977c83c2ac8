//! URLs as Go's `net/url` reads them.

use std::collections::BTreeMap;

use crate::values::go::GoQuoted;
use crate::values::ip::parse_address;

/// A URL, in parts.
#[derive(Debug, Default)]
pub struct Url {
    /// The scheme, in lower case.
    pub scheme: String,
    /// The user with its password, with escapes as Go writes them.
    pub user: Option<String>,
    /// The host with its port.
    pub host: String,
    path: String,
    raw_path: String,
    /// What is after `?`.
    pub query: String,
    /// What is after `#`, without escapes.
    pub fragment: String,
    text: String,
}

impl Url {
    /// What two equal URLs have in common.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The host without brackets, and the port.
    pub(crate) fn host_and_port(&self) -> (&str, &str) {
        let valid = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let (host, port) = match self.host.rsplit_once(':') {
            Some((host, port))
                if valid(port) && (!host.starts_with('[') || host.ends_with(']')) =>
            {
                (host, port)
            }
            _ => (self.host.as_str(), ""),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        (host, port)
    }

    /// The path with escapes: as it was written if that is valid.
    pub(crate) fn escaped_path(&self) -> String {
        let valid =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:@/[]%".contains(&byte);
        if self.raw_path.bytes().all(valid) {
            return self.raw_path.clone();
        }
        if self.path == "*" {
            return "*".to_owned();
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte);
        escape(&self.path, plain)
    }

    /// The most parameters that the query can have.
    pub(crate) fn count_parameters(&self) -> usize {
        1 + self.query.bytes().filter(|byte| *byte == b'&').count()
    }

    /// The parameters of the query. Parts that are not valid are left out.
    pub(crate) fn parameters(&self) -> BTreeMap<String, Vec<String>> {
        let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for part in self.query.split('&').filter(|part| !part.is_empty() && !part.contains(';')) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if let (Ok(key), Ok(value)) =
                (unescape(key, UrlComponent::Query), unescape(value, UrlComponent::Query))
            {
                parameters.entry(key).or_default().push(value);
            }
        }
        parameters
    }
}

/// Reads a URL or a reference to one, as `url.Parse` of Go.
///
/// # Errors
/// The words of Go.
pub fn parse_reference(text: &str) -> Result<Url, String> {
    if text.is_empty() { Ok(Url::default()) } else { read(text, false) }
}

/// Reads an absolute URL or path, as `url.ParseRequestURI` of Go.
///
/// # Errors
/// The words of Go.
pub fn parse_request(text: &str) -> Result<Url, String> {
    read(text, true)
}

/// Returns `true` if `url.ParseRequestURI` of Go accepts a text.
pub(crate) fn is_request(text: &str) -> bool {
    read_parts(text, true).is_ok()
}

/// Reads a URL as servers do for `url()` and `isURL()`: absolute, or with an absolute path.
pub(crate) fn parse(text: &str) -> Result<Url, String> {
    // The server reads it twice: the first time a `#` does not begin a fragment.
    parse_request(text)?;
    parse_reference(text)
}

fn read(text: &str, via_request: bool) -> Result<Url, String> {
    let read = read_parts(text, via_request);
    read.map_err(|message| format!("parse {}: {message}", GoQuoted(text)))
}

fn read_parts(text: &str, via_request: bool) -> Result<Url, String> {
    if text.is_empty() {
        return Err("empty url".to_owned());
    }
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let (text_before, fragment) = match text.split_once('#') {
        Some((before, fragment)) if !via_request => (before, fragment),
        _ => (text, ""),
    };
    let mut url = Url { text: text.to_owned(), ..Url::default() };
    if text_before == "*" {
        "*".clone_into(&mut url.path);
        "*".clone_into(&mut url.raw_path);
        return Ok(url);
    }
    let (scheme, after) = split_scheme(text_before)?;
    let (hierarchy, query) = after.split_once('?').unwrap_or((after, ""));
    url.scheme = scheme.to_ascii_lowercase();
    query.clone_into(&mut url.query);
    match (hierarchy.starts_with('/'), scheme.is_empty()) {
        // `mailto:a@b`: all is opaque.
        (false, false) => {
            url.fragment = unescape(fragment, UrlComponent::Fragment)?;
            return Ok(url);
        }
        (false, true) => check_relative(hierarchy, via_request)?,
        (true, _) => {}
    }
    let may_have_host = !scheme.is_empty() || !via_request && !hierarchy.starts_with("///");
    let mut path = hierarchy;
    if let Some(after) = hierarchy.strip_prefix("//").filter(|_| may_have_host) {
        let end = after.find('/').unwrap_or(after.len());
        let (authority, after) = after.split_at_checked(end).unwrap_or((after, ""));
        (url.user, url.host) = read_authority(&url.scheme, authority)?;
        path = after;
    }
    url.path = unescape(path, UrlComponent::Path)?;
    path.clone_into(&mut url.raw_path);
    url.fragment = unescape(fragment, UrlComponent::Fragment)?;
    Ok(url)
}

/// Checks a text that has neither a scheme nor a `/` at its beginning.
fn check_relative(text: &str, via_request: bool) -> Result<(), String> {
    if via_request {
        return Err("invalid URI for request".to_owned());
    }
    let first = text.split('/').next().unwrap_or_default();
    if first.contains(':') {
        return Err("first path segment in URL cannot contain colon".to_owned());
    }
    Ok(())
}

fn split_scheme(text: &str) -> Result<(&str, &str), &'static str> {
    for (at, character) in text.char_indices() {
        match character {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at == 0 => return Err("missing protocol scheme"),
            ':' => {
                let (scheme, rest) = text.split_at_checked(at).unwrap_or(("", text));
                return Ok((scheme, rest.strip_prefix(':').unwrap_or(rest)));
            }
            _ => return Ok(("", text)),
        }
    }
    Ok(("", text))
}

/// The user, if there is one, and the host.
fn read_authority(scheme: &str, authority: &str) -> Result<(Option<String>, String), String> {
    let Some((user, host)) = authority.rsplit_once('@') else {
        return Ok((None, read_host(scheme, authority)?));
    };
    let host = read_host(scheme, host)?;
    let valid = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'!' | b'$'..=b'.' | b':' | b';' | b'=' | b'@' | b'_' | b'~')
    };
    if !user.bytes().all(valid) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~$&+,;=".contains(&byte);
    let escaped = |part: &str| Ok::<_, String>(escape(&unescape(part, UrlComponent::User)?, plain));
    let user = match user.split_once(':') {
        Some((name, password)) => format!("{}:{}", escaped(name)?, escaped(password)?),
        None => escaped(user)?,
    };
    Ok((Some(user), host))
}

/// A text with escapes for all bytes but plain ones.
fn escape(text: &str, plain: impl Fn(u8) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if plain(byte) {
            escaped.push(char::from(byte));
        } else {
            let digits = [byte >> 4, byte & 0xf].map(|digit| char::from_digit(digit.into(), 16));
            escaped.push('%');
            escaped.extend(digits.into_iter().flatten().map(|digit| digit.to_ascii_uppercase()));
        }
    }
    escaped
}

fn read_host(scheme: &str, host: &str) -> Result<String, String> {
    match host.rfind('[') {
        Some(0) => return read_literal(host),
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    // A database can have several hosts, each with a port; `http` cannot (since Go 1.26, and so since 1.36).
    let colon = if matches!(scheme, "http" | "https") { host.find(':') } else { host.rfind(':') };
    if let Some(at) = colon {
        check_port(host.get(at..).unwrap_or_default())?;
    }
    unescape(host, UrlComponent::Host)
}

/// `[::1]:80`, with a zone after `%25`.
fn read_literal(host: &str) -> Result<String, String> {
    let Some((inside, port)) = host.rsplit_once(']') else {
        return Err("missing ']' in host".to_owned());
    };
    check_port(port)?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    let (address, zone) = inside.split_at(inside.find("%25").unwrap_or(inside.len()));
    let inside = unescape(address, UrlComponent::Host)? + &unescape(zone, UrlComponent::Zone)?;
    let (address, _) = parse_address(&inside).map_err(|why| format!("invalid host: {why}"))?;
    if address.is_ipv4() {
        return Err("invalid IP-literal".to_owned());
    }
    Ok(format!("[{inside}]{port}"))
}

fn check_port(port: &str) -> Result<(), String> {
    let digits = port.strip_prefix(':');
    if port.is_empty()
        || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    {
        Ok(())
    } else {
        Err(format!("invalid port {} after host", GoQuoted(port)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UrlComponent {
    Path,
    Fragment,
    User,
    Host,
    Zone,
    Query,
}

fn unescape(text: &str, part: UrlComponent) -> Result<String, String> {
    let is_host = matches!(part, UrlComponent::Host | UrlComponent::Zone);
    if !is_host && !text.contains(['%', '+']) {
        return Ok(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, part) {
            (b'%', _) => {
                let value = match after {
                    [high, low, ..] => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
                    _ => None,
                };
                let Some(value) = value.filter(|value| may_be_escaped(*value, part)) else {
                    let escape: Vec<u8> =
                        std::iter::once(b'%').chain(after.iter().copied().take(2)).collect();
                    return Err(format!(
                        "invalid URL escape {}",
                        GoQuoted(&String::from_utf8_lossy(&escape))
                    ));
                };
                bytes.push(value);
                rest = after.get(2..).unwrap_or_default();
            }
            (b'+', UrlComponent::Query) => bytes.push(b' '),
            _ if is_host && *first < 0x80 && !is_host_byte(*first) => {
                let character = char::from(*first);
                return Err(format!(
                    "invalid character {} in host name",
                    GoQuoted(&character.to_string())
                ));
            }
            _ => bytes.push(*first),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A host has escapes for bytes that are not ASCII only, a zone for those that a host may have.
fn may_be_escaped(byte: u8, part: UrlComponent) -> bool {
    match part {
        UrlComponent::Host => byte >= 0x80 || byte == b'%',
        UrlComponent::Zone => matches!(byte, b'%' | b' ') || is_host_byte(byte),
        UrlComponent::Path | UrlComponent::Fragment | UrlComponent::User | UrlComponent::Query => {
            true
        }
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16)?.try_into().ok()
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_reference, parse_request};

    #[test]
    fn parts() {
        let url =
            parse("https://user:pass@example.com:80/path with spaces/?k1=a&k2=b&k2=c#x").unwrap();
        assert_eq!((url.scheme.as_str(), url.host.as_str()), ("https", "example.com:80"));
        assert_eq!(url.host_and_port(), ("example.com", "80"));
        assert_eq!(url.escaped_path(), "/path%20with%20spaces/");
        let parameters = [("k1", &["a"][..]), ("k2", &["b", "c"])];
        let parameters = parameters.map(|(key, values)| {
            (key.to_owned(), values.iter().map(|value| (*value).to_owned()).collect())
        });
        assert_eq!(url.parameters(), parameters.into());
        let v6 = parse("https://[::1]:80/").unwrap();
        assert_eq!(v6.host_and_port(), ("::1", "80"));
        assert_eq!(v6.host, "[::1]:80");
        assert_eq!(parse("http://[fe80::1%25en%20]/").unwrap().host, "[fe80::1%en ]");
        assert_eq!(parse("*").unwrap().escaped_path(), "*");
    }

    #[test]
    fn what_is_a_url() {
        for text in
            ["/absolute-path", "http://a.example.com:80", "mailto:a@b", "https://example.com", "*"]
        {
            assert!(parse(text).is_ok(), "{text}: {:?}", parse(text).map(|_| ()));
        }
        // The first reading takes it for a path.
        assert!(parse_request("//a:b/c").is_ok() && parse("//a:b/c").is_err());
        let refused = [
            ("https://a:b:c/", "invalid port \":b:c\" after host"),
            ("db://a:b:c/", "invalid port \":c\" after host"),
            ("http://a[::1]/", "invalid IP-literal"),
            ("http://[1.2.3.4]/", "invalid IP-literal"),
            ("http://[x]/", "invalid host: ParseAddr(\"x\"): unable to parse IP"),
            ("http://[::1%25%41%00]/", "invalid URL escape \"%00\""),
            ("http://a%2e/", "invalid URL escape \"%2e\""),
            ("../relative-path", "invalid URI for request"),
            ("x y", "invalid URI for request"),
            ("", "empty url"),
            (":a", "missing protocol scheme"),
            ("http://a b/", "invalid character \" \" in host name"),
            ("/%zz", "invalid URL escape \"%zz\""),
            ("http://[::1", "missing ']' in host"),
            ("/\u{1}", "net/url: invalid control character in URL"),
        ];
        for (text, expected) in refused {
            let error = parse(text).map(|_| ()).unwrap_err();
            assert!(error.ends_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn requests_have_absolute_ones() {
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
            assert!(parse_request(valid).is_ok(), "{valid}");
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
            assert!(parse_request(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn references_are_those_of_go() {
        for (text, error) in [
            ("https://a b/", r#"parse "https://a b/": invalid character " " in host name"#),
            ("https://h:port/", r#"parse "https://h:port/": invalid port ":port" after host"#),
            ("https://h/%zz", r#"parse "https://h/%zz": invalid URL escape "%zz""#),
            ("https://[::1", r#"parse "https://[::1": missing ']' in host"#),
            (":", r#"parse ":": missing protocol scheme"#),
        ] {
            assert_eq!(parse_reference(text).map(|_| ()), Err(error.to_owned()));
        }
        let url = parse_reference("HTTPS://a!:b%40c@h:1/p?q#f%20g").unwrap();
        assert_eq!((url.scheme.as_str(), url.host.as_str()), ("https", "h:1"));
        assert_eq!((url.query.as_str(), url.fragment.as_str()), ("q", "f g"));
        assert_eq!(url.user.as_deref(), Some("a%21:b%40c"));
        assert_eq!(parse_reference("").map(|url| url.host), Ok(String::new()));
        assert_eq!(parse_reference("mailto:a#b").map(|url| url.fragment), Ok("b".to_owned()));
    }
}
