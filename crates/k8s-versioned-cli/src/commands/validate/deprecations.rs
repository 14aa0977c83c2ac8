//! Deprecated versions: a warning about objects of one.

use k8s_versioned_codegen::{LifecycleRule, Problems, lifecycles};
use k8s_versioned_core::Release;
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_core::syntax::group_version;
use serde_json::Value;

use crate::commands::validate::document_kinds::Kinds;
use crate::project::specs::Specs;
use crate::text::finding_kinds::DEPRECATED;

/// The lifecycles of the kinds.
#[derive(Debug, Default)]
pub(crate) struct Deprecations {
    rules: Vec<LifecycleRule>,
}

impl Deprecations {
    /// Reads the lifecycles from the rules of a package.
    ///
    /// # Errors
    /// All problems of the rules.
    pub(crate) fn read(specs: &Specs) -> Result<Self, Problems> {
        Ok(Self { rules: lifecycles(&specs.files)? })
    }

    /// The warning about an object of a version that is deprecated in a release, or in the newest one.
    pub(crate) fn finding(
        &self,
        kinds: &Kinds,
        release: Option<Release>,
        file: &str,
        object: &Value,
    ) -> Option<Finding> {
        let text = |name: &str| object.get(name)?.as_str();
        let (api_version, kind) = text("apiVersion").zip(text("kind"))?;
        let (group, version) = group_version(api_version)?;
        let rule = self.rules.iter().find(|rule| {
            rule.group.as_deref() == Some(group)
                && (rule.version.to_string().as_str(), rule.kind()) == (version, kind)
        })?;
        let release = release.or(kinds.releases.last().copied())?;
        let since = rule.deprecated.filter(|since| *since <= release)?;
        let removed = rule.removed.map(|removed| format!(", and removed in {removed:#}"));
        let removed = removed.unwrap_or_default();
        let message = format!("{api_version} {kind} is deprecated since {since:#}{removed}");
        let finding = Finding::new(Severity::Warning, DEPRECATED.id, file, message);
        Some(finding.with_hint("write the object in a version that stays"))
    }
}
