//! Random choices of one world.

use tcpwhy_scenario::splitmix;

/// Bytes per write of programs that copy files, likeliest first.
const WRITES: [u64; 3] = [65_536, 16_384, 262_144];

/// Properties that the packets leave open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    /// Number of the draw; 0 is the likeliest.
    pub(crate) number: u64,
    pub(crate) algorithm: &'static str,
    /// Whether losses are random even if a queue overflowed.
    pub(crate) has_chance_losses: bool,
    /// Bytes per write; `None` if drawn at random.
    pub(crate) write: Option<u64>,
    pub(crate) settled: Settled,
}

/// Purpose of a random number. Each has its own sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Drawn {
    WriteSize = 1,
    PathRate = 11,
    Queue = 12,
    LossCount = 13,
}

/// Factors for values derived from packets, adjusted until the world takes as long as the connection did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled {
    pub(crate) send_buffer: f64,
    pub(crate) receive_buffer: f64,
    pub(crate) rests: f64,
    pub(crate) reader: f64,
}

impl Default for Settled {
    fn default() -> Self {
        Self { send_buffer: 1.0, receive_buffer: 1.0, rests: 1.0, reader: 1.0 }
    }
}

impl Draw {
    /// Bytes per write.
    pub(crate) fn write(&self) -> u64 {
        let drawn =
            if self.number == 0 { 0 } else { (mix(self.number, Drawn::WriteSize) % WRITES.len() as u64) as usize };
        self.write.unwrap_or(WRITES[drawn])
    }

    /// Uniform in [0, 1); 0.5 for draw 0.
    pub(crate) fn unit(&self, what: Drawn) -> f64 {
        if self.number == 0 { 0.5 } else { (mix(self.number, what) >> 11) as f64 / (1u64 << 53) as f64 }
    }
}

fn mix(number: u64, what: Drawn) -> u64 {
    splitmix::mix(number.wrapping_mul(0x9e37_79b9).wrapping_add(what as u64))
}
