//! Work on all processors.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The fewest items for which another thread is worth its time.
const FEW: usize = 50;

thread_local! {
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Does all work on this thread, so that what is counted for a thread is all of it.
#[doc(hidden)]
pub fn on_this_thread<T>(work: impl FnOnce() -> T) -> T {
    let before = IS_ALONE.replace(true);
    let result = work();
    IS_ALONE.set(before);
    result
}

/// The results of `work` for all items, in their order. Each thread takes the next item, so large ones belong to the
/// beginning.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return results;
            };
            results.push((index, work(item)));
        }
    };
    let all = || thread::available_parallelism().map_or(1, NonZero::get);
    let processors = if IS_ALONE.get() { 1 } else { all() };
    let mut results = thread::scope(|scope| {
        let others = 1..processors.min(items.len() / FEW);
        // If no other thread starts, this one does all.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, take).ok();
        let others: Vec<_> = others.filter_map(spawn).collect();
        let mut results = take();
        for other in others {
            match other.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, super::FEW, 100 * super::FEW] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(super::map(&items, |item| *item), items);
        }
    }
}
