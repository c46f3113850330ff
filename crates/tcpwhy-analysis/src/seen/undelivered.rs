//! Packets that routers could not deliver.

use tcpwhy_model::Undelivered;

/// ICMP errors about packets of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UndeliveredCounts {
    /// Fragmentation needed, packet too big.
    pub(crate) too_big: u32,
    /// Smallest MTU that an error named, bytes; 0 if none did.
    pub(crate) mtu: u16,
    pub(crate) unreachable: u32,
}

impl UndeliveredCounts {
    /// Counts one more error.
    pub(crate) fn note(&mut self, error: Undelivered) {
        match error {
            Undelivered::TooBig { mtu } => {
                self.too_big = self.too_big.saturating_add(1);
                let is_less = mtu > 0 && (self.mtu == 0 || mtu < self.mtu);
                self.mtu = if is_less { mtu } else { self.mtu };
            }
            Undelivered::Unreachable => self.unreachable = self.unreachable.saturating_add(1),
        }
    }
}
