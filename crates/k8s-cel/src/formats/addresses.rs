//! Addresses of networks.

use std::net::{Ipv4Addr, Ipv6Addr};

/// An IPv4 address, also with leading zeros. An IPv6 address that ends in one counts, because it has dots.
pub(super) fn ipv4(text: &str) -> bool {
    lax_ipv4(text) || (text.contains('.') && lax_ipv6(text))
}

/// An IPv6 address without a zone.
pub(super) fn ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// An IP address as Go read it up to 1.16, and as Kubernetes still does.
pub(super) fn cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let most = if lax_ipv4(address) {
        32
    } else if lax_ipv6(address) {
        128
    } else {
        return false;
    };
    decimal(length).is_some_and(|length| length <= most)
}

/// Digits that are a small number.
fn decimal(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    // Texts with many zeros are valid. Numbers that do not fit are too large for every use.
    let significant = text.trim_start_matches('0');
    (digits && !text.is_empty() && significant.len() <= 8).then(|| significant.parse().unwrap_or(0))
}

fn lax_ipv4(text: &str) -> bool {
    let mut parts = 0;
    text.split('.').all(|part| {
        parts += 1;
        decimal(part).is_some_and(|number| number <= 255)
    }) && parts == 4
}

/// An IPv6 address in which zeros may precede a number.
fn lax_ipv6(text: &str) -> bool {
    let mut strict = String::with_capacity(text.len());
    for (index, group) in text.split(':').enumerate() {
        if index > 0 {
            strict.push(':');
        }
        if group.contains('.') {
            if !lax_ipv4(group) {
                return false;
            }
            strict.push_str(&Ipv4Addr::UNSPECIFIED.to_string());
        } else {
            let significant = group.trim_start_matches('0');
            strict.push_str(if significant.is_empty() && !group.is_empty() {
                "0"
            } else {
                significant
            });
        }
    }
    ipv6(&strict)
}

/// 6, 8 or 20 bytes as pairs of digits between `:` or `-`, or as groups of four between `.`.
pub(super) fn mac(text: &str) -> bool {
    let (separator, digits) = match (text.as_bytes().get(2), text.as_bytes().get(4)) {
        (Some(b':'), _) => (':', 2),
        (Some(b'-'), _) => ('-', 2),
        (_, Some(b'.')) => ('.', 4),
        _ => return false,
    };
    let is_group =
        |group: &str| group.len() == digits && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bytes = text.split(separator).count() * digits / 2;
    matches!(bytes, 6 | 8 | 20) && text.split(separator).all(is_group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_may_precede() {
        for (text, valid) in [
            ("0001.2.3.4", true),
            ("::ffff:1.2.3.4", true),
            ("::ffff:01.2.3.4", true),
            ("1.2.3.256", false),
            ("::1%a", false),
        ] {
            assert_eq!(ipv4(text), valid, "{text}");
        }
        for (text, valid) in [
            ("::ffff:01.2.3.4", false),
            ("00001::", false),
            ("::ffff:1.2.3.4", true),
            ("1::%eth0", false),
        ] {
            assert_eq!(ipv6(text), valid, "{text}");
        }
        for (text, valid) in [
            ("00001::/64", true),
            ("::/129", false),
            ("1.2.3.4/", false),
            ("01.2.3.4/8", true),
            ("::/0128", true),
        ] {
            assert_eq!(cidr(text), valid, "{text}");
        }
    }

    #[test]
    fn addresses_of_devices() {
        for (text, valid) in [
            ("0123.4567.89ab", true),
            ("0123.4567.89ab.cdef", true),
            ("01:23-45:67:89:ab", false),
            ("01:23:45:67:89:ab:cd", false),
        ] {
            assert_eq!(mac(text), valid, "{text}");
        }
    }
}
