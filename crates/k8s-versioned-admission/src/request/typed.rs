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
        compiled_once(TypeId::of::<Self>(), || {
            let source: Value = serde_json::from_str(Self::DEFINITION)?;
            Ok(Definition::compile(&source)?)
        })
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

/// The definition of a type, compiled at the first call. Calls for other types do not wait for that.
fn compiled_once(
    of_type: TypeId,
    compile: impl FnOnce() -> Result<Definition, AdmitError>,
) -> Result<Arc<Definition>, AdmitError> {
    type Compiled = Arc<Mutex<Option<Arc<Definition>>>>;
    static ALL: LazyLock<Mutex<HashMap<TypeId, Compiled>>> = LazyLock::new(Mutex::default);
    let compiled = {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(of_type).or_default())
    };
    let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
    let definition = match compiled.take() {
        Some(definition) => definition,
        None => Arc::new(compile()?),
    };
    *compiled = Some(Arc::clone(&definition));
    Ok(definition)
}

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

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::sync::{Arc, mpsc};
    use std::thread;
    use std::time::Duration;

    use serde_json::json;

    use super::compiled_once;
    use crate::definition::Definition;

    fn definition() -> Definition {
        let schema = json!({"type": "object"});
        let version = json!({"name": "v1", "served": true, "schema": {"openAPIV3Schema": schema}});
        let names = json!({"kind": "Widget", "plural": "widgets"});
        let spec = json!({"group": "example.com", "scope": "Cluster", "names": names, "versions": [version]});
        Definition::compile(&json!({"spec": spec})).unwrap()
    }

    /// A type whose definition is compiled delays no other type.
    #[test]
    fn types_do_not_wait_for_each_other() {
        let (sender, receiver) = mpsc::channel();
        let first = compiled_once(TypeId::of::<u8>(), || {
            thread::spawn(move || {
                _ = sender.send(compiled_once(TypeId::of::<u16>(), || Ok(definition())).is_ok());
            });
            assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(true));
            Ok(definition())
        });
        let again = compiled_once(TypeId::of::<u8>(), || Ok(definition()));
        assert!(Arc::ptr_eq(&first.unwrap(), &again.unwrap()));
    }
}
