//! *Did you mean …?*: the known name that an unknown name almost is.

/// The known name nearest to `name`, if few letters differ.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let distance = |known: &str| {
        let most = (known.chars().count() / 4).max(1);
        // Comparing long names is slow.
        if known.len().abs_diff(name.len()) > 4 * most {
            return None;
        }
        let distance = strsim::osa_distance(&known.to_lowercase(), &lower);
        (distance <= most).then_some(distance)
    };
    let near = known.filter_map(|known| Some((distance(known)?, known)));
    near.min().map(|(_, known)| known)
}

/// The known field that `name` may mean: the nearest by letters, or else the only one with the same words in a row, such as
/// `holderIdentity` for `holder`. A field that begins with the words comes first.
pub fn nearest_field<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (own, known) = (words(name), known.collect::<Vec<_>>());
    if let Some(near) = nearest(name, known.iter().copied()) {
        return Some(near);
    }
    // The longest field of a Kubernetes API has eight words.
    if own.is_empty() || own.len() > 8 {
        return None;
    }
    let only = |fits: &dyn Fn(&[String]) -> bool| {
        let mut fitting = known.iter().copied().filter(|known| fits(&words(known)));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let contains = |all: &[String], part: &[String]| {
        !part.is_empty() && all.windows(part.len()).any(|some| some == part)
    };
    only(&|known| known.starts_with(&own))
        .or_else(|| only(&|known| contains(known, &own)))
        .or_else(|| only(&|known| contains(&own, known)))
}

/// The words of a name such as `holderIdentity`, `holder_identity` or `holder-identity`, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars().take(200) {
        if letter.is_uppercase() || letter == '_' || letter == '-' {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_near_if_few_letters_differ() {
        let nearest = |name: &str| {
            super::nearest(name, ["nullable", "not", "additionalProperties"].into_iter())
        };
        assert_eq!(nearest("nulable"), Some("nullable"));
        assert_eq!(nearest("Nullable"), Some("nullable"));
        assert_eq!(nearest("aditionalProperties"), Some("additionalProperties"));
        assert_eq!(nearest("comment"), None);
        assert_eq!(nearest(""), None);
        assert_eq!(nearest(&"nullable".repeat(100_000)), None);
    }

    #[test]
    fn a_field_is_near_if_its_words_are_the_same() {
        let known = ["holderIdentity", "preferredHolder", "leaseDurationSeconds", "acquireTime"];
        let known = known.into_iter().chain(["renewTime", "leaseTransitions", "strategy"]);
        let nearest = |name: &str| super::nearest_field(name, known.clone());
        for (name, expected) in [
            ("holderIdentiy", Some("holderIdentity")),
            ("holder", Some("holderIdentity")),
            ("duration", Some("leaseDurationSeconds")),
            ("transitions", Some("leaseTransitions")),
            ("holder_identity", Some("holderIdentity")),
            ("leaseStrategy", Some("strategy")),
            ("time", None),
            ("lease", None),
            ("colour", None),
            ("", None),
            ("_", None),
        ] {
            assert_eq!(nearest(name), expected, "{name}");
        }
        assert_eq!(nearest(&"holder".repeat(100_000)), None);
    }
}
