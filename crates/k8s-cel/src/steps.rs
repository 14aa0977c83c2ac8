//! Steps of work: the bound on what servers do without one.

use std::cell::Cell;

/// How many bytes of text are one step.
pub const BYTES_PER_STEP: usize = 32;

/// The steps that are left for some work.
#[derive(Clone, Debug)]
pub struct Steps(Cell<u64>);

impl Steps {
    /// A number of steps.
    pub const fn new(most: u64) -> Self {
        Self(Cell::new(most))
    }

    /// Spends steps. Returns `false` if fewer were left: then none are left.
    #[inline]
    pub fn spend(&self, steps: usize) -> bool {
        let left = self.0.get().checked_sub(steps as u64);
        self.0.set(left.unwrap_or_default());
        left.is_some()
    }

    /// Spends the steps of reading a text.
    #[inline]
    pub fn read(&self, bytes: usize) -> bool {
        self.spend(1 + bytes / BYTES_PER_STEP)
    }

    /// The number of steps that are left.
    pub const fn left(&self) -> u64 {
        self.0.get()
    }

    /// Continues with the steps that others have left.
    pub fn set(&self, others: &Self) {
        self.0.set(others.0.get());
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;

    #[test]
    fn no_step_is_spent_twice() {
        let steps = Steps::new(5);
        assert!(steps.spend(2) && steps.read(63));
        assert_eq!(steps.left(), 1);
        assert!(!steps.spend(2));
        assert_eq!(steps.left(), 0);
        assert!(steps.spend(0) && !steps.read(0));
    }
}
