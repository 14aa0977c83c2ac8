//! The parameters for lists and watches, and for selecting the objects of a deletion.

use serde::{Deserialize, Serialize};

use k8s_versioned::meta::v1::ResourceVersionMatch;

/// The parameters for lists and watches, and for selecting the objects of a deletion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListParameters {
    /// True if a watch may contain bookmarks: events with a newer `resourceVersion` and no object.
    ///
    /// The server decides when to send them. Default: `false`. Servers ignore it for a list.
    pub allow_watch_bookmarks: Option<bool>,
    /// The token from `metadata.continue` of the previous page; the answer is the next page.
    ///
    /// [`Pages`](crate::Pages) sets it. A token contains the state, so servers refuse `resourceVersion` and
    /// `resourceVersionMatch` beside it (400, 422). It expires after some minutes (410). Default: absent, which gets
    /// the first page.
    pub r#continue: Option<String>,
    /// Selects objects by their fields, such as `metadata.name=a`.
    ///
    /// The kind decides which fields can be used; most allow `metadata.name` and `metadata.namespace` only. Default:
    /// absent, which selects all.
    pub field_selector: Option<String>,
    /// Selects objects by their labels, such as `team=a,tier notin (test)`.
    ///
    /// Default: absent, which selects all.
    pub label_selector: Option<String>,
    /// The most objects that one answer may hold; `metadata.continue` of the list gets the rest.
    ///
    /// A page may hold fewer objects, even none, without being the last. Default: absent, and the answer holds all.
    /// Servers ignore it for a watch.
    pub limit: Option<i64>,
    /// The state of the collection to list, or to watch from.
    ///
    /// `resourceVersionMatch` states the comparison. For a list, absent means the newest state, and `0` any state in
    /// the server's cache. A watch with `0` or without one begins with the objects that exist. Default: absent.
    pub resource_version: Option<String>,
    /// The comparison of the state with `resourceVersion`.
    ///
    /// Servers refuse it (422) for a list without `resourceVersion` and for a watch without `sendInitialEvents`.
    /// Default: absent, which means `Exact` for a list with a `limit` and a `resourceVersion` other than `0`, and
    /// `NotOlderThan` otherwise.
    pub resource_version_match: Option<ResourceVersionMatch>,
    /// True if a watch begins with the objects that exist and marks their end with a bookmark.
    ///
    /// Requires `resourceVersionMatch=NotOlderThan`; the mark also requires `allowWatchBookmarks`. Servers refuse it
    /// (422) for a list, and with the feature gate `WatchList` off, which is the default in 1.31 and 1.33. Default:
    /// `true` if `resourceVersion` is absent or `0`, otherwise `false`.
    pub send_initial_events: Option<bool>,
    /// Selects a part of the objects by the hash of a field, so that several clients can share a collection.
    ///
    /// One or more terms such as `shardRange(object.metadata.uid, '0x0', '0x8000000000000000')`, joined by `||`. The
    /// end of a range is exclusive; the other field is `object.metadata.namespace`. With the feature gate
    /// `ShardedListAndWatch` off the server ignores it, and the list has no `metadata.shardInfo`. Default: absent,
    /// which selects all.
    ///
    /// Since Kubernetes 1.36.
    pub shard_selector: Option<String>,
    /// The number of seconds after which the server ends the request, finished or not.
    ///
    /// Default: for a watch, a random time between 30 and 60 minutes; otherwise the setting of the server, usually 60
    /// seconds.
    pub timeout_seconds: Option<i64>,
}

impl ListParameters {
    setters! {
        with_allow_watch_bookmarks = allow_watch_bookmarks: bool, "allowWatchBookmarks";
        with_continue = r#continue: String, "continue";
        with_field_selector = field_selector: String, "fieldSelector";
        with_label_selector = label_selector: String, "labelSelector";
        with_limit = limit: i64, "limit";
        with_resource_version = resource_version: String, "resourceVersion";
        with_resource_version_match = resource_version_match: ResourceVersionMatch, "resourceVersionMatch";
        with_send_initial_events = send_initial_events: bool, "sendInitialEvents";
        with_shard_selector = shard_selector: String, "shardSelector";
        with_timeout_seconds = timeout_seconds: i64, "timeoutSeconds";
    }
}
