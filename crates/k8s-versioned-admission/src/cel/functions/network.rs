//! Addresses and networks as Go's `net/netip` reads and writes them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::super::text::go_quote;
use super::super::value::{Evaluated, Fault, Value};

/// A network: an address, which may have bits after the prefix, and the length of the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Cidr {
    address: IpAddr,
    bits: u8,
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

impl Cidr {
    const fn width(address: IpAddr) -> u8 {
        if address.is_ipv4() { 32 } else { 128 }
    }

    fn masked(self) -> Self {
        Self { address: mask(self.address, self.bits), ..self }
    }

    fn contains(self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4()
            && mask(address, self.bits) == mask(self.address, self.bits)
    }

    /// Servers compare the other address without its own mask, so `10.0.0.0/8` does not contain `10.1.0.0/16`. Whether
    /// all releases do is not known, so there is no answer where it matters.
    fn contains_network(self, other: Self) -> Evaluated<bool> {
        let longer = self.bits <= other.bits;
        let contains = longer && self.contains(other.address);
        let starts_equal = longer && self.masked().address == other.address;
        if contains == starts_equal {
            Ok(contains)
        } else {
            Err(Fault::not_judged(format!("whether {self} contains {other} depends on the server")))
        }
    }
}

fn mask(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(u32::from(32 - bits.min(32))).unwrap_or_default();
            Ipv4Addr::from(u32::from(address) & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(u32::from(128 - bits.min(128))).unwrap_or_default();
            Ipv6Addr::from(u128::from(address) & mask).into()
        }
    }
}

/// Reads an address of rules: without a zone, and not IPv4 in IPv6. The error is the server's.
pub(super) fn ip(text: &str) -> Result<IpAddr, String> {
    let (address, has_zone) = parse_address(text).map_err(|error| {
        format!("IP Address {} parse error during conversion from string: {error}", go_quote(text))
    })?;
    if has_zone {
        return Err(format!("IP address {} with zone value is not allowed", go_quote(text)));
    }
    if is_mapped(address) {
        return Err(format!("IPv4-mapped IPv6 address {} is not allowed", go_quote(text)));
    }
    Ok(address)
}

const fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some())
}

/// Reads a network of rules. The error is the server's.
pub(super) fn cidr(text: &str) -> Result<Cidr, String> {
    let network = parse_prefix(text).map_err(|error| {
        format!("network address parse error during conversion from string: netip.ParsePrefix({}): {error}", go_quote(text))
    })?;
    if is_mapped(network.address) {
        return Err(format!("IPv4-mapped IPv6 address {} is not allowed", go_quote(text)));
    }
    Ok(network)
}

fn parse_prefix(text: &str) -> Result<Cidr, String> {
    let (address, bits) = text.rsplit_once('/').ok_or("no '/'")?;
    let (address, has_zone) = parse_address(address)?;
    if has_zone {
        return Err("IPv6 zones cannot be present in a prefix".to_owned());
    }
    let bad = || format!("bad bits after slash: {}", go_quote(bits));
    if bits.len() > 1 && !bits.starts_with(|first: char| ('1'..='9').contains(&first)) {
        return Err(bad());
    }
    let bits: i64 = bits.parse().map_err(|_| bad())?;
    let bits = u8::try_from(bits).ok().filter(|bits| *bits <= Cidr::width(address));
    Ok(Cidr { address, bits: bits.ok_or("prefix length out of range")? })
}

/// Reads an address, and says whether it has a zone.
fn parse_address(text: &str) -> Result<(IpAddr, bool), String> {
    let error = |failure: Failure<'_>| {
        let at = failure.at.map(|at| format!(" (at {})", go_quote(at))).unwrap_or_default();
        format!("ParseAddr({}): {}{at}", go_quote(text), failure.message)
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
    let mut fields = [0_u8; 4];
    let (mut position, mut value, mut digits) = (0, 0_u32, 0);
    for (at, character) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        match character {
            '0'..='9' => {
                if digits == 1 && value == 0 {
                    return Err(Failure::new("IPv4 field has octet with leading zero"));
                }
                value = value * 10 + u32::from(character) - u32::from('0');
                digits += 1;
                if value > 255 {
                    return Err(Failure::new("IPv4 field has value >255"));
                }
            }
            '.' => {
                if digits == 0 || at + 1 == text.len() {
                    return Err(Failure::at("IPv4 field must have at least one digit", rest));
                }
                if position == 3 {
                    return Err(Failure::new("IPv4 address too long"));
                }
                set(&mut fields, position, value);
                (position, value, digits) = (position + 1, 0, 0);
            }
            _ => return Err(Failure::at("unexpected character", rest)),
        }
    }
    if position < 3 {
        return Err(Failure::new("IPv4 address too short"));
    }
    set(&mut fields, position, value);
    Ok(fields.into())
}

fn set(fields: &mut [u8], position: usize, value: u32) {
    if let (Some(field), Ok(value)) = (fields.get_mut(position), u8::try_from(value)) {
        *field = value;
    }
}

fn parse_v6(text: &str) -> Result<(Ipv6Addr, bool), Failure<'_>> {
    let (mut rest, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(Failure::new("zone must be a non-empty string")),
        Some((address, _)) => (address, true),
        None => (text, false),
    };
    let mut groups: Vec<u16> = Vec::with_capacity(8);
    let mut gap = None;
    if let Some(after) = rest.strip_prefix("::") {
        gap = Some(0);
        rest = after;
        if rest.is_empty() {
            return Ok((Ipv6Addr::UNSPECIFIED, zone));
        }
    }
    while groups.len() < 8 {
        let digits =
            rest.find(|character: char| !character.is_ascii_hexdigit()).unwrap_or(rest.len());
        if digits > 4 {
            return Err(Failure::at("each group must have 4 or less digits", rest));
        }
        let (group, after) = rest.split_at_checked(digits).unwrap_or_default();
        if group.is_empty() {
            return Err(Failure::at(
                "each colon-separated field must have at least one digit",
                rest,
            ));
        }
        if after.starts_with('.') {
            if gap.is_none() && groups.len() != 6 {
                return Err(Failure::at(
                    "embedded IPv4 address must replace the final 2 fields of the address",
                    rest,
                ));
            }
            if groups.len() > 6 {
                return Err(Failure::at(
                    "too many hex fields to fit an embedded IPv4 at the end of the address",
                    rest,
                ));
            }
            let [a, b, c, d] = parse_v4(rest)?.octets();
            groups.extend([u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]);
            rest = "";
            break;
        }
        groups.push(u16::from_str_radix(group, 16).unwrap_or_default());
        rest = after;
        if rest.is_empty() {
            break;
        }
        let Some(after) = rest.strip_prefix(':') else {
            return Err(Failure::at("unexpected character, want colon", rest));
        };
        if after.is_empty() {
            return Err(Failure::at("colon must be followed by more characters", rest));
        }
        rest = after;
        if let Some(after) = rest.strip_prefix(':') {
            if gap.is_some() {
                return Err(Failure::at("multiple :: in address", rest));
            }
            gap = Some(groups.len());
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return Err(Failure::at("trailing garbage after address", rest));
    }
    match gap {
        None if groups.len() < 8 => return Err(Failure::new("address string too short")),
        Some(_) if groups.len() >= 8 => {
            return Err(Failure::new("the :: must expand to at least one field of zeros"));
        }
        Some(gap) => {
            let missing = 8 - groups.len();
            groups.splice(gap..gap, std::iter::repeat_n(0, missing));
        }
        None => {}
    }
    let groups: [u16; 8] =
        groups.try_into().map_err(|_| Failure::new("address string too short"))?;
    Ok((groups.into(), zone))
}

/// `family()`, `isLoopback()` and so on.
pub(super) fn ip_method<'v>(function: &str, address: IpAddr) -> Evaluated<Value<'v>> {
    Ok(match function {
        "family" => Value::Int(if address.is_ipv4() { 4 } else { 6 }),
        "isUnspecified" => Value::Bool(address.is_unspecified()),
        "isLoopback" => Value::Bool(address.is_loopback()),
        "isLinkLocalMulticast" => Value::Bool(is_link_local_multicast(address)),
        "isLinkLocalUnicast" => Value::Bool(is_link_local_unicast(address)),
        "isGlobalUnicast" => Value::Bool(is_global_unicast(address)),
        _ => return Err(Fault::no_overload()),
    })
}

const fn is_link_local_multicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
        IpAddr::V6(address) => matches!(address.octets(), [0xff, second, ..] if second & 0x0f == 2),
    }
}

const fn is_link_local_unicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => {
            matches!(address.octets(), [0xfe, second, ..] if second & 0xc0 == 0x80)
        }
    }
}

const fn is_global_unicast(address: IpAddr) -> bool {
    let broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    !(broadcast
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || is_link_local_unicast(address))
}

/// `containsIP()`, `masked()` and so on.
pub(super) fn cidr_method<'v>(
    function: &str,
    network: Cidr,
    arguments: &[Value<'v>],
) -> Evaluated<Value<'v>> {
    // Servers wrap an error of a text once more for networks, and not for addresses.
    let wrap = |error: String| {
        Fault::Error(format!("network address parse error during conversion from string: {error}"))
    };
    Ok(match (function, arguments) {
        ("ip", []) => Value::Ip(network.address),
        ("prefixLength", []) => Value::Int(network.bits.into()),
        ("masked", []) => Value::Cidr(network.masked()),
        ("containsIP", [Value::Ip(address)]) => Value::Bool(network.contains(*address)),
        ("containsIP", [Value::Text(text)]) => {
            // A text that is not an address is no error of its own: the server then lacks an overload.
            let address = ip(text).map_err(|_| Fault::no_overload())?;
            Value::Bool(network.contains(address))
        }
        ("containsCIDR", [Value::Cidr(other)]) => Value::Bool(network.contains_network(*other)?),
        ("containsCIDR", [Value::Text(text)]) => {
            Value::Bool(network.contains_network(cidr(text).map_err(wrap)?)?)
        }
        _ => return Err(Fault::no_overload()),
    })
}

/// `cidr(text)`.
pub(super) fn to_cidr<'v>(text: &str) -> Evaluated<Value<'v>> {
    let wrap = |error| {
        Fault::Error(format!("network address parse error during conversion from string: {error}"))
    };
    cidr(text).map(Value::Cidr).map_err(wrap)
}

#[cfg(test)]
mod tests {
    use super::{cidr, ip};

    #[test]
    fn addresses() {
        let cases = [
            ("10.0.0.1", Ok("10.0.0.1")),
            ("::1", Ok("::1")),
            ("1:2:3:4:5:6:7:8", Ok("1:2:3:4:5:6:7:8")),
            ("1::", Ok("1::")),
            ("64:ff9b::1.2.3.4", Ok("64:ff9b::102:304")),
            ("01.2.3.4", Err("ParseAddr(\"01.2.3.4\"): IPv4 field has octet with leading zero")),
            ("1.2.3", Err("ParseAddr(\"1.2.3\"): IPv4 address too short")),
            ("1.2.3.4.5", Err("ParseAddr(\"1.2.3.4.5\"): IPv4 address too long")),
            (
                "1.2..4",
                Err("ParseAddr(\"1.2..4\"): IPv4 field must have at least one digit (at \".4\")"),
            ),
            ("256.1.1.1", Err("ParseAddr(\"256.1.1.1\"): IPv4 field has value >255")),
            ("a", Err("ParseAddr(\"a\"): unable to parse IP")),
            ("1::2::3", Err("ParseAddr(\"1::2::3\"): multiple :: in address (at \":3\")")),
            (
                "12345::",
                Err(
                    "ParseAddr(\"12345::\"): each group must have 4 or less digits (at \"12345::\")",
                ),
            ),
            ("1:2", Err("ParseAddr(\"1:2\"): address string too short")),
        ];
        for (text, expected) in cases {
            let expected = expected.map(str::to_owned).map_err(|error| {
                format!("IP Address \"{text}\" parse error during conversion from string: {error}")
            });
            assert_eq!(ip(text).map(|address| address.to_string()), expected, "{text}");
        }
        assert_eq!(
            ip("::ffff:1.2.3.4"),
            Err("IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed".to_owned())
        );
        assert_eq!(
            ip("fe80::1%a"),
            Err("IP address \"fe80::1%a\" with zone value is not allowed".to_owned())
        );
    }

    #[test]
    fn networks() {
        let network = |text| cidr(text).unwrap();
        assert_eq!(network("192.168.1.1/24").masked().to_string(), "192.168.1.0/24");
        assert!(network("10.0.0.0/8").contains(ip("10.1.2.3").unwrap()));
        assert!(!network("10.0.0.0/8").contains(ip("::1").unwrap()));
        assert!(network("10.0.0.0/0").contains(ip("1.1.1.1").unwrap()));
        assert_eq!(network("10.0.0.0/8").contains_network(network("10.0.0.0/24")), Ok(true));
        assert_eq!(network("10.0.0.0/24").contains_network(network("10.0.0.0/8")), Ok(false));
        assert!(network("10.0.0.0/8").contains_network(network("10.1.0.0/16")).is_err());
        for text in ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "/8", "fe80::1%a/8"] {
            assert!(cidr(text).is_err(), "{text}");
        }
    }
}
