//! Measuring one piece of work.

use std::hint::black_box;
use std::time::Instant;

/// A quantity that a piece of work has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meter {
    /// Seconds until the result is there. Its end is not part of the time.
    Time,
    /// The number of allocations.
    Allocations,
    /// Bytes of the result, on the stack and on the heap.
    Memory,
}

/// A piece of work that can be measured again and again.
pub(crate) type Work = Box<dyn Fn(Meter) -> f64>;

impl Meter {
    fn measure<T>(self, work: impl FnOnce() -> T) -> f64 {
        if self == Self::Time {
            let start = Instant::now();
            let result = region(work);
            let seconds = start.elapsed().as_secs_f64();
            drop(result);
            return seconds;
        }
        let mut result = None;
        let counted = allocation_counter::measure(|| result = Some(work()));
        drop(result);
        let heap = u64::try_from(counted.bytes_current).unwrap_or_default();
        let measured = match self {
            Self::Memory => heap + size_of::<T>() as u64,
            _ => counted.count_total,
        };
        f64::from(u32::try_from(measured).unwrap())
    }
}

/// What is measured, under a name that callgrind finds.
#[inline(never)]
fn region<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// The work of a function.
pub(crate) fn work<T>(function: impl Fn() -> T + 'static) -> Work {
    Box::new(move |meter| meter.measure(&function))
}

/// The work of a function that consumes a value.
pub(crate) fn consuming<I: Clone + 'static, T>(
    input: I,
    function: impl Fn(I) -> T + 'static,
) -> Work {
    Box::new(move |meter| {
        let input = input.clone();
        meter.measure(|| function(input))
    })
}
