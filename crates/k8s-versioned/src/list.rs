//! Lists of objects of one resource.

use serde::{Deserialize, Serialize};

use crate::meta::v1::ListMeta;
use crate::wire;
use crate::{Kind, Lifecycle, Resource};

/// The objects of a resource: the answer to a list request.
///
/// It is written with `apiVersion` and `kind`, and its items without, as servers write lists. Its kind is that of the
/// items with `List` at the end.
///
/// ```
/// use k8s_versioned::List;
/// # use k8s_versioned::{Kind, Namespaced, Resource, meta::v1::ObjectMeta, wire};
/// # #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
/// # #[serde(rename_all = "camelCase")]
/// # struct Beat {
/// #     #[serde(default)]
/// #     api_version: wire::ApiVersion<Self>,
/// #     #[serde(default)]
/// #     kind: wire::KindName<Self>,
/// #     metadata: ObjectMeta,
/// # }
/// # impl Kind for Beat {
/// #     const GROUP: &'static str = "example.com";
/// #     const VERSION: &'static str = "v1";
/// #     const KIND: &'static str = "Beat";
/// #     const API_VERSION: &'static str = "example.com/v1";
/// # }
/// # impl Resource for Beat {
/// #     type Scope = Namespaced;
/// #     const PLURAL: &'static str = "beats";
/// #     const LIST_KIND: &'static str = "BeatList";
/// #     type Apply = Self;
/// #     fn metadata(&self) -> &ObjectMeta { &self.metadata }
/// #     fn metadata_mut(&mut self) -> &mut ObjectMeta { &mut self.metadata }
/// # }
///
/// let json = r#"{"apiVersion":"example.com/v1","kind":"BeatList","metadata":{},"items":[{"metadata":{"name":"a"}}]}"#;
/// let list: List<Beat> = serde_json::from_str(json)?;
/// assert_eq!(list.items[0].metadata.name.as_deref(), Some("a"));
/// assert_eq!(serde_json::to_string(&list)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(
    rename = "List",
    rename_all = "camelCase",
    bound = "T: Resource",
    expecting = "a list of objects"
)]
pub struct List<T: Resource> {
    #[serde(default)]
    api_version: wire::ApiVersion<Self>,
    #[serde(default)]
    kind: wire::KindName<Self>,
    /// The version of the list, and how to get the next page.
    #[serde(default, deserialize_with = "wire::null_is_zero")]
    pub metadata: ListMeta,
    /// The objects of this page.
    #[serde(default, deserialize_with = "wire::list", serialize_with = "wire::items")]
    pub items: Vec<T>,
}

impl<T: Resource> List<T> {
    /// A list of these objects.
    pub fn new(items: impl IntoIterator<Item = T>) -> Self {
        Self { items: items.into_iter().collect(), ..Self::default() }
    }

    /// Sets `metadata`.
    #[must_use]
    pub fn with_metadata(mut self, metadata: ListMeta) -> Self {
        self.metadata = metadata;
        self
    }
}

// Not derived: a derive would need the same trait for `T`.
impl<T: Resource> Default for List<T> {
    fn default() -> Self {
        Self {
            api_version: wire::ApiVersion::default(),
            kind: wire::KindName::default(),
            metadata: ListMeta::default(),
            items: Vec::new(),
        }
    }
}

impl<T: Resource> Kind for List<T> {
    const GROUP: &'static str = T::GROUP;
    const VERSION: &'static str = T::VERSION;
    const KIND: &'static str = T::LIST_KIND;
    const API_VERSION: &'static str = T::API_VERSION;
    const ACCEPTED_API_VERSIONS: &'static str = T::ACCEPTED_API_VERSIONS;
    const LIFECYCLE: Option<Lifecycle> = T::LIFECYCLE;

    fn continue_token(&self) -> Option<&str> {
        self.metadata.continue_token()
    }
}

impl ListMeta {
    /// The token that gets the next page; `None` on the last page.
    pub fn continue_token(&self) -> Option<&str> {
        self.r#continue.as_deref().filter(|token| !token.is_empty())
    }
}
