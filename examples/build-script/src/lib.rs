//! An operator's kind `Backup` in three versions, from its CustomResourceDefinition: types, requests and conversions, made
//! by the build script.
//!
//! ```
//! use build_script_example::api::conversion::ConvertObject;
//! use build_script_example::api::{v1, v1alpha1};
//!
//! let mut spec = v1::BackupSpec::new("home");
//! spec.schedule = Some("daily".to_owned());
//! let new = v1::Backup::new(spec);
//!
//! let (old, report): (v1alpha1::Backup, _) = new.clone().convert();
//! assert_eq!(old.spec.volume, "home");
//! assert_eq!(report.to_string(), r#"spec.schedule: kept in an annotation: "daily""#);
//! let (back, _): (v1::Backup, _) = old.convert();
//! assert_eq!(back, new);
//! ```

#![allow(clippy::elidable_lifetime_names, reason = "generated code")]

include!(concat!(env!("OUT_DIR"), "/api.rs"));

pub use k8s_versioned::requests;
