//! IP addresses as Go's `net/netip` reads them, with its errors.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::values::go::GoQuoted;

/// Reads an address, and says whether it has a zone.
pub(crate) fn parse_address(text: &str) -> Result<(IpAddr, bool), String> {
    let error = |failure: Failure<'_>| {
        let at = failure.at.map(|at| format!(" (at {})", GoQuoted(at))).unwrap_or_default();
        format!("ParseAddr({}): {}{at}", GoQuoted(text), failure.message)
    };
    match text
        .find(['.', ':', '%'])
        .and_then(|at| text.get(at..))
        .and_then(|rest| rest.chars().next())
    {
        Some('.') => parse_v4(text).map(|address| (address.into(), false)).map_err(error),
        Some(':') => parse_v6(text).map(|(address, zone)| (address.into(), zone)).map_err(error),
        Some(_) => Err(error(Failure::new("missing IPv6 address"))),
        None => Err(error(Failure::new("unable to parse IP"))),
    }
}

/// What is wrong with an address, and from where on.
struct Failure<'a> {
    message: &'static str,
    at: Option<&'a str>,
}

impl<'a> Failure<'a> {
    const fn new(message: &'static str) -> Self {
        Self { message, at: None }
    }

    const fn at(message: &'static str, at: &'a str) -> Self {
        Self { message, at: Some(at) }
    }
}

fn parse_v4(text: &str) -> Result<Ipv4Addr, Failure<'_>> {
    text.parse().map_err(|_| fault_of_v4(text))
}

/// The first fault of a text that is not an IPv4 address.
fn fault_of_v4(text: &str) -> Failure<'_> {
    let mut rest = text;
    for dots in 0.. {
        let (digits, after) = split_before(rest, |digit| !digit.is_ascii_digit());
        if digits.len() > 1 && digits.starts_with('0') {
            return Failure::new("IPv4 field has octet with leading zero");
        }
        if digits.len() > 3 || digits.parse().is_ok_and(|value: u16| value > 255) {
            return Failure::new("IPv4 field has value >255");
        }
        rest = match after.strip_prefix('.') {
            None if after.is_empty() => break,
            None => return Failure::at("unexpected character", after),
            Some(next) if digits.is_empty() || next.is_empty() => {
                return Failure::at("IPv4 field must have at least one digit", after);
            }
            Some(_) if dots == 3 => return Failure::new("IPv4 address too long"),
            Some(next) => next,
        };
    }
    Failure::new("IPv4 address too short")
}

/// Reads an IPv6 address, and says whether it has a zone.
fn parse_v6(text: &str) -> Result<(Ipv6Addr, bool), Failure<'_>> {
    let (address, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(Failure::new("zone must be a non-empty string")),
        Some((address, _)) => (address, true),
        None => (text, false),
    };
    let address = address.parse().map_err(|_| fault_of_v6(address))?;
    Ok((address, zone))
}

/// The first fault of a text that is not an IPv6 address.
fn fault_of_v6(text: &str) -> Failure<'_> {
    let mut rest = text.strip_prefix("::").unwrap_or(text);
    let mut has_gap = rest.len() < text.len();
    let mut groups = 0;
    while groups < 8 {
        let (group, after) = split_before(rest, |digit| !digit.is_ascii_hexdigit());
        match group.len() {
            0 => {
                return Failure::at(
                    "each colon-separated field must have at least one digit",
                    rest,
                );
            }
            1..=4 => {}
            _ => return Failure::at("each group must have 4 or less digits", rest),
        }
        if after.starts_with('.') {
            return fault_of_embedded(rest, groups, has_gap).unwrap_or_else(|| incomplete(has_gap));
        }
        groups += 1;
        rest = match after.strip_prefix(':') {
            None if after.is_empty() => return incomplete(has_gap),
            None => return Failure::at("unexpected character, want colon", after),
            Some("") => return Failure::at("colon must be followed by more characters", after),
            Some(next) => match next.strip_prefix(':') {
                Some(_) if has_gap => return Failure::at("multiple :: in address", next),
                Some("") => return incomplete(true),
                Some(beyond) => {
                    has_gap = true;
                    beyond
                }
                None => next,
            },
        };
    }
    Failure::at("trailing garbage after address", rest)
}

/// The fault of the IPv4 address at the end of an IPv6 address, after a number of groups.
fn fault_of_embedded(rest: &str, groups: usize, has_gap: bool) -> Option<Failure<'_>> {
    if !has_gap && groups != 6 {
        let message = "embedded IPv4 address must replace the final 2 fields of the address";
        return Some(Failure::at(message, rest));
    }
    if groups > 6 {
        let message = "too many hex fields to fit an embedded IPv4 at the end of the address";
        return Some(Failure::at(message, rest));
    }
    parse_v4(rest).err()
}

/// The fault of an IPv6 address with groups that are fine, and too few or too many of them.
const fn incomplete(has_gap: bool) -> Failure<'static> {
    Failure::new(if has_gap {
        "the :: must expand to at least one field of zeros"
    } else {
        "address string too short"
    })
}

/// The text before the first character of a kind, and the rest.
fn split_before(text: &str, is_end: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at_checked(text.find(is_end).unwrap_or(text.len())).unwrap_or((text, ""))
}
