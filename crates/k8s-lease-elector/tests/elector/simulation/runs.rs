//! The elector in thousands of schedules.

use std::time::Instant;

use super::schedule::Schedule;
use super::shrink::shrink;
use super::world::{Found, World};

/// `SCHEDULES` schedules, from the seed `SCHEDULE_SEED` on.
#[test]
fn no_schedule_breaks_a_promise() {
    let number = |name, default| {
        let given = std::env::var(name).ok();
        given.map_or(default, |text| text.parse().unwrap())
    };
    let (count, first) = (number("SCHEDULES", 1_000), number("SCHEDULE_SEED", 0));
    let start = Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let run = |thread| {
        let seeds = (first..first + count).skip(thread).step_by(threads);
        seeds.map(Sum::of).fold(Sum::default(), Sum::and)
    };
    let sums: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|one| scope.spawn(move || run(one))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let sum = sums.into_iter().fold(Sum::default(), Sum::and);
    println!("{count} schedules from seed {first} in {:.1?}: {sum:?}", start.elapsed());
    if let Some(seed) = sum.failed {
        let fails = |schedule: &Schedule| World::new(schedule).run().0.violation.is_some();
        let schedule = shrink(Schedule::new(seed), &fails);
        let story = World::new(&schedule).with_story().run().1;
        panic!("seed {seed}:\n{}", story.unwrap());
    }
    assert!(sum.terms > count && sum.handed_over > count / 4, "{sum:?}");
}

/// The results of many runs.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    events: u64,
    terms: u64,
    led: u64,
    handed_over: u64,
    /// The longest times, in thousandths of the bounds.
    slowest: [u64; 2],
    /// The most requests of a process in ten seconds.
    most_requests: usize,
    failed: Option<u64>,
}

impl Sum {
    fn of(seed: u64) -> Self {
        let Found { violation, events, terms, led_after, handed_over_after, most_requests, .. } =
            World::new(&Schedule::new(seed)).run().0;
        Self {
            events,
            terms,
            led: led_after.is_some().into(),
            handed_over: handed_over_after.is_some().into(),
            slowest: [led_after, handed_over_after].map(Option::unwrap_or_default),
            most_requests,
            failed: violation.map(|_| seed),
        }
    }

    fn and(self, other: Self) -> Self {
        let slowest = |at: usize| self.slowest[at].max(other.slowest[at]);
        Self {
            events: self.events + other.events,
            terms: self.terms + other.terms,
            led: self.led + other.led,
            handed_over: self.handed_over + other.handed_over,
            slowest: [slowest(0), slowest(1)],
            most_requests: self.most_requests.max(other.most_requests),
            failed: self.failed.into_iter().chain(other.failed).min(),
        }
    }
}
