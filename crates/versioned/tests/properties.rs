//! What holds for all times and all texts.

use jiff::Timestamp;
use k8s_versioned::{GroupVersion, MicroTime, Release, Time, Version};
use proptest::prelude::*;

/// Timestamps of the years that the types hold.
fn timestamps() -> impl Strategy<Value = Timestamp> {
    let seconds = -62_167_219_200..=Timestamp::MAX.as_second();
    (seconds, 0..1_000_000_000).prop_filter_map("in range", |(second, nanosecond)| {
        Timestamp::new(second, nanosecond).ok()
    })
}

/// Texts that are nearly times: one with a few characters replaced.
fn nearly_times() -> impl Strategy<Value = String> {
    let edits = prop::collection::vec((0..32_usize, "[-+0-9TtZz:. ]"), 0..4);
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
    fn printed_times_are_read_back(timestamp in timestamps()) {
        let micro = MicroTime::try_from(timestamp).unwrap();
        prop_assert_eq!(micro.to_string().len(), "2026-01-02T03:04:05.123456Z".len());
        prop_assert_eq!(micro.to_string().parse(), Ok(micro));

        let time = Time::try_from(timestamp).unwrap();
        prop_assert_eq!(time.to_string().len(), "2026-01-02T03:04:05Z".len());
        prop_assert_eq!(time.to_string().parse(), Ok(time));
    }

    #[test]
    fn times_are_cut_as_their_text_is(timestamp in timestamps()) {
        let text = format!("{timestamp:.9}");
        let micro = MicroTime::try_from(timestamp).unwrap();
        prop_assert_eq!(micro.to_string(), format!("{}Z", text.split_at(26).0));
        prop_assert_eq!(text.parse(), Ok(micro));

        let time = Time::try_from(timestamp).unwrap();
        prop_assert_eq!(time.to_string(), format!("{}Z", text.split_at(19).0));
        prop_assert_eq!(text.parse(), Ok(time));
    }

    #[test]
    fn what_is_read_is_what_jiff_reads(text in nearly_times()) {
        if let Ok(time) = text.parse::<MicroTime>() {
            let expected: Timestamp = text.parse().unwrap();
            prop_assert_eq!(MicroTime::try_from(expected), Ok(time));
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
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
    fn versions_are_read_back(text in "v[1-9][0-9]{0,8}((alpha|beta)[1-9][0-9]{0,8})?") {
        prop_assert_eq!(text.parse::<Version>().unwrap().to_string(), text);
    }
}
