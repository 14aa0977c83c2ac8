//! The key of the annotation of conversions.

use std::fmt;
use std::str::FromStr;

use super::labels::qualified_name;
use crate::ParseError;

/// The domains whose annotations are those of the components of Kubernetes. Those below them belong to the owners of API groups.
const RESERVED: [&str; 2] = ["k8s.io", "kubernetes.io"];

/// The key of the annotations that keep the values that a version cannot hold: a domain, `/`, and a name of at most 46 bytes.
///
/// The domain should belong to the publisher of the objects. It cannot be `k8s.io` or `kubernetes.io`, whose annotations are those of
/// the components of Kubernetes.
///
/// ```
/// use k8s_versioned_core::syntax::AnnotationKey;
///
/// "conversion.cluster.x-k8s.io/machine".parse::<AnnotationKey>()?;
/// let error = "k8s.io/kept".parse::<AnnotationKey>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`k8s.io/kept` is not a custom annotation key: `k8s.io` belongs to Kubernetes",
/// );
/// # Ok::<(), k8s_versioned_core::ParseError>(())
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
            Some((domain, name)) => {
                reasons.extend(reserved(domain));
                if name.len() > MOST_OF_NAME {
                    let why = format!(
                        "the name has {} bytes, and at most {MOST_OF_NAME} leave room for the names of kept fields",
                        name.len()
                    );
                    reasons.push(why);
                }
            }
        }
        if reasons.is_empty() {
            Ok(Self(key.to_owned()))
        } else {
            Err(ParseError::new(key, "a custom annotation key", reasons.join("; ")))
        }
    }
}

/// The most bytes of the name of such a key: in annotations, `.` and a digest of 16 digits follow it.
const MOST_OF_NAME: usize = 46;

fn reserved(domain: &str) -> Option<String> {
    RESERVED.contains(&domain).then(|| format!("`{domain}` belongs to Kubernetes"))
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
            ("kubernetes.io/thing", false),
            ("conversion.fruit.k8s.io/thing", true),
            ("a.kubernetes.io/thing", true),
            ("cluster.x-k8s.io/conversion-data", true),
            ("thing", false),
            ("example.com/forty-six-bytes-are-room-for-names-behind-them", true),
            ("example.com/forty-seven-bytes-are-too-many-for-names-behind", false),
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
