//! Lists of objects of one resource.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::meta::v1::ListMeta;
use crate::wire;
use crate::{Kind, Lifecycle, Resource};

/// The objects of a resource: the answer to a list request.
///
/// It is written with `apiVersion` and `kind`, and its items without, as servers write lists. Its kind is the kind
/// of the items with `List` at the end.
///
/// ```
/// use k8s_versioned::List;
/// # use k8s_versioned::{Kind, Namespaced, Resource, meta::v1::ObjectMeta, wire};
/// # #[derive(Clone, Debug, Default, PartialEq)]
/// # struct Beat {
/// #     api_version: wire::ApiVersion<Self>,
/// #     kind: wire::KindName<Self>,
/// #     metadata: ObjectMeta,
/// # }
/// # k8s_versioned::fields!(Beat {
/// #     0 "apiVersion" => api_version: value, value;
/// #     1 "kind" => kind: value, value;
/// #     2 "metadata" => metadata: value, value;
/// # });
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List<T: Resource> {
    api_version: wire::ApiVersion<Self>,
    kind: wire::KindName<Self>,
    /// The version of the list, and how to get the next page.
    pub metadata: ListMeta,
    /// The objects of this page.
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

impl<T: Resource> wire::Fields for List<T> {
    const NAME: &'static str = "List";
    const EXPECTED: Option<&'static str> = Some("a list of objects");
    const FIELDS: &'static [&'static str] = &["apiVersion", "kind", "metadata", "items"];

    fn read_field<'de, R: wire::Reader<'de>>(
        &mut self,
        field: usize,
        from: &mut R,
    ) -> Result<(), R::Error> {
        match field {
            0 => from.value(&mut self.api_version),
            1 => from.value(&mut self.kind),
            2 => from.value(&mut self.metadata),
            3 => from.list(&mut self.items),
            _ => from.skip(),
        }
    }

    fn write_fields<W: wire::Writer>(&self, to: &mut W) -> Result<(), W::Error> {
        to.value("apiVersion", &self.api_version)?;
        to.value("kind", &self.kind)?;
        to.value("metadata", &self.metadata)?;
        to.value("items", &wire::ItemsAsServers(&self.items))
    }
}

impl<T: Resource> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        wire::write(self, serializer)
    }
}

impl<'de, T: Resource> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        wire::read(deserializer)
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
