//! A row: an operation, and how its cost grows.

use std::fmt;

use allocation_counter::measure;
use k8s_versioned_codegen::on_this_thread;

/// What is measured. Its input is made before.
pub(crate) type Work = Box<dyn Fn()>;

/// An operation whose input has a size.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The smallest size.
    pub(crate) first: usize,
    /// How often it doubles.
    pub(crate) doublings: usize,
    /// Makes the input of a size.
    pub(crate) prepare: fn(usize) -> Work,
}

/// What an operation costs, for each size: two counts, of which the one that grows faster decides.
pub(crate) struct Growth(Vec<[u64; 2]>);

impl Row {
    pub(crate) const fn new(name: &'static str, first: usize, prepare: fn(usize) -> Work) -> Self {
        Self { name, first, doublings: 5, prepare }
    }

    /// A row whose input is limited to fewer doublings.
    pub(crate) const fn doubled(self, doublings: usize) -> Self {
        Self { doublings, ..self }
    }

    /// The number and the bytes of allocations.
    pub(crate) fn allocations(&self) -> Growth {
        self.growth(|size| {
            let work = (self.prepare)(size);
            let counted = measure(|| on_this_thread(work));
            [counted.count_total, counted.bytes_total]
        })
    }

    /// The counts of all sizes.
    pub(crate) fn growth(&self, count: impl Fn(usize) -> [u64; 2]) -> Growth {
        Growth((0..=self.doublings).map(|at| count(self.first << at)).collect())
    }
}

/// Fewer allocations, or bytes, are of buffers that double.
const FEW: f64 = 100.0;

impl Growth {
    /// The larger of the two exponents. Costs that do not depend on the size are left out.
    pub(crate) fn exponent(&self) -> f64 {
        let of = |count: usize| {
            let from_end = |at: usize| self.0[self.0.len() - 1 - at][count] as f64;
            let (late, early) = (from_end(0) - from_end(2), from_end(2) - from_end(4));
            // What hardly grows has no exponent.
            if late < FEW { 0.0 } else { (late / early.max(1.0)).log2() / 2.0 }
        };
        of(0).max(of(1))
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} {:?}", self.exponent(), self.0)
    }
}
