//! The parameters of the verbs.
//!
//! Every field is optional; the server has defaults. `()` means no parameters. The parameters of a deletion are
//! [`DeleteOptions`](k8s_versioned::meta::v1::DeleteOptions). Reading one object takes none.
//!
//! ```
//! use k8s_versioned_requests::ListParameters;
//!
//! fn limit(parameters: impl Into<ListParameters>) -> Option<i64> {
//!     parameters.into().limit
//! }
//!
//! assert_eq!(limit(()), None);
//! assert_eq!(limit(ListParameters::default().with_limit(500)), Some(500));
//! assert_eq!(limit(&ListParameters::default().with_limit(500)), Some(500));
//! ```

/// Functions that set a field.
macro_rules! setters {
    ($($set:ident = $field:ident: $of:ty, $parameter:literal;)*) => {$(
        #[doc = concat!("Sets `", $parameter, "`.")]
        #[must_use]
        pub fn $set(mut self, $field: impl Into<$of>) -> Self {
            self.$field = Some($field.into());
            self
        }
    )*};
}

mod deletion;
mod list;
mod write;

pub(super) use deletion::DeletionQuery;
pub use list::ListParameters;
pub use write::WriteParameters;

/// Lets functions take parameters as `()`, by reference and by value.
macro_rules! short_forms {
    ($($parameters:ident),*) => {$(
        impl From<()> for $parameters {
            fn from((): ()) -> Self {
                Self::default()
            }
        }

        impl From<&Self> for $parameters {
            fn from(parameters: &Self) -> Self {
                parameters.clone()
            }
        }
    )*};
}

short_forms!(ListParameters, WriteParameters);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde::Serialize;

    use super::*;
    use k8s_versioned::verb::Verb;

    fn names(parameters: &impl Serialize) -> BTreeSet<String> {
        let fields = serde_json::to_value(parameters).unwrap();
        fields.as_object().unwrap().keys().cloned().collect()
    }

    /// The generator compares the verbs with the documents; this test compares the parameters with the verbs.
    #[test]
    fn parameters_are_those_of_the_verbs() {
        let one = |name: &str| BTreeSet::from([name.to_owned()]);
        let list = names(&ListParameters::default());
        let write = names(&WriteParameters::default());
        let delete = names(&DeletionQuery::default());
        // The function `watch` sets `watch`, and no deletion has bookmarks.
        let table = [
            (Verb::GET, BTreeSet::new()),
            (Verb::LIST, &list | &one("watch")),
            (Verb::CREATE, &write - &one("force")),
            (Verb::REPLACE, &write - &one("force")),
            (Verb::PATCH, write),
            (Verb::DELETE, delete.clone()),
            (Verb::DELETE_COLLECTION, &(&list - &one("allowWatchBookmarks")) | &delete),
        ];
        for (verb, names) in table {
            let known: BTreeSet<_> = verb.parameters.iter().map(|it| it.name.to_owned()).collect();
            assert_eq!(names, known, "{}", verb.name);
        }
    }
}
