//! Predicts the gain of a fix: computes the transfer again without the limit.
//!
//! Time under limits that stay is kept, with the bytes moved in it. The duration of all other bytes is
//! computed from an initial window that doubles every round trip (slow start, RFC 5681 §3.1). The next
//! ceiling ends this growth: the known rate of the path, or the largest send buffer that Linux grows by
//! default. The formula is accurate only if windows limit (rate = window / RTT). It does not foresee losses
//! after the change; the upper end of the range allows for these.

use tcpwhy_model::{
    Basis, Cause, Claim, Detail, Distribution, Estimate, Limit, LimitTimeline, Prediction, WindowScale,
};

use super::facts::HalfFacts;
use crate::facts::half::policing::Policer;
use crate::facts::half::train::Trains;
use crate::infer::bottleneck::Bottleneck;
use crate::thresholds::{
    ASSUMED_CAPACITY, ASSUMED_RANGE, BEST_RATE, BEST_START, BEST_TIME, BEST_WITHOUT_WAIT, BUSY_SHARE,
    DEFAULT_SEND_BUFFER, IN_BUFFER_SHARE, INITIAL_SEGMENTS, QUEUE_LEAST, QUEUE_SHARE, TRAINS_FASTER,
    TRAINS_LITTLE_FASTER, UNSCALED_MOST, WINDOW_GROWTH, WORST_KEPT, WORST_RATE, WORST_ROUND_TRIP, WORST_TIME,
    WORST_TIME_READER, WORST_WITHOUT_WAIT,
};

/// Maximum number of doublings, after which a transfer of any size is complete or has reached its ceiling.
const MOST_ROUNDS: u32 = 64;
/// Maximum ratio of the high to the low end. A wider range is useless as a prediction.
const WIDEST_RANGE: f64 = 4.0;
/// Minimum duration of a direction, seconds, so that its rate is finite.
const LEAST_SECONDS: f64 = 1e-6;

/// Facts of a transfer from which its duration after a change is computed.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// Time under each limit.
    pub limits: &'a LimitTimeline,
    /// Bytes of the transfer.
    pub bytes: f64,
    /// Bytes moved under each limit.
    pub bytes_under: &'a dyn Fn(Limit) -> f64,
    /// Maximum segment size, bytes.
    pub mss: f64,
    /// Base round trip, seconds.
    pub rtt: f64,
    /// Whether losses have cut the congestion window.
    pub was_cut: bool,
    /// Whether a queue or losses show the rate of the path. The spacing of segments alone is weaker evidence,
    /// because a writer spaces them too.
    pub is_path_full: bool,
    /// Rate of the path.
    pub capacity: Capacity,
    /// Rate of the path by the fastest trains of segments. The path may deliver that rate all of the time.
    pub at_best: Capacity,
    /// Maximum rate of the path, bytes per second: that of the closest segments or ACKs.
    pub closest: Option<f64>,
    /// Minimum duration after any change, seconds.
    pub least: f64,
}

/// Predicted duration of the span without `cause`. `None` if no change removes the cause, or if the packets
/// do not show a round trip.
pub(crate) fn if_removed(facts: &HalfFacts<'_>, cause: Cause) -> Option<Prediction> {
    if_both_removed(facts, cause, None)
}

/// Predicted duration without `cause` and without the limit `also`.
pub(crate) fn if_both_removed(facts: &HalfFacts<'_>, cause: Cause, also: Option<Limit>) -> Option<Prediction> {
    let trains = capacity(facts);
    let is_path_full = facts.half.bottleneck.is_rate_known();
    let at_best = match (&trains, facts.half.trains) {
        (Capacity::Seen(rate), Some(trains)) if !is_path_full => Capacity::Seen(rate.max(trains.fastest.into())),
        _ => trains,
    };
    let window = unscaled_rate(facts, cause);
    let most = window.unwrap_or(f64::INFINITY);
    let closest = Some(f64::from(facts.half.closest)).filter(|&rate| rate > 0.0);
    let inputs = Inputs {
        limits: &facts.half.limits,
        bytes: facts.half.counts.bytes as f64,
        bytes_under: &|limit| facts.half.moved.bytes_under(limit),
        mss: facts.half.mss as f64,
        rtt: facts.rtt_seconds().or_else(|| wait(cause).map(|_| 0.0))?,
        was_cut: facts.half.fast_recoveries + facts.half.timeouts > 0,
        is_path_full,
        capacity: trains.at_most(best_delivery(facts, cause)).within(most),
        at_best: at_best.within(most),
        // Divided by the factor with which the best case multiplies it later.
        closest: [closest, window.map(|rate| rate / BEST_RATE.get())].into_iter().flatten().reduce(f64::min),
        least: facts.half.policer().map_or(0.0, |p| fastest_through(p, facts.half.counts.bytes)),
    };
    let prediction = without_both(&inputs, cause, also)?;
    let is_bound = window.is_some() && prediction.next_limit == Limit::Path && !is_slower(trains, most);
    Some(if is_bound {
        Prediction { next_limit: Limit::ReceiveWindow, ceiling: "window-unscaled", ..prediction }
    } else {
        prediction
    })
}

/// Maximum rate of a window without scaling, bytes per second (RFC 7323 §2.2), if this limit stays after the
/// change of `cause`.
fn unscaled_rate(facts: &HalfFacts<'_>, cause: Cause) -> Option<f64> {
    let stays = facts.half.window_scale == WindowScale::NotNegotiated && cause.detail != Some(Detail::NoWindowScale);
    facts.rtt_seconds().filter(|_| stays).map(|rtt| UNSCALED_MOST.get() / rtt)
}

/// Whether the known rate of the path is below `rate`.
fn is_slower(path: Capacity, rate: f64) -> bool {
    matches!(path, Capacity::Seen(seen) if seen < rate)
}

/// Predicted duration without `cause`, for inputs from any source.
pub fn without(inputs: &Inputs<'_>, cause: Cause) -> Option<Prediction> {
    without_both(inputs, cause, None)
}

/// Predicted duration without `cause` and without the limit `also`.
fn without_both(inputs: &Inputs<'_>, cause: Cause, also: Option<Limit>) -> Option<Prediction> {
    if let Some(wait) = wait(cause) {
        // Data that the path carried during the waits needs the same time without them.
        let on_path = if let Capacity::Seen(rate) = inputs.at_best { Some(inputs.bytes / rate) } else { None };
        return Some(without_wait(inputs.limits, wait, on_path));
    }
    let removed: &[Limit] = match (cause.limit, cause.detail) {
        (Limit::Unobserved | Limit::TailRtt | Limit::SlowStart, _) | (Limit::Handshake, None) => return None,
        (Limit::Path, Some(Detail::AckQueue)) => &[Limit::Path, Limit::CongestionWindow],
        // The packets do not show a faster path.
        (Limit::Path, detail) if detail != Some(Detail::Policer) => return None,
        (Limit::Handshake, _) => &[],
        (Limit::LossRecovery | Limit::CongestionWindow, _) => &[Limit::LossRecovery, Limit::CongestionWindow],
        (Limit::ReceiveWindow, _) => &[Limit::ReceiveWindow],
        (Limit::AckDelay, _) => &[Limit::AckDelay],
        (Limit::Application, _) => &[Limit::Application],
        (Limit::Path, _) => &[Limit::Path, Limit::LossRecovery, Limit::CongestionWindow],
        (Limit::SendBuffer, _) => &[Limit::SendBuffer],
    };
    let is_loss = matches!(cause.limit, Limit::Handshake | Limit::LossRecovery | Limit::CongestionWindow);
    let &Inputs { limits, rtt, capacity, .. } = inputs;
    let (mut kept, mut kept_bytes) = (0.0, 0.0);
    // The losses may disappear with the limit, because other bytes in flight fill queues differently.
    let mut lost = 0.0;
    for limit in Limit::ALL {
        let is_resent = match limit {
            Limit::SlowStart | Limit::TailRtt | Limit::Path => true,
            // A congestion window that was never cut grows again as in slow start.
            Limit::CongestionWindow => !inputs.was_cut,
            _ => false,
        };
        if !is_resent && !removed.contains(&limit) && also != Some(limit) {
            let seconds = limits.nanos_of(limit) as f64 / 1e9;
            kept += seconds;
            kept_bytes += (inputs.bytes_under)(limit);
            if matches!(limit, Limit::LossRecovery | Limit::CongestionWindow) {
                lost += seconds;
            }
        }
    }
    if cause.detail == Some(Detail::PeerWindow) {
        // The change does not make the program write its data earlier.
        let of_peer = [Detail::PeerWindow, Detail::PeerTurn].map(|detail| limits.nanos_of_cause(detail.into()));
        kept += (limits.nanos_of(Limit::Application) - of_peer.iter().sum::<i64>()) as f64 / 1e9;
    }
    if is_loss {
        kept -= limits.nanos_of_cause(Cause::from(Detail::SynRto)) as f64 / 1e9;
    }
    let bytes = (inputs.bytes - kept_bytes).max(0.0);
    let start = INITIAL_SEGMENTS.get() * inputs.mss;
    // A path without losses, or another writer, may be faster than the capture shows.
    let is_untried = matches!(inputs.at_best, Capacity::Unknown { .. });
    let is_beyond_seen = is_loss && is_untried || cause.detail == Some(Detail::PacedWrites) && !inputs.is_path_full;
    let rates = Rates::of(inputs, is_beyond_seen);
    let (value, next) = transfer(bytes, start, rtt, Some(rates.likely));
    let (low, _) = transfer(bytes, start * BEST_START.get(), rtt, Some(rates.best));
    let (high, _) = transfer(bytes, start, rtt * WORST_ROUND_TRIP.get(), Some(rates.worst));
    let total = limits.span().seconds();
    let slack = slack(cause);
    let value = (kept + value).min(total);
    let seconds = Estimate {
        value,
        low: ((kept - lost + low) * BEST_TIME.get()).max(inputs.least).min(value),
        high: (kept * WORST_KEPT.get() + high * slack).clamp(value, total.max(value)),
        basis: if matches!(capacity, Capacity::Seen(_)) { Basis::WireInferred } else { Basis::Assumed },
    };
    // Bytes that fit the first window do not depend on the rate of the path.
    let is_path_untried = matches!(capacity, Capacity::Unknown { .. }) && bytes > start;
    Some(Prediction::by_formula(
        seconds,
        claim(seconds, is_path_untried, is_beyond_seen),
        next,
        match (next, capacity) {
            (Limit::Path, Capacity::Seen(_)) => "path-rate-seen",
            (Limit::Path, _) => "path-rate-assumed",
            (Limit::SendBuffer, _) => "default-send-buffer",
            _ => "slow-start",
        },
    ))
}

/// Rates of the transfer without the cause, bytes per second.
struct Rates {
    likely: f64,
    best: f64,
    worst: f64,
}

impl Rates {
    /// `is_beyond_seen`: whether the path may be faster than it ever was in the capture.
    fn of(inputs: &Inputs<'_>, is_beyond_seen: bool) -> Self {
        let closest = inputs.closest.unwrap_or(f64::INFINITY) * BEST_RATE.get();
        let most = (ASSUMED_CAPACITY.get() * ASSUMED_RANGE.get()).min(closest);
        match inputs.capacity {
            Capacity::Seen(likely) => {
                // The path may deliver the rate of trains all of the time.
                let train = if let Capacity::Seen(train) = inputs.at_best { train } else { likely };
                let best = likely.max(train) * BEST_RATE.get();
                let best = if is_beyond_seen { best.max(most) } else { best };
                Self { likely, best, worst: likely * WORST_RATE.get() }
            }
            Capacity::Unknown { at_least } => {
                let likely = at_least.max(ASSUMED_CAPACITY.get().min(most));
                let worst = at_least.max(ASSUMED_CAPACITY.get() / ASSUMED_RANGE.get()).min(likely);
                Self { likely, best: most.max(likely), worst }
            }
        }
    }
}

/// Claim that the prediction supports. If the range is too wide, only its low end is used.
pub(crate) fn claim(seconds: Estimate<f64>, is_path_untried: bool, is_beyond_seen: bool) -> Claim {
    if is_path_untried {
        Claim::AtBestUntried
    } else if is_beyond_seen || seconds.high > seconds.low * WIDEST_RANGE {
        Claim::AtBest
    } else {
        Claim::Range
    }
}

/// Factor by which resent bytes may take longer without `cause`.
fn slack(cause: Cause) -> f64 {
    let slack = match (cause.limit, cause.detail) {
        (_, Some(Detail::ZeroWindow | Detail::SlowReader)) => WORST_TIME_READER,
        _ => WORST_TIME,
    };
    slack.get()
}

/// The wait that `cause` stands for, if any.
const fn wait(cause: Cause) -> Option<Detail> {
    match cause.detail {
        Some(wait @ (Detail::Think | Detail::Idle | Detail::PeerTurn | Detail::CloseWait)) => Some(wait),
        _ => None,
    }
}

/// Predicted duration without the waits of one kind, in which nobody sent anything. All other time stays. The
/// minimum is the time that the path needs at its known rate, because data that came in pieces would then
/// come at once.
fn without_wait(limits: &LimitTimeline, wait: Detail, on_path: Option<f64>) -> Prediction {
    let total = limits.span().seconds();
    let waits = limits.nanos_of_cause(Cause::from(wait)) as f64 / 1e9;
    let seconds = all_else(total, (total - waits).max(on_path.unwrap_or_default()));
    let rest =
        |limit: Limit| limits.nanos_of(limit) as f64 / 1e9 - if limit == Limit::Application { waits } else { 0.0 };
    let next = Limit::ALL.into_iter().max_by(|&a, &b| rest(a).total_cmp(&rest(b)));
    let is_path_untried = wait == Detail::Idle && on_path.is_none();
    Prediction::by_formula(
        seconds,
        claim(seconds, is_path_untried, false),
        next.unwrap_or(Limit::Application),
        "all-else-as-it-was",
    )
}

/// Predicted duration after `saved` of `total` seconds disappear. Only the saved time is uncertain.
pub(crate) fn without_seconds(total: f64, saved: f64, next_limit: Limit) -> Prediction {
    let stays = |times: f64| (total - saved * times).clamp(0.0, total);
    let (value, low, high) = (stays(1.0), stays(WORST_WITHOUT_WAIT.get()), stays(BEST_WITHOUT_WAIT.get()));
    Prediction::by_formula(
        Estimate { value, low, high, basis: Basis::WireInferred },
        Claim::Range,
        next_limit,
        "all-else-as-it-was",
    )
}

/// Estimate of a duration in which only `rest` of the present `total` seconds remain.
pub(crate) fn all_else(total: f64, rest: f64) -> Estimate<f64> {
    let value = rest.min(total);
    let (low, high) = (value * BEST_WITHOUT_WAIT.get(), (value * WORST_WITHOUT_WAIT.get()).min(total));
    Estimate { value, low, high, basis: Basis::WireInferred }
}

/// Minimum seconds for `bytes` over a path of `rate`, from an initial window of segments of `mss` bytes to
/// the last ACK.
pub(crate) fn fastest_over(bytes: f64, mss: f64, rtt: f64, rate: Option<f64>) -> f64 {
    let most = ASSUMED_CAPACITY.get() * ASSUMED_RANGE.get();
    transfer(bytes, INITIAL_SEGMENTS.get() * mss, rtt, Some(rate.unwrap_or(most))).0
}

/// Minimum seconds that a policer needs for `bytes`: its burst, then its rate, including pauses in which the
/// token bucket fills.
fn fastest_through(policer: &Policer, bytes: u64) -> f64 {
    let rate = policer.range.map_or(policer.rate, |r| r.1);
    (bytes as f64 - policer.burst.map_or(0.0, |b| b.bytes)).max(0.0) / rate.max(1.0)
}

/// Knowledge about the rate of the path, bytes per second.
#[derive(Clone, Copy, Debug)]
pub enum Capacity {
    /// Trains of segments arrived at this rate, and the path set it.
    Seen(f64),
    /// Segments never came close enough together to show the rate, which is at least this.
    Unknown {
        /// Bytes per second.
        at_least: f64,
    },
}

/// Highest delivery rate, bytes per second, if it shows the rate of the path. It does not if a buffer or a
/// window was the limit, or if writes waited for ACKs: too little was in flight.
fn best_delivery(facts: &HalfFacts<'_>, cause: Cause) -> Option<f64> {
    let is_bound = matches!(cause.limit, Limit::SendBuffer | Limit::ReceiveWindow | Limit::AckDelay)
        || cause.detail == Some(Detail::PeerWindow);
    facts.half.best_delivery().filter(|_| !is_bound)
}

impl Capacity {
    /// Capacity with a sender that uses at most `most`.
    fn within(self, most: f64) -> Self {
        match self {
            Self::Seen(rate) => Self::Seen(rate.min(most)),
            Self::Unknown { at_least } => Self::Unknown { at_least: at_least.min(most) },
        }
    }

    /// Capacity limited by the rate at which data actually arrived.
    fn at_most(self, most: Option<f64>) -> Self {
        match (self, most) {
            (Self::Seen(rate), Some(most)) => Self::Seen(rate.min(most)),
            (Self::Unknown { .. }, Some(most)) => Self::Seen(most),
            (known, None) => known,
        }
    }
}

/// Rate of the path that predictions use, bytes per second, if the packets show it.
pub(crate) fn path_rate(facts: &HalfFacts<'_>) -> Option<f64> {
    match capacity(facts) {
        Capacity::Seen(rate) => Some(rate),
        Capacity::Unknown { .. } => None,
    }
}

/// Trains show the rate of the path if they are faster than the connection's own pace, or if the path was
/// busy.
fn capacity(facts: &HalfFacts<'_>) -> Capacity {
    match &facts.half.bottleneck {
        // Trains pass a policer at full speed, but the average rate is limited.
        Bottleneck::Policer(policer) => return Capacity::Seen(policer.rate),
        Bottleneck::Full(rate) | Bottleneck::Held(rate) | Bottleneck::Kept(rate) => return Capacity::Seen(*rate),
        Bottleneck::Unknown | Bottleneck::Overflown => {}
    }
    let pace = facts.half.counts.bytes as f64 / facts.seconds().max(LEAST_SECONDS);
    // Losses show that the window sometimes reached the rate of the path, and a queue shows that the path
    // spaced the segments.
    let is_busy = facts.share(facts.seconds_of(Limit::Path)) > BUSY_SHARE
        || facts.half.fast_recoveries > 0
        || has_queue(facts.half.rtt_min, facts.half.rtt);
    let in_buffer = facts.seconds_of(Limit::SendBuffer)
        + facts.seconds_of(Limit::ReceiveWindow)
        + facts.seconds_of_detail(Detail::PeerWindow);
    let in_buffer = facts.share(in_buffer) > IN_BUFFER_SHARE;
    match facts.half.trains {
        Some(trains) if is_busy || is_rate_of_path(trains, pace, in_buffer) => Capacity::Seen(trains.rate),
        Some(trains) => Capacity::Unknown { at_least: trains.rate },
        None if facts.half.served > 0.0 => Capacity::Seen(facts.half.served.into()),
        None => Capacity::Unknown { at_least: 0.0 },
    }
}

/// Whether trains show the rate of the path in a direction that moved `pace` bytes per second. Behind a full
/// buffer, data leaves at the pace of the ACKs. So if trains are slightly faster and repeatedly have one
/// rate, the path spaced them.
fn is_rate_of_path(trains: Trains, pace: f64, in_buffer: bool) -> bool {
    let faster = if in_buffer && trains.are_alike { TRAINS_LITTLE_FASTER } else { TRAINS_FASTER };
    trains.rate > pace * faster.get()
}

/// Whether the median round trip exceeds the path's (`base`, nanoseconds) by more than hosts add.
fn has_queue(base: Option<i64>, rtt: Option<Distribution>) -> bool {
    base.zip(rtt).is_some_and(|(base, rtt)| rtt.median as i64 - base >= QUEUE_SHARE.of(base).max(QUEUE_LEAST.get()))
}

/// Seconds until the last of `bytes` is acknowledged, and the limit at the end. The window starts at `start`
/// bytes and doubles every `rtt` seconds up to `capacity` bytes per second.
pub(crate) fn transfer(bytes: f64, start: f64, rtt: f64, capacity: Option<f64>) -> (f64, Limit) {
    let mut left = bytes;
    let mut window = start.max(1.0);
    let mut seconds = 0.0;
    for _ in 0..MOST_ROUNDS {
        if left <= 0.0 {
            break;
        }
        if let Some(c) = capacity.filter(|&c| window >= c * rtt) {
            return (seconds + left / c + rtt, Limit::Path);
        }
        if window >= DEFAULT_SEND_BUFFER {
            return (seconds + left / DEFAULT_SEND_BUFFER.get() * rtt + rtt, Limit::SendBuffer);
        }
        left -= window.min(left);
        seconds += rtt;
        window *= WINDOW_GROWTH.get();
    }
    (seconds, Limit::SlowStart)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, ms};

    use super::*;
    use crate::diagnosis::rules::testing::{summed_up, timeline, with_facts_of};
    use crate::facts::half::policing::Sign;
    use crate::infer::summary::Summary;

    #[test]
    fn doubles_until_the_path_is_full() {
        // The path at 10 Mbit/s and 100 ms holds 125 kB; 14.6 kB reach that after four doublings.
        let (seconds, next) = transfer(1_250_000.0 * 10.0, 14_600.0, 0.1, Some(1_250_000.0));
        assert_eq!(next, Limit::Path);
        assert!((10.0..10.6).contains(&seconds), "{seconds}");
    }

    fn analysed(segments: &[tcpwhy_model::Segment]) -> crate::Connection {
        let mut analyzer = crate::Analyzer::new();
        for segment in segments {
            analyzer.observe(segment);
        }
        analyzer.finish().remove(0)
    }

    fn predicted(half: &crate::HalfConnection, rule: &str) -> Prediction {
        let finding = half.findings.iter().find(|f| f.rule == rule);
        finding.and_then(|f| f.prediction.clone()).unwrap_or_else(|| panic!("{rule}: {:?}", half.findings))
    }

    /// Trains pass a fast link well, but after losses the window never filled it, so the highest delivery
    /// rate is the better estimate.
    #[test]
    fn without_losses_nothing_is_faster_than_what_arrived() {
        let transfer =
            Transfer { bytes: 8_000_000, rate: Some(100_000_000), lost_every: Some(400), ..Transfer::default() };
        let half = analysed(&transfer.run()).halves.remove(0);
        let seconds = predicted(&half, "congestion-window-post-loss").seconds;
        let mut arrived = vec![(0, 0)];
        let received = transfer.run();
        for ack in received.iter().filter(|s| s.source.port != received[0].source.port) {
            let bytes = u64::from(ack.ack.0.wrapping_sub(received[1].ack.0));
            arrived.push((ack.timestamp.as_nanos() - received[0].timestamp.as_nanos(), bytes));
        }
        // The maximum over four round trips and a little more.
        let window = 5 * transfer.rtt;
        let most = arrived.iter().map(|&(time, bytes)| {
            let before = arrived.iter().rev().find(|a| a.0 <= time - window).map_or(0, |a| a.1);
            (bytes - before) as f64 * 1e9 / window as f64
        });
        let most = most.fold(0.0, f64::max);
        let fastest = half.bytes as f64 / most;
        assert!(seconds.value >= fastest * 0.75, "{seconds:?} for {} bytes, {most} bytes/s at best", half.bytes);
        assert!(seconds.low < fastest, "trains were faster: {seconds:?}");
    }

    /// Without a buffer of almost the path's size, the gain is small, and not that of a 1 Gbit/s path.
    #[test]
    fn without_the_buffer_the_path_is_no_faster_than_trains() {
        let transfer = |send_buffer| Transfer {
            rtt: ms(20),
            rate: Some(12_500_000),
            bytes: 10_000_000,
            send_buffer,
            ..Transfer::default()
        };
        let seconds = |half: &crate::HalfConnection| half.span.nanos() as f64 / 1e9;
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            let analyse = |buffer| analysed(&Transfer { capture, ..transfer(buffer) }.run()).halves.remove(0);
            let fastest = seconds(&analyse(None));
            for buffer in [150_000, 200_000] {
                let half = analyse(Some(buffer));
                let said = predicted(&half, "send-buffer-plateau").seconds.value;
                assert!((said / fastest - 1.0).abs() < 0.1, "{capture:?}, {buffer}: {said} s, {fastest} without");
            }
        }
    }

    #[test]
    fn trains_a_little_faster_than_a_full_buffer_lets_through_show_the_path() {
        let trains = |rate, are_alike| Trains { rate, are_alike, fastest: rate as f32 };
        let alike = trains(10e6, true);
        assert!(is_rate_of_path(alike, 9e6, true));
        // A rate as high as the buffer allows is its own pace.
        assert!(!is_rate_of_path(alike, 9.5e6, true));
        // An application's own pace may space the trains, or their rates vary.
        assert!(!is_rate_of_path(alike, 9e6, false));
        assert!(!is_rate_of_path(trains(10e6, false), 9e6, true));
        // Trains much faster than the average rate.
        assert!(is_rate_of_path(trains(10e6, false), 6e6, false) && !is_rate_of_path(trains(10e6, false), 7e6, false));
    }

    /// Think time takes 5 s of 7; the round trips stay.
    #[test]
    fn without_thinking_the_turns_stay() {
        let (think, tail) = (Cause::from(Detail::Think), Cause::plain(Limit::TailRtt));
        let half = summed_up(timeline(&[(5_000_000_000, think), (2_000_000_000, tail)]));
        let seconds = with_facts_of(&half, think, |facts| if_removed(facts, think)).unwrap().seconds;
        assert!((seconds.value - 2.0).abs() < 0.01, "{seconds:?}");
    }

    /// Over a path of unknown rate, the window doubles each round trip up to the assumed maximum.
    #[test]
    fn the_fastest_over_a_path() {
        let fastest = |bytes, rate| fastest_over(bytes, 1_460.0, 0.1, rate);
        assert!((fastest(14_600.0, None) - 0.1).abs() < 1e-9);
        assert!((fastest(14_601.0, None) - 0.2).abs() < 1e-9);
        let slow = fastest(1e6, Some(1e5));
        assert!((10.0..10.3).contains(&slow), "{slow}");
        assert!(fastest(1e6, None) < 1.0);
    }

    #[test]
    fn a_queue_is_what_half_of_the_packets_met() {
        let rtt = |median| Some(Distribution { min: 2_000_000, median, p95: 9_000_000, max: 9_000_000 });
        assert!(has_queue(Some(2_000_000), rtt(2_250_000)));
        assert!(!has_queue(Some(2_000_000), rtt(2_240_000)));
        assert!(!has_queue(Some(80_000), rtt(300_000)));
        assert!(has_queue(Some(8_000_000), rtt(9_000_000)) && !has_queue(Some(8_000_000), rtt(8_999_999)));
        assert!(!has_queue(None, rtt(9_000_000)) && !has_queue(Some(2_000_000), None));
    }

    #[test]
    fn little_data_never_leaves_slow_start() {
        let (seconds, next) = transfer(10_000.0, 14_600.0, 0.1, Some(1e9));
        assert_eq!(next, Limit::SlowStart);
        assert!((seconds - 0.1).abs() < 1e-9);
    }

    /// Duration of a direction without `cause`, under which it spent 10 s and moved `bytes`.
    fn without_all(cause: Cause, bytes: f64, capacity: Capacity, rtt: f64) -> Estimate<f64> {
        let limits = &timeline(&[(10_000_000_000, cause)]);
        let (mss, least) = (1000.0, 0.0);
        let inputs = Inputs {
            limits,
            bytes,
            bytes_under: &|limit| if limit == cause.limit { bytes } else { 0.0 },
            mss,
            rtt,
            was_cut: true,
            capacity,
            at_best: capacity,
            least,
            closest: None,
            is_path_full: true,
        };
        without(&inputs, cause).unwrap_or_else(|| panic!("{cause}")).seconds
    }

    /// 10 kB fit the first window: 0.1 s. Without the buffer, 4 s of losses remain; at best, none do.
    #[test]
    fn at_best_losses_go_with_the_cause() {
        for (limit, low) in [(Limit::LossRecovery, 0.09), (Limit::CongestionWindow, 0.09), (Limit::AckDelay, 3.69)] {
            let limits =
                &timeline(&[(10_000_000_000, Cause::plain(Limit::SendBuffer)), (4_000_000_000, Cause::plain(limit))]);
            let capacity = Capacity::Seen(1e9);
            let inputs = Inputs {
                limits,
                bytes: 10_000.0,
                bytes_under: &|_| 0.0,
                mss: 1000.0,
                rtt: 0.1,
                was_cut: true,
                capacity,
                at_best: capacity,
                least: 0.0,
                closest: None,
                is_path_full: true,
            };
            let seconds = without(&inputs, Cause::plain(Limit::SendBuffer)).unwrap().seconds;
            is_about(seconds.value, 4.1);
            assert!((seconds.low - low).abs() < 1e-9, "{limit:?}: {seconds:?}, at best {low}");
        }
    }

    #[track_caller]
    fn is_about(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9, "{value}, not {expected}");
    }

    /// `INITIAL_SEGMENTS`, `BEST_START`, `WORST_ROUND_TRIP`, `BEST_TIME` and `WORST_TIME`, `…_READER`. 10 kB
    /// fit the first window, so they need a round trip of 0.1 s; 20 kB need two, but one at best.
    #[test]
    fn a_range_is_as_wide_as_the_cause_is_unknown() {
        let seen = Capacity::Seen(1e9);
        for (cause, slack) in [
            (Cause::plain(Limit::SendBuffer), 1.15),
            (Detail::Capped.into(), 1.15),
            (Detail::SlowReader.into(), 3.0),
            (Detail::ZeroWindow.into(), 3.0),
        ] {
            let estimate = without_all(cause, 10_000.0, seen, 0.1);
            is_about(estimate.value, 0.1);
            is_about(estimate.low, 0.1 * 0.9);
            is_about(estimate.high, 0.1 * 1.5 * slack);
            let estimate = without_all(cause, 20_000.0, seen, 0.1);
            is_about(estimate.value, 0.2);
            is_about(estimate.low, 0.1 * 0.9);
            is_about(without_all(cause, 20_001.0, seen, 0.1).low, 0.2 * 0.9);
        }
    }

    /// `BEST_RATE` and `WORST_RATE`: 15 % above and below the known rate.
    #[test]
    fn a_rate_that_was_seen_is_known_to_15_percent() {
        // The first window fills the path: 100 kB/s for 0.1 s, at worst 85 kB/s for 0.15 s and one more round
        // trip.
        let estimate = without_all(Cause::plain(Limit::SendBuffer), 200_000.0, Capacity::Seen(100_000.0), 0.1);
        is_about(estimate.value, 2.0 + 0.1);
        is_about(estimate.low, (200_000.0 / 115_000.0 + 0.1) * 0.9);
        is_about(estimate.high, (0.15 + 190_000.0 / 85_000.0 + 0.15) * 1.15);
    }

    /// `ASSUMED_CAPACITY` and `ASSUMED_RANGE`: 1 Gbit/s, ten times more or less.
    #[test]
    fn a_path_that_never_showed_its_rate_has_a_gigabit() {
        let unknown = Capacity::Unknown { at_least: 0.0 };
        let estimate = without_all(Cause::plain(Limit::SendBuffer), 5e7, unknown, 0.01);
        // 10 kB exceed 1.25 MB after seven doublings, which 1 Gbit/s moves in 10 ms; at worst 187.5 kB after
        // five.
        is_about(estimate.value, 0.07 + (5e7 - 1.27e6) / 125e6 + 0.01);
        is_about(estimate.high, (0.075 + (5e7 - 0.31e6) / 12.5e6 + 0.015) * 1.15);
        assert_eq!(estimate.basis, Basis::Assumed);
    }

    /// Ten segments fit the first window of any path, so its rate does not matter. One byte more does not
    /// fit.
    #[test]
    fn what_fits_the_first_window_needs_no_rate_of_the_path() {
        let claim = |bytes| {
            let limits = &timeline(&[(10_000_000_000, Cause::plain(Limit::SendBuffer))]);
            let capacity = Capacity::Unknown { at_least: 0.0 };
            let inputs = Inputs {
                limits,
                bytes,
                bytes_under: &|limit| if limit == Limit::SendBuffer { bytes } else { 0.0 },
                mss: 1000.0,
                rtt: 0.1,
                was_cut: true,
                is_path_full: true,
                capacity,
                at_best: capacity,
                closest: None,
                least: 0.0,
            };
            without(&inputs, Cause::plain(Limit::SendBuffer)).unwrap().claim
        };
        assert_eq!([claim(10_000.0), claim(10_001.0)], [Claim::Range, Claim::AtBestUntried]);
    }

    /// `WORST_KEPT`: kept time may grow by 10 %.
    #[test]
    fn what_stays_may_take_a_tenth_longer() {
        let limits =
            &timeline(&[(5_000_000_000, Detail::PacedWrites.into()), (5_000_000_000, Cause::plain(Limit::SendBuffer))]);
        let inputs = Inputs {
            limits,
            bytes: 10_000.0,
            bytes_under: &|limit| if limit == Limit::SendBuffer { 10_000.0 } else { 0.0 },
            mss: 1000.0,
            rtt: 0.1,
            was_cut: true,
            capacity: Capacity::Seen(1e9),
            at_best: Capacity::Seen(1e9),
            least: 0.0,
            closest: None,
            is_path_full: true,
        };
        let seconds = without(&inputs, Cause::plain(Limit::SendBuffer)).unwrap().seconds;
        is_about(seconds.value, 5.1);
        is_about(seconds.low, 5.1 * 0.9);
        is_about(seconds.high, 5.0 * 1.1 + 0.15 * 1.15);
    }

    /// Time after a cut of the congestion window stays; a window that was never cut grows again.
    #[test]
    fn a_window_that_was_never_cut_opens_again() {
        let limits =
            &timeline(&[(5_000_000_000, Detail::Other.into()), (5_000_000_000, Cause::plain(Limit::SendBuffer))]);
        let seconds = |was_cut| {
            let inputs = Inputs {
                limits,
                bytes: 20_000.0,
                bytes_under: &|limit| match limit {
                    Limit::CongestionWindow | Limit::SendBuffer => 10_000.0,
                    _ => 0.0,
                },
                mss: 1000.0,
                rtt: 0.1,
                was_cut,
                capacity: Capacity::Seen(1e9),
                at_best: Capacity::Seen(1e9),
                least: 0.0,
                closest: None,
                is_path_full: true,
            };
            without(&inputs, Cause::plain(Limit::SendBuffer)).unwrap().seconds.value
        };
        is_about(seconds(true), 5.1);
        is_about(seconds(false), 0.2);
    }

    /// `BEST_WITHOUT_WAIT` and `WORST_WITHOUT_WAIT`: 25 % less and more than the remaining time.
    #[test]
    fn without_a_wait_the_rest_is_known_to_a_quarter() {
        let limits = timeline(&[(6_000_000_000, Detail::Think.into()), (4_000_000_000, Cause::plain(Limit::Path))]);
        let seconds = without_wait(&limits, Detail::Think, None).seconds;
        is_about(seconds.value, 4.0);
        is_about(seconds.low, 3.0);
        is_about(seconds.high, 5.0);
    }

    /// `DEFAULT_SEND_BUFFER` and `WINDOW_GROWTH`: a window of 10 segments doubles until it reaches 4 MiB.
    #[test]
    fn the_default_send_buffer_binds_at_4_mib() {
        let (seconds, next) = transfer(4_194_304.0 * 10.0, 4_194_304.0, 0.1, None);
        assert_eq!(next, Limit::SendBuffer);
        is_about(seconds, 1.1);
        is_about(transfer(70_000.0, 10_000.0, 0.1, None).0, 0.3);
        is_about(transfer(70_001.0, 10_000.0, 0.1, None).0, 0.4);
        let (seconds, next) = transfer(4_194_303.0 * 3.0, 4_194_303.0, 0.1, None);
        assert_eq!(next, Limit::SendBuffer);
        is_about(seconds, 0.1 + 4_194_303.0 * 2.0 / 4_194_304.0 * 0.1 + 0.1);
    }

    /// Whether trains show the rate of the path, for a direction with these limits that moved 1 MB in 10 s:
    /// 0.1 MB/s.
    fn shows_path(parts: &[(i64, Cause)], trains: Trains) -> bool {
        let half = Summary { trains: Some(trains), ..summed_up(timeline(parts)) };
        with_facts_of(&half, Cause::plain(Limit::Path), |facts| matches!(capacity(facts), Capacity::Seen(_)))
    }

    /// `BUSY_SHARE`: trains of any rate show that of the path, if it was the limit for more than 1/5 of the
    /// time.
    #[test]
    fn trains_show_the_rate_of_a_path_at_work() {
        let shows = |path: i64| {
            let parts = [(path, Cause::plain(Limit::Path)), (10_000_000_000 - path, Cause::plain(Limit::TailRtt))];
            shows_path(&parts, Trains { rate: 0.1e6, are_alike: false, fastest: 0.0 })
        };
        assert_eq!([2_000_000_000, 2_000_001_000].map(shows), [false, true]);
    }

    /// Without trains, the even rate of a slow link is the path's, and limits the gain of a larger window.
    #[test]
    fn a_slow_link_bounds_what_a_window_brings() {
        let seconds = |served| {
            let half = Summary { served, ..summed_up(timeline(&[(10_000_000_000, Detail::PeerWindow.into())])) };
            let cause = Detail::PeerWindow.into();
            with_facts_of(&half, cause, |facts| if_removed(facts, cause)).unwrap()
        };
        // 1 MB at 0.2 MB/s.
        let bound = seconds(200_000.0);
        assert!((5.0..5.2).contains(&bound.seconds.value) && bound.seconds.low > 3.7, "{bound:?}");
        assert_eq!((bound.next_limit, bound.claim), (Limit::Path, Claim::Range));
        assert_eq!(seconds(0.0).claim, Claim::AtBestUntried);
    }

    /// `IN_BUFFER_SHARE`: with more than half of the time behind a buffer, slightly faster trains show the
    /// rate of the path.
    #[test]
    fn trains_show_the_rate_of_a_path_behind_a_buffer() {
        let shows = |buffer: i64| {
            let parts =
                [(buffer, Cause::plain(Limit::SendBuffer)), (10_000_000_000 - buffer, Cause::plain(Limit::TailRtt))];
            shows_path(&parts, Trains { rate: 0.12e6, are_alike: true, fastest: 0.0 })
        };
        assert_eq!([5_000_000_000, 5_000_001_000].map(shows), [false, true]);
    }

    /// Seconds under each limit are powers of two, so that a sum shows which of them stay.
    fn all_limits() -> LimitTimeline {
        let causes: [Cause; 12] = [
            Cause::plain(Limit::Unobserved),
            Cause::plain(Limit::Handshake),
            Detail::SynRto.into(),
            Detail::PacedWrites.into(),
            Cause::plain(Limit::SendBuffer),
            Detail::Capped.into(),
            Cause::plain(Limit::SlowStart),
            Detail::Other.into(),
            Detail::Fast.into(),
            Cause::plain(Limit::AckDelay),
            Detail::Queue.into(),
            Cause::plain(Limit::TailRtt),
        ];
        timeline(&causes.into_iter().enumerate().map(|(n, cause)| (1_000_000_000 << n, cause)).collect::<Vec<_>>())
    }

    /// Seconds that stay without each cause: those under limits that it does not remove and whose bytes are
    /// not computed again.
    #[test]
    fn without_a_cause_the_time_under_all_others_stays() {
        const KEPT: u32 = 1 + 2 + 4 + 8 + 16 + 32 + 256 + 512;
        let (buffer, window, paced) =
            (Cause::plain(Limit::SendBuffer), Detail::Capped.into(), Detail::PacedWrites.into());
        for (what, cause, was_cut, kept) in [
            ("send buffer", buffer, false, Some(KEPT - 16)),
            ("send buffer, a cut window", buffer, true, Some(KEPT - 16 + 128)),
            ("receive window", window, false, Some(KEPT - 32)),
            ("delayed ACKs", Cause::plain(Limit::AckDelay), false, Some(KEPT - 512)),
            ("paced writes", paced, false, Some(KEPT - 8)),
            ("fast recovery", Detail::Fast.into(), true, Some(KEPT - 256 - 4)),
            ("congestion window", Detail::Other.into(), true, Some(KEPT - 256 - 4)),
            ("a SYN that was repeated", Detail::SynRto.into(), false, Some(KEPT - 4)),
            ("… with a cut window", Detail::SynRto.into(), true, Some(KEPT - 4 + 128)),
            ("a policer", Detail::Policer.into(), true, Some(KEPT - 256)),
            ("a queue", Detail::Queue.into(), false, None),
            ("a queue of ACKs", Detail::AckQueue.into(), true, Some(KEPT)),
            ("the path", Cause::plain(Limit::Path), false, None),
            ("the handshake", Cause::plain(Limit::Handshake), false, None),
            ("the last round trip", Cause::plain(Limit::TailRtt), false, None),
            ("slow start", Cause::plain(Limit::SlowStart), false, None),
            ("nothing known", Cause::plain(Limit::Unobserved), false, None),
        ] {
            let limits = &all_limits();
            let capacity = Capacity::Seen(1e9);
            let (bytes, mss, rtt, least) = (10_000.0, 1000.0, 0.1, 0.0);
            let inputs = Inputs {
                limits,
                bytes,
                bytes_under: &|_| 0.0,
                mss,
                rtt,
                was_cut,
                capacity,
                at_best: capacity,
                least,
                closest: None,
                is_path_full: true,
            };
            let found = without(&inputs, cause).map(|prediction| (prediction.seconds.value * 10.0).round());
            // Ten segments need one round trip.
            assert_eq!(found, kept.map(|kept| f64::from(kept) * 10.0 + 1.0), "{what}");
        }
    }

    /// Each wait, of which only its own time disappears.
    #[test]
    fn a_wait_takes_its_own_time_away() {
        for (detail, expected) in [
            (Detail::Think, Some(Detail::Think)),
            (Detail::Idle, Some(Detail::Idle)),
            (Detail::PeerTurn, Some(Detail::PeerTurn)),
            (Detail::CloseWait, Some(Detail::CloseWait)),
            (Detail::PacedWrites, None),
            (Detail::ZeroWindow, None),
        ] {
            assert_eq!(wait(detail.into()), expected, "{detail:?}");
        }
        let limits = timeline(&[(6_000_000_000, Detail::Think.into()), (3_000_000_000, Detail::Idle.into())]);
        is_about(without_wait(&limits, Detail::Think, None).seconds.value, 3.0);
        is_about(without_wait(&limits, Detail::Idle, None).seconds.value, 6.0);
        is_about(without_wait(&limits, Detail::Think, Some(5.0)).seconds.value, 5.0);
        let claim = |wait, on_path| without_wait(&limits, wait, on_path).claim;
        assert_eq!(claim(Detail::Idle, None), Claim::AtBestUntried);
        assert_eq!([claim(Detail::Idle, Some(1.0)), claim(Detail::Think, None)], [Claim::Range; 2]);
    }

    /// Limit after the change, and the name of its ceiling.
    #[test]
    fn what_binds_next_is_the_path_the_default_buffer_or_slow_start() {
        use Capacity::{Seen, Unknown};
        for (what, bytes, capacity, next, ceiling, basis) in [
            ("little data", 10_000.0, Seen(1e9), Limit::SlowStart, "slow-start", Basis::WireInferred),
            ("a path that was seen", 1e7, Seen(1e6), Limit::Path, "path-rate-seen", Basis::WireInferred),
            (
                "a path that is assumed",
                1e9,
                Unknown { at_least: 0.0 },
                Limit::SendBuffer,
                "default-send-buffer",
                Basis::Assumed,
            ),
            ("a large buffer's rate", 1e9, Seen(1e9), Limit::SendBuffer, "default-send-buffer", Basis::WireInferred),
        ] {
            let limits = &timeline(&[(100_000_000_000, Cause::plain(Limit::SendBuffer))]);
            let (mss, rtt, least) = (1000.0, 0.1, 0.0);
            let inputs = Inputs {
                limits,
                bytes,
                bytes_under: &|_| 0.0,
                mss,
                rtt,
                was_cut: true,
                capacity,
                at_best: capacity,
                least,
                closest: None,
                is_path_full: true,
            };
            let found = without(&inputs, Cause::plain(Limit::SendBuffer)).unwrap();
            assert_eq!((found.next_limit, found.ceiling, found.seconds.basis), (next, ceiling, basis), "{what}");
        }
    }

    /// `UNSCALED_MOST`: without window scaling, at most 64 KiB are in flight after any other change.
    #[test]
    fn without_window_scaling_64_kib_bound() {
        let buffer = Detail::SmallBuffer.into();
        // 10 MB in 10 s; the path carries 10 MB/s, and the window 65,535 bytes per 20 ms.
        let predicted = |window_scale, cause: Cause, trains: f64| {
            let mut half = summed_up(timeline(&[(10_000_000_000, cause)]));
            half.counts.bytes = 10_000_000;
            half.window_scale = window_scale;
            half.trains = Some(Trains { rate: trains, are_alike: true, fastest: trains as f32 });
            let prediction = with_facts_of(&half, cause, |facts| if_removed(facts, cause)).unwrap();
            (prediction.seconds, prediction.next_limit, prediction.ceiling)
        };
        let (scaled, none) = (WindowScale::Shift(7), WindowScale::NotNegotiated);
        let (seconds, next, ceiling) = predicted(none, buffer, 10e6);
        assert!((3.0..3.3).contains(&seconds.value) && seconds.low > 2.3, "{seconds:?}");
        assert_eq!((next, ceiling), (Limit::ReceiveWindow, "window-unscaled"));
        for (what, scale, cause, trains) in [
            ("with window scaling", scaled, buffer, 10e6),
            ("the scaling itself is changed", none, Detail::NoWindowScale.into(), 10e6),
            ("a slower path", none, buffer, 3e6),
        ] {
            let (seconds, next, _) = predicted(scale, cause, trains);
            let on_path = 10e6 / trains;
            assert!((on_path..on_path * 1.1).contains(&seconds.value), "{what}: {seconds:?}");
            assert_eq!(next, Limit::Path, "{what}");
        }
    }

    /// The delivery rate limits the assumed rate of the path, except behind buffers and windows.
    #[test]
    fn what_arrived_bounds_the_path() {
        let (seen, unknown) = (Capacity::Seen(5.0), Capacity::Unknown { at_least: 5.0 });
        let number = |capacity| match capacity {
            Capacity::Seen(rate) => (true, rate as u32),
            Capacity::Unknown { at_least } => (false, at_least as u32),
        };
        for (what, known, most, expected) in [
            ("less arrived", seen, Some(3.0), (true, 3)),
            ("more arrived", seen, Some(7.0), (true, 5)),
            ("nothing known of it", seen, None, (true, 5)),
            ("an unknown path", unknown, Some(3.0), (true, 3)),
            ("neither known", unknown, None, (false, 5)),
        ] {
            assert_eq!(number(known.at_most(most)), expected, "{what}");
        }
        let half = Summary { best_delivery: 7.0, ..summed_up(timeline(&[(1_000, Cause::plain(Limit::Path))])) };
        let all = Limit::ALL.map(Cause::plain).into_iter().chain(Detail::ALL.map(Cause::from));
        for cause in all {
            let is_bound = [Limit::SendBuffer, Limit::ReceiveWindow, Limit::AckDelay].contains(&cause.limit)
                || cause.detail == Some(Detail::PeerWindow);
            let found = with_facts_of(&half, cause, |facts| best_delivery(facts, cause));
            assert_eq!(found.is_none(), is_bound, "{cause}");
        }
    }

    /// A policer delays all bytes beyond its burst, at the highest rate that the packets allow.
    #[test]
    fn a_policer_lets_its_burst_through_at_once() {
        for (what, range, bytes, expected) in [
            ("its rate", None, 1_000_000, 10.0),
            ("its highest rate", Some((50_000.0, 200_000.0)), 1_000_000, 5.0),
            ("nothing", None, 0, 0.0),
        ] {
            let policer = Policer {
                rate: 100_000.0,
                packet: 1.0,
                range,
                burst: None,
                losses: 10,
                sign: Sign::NothingFaster,
                fitting: 1.0,
                fitting_passes: 0.0,
            };
            let found = fastest_through(&policer, bytes);
            assert!((found - expected).abs() < 1e-9, "{what}: {found}, expected {expected}");
        }
    }

    /// `BEST_WITHOUT_WAIT`, `WORST_WITHOUT_WAIT`: 25 % of the saved time is uncertain, within the total.
    #[test]
    fn what_is_saved_is_known_to_a_quarter() {
        for (total, saved, expected) in
            [(20.0, 2.0, [17.5, 18.0, 18.5]), (20.0, 18.0, [0.0, 2.0, 6.5]), (20.0, 0.0, [20.0; 3])]
        {
            let Prediction { seconds, claim, .. } = without_seconds(total, saved, Limit::SlowStart);
            assert_eq!(([seconds.low, seconds.value, seconds.high], claim), (expected, Claim::Range), "{saved}");
        }
    }

    /// Evidence for the rate of a path: a bottleneck, losses, a queue, or trains that are much faster.
    #[test]
    fn trains_show_the_path_of_a_direction_that_met_it() {
        type Change = fn(&mut Summary);
        let quiet = Some(Distribution { min: 20_000_000, median: 20_000_000, p95: 20_000_000, max: 20_000_000 });
        for (what, change, expected) in [
            ("nothing", (|_| ()) as Change, None),
            ("a fast recovery", |h| h.fast_recoveries = 1, Some(120_000)),
            ("a timeout", |h| h.timeouts = 1, None),
            ("a queue of an eighth", |h| h.rtt_min = Some(17_777_000), Some(120_000)),
            ("less of a queue", |h| h.rtt_min = Some(17_778_000), None),
            (
                "trains half as fast again",
                |h| h.trains = Some(Trains { rate: 150_001.0, are_alike: false, fastest: 0.0 }),
                Some(150_001),
            ),
            ("less", |h| h.trains = Some(Trains { rate: 150_000.0, are_alike: false, fastest: 0.0 }), None),
            ("no trains", |h| (h.fast_recoveries, h.trains) = (1, None), None),
            ("a full path", |h| h.bottleneck = Bottleneck::Full(7.0), Some(7)),
            ("a held path", |h| h.bottleneck = Bottleneck::Held(8.0), Some(8)),
            ("a kept path", |h| h.bottleneck = Bottleneck::Kept(9.0), Some(9)),
        ] {
            let mut half = Summary {
                trains: Some(Trains { rate: 120_000.0, are_alike: false, fastest: 0.0 }),
                rtt: quiet,
                ..summed_up(timeline(&[(10_000_000_000, Cause::plain(Limit::TailRtt))]))
            };
            change(&mut half);
            let found = with_facts_of(&half, Cause::plain(Limit::TailRtt), path_rate).map(|rate| rate as u32);
            assert_eq!(found, expected, "{what}");
        }
    }
}
