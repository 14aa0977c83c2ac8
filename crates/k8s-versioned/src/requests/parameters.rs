//! The parameters of the verbs, and the combinations of them that servers reject for any objects.

use serde::{Deserialize, Serialize};

use super::{Query, RequestError};
use crate::field::{FieldError, FieldErrors};
use crate::meta::v1::{DryRun, FieldValidation, ResourceVersionMatch};
use crate::verb::{BodyContent, Verb};

/// A struct with a field for each declared parameter, functions that set them, and the short forms `()` and `&`.
macro_rules! parameters {
    ($(#[$of_struct:meta])* $struct:ident: $(
        $(#[$doc:meta])*
        $field:ident, $set:ident, $name:literal, $of_type:ident, $rust:ty $(, $major:literal, $minor:literal)?;
    )*) => {
        $(#[$of_struct])*
        ///
        /// Every field is optional: servers have defaults. `()` means no parameters.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(default)]
        #[non_exhaustive]
        pub struct $struct {
            $(
                $(#[$doc])*
                #[serde(rename = $name)]
                pub $field: Option<$rust>,
            )*
        }

        impl $struct {
            $(
                #[doc = concat!("Sets `", $name, "`.")]
                #[must_use]
                pub fn $set(mut self, $field: impl Into<$rust>) -> Self {
                    self.$field = Some($field.into());
                    self
                }
            )*
        }

        impl From<()> for $struct {
            fn from((): ()) -> Self {
                Self::default()
            }
        }

        impl From<&Self> for $struct {
            fn from(parameters: &Self) -> Self {
                parameters.clone()
            }
        }
    };
}

k8s_versioned_core::list_parameters! { parameters
    /// The parameters for lists and watches, and for selecting the objects of a deletion.
    ListParameters:
}

k8s_versioned_core::write_parameters! { parameters
    /// The parameters for creating, replacing, patching and applying an object.
    WriteParameters:
}

k8s_versioned_core::log_parameters! { parameters
    /// The parameters for the log of a container.
    LogParameters:
}

k8s_versioned_core::exec_parameters! { parameters
    /// The parameters for a program in a container.
    ExecParameters:
}

const VERSION: &str = "resourceVersion";
const MATCH: &str = "resourceVersionMatch";
const INITIAL: &str = "sendInitialEvents";
const ORPHANS: &str = "orphanDependents";
const BOOKMARKS: &str = "allowWatchBookmarks";

/// Checks the parameters of a request against the rules of servers for any objects.
pub(crate) fn check(verb: &Verb, watches: bool, query: &Query) -> Result<(), RequestError> {
    const HAS_STATE: &str = "with `continue`: the token contains the state";
    let deletes = verb.sends == BodyContent::DeleteOptions;
    let lists = !watches && !verb.named && (deletes || verb.answers == BodyContent::List);
    let is_set = |name| query.get(name).is_some();
    // Servers treat an empty text as absent.
    let set = |name| query.get(name).filter(|text| !text.is_empty());
    let (version, matching) = (set(VERSION), set(MATCH));
    let (matches, token) = (matching.is_some(), set("continue").is_some());
    let (initial, orphans) = (is_set(INITIAL), is_set(ORPHANS) && is_set("propagationPolicy"));
    let any = version == Some("0");
    // Whether a rule is broken, the parameter, and the text after "servers reject `parameter`".
    let rules = [
        (lists && matches && version.is_none(), MATCH, "without `resourceVersion`"),
        (lists && matches && token, MATCH, HAS_STATE),
        (
            lists && any && matching == Some("Exact"),
            MATCH,
            "`Exact` with the `resourceVersion` `0`, which is any state",
        ),
        (lists && token && version.is_some() && !any, VERSION, HAS_STATE),
        (lists && initial, INITIAL, "for a list: it is for a watch"),
        (
            watches && initial && matching != Some("NotOlderThan"),
            INITIAL,
            "without `resourceVersionMatch=NotOlderThan`",
        ),
        (watches && matches && !initial, MATCH, "for a watch without `sendInitialEvents`"),
        (watches && matches && token, MATCH, HAS_STATE),
        (deletes && is_set(BOOKMARKS), BOOKMARKS, "for a deletion: it is for a watch"),
        (deletes && orphans, ORPHANS, "with `propagationPolicy`, which replaces it"),
    ];
    let broken = rules.into_iter().filter(|(broken, ..)| *broken);
    let errors = broken.map(|(_, parameter, reason)| FieldError::forbidden(parameter, reason));
    FieldErrors::check(errors).map_err(RequestError::Refused)
}

#[cfg(test)]
mod tests {
    use super::{ExecParameters, ListParameters};

    #[test]
    fn parameters_have_short_forms() {
        fn limit(parameters: impl Into<ListParameters>) -> Option<i64> {
            parameters.into().limit
        }
        assert_eq!(limit(()), None);
        let parameters = ListParameters::default().with_limit(500);
        assert_eq!((limit(&parameters), limit(parameters)), (Some(500), Some(500)));
    }

    #[test]
    fn fields_have_the_names_of_parameters() {
        let parameters = ListParameters::default().with_continue("t");
        let json = serde_json::to_value(parameters).unwrap();
        assert_eq!((&json["continue"], json["limit"].is_null()), (&"t".into(), true));
        let parameters = ExecParameters::default().with_command(["ls".to_owned()]);
        assert_eq!(serde_json::to_value(parameters).unwrap()["command"], serde_json::json!(["ls"]));
    }
}
