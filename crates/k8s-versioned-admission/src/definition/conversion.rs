//! The rules for the conversion between versions.

use std::collections::HashSet;

use super::judged::Judged;
use super::names::check_label_faults;
use super::openapi::not_supported;
use super::part::Part;
use super::ratcheted_rules::{Ratchet, Ratcheted};
use crate::answer::{Reason, RefusalCause};
use crate::go;
use crate::metadata::words;
use crate::path::Path;
use crate::url::parse_reference;

/// Checks the conversion of a definition. `client` and `versions` are its fields on the server.
pub(super) fn check(conversion: Part<'_>, path: &Path<'_>, judged: &mut Judged) {
    let Judged { causes, ratchet, .. } = judged;
    let strategy = conversion.text("strategy");
    let strategy_path = path.field("strategy");
    if strategy.is_empty() {
        causes.push(RefusalCause::required(strategy_path, ""));
    } else if !matches!(strategy, "None" | "Webhook") {
        causes.push(not_supported(strategy_path, strategy, &["None", "Webhook"]));
    }
    let webhook = conversion.part("webhook");
    let client = webhook.and_then(|webhook| webhook.part("clientConfig"));
    let (client_path, versions_path) =
        (path.field("webhookClientConfig"), path.field("conversionReviewVersions"));
    if strategy == "Webhook" {
        match client {
            Some(client) => check_client(client, &client_path, causes),
            None => causes.push(RefusalCause::required(
                client_path,
                "required when strategy is set to Webhook",
            )),
        }
        check_versions(webhook, &versions_path, ratchet, causes);
        return;
    }
    let detail = "should not be set when strategy is not set to Webhook";
    if client.is_some() {
        causes.push(RefusalCause::forbidden(client_path, detail));
    }
    if webhook.is_some_and(|webhook| !webhook.list("conversionReviewVersions").is_empty()) {
        causes.push(RefusalCause::forbidden(versions_path, detail));
    }
}

fn check_client(client: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    match (client.optional("url"), client.part("service")) {
        (Some(url), None) => check_url(url, &path.field("url"), causes),
        (None, Some(service)) => check_service(service, &path.field("service"), causes),
        _ => causes.push(RefusalCause::required(path, "exactly one of url or service is required")),
    }
}

fn check_url(url: &str, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    const FORM: &str = "; desired format: https://host[/path]";
    let url = match parse_reference(url) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{FORM}");
            return causes.push(RefusalCause::required(path, &detail));
        }
    };
    let mut invalid =
        |value: &str, detail: &str| causes.push(RefusalCause::invalid(path, value, detail));
    if url.scheme != "https" {
        invalid(&url.scheme, &format!("'https' is the only allowed URL scheme{FORM}"));
    }
    if url.host.is_empty() {
        invalid(&url.host, &format!("host must be specified{FORM}"));
    }
    if let Some(user) = &url.user {
        invalid(user, "user information is not permitted in the URL");
    }
    if !url.fragment.is_empty() {
        invalid(&url.fragment, "fragments are not permitted in the URL");
    }
    if !url.query.is_empty() {
        invalid(&url.query, "query parameters are not permitted in the URL");
    }
}

fn check_service(service: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    // Servers mix the two up.
    for (absent, named) in [("namespace", "name"), ("name", "namespace")] {
        if service.text(absent).is_empty() {
            causes.push(RefusalCause::required(path.field(named), ""));
        }
    }
    if let Some(port) = service
        .get("port")
        .filter(|port| !port.as_i64().is_some_and(|port| (1..=65535).contains(&port)))
    {
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        causes.push(RefusalCause::invalid_value(path.field("port"), port, detail));
    }
    let Some(url) = service.optional("path").filter(|url| !matches!(*url, "" | "/")) else {
        return;
    };
    let path = path.field("path");
    let mut invalid = |detail: String| causes.push(RefusalCause::invalid(path, url, detail));
    if url == "//" {
        return invalid("segment[0] may not be empty".to_owned());
    }
    if !url.starts_with('/') {
        invalid("must start with a '/'".to_owned());
    }
    let inner = url.get(1..).unwrap_or_default();
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    for (at, segment) in inner.split('/').enumerate() {
        if segment.is_empty() {
            invalid(format!("segment[{at}] may not be empty"));
            continue;
        }
        for fault in k8s_versioned_core::syntax::dns1123_subdomain(segment) {
            invalid(format!("segment[{at}]: {}", words(fault, segment, true)));
        }
    }
}

/// Checks the versions of `ConversionReview` that a webhook understands.
fn check_versions(
    webhook: Option<Part<'_>>,
    path: &Path<'_>,
    ratchet: &mut Ratchet,
    causes: &mut Vec<RefusalCause>,
) {
    let list = webhook.and_then(|webhook| webhook.get("conversionReviewVersions"));
    let versions: Vec<_> =
        webhook.into_iter().flat_map(|webhook| webhook.texts("conversionReviewVersions")).collect();
    let (Some(list), false) = (list, versions.is_empty()) else {
        return causes.push(RefusalCause::required(path, ""));
    };
    let mut seen = HashSet::new();
    for (at, version) in versions.iter().enumerate() {
        if seen.insert(*version) {
            check_label_faults(version, &path.index(at), causes);
        } else {
            causes.push(RefusalCause::invalid(path.index(at), version, "duplicate version"));
        }
    }
    if !versions.iter().any(|version| matches!(*version, "v1" | "v1beta1"))
        && ratchet.counts(Ratcheted::ReviewVersions)
    {
        let message =
            format!("Invalid value: {}: must include at least one of v1, v1beta1", go::json(list));
        let field = path.to_string();
        causes.push(RefusalCause { reason: Reason::Invalid, field, message });
    }
}
