//! The types of definitions for readers, before there is a package.

use crate::plan::{Object, ObjectRole, Plan, Struct};
use crate::project::Project;
use crate::spec::GroupVersionKind;
use crate::{Files, Problems, emit};

/// The types of all versions of some definitions.
#[derive(Clone, Debug)]
pub struct Overview {
    plan: Plan,
    /// What servers ignore or refuse in the definitions.
    pub warnings: Problems,
}

impl Overview {
    /// Plans the types of the definitions in files of YAML or JSON.
    ///
    /// # Errors
    /// All definitions that cannot be read, or that make no types.
    pub fn read(files: &Files) -> Result<Self, Problems> {
        let project = Project::of_definitions(files)?;
        Ok(Self { plan: project.plan()?, warnings: project.warnings })
    }

    /// The kinds of the definitions in each of their versions.
    pub fn kinds(&self) -> impl Iterator<Item = &GroupVersionKind> {
        self.structs().map(|(kind, _)| kind)
    }

    /// The kinds in the versions that servers do not serve, which have no types.
    pub fn unserved(&self) -> impl Iterator<Item = &GroupVersionKind> {
        self.plan.unserved.iter().map(|version| &version.kind)
    }

    /// The declarations of the types of some kinds, a text for each module.
    ///
    /// # Errors
    /// Text that is not Rust, which would be a mistake of this generator.
    pub fn text(&self, kinds: &[&GroupVersionKind]) -> Result<Files, Problems> {
        let wanted = self.structs().filter(|(kind, _)| kinds.contains(kind));
        emit::excerpts(&self.plan, &wanted.map(|(_, planned)| planned).collect::<Vec<_>>())
    }

    fn structs(&self) -> impl Iterator<Item = (&GroupVersionKind, &Struct)> {
        let is_stored =
            |object: &Object| matches!(object.role, ObjectRole::Resource { list: Some(_), .. });
        self.plan.structs().filter_map(move |planned| {
            let object = planned.object.as_ref().filter(|object| is_stored(object))?;
            Some((&object.gvk, planned))
        })
    }
}
