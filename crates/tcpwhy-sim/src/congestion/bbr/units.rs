//! The units of BBR, its gains and its modes.

/// `BW_SCALE`: rates are segments per microsecond, in 2^24ths.
pub(super) const BW_SCALE: u32 = 24;
pub(super) const BW_UNIT: u64 = 1 << BW_SCALE;
/// `BBR_SCALE`: gains are 256ths.
pub(super) const SCALE: u32 = 8;
pub(super) const UNIT: u64 = 1 << SCALE;
/// `bbr_high_gain`, 2 / ln 2: the least that doubles the rate each round trip.
pub(super) const HIGH_GAIN: u64 = UNIT * 2885 / 1000 + 1;
/// `bbr_pacing_gain`: a phase probes, one drains what that queued, six keep the rate.
pub(super) const CYCLE_GAINS: [u64; 8] = [UNIT * 5 / 4, UNIT * 3 / 4, UNIT, UNIT, UNIT, UNIT, UNIT, UNIT];
/// `bbr_cwnd_min_target`, segments.
pub(super) const LEAST_WINDOW: u64 = 4;

/// `enum bbr_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The rate doubles each round trip.
    Startup,
    /// The queue of the start drains.
    Drain,
    /// The rate is probed in turns.
    ProbeBandwidth,
    /// A pause shows the round trip of an empty path.
    ProbeRoundTrip,
}
