//! Measurements of time.

use std::hint::black_box;
use std::time::Instant;

/// Work that returns the seconds that it took. It can run many times. The time to free its result does not count.
pub type Work = Box<dyn Fn() -> f64>;

fn measure<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let result = region(work);
    let seconds = start.elapsed().as_secs_f64();
    drop(result);
    seconds
}

/// Runs the measured work. Callgrind finds this function by its name.
#[inline(never)]
fn region<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// The work of a function.
pub fn work<T>(function: impl Fn() -> T + 'static) -> Work {
    Box::new(move || measure(&function))
}

/// The work of a function that consumes a value.
pub fn consuming<I: Clone + 'static, T>(input: I, function: impl Fn(I) -> T + 'static) -> Work {
    Box::new(move || {
        let input = input.clone();
        measure(|| function(input))
    })
}
