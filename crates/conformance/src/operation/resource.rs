//! The operations of a resource whose objects live in namespaces.

use k8s_versioned::HasApply;
use k8s_versioned::meta::v1::DeleteOptions;
use k8s_versioned::operation::{
    DeleteParameters, GetParameters, ListParameters, Patch, PatchParameters, Query, Request,
    RequestError, Watch, WriteParameters,
};
use k8s_versioned::verb::table::Verb;
use k8s_versioned::verb::{Namespaced, ServesAll};
use serde::de::DeserializeOwned;

use super::{AnyRequest, Input, InputError, Operation};

type Built = Result<AnyRequest, InputError>;

impl Operation {
    /// The operations of a resource with all verbs, those of the deprecated paths for watches among them.
    pub fn of_resource<R>() -> Vec<Self>
    where
        R: Namespaced + ServesAll + HasApply<Apply: DeserializeOwned>,
    {
        let root = format!("/apis/{}/{}", R::GROUP, R::VERSION);
        let all = format!("{root}/{}", R::PLURAL);
        let many = format!("{root}/namespaces/{{namespace}}/{}", R::PLURAL);
        let one = format!("{many}/{{name}}");
        let watch = |path: &str| path.replacen(&root, &format!("{root}/watch"), 1);
        vec![
            Self::new(&Verb::GET, one.clone(), get::<R>),
            Self::new(&Verb::LIST, many.clone(), list::<R>),
            Self::new(&Verb::LIST, all.clone(), list_all::<R>),
            Self::new(&Verb::CREATE, many.clone(), create::<R>),
            Self::new(&Verb::REPLACE, one.clone(), replace::<R>),
            Self::new(&Verb::PATCH, one.clone(), patch::<R>),
            Self::new(&Verb::DELETE, one.clone(), delete::<R>),
            Self::new(&Verb::DELETE_COLLECTION, many.clone(), delete_collection::<R>),
            Self::new(&Verb::LIST, watch(&one), |input| {
                let request = R::watch(input.name("namespace"), events(input)?)?;
                deprecated(request, Some(input.name("name")))
            }),
            Self::new(&Verb::LIST, watch(&many), |input| {
                deprecated(R::watch(input.name("namespace"), events(input)?)?, None)
            }),
            Self::new(&Verb::LIST, watch(&all), |input| {
                deprecated(R::watch_all_namespaces(events(input)?)?, None)
            }),
        ]
    }
}

fn get<R: Namespaced + ServesAll>(input: &Input<'_>) -> Built {
    let parameters: GetParameters = input.parameters(Verb::GET.parameters)?;
    Ok(R::get(input.name("namespace"), input.name("name"), parameters)?.into())
}

fn list<R: Namespaced + ServesAll>(input: &Input<'_>) -> Built {
    let namespace = input.name("namespace");
    let parameters = events(input)?;
    Ok(if input.watches() {
        R::watch(namespace, parameters)?.into()
    } else {
        R::list(namespace, parameters)?.into()
    })
}

fn list_all<R: Namespaced + ServesAll>(input: &Input<'_>) -> Built {
    let parameters = events(input)?;
    Ok(if input.watches() {
        R::watch_all_namespaces(parameters)?.into()
    } else {
        R::list_all_namespaces(parameters)?.into()
    })
}

fn create<R: Namespaced + ServesAll>(input: &Input<'_>) -> Built {
    let parameters: WriteParameters = input.parameters(Verb::CREATE.parameters)?;
    Ok(R::create(input.name("namespace"), &input.body()?, parameters)?.into())
}

fn replace<R: Namespaced + ServesAll>(input: &Input<'_>) -> Built {
    let parameters: WriteParameters = input.parameters(Verb::REPLACE.parameters)?;
    let (namespace, name) = (input.name("namespace"), input.name("name"));
    Ok(R::replace(namespace, name, &input.body()?, parameters)?.into())
}

/// An apply goes through the type that it is for.
fn patch<R>(input: &Input<'_>) -> Built
where
    R: Namespaced + ServesAll + HasApply<Apply: DeserializeOwned>,
{
    let parameters: PatchParameters = input.parameters(Verb::PATCH.parameters)?;
    let (namespace, name) = (input.name("namespace"), input.name("name"));
    Ok(match input.patch()? {
        Patch::Apply(object) => {
            let object: R::Apply = serde_json::from_value(object)?;
            R::apply(namespace, name, &object, parameters)?.into()
        }
        patch => R::patch(namespace, name, &patch, parameters)?.into(),
    })
}

fn delete<R: Namespaced + ServesAll>(input: &Input<'_>) -> Built {
    let (parameters, options) = deletion(input, Verb::DELETE)?;
    let request = R::delete(input.name("namespace"), input.name("name"), parameters)?;
    Ok(with_options(request, options)?.into())
}

fn delete_collection<R: Namespaced + ServesAll>(input: &Input<'_>) -> Built {
    let (parameters, options) = deletion(input, Verb::DELETE_COLLECTION)?;
    let selection: ListParameters = input.parameters(Verb::DELETE_COLLECTION.parameters)?;
    let request = R::delete_collection(input.name("namespace"), selection, parameters)?;
    Ok(with_options(request, options)?.into())
}

/// The parameters of a list or a watch: which of the two it is, is no parameter.
fn events(input: &Input<'_>) -> Result<ListParameters, InputError> {
    let query = input.query.iter().filter(|pair| *pair != ("watch", "true"));
    let query: Query = query.collect();
    let input = Input { query, ..input.clone() };
    input.parameters(Verb::LIST.parameters)
}

fn deprecated<R: Namespaced>(request: Request<Watch<R>>, name: Option<&str>) -> Built {
    Ok(request.at_deprecated_path(name)?.into())
}

/// The parameters of a deletion, and its options if they were sent without need: parameters become options where
/// there are preconditions.
fn deletion(
    input: &Input<'_>,
    verb: Verb,
) -> Result<(DeleteParameters, Option<DeleteOptions>), InputError> {
    let mut parameters: DeleteParameters = input.parameters(verb.parameters)?;
    let options: Option<DeleteOptions> = input.optional_body()?;
    let Some(DeleteOptions {
        dry_run,
        grace_period_seconds,
        orphan_dependents,
        preconditions: Some(preconditions),
        propagation_policy,
        ..
    }) = options
    else {
        return Ok((parameters, options));
    };
    parameters.dry_run = dry_run.into_iter().next();
    parameters.grace_period_seconds = grace_period_seconds;
    parameters.orphan_dependents = orphan_dependents;
    parameters.preconditions = Some(preconditions);
    parameters.propagation_policy = propagation_policy;
    Ok((parameters, None))
}

fn with_options<A>(
    request: Request<A>,
    options: Option<DeleteOptions>,
) -> Result<Request<A>, RequestError> {
    match options {
        None => Ok(request),
        Some(options) => request.with_json(&options),
    }
}
