//! The room for field paths in lists of them.

use std::fmt::Display;

/// How often the bytes of an object may be in the paths of its fields.
const TIMES: usize = 16;

/// The room that each object has.
const LEAST: usize = 64 << 10;

/// The most room of an object, however large.
const MOST: usize = 4 << 20;

/// The room for the paths of a list of fields of one object. The path of each field has the names of all objects around it, so without
/// a bound a long name around many fields would take its length times their number.
///
/// ```
/// use k8s_versioned_core::path_room::PathRoom;
///
/// let (mut room, long) = (PathRoom::of(1_000), "n".repeat(100_000));
/// assert_eq!(room.write(&"spec"), Some("spec".to_owned()));
/// assert!(room.write(&long).is_some());
/// assert_eq!(room.write(&long), None);
/// assert_eq!(room.left_out(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PathRoom {
    left: usize,
    left_out: usize,
}

impl Default for PathRoom {
    /// The room that each object has.
    fn default() -> Self {
        Self::of(0)
    }
}

impl PathRoom {
    /// The room for an object of so many bytes: 16 times as many, at least 64 KiB and at most 4 MiB.
    pub const fn of(bytes: usize) -> Self {
        let bytes = bytes.saturating_mul(TIMES);
        let left = match bytes {
            ..LEAST => LEAST,
            MOST.. => MOST,
            bytes => bytes,
        };
        Self { left, left_out: 0 }
    }

    /// The text of a path. `None` if no room is left: then the path is counted.
    pub fn write(&mut self, path: &impl Display) -> Option<String> {
        if self.left == 0 {
            self.left_out = self.left_out.saturating_add(1);
            return None;
        }
        let text = path.to_string();
        self.left = self.left.saturating_sub(text.len());
        Some(text)
    }

    /// The number of paths without room.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }
}
