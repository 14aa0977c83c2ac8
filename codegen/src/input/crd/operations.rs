//! The operations on a kind, made of the verbs that a server gives every custom resource.

use k8s_versioned_core::Release;
use k8s_versioned_core::resource_path::ResourcePath;
use k8s_versioned_core::verb::{BodyContent, Verb};
use litemap::LiteMap;

use super::definition::{DefinedVersion, Definition};
use super::publish::META;
use super::schema_names::SchemaNames;
use crate::Place;
use crate::gather::Gather;
use crate::spec::{
    Action, Body, GroupVersionKind, Location, Operation, Parameter, ParameterKey, parameter_type,
};
use crate::text::capital;

/// The schema of the body of the subresource `scale`.
const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";

const JSON_AND_YAML: [&str; 2] = ["application/json", "application/yaml"];

/// The operations on the kind of a definition in a version, each with its id.
pub(super) fn of_version(
    definition: &Definition,
    version: &DefinedVersion,
    names: &SchemaNames,
    place: &Place,
    release: Release,
) -> Vec<(String, Operation)> {
    let on = KindOperations { definition, version, names, place, release };
    let collection = Target { schema: &names.schema, subresource: "", word: "" };
    let mut operations = Vec::new();
    if definition.namespaced {
        operations.push(on.list_all_namespaces(&collection));
    }
    for verb in [Verb::LIST, Verb::CREATE, Verb::DELETE_COLLECTION] {
        operations.push(on.operation(verb, &collection));
    }
    for verb in [Verb::GET, Verb::REPLACE, Verb::PATCH, Verb::DELETE] {
        operations.push(on.operation(verb, &collection));
    }
    for (subresource, word, schema, is_served) in [
        ("status", "Status", names.schema.as_str(), version.has_status),
        ("scale", "Scale", SCALE, version.has_scale),
    ] {
        if is_served {
            let target = Target { schema, subresource, word };
            let verbs = [Verb::GET, Verb::REPLACE, Verb::PATCH];
            operations.extend(verbs.map(|verb| on.operation(verb, &target)));
        }
    }
    operations
}

/// What an operation works on: the objects of a kind, or a subresource of them.
struct Target<'a> {
    /// The schema of the objects that are sent.
    schema: &'a str,
    /// The name of the subresource in the path; may be empty.
    subresource: &'a str,
    /// The word for it in the names of operations.
    word: &'a str,
}

/// The operations on one kind.
struct KindOperations<'a> {
    definition: &'a Definition,
    version: &'a DefinedVersion,
    names: &'a SchemaNames,
    place: &'a Place,
    release: Release,
}

impl KindOperations<'_> {
    fn list_all_namespaces(&self, target: &Target<'_>) -> (String, Operation) {
        let (_, operation) = self.operation(Verb::LIST, target);
        let path = self.path(false, false, target);
        let parameters = operation.parameters.into_iter();
        let parameters = parameters.filter(|((location, _), _)| *location == Location::Query);
        let id = self.id("list", "", "ForAllNamespaces");
        (id, Operation { path, parameters: parameters.gather(), ..operation })
    }

    fn operation(&self, verb: Verb, target: &Target<'_>) -> (String, Operation) {
        let verb = verb.of_custom_resources();
        let namespaced = self.definition.namespaced;
        let scope = if namespaced { "Namespaced" } else { "" };
        let id = match verb.name {
            name if name == Verb::DELETE_COLLECTION.name => {
                self.id("delete", &format!("Collection{scope}"), "")
            }
            name if name == Verb::GET.name => self.id("read", scope, target.word),
            name => self.id(name, scope, target.word),
        };
        let kind = GroupVersionKind {
            group: self.definition.group.clone(),
            version: self.version.name.clone(),
            kind: self.definition.kind.clone(),
        };
        let body = self.body(verb.sends, target.schema, verb.media_types);
        let needs_body = matches!(verb.sends, BodyContent::Object | BodyContent::Patch);
        let answer = self.body(verb.answers, target.schema, &JSON_AND_YAML);
        let successes = verb.successes.iter().map(|code| (*code, answer.clone()));
        let operation = Operation {
            place: self.place.clone(),
            releases: self.release.into(),
            method: verb.method,
            path: self.path(namespaced, verb.named, target),
            action: Action::named(verb.action),
            kind: Some(kind),
            parameters: self.parameters(&verb),
            body: body.map(|body| (body, needs_body)),
            responses: successes.chain([(401, None)]).gather(),
            custom: true,
            of_verb: true,
        };
        (id, operation)
    }

    /// The name of an operation: the verb, the group and version, the words before the kind, the kind, and the words after it.
    fn id(&self, verb: &str, before: &str, after: &str) -> String {
        let Definition { group, kind, .. } = self.definition;
        let group = camel(group.strip_suffix(".k8s.io").unwrap_or(group));
        let version = camel(&self.version.name);
        format!("{verb}{group}{version}{before}{kind}{after}")
    }

    fn path(&self, namespaced: bool, named: bool, target: &Target<'_>) -> String {
        let root = ResourcePath {
            group: &self.definition.group,
            version: &self.version.name,
            ..ResourcePath::default()
        };
        let namespace = if namespaced { "/namespaces/{namespace}" } else { "" };
        let mut path = format!("{}{namespace}/{}", root.root(), self.definition.plural);
        if named {
            path += "/{name}";
        }
        if !target.subresource.is_empty() {
            path = path + "/" + target.subresource;
        }
        path
    }

    fn parameters(&self, verb: &Verb) -> LiteMap<ParameterKey, Parameter> {
        let in_path = [("namespace", self.definition.namespaced), ("name", verb.named)];
        let in_path = in_path.into_iter().filter(|(_, is_there)| *is_there);
        let in_path = in_path.map(|(name, _)| (Location::Path, name, "string"));
        let query =
            verb.parameters().map(|parameter| (parameter.name, parameter_type(parameter.of_type)));
        // Every path has this parameter.
        let query = query.chain([("pretty", "string")]);
        let all = in_path.chain(query.map(|(name, schema)| (Location::Query, name, schema)));
        let parameter = |(location, name, schema): (Location, &str, &'static str)| {
            let (place, releases) = (self.place.clone(), self.release.into());
            ((location, name.to_owned()), Parameter { place, releases, schema })
        };
        all.map(parameter).gather()
    }

    /// The body with this content.
    fn body(
        &self,
        content: BodyContent,
        schema: &str,
        media_types: &[&'static str],
    ) -> Option<Body> {
        let schema = match content {
            BodyContent::Object => schema.to_owned(),
            BodyContent::List => self.names.list_schema.clone(),
            BodyContent::Patch => format!("{META}.Patch"),
            BodyContent::DeleteOptions => format!("{META}.DeleteOptions"),
            BodyContent::Status => format!("{META}.Status"),
            _ => return None,
        };
        let media_types =
            media_types.iter().map(|media_type| (*media_type, self.release.into())).gather();
        Some(Body { schema, media_types })
    }
}

/// The words of a name, each with a capital.
fn camel(name: &str) -> String {
    name.split(['.', '-']).map(capital).collect()
}
