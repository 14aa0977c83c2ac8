//! How long the sides of a comparison take.

use std::time::Instant;

/// The time of a second run: the first run loads the code into the caches.
pub fn time(side: impl Fn()) -> f64 {
    side();
    let start = Instant::now();
    side();
    start.elapsed().as_secs_f64()
}

/// The middle one of the ratios.
pub fn median(ratios: impl Iterator<Item = f64>) -> f64 {
    let mut ratios: Vec<f64> = ratios.collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
