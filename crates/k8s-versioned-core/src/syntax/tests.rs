//! Texts with the rules that they break. `a*63` means 63 times `a`.

use super::*;

fn check(broken: fn(&str) -> Vec<SyntaxViolation>, table: &[(&str, &str)]) {
    for (text, expected) in table {
        let repeated = |part: &str| match part.split_once('*') {
            Some((text, count)) => text.repeat(count.parse().unwrap()),
            None => part.to_owned(),
        };
        let text: Vec<String> = text.split('/').map(repeated).collect();
        let text = text.join("/");
        let found: Vec<String> = broken(&text).iter().map(shown).collect();
        assert_eq!(found.join(" "), *expected, "{text:?}");
    }
}

fn shown(SyntaxViolation { part, rule }: &SyntaxViolation) -> String {
    let rule = match rule {
        SyntaxRule::Length(most) => most.to_string(),
        SyntaxRule::Without(character) => format!("no{character}"),
        other => format!("{other:?}"),
    };
    match part {
        TextPart::Whole => rule,
        other => format!("{other:?}:{rule}"),
    }
}

#[test]
fn dns() {
    let table = [
        ("a", ""),
        ("0", ""),
        ("a--b", ""),
        ("a*63", ""),
        ("a*64", "63"),
        ("A*64", "63 Dns1123Label"),
    ];
    check(dns1123_label, &table);
    for text in ["", "-", "a-", "-a", "a.b", "a_b", "ä", "a\n"] {
        check(dns1123_label, &[(text, "Dns1123Label")]);
    }
    let table = [
        ("a", ""),
        ("a.b-c.0", ""),
        ("a*253", ""),
        ("a*254", "253"),
        (".*254", "253 Dns1123Subdomain"),
    ];
    check(dns1123_subdomain, &table);
    for text in ["", ".", "..hidden", "a..b", "a.", "a.-b", "Upper", "under_score", "a b"] {
        check(dns1123_subdomain, &[(text, "Dns1123Subdomain")]);
    }
    // The byte before the dash at the end is not checked.
    let long = "a".repeat(253) + "-";
    check(
        dns1123_subdomain_prefix,
        &[("a-", ""), ("a.b-", ""), ("A-", ""), ("a.-", ""), (&long, "")],
    );
    for text in ["-", "A", "Aa-", "ä-", "a."] {
        check(dns1123_subdomain_prefix, &[(text, "Dns1123Subdomain")]);
    }
}

#[test]
fn config_map_keys() {
    let table = [
        ("Upper_lower-0.9", ""),
        (".hidden", ""),
        ("-", ""),
        ("n*253", ""),
        ("n*254", "253"),
        (" *254", "253 ConfigMapKey"),
        ("", "ConfigMapKey"),
        ("a b", "ConfigMapKey"),
        ("a%b", "ConfigMapKey"),
        ("a/b", "ConfigMapKey"),
        (".", "NotDots"),
        ("..", "NotDots"),
        ("..hidden", "NoDotsInFront"),
        ("../x", "ConfigMapKey NoDotsInFront"),
    ];
    check(config_map_key, &table);
    // A key is a segment of a path.
    let keys = table.iter().filter(|(_, broken)| broken.is_empty());
    keys.for_each(|(key, _)| check(path_segment, &[(key, "")]));
}

#[test]
fn path_segments() {
    let both = [
        ("a", ""),
        ("", ""),
        ("Bad name \u{1f600}", ""),
        ("...", ""),
        ("a/b", "no/"),
        ("100%", "no%"),
        ("%/%/", "no/ no%"),
    ];
    check(path_segment, &both);
    check(path_segment_prefix, &both);
    check(path_segment, &[(".", "NotDots"), ("..", "NotDots")]);
    check(path_segment_prefix, &[(".", ""), ("..", "")]);
}

#[test]
fn labels_and_annotations() {
    let table = [
        ("", ""),
        ("A_b.c-0", ""),
        ("x*63", ""),
        ("x*64", "63"),
        (" *64", "63 LabelValue"),
        ("not ok", "LabelValue"),
        ("-a", "LabelValue"),
        ("a/b", "LabelValue"),
    ];
    check(label_value, &table);
    for text in ["a", "Example.COM/Key", "\u{212a}", "\u{130}"] {
        check(annotation_key, &[(text, "")]);
    }
    for text in ["", "two words", "a/b/c", "Ä", "under_score/a"] {
        assert_ne!(annotation_key(text), [], "{text:?}");
    }
}

#[test]
fn qualified_names() {
    let table = [
        ("OldestEmulationVersion", ""),
        ("example.com/by-load", ""),
        ("a/B_c.D-0", ""),
        ("a*63", ""),
        ("a*253/a*63", ""),
        ("", "NotEmpty QualifiedName"),
        ("x/", "Name:NotEmpty Name:QualifiedName"),
        ("/x", "Prefix:NotEmpty"),
        ("/", "Prefix:NotEmpty Name:NotEmpty Name:QualifiedName"),
        ("A/b", "Prefix:Dns1123Subdomain"),
        ("a_b/c", "Prefix:Dns1123Subdomain"),
        ("a*254/b", "Prefix:253"),
        ("A*254/b", "Prefix:253 Prefix:Dns1123Subdomain"),
        ("a*64", "63"),
        ("-*64", "63 QualifiedName"),
        ("a/b*64", "Name:63"),
        ("a b", "QualifiedName"),
        (".a", "QualifiedName"),
        ("a/b-", "Name:QualifiedName"),
        ("exa mple.com/Mi ne", "Prefix:Dns1123Subdomain Name:QualifiedName"),
        ("a/b/c", "OneSlash"),
        ("//", "OneSlash"),
        ("A B/c d/", "OneSlash"),
    ];
    check(qualified_name, &table);
}

#[test]
fn one_character_has_a_longer_lower_case() {
    let longer = ('\0'..=char::MAX).filter(|c| c.to_lowercase().count() > 1);
    assert_eq!(longer.collect::<String>(), "\u{130}");
}
