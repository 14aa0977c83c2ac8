//! The names of a definition.

use k8s_versioned_core::syntax;
use serde_json::Value;

use super::part::Part;
use crate::answer::RefusalCause;
use crate::metadata::{dns1035_label, words};
use crate::path::Path;

/// Checks a label of DNS that begins with a letter.
pub(super) fn check_label(text: &str, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let faults = dns1035_label(text);
    if !faults.is_empty() {
        causes.push(RefusalCause::invalid(path, text, faults.join(",")));
    }
}

/// Checks a label; each fault is a cause.
pub(super) fn check_label_faults(text: &str, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    causes.extend(
        dns1035_label(text).into_iter().map(|fault| RefusalCause::invalid(path, text, fault)),
    );
}

/// Checks the group of a definition.
pub(super) fn check_group(group: &str, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let faults: Vec<_> = syntax::dns1123_subdomain(group)
        .into_iter()
        .map(|fault| words(fault, group, true))
        .collect();
    if group.is_empty() {
        causes.push(RefusalCause::required(path, ""));
    } else if !faults.is_empty() {
        causes.push(RefusalCause::invalid(path, group, faults.join(",")));
    } else if !group.contains('.') {
        causes.push(RefusalCause::invalid(path, group, "should be a domain with at least one dot"));
    }
}

/// The names as the server completes them: the singular and the kind of the list follow from the kind.
pub(super) fn completed(names: Option<Part<'_>>) -> serde_json::Map<String, Value> {
    let mut names = names.map(|names| names.0.clone()).unwrap_or_default();
    let kind = Part(&names).text("kind").to_owned();
    let mut complete = |name: &str, text: String| {
        if !kind.is_empty() && Part(&names).text(name).is_empty() {
            names.insert(name.to_owned(), text.into());
        }
    };
    complete("singular", kind.to_lowercase());
    complete("listKind", format!("{kind}List"));
    names
}

/// Checks the names of the kind and its resource.
pub(super) fn check_names(names: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    for name in ["plural", "singular", "kind", "listKind"] {
        if names.text(name).is_empty() {
            causes.push(RefusalCause::required(path.field(name), ""));
        }
    }
    for name in ["plural", "singular"] {
        if !names.text(name).is_empty() {
            check_label(names.text(name), &path.field(name), causes);
        }
    }
    for name in ["kind", "listKind"] {
        let text = names.text(name);
        let faults = dns1035_label(&text.to_lowercase());
        if !text.is_empty() && !faults.is_empty() {
            let detail =
                format!("may have mixed case, but should otherwise match: {}", faults.join(","));
            causes.push(RefusalCause::invalid(path.field(name), text, detail));
        }
    }
    check_labels(names, "shortNames", path, causes);
    if !names.text("kind").is_empty() && names.text("kind") == names.text("listKind") {
        let detail = "kind and listKind may not be the same";
        causes.push(RefusalCause::invalid(path.field("listKind"), names.text("listKind"), detail));
    }
    check_labels(names, "categories", path, causes);
}

fn check_labels(names: Part<'_>, list: &str, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let path = path.field(list);
    for (at, text) in names.texts(list).enumerate() {
        check_label(text, &path.index(at), causes);
    }
}
