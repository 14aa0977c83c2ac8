use std::time::{Duration, Instant};

use super::*;

/// Texts, and patterns of public definitions and odd ones. Each has Go's error, or a sign for each text (`+` if it matches,
/// `-` if not, `.` if nobody asked) and texts of its own: those that match, and those that do not.
type Table = (Vec<String>, Vec<(String, String, Vec<String>, Vec<String>)>);

fn check_table(table: &str) {
    let (texts, patterns): Table = serde_json::from_str(table).unwrap();
    for (pattern, expected, matching, others) in patterns {
        let compiled = match Pattern::compile(&pattern) {
            Ok(compiled) => compiled,
            Err(error) => {
                assert_eq!(error.to_string(), expected, "{pattern}");
                continue;
            }
        };
        assert_eq!(expected.chars().count(), texts.len(), "Go refuses {pattern}: {expected}");
        let shared = texts.iter().zip(expected.chars()).filter(|(_, sign)| *sign != '.');
        let shared = shared.map(|(text, sign)| (text, sign == '+'));
        let own =
            matching.iter().map(|text| (text, true)).chain(others.iter().map(|text| (text, false)));
        for (text, matches) in shared.chain(own) {
            assert_eq!(compiled.is_match(text), matches, "{pattern} on {text:?}");
        }
    }
}

#[test]
fn every_pattern_does_what_go_does() {
    check_table(include_str!("../../fixtures/patterns.json"));
}

/// Texts, and patterns with Go's error or with what `FindAllString` finds in each text. Go 1.19 wrote it, apart from `(?<n>`.
type OddTable = (Vec<String>, Vec<(String, serde_json::Value)>);

#[test]
fn odd_patterns_find_what_go_finds() {
    let (texts, patterns): OddTable =
        serde_json::from_str(include_str!("../../fixtures/odd-patterns.json")).unwrap();
    for (pattern, expected) in patterns {
        match Pattern::compile(&pattern) {
            Err(error) => assert_eq!(error.to_string(), expected, "{pattern}"),
            Ok(compiled) => {
                let matches: Vec<_> =
                    texts.iter().map(|text| compiled.find_all(text, None)).collect();
                assert_eq!(serde_json::json!(matches), expected, "{pattern}");
            }
        }
    }
}

#[test]
fn a_limit_ends_the_matches() {
    let pattern = Pattern::compile("a").unwrap();
    assert_eq!(pattern.find_all("aaa", Some(2)), ["a", "a"]);
    assert_eq!(pattern.find_all("aaa", Some(0)), [""; 0]);
    assert_eq!(pattern.find("ba"), Some("a"));
}

#[test]
fn names_of_unicode_are_those_of_go_1_25() {
    for name in [
        "L",
        "lu",
        "Letter",
        "uppercase letter",
        "ASCII",
        "any",
        "Assigned",
        "LC",
        "Cs",
        "Cn",
        "greek",
        "Old_Italic",
        "Zs",
    ] {
        let pattern = format!("^[\\p{{{name}}}]*$");
        assert!(Pattern::compile(&pattern).is_ok(), "{pattern}");
    }
    for script in names::SCRIPTS {
        assert!(Pattern::compile(&format!("\\P{{{script}}}")).is_ok(), "{script}");
    }
    for (short, long, _) in names::CATEGORIES {
        assert!(Pattern::compile(&format!("\\p{{{short}}}\\p{{^{long}}}")).is_ok(), "{short}");
    }
    for name in ["Grek", "IsGreek", "", "Alphabetic", "Script=Greek"] {
        assert!(Pattern::compile(&format!("\\p{{{name}}}")).is_err(), "{name}");
    }
}

#[test]
fn nesting_has_the_limit_of_go() {
    let nested = |open: &str, levels: usize, close: &str| {
        format!("{}a{}", open.repeat(levels), close.repeat(levels))
    };
    assert!(Pattern::compile(&nested("(", 999, ")")).is_ok());
    let error = Pattern::compile(&nested("(", 1000, ")")).unwrap_err();
    assert!(
        error.to_string().starts_with("error parsing regexp: expression nests too deeply: `(((")
    );
    assert!(Pattern::compile(&nested("(?:", 5000, ")")).is_ok());
    for (open, close) in [("(?:", "b)*"), ("(?:", "|b)+?"), ("(?:a", "b|c){1}"), ("(?:", ")*")] {
        let levels = if close == ")*" { 99 } else { 33 };
        Pattern::compile(&nested(open, levels, close)).unwrap().is_match("ab");
    }
    // Go compiles it; here, nothing is known about a match.
    assert_eq!(Pattern::compile(&nested("(?:", 100, ")*")).unwrap_err(), PatternError::TooLarge);
    assert_eq!(
        Pattern::compile(r"\pL{1000}(\pL{1000}){0,1}\pN{1000}\PL{1000}").unwrap_err(),
        PatternError::TooLarge
    );
}

/// Each class used to cost the time of all characters.
#[test]
fn classes_without_case_compile_soon() {
    let start = Instant::now();
    let pattern = Pattern::compile(&format!("(?i)^{}$", "[a-c]".repeat(2000))).unwrap();
    assert!(pattern.is_match(&"aB".repeat(1000)));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let wide = format!("(?i){}", r"[\x{1}-\x{10FFFF}]".repeat(100));
    assert_eq!(Pattern::compile(&wide).unwrap_err(), PatternError::TooLarge);
    for (pattern, text, matches) in [
        (r"(?i)^[\P{Any}]*$", "a", false),
        (r"(?i)^[\p{Any}]$", "a", true),
        (r"^[^\P{Any}]$", "a", true),
    ] {
        assert_eq!(Pattern::compile(pattern).unwrap().is_match(text), matches, "{pattern}");
    }
}

/// Changes patterns of the tables in one to four places: nothing panics, and each compiles or fails within the limits.
#[test]
fn mutated_patterns_compile_or_fail() {
    let (texts, patterns): Table =
        serde_json::from_str(include_str!("../../fixtures/patterns.json")).unwrap();
    let (_, odd): OddTable =
        serde_json::from_str(include_str!("../../fixtures/odd-patterns.json")).unwrap();
    let patterns: Vec<_> =
        patterns.into_iter().map(|row| row.0).chain(odd.into_iter().map(|row| row.0)).collect();
    let mutants =
        std::env::var("MUTANTS").ok().and_then(|number| number.parse().ok()).unwrap_or(300);
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..mutants {
        let mut pattern: Vec<char> = random.choice(&patterns).unwrap().chars().take(200).collect();
        for _ in 0..random.usize(1..5) {
            let piece: Vec<char> = random.choice(&patterns).unwrap().chars().collect();
            let start = random.usize(..=piece.len());
            let end = random.usize(start..=piece.len().min(start + 8));
            let at = random.usize(..=pattern.len());
            let until = random.usize(at..=pattern.len().min(at + 4));
            pattern.splice(at..until, piece[start..end].iter().copied());
        }
        let pattern: String = pattern.into_iter().collect();
        if let Ok(compiled) = Pattern::compile(&pattern) {
            compiled.is_match(random.choice(&texts).unwrap());
        }
    }
}
