//! The fields that the subresource `scale` reads.

use std::fmt;

use serde_json::Value;

use crate::answer::{Reason, RefusalCause, Shown};
use crate::facts::Facts;
use crate::go::{self, GoValue};

/// The paths of the subresource `scale`.
#[derive(Debug, Default)]
pub(crate) struct Scale {
    pub(crate) spec_replicas: String,
    pub(crate) status_replicas: String,
    pub(crate) label_selector: Option<String>,
}

impl Scale {
    pub(crate) fn read(scale: &Value) -> Self {
        let text = |name| scale.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            spec_replicas: text("specReplicasPath").unwrap_or_default(),
            status_replicas: text("statusReplicasPath").unwrap_or_default(),
            label_selector: text("labelSelectorPath"),
        }
    }

    pub(crate) fn check_spec(&self, object: &Value, causes: &mut Vec<RefusalCause>) {
        check_replicas(object, &self.spec_replicas, causes);
    }

    pub(crate) fn check_status(&self, object: &Value, causes: &mut Vec<RefusalCause>) {
        check_replicas(object, &self.status_replicas, causes);
        if let Some(path) = &self.label_selector
            && let Err(error) = find(object, path, "string", Value::is_string)
        {
            causes.push(RefusalCause::invalid(path, "", error));
        }
    }
}

fn check_replicas(object: &Value, path: &str, causes: &mut Vec<RefusalCause>) {
    let invalid = |value: i64, detail: String| {
        let value = Value::from(value);
        RefusalCause::new(Facts::NEWEST, Reason::Invalid, path, Shown::Value(&value), detail)
    };
    let replicas = find(object, path, "int64", Value::is_i64);
    match replicas.map(|count| count.and_then(Value::as_i64)) {
        Err(error) => causes.push(invalid(0, error)),
        Ok(Some(count)) if count < 0 => {
            causes.push(invalid(count, "should be a non-negative integer".to_owned()));
        }
        Ok(Some(count)) if count > i64::from(i32::MAX) => {
            let detail = format!("should be less than or equal to {}", i32::MAX);
            causes.push(invalid(count, detail));
        }
        Ok(_) => {}
    }
}

/// The value at a path, which has to be of a type.
fn find<'a>(
    object: &'a Value,
    path: &str,
    expected: impl fmt::Display,
    fits: impl Fn(&Value) -> bool,
) -> Result<Option<&'a Value>, String> {
    let plain = path.strip_prefix('.').unwrap_or(path);
    let wrong = |value: &Value, expected: &dyn fmt::Display| {
        let actual = match value {
            Value::Number(number) if number.is_i64() => "int64",
            value => go::type_name(value),
        };
        format!("accessor error: {} is of the type {actual}, expected {expected}", GoValue(value))
    };
    // The path up to the name whose value is of another type.
    let place = |names: usize| {
        plain.split('.').take(names).fold(String::new(), |place, name| place + "." + name)
    };
    let (mut value, mut names) = (object, 0);
    for name in plain.split('.') {
        names += 1;
        value = match value {
            Value::Null => return Ok(None),
            Value::Object(members) => match members.get(name) {
                Some(member) => member,
                None => return Ok(None),
            },
            other => {
                let wrong = wrong(other, &"map[string]interface{}");
                return Err(format!("{} {wrong}", place(names)));
            }
        };
    }
    if fits(value) {
        Ok(Some(value))
    } else {
        Err(format!("{} {}", place(names), wrong(value, &expected)))
    }
}
