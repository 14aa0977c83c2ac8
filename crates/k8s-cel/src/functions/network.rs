//! Addresses and networks in rules.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::eval::value::{Evaluated, Fault, Value};
use crate::facts::Fact;
use crate::since::Facts;
use crate::values::ip::parse_address;
use crate::values::text::go_quote;

/// A network: an address, which may have bits after the prefix, and the length of the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cidr {
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

    pub(super) const fn address(self) -> IpAddr {
        self.address
    }

    pub(super) const fn bits(self) -> u8 {
        self.bits
    }

    /// The bytes of the prefix, which is what servers take for the size of a network.
    pub(crate) const fn prefix_bytes(self) -> u8 {
        self.bits.div_ceil(8)
    }

    pub(super) fn masked(self) -> Self {
        Self { address: mask(self.address, self.bits), ..self }
    }

    fn contains(self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4()
            && mask(address, self.bits) == mask(self.address, self.bits)
    }

    /// Before the fact, servers compared the other address without its own mask, and `10.0.0.0/8` did not contain
    /// `10.1.0.0/16`. Patches of these releases mended it, so there is no answer where it matters.
    fn contains_network(self, other: Self, facts: Facts) -> Evaluated<bool> {
        let longer = self.bits <= other.bits;
        let contains = longer && self.contains(other.address);
        let starts_equal = longer && self.masked().address == other.address;
        if contains == starts_equal || facts.hold(Fact::NetworksInNetworks) {
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
pub(crate) fn ip(text: &str) -> Result<IpAddr, String> {
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
pub(crate) fn cidr(text: &str) -> Result<Cidr, String> {
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

/// `ip(text)`.
pub(super) fn to_ip<'v>(text: &str) -> Evaluated<Value<'v>> {
    ip(text).map(Value::Ip).map_err(Fault::Error)
}

/// `ip.isCanonical(text)`.
pub(super) fn is_canonical<'v>(text: &str) -> Evaluated<Value<'v>> {
    let address = ip(text).map_err(Fault::Error)?;
    Ok(Value::Bool(address.to_string() == text))
}

/// `family()`, `isLoopback()` and so on.
pub(super) fn of_ip<'v>(function: &str, address: IpAddr) -> Evaluated<Value<'v>> {
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

/// `containsIP(address)`.
pub(super) fn contains_ip<'v>(network: Cidr, address: &Value<'v>) -> Evaluated<Value<'v>> {
    match address {
        Value::Ip(address) => Ok(Value::Bool(network.contains(*address))),
        Value::Text(text) => {
            // A text that is not an address has no error of its own: the server then lacks an overload.
            let address = ip(text).map_err(|_| Fault::no_overload())?;
            Ok(Value::Bool(network.contains(address)))
        }
        _ => Err(Fault::no_overload()),
    }
}

/// `containsCIDR(network)`.
pub(super) fn contains_cidr<'v>(
    network: Cidr,
    other: &Value<'v>,
    facts: Facts,
) -> Evaluated<Value<'v>> {
    let other = match other {
        Value::Cidr(other) => *other,
        Value::Text(text) => cidr_of_rule(text)?,
        _ => return Err(Fault::no_overload()),
    };
    network.contains_network(other, facts).map(Value::Bool)
}

/// The network of a text. Servers wrap its error once more, and do not do so for addresses.
fn cidr_of_rule(text: &str) -> Evaluated<Cidr> {
    cidr(text).map_err(|error| {
        Fault::Error(format!("network address parse error during conversion from string: {error}"))
    })
}

/// `cidr(text)`.
pub(crate) fn to_cidr<'v>(text: &str) -> Evaluated<Value<'v>> {
    cidr_of_rule(text).map(Value::Cidr)
}

#[cfg(test)]
mod tests {
    use k8s_versioned_names::Release;

    use super::{Facts, cidr, ip};

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
            (
                "1:2:3:4:5:6:7:8:9",
                Err("ParseAddr(\"1:2:3:4:5:6:7:8:9\"): trailing garbage after address (at \"9\")"),
            ),
            (
                "1::2:3:4:5:6:7:8",
                Err(
                    "ParseAddr(\"1::2:3:4:5:6:7:8\"): the :: must expand to at least one field of zeros",
                ),
            ),
            ("::1.2.3.4", Ok("::102:304")),
            ("1::2:1.2.3", Err("ParseAddr(\"1::2:1.2.3\"): IPv4 address too short")),
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
        let contains = |minor, own, other| {
            network(own).contains_network(network(other), Facts::at(Release::new(1, minor))).ok()
        };
        for minor in [31, 36] {
            assert_eq!(contains(minor, "10.0.0.0/8", "10.0.0.0/24"), Some(true));
            assert_eq!(contains(minor, "10.0.0.0/24", "10.0.0.0/8"), Some(false));
        }
        assert_eq!(contains(32, "10.0.0.0/8", "10.1.0.0/16"), None);
        assert_eq!(contains(33, "10.0.0.0/8", "10.1.0.0/16"), Some(true));
        for text in ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "/8", "fe80::1%a/8"] {
            assert!(cidr(text).is_err(), "{text}");
        }
    }
}
