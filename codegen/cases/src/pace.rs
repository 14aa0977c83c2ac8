//! The functions of a rule `custom` in the case `shapes`, between three versions: a pace as a text such as `1.5 s`, in whole milliseconds, and
//! in whole seconds.

#![allow(clippy::ref_option, reason = "the types of the field")]

/// `1.5 s` is 1500.
pub(crate) fn v1alpha1_to_v1beta1(pace: &Option<String>) -> Option<i64> {
    let seconds: f64 = pace.as_ref()?.strip_suffix(" s")?.parse().ok()?;
    format!("{:.0}", (seconds * 1000.0).floor()).parse().ok()
}

/// `1.5 s` is 1.
pub(crate) fn v1alpha1_to_v1(pace: &Option<String>) -> Option<i64> {
    v1beta1_to_v1(&v1alpha1_to_v1beta1(pace))
}

/// 1500 is `1.500 s`.
pub(crate) fn v1beta1_to_v1alpha1(pace: &Option<i64>) -> Option<String> {
    pace.map(|pace| format!("{}.{:03} s", pace / 1000, (pace % 1000).abs()))
}

/// 1500 is 1.
pub(crate) fn v1beta1_to_v1(pace: &Option<i64>) -> Option<i64> {
    pace.map(|pace| pace / 1000)
}

/// 1 is `1.000 s`.
pub(crate) fn v1_to_v1alpha1(pace: &Option<i64>) -> Option<String> {
    v1beta1_to_v1alpha1(&v1_to_v1beta1(pace))
}

/// 1 is 1000.
pub(crate) fn v1_to_v1beta1(pace: &Option<i64>) -> Option<i64> {
    pace.and_then(|pace| pace.checked_mul(1000))
}
