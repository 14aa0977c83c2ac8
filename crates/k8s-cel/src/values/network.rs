//! Addresses and networks, as rules read them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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

    pub(crate) const fn address(self) -> IpAddr {
        self.address
    }

    pub(crate) const fn bits(self) -> u8 {
        self.bits
    }

    /// The bytes of the prefix, which is what servers take for the size of a network.
    pub(crate) const fn prefix_bytes(self) -> u8 {
        self.bits.div_ceil(8)
    }

    pub(crate) fn masked(self) -> Self {
        Self { address: mask(self.address, self.bits), ..self }
    }

    pub(crate) fn contains(self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4()
            && mask(address, self.bits) == mask(self.address, self.bits)
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
        for text in ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "/8", "fe80::1%a/8"] {
            assert!(cidr(text).is_err(), "{text}");
        }
    }
}
