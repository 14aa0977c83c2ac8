//! The key of the annotation of conversions.

use std::fmt;
use std::str::FromStr;

use super::qualified_name;
use crate::ParseError;

/// Domains that belong to Kubernetes.
const RESERVED: [&str; 3] = ["k8s.io", "kubernetes.io", "x-k8s.io"];

/// The key of the annotation that keeps the values that a version cannot hold: a domain, `/`, and a name.
///
/// The domain should belong to the publisher of the objects. It cannot be a domain of Kubernetes.
///
/// ```
/// use k8s_versioned_names::rules::AnnotationKey;
///
/// let error = "conversion.k8s.io/kept".parse::<AnnotationKey>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`conversion.k8s.io/kept` is not a custom annotation key: `k8s.io` belongs to Kubernetes",
/// );
/// # Ok::<(), k8s_versioned_names::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnnotationKey(String);

impl AnnotationKey {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AnnotationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for AnnotationKey {
    type Err = ParseError;

    fn from_str(key: &str) -> Result<Self, ParseError> {
        let violations = qualified_name(key);
        let mut reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
        match key.split_once('/') {
            None => reasons.push("it must begin with a domain and `/`".to_owned()),
            Some((domain, _)) => reasons.extend(reserved(domain)),
        }
        if reasons.is_empty() {
            Ok(Self(key.to_owned()))
        } else {
            Err(ParseError::new(key, "a custom annotation key", reasons.join("; ")))
        }
    }
}

fn reserved(domain: &str) -> Option<String> {
    let is_under = |reserved: &&str| {
        let rest = domain.strip_suffix(reserved);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let reserved = RESERVED.into_iter().find(is_under)?;
    Some(format!("`{reserved}` belongs to Kubernetes"))
}

#[cfg(test)]
mod tests {
    use super::AnnotationKey;

    #[test]
    fn keys() {
        let table = [
            ("conversion.example.internal/thing", true),
            ("notk8s.io/thing", true),
            ("k8s.io.example.com/thing", true),
            ("k8s.io/thing", false),
            ("conversion.fruit.k8s.io/thing", false),
            ("a.kubernetes.io/thing", false),
            ("x-k8s.io/thing", false),
            ("thing", false),
            ("", false),
            ("example.com/", false),
            ("/thing", false),
            ("Example.com/thing", false),
            ("example.com/a/b", false),
        ];
        for (key, expected) in table {
            assert_eq!(key.parse::<AnnotationKey>().is_ok(), expected, "{key}");
        }
    }
}
