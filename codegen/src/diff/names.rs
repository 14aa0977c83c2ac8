//! The names of the old side as the new side has them.
//!
//! Names of schemas and paths hold the version of the API. When two versions are compared, the names of
//! the old side are rewritten, so that the same thing has the same name on both sides.

use k8s_versioned_names::Version;

use super::side::Side;
use crate::rules::ModuleRule;
use crate::spec::{DocumentName, Value};

/// The new names of names of the old side.
#[derive(Debug)]
pub(super) struct Names {
    /// The prefixes of the names of schemas, in the old and the new version.
    schemas: Vec<(String, String)>,
    /// The prefixes of paths, in the old and the new version.
    paths: Option<(String, String)>,
}

impl Names {
    pub(super) fn new(old: &Side, new: &Side) -> Self {
        let versions = old.selection.version.zip(new.selection.version);
        let Some((from, to)) = versions else {
            let (schemas, paths) = (Vec::new(), None);
            return Self { schemas, paths };
        };
        let own = new.modules.iter().filter(|module| module.shared.is_none());
        let schemas = own.map(|module| {
            let begin = |version| format!("{}{version}.", module.prefix);
            (begin(from), begin(to))
        });
        let path = |version: Version| {
            let group = new.model.groups.first().cloned().unwrap_or_default();
            let version = Some(version);
            DocumentName { group, version }.path_prefix()
        };
        Self { schemas: schemas.collect(), paths: Some((path(from), path(to))) }
    }

    /// Returns `true` if the two sides have the same version, so that nothing is rewritten.
    pub(super) fn are_the_same(&self) -> bool {
        self.paths.as_ref().is_none_or(|(from, to)| from == to)
    }

    /// The name that the new side has for a schema of the old side.
    pub(super) fn schema(&self, old: &str) -> String {
        rewrite(old, &self.schemas)
    }

    /// The path that the new side has for a path of the old side.
    pub(super) fn path(&self, old: &str) -> String {
        rewrite(old, self.paths.as_slice())
    }

    /// A value of the old side with the names of the new side.
    pub(super) fn value(&self, old: &Value) -> Value {
        old.with_reference(&|name| self.schema(name))
    }
}

fn rewrite(name: &str, rules: &[(String, String)]) -> String {
    let rest = |(from, to): &(String, String)| Some(format!("{to}{}", name.strip_prefix(from)?));
    let found = rules.iter().find_map(rest);
    found.unwrap_or_else(|| name.to_owned())
}

/// The short name of a schema: the module and the type, such as `v1beta1 LeaseCandidate` or
/// `meta/v1 ObjectMeta`.
pub(super) fn short(modules: &[ModuleRule], name: &str) -> String {
    match modules.iter().find_map(|module| module.apply(name)) {
        Some((module, type_name)) => format!("{} {type_name}", module.replace("::", "/")),
        None => name.rsplit('.').next().unwrap_or(name).to_owned(),
    }
}
