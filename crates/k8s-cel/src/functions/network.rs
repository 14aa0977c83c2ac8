//! Addresses and networks in rules.

use std::net::IpAddr;

use crate::eval::value::{Evaluated, Fault, Value};
use crate::facts::Fact;
use crate::since::Facts;
use crate::values::network::{Cidr, cidr, ip};

/// `ip(text)`.
pub(super) fn to_ip<'v>(text: &str) -> Evaluated<Value<'v>> {
    ip(text).map(Value::Ip).map_err(Fault::error)
}

/// `isIP(text)`.
pub(super) fn is_ip<'v>(text: &str) -> Value<'v> {
    Value::Bool(ip(text).is_ok())
}

/// `isCIDR(text)`.
pub(super) fn is_cidr<'v>(text: &str) -> Value<'v> {
    Value::Bool(cidr(text).is_ok())
}

/// `ip.isCanonical(text)`.
pub(super) fn is_canonical<'v>(text: &str) -> Evaluated<Value<'v>> {
    let address = ip(text).map_err(Fault::error)?;
    Ok(Value::Bool(address.to_string() == text))
}

/// `family()`.
pub(super) const fn family(address: IpAddr) -> i64 {
    if address.is_ipv4() { 4 } else { 6 }
}

/// `isLinkLocalMulticast()`.
pub(super) const fn is_link_local_multicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
        IpAddr::V6(address) => matches!(address.octets(), [0xff, second, ..] if second & 0x0f == 2),
    }
}

/// `isLinkLocalUnicast()`.
pub(super) const fn is_link_local_unicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => {
            matches!(address.octets(), [0xfe, second, ..] if second & 0xc0 == 0x80)
        }
    }
}

/// `isGlobalUnicast()`.
pub(super) const fn is_global_unicast(address: IpAddr) -> bool {
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
    contains_network(network, other, facts).map(Value::Bool)
}

/// Before the fact, servers compared the other address without its own mask, and `10.0.0.0/8` did not contain
/// `10.1.0.0/16`. Patches of these releases mended that, so the result is not judged where the two differ.
fn contains_network(own: Cidr, other: Cidr, facts: Facts) -> Evaluated<bool> {
    let longer = own.bits() <= other.bits();
    let contains = longer && own.contains(other.address());
    let starts_equal = longer && own.masked().address() == other.address();
    if contains == starts_equal || facts.hold(Fact::NetworksInNetworks) {
        Ok(contains)
    } else {
        Err(Fault::not_judged(format!("whether {own} contains {other} depends on the server")))
    }
}

/// The network of a text. Servers wrap its error once more than the error of an address.
fn cidr_of_rule(text: &str) -> Evaluated<Cidr> {
    cidr(text).map_err(|error| {
        Fault::error(format!("network address parse error during conversion from string: {error}"))
    })
}

/// `cidr(text)`.
pub(crate) fn to_cidr<'v>(text: &str) -> Evaluated<Value<'v>> {
    cidr_of_rule(text).map(Value::Cidr)
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;

    use super::contains_network;
    use crate::since::Facts;
    use crate::values::network::cidr;

    #[test]
    fn networks_in_networks() {
        let network = |text| cidr(text).unwrap();
        let contains = |minor, own, other| {
            let facts = Facts::at(Release::new(1, minor));
            contains_network(network(own), network(other), facts).ok()
        };
        for minor in [31, 36] {
            assert_eq!(contains(minor, "10.0.0.0/8", "10.0.0.0/24"), Some(true));
            assert_eq!(contains(minor, "10.0.0.0/24", "10.0.0.0/8"), Some(false));
        }
        assert_eq!(contains(32, "10.0.0.0/8", "10.1.0.0/16"), None);
        assert_eq!(contains(33, "10.0.0.0/8", "10.1.0.0/16"), Some(true));
    }
}
