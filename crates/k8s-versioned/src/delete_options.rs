//! The short forms of `DeleteOptions`.

use crate::meta::v1::DeleteOptions;

/// No options.
impl From<()> for DeleteOptions {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl From<&Self> for DeleteOptions {
    fn from(options: &Self) -> Self {
        options.clone()
    }
}
