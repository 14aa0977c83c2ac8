//! JSON pointers (RFC 6901).

/// The pointer to a member or an item of what a pointer leads to.
pub(crate) fn child(parent: &str, name: &str) -> String {
    let name = name.replace('~', "~0").replace('/', "~1");
    format!("{parent}/{name}")
}

#[cfg(test)]
mod tests {
    use super::child;

    #[test]
    fn names_are_escaped() {
        assert_eq!(child("", ""), "/");
        assert_eq!(child("/a", "b"), "/a/b");
        assert_eq!(child("/a", "example.com/~x"), "/a/example.com~1~0x");
    }
}
