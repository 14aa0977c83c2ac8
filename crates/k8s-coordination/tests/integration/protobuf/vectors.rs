//! Upstream's vectors: each object with every field filled, as JSON and as protobuf.

use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;

use k8s_coordination::meta::v1::{APIVersions, DeleteOptions, Status};
use k8s_coordination::{v1, v1alpha2, v1beta1};
use k8s_versioned::Kind;
use k8s_versioned::protobuf::{Error, Field, Message, Sink, decode, encode};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Decodes the vector of this name as a `T`, compares it with its JSON, and encodes it again.
fn check<T: Kind + Message + DeserializeOwned + PartialEq + Debug>(name: &str) {
    let file = |extension: &str| {
        let folder =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/integration/protobuf/vectors");
        fs::read(folder.join(format!("{name}.{extension}"))).unwrap()
    };
    let body = file("pb");
    let object: T = decode(&body).unwrap();
    assert_eq!(object, serde_json::from_slice(&file("json")).unwrap(), "{name}");
    assert_eq!(encode(&object), body, "{name}");
}

#[test]
fn of_the_group() {
    check::<v1::Lease>("coordination.k8s.io.v1.Lease");
    check::<v1alpha2::LeaseCandidate>("coordination.k8s.io.v1alpha2.LeaseCandidate");
    check::<v1beta1::LeaseCandidate>("coordination.k8s.io.v1beta1.LeaseCandidate");
}

#[test]
fn of_meta() {
    check::<DeleteOptions>("core.v1.DeleteOptions");
    check::<Status>("core.v1.Status");
    check::<ListOptions>("core.v1.ListOptions");
    check::<PatchOptions>("core.v1.PatchOptions");
    check::<APIVersions>("core.v1.APIVersions");
}

/// Implements a type by hand, as the generator would: the documents have its fields as parameters of requests.
macro_rules! by_hand {
    ($kind:ident { $($number:literal $read:ident $write:ident $ident:ident $name:literal: $type:ty;)* }) => {
        #[derive(Debug, Default, PartialEq, Deserialize)]
        struct $kind {
            $(#[serde(default, rename = $name)] $ident: $type,)*
        }

        impl Kind for $kind {
            const GROUP: &'static str = "";
            const VERSION: &'static str = "v1";
            const KIND: &'static str = stringify!($kind);
            const API_VERSION: &'static str = "v1";
        }

        impl Message for $kind {
            const FIELDS: &'static [(u32, &'static str)] = &[$(($number, $name)),*];

            fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
                match field.number() {
                    $($number => field.$read(&mut self.$ident),)*
                    _ => field.skip(),
                }
            }

            fn write_fields(&self, to: &mut impl Sink) {
                $(to.$write($number, &self.$ident);)*
            }
        }
    };
}

by_hand!(ListOptions {
    1 value value label_selector "labelSelector": String;
    2 value value field_selector "fieldSelector": String;
    3 value value watch "watch": bool;
    4 value value resource_version "resourceVersion": String;
    5 pointer pointer timeout_seconds "timeoutSeconds": Option<i64>;
    7 value value limit "limit": i64;
    8 value value continue_token "continue": String;
    9 value value allow_watch_bookmarks "allowWatchBookmarks": bool;
    10 value value resource_version_match "resourceVersionMatch": String;
    11 pointer pointer send_initial_events "sendInitialEvents": Option<bool>;
    15 value value shard_selector "shardSelector": String;
});

by_hand!(PatchOptions {
    1 list list dry_run "dryRun": Vec<String>;
    2 pointer pointer force "force": Option<bool>;
    3 value value field_manager "fieldManager": String;
    4 value value field_validation "fieldValidation": String;
});
