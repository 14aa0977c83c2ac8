//! The operations of a resource whose objects live in namespaces.

use k8s_versioned::meta::v1::DeleteOptions;
use k8s_versioned::verb::Verb;
use k8s_versioned::{Namespaced, Resource};
use k8s_versioned_requests::{
    ListParameters, Patch, Request, RequestError, Verbs, Watch, WriteParameters,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{AnyRequest, Input, InputError, Operation};

type Built = Result<AnyRequest, InputError>;

impl Operation {
    /// The operations of a resource with all verbs, also at the deprecated paths for watches.
    pub fn of_resource<R>() -> Vec<Self>
    where
        R: Resource<Scope = Namespaced, Apply: DeserializeOwned>,
    {
        let root = format!("/apis/{}/{}", R::GROUP, R::VERSION);
        let all = format!("{root}/{}", R::PLURAL);
        let many = format!("{root}/namespaces/{{namespace}}/{}", R::PLURAL);
        let one = format!("{many}/{{name}}");
        let watch = |path: &str| path.replacen(&root, &format!("{root}/watch"), 1);
        vec![
            Self::new(Verb::GET.method, one.clone(), get::<R>),
            Self::new(Verb::LIST.method, many.clone(), list::<R>),
            Self::new(Verb::LIST.method, all.clone(), list_all::<R>),
            Self::new(Verb::CREATE.method, many.clone(), create::<R>),
            Self::new(Verb::REPLACE.method, one.clone(), replace::<R>),
            Self::new(Verb::PATCH.method, one.clone(), patch::<R>),
            Self::new(Verb::DELETE.method, one.clone(), delete::<R>),
            Self::new(Verb::DELETE_COLLECTION.method, many.clone(), delete_collection::<R>),
            Self::new(Verb::LIST.method, watch(&one), |input| {
                let request = R::watch(input.name("namespace"), events(input)?)?;
                deprecated(request, Some(input.name("name")))
            }),
            Self::new(Verb::LIST.method, watch(&many), |input| {
                deprecated(R::watch(input.name("namespace"), events(input)?)?, None)
            }),
            Self::new(Verb::LIST.method, watch(&all), |input| {
                deprecated(R::watch_all_namespaces(events(input)?)?, None)
            }),
        ]
    }
}

fn get<R: Resource<Scope = Namespaced>>(input: &Input<'_>) -> Built {
    input.no_parameters()?;
    Ok(R::get(input.name("namespace"), input.name("name"))?.into())
}

fn list<R: Resource<Scope = Namespaced>>(input: &Input<'_>) -> Built {
    let namespace = input.name("namespace");
    let parameters = events(input)?;
    Ok(if input.watches() {
        R::watch(namespace, parameters)?.into()
    } else {
        R::list(namespace, parameters)?.into()
    })
}

fn list_all<R: Resource<Scope = Namespaced>>(input: &Input<'_>) -> Built {
    let parameters = events(input)?;
    Ok(if input.watches() {
        R::watch_all_namespaces(parameters)?.into()
    } else {
        R::list_all_namespaces(parameters)?.into()
    })
}

fn create<R: Resource<Scope = Namespaced>>(input: &Input<'_>) -> Built {
    let parameters: WriteParameters = input.parameters(Verb::CREATE.parameters)?;
    Ok(R::create(input.name("namespace"), &input.body()?, parameters)?.into())
}

fn replace<R: Resource<Scope = Namespaced>>(input: &Input<'_>) -> Built {
    let parameters: WriteParameters = input.parameters(Verb::REPLACE.parameters)?;
    let (namespace, name) = (input.name("namespace"), input.name("name"));
    Ok(R::replace(namespace, name, &input.body()?, parameters)?.into())
}

/// The body of an apply has a type, unlike other patches.
fn patch<R>(input: &Input<'_>) -> Built
where
    R: Resource<Scope = Namespaced, Apply: DeserializeOwned>,
{
    let parameters: WriteParameters = input.parameters(Verb::PATCH.parameters)?;
    let (namespace, name) = (input.name("namespace"), input.name("name"));
    Ok(match input.patch()? {
        Patch::Apply(object) => {
            let object: R::Apply = serde_json::from_value(object)?;
            R::apply(namespace, name, &object, parameters)?.into()
        }
        patch => R::patch(namespace, name, &patch, parameters)?.into(),
    })
}

fn delete<R: Resource<Scope = Namespaced>>(input: &Input<'_>) -> Built {
    let deletion = Deletion::of(input, Verb::DELETE)?;
    let request = R::delete(input.name("namespace"), input.name("name"), &deletion.options)?;
    Ok(deletion.complete(request)?.into())
}

fn delete_collection<R: Resource<Scope = Namespaced>>(input: &Input<'_>) -> Built {
    let deletion = Deletion::of(input, Verb::DELETE_COLLECTION)?;
    let selection: ListParameters = input.parameters(Verb::DELETE_COLLECTION.parameters)?;
    let namespace = input.name("namespace");
    let request = R::delete_collection(namespace, selection, &deletion.options)?;
    Ok(deletion.complete(request)?.into())
}

/// The parameters of a list or a watch, without `watch` itself.
fn events(input: &Input<'_>) -> Result<ListParameters, InputError> {
    let mut input = input.clone();
    if input.watches() {
        input.query.remove("watch");
    }
    input.parameters(Verb::LIST.parameters)
}

fn deprecated<R: Resource<Scope = Namespaced>>(
    request: Request<Watch<R>>,
    name: Option<&str>,
) -> Built {
    Ok(request.at_deprecated_path(name)?.into())
}

/// The options of a deletion.
struct Deletion {
    options: DeleteOptions,
    /// Options that were sent in a body although the query can hold them.
    body: Option<DeleteOptions>,
}

impl Deletion {
    /// The options of the body if they have preconditions, which no query can hold; else those of the query.
    fn of(input: &Input<'_>, verb: Verb) -> Result<Self, InputError> {
        let mut fields: Map<String, Value> = input.parameters(verb.parameters)?;
        if let Some(dry_run) = fields.get_mut("dryRun") {
            *dry_run = vec![dry_run.take()].into();
        }
        let query = DeleteOptions::deserialize(Value::from(fields));
        let query = query.map_err(InputError::Parameters)?;
        let body: Option<DeleteOptions> = input.optional_body()?;
        Ok(match body {
            Some(options) if options.preconditions.is_some() => Self { options, body: None },
            body => Self { options: query, body },
        })
    }

    fn complete<A>(&self, request: Request<A>) -> Result<Request<A>, RequestError> {
        match &self.body {
            None => Ok(request),
            Some(options) => request.with_json(options),
        }
    }
}
