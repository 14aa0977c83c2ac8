//! The answers to requests with a program's own types.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use k8s_versioned::CustomResource;
use serde_json::Value;
use thiserror::Error;

use super::WriteRequest;
use crate::answer::ServerAnswer;
use crate::definition::Definition;
use crate::schema::SchemaError;

/// A custom resource whose package has its definition: answers to requests with its objects are known without a server.
///
/// Every generated type with a [`DEFINITION`](CustomResource::DEFINITION) implements it, so a controller calls
/// `Widget::admit(&object)` before it sends the object, and in its tests. The definition is compiled once for each type, for
/// the newest known release of servers. For another release or another definition, and for a body as text, there is
/// [`Definition::admit`].
///
/// An object never has unknown fields, because its type has no place for them. It has all fields that the program sets, so a
/// `None` leaves a field to its default.
pub trait Admit: CustomResource {
    /// The definition of the type's package, compiled for the newest known release of servers.
    ///
    /// # Errors
    ///
    /// The definition is not JSON, or lacks a part that requests need.
    fn definition() -> Result<Arc<Definition>, AdmitError> {
        static COMPILED: LazyLock<Mutex<HashMap<TypeId, Arc<Definition>>>> =
            LazyLock::new(Mutex::default);
        let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(definition) = compiled.get(&TypeId::of::<Self>()) {
            return Ok(Arc::clone(definition));
        }
        let source: Value = serde_json::from_str(Self::DEFINITION)?;
        let definition = Arc::new(Definition::compile(&source)?);
        compiled.insert(TypeId::of::<Self>(), Arc::clone(&definition));
        Ok(definition)
    }

    /// The answer to the creation of the object, in its namespace or in `default`.
    ///
    /// # Errors
    ///
    /// The type's package has no usable definition, or the object cannot be written as JSON.
    fn admit(&self) -> Result<ServerAnswer, AdmitError> {
        let namespace = self.metadata().namespace.as_deref().unwrap_or("default");
        let body = serde_json::to_vec(self)?;
        let request = WriteRequest::create(Self::VERSION, namespace, &body);
        Ok(Self::definition()?.admit(&request))
    }

    /// The answer to the replacement of a stored object. An object without a `resourceVersion` gets the one of the stored
    /// object.
    ///
    /// # Errors
    ///
    /// As [`admit`](Self::admit).
    fn admit_update(&self, stored: &Self) -> Result<ServerAnswer, AdmitError> {
        let (body, stored) = (serde_json::to_vec(self)?, serde_json::to_value(stored)?);
        let request = WriteRequest::update(Self::VERSION, &stored, &body).from_files();
        Ok(Self::definition()?.admit(&request))
    }

    /// The answer to the replacement of the status of a stored object.
    ///
    /// # Errors
    ///
    /// As [`admit`](Self::admit).
    fn admit_status(&self, stored: &Self) -> Result<ServerAnswer, AdmitError> {
        let (body, stored) = (serde_json::to_vec(self)?, serde_json::to_value(stored)?);
        let request = WriteRequest::update_status(Self::VERSION, &stored, &body).from_files();
        Ok(Self::definition()?.admit(&request))
    }
}

impl<K: CustomResource> Admit for K {}

/// Why there is no answer to an object.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AdmitError {
    /// The definition, or the object, is not JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The definition lacks a part that requests need.
    #[error("the definition of the package: {0}")]
    Definition(#[from] SchemaError),
}
