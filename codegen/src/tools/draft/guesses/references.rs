//! References to other objects: the kind, the group and the namespace that versions without these fields mean.

use heck::ToPascalCase;

use super::guess::{Guess, Guessed, Names};
use super::kept::{Guesser, Kept, Renamed};
use crate::conversion::names;
use crate::model::Scope;
use crate::plan::{ObjectRole, RustType, Struct, code};
use crate::rules::paths;

/// Returns `true` if a field says to which object a reference is. Its value cannot be made up.
pub(in crate::tools::draft) fn is_of_reference(path: &str) -> bool {
    let (object, name) = paths::split_last(path);
    ["kind", "apiVersion", "apiGroup", "group"].contains(&name) || referent(object).is_some()
}

/// The built-in kind that the name of a reference says: `Secret` for the `kind` of a `secretRef`.
pub(in crate::tools::draft) fn kind_of_reference(path: &str) -> Option<String> {
    const KINDS: [&str; 8] = [
        "ConfigMap",
        "Namespace",
        "Node",
        "PersistentVolumeClaim",
        "Pod",
        "Secret",
        "Service",
        "ServiceAccount",
    ];
    let (object, name) = paths::split_last(path);
    let kind = referent(object)?.to_pascal_case();
    (name == "kind" && KINDS.contains(&&*kind)).then_some(kind)
}

/// What a reference is to, by its name: `secret` for `spec.secretRef`.
fn referent(path: &str) -> Option<&str> {
    let name = paths::without_items(paths::split_last(path).1);
    let endings = ["Reference", "Refs", "Ref"];
    let referent = endings.iter().find_map(|ending| name.strip_suffix(ending));
    referent.or_else(|| ["ref", "reference"].contains(&name).then_some(""))
}

impl Guesser<'_> {
    /// Guesses what references of versions that lack a field are to: to a built-in kind that their name says, or to an object of the
    /// namespace of the object.
    pub(super) fn reference(&self, field: &Kept<'_, '_>, renamed: &Renamed<'_>) -> Option<Guess> {
        self.namespace(field, renamed).or_else(|| {
            let (_, path) = field.names.first().filter(|_| !field.field.required)?;
            let kind = kind_of_reference(&paths::child(paths::split_last(path).0, "kind"))?;
            let value = match field.name {
                "kind" => &*kind,
                "apiVersion" => "v1",
                _ => return None,
            };
            let keys = vec![("fill", value.into())];
            Some(Guess {
                joins: vec![field.names.clone()],
                rules: vec![Guessed::with(names::KEEP_ASIDE, field.names.clone(), keys)],
                reason: format!("the name of the reference says {}", code(&kind)),
                ..Guess::default()
            })
        })
    }

    /// Guesses that references of versions that lack the namespace are to objects of the namespace of the object.
    fn namespace(&self, field: &Kept<'_, '_>, renamed: &Renamed<'_>) -> Option<Guess> {
        let is_text = *field.field.rust_type.present() == RustType::String;
        let (of, path) = field.names.first()?;
        let object = Some(paths::split_last(path).0);
        let object = object.filter(|path| field.name == "namespace" && !path.is_empty())?;
        let has_name = |(version, root): (&String, &&Struct)| {
            let path = field.names.get(version).map_or_else(
                || renamed.path_in(version, of, object),
                |path| paths::split_last(path).0.to_owned(),
            );
            let (object, _) = self.structs.struct_at(root, &path)?;
            Some(object.fields.iter().any(|field| field.wire == "name"))
        };
        let is_namespaced = self
            .objects
            .values()
            .filter_map(|root| root.object.as_ref())
            .all(|of| matches!(of.role, ObjectRole::Resource { scope: Scope::Namespaced, .. }));
        let is_of_cluster = ["node", "namespace"].contains(&referent(object).unwrap_or_default());
        let is_reference = is_text
            && is_namespaced
            && !is_of_cluster
            && self.objects.iter().all(|at| has_name(at) == Some(true));
        is_reference.then(|| Guess {
            joins: vec![field.names.clone()],
            rules: vec![in_namespace(field.names.clone())],
            reason: "a reference without a namespace is to an object of the same namespace"
                .to_owned(),
            ..Guess::default()
        })
    }
}

/// The rule that gives a field the namespace of the object.
fn in_namespace(names: Names) -> Guessed {
    Guessed::with(names::KEEP_ASIDE, names, vec![("fill-from", "metadata.namespace".into())])
}
