//! The types of definitions for readers, before there is a package.

use crate::input::{self, crd};
use crate::plan::{self, Object, ObjectRole, Plan, Struct};
use crate::spec::GroupVersionKind;
use crate::{Files, Problems, emit, model, rules};

/// The choices of `group.toml`: the types alone.
const GROUP: &str = "descriptions = \"documents\"\nfeatures = []\nverbs = false\n";

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
        let (documents, warnings) = crd::documents_with_warnings(files)?;
        let specs = Files::from([("group.toml".to_owned(), GROUP.into())]);
        let group = input::read_group(&specs)?;
        let mut rules = rules::of_definitions(&group)?;
        let model = model::merge(&group.groups, documents)?;
        rules.group.groups.clone_from(&model.groups);
        Ok(Self { plan: plan::plan(&model, &rules)?, warnings })
    }

    /// The kinds of the definitions in each of their versions.
    pub fn kinds(&self) -> impl Iterator<Item = &GroupVersionKind> {
        self.structs().map(|(kind, _)| kind)
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
            Some((&object.of, planned))
        })
    }
}
