//! The variables that are in scope.

use super::value::Value;

/// How many variables need no allocation.
const INLINE: usize = 4;

/// The variables that are in scope. Some may have no value.
pub(super) struct Stack<'v> {
    first: [Option<Value<'v>>; INLINE],
    more: Vec<Option<Value<'v>>>,
    length: usize,
}

impl<'v> Stack<'v> {
    pub(super) const fn new() -> Self {
        Self { first: [const { None }; INLINE], more: Vec::new(), length: 0 }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&Value<'v>> {
        let slot = match self.first.get(at) {
            Some(slot) => Some(slot),
            None => self.more.get(at - INLINE),
        };
        slot?.as_ref()
    }

    /// Gives a variable another value.
    #[inline]
    pub(super) fn set(&mut self, at: usize, value: Value<'v>) {
        let slot = match self.first.get_mut(at) {
            Some(slot) => Some(slot),
            None => self.more.get_mut(at - INLINE),
        };
        if let Some(slot) = slot {
            *slot = Some(value);
        }
    }

    /// Adds a variable, and returns its place.
    pub(super) fn push(&mut self, value: Option<Value<'v>>) -> usize {
        let at = self.length;
        match self.first.get_mut(at) {
            Some(slot) => *slot = value,
            None => self.more.push(value),
        }
        self.length += 1;
        at
    }

    /// Removes the last variables until this many are left.
    pub(super) fn truncate(&mut self, length: usize) {
        for slot in self.first.iter_mut().take(self.length).skip(length) {
            *slot = None;
        }
        self.more.truncate(length.saturating_sub(INLINE));
        self.length = length;
    }
}
