//! The targets of the paths of operations.

/// The target of a path, below the version of a group.
#[derive(Debug, PartialEq, Eq)]
pub struct Target<'a> {
    /// `true` if it names a namespace.
    pub namespaced: bool,
    /// `true` if it is a deprecated path for watches.
    pub watch: bool,
    /// The name of the resource.
    pub plural: &'a str,
    /// `true` if it names an object.
    pub named: bool,
    /// The subresource, such as `status`.
    pub subresource: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// Reads what follows `/apis/{group}/{version}/`. `None` if it is not the path of a resource, as Kubernetes spells
    /// it.
    pub fn parse(rest: &'a str) -> Option<Self> {
        let parts: Vec<&str> = rest.split('/').collect();
        let watch = parts.strip_prefix(&["watch"]);
        let parts = watch.unwrap_or(&parts);
        let namespace = parts.strip_prefix(&["namespaces", "{namespace}"]);
        let (plural, named, subresource) = match namespace.unwrap_or(parts) {
            [plural] => (plural, false, None),
            [plural, "{name}"] => (plural, true, None),
            [plural, "{name}", subresource] => (plural, true, Some(*subresource)),
            _ => return None,
        };
        let (namespaced, watch) = (namespace.is_some(), watch.is_some());
        Some(Self { namespaced, watch, plural, named, subresource })
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn paths() {
        let table = [
            ("", Some("")),
            ("groves", Some("groves")),
            ("groves/{name}", Some("groves named")),
            ("groves/{name}/status", Some("groves named status")),
            ("namespaces/{namespace}/trees", Some("namespaced trees")),
            ("namespaces/{namespace}/trees/{name}/scale", Some("namespaced trees named scale")),
            ("watch/trees", Some("watch trees")),
            ("watch/namespaces/{namespace}/trees/{name}", Some("watch namespaced trees named")),
            ("trees/{tree}", None),
            ("trees/{name}/proxy/{path}", None),
        ];
        for (rest, expected) in table {
            let told = Target::parse(rest).map(|target| {
                let words = [
                    if target.watch { "watch" } else { "" },
                    if target.namespaced { "namespaced" } else { "" },
                    target.plural,
                    if target.named { "named" } else { "" },
                    target.subresource.unwrap_or_default(),
                ];
                words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(told.as_deref(), expected, "{rest}");
        }
    }
}
