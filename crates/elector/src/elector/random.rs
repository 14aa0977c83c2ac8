//! Numbers that look random, from a seed.

use std::time::Duration;

/// The generator `SplitMix64`.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The period, lengthened by up to 1.2 times itself, so that processes do not ask in step.
    pub(super) fn lengthen(&mut self, period: Duration) -> Duration {
        let thousandths = u32::try_from(self.next() % 1_201).unwrap_or_default();
        period.saturating_add(period.saturating_mul(thousandths) / 1_000)
    }
}
