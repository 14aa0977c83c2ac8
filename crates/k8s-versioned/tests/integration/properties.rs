//! Properties of all times and all texts.

use std::time::Duration;

use jiff::Timestamp;
use k8s_versioned::{GroupVersion, MicroTime, Release, Time, Version};
use proptest::prelude::*;

/// Timestamps of the years that have four digits.
fn timestamps() -> impl Strategy<Value = Timestamp> {
    let seconds = -62_167_219_200..=Timestamp::MAX.as_second();
    (seconds, 0..1_000_000_000)
        .prop_filter_map("in range", |(second, nanosecond)| Timestamp::new(second, nanosecond).ok())
}

/// Times of the whole range, most of them far from today.
fn times() -> impl Strategy<Value = MicroTime> {
    let seconds = prop_oneof![
        -9_223_372_036_854..9_223_372_036_854_i64,
        -100_000_000_000..1_000_000_000_000_i64,
    ];
    (seconds, 0..1_000_000_u32).prop_filter_map("a time", |(second, microsecond)| {
        MicroTime::from_unix(second, microsecond)
    })
}

/// Texts of times with a few characters replaced.
fn nearly_times() -> impl Strategy<Value = String> {
    let edits = prop::collection::vec((0..32_usize, "[-+0-9TtZz:.,]"), 0..4);
    (timestamps(), edits).prop_map(|(time, edits)| {
        let mut text = time.to_string();
        for (position, piece) in edits {
            if text.is_char_boundary(position) && position < text.len() {
                text.replace_range(position..=position, &piece);
            }
        }
        text
    })
}

proptest! {
    #[test]
    fn printed_times_are_read_back(micro in times()) {
        prop_assert_eq!(micro.to_string().parse(), Ok(micro));
        let time = Time::from(micro);
        prop_assert_eq!(time.to_string().parse(), Ok(time));
        prop_assert_eq!(Timestamp::try_from(micro).map_or(micro, MicroTime::from), micro);
    }

    #[test]
    fn sums_and_differences_agree(time in times(), other in times(), micros: u32) {
        let step = Duration::from_micros(micros.into());
        prop_assert_eq!(time.checked_add(step).map_or(Some(time), |sum| sum.checked_sub(step)), Some(time));
        prop_assert_eq!(time.duration_since(other).is_negative(), time < other);
    }

    #[test]
    fn times_are_cut_like_their_text(timestamp in timestamps()) {
        let text = format!("{timestamp:.9}");
        let micro = MicroTime::from(timestamp);
        prop_assert_eq!(micro.to_string(), format!("{}Z", text.split_at(26).0));
        prop_assert_eq!(text.parse(), Ok(micro));

        let time = Time::from(timestamp);
        prop_assert_eq!(time.to_string(), format!("{}Z", text.split_at(19).0));
        prop_assert_eq!(text.parse(), Ok(time));
    }

    /// `jiff` reads less than servers do: no comma, no hour with one digit.
    #[test]
    fn times_that_jiff_reads_are_the_same(text in nearly_times()) {
        if let (Ok(time), Ok(expected)) = (text.parse::<MicroTime>(), text.parse::<Timestamp>()) {
            prop_assert_eq!(MicroTime::from(expected), time);
        }
    }

    #[test]
    fn times_that_servers_read_are_read(text in nearly_times()) {
        if let Ok(time) = MicroTime::parse_as_server(&text) {
            prop_assert_eq!(text.parse(), Ok(time));
        }
    }

    #[test]
    fn parsing_never_panics(text in any::<String>()) {
        let _ = text.parse::<MicroTime>();
        let _ = text.parse::<Time>();
        let _ = text.parse::<Release>();
        let _ = text.parse::<Version>();
        let _ = GroupVersion::parse(&text);
    }

    #[test]
    fn releases_are_read_back(major: u16, minor: u16) {
        let release = Release::new(major, minor);
        prop_assert_eq!(release.to_string().parse(), Ok(release));
    }

    #[test]
    fn versions_are_read_back(text in "v[0-9]{1,25}((alpha|beta)[0-9]{1,25})?|[a-z]([-a-z0-9]{0,61}[a-z0-9])?") {
        prop_assert_eq!(text.parse::<Version>().unwrap().to_string(), text);
    }
}
