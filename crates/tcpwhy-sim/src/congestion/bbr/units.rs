//! Units, gains and modes of BBR.

/// `BW_SCALE`: rates are segments per microsecond, in units of 2^-24.
pub(super) const BW_SCALE: u32 = 24;
pub(super) const BW_UNIT: u64 = 1 << BW_SCALE;
/// `BBR_SCALE`: gains are in 256ths.
pub(super) const SCALE: u32 = 8;
pub(super) const UNIT: u64 = 1 << SCALE;
/// `bbr_high_gain`, 2 / ln 2: the smallest gain that doubles the rate each round trip.
pub(super) const HIGH_GAIN: u64 = UNIT * 2885 / 1000 + 1;
/// `bbr_pacing_gain`: one phase probes, one drains the queue from that, six keep the rate.
pub(super) const CYCLE_GAINS: [u64; 8] = [UNIT * 5 / 4, UNIT * 3 / 4, UNIT, UNIT, UNIT, UNIT, UNIT, UNIT];
/// `bbr_cwnd_min_target`, segments.
pub(super) const LEAST_WINDOW: u64 = 4;

/// `enum bbr_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The rate doubles each round trip.
    Startup,
    /// The queue from startup drains.
    Drain,
    /// The gain cycles to probe the rate.
    ProbeBandwidth,
    /// A pause measures the round trip of an empty path.
    ProbeRoundTrip,
}
