//! Measuring one piece of work.

use std::hint::black_box;
use std::time::Instant;

/// A piece of work that can be measured again and again: the seconds until its result is there. The end of the result is
/// not part of the time.
pub(crate) type Work = Box<dyn Fn() -> f64>;

fn measure<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let result = region(work);
    let seconds = start.elapsed().as_secs_f64();
    drop(result);
    seconds
}

/// The work that is measured, under a name that callgrind finds.
#[inline(never)]
fn region<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// The work of a function.
pub(crate) fn work<T>(function: impl Fn() -> T + 'static) -> Work {
    Box::new(move || measure(&function))
}

/// The work of a function that consumes a value.
pub(crate) fn consuming<I: Clone + 'static, T>(
    input: I,
    function: impl Fn(I) -> T + 'static,
) -> Work {
    Box::new(move || {
        let input = input.clone();
        measure(|| function(input))
    })
}
