//! From an operation of the model to functions.

use super::target::Target;
use super::{DeletionAnswer, DeletionOptions, Form, Function, Operation, Owner, Planner, apply};
use crate::model::{self, Scope};
use crate::plan::{ItemPath, ObjectRole, Struct, snake_case};
use crate::problem::Cause;
use crate::spec::{Action, Location, MediaType, Method};

/// What stands for the kind in a description.
const KIND: &str = "{kind}";

/// Why an operation has no function.
type Why = &'static str;

/// The resource that an operation is about.
struct Served<'a> {
    /// The type of its objects.
    object: &'a ItemPath,
    /// The type of lists of them.
    list: &'a ItemPath,
    /// What tells the names of its functions from those of another path to the resource.
    suffix: String,
}

impl<'a> Planner<'a> {
    /// Plans an operation; nothing if there is a problem, which is then reported.
    pub(super) fn operation(&mut self, id: &str, found: &model::Operation) -> Option<Operation> {
        let planned = match found.action {
            Some(action) => self.of_resource(action, found),
            None => self.discovery(found),
        };
        let (owner, form) = match planned {
            Ok(planned) => planned,
            Err(why) => {
                let id = id.to_owned();
                self.problems
                    .push(found.place.clone(), Cause::NoFunction { id, why });
                return None;
            }
        };
        Some(Operation {
            id: id.to_owned(),
            method: found.method,
            path: found.path.clone(),
            names: names(found),
            parameters: self.parameters_of(found),
            responses: found.responses.keys().copied().collect(),
            releases: found.releases.clone(),
            owner,
            form,
        })
    }

    /// What a server says of itself: the operations without an action.
    fn discovery(&mut self, found: &model::Operation) -> Result<(Owner, Form), Why> {
        let rest = found.path.strip_prefix(&self.prefix()).unwrap_or("/");
        let version = rest.strip_suffix('/').unwrap_or(rest);
        if version.contains('/') || found.method != Method::Get {
            return Err("without an action, it has to read the group or a version of it");
        }
        let module = if version.is_empty() {
            String::new()
        } else {
            let mut structs = self.structs.iter();
            let resource = structs.find(|planned| is_resource(planned, version));
            let resource = resource.ok_or("its version has no resource")?;
            resource.path.module.clone()
        };
        let answer = self.answer(found)?;
        let function = self.function(snake_case(&answer.name), "", found);
        Ok((Owner::Module(module), Form::Read { function, answer }))
    }

    fn of_resource(
        &mut self,
        action: Action,
        found: &model::Operation,
    ) -> Result<(Owner, Form), Why> {
        let served = self.served(found)?;
        let form = match action {
            Action::Get => Form::Read {
                function: self.verb("get", &served, found),
                answer: self.answer(found)?,
            },
            Action::List => Form::List {
                list: self.verb("list", &served, found),
                watch: self.verb("watch", &served, found),
                answer: self.answer(found)?,
                item: served.object.clone(),
            },
            Action::Watch => self.watch("watch_single", &served, found),
            Action::WatchList => self.watch("watch_list", &served, found),
            Action::Post => self.write("create", &served, found)?,
            Action::Put => self.write("replace", &served, found)?,
            Action::Patch => self.patch(&served, found)?,
            Action::Delete => self.delete("delete", served.object, &served, found)?,
            Action::DeleteCollection => {
                self.delete("delete_collection", served.list, &served, found)?
            }
        };
        Ok((Owner::Type(served.object.clone()), form))
    }

    /// The resource that an operation is about, by its path.
    fn served(&self, found: &model::Operation) -> Result<Served<'a>, Why> {
        let path = found.path.strip_prefix(&self.prefix()).unwrap_or_default();
        let (version, rest) = path.split_once('/').unwrap_or_default();
        let target = Target::parse(rest).ok_or("its path is not that of a resource")?;
        let resources = self.structs.iter();
        let mut resources = resources.filter(|planned| is_resource(planned, version));
        let found = resources.find_map(|planned| match &planned.object.as_ref()?.role {
            ObjectRole::Resource {
                plural,
                scope,
                list,
                ..
            } if plural == target.plural => Some((&planned.path, list, *scope)),
            _ => None,
        });
        let (object, list, scope) = found.ok_or("no kind can be read by name under its path")?;
        let mut suffix = String::new();
        if let Some(subresource) = target.subresource {
            suffix = format!("_{}", snake_case(subresource));
        }
        if scope == Scope::Namespaced && !target.namespaced {
            suffix.push_str("_all_namespaces");
        }
        Ok(Served {
            object,
            list,
            suffix,
        })
    }

    fn watch(&mut self, verb: &str, served: &Served<'_>, found: &model::Operation) -> Form {
        Form::Watch {
            function: self.verb(verb, served, found),
            item: served.object.clone(),
        }
    }

    fn write(
        &mut self,
        verb: &str,
        served: &Served<'_>,
        found: &model::Operation,
    ) -> Result<Form, Why> {
        Ok(Form::Write {
            function: self.verb(verb, served, found),
            object: self.body(found)?,
            answer: self.answer(found)?,
        })
    }

    fn patch(&mut self, served: &Served<'_>, found: &model::Operation) -> Result<Form, Why> {
        let patch = self.verb("patch", served, found);
        let apply = takes_apply(found).then(|| self.verb("apply", served, found));
        Ok(Form::Patch {
            patch,
            apply: apply.map(|apply| (apply, apply::path_of(served.object))),
            answer: self.answer(found)?,
        })
    }

    fn delete(
        &mut self,
        verb: &str,
        object: &ItemPath,
        served: &Served<'_>,
        found: &model::Operation,
    ) -> Result<Form, Why> {
        let options = found.body.is_some().then(|| self.options(found));
        let status = self.answer(found)?;
        let object = object.clone();
        Ok(Form::Delete {
            function: self.verb(verb, served, found),
            options: options.transpose()?,
            answer: if status == object {
                DeletionAnswer::Object(object)
            } else {
                DeletionAnswer::Either { object, status }
            },
        })
    }

    fn options(&self, found: &model::Operation) -> Result<DeletionOptions, Why> {
        let path = self.body(found)?;
        let is_parameter = |name: &String| {
            let key = (Location::Query, name.clone());
            found.parameters.contains_key(&key)
        };
        let mut structs = self.structs.iter();
        let fields = structs.find(|planned| planned.path == path);
        let fields = fields.into_iter().flat_map(|planned| &planned.fields);
        let names = fields.map(|field| field.wire.clone());
        Ok(DeletionOptions {
            ignored: names.filter(is_parameter).collect(),
            path,
        })
    }

    /// The type of the answer, which all successes share.
    fn answer(&self, found: &model::Operation) -> Result<ItemPath, Why> {
        let successes = found.responses.iter();
        let successes = successes.filter(|(status, _)| (200..300).contains(*status));
        let mut schemas = successes.map(|(_, body)| body.as_ref().map(|body| &body.schema));
        let schema = schemas.next().flatten().ok_or("no success has a body")?;
        if schemas.any(|other| other != Some(schema)) {
            return Err("its successes have different bodies");
        }
        self.object(schema)
            .ok_or("its answer is no object with a type")
    }

    fn body(&self, found: &model::Operation) -> Result<ItemPath, Why> {
        let body = found.body.as_ref();
        body.and_then(|(body, _)| self.object(&body.schema))
            .ok_or("its body is no object with a type")
    }

    /// The type of an object.
    fn object(&self, schema: &str) -> Option<ItemPath> {
        let mut structs = self.structs.iter();
        let found = structs.find(|planned| planned.schema == schema && planned.object.is_some());
        found.map(|planned| planned.path.clone())
    }

    fn verb(&mut self, verb: &str, served: &Served<'_>, found: &model::Operation) -> Function {
        let name = format!("{verb}{}", served.suffix);
        self.function(name, &served.object.name, found)
    }

    fn function(&mut self, name: String, kind: &str, found: &model::Operation) -> Function {
        let description = self.function_description(&name, found);
        let responses: Vec<String> = found.responses.keys().map(u16::to_string).collect();
        let docs = format!(
            "{}\n\n`{} {}`; documented responses: {}.\n\n# Errors\n\nThe request cannot be built: see \
             [`RequestError`](operation::RequestError).",
            description.replace(KIND, kind),
            found.method.name(),
            found.path,
            responses.join(", "),
        );
        let mut rules = self.rules.functions.iter();
        let rule = rules.find(|(text, _)| *text.get_ref() == name);
        Function {
            deprecated: rule.and_then(|(_, rule)| rule.deprecated.clone()),
            name,
            docs,
        }
    }

    /// The path of the group.
    fn prefix(&self) -> String {
        format!("/apis/{}/", self.model.group)
    }
}

/// The names in the path, in their order.
fn names(found: &model::Operation) -> Vec<String> {
    let names = found.parameters.keys();
    let names = names.filter(|(location, _)| *location == Location::Path);
    let mut names: Vec<String> = names.map(|(_, name)| name.clone()).collect();
    names.sort_by_key(|name| found.path.find(&format!("{{{name}}}")));
    names
}

fn is_resource(planned: &Struct, version: &str) -> bool {
    planned.object.as_ref().is_some_and(|object| {
        object.version == version && matches!(object.role, ObjectRole::Resource { .. })
    })
}

fn takes_apply(found: &model::Operation) -> bool {
    let body = found.body.as_ref();
    body.is_some_and(|(body, _)| body.media_types.contains_key(&MediaType::ApplyYaml))
}
