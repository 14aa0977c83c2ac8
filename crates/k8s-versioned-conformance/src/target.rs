//! Targets of requests.

use k8s_versioned::GroupVersion;

/// The parts of the path of a request that every Kubernetes API spells in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target<'a> {
    /// The API group; empty for the core group. `None` if the path is not one of an API.
    pub group: Option<&'a str>,
    /// The version of the group. `None` in requests for the versions of a group.
    pub version: Option<&'a str>,
    /// The name of the resource.
    pub plural: Option<&'a str>,
    /// The subresource, such as `status`.
    pub subresource: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// Reads a path. A part that the path does not have is `None`.
    pub fn parse(path: &'a str) -> Self {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            ["apis", group, version, rest @ ..] => Self::resource(group, version, rest),
            ["api", version, rest @ ..] => Self::resource("", version, rest),
            ["apis", group] => Self { group: Some(group), ..Self::default() },
            _ => Self::default(),
        }
    }

    fn resource(group: &'a str, version: &'a str, rest: &[&'a str]) -> Self {
        let rest = rest.strip_prefix(&["watch"]).unwrap_or(rest);
        let rest = match rest {
            // The object is the namespace.
            ["namespaces"] | ["namespaces", _] | ["namespaces", _, "status" | "finalize"] => rest,
            ["namespaces", _, inside @ ..] => inside,
            rest => rest,
        };
        Self {
            group: Some(group),
            version: Some(version),
            plural: rest.first().copied(),
            subresource: rest.get(2).copied(),
        }
    }

    /// The group and the version, if the path names both.
    pub fn group_version(&self) -> Option<GroupVersion<'a>> {
        Some(GroupVersion { group: self.group?, version: self.version? })
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn paths_are_taken_apart() {
        let table = [
            ("", "- - - -"),
            ("/version", "- - - -"),
            ("/apis/example.com/", "example.com - - -"),
            ("/apis/example.com/v1", "example.com v1 - -"),
            ("/apis/example.com/v1/widgets", "example.com v1 widgets -"),
            ("/apis/example.com/v1/widgets/a", "example.com v1 widgets -"),
            ("/apis/example.com/v1/widgets/a/status", "example.com v1 widgets status"),
            ("/apis/example.com/v1/namespaces/n/widgets/a/scale", "example.com v1 widgets scale"),
            ("/apis/example.com/v1/watch/namespaces/n/widgets", "example.com v1 widgets -"),
            ("/api/v1/namespaces", "'' v1 namespaces -"),
            ("/api/v1/namespaces/n", "'' v1 namespaces -"),
            ("/api/v1/namespaces/n/status", "'' v1 namespaces status"),
            ("/api/v1/namespaces/n/pods/p", "'' v1 pods -"),
        ];
        for (path, expected) in table {
            let target = Target::parse(path);
            let parts = [target.group, target.version, target.plural, target.subresource];
            let parts = parts
                .map(|part| part.map_or("-", |part| if part.is_empty() { "''" } else { part }));
            assert_eq!(parts.join(" "), expected, "{path}");
        }
    }
}
