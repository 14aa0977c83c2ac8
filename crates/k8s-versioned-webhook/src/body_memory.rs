//! The memory of large bodies, from their arrival to the end of their conversion.

use std::sync::Arc;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::Limits;
use crate::limits::permits;

/// The bytes that a share grows by.
const UNIT: usize = 64 << 10;

/// The memory of large bodies. A body takes its share as it arrives, so that a client that sends slowly, or announces more than it
/// sends, takes little from others.
pub(crate) struct BodyMemory {
    /// The units that are free.
    units: Arc<Semaphore>,
    /// Bodies that all wait for the rest of their shares would wait for ever. So one of them at a time may grow without units.
    overflow: Arc<Semaphore>,
}

/// The memory of one body.
#[derive(Default)]
pub(crate) struct BodyShare {
    units: Option<OwnedSemaphorePermit>,
    overflow: Option<OwnedSemaphorePermit>,
}

impl BodyMemory {
    /// Memory for as many bodies of the largest size as large reviews are converted at a time.
    pub(crate) fn new(limits: &Limits) -> Self {
        let bytes = limits.body_bytes.saturating_mul(limits.large_reviews.max(1));
        Self { units: permits(bytes / UNIT), overflow: permits(1) }
    }

    /// Waits until a share has this many bytes.
    ///
    /// # Errors
    /// None: the semaphores are never closed.
    pub(crate) async fn grow(
        &self,
        share: &mut BodyShare,
        bytes: usize,
    ) -> Result<(), AcquireError> {
        let held = share.units.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = bytes.div_ceil(UNIT).saturating_sub(held);
        if missing == 0 || share.overflow.is_some() {
            return Ok(());
        }
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        match (Arc::clone(&self.units).try_acquire_many_owned(missing), &mut share.units) {
            (Ok(more), Some(units)) => units.merge(more),
            (Ok(more), units @ None) => *units = Some(more),
            (Err(_), _) => {
                share.overflow = Some(Arc::clone(&self.overflow).acquire_owned().await?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::{BodyMemory, BodyShare};
    use crate::Limits;

    /// Two bodies that both wait for the rest of the memory end one after the other.
    #[tokio::test]
    async fn bodies_do_not_wait_for_each_other_for_ever() {
        let limits = Limits { body_bytes: 1 << 20, large_reviews: 1, ..Limits::default() };
        let memory = BodyMemory::new(&limits);
        let [mut first, mut second] = [(), ()].map(|()| BodyShare::default());
        for share in [&mut first, &mut second] {
            memory.grow(share, 500 << 10).await.unwrap();
        }
        memory.grow(&mut first, 1 << 20).await.unwrap();
        let waits = timeout(Duration::from_millis(20), memory.grow(&mut second, 1 << 20)).await;
        assert!(waits.is_err());
        drop(first);
        memory.grow(&mut second, 1 << 20).await.unwrap();
    }
}
