//! The fencing token, which names a term of leadership.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

/// The unique name of a term: the Lease's `metadata.uid`, and its `metadata.resourceVersion` as the write that took the Lease left it.
///
/// Send it along with every write, and let the receiver refuse a token that is older than any token that it has seen. That
/// stops a process that was suspended between a check of its term and the write, and no longer leads.
///
/// Every write of a Lease raises its `resourceVersion`, whoever writes. So a later term has a later token, whatever other clients
/// do with `leaseTransitions`, and also if the Lease was deleted and created again. [KEP-5504] guarantees that since Kubernetes
/// 1.35; API servers before it that keep their objects in etcd number them in the same way.
///
/// Tokens are of one cluster: tokens of two clusters have no order, although they compare. `partial_cmp` gives `None`, and `<` and `>`
/// are both `false`, if a `resourceVersion` is not a decimal number, or two Leases have the same one. A receiver should refuse such
/// a token.
///
/// A receiver in another process reads the token from its text:
///
/// ```
/// # use k8s_lease_elector::FencingToken;
/// let seen: FencingToken = "0e4cf61a-5b7d-4f0e-9d5c-3a2f6f1c8e11/998".parse()?;
/// let next: FencingToken = "0e4cf61a-5b7d-4f0e-9d5c-3a2f6f1c8e11/1004".parse()?;
/// assert!(seen < next);
/// # Ok::<(), k8s_lease_elector::FencingTokenError>(())
/// ```
///
/// [KEP-5504]: https://www.kubernetes.dev/resources/keps/5504/
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FencingToken {
    /// `metadata.uid` of the Lease.
    pub uid: Arc<str>,
    /// `metadata.resourceVersion` of the Lease after the write that took it.
    pub resource_version: Arc<str>,
}

impl PartialOrd for FencingToken {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        // As decimal numbers of any length.
        let number = |token: &Self| {
            let text = Arc::clone(&token.resource_version);
            is_decimal(&text).then_some((text.len(), text))
        };
        Some(number(self)?.cmp(&number(other)?)).filter(|order| order.is_ne())
    }
}

/// Returns `true` if a resource version can be compared: a number above 0 without leading zeros.
fn is_decimal(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for FencingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.uid, self.resource_version)
    }
}

impl FromStr for FencingToken {
    type Err = FencingTokenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (uid, resource_version) = text.rsplit_once('/').ok_or(FencingTokenError)?;
        if uid.is_empty() || resource_version.is_empty() {
            return Err(FencingTokenError);
        }
        Ok(Self { uid: uid.into(), resource_version: resource_version.into() })
    }
}

/// A text that is not a [`FencingToken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a fencing token is the `uid` of a Lease, `/`, and a `resourceVersion` of it")]
pub struct FencingTokenError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_from_its_text() {
        let token = FencingToken { uid: "a/b".into(), resource_version: "7".into() };
        assert_eq!(token.to_string().parse(), Ok(token));
        for text in ["", "/", "uid", "uid/", "/1"] {
            assert_eq!(text.parse::<FencingToken>(), Err(FencingTokenError), "{text}");
        }
    }

    #[test]
    fn tokens_are_ordered_by_the_number() {
        let order = |one: &str, other: &str| {
            let token = |text: &str| text.parse::<FencingToken>().unwrap();
            token(one).partial_cmp(&token(other))
        };
        for (one, other, expected) in [
            ("a/9", "a/10", Some(Ordering::Less)),
            ("a/10", "a/9", Some(Ordering::Greater)),
            ("a/10", "a/10", Some(Ordering::Equal)),
            // Created again.
            ("b/9", "a/10", Some(Ordering::Less)),
            ("b/10", "a/10", None),
            // Longer than any integer of Rust.
            ("a/9", "a/99999999999999999999999999999999999999999", Some(Ordering::Less)),
            // Not of a server that numbers its objects.
            ("a/x9", "a/10", None),
            ("a/x9", "a/x9", Some(Ordering::Equal)),
            ("a/010", "a/9", None),
            ("a/0", "a/9", None),
        ] {
            assert_eq!(order(one, other), expected, "{one} and {other}");
        }
    }
}
