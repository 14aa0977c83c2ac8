//! The parameters of the verbs and the subresources, each declared once: the table of the verbs takes names, types and
//! releases from here, the package of the requests its structs with their docs.
//!
//! A parameter is declared by its field, its setter, its name in a query, its type there, its type in Rust, and the
//! first release that has it, if not all have it.

/// The parameters for lists and watches, and for selecting the objects of a deletion.
#[doc(hidden)]
#[macro_export]
macro_rules! list_parameters {
    ($define:ident $($of:tt)*) => {
        $define! { $($of)*
            /// Asks for bookmarks in a watch: events with a newer `resourceVersion` and no object.
            ///
            /// The server decides when to send them. Default: `false`. Servers ignore it for a list.
            allow_watch_bookmarks, with_allow_watch_bookmarks, "allowWatchBookmarks", Boolean, bool;
            /// The token from `metadata.continue` of the previous page; the answer is the next page.
            ///
            /// [`Pages`](crate::requests::Pages) sets it. A token contains the state, so servers reject `resourceVersion` and
            /// `resourceVersionMatch` together with it (400, 422). It expires after some minutes (410). Default: absent, which gets the
            /// first page.
            r#continue, with_continue, "continue", String, String;
            /// Selects objects by their fields, such as `metadata.name=a`.
            ///
            /// The kind decides which fields can be used; most allow `metadata.name` and `metadata.namespace` only.
            /// Default: absent, which selects all.
            field_selector, with_field_selector, "fieldSelector", String, String;
            /// Selects objects by their labels, such as `team=a,tier notin (test)`.
            ///
            /// Default: absent, which selects all.
            label_selector, with_label_selector, "labelSelector", String, String;
            /// The most objects that one answer may hold; `metadata.continue` of the list gets the rest.
            ///
            /// A page may hold fewer objects, even none, without being the last. Default: absent, and the answer holds
            /// all. Servers ignore it for a watch.
            limit, with_limit, "limit", Integer, i64;
            /// The state of the collection to list, or to watch from.
            ///
            /// `resourceVersionMatch` states the comparison. For a list, absent means the newest state, and `0` any
            /// state in the server's cache. A watch with `0` or without one begins with the objects that exist.
            /// Default: absent.
            resource_version, with_resource_version, "resourceVersion", String, String;
            /// The comparison of the state with `resourceVersion`.
            ///
            /// Servers refuse it (422) for a list without `resourceVersion` and for a watch without
            /// `sendInitialEvents`. Default: absent, which means `Exact` for a list with a `limit` and a
            /// `resourceVersion` other than `0`, and `NotOlderThan` otherwise.
            resource_version_match, with_resource_version_match, "resourceVersionMatch", String, ResourceVersionMatch;
            /// Begins a watch with the objects that exist, and marks their end with a bookmark.
            ///
            /// Requires `resourceVersionMatch=NotOlderThan`; the mark also requires `allowWatchBookmarks`. Servers
            /// refuse it (422) for a list, and with the feature gate `WatchList` off, which is the default in 1.31 and
            /// 1.33. Default: `true` if `resourceVersion` is absent or `0`, otherwise `false`.
            send_initial_events, with_send_initial_events, "sendInitialEvents", Boolean, bool;
            /// Selects a part of the objects by the hash of a field, so that several clients can share a collection.
            ///
            /// One or more terms such as `shardRange(object.metadata.uid, '0x0', '0x8000000000000000')`, joined by
            /// `||`. The end of a range is exclusive; the other field is `object.metadata.namespace`. With the feature
            /// gate `ShardedListAndWatch` off the server ignores it, and the list has no `metadata.shardInfo`.
            /// Default: absent, which selects all.
            ///
            /// Since Kubernetes 1.36.
            shard_selector, with_shard_selector, "shardSelector", String, String, 1, 36;
            /// The number of seconds after which the server ends the request, finished or not.
            ///
            /// Default: for a watch, a random time between 30 and 60 minutes; otherwise the setting of the server,
            /// usually 60 seconds.
            timeout_seconds, with_timeout_seconds, "timeoutSeconds", Integer, i64;
        }
    };
}

/// The parameters for changes of an object.
#[doc(hidden)]
#[macro_export]
macro_rules! write_parameters {
    ($define:ident $($of:tt)*) => {
        $define! { $($of)*
            /// The stages that run without storing the change; `All` is the only word.
            ///
            /// Default: absent, and the change is stored.
            dry_run, with_dry_run, "dryRun", String, DryRun;
            /// The name that the server records as the owner of the fields that the request sets.
            ///
            /// At most 128 printable characters. An apply requires it. Default: the header `User-Agent` up to the
            /// first `/`.
            field_manager, with_field_manager, "fieldManager", String, String;
            /// The treatment of unknown and duplicate fields in the body.
            ///
            /// Default: `Warn`.
            field_validation, with_field_validation, "fieldValidation", String, FieldValidation;
            /// Lets an apply take over fields that other managers own.
            ///
            /// Only an apply can have it: other requests with it are not built. Default: `false`, and the server
            /// answers a conflict with 409.
            force, with_force, "force", Boolean, bool;
        }
    };
}

/// The parameters for the log of a container.
#[doc(hidden)]
#[macro_export]
macro_rules! log_parameters {
    ($define:ident $($of:tt)*) => {
        $define! { $($of)*
            /// The container. Default: the only one of the pod; with several, servers reject the request (400).
            container, with_container, "container", String, String;
            /// Sends new lines as they come, without an end. Default: `false`.
            follow, with_follow, "follow", Boolean, bool;
            /// Lets the server read the log from a node whose certificate it cannot verify. Default: `false`.
            insecure_skip_tls_verify_backend, with_insecure_skip_tls_verify_backend, "insecureSkipTLSVerifyBackend",
                Boolean, bool;
            /// The number of bytes after which the log ends, also in the middle of a line. Default: no limit.
            limit_bytes, with_limit_bytes, "limitBytes", Integer, i64;
            /// Reads the log of the container before it was last restarted. Default: `false`.
            previous, with_previous, "previous", Boolean, bool;
            /// Leaves out lines that are older than this number of seconds. Default: absent, which gets all lines.
            since_seconds, with_since_seconds, "sinceSeconds", Integer, i64;
            /// The stream: `All`, `Stdout` or `Stderr`. Default: `All`.
            ///
            /// With the feature gate `PodLogsQuerySplitStreams` off the server ignores it.
            ///
            /// Since Kubernetes 1.32.
            stream, with_stream, "stream", String, String, 1, 32;
            /// The number of lines at the end of the log. Default: absent, which gets all lines.
            tail_lines, with_tail_lines, "tailLines", Integer, i64;
            /// Begins each line with its time in RFC 3339. Default: `false`.
            timestamps, with_timestamps, "timestamps", Boolean, bool;
        }
    };
}

/// The parameters for a program in a container: `command` is not one of `attach`.
#[doc(hidden)]
#[macro_export]
macro_rules! exec_parameters {
    ($define:ident $($of:tt)*) => {
        $define! { $($of)*
            /// The program and its arguments. No shell reads them. Only `exec` has it.
            command, with_command, "command", String, Vec<String>;
            /// The container. Default: the only one of the pod; with several, servers reject the request (400).
            container, with_container, "container", String, String;
            /// Sends what the program writes to its standard error. Default: `true`.
            stderr, with_stderr, "stderr", Boolean, bool;
            /// Gives the program a standard input. Default: `false`.
            stdin, with_stdin, "stdin", Boolean, bool;
            /// Sends what the program writes to its standard output. Default: `true`.
            stdout, with_stdout, "stdout", Boolean, bool;
            /// Gives the program a terminal. Default: `false`.
            tty, with_tty, "tty", Boolean, bool;
        }
    };
}

/// The subresources: the names of their types, in paths, the type that answers a creation if it is not the subresource's
/// own, and their verbs.
#[doc(hidden)]
#[macro_export]
macro_rules! subresources {
    ($define:ident $($of:tt)*) => {
        $define! { $($of)*
            /// The status of an object: what its controller reports.
            Status, "status": Get GET, Replace REPLACE, Patch PATCH;
            /// The number of replicas, in the same form for all kinds that have it.
            Scale, "scale": Get GET, Replace REPLACE, Patch PATCH;
            /// The ephemeral containers of a `Pod`.
            EphemeralContainers, "ephemeralcontainers": Get GET, Replace REPLACE, Patch PATCH;
            /// The resources of the containers of a running `Pod`.
            Resize, "resize": Get GET, Replace REPLACE, Patch PATCH;
            /// The approval of a `CertificateSigningRequest`.
            Approval, "approval": Get GET, Replace REPLACE, Patch PATCH;
            /// The finalizers in the `spec` of a `Namespace`.
            Finalize, "finalize": Replace REPLACE;
            /// The node of a `Pod`.
            Binding, "binding" -> Status: Create ORDER;
            /// The eviction of a `Pod`: a deletion that respects disruption budgets.
            Eviction, "eviction" -> Status: Create ORDER;
            /// A token of a `ServiceAccount`.
            Token, "token": Create CREATE;
            /// The log of a container of a `Pod`, as text.
            Log, "log": Log LOG;
            /// A new program in a container of a `Pod`.
            Exec, "exec": Connect EXEC;
            /// The running program of a container of a `Pod`.
            Attach, "attach": Connect ATTACH;
            /// Connections to ports of a `Pod`.
            PortForward, "portforward": Connect PORT_FORWARD;
            /// The HTTP server in a `Pod`, behind a `Service` or on a `Node`.
            Proxy, "proxy": Connect PROXY;
        }
    };
}
