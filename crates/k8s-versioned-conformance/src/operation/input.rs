//! The input of a request.

use std::collections::BTreeMap;

use k8s_versioned::verb::{Parameter, ParameterType};
use k8s_versioned_requests::{Patch, RequestError};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

/// The input of a request.
#[derive(Clone, Debug, Default)]
pub struct Input<'a> {
    /// The names in the path, by placeholder.
    pub names: BTreeMap<&'a str, String>,
    /// The parameters in the query, by name.
    pub query: BTreeMap<String, String>,
    /// The header `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The body; empty if there is none.
    pub body: &'a [u8],
}

impl Input<'_> {
    /// The name for a placeholder; empty if absent: then the request cannot be built.
    pub fn name(&self, placeholder: &str) -> &str {
        self.names.get(placeholder).map_or("", String::as_str)
    }

    /// The typed parameters of an operation that has the parameters `known`.
    ///
    /// # Errors
    ///
    /// The query has others, or values of another type.
    pub fn parameters<P: DeserializeOwned>(&self, known: &[Parameter]) -> Result<P, InputError> {
        let mut fields = Map::new();
        for (name, value) in &self.query {
            let parameter = known.iter().find(|parameter| parameter.name == name);
            let Some(parameter) = parameter else {
                return Err(InputError::UnknownParameter(name.to_owned()));
            };
            let typed = match parameter.of_type {
                ParameterType::Boolean => value.parse().ok().map(Value::Bool),
                ParameterType::Integer => value.parse::<i64>().ok().map(Value::from),
                _ => None,
            };
            fields.insert(name.to_owned(), typed.unwrap_or_else(|| value.as_str().into()));
        }
        serde_json::from_value(fields.into()).map_err(InputError::Parameters)
    }

    /// Checks that there are no parameters.
    ///
    /// # Errors
    ///
    /// The query has parameters.
    pub fn no_parameters(&self) -> Result<(), InputError> {
        self.parameters::<Map<String, Value>>(&[]).map(drop)
    }

    /// True if the query asks for a watch.
    pub fn watches(&self) -> bool {
        self.query.get("watch").is_some_and(|watch| watch == "true")
    }

    /// The body.
    ///
    /// # Errors
    ///
    /// It is not JSON of this type.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        match self.content_type {
            Some("application/json") => Ok(k8s_versioned::from_json(self.body)?),
            _ => Err(InputError::content_type(self.content_type)),
        }
    }

    /// The body, if there is one.
    ///
    /// # Errors
    ///
    /// It is not JSON of this type.
    pub fn optional_body<T: DeserializeOwned>(&self) -> Result<Option<T>, InputError> {
        if self.body.is_empty() { Ok(None) } else { self.body().map(Some) }
    }

    /// The body as a patch.
    ///
    /// # Errors
    ///
    /// There is no such kind of patch, or it is not one of its kind.
    pub fn patch(&self) -> Result<Patch, InputError> {
        let json = |body| serde_json::from_slice(body);
        Ok(match self.content_type {
            Some("application/json-patch+json") => Patch::Json(serde_json::from_slice(self.body)?),
            Some("application/merge-patch+json") => Patch::Merge(json(self.body)?),
            Some("application/strategic-merge-patch+json") => {
                Patch::StrategicMerge(json(self.body)?)
            }
            Some("application/apply-patch+yaml") => Patch::Apply(json(self.body)?),
            other => return Err(InputError::content_type(other)),
        })
    }
}

/// An error in the input of a request.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// The operation has no such parameter.
    #[error("the operation has no parameter `{0}`")]
    UnknownParameter(String),
    /// The parameters do not have the types of the operation.
    #[error("the parameters are not those of the operation: {0}")]
    Parameters(#[source] serde_json::Error),
    /// The body is not what the operation takes.
    #[error("the body is not what the operation takes: {0}")]
    Body(#[from] serde_json::Error),
    /// The operation takes no such body.
    #[error("{}", content_type_message(.0.as_deref()))]
    ContentType(Option<String>),
    /// The request cannot be built.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl InputError {
    fn content_type(found: Option<&str>) -> Self {
        Self::ContentType(found.map(str::to_owned))
    }
}

fn content_type_message(found: Option<&str>) -> String {
    match found {
        Some(found) => format!("the operation takes no body of type `{found}`"),
        None => "the header `Content-Type` is missing: the body has no type".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned::verb::Verb;
    use k8s_versioned_requests::ListParameters;

    use super::Input;

    #[test]
    fn parameters_have_names_and_types() {
        let parameters = |query: &str| {
            let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            let input = Input { query, ..Input::default() };
            let parameters = input.parameters::<ListParameters>(Verb::LIST.parameters);
            parameters.map_err(|error| error.to_string())
        };
        let expected = ListParameters::default()
            .with_limit(7)
            .with_allow_watch_bookmarks(true)
            .with_label_selector("true");
        assert_eq!(parameters("limit=7&allowWatchBookmarks=true&labelSelector=true"), Ok(expected));
        assert_eq!(
            parameters("dryRun=All").unwrap_err(),
            "the operation has no parameter `dryRun`"
        );
        assert!(parameters("limit=1x").unwrap_err().starts_with("the parameters are not those"));
    }
}
