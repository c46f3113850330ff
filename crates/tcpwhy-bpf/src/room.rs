//! Whether a program waits for room in a send buffer: the kernel's bits, and when they mean a wait.

/// `ROOM_…` of `bpf/tcpwhy.bpf.c`.
const WANTED: u8 = 1;
const SLEEPS: u8 = 2;
const REFUSED: u8 = 4;
const POLLED: u8 = 8;
const SEES_WRITES: u8 = 16;
const NODELAY: u8 = 32;

/// The kernel's state of programs that want room in a send buffer, at one instant.
///
/// `SOCK_NOSPACE` alone does not mean that a program waits. A write that sleeps or is refused sets it
/// (`sk_stream_wait_memory`). So does `poll()` for input, while the buffer is two thirds full (`tcp_poll`).
/// An ACK clears it once a third of the buffer is free (`sk_stream_write_space`), so without it no program
/// waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room(u8);

impl Room {
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    const fn has(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    /// Whether a program waits for room now. Either it sleeps in a write, or a third of the buffer is not yet
    /// free. In the latter case its write was refused, or it asks `poll()` for output.
    ///
    /// `None` if a program wants room but refused writes are not seen: the kernel lacks
    /// [`Part::Writes`](crate::Part::Writes) or [`Part::WriteEnds`](crate::Part::WriteEnds).
    pub const fn is_awaited(self) -> Option<bool> {
        if self.has(SLEEPS) || (self.has(WANTED) && self.has(REFUSED | POLLED)) {
            return Some(true);
        }
        if self.has(WANTED) && !self.has(SEES_WRITES) { None } else { Some(false) }
    }

    /// Whether the programs see writes and their ends, so that waits of writers are counted.
    pub const fn sees_writes(self) -> bool {
        self.has(SEES_WRITES)
    }

    /// Whether the program has set `TCP_NODELAY`.
    pub const fn is_nodelay(self) -> bool {
        self.has(NODELAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_alone_is_no_wait() {
        for (bits, expected) in [
            (0, Some(false)),
            (SLEEPS, Some(true)),
            (WANTED | SLEEPS, Some(true)),
            (WANTED | REFUSED, Some(true)),
            (WANTED | POLLED, Some(true)),
            // A program asked `poll()` for input, and the buffer is two thirds full.
            (WANTED | SEES_WRITES, Some(false)),
            (WANTED, None),
            // Room came since the refusal, and no program has written yet.
            (REFUSED | SEES_WRITES, Some(false)),
            (POLLED | NODELAY, Some(false)),
        ] {
            assert_eq!(Room::from_bits(bits).is_awaited(), expected, "{bits}");
        }
        assert!(Room::from_bits(NODELAY).is_nodelay() && !Room::from_bits(WANTED).is_nodelay());
    }
}
