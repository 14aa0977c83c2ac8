//! The functions of a rule `custom` of the kinds of all combinations: a text or a number, optional or required, by the form of the result.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, to_value};

/// Converts between the text `12` and the number 12. Other texts have no number.
fn convert<A: Serialize, B: DeserializeOwned + Default>(value: &A) -> B {
    let value = to_value(value).unwrap_or_default();
    let other = match &value {
        Value::String(text) => text.parse::<i32>().map(Value::from).unwrap_or_default(),
        Value::Number(number) => number.to_string().into(),
        other => other.clone(),
    };
    [value, other].into_iter().find_map(|form| B::deserialize(form).ok()).unwrap_or_default()
}

macro_rules! functions {
    ($($name:ident)*) => {$(
        pub(crate) fn $name<A: Serialize, B: DeserializeOwned + Default>(value: &A) -> B {
            convert(value)
        }
    )*};
}

functions! { v1alpha1_to_v1beta1 v1alpha1_to_v1 v1beta1_to_v1alpha1 v1beta1_to_v1 v1_to_v1alpha1 v1_to_v1beta1 }
