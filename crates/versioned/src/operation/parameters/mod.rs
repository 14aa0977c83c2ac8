//! The parameters of the verbs.
//!
//! Every field is optional. The server decides about what is absent. `()` stands for no parameters at all:
//!
//! ```
//! use k8s_versioned::operation::ListParameters;
//!
//! fn limit(parameters: impl Into<ListParameters>) -> Option<i64> {
//!     parameters.into().limit
//! }
//!
//! assert_eq!(limit(()), None);
//! assert_eq!(limit(ListParameters::default().with_limit(500)), Some(500));
//! assert_eq!(limit(&ListParameters::default().with_limit(500)), Some(500));
//! ```

mod delete;
mod get;
mod list;
mod patch;
mod write;

pub use delete::DeleteParameters;
pub use get::GetParameters;
pub use list::ListParameters;
pub use patch::PatchParameters;
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

short_forms!(DeleteParameters, GetParameters, ListParameters, PatchParameters, WriteParameters);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde::Serialize;

    use super::*;
    use crate::verb::table::Verb;

    fn names(parameters: &impl Serialize) -> BTreeSet<String> {
        let fields = serde_json::to_value(parameters).unwrap();
        fields.as_object().unwrap().keys().cloned().collect()
    }

    /// The generator holds the verbs against the documents; here the parameters are held against the verbs.
    #[test]
    fn parameters_are_those_of_the_verbs() {
        let list = names(&ListParameters::default());
        let delete = names(&DeleteParameters::default());
        let write = names(&WriteParameters::default());
        // `watch` is what the function is, and no deletion has bookmarks.
        let with_watch = &list | &BTreeSet::from(["watch".to_owned()]);
        let without_bookmarks = &list - &BTreeSet::from(["allowWatchBookmarks".to_owned()]);
        let table = [
            (Verb::GET, names(&GetParameters::default())),
            (Verb::LIST, with_watch),
            (Verb::CREATE, write.clone()),
            (Verb::REPLACE, write),
            (Verb::PATCH, names(&PatchParameters::default())),
            (Verb::DELETE, delete.clone()),
            (Verb::DELETE_COLLECTION, &without_bookmarks | &delete),
        ];
        for (verb, names) in table {
            let known: BTreeSet<_> = verb.parameters.iter().map(|it| it.name.to_owned()).collect();
            assert_eq!(names, known, "{}", verb.name);
        }
    }
}
