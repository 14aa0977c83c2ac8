//! The functions of a rule `custom` in the case `projects`: a speed as a text with its unit, and in millimetres each second.

/// `3 m/s` is 3000.
#[allow(clippy::ref_option, reason = "the types of the field")]
pub(crate) fn v1beta1_to_v1beta2(speed: &Option<String>) -> Option<i64> {
    let metres: f64 = speed.as_ref()?.strip_suffix(" m/s")?.parse().ok()?;
    let millimetres = (metres * 1000.0).round();
    // Speeds of paper.
    (millimetres.abs() < 1e12).then(|| format!("{millimetres:.0}").parse().ok()).flatten()
}

/// 3000 is `3 m/s`.
#[allow(clippy::ref_option, reason = "the types of the field")]
pub(crate) fn v1beta2_to_v1beta1(speed: &Option<i64>) -> Option<String> {
    speed.map(|speed| {
        let (whole, rest) = (speed / 1000, (speed % 1000).abs());
        if rest == 0 { format!("{whole} m/s") } else { format!("{whole}.{rest:03} m/s") }
    })
}
