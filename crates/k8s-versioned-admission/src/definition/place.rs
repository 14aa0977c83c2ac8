//! The place in a definition of the field that a server's cause names: servers keep definitions in the form of `v1beta1`.

use std::borrow::Cow;

/// The list of columns.
const COLUMNS: &str = "additionalPrinterColumns[";

/// Where servers say that something is, and where it is in a definition of `v1`. What all versions share is in each of them.
const MOVED: [(&str, &str); 7] = [
    ("spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"),
    (
        "spec.conversion.conversionReviewVersions",
        "spec.conversion.webhook.conversionReviewVersions",
    ),
    ("spec.conversion.webhookClientConfig", "spec.conversion.webhook.clientConfig"),
    ("spec.selectableFields", "spec.versions[0].selectableFields"),
    ("spec.subresources", "spec.versions[0].subresources"),
    ("spec.validation", "spec.versions[0].schema"),
    ("spec.version", "spec.versions[0].name"),
];

/// The path in a definition of what the field of a cause names: servers call the schema that all versions share `spec.validation`, and in
/// the definition it is in each version, such as `spec.versions[0].schema`.
///
/// ```
/// use k8s_versioned_admission::definition::place_in_definition;
///
/// let field = "spec.validation.openAPIV3Schema.properties[a].type";
/// assert_eq!(
///     place_in_definition(field),
///     "spec.versions[0].schema.openAPIV3Schema.properties[a].type",
/// );
/// assert_eq!(place_in_definition("spec.versions[0].name"), "spec.versions[0].name");
/// ```
pub fn place_in_definition(field: &str) -> Cow<'_, str> {
    let moved = MOVED.iter().find_map(|(shown, own)| {
        let rest = field.strip_prefix(shown)?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then(|| format!("{own}{rest}"))
    });
    let place = moved.map_or(Cow::Borrowed(field), Cow::Owned);
    match place.strip_suffix("JSONPath") {
        Some(column) if place.contains(COLUMNS) => format!("{column}jsonPath").into(),
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::place_in_definition;

    #[test]
    fn what_versions_share_is_in_the_first() {
        for (field, place) in [
            ("spec.validation", "spec.versions[0].schema"),
            ("spec.version", "spec.versions[0].name"),
            ("spec.versions", "spec.versions"),
            ("spec.versions[1].schema", "spec.versions[1].schema"),
            (
                "spec.additionalPrinterColumns[2].JSONPath",
                "spec.versions[0].additionalPrinterColumns[2].jsonPath",
            ),
            (
                "spec.versions[1].additionalPrinterColumns[2].JSONPath",
                "spec.versions[1].additionalPrinterColumns[2].jsonPath",
            ),
            ("spec.conversion.webhookClientConfig.url", "spec.conversion.webhook.clientConfig.url"),
            ("metadata.name", "metadata.name"),
            ("", ""),
        ] {
            assert_eq!(place_in_definition(field), place);
        }
    }
}
