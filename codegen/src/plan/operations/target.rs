//! What the path of an operation leads to.

/// What a path leads to, below the version of a group.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target<'a> {
    /// Whether it names a namespace.
    pub(super) namespaced: bool,
    /// Whether it is a deprecated path for watches.
    pub(super) watch: bool,
    /// The name of the resource.
    pub(super) plural: &'a str,
    /// A part of the object with a path of its own.
    pub(super) subresource: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// Reads what follows `/apis/{group}/{version}/`. Nothing if it is no resource, or none that is spelt as
    /// Kubernetes does.
    pub(super) fn parse(rest: &'a str) -> Option<Self> {
        let parts: Vec<&str> = rest.split('/').collect();
        let watch = parts.strip_prefix(&["watch"]);
        let parts = watch.unwrap_or(&parts);
        let namespace = parts.strip_prefix(&["namespaces", "{namespace}"]);
        let (plural, subresource) = match namespace.unwrap_or(parts) {
            [plural] | [plural, "{name}"] => (plural, None),
            [plural, "{name}", subresource] => (plural, Some(*subresource)),
            _ => return None,
        };
        Some(Self { namespaced: namespace.is_some(), watch: watch.is_some(), plural, subresource })
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn paths() {
        let table = [
            ("", Some(("", "", None))),
            ("groves", Some(("", "groves", None))),
            ("groves/{name}", Some(("", "groves", None))),
            ("groves/{name}/status", Some(("", "groves", Some("status")))),
            ("namespaces/{namespace}/trees", Some(("namespaced", "trees", None))),
            (
                "namespaces/{namespace}/trees/{name}/scale",
                Some(("namespaced", "trees", Some("scale"))),
            ),
            ("watch/trees", Some(("watch", "trees", None))),
            (
                "watch/namespaces/{namespace}/trees/{name}",
                Some(("namespaced watch", "trees", None)),
            ),
            ("trees/{tree}", None),
            ("trees/{name}/proxy/{path}", None),
        ];
        for (rest, expected) in table {
            let found = Target::parse(rest);
            let found = found.map(|target| {
                let form = match (target.namespaced, target.watch) {
                    (false, false) => "",
                    (true, false) => "namespaced",
                    (false, true) => "watch",
                    (true, true) => "namespaced watch",
                };
                (form, target.plural, target.subresource)
            });
            assert_eq!(found, expected, "{rest}");
        }
    }
}
